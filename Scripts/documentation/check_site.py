"""Checks a built site: every link within it leads to a page, a file and an anchor that are there, and nothing is loaded from elsewhere."""
import html.parser
import pathlib
import posixpath
import re
import urllib.parse

# What a page loads by itself, as against what a reader may follow.
LOADS = {("script", "src"), ("img", "src"), ("source", "src"), ("source", "srcset"), ("link", "href"), ("iframe", "src"), ("video", "src"),
         ("audio", "src"), ("object", "data"), ("embed", "src"), ("use", "href"), ("use", "xlink:href")}
STYLE_ADDRESS = re.compile(r"url\(\s*['\"]?((?:https?:)?//[^)'\"\s]+)|@import\s+['\"]((?:https?:)?//[^'\"]+)")
SCHEME = re.compile(r"^(?:[A-Za-z][\w+.-]*:|//)")


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.loads, self.anchors, self.bases = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name) and (name == "id" or tag == "a"):
                self.anchors.add(values[name])
        for name, value in attributes:
            if value is None:
                continue
            if (tag, name) in LOADS and not (tag == "link" and values.get("rel") in ("canonical", "author", "license")):
                self.loads.append((self.getpos()[0], value))
            elif (tag, name) in (("a", "href"), ("area", "href")):
                self.links.append((self.getpos()[0], value))
        if values.get("style"):
            self.loads += [(self.getpos()[0], found[0] or found[1]) for found in STYLE_ADDRESS.findall(values["style"])]

    handle_startendtag = handle_starttag


def check(folder):
    """Gives a sentence for each fault of a site, and how many pages and links were looked at."""
    folder = pathlib.Path(folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    pages = {path: Page((folder / path).read_text(encoding="utf-8")) for path in sorted(files) if path.endswith(".html")}
    problems, count = [], 0
    for path, page in pages.items():
        for line, link in page.links + page.loads:
            count += 1
            if SCHEME.match(link):
                if (line, link) in page.loads and not link.startswith("data:"):
                    problems.append(f"{path}:{line}: {link}: loaded from elsewhere")
                continue
            target, _, anchor = link.partition("#")
            target = urllib.parse.unquote(target.partition("?")[0])
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if target.startswith("/") or place.startswith(".."):
                problems.append(f"{path}:{line}: {link}: leads out of the site")
            elif place not in files:
                problems.append(f"{path}:{line}: {link}: there is no {place}")
            elif anchor and place in pages and urllib.parse.unquote(anchor) not in pages[place].anchors:
                problems.append(f"{path}:{line}: {link}: {place} has no such anchor")
    for path in sorted(files):
        if path.endswith(".css"):
            for found in STYLE_ADDRESS.findall((folder / path).read_text(encoding="utf-8")):
                problems.append(f"{path}: {found[0] or found[1]}: loaded from elsewhere")
    if not pages:
        problems.append("there are no pages")
    return problems, len(pages), count
