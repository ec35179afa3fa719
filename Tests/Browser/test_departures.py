"""Departures on the screen: names under nothing and on nothing, what can be read and reached, an arrow where nothing is in
sight, and no picture drawn while nothing moves."""
import itertools
import re

import pytest

from support.languages import LANGUAGES
from support.transit import HERE, MockTransit, line, stop, vehicle
from test_transit import VIRTUAL, choose, city, leave, open_board, scene, visit, visit_in  # noqa: F401 - the fixture comes with them

SCREENS = [(390, 844), (320, 568), (844, 390)]
BOXES = """() => {
  const box = (e) => { const b = e.getBoundingClientRect(); return [e.dataset.stop ?? e.id ?? e.className, b.left, b.top, b.right, b.bottom]; };
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen).map(box);
  return { labels: all('.stop-label.shown'), bars: all('#transit [data-occupies]'), arrow: all('#transit-arrow') };
}"""
# Calls that draw, on any canvas of the page (the tests' camera has one of its own), and frames that the page asks for.
COUNT = """
window.drawn = 0; window.asked = 0;
for (const type of [WebGL2RenderingContext, CanvasRenderingContext2D]) {
  for (const name of ['clear', 'drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'bufferData', 'useProgram',
                      'fillRect', 'clearRect', 'fill', 'stroke', 'fillText', 'drawImage']) {
    const original = type.prototype[name];
    if (original) type.prototype[name] = function (...values) { if (this.canvas.isConnected) window.drawn++; return original.apply(this, values); };
  }
}
const request = window.requestAnimationFrame;
window.requestAnimationFrame = (run) => { window.asked++; return request(run); };
"""


def overlap(a, b):
    return min(a[3], b[3]) - max(a[1], b[1]) > 1 and min(a[4], b[4]) - max(a[2], b[2]) > 1


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}x{screen[1]}")
def test_names_lie_under_nothing_and_on_nothing(city, screen):  # noqa: F811
    phone = city(screen=screen, reduced_motion="reduce")
    visit(phone, heading=0)
    seen = 0
    for pitch in (-8, -35):
        for heading in range(0, 360, 24):
            phone.page.evaluate("(hash) => location.hash = hash", f"/transit?{VIRTUAL}&heading={heading}&pitch={pitch}")
            phone.wait("(h) => Math.abs((window.sightline.state().transit.frame.heading * 57.29578 - h + 540) % 360 - 180) < 0.05", arg=heading)
            phone.page.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
            found = phone.page.evaluate(BOXES)
            labels = found["labels"]
            seen += len(labels)
            assert not [(a[0], b[0]) for a in labels for b in found["bars"] + found["arrow"] if overlap(a, b)], f"{heading}°, {pitch}°"
            assert not [(a[0], b[0]) for k, a in enumerate(labels) for b in labels[:k] if overlap(a, b)], f"{heading}°, {pitch}°"
            assert not [(a[0], b[0]) for a in found["arrow"] for b in found["bars"] if overlap(a, b)], f"{heading}°, {pitch}°"
    assert seen > 10


def test_the_chosen_stop_keeps_its_name_beside_its_card(city):  # noqa: F811
    phone = city(screen=(320, 568), reduced_motion="reduce")
    visit(phone, heading=15, pitch=-25)
    choose(phone)
    phone.page.wait_for_selector("#transit-sheet h2")
    phone.page.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
    found = phone.page.evaluate(BOXES)
    mine = next(one for one in found["labels"] if one[0] == "hsl:1020453")
    assert not [bar[0] for bar in found["bars"] if overlap(mine, bar)]


@pytest.mark.parametrize("view", ["view", "map"])
def test_bars_lie_beside_each_other_in_landscape(city, view):  # noqa: F811
    phone = city(screen=(844, 390), reduced_motion="reduce")
    visit(phone, heading=15, more=f"&view={view}" if view == "map" else "")
    for chosen in (False, True):
        if chosen:
            choose(phone)
            phone.page.wait_for_selector("#transit-sheet h2")
        buttons = phone.page.evaluate("""() => [...document.querySelectorAll('.transit-bar > *, .transit-tools > *, .transit-tools .map-controls > *, .transit-dock > *, .transit-sheet')]
          .filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => { const b = e.getBoundingClientRect();
            return [e.id || e.className, b.left, b.top, b.right, b.bottom]; })""")
        assert not [(a[0], b[0]) for k, a in enumerate(buttons) for b in buttons[:k] if overlap(a, b)]
        assert all(0 <= b[1] and b[3] <= 844 and 0 <= b[2] and b[4] <= 390 for b in buttons), buttons


