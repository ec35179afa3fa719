"""The pages that the generator is given: the repository's documents as they are, and what is made beside them.

A document of the repository keeps its path; `README.md` at the top is the site's first page. Links between documents are written
anew from where each page lies in the site, and what they lead to that is no document (a source file, a schema) comes along.
"""
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import urllib.parse
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYMBOL = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")
DOC_PAGE = re.compile(r"<doc:([\w-]+)>")
PICTURES = (".png", ".svg", ".jpg", ".jpeg", ".webp", ".gif")


def load_check_links():
    """The script that knows what is a link in Markdown: there is one idea of that in the repository."""
    loader = SourceFileLoader("check_links", str(ROOT / "Scripts" / "check-links"))
    module = module_from_spec(spec_from_loader("check_links", loader))
    loader.exec_module(module)
    return module


check_links = load_check_links()


def tracked(*patterns):
    """Files of the repository, those not yet committed among them."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(path for path in set(listed) if path and (ROOT / path).is_file())


def title_of(text):
    """The first heading of a document, without its marks."""
    for _, line in check_links.lines_outside_code(text):
        if line.startswith("# "):
            return line[2:].strip().strip("`")
    return None


def slug(text):
    """An identifier of small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


class Source:
    """A folder of pages, and where each document of the repository has gone in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        # From a path in the repository to one in the site.
        self.places = {}
        # From a site's page to its title.
        self.titles = {}
        # Resolves a DocC link, given a page's module and what stands in it: the reference of the libraries sets it.
        self.symbol = lambda name, module, scope=(): None

    def write(self, page, text, title=None):
        """A page of the site; its path ends in `.md`."""
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip() + "\n", encoding="utf-8")
        self.titles[page] = title or title_of(text) or page

    def carry(self, path):
        """A file of the repository that a page leads to; gives its place in the site."""
        if path not in self.places:
            # A browser shows a text as such, and would save what it does not know.
            place = path if path.endswith(PICTURES) else f"files/{path}.txt"
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, self.folder / place)
            self.places[path] = place
        return self.places[path]

    def place_of(self, path):
        """Where in the site a file or a folder of the repository is."""
        if path in self.places:
            return self.places[path]
        if (ROOT / path).is_dir():
            readme = posixpath.normpath(posixpath.join(path, "README.md"))
            if readme in self.places:
                return self.places[readme]
            return self.list_folder(path)
        return self.carry(path) if (ROOT / path).is_file() else None

    def list_folder(self, path):
        """A page with the files of a folder that has no document of its own."""
        page = posixpath.join("files", path, "index.md")
        self.places[path] = page
        files = tracked(path)
        rows = "\n".join(f"- [{os.path.relpath(file, path)}]({self.relative(page, self.carry(file))})" for file in files)
        self.write(page, f"# {path}\n\n{rows}", title=path)
        return page

    def relative(self, page, place):
        """A link from a page of the site to another place in it."""
        return urllib.parse.quote(posixpath.relpath(place, posixpath.dirname(page) or "."))

    def link(self, page, origin, link):
        """A link as it stands in a document of the repository (`origin`), as the page of the site needs it."""
        if check_links.SCHEME.match(link) or link.startswith("#"):
            return link
        target, _, anchor = link.partition("#")
        base = "" if target.startswith("/") else posixpath.dirname(origin)
        path = posixpath.normpath(posixpath.join(base, urllib.parse.unquote(target).lstrip("/")))
        place = self.place_of(path)
        # What leads nowhere stays, and is found by the check of links.
        return link if place is None else self.relative(page, place) + (f"#{anchor}" if anchor else "")

    def rewritten(self, text, page, origin, module=None, scope=()):
        """A document with its links as the page of the site needs them; with a module also DocC's own links."""
        code = {number for number, _ in enumerate(text.splitlines(), 1)} - {number for number, _ in check_links.lines_outside_code(text)}
        lines = []
        for number, line in enumerate(text.splitlines(), 1):
            if number not in code:
                if module:
                    line = self.doc_links(line, page, origin, module, scope)
                line = self.line_links(line, page, origin)
            lines.append(line)
        return "\n".join(lines)

    def line_links(self, line, page, origin):
        plain = check_links.CODE.sub(lambda found: " " * len(found.group()), line)
        spans = []
        for found in check_links.LINK.finditer(plain):
            group = 1 if found.group(1) is not None else 2
            spans.append((*found.span(group), found.group(group)))
        for pattern in (check_links.DEFINITION, check_links.IMAGE):
            spans += [(*found.span(1), found.group(1)) for found in pattern.finditer(plain)]
        for start, end, link in sorted(spans, reverse=True):
            # Of the pages that are made, links are right already.
            line = line[:start] + (self.link(page, origin, link) if origin else link) + line[end:]
        return line

    def doc_links(self, line, page, origin, module, scope):
        def symbol(found):
            name = found.group(1)
            target = self.symbol(name, module, scope)
            shown = name.split("/")[-1]
            return f"[`{shown}`](#{target})" if target else f"`{shown}`"

        def document(found):
            path = posixpath.join(posixpath.dirname(origin), found.group(1) + ".md")
            if path not in self.places:
                return found.group()
            return f"[{title_of((ROOT / path).read_text(encoding='utf-8'))}](/{path})"

        # The title is the module's name, no link.
        if line.startswith("# "):
            return SYMBOL.sub(r"\1", line)
        return DOC_PAGE.sub(document, SYMBOL.sub(symbol, line))
