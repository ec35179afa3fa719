"""What search shows of each page it found: the words around what was asked for, from a script, for a browser fetches no pages from a disk."""
import html.parser
import json

# Characters kept of a page: of the longest lists the beginning is enough.
MOST = 60_000
SKIPPED = {"script", "style", "nav", "svg", "button"}


class Words(html.parser.HTMLParser):
    """The text of a page's own part, without what only leads through it."""

    def __init__(self):
        super().__init__()
        self.inside, self.skipped, self.parts = False, 0, []

    def handle_starttag(self, tag, attributes):
        self.inside = self.inside or tag == "article"
        self.skipped += tag in SKIPPED
        # Cells and blocks are words of their own.
        self.parts.append(" " if tag in ("td", "th", "p", "li", "dt", "dd", "pre", "h1", "h2", "h3", "h4") else "")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "article"
        self.skipped -= tag in SKIPPED and self.skipped > 0

    def handle_data(self, data):
        if self.inside and not self.skipped:
            self.parts.append(data)


def words_of(text):
    reader = Words()
    reader.feed(text)
    return " ".join("".join(reader.parts).replace("¶", "").split())[:MOST]


def write_excerpts(site):
    """The text of all pages beside the script that shows it; both are loaded by the page of search alone."""
    pages = {path.relative_to(site).with_suffix("").as_posix(): words_of(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    text = json.dumps({name: words for name, words in pages.items() if words}, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    (site / "_static" / "search-text.js").write_text(f"window.pageText={text};\n", encoding="utf-8")
    search = site / "search.html"
    scripts = "".join(f'<script src="_static/{name}" defer></script>' for name in ("search-text.js", "excerpts.js"))
    search.write_text(search.read_text(encoding="utf-8").replace("</body>", scripts + "</body>"), encoding="utf-8")
    return len(pages)
