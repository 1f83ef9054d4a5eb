"""Turns what `bench.sh --json` wrote into the tables of the documentation: python bench_table.py JSON > FILE"""

import json
import os
import platform
import sys
from datetime import date


def processor():
    """The processor's name, where the system tells it."""
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def time(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def summary(rows):
    yield from ("| what | cases | mean | slowest case |", "|---|---|---|---|")
    for row in rows:
        yield f"| {row['row']} | {row['cases']} | {row['mean']:.2f} | {row['slowest']:.2f} |"


def details(row, cases):
    yield from ("", f"### {row['row']}", "", "| case | here | C library | ratio | size by the C library's |", "|---|---|---|---|---|")
    for case in cases:
        size = f"{case['size'] / case['size_of_reference']:.3f}" if "size" in case else ""
        yield (f"| {case['case']} | {time(case['seconds'])} | {time(case['seconds_of_reference'])} | {case['ratio']:.2f} "
               f"| {size} |")


def main(path):
    with open(path) as file:
        report = json.load(file)
    where = f"{processor()}, {os.cpu_count()} processors, {platform.system()}"
    print(f"Measured on {date.today():%d %B %Y}: {where}.", "", *summary(report["rows"]), "", "## Case by case", sep="\n")
    for row in report["rows"]:
        cases = [case for case in report["cases"] if case["row"] == row["row"]]
        print("\n".join(details(row, cases)))


main(sys.argv[1])