def test_away_from_all_stops_an_arrow_leads_to_the_nearest(city):  # noqa: F811
    phone = city(reduced_motion="reduce")
    phone.mock.stops = [stop("1", "Nordbro", 20, 150, [line("4")]), stop("2", "Norrtull", -30, 400, [line("7")])]
    visit(phone, heading=180)
    arrow = phone.page.locator("#transit-arrow")
    arrow.wait_for(state="visible")
    assert arrow.get_attribute("aria-label") == "This way to Nordbro, 150 m"
    assert phone.page.locator("#transit-sheet").is_hidden()
    arrow.tap()
    phone.wait("document.querySelector('#transit-arrow').hidden")
    assert abs(scene(phone)["frame"]["heading"] * 57.29578 - 7.6) < 1
    assert scene(phone)["selected"] is None and scene(phone)["frame"]["pins"][0]["hasLabel"]


CONTRAST = """() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => { const [r, g, b] = rgb.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  return [...document.querySelectorAll('.line-badge:not(.more)')].map((e) => {
    const style = getComputedStyle(e);
    const [a, b] = [light(numbers(style.color).slice(0, 3)), light(numbers(style.backgroundColor).slice(0, 3))];
    return { text: e.textContent, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
}"""


def test_numbers_of_lines_can_be_read_on_their_colours(city):  # noqa: F811
    phone = city()
    visit(phone)
    open_board(phone)
    badges = phone.page.evaluate(CONTRAST)
    assert len(badges) > 20 and {"4", "M1", "18"} <= {one["text"] for one in badges}
    assert not [one for one in badges if one["ratio"] < 4.5]


def test_in_the_list_nothing_that_is_covered_takes_the_focus(city):  # noqa: F811
    phone = city(mobile=False)
    visit(phone)
    phone.page.locator(".transit-dock [data-value=list]").click()
    phone.page.wait_for_selector("#near-stops li")
    phone.page.evaluate("document.activeElement.blur()")
    met = []
    for _ in range(12):
        phone.page.keyboard.press("Tab")
        met.append(phone.page.evaluate("""() => { const e = document.activeElement; const b = e.getBoundingClientRect();
          const top = document.elementFromPoint(b.left + b.width / 2, b.top + Math.min(b.height / 2, 20));
          return [e.className || e.id || e.tagName, e.contains(top) || !!top?.closest('#transit-list, .transit-bar, .transit-dock')
            && !e.closest('#transit-surface, .transit-tools')]; }"""))
    assert all(isSeen for _, isSeen in met), met
    assert not [name for name, _ in met if "stop-label" in name]


def test_the_header_is_one_line(city):  # noqa: F811
    phone = city()
    visit(phone)
    box = phone.page.locator(".transit-heading").bounding_box()
    assert box["height"] < 52
    assert phone.page.locator(".transit-heading h1").bounding_box()["y"] < phone.page.locator("#transit-note").bounding_box()["y"] + 4 \
        < phone.page.locator(".transit-heading h1").bounding_box()["y"] + 16


OUTSIDE = """() => {
  const outside = [...document.querySelectorAll('#transit *')].filter((e) => {
    const b = e.getBoundingClientRect();
    return e.checkVisibility({ visibilityProperty: true }) && b.width > 1 && !e.closest('.directions, .sr-only, .transit-labels, svg')
      && (b.right > innerWidth + 1 || b.left < -1);
  }).map((e) => `${e.className || e.id} ${e.textContent.slice(0, 30)}`);
  const sideways = [...document.querySelectorAll('#transit, #transit-list, .transit-sheet, .board')]
    .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map((e) => `${e.className} scrolls`);
  return [...outside, ...sideways];
}"""


