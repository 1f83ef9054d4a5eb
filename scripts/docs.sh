#!/bin/sh
# Builds the documentation as a site in build/docs/site: sh scripts/docs.sh
#
# Needs Python 3; gets Sphinx with pip into build/venv. What Sphinx warns of is an error, and so is a link that leads nowhere.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"

need_sphinx || die "Sphinx is needed, and could not be installed: pip install -r docs/requirements.txt"
rm -rf "$build/docs/site"
"$venv/bin/sphinx-build" -q -W --keep-going -b html -d "$build/docs/trees" "$root/docs" "$build/docs/site"
"$venv/bin/python" "$root/scripts/doc_links.py" "$build/docs/site"
"$venv/bin/python" "$root/scripts/doc_facts.py"
say "The documentation is in build/docs/site/index.html."
