"""The sheet under the view, the small things around it, and what a card offers."""
import itertools
import json

import pytest
from support.foreign import gddf, place
from support.phone import wait_until
from support.worlds import EYE, geojson, ring, towards

SEVEN = [(f"n{i}", f"Place {i}", "Church" if i % 2 else "Bridge", towards(EYE, i * 50, 100 + 100 * i)) for i in range(7)]


def begin(phone, foreign, path, document):
    phone.open_foreign(foreign.serve(path, document))
    phone.point(0.0)
    phone.start()
    phone.settle()


def stop(phone):
    return phone.page.locator("#dock").get_attribute("data-stop")


def drag(phone, selector, by):
    """A finger draws, with a pointer's events as a browser sends them."""
    box, last = phone.page.locator(selector).bounding_box(), None
    while box != last:  # it may be on its way still
        phone.page.wait_for_timeout(150)
        box, last = phone.page.locator(selector).bounding_box(), box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 8
    phone.page.mouse.move(x, y)
    phone.page.mouse.down()
    for step in range(1, 6):
        phone.page.mouse.move(x, y + by * step / 5)
    phone.page.mouse.up()


def test_the_sheet_stops_at_three_heights(phone, foreign):
    begin(phone, foreign, "/sheet.geojson", geojson("Sheet", SEVEN))
    page = phone.page
    assert stop(phone) == "peek" and page.locator("#sheet-body").is_hidden()
    assert page.locator("#dock").bounding_box()["height"] <= 100, "a line of buttons, no wall"
    drag(phone, "#sheet-handle", -120)
    wait_until(lambda: stop(phone) == "half", "drawn up, it stops half way")
    # Keys work after a finger has drawn.
    page.locator("#sheet-handle").press("Enter")
    wait_until(lambda: stop(phone) == "peek", "closed by a key")
    page.locator("#sheet-handle").press("Enter")
    wait_until(lambda: stop(phone) == "half", "opened by a key")
    wait_until(lambda: page.locator("#nearest .row").count() == 5, "the nearest five")
    names = page.locator("#nearest .row-name").all_inner_texts()
    assert names == [f"Place {i}" for i in range(5)], "nearest first"
    assert "100 m" in page.locator("#nearest .row").first.inner_text()
    # The view goes on above it, and nothing of it lies below.
    dock = page.locator("#dock").bounding_box()
    for label in phone.labels().values():
        assert label["box"][1] + label["box"][3] <= dock["y"] + 1
    assert page.locator("#radar-box").is_hidden()
    drag(phone, "#sheet-handle", -120)
    page.wait_for_selector('html[data-view="list"]')
    wait_until(lambda: page.locator("#list-rows .row").count() == 7, "drawn up further, the whole list")
    drag(phone, "#sheet-handle", 70)
    page.wait_for_selector('html[data-view="ar"]')
    assert stop(phone) == "peek"
    phone.tap("#sheet-handle")
    wait_until(lambda: stop(phone) == "half", "a tap does the same")
    phone.tap("#nearest .row >> nth=1")
    page.wait_for_selector("#card:not([hidden]) h2:has-text('Place 1')")
    assert stop(phone) == "peek", "what was chosen has the room"


def test_the_filter_is_one_button_that_says_its_state(phone, foreign):
    begin(phone, foreign, "/chip.geojson", geojson("Chip", SEVEN))
    page = phone.page
    assert page.locator("#filter-state").inner_text() == "All · 1 km", "as far as the places are"
    assert page.locator("#radius").is_hidden() and page.locator("#categories").is_hidden()
    phone.tap("#filter-chip")
    page.locator("#radius").wait_for(state="visible")
    assert page.locator("#filter-chip").get_attribute("aria-expanded") == "true"
    phone.tap('#categories [data-name="Church"]')
    assert page.locator("#filter-state").inner_text() == "Church · 1 km"
    page.locator("#radius").fill("8")
    assert page.locator("#filter-state").inner_text() == "Church · 300 m"
    page.locator("#radius").focus()
    page.keyboard.press("Escape")
    assert stop(phone) == "peek"
    assert page.evaluate("document.activeElement.id") == "filter-chip"
    # Nothing to filter by: no button.
    phone.open_foreign(foreign.serve("/chip-none.gddf", gddf("None", [place("a", "A", *towards(EYE, 0, 100))])))
    wait_until(lambda: page.locator("#filter-state").text_content() == "300 m", "a radius only")


