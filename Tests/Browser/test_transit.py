"""Departures: pins, cards, boards, the flat phone's map, the list, and what the user can do with them, against a small
transit server of the tests' own whose every answer is known."""
import re

import pytest


from support import geometry
from support.foreign import gddf, place
from support.languages import speak
from support.phone import wait_until
from support.transit import HERE, MockTransit, line, streets, vehicle

VIRTUAL = f"virtual=1&lat={HERE[0]}&lon={HERE[1]}"


@pytest.fixture
def city(new_phone):
    """Makes phones in a city with stops; `open` goes there with a virtual phone."""

    def make(**options):
        phone = new_phone(position=HERE, **options)
        phone.mock = MockTransit(phone.page)
        # Pictures of the screen make the graphics card wait, which the browser remarks on.
        phone.expect("GPU stall due to ReadPixels")
        return phone

    return make


def visit(phone, heading=10, pitch=-20, more=""):
    phone.open(f"/transit?{VIRTUAL}&heading={heading}&pitch={pitch}{more}")
    phone.wait_ready()


def visit_in(phone, language):
    """As `visit`, of a phone on the start page, in another language."""
    speak(phone.page, language)
    visit(phone)


def leave(phone):
    phone.tap("#transit-back")
    phone.wait("document.documentElement.dataset.view === 'start'")


def scene(phone):
    return phone.state()["transit"]


def choose(phone, id="hsl:1020453"):
    phone.page.evaluate("(id) => document.querySelector(`.stop-label[data-stop='${id}']`).click()", id)


def open_board(phone, id="hsl:1020453"):
    choose(phone, id)
    phone.tap("#open-board")
    phone.page.wait_for_selector("#departures li")


def test_pins_stand_around_and_a_tap_on_one_shows_its_card(city):
    phone = city()
    visit(phone)
    assert phone.page.locator("#transit-note").text_content() == "10 stops"
    frame = scene(phone)["frame"]
    at = scene(phone)["stops"].index("hsl:1020453")
    pin = frame["pins"][at]
    assert pin["isInView"] and not frame["isMap"]
    phone.page.touchscreen.tap(pin["headX"], pin["headY"])
    sheet = phone.page.locator("#transit-sheet")
    assert sheet.locator("h2").text_content() == "Rautatieasema"
    facts = sheet.locator(".stop-facts").text_content()
    # 22 m east and 84 m north is 87 m away; some five degrees to the right of where the phone looks.
    assert facts.startswith("87 m · about 1 min on foot · ahead") and facts.endswith("step-free")
    badges = sheet.locator(".stop-lines .line-badge")
    assert badges.all_text_contents() == ["4", "7", "10"]
    assert badges.nth(0).evaluate("(e) => getComputedStyle(e).backgroundColor") == "rgb(0, 152, 95)"
    assert scene(phone)["selected"] == "hsl:1020453"
    phone.tap("#stop-close")
    assert sheet.is_hidden() and scene(phone)["selected"] is None


def test_the_question_has_the_position_in_its_body_only(city):
    phone = city()
    visit(phone)
    name, body = next(one for one in phone.mock.questions if one[0] == "stops")
    assert body["latitude"] == pytest.approx(HERE[0], abs=1e-6) and body["language"] == "en"


