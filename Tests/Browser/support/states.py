"""States of the page that a visitor, an author or a teacher comes to, each as still as it can be made: the walk that the pictures
of `test_visual.py` are taken on. Nothing is loaded anew between them but by the address after the `#`."""
import datetime

ULM = (48.3984, 9.9916, 480.0)
# A summer's day, so that what depends on the date (the Earth's field, "last year") never does.
NOON = datetime.datetime(2026, 6, 21, 12, 0, tzinfo=datetime.timezone.utc)
SIZES = {
    "small": dict(screen=(320, 568)),
    "landscape": dict(screen=(844, 390)),
    "desktop": dict(screen=(1440, 900), mobile=False),
}
# On the bank of the Danube, looking at the old town.
VIEW = "virtual=1&lat=48.39425&lon=9.99665&heading=330&pitch=6"
FONT = "DejaVu Sans"
# Colour schemes and caret are the test's; the type is one that Scripts/install-dependencies brings.
STILL = """
document.addEventListener('DOMContentLoaded', () => {
  document.documentElement.style.setProperty('--font', '"DejaVu Sans"');
  document.documentElement.style.scrollbarWidth = 'none';
});
"""


def options(size):
    return dict(SIZES[size], scale=1, position=ULM, locale="en-GB", reduced_motion="reduce", color_scheme="dark", picture=(720, 1280), scripts=(STILL,), allowed=())


def prepare(phone):
    """Makes the clock stand and opens the page."""
    phone.page.clock.set_fixed_time(NOON)
    phone.point(40.0)
    # What a visit would say once and then no more.
    phone.page.add_init_script("try { localStorage.setItem('sightline.helped', 'true'); } catch { /* a frame without storage */ }")
    # A world that is left while its pictures are being learnt says that on the console.
    phone.expect("404", "401", "Error: closed")
    phone.open()
    assert phone.page.evaluate(f"document.fonts.check('12px \"{FONT}\"') && [...'Il'].length === 2")


