"""The site: Sphinx reads the Markdown of this folder. `sh scripts/docs.sh` builds it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "ext"))

project = "oxiblosc2"
html_title = "oxiblosc2"
extensions = ["myst_parser", "api_pages"]
exclude_patterns = ["requirements.txt", "figures"]

html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {"sidebar_hide_name": False}

# A link to a heading is checked like one to a page.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
highlight_language = "none"
nitpicky = True