def test_the_board_says_everything_there_is_to_say(city):
    phone = city()
    visit(phone)
    open_board(phone)
    rows = phone.page.locator("#departures > li").evaluate_all("""(all) => all.map((li) => {
      const words = [], walk = document.createTreeWalker(li, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) words.push(walk.currentNode.data.trim());
      return { state: li.dataset.state, text: words.filter(Boolean).join(' '),
        marks: [...li.querySelectorAll('.mark')].map((mark) => mark.getAttribute('aria-label')) };
    })""")
    assert [row["state"] for row in rows] == ["live", "live", "cancelled", "live", "scheduled", "skipped", "added", "scheduled",
                                              "scheduled", None]
    now, late, off, early, plain, passing, extra, call, tomorrow, often = (row["text"] for row in rows)
    assert re.fullmatch(r"4 Munkkiniemi 08:01 on time Platform 2 (Now|1 min)", now)
    assert rows[0]["marks"] == ["Wheelchair accessible", "Low floor"]
    assert "planned 08:03" in late and "08:06" in late and "3 min late" in late and "Linje 7 kör en annan väg" in late
    assert "Cancelled" in off and off.endswith("–")
    assert "1 min early" in early and rows[3]["marks"] == ["Not accessible with a wheelchair"]
    assert re.fullmatch(r"7 Pasila 08:09 \d min", plain)
    assert "Does not stop here" in passing
    assert "Extra" in extra and "4X" in extra
    assert "Call the operator beforehand" in call
    assert tomorrow.endswith("09:15")
    assert often == "1 Eira until 12:00 every 10 min"
    assert re.match(r"Live · GTFS Realtime · \d+ sec old", phone.page.locator("#board-source").text_content())
    assert phone.page.locator(".alerts summary").text_content() == "Linje 7 kör en annan väg"
    assert "CC BY 4.0" in phone.page.locator(".board .credits").text_content()
    assert phone.page.locator("#open-board").get_attribute("aria-expanded") == "true"


def test_a_line_and_direction_can_be_chosen_and_the_map_follows(city):
    phone = city()
    visit(phone)
    open_board(phone)
    phone.page.locator(".chip", has_text="Katajanokka").tap()
    assert phone.page.locator("#departures .headsign").all_text_contents() == ["Katajanokka", "Katajanokka"]
    assert phone.page.locator(".chip[aria-pressed=true]").count() == 1
    phone.page.locator(".chip", has_text="All").tap()
    assert phone.page.locator("#departures > li").count() == 10


def test_what_has_left_leaves_the_board(city):
    phone = city()
    visit(phone)
    open_board(phone)
    assert phone.page.locator("#departures .headsign").first.text_content() == "Munkkiniemi"
    # The server's clock is what counts, not the phone's.
    phone.mock.began -= 100
    phone.tap("#transit-refresh")
    phone.wait("document.querySelector('#departures .headsign').textContent === 'Länsiterminaali T2'")


def test_favourites_are_kept_and_stand_first_in_the_list(city):
    phone = city()
    visit(phone)
    choose(phone, "hsl:1020552")
    phone.tap("#stop-favourite")
    assert phone.page.locator("#stop-favourite").get_attribute("aria-pressed") == "true"
    assert phone.page.locator("#live").text_content() == "Lasipalatsi is a favourite now"
    phone.page.reload()
    phone.wait_ready()
    phone.tap(".transit-dock [data-value=list]")
    assert phone.page.locator("#favourite-stops .stop-row-name").all_text_contents() == ["Lasipalatsi"]
    phone.page.locator("#favourite-stops .stop-row").tap()
    assert phone.page.locator("#stop-name").text_content() == "Lasipalatsi"
    phone.tap("#stop-favourite")
    assert phone.page.locator("#favourite-stops li").count() == 0


def test_a_favourite_that_is_served_no_more_says_so(city):
    phone = city()
    visit(phone)
    choose(phone, "hsl:1020552")
    phone.tap("#stop-favourite")
    choose(phone, "hsl:1020444")
    phone.tap("#stop-favourite")
    # One is remembered by the server, of the other nobody knows anything but what the favourite says.
    phone.mock.stops = [one for one in phone.mock.stops if one["id"] not in ("hsl:1020552", "hsl:1020444")]
    phone.mock.retired = {"hsl:1020552": "Lasipalatsi"}
    phone.page.reload()
    phone.wait_ready()
    phone.tap(".transit-dock [data-value=list]")
    phone.page.wait_for_selector("#favourite-stops .gone:nth-child(2)")
    rows = phone.page.locator("#favourite-stops li")
    assert rows.locator(".stop-row-name").all_text_contents() == ["Mikonkatu", "Lasipalatsi"]
    facts = rows.locator(".stop-facts").all_text_contents()
    assert facts[0] == "This stop is no longer there." and facts[1].startswith("This stop is no longer served. · ")
    assert phone.page.locator("#near-stops > li").count() == 8
    rows.last.locator(".stop-row").tap()
    phone.wait("document.querySelector('.board-note').textContent === 'This stop is no longer served.'")
    assert phone.page.locator("#stop-name").text_content() == "Lasipalatsi"
    phone.tap("#stop-favourite")
    assert rows.locator(".stop-row-name").all_text_contents() == ["Mikonkatu"]


