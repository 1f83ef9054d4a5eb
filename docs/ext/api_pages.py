"""Sphinx extension: writes the pages of the C interface, a page per topic, from the comments in include/."""

from pathlib import Path

from c_headers import GROUPS, read_headers
from api_topics import TOPICS, topic_of

ROOT = Path(__file__).resolve().parents[2]
HEADERS = [
    "blosc2.h", "b2nd.h", "blosc2_ext.h", "blosc2/blosc1-names.h", "blosc2/blosc2-inline.h", "blosc2/b2nd-inline.h",
    "blosc2/blosc2-stdio.h", "blosc2/blosc2-platform.h", "blosc2/blosc2-trace.h", "blosc2/codecs-registry.h",
    "blosc2/filters-registry.h", "blosc2/tuners-registry.h",
]


def setup(app):
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / "api"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(folder):
    entries = read_headers(ROOT / "include", HEADERS)
    pages = {topic: [] for topic in TOPICS}
    for entry in entries:
        pages[topic_of(entry)].append(entry)
    where = {name: f"{topic_of(entry)}.md#{entry.name.lower()}" for entry in entries for name in entry.all_names()}
    folder.mkdir(exist_ok=True)
    for topic, (title, about) in TOPICS.items():
        text = [f"# {title}", "", about, ""]
        for kind, name in GROUPS.items():
            group = [entry for entry in pages[topic] if entry.kind == kind]
            text += [f"## {name}", ""] if group else []
            for entry in group:
                text += entry.markdown(where)
        put(folder / f"{topic}.md", "\n".join(text))
    put(folder / "index.md", index(entries, where))


def index(entries, where):
    text = ["# The C interface", "", "Made from the comments in the headers, which say the same to your editor. "
            "`#include <blosc2.h>` for chunks and super-chunks, `<b2nd.h>` for arrays (it includes the former), "
            "`<blosc2_ext.h>` for what the C library does not have.", "", "```{toctree}", *TOPICS, "```", "",
            "## All functions", ""]
    functions = sorted((entry for entry in entries if entry.kind == "function"), key=lambda entry: entry.name)
    return "\n".join(text + [f"- [`{entry.name}`]({where[entry.name]}): {entry.first_sentence()}" for entry in functions])


def put(path, text):
    """Leaves a page that has not changed as it is, so that it is not built again."""
    text = text.rstrip() + "\n"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
