"""Every page and dialog on the smallest phone in all languages, and with text of twice the size: nothing is cut, nothing scrolls sideways."""
import pytest
from support.languages import LANGUAGES, speak
from support.studio import ULM, add_place, author, desk, new_world, saved  # noqa: F401 - fixtures

# What does not fit: pages and dialogs that scroll sideways, controls and texts beyond the screen's edge, words cut inside their buttons.
FAULTS = """() => {
  const faults = [], seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const known = new Map();
  const isRow = (p) => /auto|scroll|hidden|clip/.test(getComputedStyle(p).overflowX) && p !== document.body && p !== document.documentElement
    && !p.matches('.page, main, dialog, .sheet-body, .view, #dock, #sheet-body, section');
  const rows = ({ parentElement: p }) => {
    if (!p) return false;
    if (!known.has(p)) known.set(p, isRow(p) || rows(p));
    return known.get(p);
  };
  if (document.documentElement.scrollWidth > innerWidth + 1) faults.push('the page scrolls sideways: ' + document.documentElement.scrollWidth);
  for (const e of document.querySelectorAll('dialog[open], .page:not([hidden]), #sheet-body, #card, #gate, .align-panel, .sheet-body, #list')) {
    if (seen(e) && e.scrollWidth > e.clientWidth + 1) faults.push(`${e.id || e.className} scrolls sideways: ${e.scrollWidth} > ${e.clientWidth}`);
  }
  for (const e of document.querySelectorAll('button, input, select, textarea, a, h1, h2, h3, p, label, summary')) {
    if (!seen(e) || e.closest('#scene, .leaflet-pane, .transit-labels, svg, .sr-only, [aria-hidden="true"]') || e.matches('.sr-only, input[type=file]')) continue;
    const box = e.getBoundingClientRect();
    if (box.width < 2 || rows(e)) continue;
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${e.tagName} ${e.id || e.textContent.trim().slice(0, 40)}: ${Math.round(box.left)} to ${Math.round(box.right)}`);
    if (e.matches('button, .button') && e.scrollWidth > e.clientWidth + 2 && !/ellipsis/.test(getComputedStyle(e).textOverflow)
      && getComputedStyle(e).overflowX !== 'visible') faults.push(`cut: ${e.textContent.trim().slice(0, 40)}`);
  }
  return [...new Set(faults)].slice(0, 8);
}"""

SMALL, LARGER = (320, 568), (390, 844)


class Walk:
    """Goes from screen to screen and notes what does not fit: on this screen, and with text of twice the size on a larger one."""

    def __init__(self, phone, name, twice=True):
        self.phone, self.page, self.name, self.twice, self.found = phone, phone.page, name, twice, []

    def look(self, what):
        self.page.wait_for_timeout(120)
        self.found += [f"{self.name}, {what}: {fault}" for fault in self.page.evaluate(FAULTS)]
        if not self.twice:
            return
        self.page.set_viewport_size(dict(zip(("width", "height"), LARGER)))
        self.page.evaluate("document.documentElement.style.fontSize = '200%'")
        self.page.wait_for_timeout(120)
        self.found += [f"{self.name}, text of twice the size, {what}: {fault}" for fault in self.page.evaluate(FAULTS)]
        self.page.evaluate("document.documentElement.style.fontSize = ''")
        self.page.set_viewport_size(dict(zip(("width", "height"), SMALL)))

    def go(self, hash, ready):
        self.page.evaluate("(hash) => { location.hash = hash; }", f"#{hash}")
        self.page.wait_for_selector(ready)

    def press(self, selector, ready, what):
        self.page.locator(selector).first.evaluate("(e) => e.click()")
        self.page.wait_for_selector(ready)
        self.look(what)

    def close(self):
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog[open]", state="detached")

    def dialog(self, selector, what):
        self.press(selector, "dialog[open]", what)
        self.close()


def walk(phone, name):
    walk = Walk(phone, name)
    phone.open("/")
    phone.page.wait_for_selector("#worlds li")
    walk.look("start")
    phone.page.evaluate("document.querySelector('#start-makers').open = true")
    walk.look("start, makers")
    walk.dialog("#start-settings", "settings of the start page")
    for view in ("scan", "markers", "join", "account", "posters", "missing"):
        phone.page.evaluate("(hash) => { location.hash = hash; }", f"#/{view}")
        phone.wait("""(view) => document.documentElement.dataset.view === view && [...document.querySelectorAll('h1, h2, button')]
          .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('#start')).length > 0""", view)
        phone.page.wait_for_timeout(300)
        walk.look(view)
    walk.go("/world/ulm", "#gate:not([hidden])")
    walk.look("gate")
    phone.page.locator("#start-virtual").evaluate("(e) => e.click()")
    phone.wait_ready()
    walk.look("view")
    walk.press("#sheet-handle", '#dock[data-stop="half"] #nearest .row', "nearest")
    walk.press("#filter-chip", "#categories .chip", "filter")
    phone.tap("#filter-chip")
    walk.dialog("#menu", "menu")
    for item in ("menu-settings", "menu-status", "menu-record", "menu-consents", "menu-about", "menu-worlds", "menu-screenshot"):
        walk.press("#menu", "#menu-dialog", "menu")
        phone.page.locator(f"#{item}").evaluate("(e) => e.click()")
        phone.page.wait_for_selector("#menu-dialog", state="detached")
        phone.page.wait_for_selector("dialog[open]")
        walk.look(item)
        walk.close()
    phone.page.evaluate("window.sightline.session.select(0)")
    phone.page.wait_for_selector("#card:not([hidden])")
    walk.look("card")
    phone.page.locator('#card [data-action="compass"]').evaluate("(e) => e.click()")
    phone.page.wait_for_selector("#needle:not([hidden])")
    walk.look("needle")
    phone.page.locator("#needle-end").evaluate("(e) => e.click()")
    walk.press("#view-map", "#map .map-pin, #map .map-group", "map")
    walk.press("#view-list", "#list-rows .row", "list")
    return walk.found


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_on_the_smallest_phone(new_phone, language):
    phone = new_phone(screen=SMALL, scripts=(f"localStorage.setItem('sightline.language', JSON.stringify('{language}'))",))
    phone.expect("404")
    found = walk(phone, f"320 px, {language}")
    assert phone.page.evaluate("document.documentElement.lang") == language
    assert not found, "\n".join(found)