def test_large_text_on_the_smallest_phone_stays_on_the_screen(city):  # noqa: F811
    phone = city(screen=(320, 568))
    phone.open()
    for size, code in itertools.product(("100%", "200%"), LANGUAGES):
        phone.page.evaluate("(size) => document.documentElement.style.setProperty('font-size', size)", size)
        visit_in(phone, code)
        for view in ("view", "map", "list"):
            phone.page.locator(f".transit-dock [data-value={view}]").dispatch_event("click")
            phone.page.wait_for_timeout(50)
            assert phone.page.evaluate(OUTSIDE) == [], f"{view} at {size}, {code}"
        choose(phone)
        assert phone.page.evaluate(OUTSIDE) == [], f"card at {size}, {code}"
        phone.page.locator("#open-board").dispatch_event("click")
        phone.page.wait_for_selector("#departures li")
        assert phone.page.evaluate(OUTSIDE) == [], f"board at {size}, {code}"
        phone.page.locator("#stop-close").dispatch_event("click")
        leave(phone)


def counts(phone):
    return phone.page.evaluate("[window.drawn, window.asked]")


def at_rest(phone):
    """Until nothing has been drawn for a while; then what two seconds cost."""
    isStill = phone.page.evaluate("""async () => { for (let before = -1, k = 0; before !== window.drawn; k++) {
      if (k > 20) return false;
      before = window.drawn; await new Promise((r) => setTimeout(r, 700)); } return true; }""")
    assert isStill, "it draws on and on"
    before = counts(phone)
    phone.page.wait_for_timeout(2000)
    return [b - a for a, b in zip(before, counts(phone))]


def test_at_rest_nothing_is_drawn(city):  # noqa: F811
    phone = city(scripts=(COUNT,))
    visit(phone)
    drawn, asked = at_rest(phone)
    assert drawn == 0 and asked <= 8, (drawn, asked)
    # A chosen stop has a way that runs for a moment only.
    choose(phone)
    drawn, _ = at_rest(phone)
    assert drawn == 0
    # What moves is drawn at once.
    before = counts(phone)[0]
    phone.page.locator("#transit-surface").focus()
    phone.page.keyboard.down("ArrowRight")
    phone.wait("(before) => window.drawn > before", arg=before)
    phone.page.keyboard.up("ArrowRight")
    # The map, and the list.
    phone.tap("#stop-close")
    for view in ("map", "list"):
        phone.tap(f".transit-dock [data-value={view}]")
        assert at_rest(phone)[0] == 0, view


def test_vehicles_in_sight_are_drawn_once_a_second(city):  # noqa: F811
    phone = city(scripts=(COUNT,))
    phone.mock.vehicles = [vehicle("812", line("4"), 20, 200)]
    visit(phone, more="&view=map")
    phone.wait("window.sightline.state().transit.vehicles === 1")
    far = 200

    def drive():
        nonlocal far
        far += 15
        phone.mock.vehicles = [vehicle("812", line("4"), 20, far)]

    before = scene(phone)["frames"]["count"]
    for _ in range(4):
        drive()
        phone.page.wait_for_timeout(2000)
    drawn = scene(phone)["frames"]["count"] - before
    assert 2 <= drawn <= 24, f"{drawn} pictures in eight seconds"


def test_behind_a_dialog_and_with_a_steady_phone_nothing_is_drawn(city):  # noqa: F811
    phone = city(scripts=(COUNT,))
    phone.point(10, -15)
    phone.open("/transit")
    phone.tap("#start-ar")
    phone.wait_ready()
    # Sensors go on telling the same sixty times a second.
    assert at_rest(phone)[0] == 0
    before = counts(phone)[0]
    phone.point(40, -15)
    phone.wait("(before) => window.drawn > before", arg=before)
    phone.page.evaluate("""async () => {
      const { name } = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/app/ui/dialog.js'));
      (await import(name)).showDialog({ title: 'x' });
    }""")
    before = counts(phone)[0]
    for heading in (60, 90, 120):
        phone.point(heading, -15)
        phone.page.wait_for_timeout(150)
    assert counts(phone)[0] == before
    phone.page.keyboard.press("Escape")
    phone.wait("(before) => window.drawn > before", arg=before)


def found(phone, kind):
    return phone.page.locator(f".transit-results [data-found={kind}] .stop-row")


def search_for(phone, text):
    phone.page.locator("#transit-search").fill(text)
    phone.wait("(text) => document.querySelector('.transit-results').dataset.query === text", arg=text)