def test_streets_lie_under_the_lines_and_are_credited(city):
    phone = city()
    phone.mock.streets = streets()
    visit(phone, pitch=-60)
    phone.wait("window.sightline.state().transit.streets > 0")
    asked = [body for name, body in phone.mock.questions if name == "streets"]
    assert len(asked) == 1 and asked[0].keys() == {"latitude", "longitude", "radius"}
    assert scene(phone)["streets"] == len(phone.mock.streets)
    assert phone.page.locator("#transit-credit").text_content() == "© OpenStreetMap contributors"
    # Pictures of a map have streets of their own.
    plain = city()
    visit(plain, pitch=-60)
    assert scene(plain)["streets"] == 0
    assert not [name for name, _ in plain.mock.questions if name == "streets"]


def test_the_list_is_the_same_in_plain_words(city):
    phone = city()
    visit(phone, more="&view=list")
    rows = phone.page.locator("#near-stops > li")
    assert rows.count() == 10
    phone.page.wait_for_selector("#near-stops .next-departures")
    row = rows.first
    assert row.locator(".stop-row-name").text_content() == "Rautatieasema"
    assert row.locator(".stop-facts").text_content().startswith("87 m · about 1 min on foot")
    nexts = row.locator(".next-departures li").all_inner_texts()
    assert len(nexts) == 3 and nexts[0].split("\n")[:2] == ["4", "Munkkiniemi"]
    # Headings, lists and buttons only: everything has a name and a place in the reading order.
    names = phone.page.locator("#transit-list button").evaluate_all("(all) => all.map((b) => b.innerText.trim())")
    assert all(names)
    row.locator(".stop-row").tap()
    phone.page.wait_for_selector("#departures li")
    assert phone.page.evaluate("document.activeElement.id") == "stop-name"


def test_a_flat_phone_is_a_map_and_held_up_again_the_view(city):
    """With the phone's own sensors, through the whole page."""
    phone = city()
    phone.point(30, -10)
    phone.open("/transit")
    phone.tap("#start-ar")
    phone.wait_ready()
    assert not scene(phone)["frame"]["isMap"]
    phone.point(30, -80)
    phone.wait("window.sightline.state().transit.frame.mapPart === 1")
    heading = scene(phone)["frame"]["mapHeading"] * 57.29578
    assert heading == pytest.approx(30 + phone.declination, abs=1.5)
    # Between the two limits it stays what it was.
    phone.point(30, -60)
    phone.wait("Math.abs(window.sightline.state().transit.frame.pitch + 1.047) < 0.02")
    assert scene(phone)["frame"]["isMap"]
    phone.point(30, -40)
    phone.wait("window.sightline.state().transit.frame.mapPart === 0")
    phone.point(30, -60)
    phone.wait("Math.abs(window.sightline.state().transit.frame.pitch + 1.047) < 0.02")
    assert not scene(phone)["frame"]["isMap"]


def test_a_frozen_picture_stays_while_the_phone_moves(city):
    phone = city()
    visit(phone)
    phone.tap("#transit-freeze")
    before = scene(phone)["frame"]["heading"]
    phone.page.keyboard.press("Tab")
    phone.page.locator("#transit-surface").focus()
    phone.page.keyboard.down("ArrowRight")
    phone.page.wait_for_timeout(300)
    phone.page.keyboard.up("ArrowRight")
    assert scene(phone)["frame"]["heading"] == before
    choose(phone)
    assert phone.page.locator("#stop-name").text_content() == "Rautatieasema"
    phone.tap("#stop-close")
    phone.tap("#transit-freeze")
    phone.wait("(h) => window.sightline.state().transit.frame.heading !== h", arg=before)


