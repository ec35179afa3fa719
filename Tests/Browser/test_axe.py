"""axe-core on every screen, dark and light: nothing serious."""
import pathlib

import axe_playwright_python
import pytest
from support.tours import Teacher, add_author, questions

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
SERIOUS = {"serious", "critical"}


class Screens:
    """Goes from screen to screen and keeps what axe finds."""

    def __init__(self, phone):
        self.phone, self.page, self.found = phone, phone.page, []

    def check(self, name):
        self.page.wait_for_timeout(350)
        # Through the debugger, which the page's security policy does not concern.
        self.page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
        violations = self.page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
        for one in violations:
            if one["impact"] in SERIOUS:
                nodes = "; ".join(f"{node['target']} {node.get('any', [{}])[0].get('message', '') if node.get('any') else ''}" for node in one["nodes"][:4])
                self.found.append(f"{name}: {one['id']} ({one['impact']}): {nodes}")

    def go(self, hash, ready, name=None):
        self.page.evaluate("(hash) => { location.hash = hash; }", f"#{hash}")
        self.page.wait_for_selector(ready)
        self.check(name or hash)

    def press(self, selector, ready, name):
        self.page.locator(selector).first.evaluate("(e) => e.click()")
        self.page.wait_for_selector(ready)
        self.check(name)

    def close(self):
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog[open]", state="detached")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_visitors_screens(new_phone, scheme):
    phone = new_phone(color_scheme=scheme)
    phone.expect("404")
    phone.open("/")
    screens = Screens(phone)
    phone.page.wait_for_selector("#worlds li")
    screens.check("start")
    screens.press("#start-settings", "#settings-dialog", "settings")
    screens.close()
    for view in ("scan", "markers", "join", "account", "posters", "missing"):
        screens.go(f"/{view}", f'html[data-view="{view}"]')
    screens.go("/world/ulm", "#gate:not([hidden])", "gate")
    phone.page.locator("#start-virtual").evaluate("(e) => e.click()")
    phone.wait_ready()
    screens.check("view")
    screens.press("#sheet-handle", "#nearest .row", "nearest")
    screens.press("#filter-chip", "#categories .chip", "filter")
    phone.page.locator("#filter-chip").evaluate("(e) => e.click()")
    screens.press("#menu", "#menu-dialog", "menu")
    screens.close()
    phone.page.evaluate("window.sightline.session.select(1)")
    phone.page.wait_for_selector("#card:not([hidden])")
    screens.check("card")
    screens.press("#view-map", "#map .map-pin, #map .map-group", "map")
    screens.press("#view-list", "#list-rows .row", "list")
    phone.page.set_viewport_size({"width": 1024, "height": 768})
    phone.page.wait_for_selector("#map .map-pin")
    screens.check("map and list")
    assert not screens.found, "\n".join(screens.found)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_desks_screens(new_phone, server, scheme):
    name = f"axe-{scheme}"
    add_author(server.folder / "browser.sqlite", name)
    teacher = Teacher(server.url, name)
    tour, run, _ = teacher.make_run(questions(2), 2)
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False, color_scheme=scheme)
    cookie, _, value = teacher.headers["Cookie"].partition("=")
    desk.context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
    teacher.close()
    desk.open("/")
    screens = Screens(desk)
    screens.go("/studio", 'html[data-view="studio"] .page:not(#start) :is(h1, h2)', "studio")
    screens.go("/account", 'html[data-view="account"] .page:not(#start) h2', "account")
    screens.go("/tours", '.tour-page .tour-main', "tours")
    screens.go(f"/tours/{tour}", ".tour-side", "designer")
    screens.go(f"/tours/{tour}/run/{run}", ".tour-grid", "board")
    screens.press("#run-project", "#projection .tour-ranking", "projection")
    assert not screens.found, "\n".join(screens.found)
