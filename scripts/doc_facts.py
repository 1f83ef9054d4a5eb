"""Checks what the documentation lists against the sources: python doc_facts.py

The environment variables of docs/environment.md are those that the library reads.
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


def main():
    told = set(re.findall(r"^\| `(B\w+)`", (ROOT / "docs" / "environment.md").read_text(), re.M))
    read = variables_read()
    for name in sorted(read - told):
        print(f"docs/environment.md does not tell of {name}")
    for name in sorted(told - read):
        print(f"docs/environment.md tells of {name}, which nobody reads")
    print(f"{len(read)} environment variables")
    return 1 if told != read or not read else 0


sys.exit(main())
