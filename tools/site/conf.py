"""How Sphinx makes the manual. build.py calls it on a copy of the repository's pages."""

project = "Actio"
html_title = "Actio"
root_doc = "docs/index"
extensions = ["myst_parser"]
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