def test_the_view_speaks_of_what_is_wrong_only(phone, foreign):
    begin(phone, foreign, "/quiet.gddf", ring(name="Quiet"))
    wait_until(lambda: phone.page.locator("#status .light:visible").count() == 0, "all is well: no light")
    said = ""

    def is_all_good():
        nonlocal said
        # A browser that is late with its readings is for a while one without sensors.
        phone.point(0)
        phone.tap("#menu")
        phone.tap("#menu-status")
        said = phone.page.locator("#status-dialog").inner_text()
        phone.page.keyboard.press("Escape")
        phone.page.locator("#status-dialog").wait_for(state="detached")
        return "The position is good" in said and "The direction is good" in said
    wait_until(is_all_good, "position and direction are good")
    assert ". (" not in said, "what is added stands before the full stop"
    # What it says is soon gone: a busy machine could look too late.
    phone.page.evaluate("""() => {
      const note = document.querySelector('#status-note');
      window.wasSaid = false;
      new MutationObserver(() => { window.wasSaid ||= !note.hidden && note.checkVisibility(); }).observe(note, { attributes: true });
    }""")
    phone.move(EYE, accuracy=400.0)
    phone.page.locator("#status-location").wait_for(state="visible")
    assert phone.page.locator("#status-content").is_hidden()
    phone.wait("window.wasSaid")
    # Gone though the numbers in it go on changing.
    accuracies = itertools.count(410.0, 10.0)

    def is_gone():
        phone.move(EYE, accuracy=next(accuracies))
        return phone.page.locator("#status-note").is_hidden()
    wait_until(is_gone, "the note goes by itself")
    assert phone.page.locator("#status-location").is_visible()


def test_the_radar_is_small_and_grows_by_a_tap(phone, foreign):
    begin(phone, foreign, "/grow.geojson", geojson("Grow", SEVEN))
    radar = phone.page.locator("#radar")
    assert radar.bounding_box()["width"] == 72
    phone.tap("#radar-box")
    wait_until(lambda: radar.bounding_box()["width"] == 168, "larger")
    assert phone.page.locator("#radar-box").get_attribute("aria-expanded") == "true"
    # Two categories, two colours.
    colours = phone.page.evaluate("""() => {
      const drawn = document.querySelector('#radar');
      const context = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
      context.drawImage(drawn, 0, 0);
      const { data } = context.getImageData(0, 0, drawn.width, drawn.height);
      const seen = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.slice(i, i + 3), most = Math.max(r, g, b), least = Math.min(r, g, b);
        if (most < 180 || most - least < 90) continue;
        const key = [r, g, b].map((v) => Math.round(v / 24)).join();
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      return [...seen.values()].filter((n) => n > 12).length;
    }""")
    assert colours >= 3, "two categories, and north"
    phone.tap("#radar-box")
    wait_until(lambda: radar.bounding_box()["width"] == 72, "small again")


@pytest.mark.parametrize("screen", [(320, 568), (390, 844), (844, 390), (820, 1180)])
def test_the_large_radar_lies_on_no_button(new_phone, screen):
    phone = new_phone(screen=screen, picture=(1280, 720) if screen[0] > screen[1] else (720, 1280))
    phone.open("/world/ulm?virtual=1")
    phone.wait_ready()
    phone.tap("#radar-box")
    phone.page.wait_for_function("document.querySelector('#radar').clientWidth === 168")
    large = phone.page.locator("#radar-box").bounding_box()
    buttons = phone.page.locator("#topbar button:visible, #walk-pad button:visible, #ar-tools button:visible, #dock button:visible")
    assert buttons.count() > 8
    for button in buttons.all():
        box = button.bounding_box()
        apart = (box["x"] >= large["x"] + large["width"] or box["x"] + box["width"] <= large["x"]
                 or box["y"] >= large["y"] + large["height"] or box["y"] + box["height"] <= large["y"])
        # The handle reaches above the sheet, where it is not seen.
        assert apart or button.get_attribute("id") == "sheet-handle", (button.get_attribute("class"), box, large)
        assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= screen[0] and box["y"] + box["height"] <= screen[1]


def test_the_menu_has_three_groups(phone, foreign):
    begin(phone, foreign, "/groups.gddf", ring(name="Groups"))
    phone.tap("#menu")
    phone.page.locator("#menu-dialog nav h3").first.wait_for()
    assert phone.page.locator("#menu-dialog nav h3").all_inner_texts() == ["This world", "View", "Help"]
    assert phone.page.locator("#menu-markers").count() == 0, "nothing stands on markers here"
    phone.tap("#menu-scan")
    phone.page.wait_for_selector('html[data-view="scan"]')


