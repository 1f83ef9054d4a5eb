"""Checks the links of a built site: python doc_links.py FOLDER

Every link and picture inside the site leads to a file and, after a #, to an anchor in it; pages load nothing from elsewhere.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, where its links lead, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = set(), set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        if tag == "a" and attributes.get("href"):
            self.links.add(attributes["href"])
        elif attributes.get("src") or tag == "link" and attributes.get("rel") in ("stylesheet", "icon"):
            self.loads.add(attributes.get("src") or attributes["href"])


def problems(pages, path, page):
    for link in page.links | page.loads:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            if link in page.loads:
                yield f"loads {link}"
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        target = target / "index.html" if target.is_dir() else target
        if not target.is_file():
            yield f"leads to {link}, which is not there"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in pages[target].anchors:
            yield f"leads to {link}, whose anchor is not there"


def main(folder):
    pages = {path: Page(path) for path in sorted(folder.resolve().rglob("*.html"))}
    found = [f"{path.relative_to(folder.resolve())} {problem}" for path, page in pages.items()
             for problem in problems(pages, path, page)]
    print("\n".join(found), end="\n" * bool(found))
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(found)} broken")
    return 1 if found or not pages else 0


sys.exit(main(Path(sys.argv[1])))