def test_the_map_moves_and_scales_and_comes_back(city):
    phone = city(reduced_motion="reduce")
    visit(phone, more="&view=map")
    phone.wait("window.sightline.state().transit.frame.mapPart === 1")
    before = scene(phone)["frame"]
    phone.tap("#transit-zoom-in")
    phone.wait("(h) => Math.abs(window.sightline.state().transit.frame.eye[2] - h / 1.5) < 1e-6", arg=before["eye"][2])
    box = {"x": 195, "y": 420}
    phone.page.mouse.move(box["x"], box["y"])
    phone.page.mouse.down()
    phone.page.mouse.move(box["x"] + 60, box["y"] + 10, steps=4)
    phone.page.mouse.up()
    moved = scene(phone)["frame"]["eye"]
    assert ((moved[0] - before["eye"][0]) ** 2 + (moved[1] - before["eye"][1]) ** 2) ** 0.5 > 20
    phone.tap("#transit-locate")
    phone.wait("(e) => Math.abs(window.sightline.state().transit.frame.eye[0] - e) < 1e-6", arg=before["eye"][0])
    phone.tap("#transit-north")
    phone.wait("window.sightline.state().transit.frame.mapHeading === 0")


def test_an_arrow_and_a_line_lead_to_the_chosen_stop(city):
    phone = city(reduced_motion="reduce")
    visit(phone, heading=190)
    choose(phone)
    arrow = phone.page.locator("#transit-arrow")
    arrow.wait_for(state="visible")
    assert arrow.get_attribute("aria-label") == "This way to Rautatieasema, 87 m"
    assert "behind" in phone.page.locator("#transit-sheet .stop-facts").text_content()
    arrow.tap()
    phone.wait("window.sightline.state().transit.frame.arrow === null")
    assert abs(scene(phone)["frame"]["heading"] * 57.29578 - 14.7) < 1
    phone.wait("document.querySelector('#transit-sheet .stop-facts').textContent.includes('ahead')")


def test_vehicles_move_on_the_ground(city):
    phone = city(reduced_motion="reduce")
    phone.mock.vehicles = [vehicle("812", line("4"), 40, 90)]
    visit(phone)
    phone.wait("window.sightline.state().transit.vehicles === 1")
    phone.mock.vehicles = [vehicle("812", line("4"), 60, 90), vehicle("813", line("7"), 10, 120)]
    phone.wait("window.sightline.state().transit.vehicles === 2")


def test_a_pull_asks_again(city):
    phone = city()
    visit(phone, more="&view=list")
    asked = lambda: sum(1 for name, _ in phone.mock.questions if name == "stops")
    before = asked()
    touch = lambda kind, y: phone.cdp.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [] if kind == "touchEnd" else [{"x": 200, "y": y}]})
    touch("touchStart", 200)
    for y in range(210, 400, 20):
        touch("touchMove", y)
    assert phone.page.locator("#transit-list .pull-note").text_content() == "Release to refresh"
    touch("touchEnd", 400)
    phone.wait("document.querySelector('#live').textContent.startsWith('Refreshed')")
    assert asked() == before + 1


def test_a_shake_refreshes(city):
    phone = city(motion=True)
    phone.point(10, -15)
    phone.open("/transit")
    phone.tap("#start-ar")
    phone.wait_ready()
    asked = lambda: sum(1 for name, _ in phone.mock.questions if name == "stops")
    before = asked()
    # With times of their own: a busy machine would stretch a shake to a sway.
    phone.page.evaluate("""() => {
      const begin = performance.now() - 750;
      for (let k = 0; k < 30; k++) {
        const event = new DeviceMotionEvent('devicemotion', { interval: 16,
          accelerationIncludingGravity: { x: 30 * Math.sin(k * 1.1), y: 9.8, z: 0 }, rotationRate: { alpha: 0, beta: 0, gamma: 0 } });
        Object.defineProperty(event, 'timeStamp', { value: begin + 25 * k });
        dispatchEvent(event);
      }
    }""")
    phone.wait("document.querySelector('#live').textContent.startsWith('Refreshed')")
    assert asked() == before + 1