def test_units_look_and_text_size_are_chosen(phone, foreign):
    begin(phone, foreign, "/units.geojson", geojson("Units", SEVEN))
    page = phone.page
    phone.tap("#menu")
    phone.tap("#menu-settings")
    phone.tap('#settings-units [data-value="imperial"]')
    page.select_option("#settings-text", "150")
    phone.tap('#settings-theme [data-value="light"]')
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "24px"
    page.keyboard.press("Escape")
    assert page.locator("#filter-state").inner_text() == "All · 0.6 mi"
    wait_until(lambda: any("ft" in text or "mi" in text for text in page.locator(".label-meta").all_inner_texts()), "labels in feet")
    phone.tap("#view-list")
    assert page.locator("#list-rows .row-far").first.inner_text() == "330 ft"
    assert page.evaluate("document.documentElement.dataset.scheme") == "light"
    assert page.evaluate("localStorage.getItem('sightline.language')") is None, "the language goes on following the phone"
    # Kept, and to be had from the start page as well.
    phone.open("/")
    phone.tap("#start-settings")
    assert page.locator('#settings-units [data-value="imperial"]').get_attribute("aria-pressed") == "true"
    assert page.locator("#field-of-view").count() == 0, "no camera here"


def test_map_and_list_stand_beside_each_other_on_a_tablet(new_phone, foreign):
    phone = new_phone(screen=(1024, 768), picture=(1280, 720))
    begin(phone, foreign, "/split.geojson", geojson("Split", SEVEN))
    phone.tap("#view-map")
    page = phone.page
    page.wait_for_selector("#list-rows .row")
    left, right = page.locator("#list").bounding_box(), page.locator("#map").bounding_box()
    assert left["width"] >= 300 and right["x"] >= left["x"] + left["width"] - 1 and right["width"] > 500
    phone.tap("#list-rows .row >> nth=2")
    phone.wait("window.sightline.state().selected === 2")
    page.wait_for_selector("#map .map-pin.selected")
    pin, card = page.locator("#map .map-pin.selected").bounding_box(), page.locator("#card").bounding_box()
    assert pin["x"] >= right["x"] and (pin["x"] + pin["width"] <= card["x"] or pin["y"] >= card["y"] + card["height"]), "seen beside its card"
    # By an address of the list it is the same, and the switch says where one is.
    page.evaluate("location.hash = location.hash.replace('view=map', 'view=list')")
    page.wait_for_selector('html[data-view="list"]')
    assert page.locator("#map").is_visible() and page.locator("#view-map").get_attribute("aria-pressed") == "true"
    page.evaluate("location.hash = location.hash.replace('view=list', 'view=map')")
    page.wait_for_selector('html[data-view="map"]')
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(lambda: page.locator("#list").is_hidden(), "no room: one at a time")


def test_texts_have_links_and_emphasis_and_nothing_else(phone, foreign):
    text = "The **oldest** tower, *they say*: [the guide](https://example.org/guide) or https://example.org/a.\n<b>no</b> 2*3*4 [x](javascript:alert(1))"
    world = json.loads(geojson("Rich", [("t", "Tower", "Tower", towards(EYE, phone.declination, 200))]))
    world["features"][0]["properties"]["description"] = text
    begin(phone, foreign, "/rich.geojson", json.dumps(world))
    phone.page.locator('.label[data-id="t"]').dispatch_event("click")
    card = phone.page.locator("#card .card-text")
    card.wait_for()
    assert card.locator("strong").all_inner_texts() == ["oldest"] and card.locator("em").all_inner_texts() == ["they say"]
    assert [a.get_attribute("href") for a in card.locator("a").all()] == ["https://example.org/guide", "https://example.org/a"]
    assert card.inner_text().startswith("The oldest tower, they say: the guide or example.org/a.")
    assert "<b>no</b> 2*3*4 [x](javascript:alert(1))" in card.inner_text()
    card.locator("a").first.click()
    phone.page.wait_for_selector("dialog#leave")
    assert phone.page.locator("#leave-open").get_attribute("href") == "https://example.org/guide"


