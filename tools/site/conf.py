"""How Sphinx makes the manual. build.py calls it on a copy of the repository's pages."""

import re

project = "Actio"
html_title = "Actio"
root_doc = "docs/index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]  # $x$ and $$x$$, as in Markdown elsewhere
html_math_renderer = "mathml"  # below: browsers draw it themselves, and nothing is loaded
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


def _formula(visitor, node, block):
    """A formula as MathML, by docutils. What it does not know is a warning, with its place, which fails the build."""
    from docutils import nodes
    from docutils.utils.math import MathError
    from docutils.utils.math.latex2mathml import tex2mathml
    from sphinx.util import logging

    try:
        text = tex2mathml(node.astext(), as_block=block)
    except MathError as error:
        logging.getLogger(__name__).warning("%s", error, location=node)
        text = ""
    visitor.body.append(f'<div class="formula">{text}</div>\n' if block else text)
    raise nodes.SkipNode


def _inline(visitor, node):
    _formula(visitor, node, False)


def _displayed(visitor, node):
    _formula(visitor, node, True)


def _plain(app, what, name, obj, options, lines):
    """Docstrings write |E - E0| and v*M*v as they are: outside of code nothing of that is markup."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...", ":", "..")):
            parts = re.split(r"(``[^`]*``|:[a-z]+:`[^`]*`)", line)
            parts[::2] = [re.sub(r"(?<!\\)([|])|(?<![\\*])(\*)(?!\*)", lambda found: "\\" + found.group(0), part) for part in parts[::2]]
            lines[k] = "".join(parts)


def setup(app):
    app.add_html_math_renderer("mathml", (_inline, None), (_displayed, None))
    app.connect("autodoc-process-docstring", _plain, priority=900)  # after Google's sections have become fields
    return {"parallel_read_safe": True, "parallel_write_safe": True}