class Walk:
    """Goes from state to state and has each one looked at by `look(name)`."""

    def __init__(self, phone, look):
        self.phone, self.page, self._look = phone, phone.page, look

    def look(self, name, section=None):
        # Which way the last step was made, by key or by finger, is none of what is looked at.
        # Where labels come to lie depends on when each part of the page came; how they look is on the page of the design.
        # So does whether a light says that something is on its way; and the server's port is another one each time, also in codes.
        self.page.wait_for_timeout(300)
        self.page.evaluate("""() => { document.activeElement?.blur();
          for (const e of document.querySelectorAll('#labels, #clusters, #arrows, #leaders, #nothing-here img')) e.style.visibility = 'hidden';
          for (const e of document.querySelectorAll('#status .light, #status-note')) e.style.display = 'none';
          const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            if (text.data.includes(location.host)) text.data = text.data.replaceAll(location.host, 'example.org');
          } }""")
        self._look(name)

    def go(self, hash, ready):
        self.page.evaluate("(hash) => { location.hash = hash; }", f"#{hash}")
        self.page.wait_for_selector(ready)

    def press(self, selector, ready=None, state="visible"):
        self.page.locator(selector).first.evaluate("(e) => e.click()")
        if ready:
            self.page.wait_for_selector(ready, state=state)

    def close(self):
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog[open]", state="detached")

    def scheme(self, name):
        self.page.emulate_media(color_scheme=name)

    def select(self, title):
        self.page.evaluate("""(title) => { const { session } = window.sightline;
          session.select(session.content.places.findIndex((place) => place.title === title)); }""", title)
        self.page.wait_for_selector("#card h2")

    def all(self):
        self.start()
        self.parts()
        self.design()
        self.before_the_view()
        self.view()
        self.dialogs()
        self.map_and_list()
        self.other_worlds()

    def start(self):
        page = self.page
        page.wait_for_selector(".loop-world")
        page.wait_for_selector(".world-art.has-cover")
        self.look("start")
        self.scheme("light")
        self.look("start-light")
        self.scheme("dark")
        page.evaluate("document.querySelector('#start-makers').open = true; scrollTo(0, 1e6)")
        self.look("start-makers")
        page.evaluate("document.querySelector('#start-makers').open = false; scrollTo(0, 0)")
        page.fill("#start-search", "minster")
        page.wait_for_selector("#found-places li")
        self.look("start-search")
        page.fill("#start-search", "")
        self.press("#start-settings", "#settings-dialog")
        self.look("settings")
        self.close()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        self.look("start-large")
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.select_option("#language", "de")
        page.wait_for_selector('html[lang="de"]')
        self.look("start-german")
        page.select_option("#language", "en")
        page.wait_for_selector('html[lang="en"]')

    def parts(self):
        for name, ready in (("missing", ".button:visible"), ("join", "input:visible"), ("studio", "#account-sign-in"), ("tours", ".button:visible")):
            self.go(f"/{name}", f'html[data-view="{name}"]')
            self.page.wait_for_selector(ready)
            self.page.wait_for_load_state("networkidle")
            self.look(name)
        self.go("/posters", ".poster-card img")
        self.look("posters")
        self.go("/show/museum", ".show-sheet.current img")
        self.look("show")

    def design(self):
        page = self.page
        self.go("/design", "#design-page .search-field input")
        self.look("design")
        for section in ("buttons", "files", "view", "places", "sheet", "gate"):
            self.look(f"design-{section}", section)
        self.scheme("light")
        for section in ("fields", "status"):
            self.look(f"design-{section}-light", section)
        self.scheme("dark")
        self.press("#design-danger", "#confirm")
        self.look("confirm")
        self.close()
        self.press("#design-warning", ".toast.warning")
        self.look("message")
        self.press(".toast.warning .round")

    def before_the_view(self):
        self.go("/world/ulm", "#gate:not([hidden]) #start-ar")
        self.look("gate")
        self.press("#start-ar")
        self.phone.wait_ready()
        self.phone.settle()
        self.look("view-camera")

    def view(self):
        self.go("/", "#worlds li")
        self.go(f"/world/ulm?{VIEW}", "#scene :is(.label, .cluster)")
        self.phone.wait_ready()
        self.phone.settle()
        self.look("view")
        self.press("#radar-box")
        self.look("view-radar")
        self.press("#radar-box")
        self.press("#freeze")
        self.look("view-frozen")
        self.press("#freeze")
        self.press("#sheet-handle", "#nearest .row")
        self.look("nearest")
        self.press("#filter-chip", "#categories .chip")
        self.look("filter")
        self.press('#categories .chip[data-name="Church"]')
        self.press("#filter-chip")
        self.phone.settle()
        self.look("view-filtered")
        self.press('#categories .chip[data-category="all"]')
        self.phone.settle()
        self.select("Ulm Minster")
        self.phone.settle()
        self.look("card")
        self.press('#card [data-action="compass"]', "#needle:not([hidden])")
        self.phone.settle()
        self.look("needle")

    def dialogs(self):
        for name, selector in (("status", "#status-dialog"), ("worlds", "#worlds-open"), ("consents", "#consents-dialog")):
            self.press("#menu", "#menu-dialog")
            if name == "status":
                self.look("menu")
            self.press(f"#menu-{name}", selector)
            self.look(name)
            self.close()

    def map_and_list(self):
        self.press("#view-map", "#map .map-pin, #map .map-group")
        self.look("map")
        self.select("Ulm Minster")
        self.look("map-card")
        self.press("#card .card-close")
        self.go("/world/ulm?view=list", "#list-rows .row")
        self.look("list")
        self.page.fill("#list input[type=search]", "nowhere")
        self.look("list-none")

    def other_worlds(self):
        for name, hash, ready in (
                ("overlays", "/world/danube-walk?virtual=1", ".overlay:visible"), ("prints", "/world/museum?virtual=1", "#nothing-here:not([hidden])"),
                ("far", "/world/ulm?virtual=1&lat=59.33&lon=18.06", "#nothing-here:not([hidden])"), ("around", "/around?virtual=1", "#guide")):
            self.go("/", "#worlds li")
            self.go(hash, 'html[data-ready="1"]')
            self.page.wait_for_selector(ready)
            self.phone.settle()
            self.look(name)