def test_departures_are_read_aloud_in_the_language_in_use(city):
    phone = city(locale="sv-SE", scripts=("""
      window.said = [];
      Object.defineProperty(window, 'speechSynthesis', { value: { cancel() {}, getVoices: () => [],
        speak(u) { window.said.push([u.lang, u.text]); setTimeout(() => u.onend?.(), 20); } } });
    """,))
    visit(phone)
    choose(phone)
    phone.tap("#stop-speak")
    phone.wait("window.said.length >= 4")
    said = phone.page.evaluate("window.said")
    assert {lang for lang, _ in said} == {"sv"}
    assert said[0][1].startswith("Rautatieasema. 87 m · cirka 1 min till fots")
    assert any("Linje 7 mot Länsiterminaali T2 om" in text and "minuter" in text for _, text in said)
    assert any("är inställd" in text for _, text in said)


def test_a_server_that_cannot_answer_says_why_and_recovers(city):
    phone = city()
    phone.expect("503")
    phone.mock.failing = "transit.starting"
    phone.open(f"/transit?{VIRTUAL}")
    note = phone.page.locator("#transit-note")
    phone.wait("document.querySelector('#transit-note').textContent.includes('The timetables are being read')")
    assert note.text_content().startswith("The stops could not be loaded.")
    phone.mock.failing = None
    phone.tap("#transit-refresh")
    phone.wait_ready()
    assert note.text_content() == "10 stops"


def test_far_from_the_demonstration_one_is_offered_to_go_there(new_phone):
    phone = new_phone(position=(48.4, 10.0, 480.0))
    phone.mock = MockTransit(phone.page, demonstration=True)
    phone.point(10, -15)
    phone.open("/transit")
    phone.tap("#start-ar")
    phone.page.wait_for_selector("#toasts .toast-action")
    phone.page.locator("#toasts .toast-action").tap()
    phone.wait("Math.abs((window.sightline.state().transit.position?.latitude ?? 0) - 60.17) < 0.01")
    phone.wait("document.querySelector('#transit-note').textContent.includes('demonstration, 08:0')")


def test_the_start_page_offers_departures_only_where_there_are_some(new_phone):
    phone = new_phone()
    phone.open("")
    phone.page.wait_for_selector("#start-scan")
    assert phone.page.locator("#start-transit").is_hidden()
    other = new_phone()
    MockTransit(other.page)
    other.open("")
    other.page.wait_for_selector("#start-transit")
    assert "Departures" in other.page.locator("#start-transit").text_content()


def test_every_language_fits(city):
    """In each language the board of a narrow phone has no text that is cut off or runs out of the screen."""
    phone = city(screen=(360, 720))
    phone.open()
    for code, title, stops in [
            ("en", "Departures", "10 stops"), ("sv", "Avgångar", "10 hållplatser"), ("fr", "Départs", "10 arrêts"),
            ("de", "Abfahrten", "10 Haltestellen"), ("nl", "Vertrektijden", "10 haltes"), ("es", "Salidas", "10 paradas"),
            ("zh", "出发班次", "10 个车站")]:
        visit_in(phone, code)
        assert phone.page.locator(".transit-heading h1").text_content() == title
        assert phone.page.locator("#transit-note").text_content() == stops
        open_board(phone)
        outside = phone.page.evaluate("""() => [...document.querySelectorAll('#transit-sheet *')].filter((e) => {
          const b = e.getBoundingClientRect();
          return b.width > 0 && !e.closest('.directions') && !e.closest('.sr-only') && !e.matches('.sr-only') && (b.right > innerWidth + 1 || b.left < -1);
        }).map((e) => e.className + ' ' + e.textContent)""")
        assert outside == [], code
        assert not re.search(r"transit\.\w+", phone.page.locator("#transit").inner_text()), code
        phone.tap("#stop-close")
        leave(phone)


