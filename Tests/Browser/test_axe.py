"""axe-core on every screen, dark and light: nothing serious."""
import pathlib

import axe_playwright_python
import pytest
from support.tours import Teacher, add_author, questions
from support.walls import script, view
from test_poster_wall import CELLS, FISH, MARKER, pose, use_marker, way
from test_tours_at_the_station import play, standing_at
from test_transit import choose, city, visit  # noqa: F401 - the fixture comes with them

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
    # What is not of the page itself.
    for address in ("/examples", "/nothing-is-here"):
        phone.page.goto(phone.server.url + address)
        screens.check(address)
    assert not screens.found, "\n".join(screens.found)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_desks_screens(new_phone, server, scheme):
    name = f"axe-{scheme}"
    add_author(server.database, name)
    teacher = Teacher(server.url, name)
    tour, run, _ = teacher.make_run(questions(2), 2)
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False, color_scheme=scheme)
    cookie, _, value = teacher.headers["Cookie"].partition("=")
    desk.context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
    teacher.close()
    desk.open("/")
    screens = Screens(desk)
    screens.go("/studio", 'html[data-view="studio"] .page:not(#start) :is(h1, h2)', "studio")
    screens.press("#studio-new", "#new-dialog", "new world")
    desk.page.fill("#new-title", "Axe")
    screens.press("#new-make", "#studio-editor", "editor")
    screens.press("#studio-add", "#add-middle", "adding a place")
    screens.press("#add-middle", "#place-panel", "place")
    desk.page.evaluate("for (const one of document.querySelectorAll('#place-panel details')) one.open = true")
    screens.check("place, all of it")
    for tab in ("world", "overlays"):
        screens.press(f"#tab-{tab}", f'#tab-{tab}[aria-selected="true"]', f"editor, {tab}")
    desk.wait("() => window.sightline.state().studio?.saved && window.sightline.state().studio.saveState === 'saved'")
    screens.press("#studio-publish", "#publish-dialog", "publish")
    screens.press("#publish-now", "#publish-code", "published")
    screens.close()
    screens.go("/account", 'html[data-view="account"] .page:not(#start) h2', "account")
    screens.go("/tours", '.tour-page .tour-main', "tours")
    screens.go(f"/tours/{tour}", ".tour-side", "designer")
    screens.go(f"/tours/{tour}/run/{run}", ".tour-grid", "board")
    screens.press("#run-project", "#projection .tour-ranking", "projection")
    assert not screens.found, "\n".join(screens.found)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_departures(city, scheme):  # noqa: F811
    phone = city(color_scheme=scheme)
    visit(phone)
    screens = Screens(phone)
    screens.check("departures")
    choose(phone)
    phone.page.wait_for_selector("#transit-sheet h2")
    screens.check("a stop")
    screens.press("#open-board", "#departures li", "its board")
    visit(phone, more="&view=map")
    screens.check("map")
    screens.press("#transit-views [data-value=list]", "#transit-list li", "list")
    assert not screens.found, "\n".join(screens.found)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_team_at_a_station(new_phone, server, scheme):
    name = f"axe-team-{scheme}"
    add_author(server.database, name)
    teacher = Teacher(server.url, name)
    _, _, teams = teacher.make_run(questions(2), 1)
    teacher.close()
    phone = play(new_phone, server, teams[0]["code"], color_scheme=scheme)
    screens = Screens(phone)
    screens.check("on the way")
    phone.move(standing_at(0))
    phone.page.locator("#tour-option-1").wait_for()
    screens.check("question")
    phone.page.locator("#tour-option-1").evaluate("(e) => e.click()")
    phone.page.locator("#tour-send").evaluate("(e) => e.click()")
    phone.page.locator(".tour-verdict").wait_for()
    screens.check("answered")
    assert not screens.found, "\n".join(screens.found)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_wall_with_a_poster(new_phone, scheme):
    phone = new_phone(screen=(960, 540), picture=None, scripts=[script([{**FISH, "x": 0.3}, MARKER, CELLS])], scale=1, color_scheme=scheme)
    phone.expect("GPU stall due to ReadPixels")
    phone.open("/posters/try/planets")
    phone.wait("window.wallCamera.calls > 0")
    pose(phone, view(x=0, distance=1.3))
    phone.page.locator("#poster-ways").wait_for()
    screens = Screens(phone)
    screens.check("where is the wall")
    way(phone, "marker")
    use_marker(phone)
    screens.check("the poster hangs")
    screens.press("#wall-add", "#poster-picker .picker-poster", "another poster")
    phone.page.locator('[data-pick="harbour"]').evaluate("(e) => e.click()")
    phone.wait("window.sightline.state().posters.hung.length === 2")
    screens.press("#wall-shop", "#wall-basket", "to the shop")
    assert not screens.found, "\n".join(screens.found)
