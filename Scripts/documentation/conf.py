"""Settings of the generator (Sphinx with MyST and Furo). Nothing is loaded from elsewhere, and search needs no server."""
project = "Sightline"
copyright = "the Sightline authors, Apache-2.0"  # noqa: A001, the generator's own name
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
language = "en"
nitpicky = True

html_theme = "furo"
html_title = "Sightline"
html_favicon = "icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
# The theme's summaries are fetched page by page, which a browser refuses without a server: excerpts.py has others.
html_show_search_summary = False
html_last_updated_fmt = None
html_use_index = False
smartquotes = False
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True, "footer_icons": []}
templates_path = []
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
# What is no language of the highlighter's stands as it is.
highlight_language = "none"

myst_heading_anchors = 6
# Documents are written for the usual Markdown, where these mean nothing.
myst_disable_syntax = ["myst_role", "myst_line_comment", "myst_block_break", "substitution"]
myst_enable_extensions = ["strikethrough"]
# The anchors that links in the repository's documents are written for.
myst_heading_slug_func = "anchors.github_slug"
# An example in a guide leaves things out ("…"); it is shown as plain text then.
# Steps of headings are a matter of style.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]


def open_current_branch(app, page, template, context, document):
    """The navigation shows the sections, and the pages of the one that is open: all of them on every page cost minutes and megabytes."""
    whole = context.get("toctree")
    if whole:
        context["toctree"] = lambda **options: whole(**{**options, "collapse": True})


def setup(app):
    # Before the theme makes its navigation of it.
    app.connect("html-page-context", open_current_branch, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