def test_the_page_leaves_nothing_behind(city):
    phone = city()
    visit(phone)
    leave(phone)
    assert phone.page.locator("#transit").count() == 0
    assert "ready" not in phone.page.evaluate("({ ...document.documentElement.dataset })")


def test_departures_stand_beside_another_world(city, foreign, output):
    """One view, one list, one map: the places of a world, and the stops with their boards on the cards."""
    phone = city()
    there = geometry.place_at(HERE, 30, 120, 0.0)
    phone.open_foreign(foreign.serve("/beside.gddf", gddf("Sights", [place("hall", "Concert hall", *there)], relative=True)))
    phone.point(0.0)
    phone.start()
    phone.tap("#menu")
    phone.tap("#menu-worlds")
    phone.tap("#add-transit-stops")
    phone.wait("window.sightline.state().worlds.length === 2 && window.sightline.state().worlds[1].places === 10")
    phone.page.keyboard.press("Escape")
    assert "with=transit%3Astops" in phone.page.evaluate("location.hash")
    wait_until(lambda: {"hall", "1/hsl:1020453"} <= set(phone.labels()), "both in one view")
    question = next(body for name, body in phone.mock.questions if name == "stops")
    assert abs(question["latitude"] - HERE[0]) < 1e-4
    phone.page.evaluate("""() => { const { session } = window.sightline;
      session.select(session.content.places.findIndex(({ id }) => id === '1/hsl:1020453')); }""")
    phone.page.locator("#card .departure").first.wait_for()
    card = phone.page.locator("#card")
    assert card.locator("h2").inner_text() == "Rautatieasema" and "Munkkiniemi" in card.inner_text()
    assert card.locator(".departure.cancelled").count() == 1 and card.locator(".departure .tag").count() > 0
    phone.page.screenshot(path=output / "departures-beside.png")
    # Hidden like any other world, and closed like one.
    phone.tap("#menu")
    phone.tap("#menu-worlds")
    phone.page.locator("#show-world-1").uncheck()
    phone.wait("window.sightline.session.content.places.length === 1")
    phone.tap("#close-world-1")
    phone.wait("window.sightline.state().worlds.length === 1")


def test_the_menu_of_departures_has_codes_recording_and_north(city, output):
    phone = city()
    phone.open("/transit", wait=False)
    phone.point(0.0)
    phone.page.locator("#transit-gate .button.primary").first.tap()
    phone.wait_ready()
    phone.tap("#transit-menu")
    phone.page.locator("#menu-scan").wait_for()
    assert phone.page.locator("#menu-record").is_visible()
    phone.page.screenshot(path=output / "transit-menu.png")
    phone.tap("#menu-align")
    phone.page.wait_for_selector("#align-panel")
    phone.page.screenshot(path=output / "transit-align.png")
    assert "Rautatieasema" in phone.page.locator("#align-landmark option").first.inner_text()
    before = phone.page.evaluate("window.sightline.state().transit.frame.heading")
    for _ in range(5):
        phone.tap("#align-right")
    phone.wait("(b) => Math.abs(Math.sin(window.sightline.state().transit.frame.heading - b)) > 0.08", before)
    phone.tap("#align-done")
    assert phone.page.locator("#align-panel").count() == 0 and phone.page.locator("#transit-menu").is_visible()
    phone.tap("#transit-menu")
    phone.tap("#menu-record")
    phone.tap("#record-start")
    phone.page.wait_for_selector("#recording-stop:not([hidden])")
    phone.page.wait_for_timeout(800)
    phone.tap("#recording-stop")
    phone.page.locator("#record-download").wait_for()
