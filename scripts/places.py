"""Checks src/everyday.ld against the library that was linked by it: python places.py LIBRARY

The linker takes no notice of a pattern that matches nothing, so that a function which is renamed or split would lose its place
without a word. Each pattern has to match a function of the library that none before it does; of C libraries, which every compiler
splits in its own way, those that are told to begin at some place of a cache line.
"""

import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "src" / "everyday.ld"
OF_C = re.compile(r"\.text\.(LZ4|ZSTD|HUF|FSE|HIST)")


def patterns():
    """The patterns of functions, each with whether it comes right behind a place."""
    code = re.sub(r"/\*.*?\*/", "", SCRIPT.read_text(), flags=re.S)
    for statement in re.finditer(r"(\. = [^;]+;\s*)?\*\((\.text\.[^)]*)\)", code):
        for pattern in statement[2].split():
            yield pattern, statement[1] is not None


def functions(library):
    """The names of all functions: as sections have them, each compiled to a section of its own."""
    table = subprocess.run(["nm", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {name for _, kind, name in (line.split() for line in table.splitlines()) if kind in "tTwW"}


def take(pattern, names):
    """Whether names match; takes them out, as a function stands where the first pattern puts it."""
    wanted = pattern.removeprefix(".text.").replace("[", "[[]")
    taken = {name for name in names if fnmatchcase(name, wanted)}
    names -= taken
    return bool(taken)


def main(library):
    names = functions(library)
    listed = [(pattern, placed, take(pattern, names)) for pattern, placed in patterns()]
    lost = [pattern for pattern, placed, found in listed if not found and (placed or not OF_C.match(pattern))]
    for pattern in lost:
        print(f"{SCRIPT.name}: nothing matches {pattern}")
    print(f"{len(listed)} patterns, of which {len(lost)} match nothing")
    return 1 if lost or not listed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