def test_a_needle_leads_to_a_place_until_one_is_there(phone, foreign):
    target = towards(EYE, 90, 300)
    begin(phone, foreign, "/needle.gddf", gddf("Needle", [place("t", "Tower", *target)]))
    phone.wait("window.sightline.state().world")
    phone.page.evaluate("window.sightline.session.select(0)")
    phone.tap('#card [data-action="compass"]')
    page = phone.page
    needle = page.locator("#needle")
    needle.wait_for(state="visible")
    assert page.locator("#card").is_hidden()
    assert needle.inner_text().split("\n")[0].startswith("Tower") and "300 m" in needle.inner_text()
    turned = float(page.evaluate("document.querySelector('.needle-arrow svg').style.transform").removeprefix("rotate(").removesuffix("rad)"))
    assert turned == pytest.approx(1.57, abs=0.15), "it lies to the right"
    phone.tap("#view-map")
    assert needle.is_visible(), "in every view"
    phone.move((target[0], target[1]))
    wait_until(lambda: "You are there" in needle.inner_text(), "arrived")
    phone.tap("#needle-end")
    assert needle.is_hidden()


@pytest.mark.parametrize("agent, address", [
    ("Mozilla/5.0 (Linux; Android 14)", "geo:"), ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)", "https://maps.apple.com/?ll="),
    ("Mozilla/5.0 (X11; Linux x86_64)", "https://www.openstreetmap.org/?mlat=")])
def test_a_place_opens_in_the_phones_own_map_app(new_phone, foreign, agent, address):
    phone = new_phone(scripts=(f"Object.defineProperty(navigator, 'userAgent', {{ get: () => {json.dumps(agent)} }})",))
    begin(phone, foreign, "/maps.gddf", gddf("Maps", [place("t", "Tower", *towards(EYE, 0, 300))]))
    phone.page.evaluate("window.sightline.session.select(0)")
    phone.tap('#card [data-action="external"]')
    phone.page.wait_for_selector("dialog#leave")
    assert phone.page.locator("#leave-open").get_attribute("href").startswith(address)


def test_favourites_and_places_looked_at_are_marked(phone, foreign):
    begin(phone, foreign, "/hearts.geojson", geojson("Hearts", SEVEN))
    page = phone.page
    page.evaluate("window.sightline.session.select(3)")
    phone.tap("#card-heart")
    assert page.locator("#card-heart").get_attribute("aria-pressed") == "true"
    page.evaluate("window.sightline.session.select(5)")
    phone.tap("#view-list")
    phone.page.reload()
    page.wait_for_selector("#list-rows .row")
    rows = {row.get_attribute("data-id"): row for row in page.locator("#list-rows .row").all()}
    assert rows["n3"].locator(".favourite").count() == 1 and rows["n3"].locator(".seen").count() == 1
    assert rows["n5"].locator(".seen").count() == 1 and rows["n5"].locator(".favourite").count() == 0
    assert rows["n1"].locator(".row-mark").count() == 0
    phone.tap("#list-favourites")
    assert [row.get_attribute("data-id") for row in page.locator("#list-rows .row").all()] == ["n3"]
    phone.tap("#list-favourites")
    assert page.locator("#list-rows .row").count() == 7


def test_keys_lead_into_the_card_and_back(phone, foreign):
    begin(phone, foreign, "/keys.gddf", gddf("Keys", [place("t", "Tower", *towards(EYE, phone.declination, 300))]))
    phone.wait_label("t")
    page = phone.page
    page.locator('.label[data-id="t"]').focus()
    page.keyboard.press("Enter")
    wait_until(lambda: page.evaluate("document.activeElement.textContent") == "Tower" and page.evaluate("document.activeElement.tagName") == "H2",
               "the card has the focus")
    page.keyboard.press("Escape")
    wait_until(lambda: page.locator("#card").is_hidden() and page.evaluate("document.activeElement.dataset.id") == "t", "and gives it back")
    # Also when the focus is nowhere.
    page.evaluate("window.sightline.session.select(0); document.activeElement.blur()")
    page.keyboard.press("Escape")
    wait_until(lambda: page.locator("#card").is_hidden(), "Escape closes it from anywhere")


def test_a_phone_without_sensors_goes_on_without_asking_again(new_phone, foreign):
    phone = new_phone(scripts=("delete window.DeviceOrientationEvent; delete window.DeviceMotionEvent; delete window.ondeviceorientation; "
                               "delete window.ondevicemotion;",))
    phone.open_foreign(foreign.serve("/no-sensors.gddf", ring(name="No sensors")))
    phone.tap("#start-ar")
    button = phone.page.locator("#start-ar", has_text="Go on without")
    button.wait_for()
    button.tap()
    phone.page.wait_for_selector("#gate", state="hidden")
    assert phone.page.evaluate("document.documentElement.dataset.direction") == "hand"
