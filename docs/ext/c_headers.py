"""Reads documented declarations out of C headers: comments that begin with `/**`, and what follows them."""

import re

COMMENT = re.compile(r"/\*\*(.*?)\*/\s*", re.S)
GROUPS = {"function": "Functions", "struct": "Types", "callback": "Callbacks", "enum": "Sets of constants",
          "constant": "Constants"}


class Entry:
    """A declaration and its comment."""

    def __init__(self, kind, name, declaration, comment, members=(), inline=False):
        self.kind, self.name, self.declaration, self.members, self.inline = kind, name, declaration, members, inline
        text = "\n".join(re.sub(r"^\s*\* ?", "", line) for line in comment.strip().splitlines())
        about, *tags = re.split(r"(?:^|\s)@(?=param |return )", text)
        self.about = about.strip()
        self.params = [tag.split(None, 2)[1:] for tag in tags if tag.startswith("param")]
        self.returns = " ".join(tag.split(None, 1)[1] for tag in tags if tag.startswith("return")).strip()

    def all_names(self):
        """Its own, and those of constants in it: the fields of structs mean nothing elsewhere."""
        return [self.name, *(name for name, _, _ in self.members if self.kind == "enum")]

    def first_sentence(self):
        return re.split(r"(?<=[.:]) (?=[A-Z])", " ".join(self.about.split()))[0]

    def markdown(self, where):
        say = lambda text: link(text, where, self.name)
        lines = [f"### {self.name}", ""]
        if self.declaration:
            lines += ["```c", self.declaration, "```", ""]
        if self.inline:
            lines += ["Compiled into the program: no symbol of the library.", ""]
        lines += [say(self.about), ""]
        for name, text in self.params:
            lines += [f"- `{name}`: {say(flat(text))}"]
        if self.returns:
            lines += ["", f"**Returns** {say(flat(self.returns))}"]
        if self.members:
            lines += ["", "| | |", "|---|---|"]
            lines += [f"| `{flat(shown)}` | {say(flat(text))} |" for _, shown, text in self.members]
        return [*lines, ""]


def flat(text):
    return " ".join(text.split()).replace("|", "\\|")


def link(text, where, own):
    """Makes links of `#NAME`, of `name` in backquotes and of name()."""
    def one(match):
        name = match.group(1) or match.group(2) or match.group(3)
        call = "()" if match.group(3) else ""
        if name in where and where[name] != where[own]:
            return f"[`{name}{call}`]({where[name]})"
        return f"`{name}{call}`"
    return re.sub(r"(?<!\w)#(\w+)|`(\w+)`|(?<![`\w])(\w+)\(\)(?!`)", one, text)


def read_headers(folder, names):
    entries = []
    for name in names:
        entries += read_header((folder / name).read_text(), name)
    return entries


def read_header(text, header):
    at, entries = 0, []
    while match := COMMENT.search(text, at):
        entry, at = declaration(text, match.end(), match.group(1), header)
        entries.append(entry)
    exported = {function_name(head) for head in re.findall(r"^BLOSC_EXPORT\s[^;]*", text, re.M)}
    if silent := exported - {entry.name for entry in entries}:
        raise SystemExit(f"{header}: {', '.join(sorted(silent))} without a comment")
    return entries


def function_name(head):
    return re.search(r"(\w+)\(", re.sub(r"B2ND_DEPRECATED\(.*?\)", "", head)).group(1)


def declaration(text, at, comment, header):
    """The declaration at `at`, and where it ends."""
    if conditional := re.compile(r"#\s*if.*?#\s*else\n", re.S).match(text, at):
        # Of what differs by system, the system that is not Windows.
        at = conditional.end()
    rest = text[at:]
    if define := re.match(r"#\s*define (\w+)(\([^)]*\))?[ \t]*(.*)", rest):
        name, arguments, value = define.groups()
        shown = f"#define {name}{arguments or ''}" + ("" if arguments else f" {value}")
        return Entry("constant", name, shown, comment), at + define.end()
    head = re.match(r"[^;{]*", rest).group()
    if re.match(r"(typedef )?(enum|struct)\b", head) and rest[len(head)] == "{":
        return aggregate(text, at, at + len(head), comment)
    if "=" in head:
        end = at + closing(rest, rest.index("{")) + 2
        name = re.search(r"(\w+)( BLOSC_ATTRIBUTE_UNUSED)? = ?$", head.strip() + " ").group(1)
        return Entry("constant", name, tidy(head.split("=")[0]) + ";", comment), end
    shown = tidy(head)
    if callback := re.search(r"\(\*(\w+)\)\(", head):
        return Entry("callback", callback.group(1), shown + ";", comment), at + len(head)
    if "(" in head:
        return Entry("function", function_name(head), shown + ";", comment, inline="static" in head), at + len(head)
    if opaque := re.match(r"typedef .*?(\w+)$", head.strip(), re.S):
        return Entry("struct", opaque.group(1), tidy(head) + ";", comment), at + len(head)
    raise SystemExit(f"{header}: not understood: {head[:200]}")


def tidy(head):
    head = re.sub(r"BLOSC_EXPORT\s+|BLOSC_ATTRIBUTE_UNUSED\s+|B2ND_DEPRECATED\(.*?\)\s*|static\s+(inline\s+)?", "", head)
    parts = " ".join(head.split()).replace("( ", "(")
    if len(parts) <= 100:
        return parts
    opening = parts.rindex("(") + 1 if ")(" in parts else parts.index("(") + 1
    return parts[:opening] + "\n    " + parts[opening:].replace(", ", ",\n    ")


def aggregate(text, at, opening, comment):
    end = opening + closing(text[opening:], 0)
    tail = text.index(";", end)
    kind = "enum" if "enum" in text[at:opening] else "struct"
    members = list(members_of(text[opening + 1:end], "," if kind == "enum" else ";"))
    name = text[end + 1:tail].strip()
    # One that C gives no name is known by its first member.
    shown = f"typedef {kind} {{ ... }} {name};" if name else ""
    return Entry(kind, name or members[0][0], shown, comment, members), tail + 1


def members_of(body, separator):
    for match in COMMENT.finditer(body):
        shown = " ".join(re.match(f"[^{separator}/}}]*", body[match.end():]).group().split())
        about = " ".join(re.sub(r"^\s*\*", "", line).strip() for line in match.group(1).splitlines()).strip()
        function = re.search(r"\(\*(\w+)\)", shown)
        name = function.group(1) if function else re.sub(r"\[.*|\s*=.*", "", shown).split()[-1].lstrip("*")
        yield name, shown, about


def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise SystemExit("a brace is not closed")
