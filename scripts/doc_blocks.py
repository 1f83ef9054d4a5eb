"""Runs what the documentation shows: python doc_blocks.py --prefix PREFIX [--python PYTHON] [PAGE...]

PREFIX is where the library and the tool are installed. The blocks of a page run one after the other in a folder of the
page's own, beside a copy of examples/data, so that a block can use what an earlier one wrote.

    c        a program, or the inside of main(): compiled as a stranger would, with every warning an error, and run
    cpp      a program in C++17, likewise
    sh       a script
    console  commands after `$ `, and what they print
    python   a script
    cmake    a CMakeLists.txt, for the script that follows
    output   what the block before printed; `...` stands for anything, here and in console
    rust     a whole program, which `cargo test --doc` runs: the page has to be named in src/lib.rs

A comment before a block says what cannot be seen from it: <!-- not run: REASON -->, <!-- file: NAME --> for a block that is
a file, <!-- before: CODE --> for what a C block needs in front of it. Prints a line per page.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
COMMENT = re.compile(r"<!--\s*(not run|file|before):\s*(.*?)\s*-->\s*\Z", re.S)
INCLUDES = "".join(f"#include <{name}>\n" for name in
                   ("b2nd.h", "blosc2.h", "blosc2_ext.h", "assert.h", "stdio.h", "stdlib.h", "string.h"))
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


class Failure(Exception):
    """A block does not do what it should."""


class Block:
    """A block of a page."""

    def __init__(self, page, language, code, line, notes):
        self.page, self.language, self.code, self.line, self.notes = page, language, code, line, notes


def blocks_of(page):
    text, found, at = page.read_text(), [], 0
    for match in FENCE.finditer(text):
        notes, before = {}, text[at:match.start()]
        while comment := COMMENT.search(before):
            notes[comment.group(1)] = comment.group(2)
            before = before[:comment.start()]
        language = match.group(1).strip()
        if not language.startswith("{"):
            found.append(Block(page, language, match.group(2), text.count("\n", 0, match.start()) + 1, notes))
        at = match.end()
    return found


class Runner:
    """Where the blocks of a page run."""

    def __init__(self, page, options):
        self.python = options.python
        self.folder = ROOT / "build" / "docs" / "blocks" / page.relative_to(ROOT).with_suffix("")
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT / "examples" / "data", self.folder / "examples" / "data")
        prefix = options.prefix.resolve()
        lib = next(prefix.rglob("libblosc2.so")).parent
        self.flags = [f"-I{prefix / 'include'}", f"-L{lib}", "-lblosc2", "-lm"]
        path = f"{prefix / 'bin'}:{Path(options.python).absolute().parent}:{os.environ['PATH']}"
        self.environment = dict(
            {name: value for name, value in os.environ.items() if not name.startswith("BLOSC")}, PATH=path, PREFIX=str(prefix),
            LD_LIBRARY_PATH=str(lib), PKG_CONFIG_PATH=str(lib / "pkgconfig"), CMAKE_PREFIX_PATH=str(prefix), LC_ALL="C.UTF-8")
        self.printed = None

    def run(self, block):
        """Runs a block; gives what was done with it."""
        if "file" in block.notes:
            (self.folder / block.notes["file"]).write_text(block.code)
            return "file"
        if "not run" in block.notes:
            return "not run"
        if block.language not in METHODS:
            raise Failure(f"a block in {block.language or 'no language'}: run it, or say why not")
        METHODS[block.language](self, block)
        return block.language

    def call(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, timeout=120,
                              stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise Failure(f"ends with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def c(self, block):
        before, code = block.notes.get("before", ""), block.code
        if not re.search(r"\bmain\(", code):
            code = f"{INCLUDES}int main(void) {{\n{before}\n{code}\nreturn 0;\n}}\n"
        self.compile(code, "block.c", os.environ.get("CC", "cc"), "-std=gnu11")

    def cpp(self, block):
        self.compile(block.code, "block.cpp", os.environ.get("CXX", "c++"), "-std=c++17")

    def compile(self, code, name, *compiler):
        (self.folder / name).write_text(code)
        self.call(*compiler, *WARNINGS, name, "-o", "block", *self.flags)
        self.printed = self.call("./block")

    def sh(self, block):
        self.printed = self.call("sh", "-eu", "-c", block.code)

    def run_python(self, block):
        (self.folder / "block.py").write_text(block.code)
        self.printed = self.call(self.python, "block.py")

    def console(self, block):
        first, *commands = re.split(r"^\$ ", block.code, flags=re.M)
        if first.strip() or not commands:
            raise Failure("a console block begins with a command")
        for text in commands:
            match = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", text, re.S)
            expect(match.group(2), self.call("sh", "-eu", "-c", match.group(1)), match.group(1))

    def cmake(self, block):
        (self.folder / "CMakeLists.txt").write_text(block.code)

    def output(self, block):
        if self.printed is None:
            raise Failure("output of nothing")
        expect(block.code, self.printed, "the block before")

    def rust(self, block):
        path = block.page.relative_to(ROOT)
        if "fn main()" not in block.code or f'include_str!("../{path}")' not in (ROOT / "src" / "lib.rs").read_text():
            raise Failure(f"a Rust block is a whole program, on a page that src/lib.rs includes; {path} is not")


METHODS = {"c": Runner.c, "cpp": Runner.cpp, "sh": Runner.sh, "console": Runner.console, "python": Runner.run_python, "cmake": Runner.cmake,
           "output": Runner.output, "rust": Runner.rust}


def expect(wanted, printed, what):
    strip = lambda text: "\n".join(line.rstrip() for line in text.strip().splitlines())
    pattern = ".*?".join(re.escape(part) for part in strip(wanted).split("..."))
    if not re.fullmatch(pattern, strip(printed), re.S):
        raise Failure(f"{what} prints\n{printed}\nand the page says\n{wanted}")


def run_page(page, options):
    """Runs a page's blocks; gives how many of each sort, and how many failed."""
    runner, counts, failed = Runner(page, options), {}, 0
    for block in blocks_of(page):
        try:
            did = runner.run(block)
            counts[did] = counts.get(did, 0) + 1
        except (Failure, subprocess.TimeoutExpired, OSError) as failure:
            failed += 1
            print(f"FAILED {page.relative_to(ROOT)}:{block.line}: {failure}")
    return counts, failed


def main():
    parser = argparse.ArgumentParser(description="Runs what the documentation shows.")
    parser.add_argument("--prefix", type=Path, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    generated = ROOT / "docs" / "api"
    pages = [page.resolve() for page in options.pages] or [
        ROOT / "README.md", *sorted(page for page in (ROOT / "docs").rglob("*.md") if generated not in page.parents)]
    total, failed = {}, 0
    for page in pages:
        counts, failures = run_page(page, options)
        failed += failures
        for did, count in counts.items():
            total[did] = total.get(did, 0) + count
        if counts:
            print(f"{page.relative_to(ROOT)}: " + ", ".join(f"{count} {did}" for did, count in sorted(counts.items())))
    print(f"{total.pop('not run', 0)} blocks are not run; the pages say why.")
    print("together: " + ", ".join(f"{count} {did}" for did, count in sorted(total.items())))
    print(f"BLOCKS: {sum(total.values())} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
