"""Sums up, for the documentation, what `bench.sh --json` wrote: python bench_table.py JSON > FILE"""

import json
import math
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


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def slowest(cases):
    case = min(cases, key=lambda case: case["ratio"])
    return f"{case['ratio']:.2f} | {case['case']}"


def table(rows, cases):
    yield from ("| what | cases | mean | slowest | which |", "|---|---|---|---|---|")
    for row in rows:
        of_row = [case for case in cases if case["row"] == row["row"]]
        yield f"| {row['row']} | {row['cases']} | {row['mean']:.3g} | {slowest(of_row)} |"


def threads(pairs):
    """What a second thread brings."""
    ratios = [pair["ratio_to_one_thread"] for pair in pairs]
    if ratios:
        yield from ("", f"Two threads beside one, in {len(ratios)} cases: {mean(ratios):.2f}, at least {min(ratios):.2f}.")


def sizes(cases):
    """Compressed sizes by the C library's."""
    ratios = [case["size"] / case["size_of_reference"] for case in cases if "size" in case]
    if ratios:
        yield from ("", f"Compressed sizes by the C library's, in {len(ratios)} cases: {mean(ratios):.3f}, at most {max(ratios):.4f}.")


def memory(cases):
    """What a case takes at most, less what the C library takes."""
    more = [case["peak_memory"] - case["peak_memory_of_reference"] for case in cases if "peak_memory" in case]
    if more:
        yield from ("", f"The most memory, in {len(more)} cases, beside the C library's: {sum(more) / len(more) / 1e6:+.2f} MB in the mean, "
                    f"at most {max(more) / 1e6:+.2f} MB.")


def main(path):
    with open(path) as file:
        report = json.load(file)
    rows, cases = report["rows"], report["cases"]
    where = f"{processor()}, {os.cpu_count()} processors, {platform.system()}"
    print(f"Measured on {date.today().day} {date.today():%B %Y}: {where}.", "", sep="\n")
    for lines in (table(rows, cases), threads(report["two_threads"]), sizes(cases), memory(cases)):
        print(*lines, sep="\n")


main(sys.argv[1])
