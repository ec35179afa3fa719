"""The documentation site: what has to be in it is in it, search works from a disk, and the check of links finds what is broken.

The site is built once, complete: a reference that cannot be made fails here. SIGHTLINE_BUILD names the Swift build to read
(.build/debug), SIGHTLINE_SITE a site that is built already.
"""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts" / "documentation"))
import check_site  # noqa: E402
import http_reference  # noqa: E402
from site_source import tracked  # noqa: E402
from swift_symbols import library_modules  # noqa: E402

BUILD = pathlib.Path(os.environ.get("SIGHTLINE_BUILD", ROOT / ".build" / "debug")).absolute()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    if "SIGHTLINE_SITE" in os.environ:
        return pathlib.Path(os.environ["SIGHTLINE_SITE"]).absolute()
    folder = tmp_path_factory.mktemp("documentation") / "site"
    done = subprocess.run([sys.executable, str(ROOT / "Scripts" / "build-docs"), "--complete", "--build", str(BUILD), "--out", str(folder)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return folder


def headings(path):
    """The texts of a page's headings."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"<h[1-6][^>]*>(.*?)<a class=\"headerlink\"", text, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]+>", "", one)) for one in found]


def write(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")


def problems(folder):
    return check_site.check(folder)[0]


def test_what_is_broken_is_found(tmp_path):
    write(tmp_path, a='<a href="b.html#here">b</a> <a href="#top">t</a> <a href="https://example.org">e</a> <p id="top">', b='<p id="here">')
    assert problems(tmp_path) == []
    write(tmp_path, a='<a href="gone.html">b</a>\n<a href="b.html#gone">b</a>\n<a href="../b.html">b</a>\n<a href="/b.html">b</a>\n<img src="no.png">')
    assert [one.split(":")[1] for one in problems(tmp_path)] == ["1", "2", "3", "4", "5"]
    write(tmp_path, a='<script src="https://example.org/x.js"></script>\n<link rel="stylesheet" href="//example.org/x.css">')
    (tmp_path / "x.css").write_text("@font-face { src: url(https://example.org/f.woff2) }")
    assert len([one for one in problems(tmp_path) if one.endswith("loaded from elsewhere")]) == 3


def test_a_site_without_pages_does_not_pass(tmp_path):
    assert problems(tmp_path) == ["there are no pages"]


def test_a_broken_link_in_the_site_is_found(site, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(site, copy, copy_function=os.symlink)
    page = copy / "Documentation" / "embedding.html"
    text = page.read_text(encoding="utf-8")
    page.unlink()
    page.write_text(text.replace("</article>", '<a href="tours.html#no-such-heading">x</a></article>'), encoding="utf-8")
    faults, pages, links = check_site.check(copy)
    assert len(faults) == 1 and "tours.html#no-such-heading" in faults[0] and "no such anchor" in faults[0]
    assert pages > 100 and links > 1000


def test_every_document_has_a_page_and_can_be_reached(site):
    pages = {path.relative_to(site).as_posix(): re.findall(r"<a\b[^>]*?\shref=\"([^\"]+)\"", path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    reached, left = set(), ["index.html"]
    while left:
        page = left.pop()
        if page in reached or page not in pages:
            continue
        reached.add(page)
        for link in map(html.unescape, pages[page]):
            if not check_site.SCHEME.match(link):
                target = urllib.parse.unquote(link.partition("#")[0])
                left.append(os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page)
    documents = tracked("Documentation/*.md", "Documentation/**/*.md", "Sources/**/*.docc/*.md")
    assert len(documents) > 80
    for path in documents:
        name = pathlib.PurePosixPath(path)
        module = name.stem if name.parent.suffix == ".docc" and name.stem == name.parent.stem else None
        page = f"reference/swift/{module}/index.html" if module else path.removesuffix(".md") + ".html"
        assert page in reached, path
    lost = {page for page in pages if page.startswith(("reference/", "examples/"))} - reached
    assert not lost


def test_every_declaration_of_the_type_file(site):
    text = (ROOT / "WebClient" / "embed" / "public.d.ts").read_text(encoding="utf-8")
    names = re.findall(r"^export (?:declare )?(?:interface|type|function|class|const) (\w+)", text, re.MULTILINE)
    assert "createTracker" in names and "Anchor" in names
    assert set(names) <= set(headings(site / "reference" / "web" / "types.html"))
    page = html.unescape(re.sub(r"<[^>]+>", "", (site / "reference" / "web" / "types.html").read_text(encoding="utf-8")))
    for member in ("cameraFromAnchor", "physicalWidth", "clipFromWorld", "resized"):
        assert page.count(member) > 1, member
    assert "Of the black border, metres." in page


def test_every_element(site):
    sources = "".join((ROOT / path).read_text(encoding="utf-8") for path in tracked("WebClient/embed/*.js"))
    names = set(re.findall(r"\bdefine\('(sightline-[\w-]+)'", sources))
    assert "sightline-view" in names
    assert {f"<{name}>" for name in names} == {one for one in headings(site / "reference" / "web" / "elements.html") if one.startswith("<")}
    page = (site / "reference" / "web" / "elements.html").read_text(encoding="utf-8")
    assert "height-over" in page and "physical-width" in page
    # What a page can hear, fill and style: nothing that the guide names is missing.
    guide = (ROOT / "Documentation" / "embedding.md").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", " ", page))
    named = {word for line in re.findall(r"^- (?:Slots|Parts|Custom properties)[^:\n]*: (.*)$", guide, re.MULTILINE) for word in re.findall(r"`([\w-]+)`", line)}
    assert {"found", "lost", "worldload"} <= set(text.split()) and len(named) > 30
    assert not {word for word in named if word not in text.split()}


def test_every_route(site):
    description = http_reference.read_description(BUILD / "sightline")
    wanted = {f"{method.upper()} {path}" for path, methods in description["paths"].items() for method in methods}
    assert len(wanted) > 50
    written = {one for path in (site / "reference" / "http").glob("*.html") for one in headings(path)}
    assert wanted <= written
    assert set(description["components"]["schemas"]) <= written


def test_every_public_type_of_the_libraries(site):
    # Out of the sources, not out of the compiler's graphs.
    modules = library_modules()
    declared = 0
    for path in tracked("Sources/**/*.swift"):
        module = path.split("/")[2]
        if module not in modules:
            continue
        for name in re.findall(r"^public (?:final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE):
            declared += 1
            assert (site / "reference" / "swift" / module / f"{name}.html").is_file(), f"{module}.{name}"
    assert declared > 200
    page = (site / "reference" / "swift" / "SightlineScene" / "SceneFrame.html").read_text(encoding="utf-8")
    assert "at one moment" in page and 'id="sightlinescene-sceneframe-worldfromdevice"' in page
    assert "../SightlineMath/" in page


def test_every_example_with_its_source(site):
    for path in tracked("WebClient/examples/*.html"):
        name = path.removeprefix("WebClient/examples/").removesuffix(".html")
        if name == "index":
            continue
        page = site / "examples" / "web" / f"{name}.html"
        shown = html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))
        assert (ROOT / path).read_text(encoding="utf-8").strip().splitlines()[-1] in shown, path


def test_search_and_phone_without_a_server(site):
    sync_api = pytest.importorskip("playwright.sync_api")
    program = os.environ.get("CHROMIUM") or next(
        (found for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
    assert program, "there is no Chromium: Scripts/install-dependencies test"
    requests, errors = [], []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        page = browser.new_page(viewport={"width": 320, "height": 640}, color_scheme="dark")
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        # A word of a guide, a type of the modules, a Swift declaration, a route.
        for word, wanted in [("geocoder", "Documentation/self-hosting.html"), ("TrackerOptions", "reference/web/types.html"),
                             ("worldFromDevice", "reference/swift/SightlineScene/SceneFrame.html"), ("departures", "reference/http/transit.html")]:
            page.goto((site / "index.html").as_uri())
            page.set_viewport_size({"width": 1280, "height": 800})
            page.get_by_role("textbox", name="Search").fill(word)
            page.keyboard.press("Enter")
            page.wait_for_function("/found \\d+ page|found one page/.test(document.querySelector('.search-summary')?.textContent ?? '')", timeout=30000)
            page.wait_for_function("wanted => [...document.querySelectorAll('#search-results a')].some(link => link.href.includes(wanted))",
                                   arg=wanted, timeout=30000)
            # With the words around it.
            excerpts = page.eval_on_selector_all("#search-results li", "all => all.map(li => [li.querySelector('a').href, li.querySelector('.excerpt mark')?.textContent ?? ''])")
            assert any(wanted in link and marked.lower() == word.lower() for link, marked in excerpts), (word, excerpts[:5])
        page.set_viewport_size({"width": 320, "height": 640})
        for path in ("index.html", "reference/web/types.html", "reference/http/schemas.html", "reference/swift/SightlineScene/SceneFrame.html"):
            page.goto((site / path).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
            color = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert sum(map(int, re.findall(r"\d+", color)[:3])) < 150, f"{path} is not dark: {color}"
        browser.close()
    assert requests and all(one.startswith("file:") or one.startswith("data:") for one in requests)
    assert errors == []