def test_stops_beyond_the_nearest_are_found_by_name(city):  # noqa: F811
    phone = city()
    phone.mock.elsewhere = [stop("9", "Itäkeskus", 9000, 3000, [line("M1", "metro", "FF6319", "FFFFFF")])]
    visit(phone)
    phone.tap("#transit-find")
    assert phone.page.evaluate("document.activeElement.id") == "transit-search"
    search_for(phone, "itäk")
    row = found(phone, "stops")
    assert row.locator(".stop-row-name").all_text_contents() == ["Itäkeskus"]
    assert row.locator(".stop-facts").text_content() == "9.5 km"
    assert phone.page.locator("#near-stops").is_hidden()
    asked = [body for name, body in phone.mock.questions if name == "stops" and "query" in body]
    assert asked[-1]["query"] == "itäk" and asked[-1]["latitude"] == pytest.approx(HERE[0], abs=1e-6)
    row.tap()
    phone.page.wait_for_selector("#departures li")
    assert phone.page.locator("#stop-name").text_content() == "Itäkeskus"
    phone.tap("#stop-close")
    search_for(phone, "nothing of that name")
    assert phone.page.locator(".transit-search .list-count").text_content() == "Nothing found for “nothing of that name”."
    phone.page.locator("#transit-search").press("Escape")
    assert phone.page.locator("#near-stops > li").count() == 10 and phone.page.locator("#near-stops").is_visible()


def test_a_destination_has_a_board_of_all_stops_near(city):  # noqa: F811
    phone = city()
    visit(phone, more="&view=list")
    search_for(phone, "munkki")
    row = found(phone, "destinations")
    assert row.locator(".stop-row-name").all_text_contents() == ["Munkkiniemi"]
    assert row.locator(".line-badge").all_text_contents() == ["4"]
    row.tap()
    phone.page.wait_for_selector("#towards li")
    assert phone.page.locator(".towards-head h2").text_content() == "To Munkkiniemi"
    # The same trip calls at several stops near: it is told once, from the nearest.
    assert phone.page.locator("#towards .headsign").all_text_contents() == ["Munkkiniemi", "Munkkiniemi"]
    assert phone.page.locator("#towards .stop-facts").first.text_content().startswith("Rautatieasema · about 1 min on foot")
    assert re.fullmatch(r"Now|1 min", phone.page.locator("#towards .due").first.text_content().replace("\u00a0", " "))
    phone.page.locator("#towards .stop-row").first.tap()
    phone.page.wait_for_selector("#departures li")
    assert phone.page.locator("#stop-name").text_content() == "Rautatieasema"


def test_a_line_has_a_board_and_the_map_shows_it_alone(city):  # noqa: F811
    phone = city()
    visit(phone, more="&view=list")
    search_for(phone, "4")
    assert found(phone, "lines").locator(".line-badge").all_text_contents() == ["4", "415"]
    found(phone, "lines").first.tap()
    phone.page.wait_for_selector("#towards li")
    assert phone.page.locator(".towards-head h2").text_content() == "Line 4"
    assert phone.page.locator("#towards .line-badge").all_text_contents() == ["4"] * 4
    times = [int(m) if (m := re.sub(r"\D", "", text)) and ":" not in text else 0 if "Now" in text else 999
             for text in phone.page.locator("#towards .due").all_text_contents()]
    assert times == sorted(times)
    phone.page.get_by_text("Back to the search").tap()
    found(phone, "lines").nth(1).wait_for()


def test_a_places_card_leads_to_the_departures_near_it(city, new_phone):  # noqa: F811
    phone = city()
    phone.open("/world/ulm?virtual=1&view=list")
    phone.page.locator("#list .row").first.tap()
    phone.tap('#card [data-action="bus"]')
    phone.page.wait_for_selector("#transit-list")
    phone.wait("window.sightline.state().transit?.position")
    name, body = next(one for one in phone.mock.questions if one[0] == "stops")
    assert body["latitude"] == pytest.approx(48.4, abs=0.1) and body["longitude"] == pytest.approx(10, abs=0.1)
    # Where there are no timetables none are offered.
    other = new_phone()
    other.open("/world/ulm?virtual=1&view=list")
    other.page.locator("#list .row").first.tap()
    other.page.wait_for_selector('#card [data-action="share"]')
    other.page.wait_for_timeout(300)
    assert other.page.locator('#card [data-action="bus"]').count() == 0
