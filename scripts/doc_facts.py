"""Checks what the documentation lists against the sources: python doc_facts.py

The environment variables of docs/environment.md are those that the library reads, and docs/tool.md has every command of the tool.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def variables_read():
    """The variables that the sources name in quotes, tests aside."""
    found = set()
    for path in (ROOT / "src").rglob("*.rs"):
        code = path.read_text().split("#[cfg(test)]")[0]
        found.update(re.findall(r'(?:is_set|is_on|text|integer|var|var_os|number|choice|int)\(\s*(?:asker, )?"(BLOSC_\w+|BTUNE_\w+)"', code))
    return found


def commands():
    """The commands of the tool."""
    code = (ROOT / "src" / "bin" / "b2" / "main.rs").read_text()
    return re.findall(r"^    (\w+)\(\w+::Args\),$", code, re.M)


def problems():
    told = set(re.findall(r"^\| `(B\w+)`", page("environment.md"), re.M))
    read = variables_read()
    yield from (f"docs/environment.md does not tell of {name}" for name in sorted(read - told))
    yield from (f"docs/environment.md tells of {name}, which nobody reads" for name in sorted(told - read))
    yield from (f"docs/tool.md does not tell of b2 {name.lower()}" for name in commands()
                if f"b2 {name.lower()}" not in page("tool.md"))
    if not read or not commands():
        yield "the sources are not understood"


def page(name):
    return (ROOT / "docs" / name).read_text()


def main():
    found = list(problems())
    print(*found, f"{len(variables_read())} environment variables, {len(commands())} commands", sep="\n")
    return 1 if found else 0


sys.exit(main())
