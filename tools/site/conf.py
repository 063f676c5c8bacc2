"""How Sphinx makes the manual. build.py calls it on a copy of the repository's pages."""

import re

project = "Actio"
html_title = "Actio"
root_doc = "docs/index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4  # links to a section of a page are checked
suppress_warnings = ["myst.header"]  # a page may go from its title to ### where that reads better
exclude_patterns = ["README.md"]
smartquotes = False

html_theme = "furo"  # its fonts are the system's: nothing is loaded from the network
html_static_path = ["static"]
html_css_files = ["actio.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": False}
pygments_style = "default"
pygments_dark_style = "monokai"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False


def _plain(app, what, name, obj, options, lines):
    """Docstrings write |E - E0| and v*M*v as they are: outside of code nothing of that is markup."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...", ":", "..")):
            parts = re.split(r"(``[^`]*``|:[a-z]+:`[^`]*`)", line)
            parts[::2] = [re.sub(r"(?<!\\)([|])|(?<![\\*])(\*)(?!\*)", lambda found: "\\" + found.group(0), part) for part in parts[::2]]
            lines[k] = "".join(parts)


def setup(app):
    app.connect("autodoc-process-docstring", _plain, priority=900)  # after Google's sections have become fields
