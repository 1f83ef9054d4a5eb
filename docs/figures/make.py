"""Measures codecs, levels and filters on examples/data/jacksboro.b2nd with `b2 bench`: python make.py PREFIX

PREFIX is where the tool is installed. Writes choosing.md, the table of the guide, and the plot among the pictures.
"""

import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "examples" / "data" / "jacksboro.b2nd"
PLOT = HERE.parent / "pictures" / "bench.svg"


def processor():
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def bench(prefix):
    command = [prefix / "bin" / "b2", "bench", DATA, "--json", "--time", "200", "--svg", PLOT, "--force"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def speed(bytes_per_second):
    return f"{float(f'{bytes_per_second / 1e6:.3g}'):,g} MB/s"


def line(choice):
    marks = [mark for mark, field in (("compressing", "best_compressing"), ("decompressing", "best_decompressing"))
             if choice[field]]
    return (f"| {choice['codec']} | {choice['clevel']} | {choice['filters'].replace(',', ', ')} | {choice['ratio']:.2f} "
            f"| {speed(choice['compress_bytes_per_second'])} | {speed(choice['decompress_bytes_per_second'])} "
            f"| {' and '.join(marks)} |")


def main(prefix):
    report = bench(prefix)
    best = [choice for choice in report["tried"] if choice["best_compressing"] or choice["best_decompressing"]]
    table = ["| codec | level | filters | ratio | compressing | decompressing | unbeaten in |", "|---|---|---|---|---|---|---|"]
    told = f"Measured on {date.today():%d %B %Y}: {processor()}, one thread, {len(report['tried'])} combinations."
    if os.getloadavg()[0] > os.cpu_count():
        told += " The machine was busy with other work as well."
    (HERE / "choosing.md").write_text("\n".join([told, "", *table, *map(line, best), ""]))


main(Path(sys.argv[1]).resolve())
