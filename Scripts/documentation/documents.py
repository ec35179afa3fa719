"""The repository's documents as pages, the examples, and the table of contents over everything that was made."""
import html
import posixpath
import re

from site_source import ROOT, title_of, tracked

CATALOGUE = re.compile(r"(?:.*/)?(\w+)\.docc/(\w[\w-]*)\.md$")
HOME = "index.md"


def module_page(module):
    """Where a library's page is."""
    return f"reference/swift/{module}/index.md"


def catalogue_of(path):
    """The module and the page's name of a document in a DocC catalogue."""
    found = CATALOGUE.match(path)
    return found.groups() if found else None


def place_documents(source):
    """Says where every Markdown document goes, before the first link is looked at."""
    documents = tracked("*.md")
    for path in documents:
        catalogue = catalogue_of(path)
        if path == "README.md":
            source.places[path] = HOME
        elif catalogue and catalogue[0] == catalogue[1]:
            source.places[path] = module_page(catalogue[0])
        else:
            source.places[path] = path
    return documents


def write_documents(source, documents):
    """Every document but the first page and those of modules, which get more than their text."""
    for path in documents:
        page = source.places[path]
        catalogue = catalogue_of(path)
        if page == HOME or (catalogue and catalogue[0] == catalogue[1]):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        source.write(page, source.rewritten(text, page, path, module=catalogue and catalogue[0]))


def fenced(text, language):
    """A block of code, whatever is in it."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text) or [""]))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def write_examples(source):
    """A page for each example with its source: the web client's with the scripts beside it, and the Swift programs."""
    # What is not under version control may be a library that was put there to try them.
    known = set(tracked("WebClient/examples"))
    # The list of them, which has their sources as well, is what the site has a table of contents for.
    for path in sorted(path for path in known if path.endswith(".html") and posixpath.basename(path) != "index.html"):
        text = (ROOT / path).read_text(encoding="utf-8")
        name = posixpath.relpath(path, "WebClient/examples").removesuffix(".html")
        found = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
        title = html.unescape(found.group(1).strip()) if found else name
        parts = [f"# {title}", f"`/examples/{name}.html` of a running `sightline serve`; here is its source.",
                 f"## {posixpath.basename(path)}", fenced(text, "html")]
        for script in re.findall(r"<script\b[^>]*\bsrc=[\"']([^\"']+)[\"']", text):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), script))
            if beside in known:
                parts += [f"## {posixpath.basename(beside)}", fenced((ROOT / beside).read_text(encoding="utf-8"), "js")]
        page = f"examples/web/{name}.md"
        source.write(page, "\n\n".join(parts), title)
        source.places[path] = page
    for path in tracked("Examples/*/main.swift"):
        name = path.split("/")[1]
        page = f"examples/swift/{name}.md"
        source.write(page, f"# {name}\n\n`swift run {name}`\n\n" + fenced((ROOT / path).read_text(encoding="utf-8"), "swift"))
        source.places[path] = page


# Where a page stands in the navigation: the first pattern that its path fits. A page that fits none is among the project's.
SECTIONS = [
    ("Coming from elsewhere", r"Documentation/guides/"),
    ("Guides", r"Documentation/[^/]+\.md$"),
    ("Examples", r"(examples/|Examples/)"),
    ("Web reference", r"reference/web/"),
    ("HTTP reference", r"reference/http/"),
    ("Swift reference", r"reference/swift/\w+/index\.md$"),
    ("Formats", r"Documentation/formats/"),
    ("How it works", r".*\.docc/"),
    ("Decisions", r"Documentation/decisions/"),
    ("Project", r"(?!files/)"),
    ("Files", r""),
]


def write_contents(source, missing):
    """The first page, with the navigation; every page is in it, but those of types, which their library's page leads to."""
    below = {page for page in source.titles if re.match(r"reference/swift/\w+/(?!index\.md)", page)}
    sections = {name: [] for name, _ in SECTIONS}
    for page in source.titles:
        if page in below or page == HOME:
            continue
        sections[next(name for name, pattern in SECTIONS if re.match(pattern, page))].append(page)
    trees = []
    for name, pages in sections.items():
        if not pages:
            continue
        entry = f"contents/{name.lower().replace(' ', '-')}.md"
        pages.sort(key=lambda page: (not page.endswith("README.md"), source.titles[page].lower() if name != "Decisions" else page))
        source.write(entry, f"# {name}\n\n" + toctree([f"/{page}" for page in pages]), name)
        trees.append(f"/{entry}")
    text = source.rewritten((ROOT / "README.md").read_text(encoding="utf-8"), HOME, "README.md")
    notes = "".join(f"\n\n> Not in this copy of the site: {reason}" for reason in missing)
    source.write(HOME, text + notes + "\n\n" + toctree(trees, hidden=True), title_of(text))


def toctree(pages, hidden=False):
    """The generator's list of the pages below one."""
    options = ":hidden:\n" if hidden else ":maxdepth: 1\n"
    return "```{toctree}\n" + options + "\n" + "\n".join(page.removesuffix(".md") for page in pages) + "\n```"