@pytest.mark.parametrize("part", ["worlds", "studio", "tours", "posters", "markers"])
def test_what_makers_use_fits_on_the_smallest_phone(desk, part):  # noqa: F811
    """One page for all languages: what is opened anew is said anew."""
    phone = desk(screen=SMALL)
    page = phone.page
    if part == "studio":
        new_world(phone, "Text")
        add_place(phone, "Place", *ULM)
        saved(phone)
    found = []
    for language in LANGUAGES:
        speak(page, language)
        walk = Walk(phone, f"{part}, {language}")
        MAKERS[part](walk)
        found += walk.found
    assert not found, "\n".join(found)


def studio_pages(walk):
    walk.go("/studio", "#studio-new")
    walk.look("list")
    walk.dialog("#studio-new", "new world")
    walk.dialog("#studio-copy", "from a world")


def studio_editor(walk):
    page = walk.page
    for tab in ("places", "world", "overlays"):
        walk.press(f"#tab-{tab}", f'#tab-{tab}[aria-selected="true"]', tab)
    walk.dialog("#studio-publish", "publish")
    walk.dialog("#studio-preview", "preview")
    page.locator("#tab-world").evaluate("(e) => e.click()")
    for tool in ("import", "export", "history", "members", "remove"):
        walk.dialog(f"#studio-{tool}", tool)
    page.locator("#tab-places").evaluate("(e) => e.click()")
    if not page.locator("#place-panel").count():
        page.locator("#place-list button").first.evaluate("(e) => e.click()")
        page.wait_for_selector("#place-panel")
    page.evaluate("for (const one of document.querySelectorAll('#place-panel details')) one.open = true")
    walk.look("place")
    page.locator("#place-panel .panel-head button").first.evaluate("(e) => e.click()")


def tours_designer(walk):
    page = walk.page
    walk.go("/tours", ".tour-page .tour-main")
    walk.look("tours")
    page.locator("#tours-new").evaluate("(e) => e.click()")
    page.wait_for_selector("#tours-designer .tour-side")
    walk.look("designer")
    page.evaluate("for (const one of document.querySelectorAll('.tour-side details')) one.open = true")
    walk.look("designer, rules")


def posters_desk(walk):
    walk.go("/posters/mine", "#desk-new")
    walk.look("desk")
    walk.press("#desk-new", ".desk-form", "new poster")
    walk.go("/posters", ".poster-card")
    walk.look("catalogue")


def markers_dialogs(walk):
    walk.go("/markers", "#markers-menu")
    walk.dialog("#markers-menu", "menu of the markers")
    walk.press("#markers-menu", "#markers-print", "menu of the markers")
    walk.dialog("#markers-print", "printing")
    walk.dialog("#markers-ruler", "field of view")
    walk.go("/studio", "#studio-new")


MAKERS = {"worlds": studio_pages, "studio": studio_editor, "tours": tours_designer, "posters": posters_desk, "markers": markers_dialogs}


@pytest.mark.parametrize("language, screen", [("sv", (320, 568)), ("de", (320, 568)), ("fr", (568, 320))])
def test_the_tools_for_north_fit(new_phone, language, screen):
    phone = new_phone(screen=screen, picture=(1280, 720) if screen[0] > screen[1] else (720, 1280),
                      scripts=(f"localStorage.setItem('sightline.language', JSON.stringify('{language}'))",))
    phone.open("/world/ulm")
    phone.point(0.0)
    phone.start()
    walk = Walk(phone, f"{screen}, {language}", twice=False)
    walk.look("view with sensors")
    walk.press("#menu", "#menu-dialog", "menu")
    walk.press("#menu-align", ".align-panel", "north by hand")
    assert not walk.found, "\n".join(walk.found)


def test_chinese_is_drawn_with_a_font_that_has_it(new_phone):
    phone = new_phone(scripts=("localStorage.setItem('sightline.language', JSON.stringify('zh'))",))
    phone.open("/")
    drawn = phone.page.evaluate("""() => {
      const font = getComputedStyle(document.body).fontFamily;
      const look = (sign) => {
        const context = new OffscreenCanvas(40, 40).getContext('2d');
        context.font = `32px ${font}`;
        context.fillText(sign, 2, 32);
        return context.getImageData(0, 0, 40, 40).data.join();
      };
      return ['世', '界', '地', String.fromCodePoint(0x10FFFE)].map(look);
    }""")
    assert len(set(drawn)) == 4, "a box for what the font does not have is the same for all"
