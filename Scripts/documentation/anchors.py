"""Anchors of headings. The generator's workers load this by its name."""
import re


def github_slug(title):
    """The anchor that GitHub makes of a heading, for which links in the repository's documents are written."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
