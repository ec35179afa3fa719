"""The studio: making a world, two who edit it at once, files in and out."""
import json
import re

import pytest
from support.phone import wait_until
from support.studio import TABLET, ULM, add_place, author, desk, new_world, picture, saved, studio, titles  # noqa: F401


def test_a_world_is_made_published_and_seen(desk, server, output):
    phone = desk()
    page = phone.page
    world = new_world(phone, "Round the minster")
    assert world == "round-the-minster"
    add_place(phone, "Minster", *ULM)
    add_place(phone, "Town hall", 48.3969, 9.9930)
    add_place(phone, "Fishermen's quarter", 48.3954, 9.9897)
    assert titles(phone) == ["Minster", "Town hall", "Fishermen's quarter"]

    # A picture: stored upright and without its note.
    page.click("#place-panel .panel-head button")
    page.locator("#place-list button", has_text="Minster").click()
    with page.expect_file_chooser() as chooser:
        page.click("#place-picture")
    chooser.value.set_files({"name": "minster.jpg", "mimeType": "image/jpeg", "buffer": picture(page)})
    page.wait_for_selector("#place-panel .panel-picture")
    phone.wait("() => document.querySelector('.panel-picture').naturalWidth > 0")
    size = page.evaluate("() => { const i = document.querySelector('.panel-picture'); return [i.naturalWidth, i.naturalHeight]; }")
    assert size == [480, 640]
    stored = server.get(studio(phone)["dimension"]["places"][0]["imageURL"])
    assert b"48.3984" not in stored and b"Exif" not in stored
    page.fill("#place-categories", "church, sight")
    page.screenshot(path=output / "studio-tablet.png")

    # Undo takes back one thing at a time, redo does it again.
    page.click("#studio-undo")
    assert studio(phone)["dimension"]["places"][0]["categories"] == []
    page.click("#studio-undo")
    assert "imageURL" not in studio(phone)["dimension"]["places"][0]
    page.click("#studio-redo")
    page.click("#studio-redo")
    assert studio(phone)["dimension"]["places"][0]["categories"] == ["church", "sight"]
    assert "imageURL" in studio(phone)["dimension"]["places"][0]
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+y")

    # A pin is moved by keys, and with the mouse.
    before = studio(phone)["dimension"]["places"][0]["position"]
    pin = page.locator(".map-editor [data-pin]").first
    pin.focus()
    page.keyboard.press("Shift+ArrowUp")
    moved = studio(phone)["dimension"]["places"][0]["position"]
    assert moved["latitude"] - before["latitude"] == pytest.approx(10 / 111195, rel=0.01)
    page.locator(".map-editor [data-control=fit]").click()
    box = pin.bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 62, box["y"] + 22, steps=5)
    page.mouse.up()
    dragged = studio(phone)["dimension"]["places"][0]["position"]
    assert dragged["longitude"] > moved["longitude"]
    saved(phone)

    # Nobody sees it before it is published; then everybody, in the view.
    stranger = phone.server
    assert world not in [entry["id"] for entry in json.loads(stranger.get("/api/v1/worlds"))["worlds"]]
    page.click("#studio-publish")
    page.click("#publish-now")
    page.wait_for_selector("#publish-code")
    phone.wait("() => document.querySelector('#publish-code').naturalWidth > 0")
    assert page.input_value("#publish-address").endswith(f"/#/world/{world}")
    page.screenshot(path=output / "studio-published.png")
    page.goto(f"{server.url}/#/world/{world}?virtual=1&lat=48.3975&lon=9.9916&heading=0")
    phone.wait_ready()
    wait_until(lambda: "Minster" in " ".join(page.locator("#labels .label").all_inner_texts()), "the label is drawn")


def test_a_draft_is_tried_in_the_virtual_phone_at_another_time(desk, output):
    phone = desk()
    page = phone.page
    world = new_world(phone, "Only a draft")
    add_place(phone, "Gate", *ULM)
    saved(phone)
    page.click("#studio-preview")
    page.fill("#preview-time", "2024-06-21T12:00")
    page.click("#preview-go")
    phone.wait("() => location.hash.startsWith('#/draft/')")
    phone.wait_ready()
    wait_until(lambda: "Gate" in " ".join(page.locator("#labels .label").all_inner_texts()), "the draft's label is drawn")
    year = page.evaluate("() => window.sightline.session.decimalYear")
    assert year == pytest.approx(2024.47, abs=0.01)
    page.screenshot(path=output / "studio-preview.png")
    page.evaluate("() => history.back()")
    page.wait_for_selector("#studio-editor")
    assert studio(phone)["world"] == world
    # What was done before can still be undone, and the first tap on a dialog's button opens it.
    assert page.locator("#studio-undo").is_enabled()
    page.click("#studio-publish")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.click("#studio-undo")
    assert studio(phone)["dimension"]["places"][0]["position"]["longitude"] != ULM[1]


def test_the_town_stands_in_the_preview(desk, output):
    """From the hall of tracks of Helsinki's station: houses are simple blocks, light by day and dark by night."""
    phone = desk()
    page = phone.page
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message", "Multiple readback operations")
    new_world(phone, "Station")
    add_place(phone, "Platform", 60.1726, 24.9410)
    saved(phone)
    # Side by side at one height, a house and the sky: without the town they are the same.
    colours = """() => {
        const canvas = document.querySelector('#backdrop'), c = canvas.getContext('2d');
        return [0.5, 0.7].map((x) => [...c.getImageData(canvas.width * x, canvas.height * 0.36, 1, 1).data.slice(0, 3)]);
    }"""
    seen = {}
    for name, time in (("day", "2026-06-21T12:00"), ("night", "2026-12-21T23:00")):
        page.click("#studio-preview")
        for field, value in (("latitude", "60.17270"), ("longitude", "24.94113"), ("heading", "265")):
            page.fill(f"#preview-{field}", value)
            page.locator(f"#preview-{field}").dispatch_event("change")
        page.fill("#preview-time", time)
        page.click("#preview-go")
        phone.wait_ready()
        # The town comes after the first picture.
        phone.wait(f"(() => {{ const [house, sky] = ({colours})(); return house.some((value, k) => Math.abs(value - sky[k]) > 8); }})()")
        page.screenshot(path=output / f"studio-preview-town-{name}.png")
        seen[name] = page.evaluate(colours)
        page.evaluate("() => history.back()")
        page.wait_for_selector("#studio-editor")
    (house, heaven), (dark, _) = seen["day"], seen["night"]
    assert heaven[2] > heaven[0] + 20 and house[0] >= house[2], seen
    assert sum(house) > 1.5 * sum(dark), seen


def sky(page):
    """The colour at the top of the drawn picture, and how bright the whole is."""
    return page.evaluate("""() => {
        const canvas = document.querySelector('#backdrop');
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let sum = 0;
        for (let k = 0; k < pixels.length; k += 4) sum += pixels[k] + pixels[k + 1] + pixels[k + 2];
        return { top: [...pixels.slice(0, 3)], mean: sum / pixels.length * 4 / 3 };
    }""")


def test_the_sky_of_a_preview_is_that_of_its_hour(desk, output):
    phone = desk()
    page = phone.page
    world = new_world(phone, "Day and night")
    add_place(phone, "Gate", *ULM)
    saved(phone)
    seen = {}
    # In Ulm, by the sun: noon, sunset and midnight of midsummer's day, looking north-west where it sets.
    for name, time in {"day": "2026-06-21T11:20:00Z", "evening": "2026-06-21T19:25:00Z", "night": "2026-06-21T23:20:00Z"}.items():
        page.goto(f"{phone.server.url}/#/draft/{world}?virtual=1&lat=48.3970&lon=9.9916&heading=305&time={time}")
        page.reload()
        phone.wait_ready()
        phone.wait("() => document.querySelector('#backdrop').width > 0 && window.sightline.session.sky({ latitude: 48.4, longitude: 10 }) !== null")
        page.screenshot(path=output / f"studio-sky-{name}.png")
        seen[name] = sky(page)
    assert seen["day"]["mean"] > seen["evening"]["mean"] + 15 > seen["night"]["mean"] + 40, seen
    assert max(seen["night"]["top"]) < 40
    sun = page.evaluate("""() => { const { sun } = window.sightline.session.sky({ latitude: 48.4, longitude: 10 });
        return [sun.azimuth, sun.elevation].map((angle) => angle * 180 / Math.PI); }""")
    assert sun[1] < -15 and (abs(sun[0]) < 10 or abs(sun[0]) > 350), "the midnight sun stands in the north, below the horizon"


def test_changes_of_two_are_joined_and_contradictions_are_chosen(desk, server, output):
    first = desk()
    world = new_world(first, "Together")
    add_place(first, "One", 48.39, 9.99)
    add_place(first, "Two", 48.40, 9.99)
    saved(first)
    second = desk()
    second.page.goto(f"{server.url}/#/studio/world/{world}")
    second.page.wait_for_selector("#place-list")

    # Different things: both are in.
    add_place(second, "Three", 48.41, 9.99)
    saved(second)
    first.page.fill("#place-title", "Second")
    saved(first)
    assert titles(first) == ["One", "Second", "Three"]
    # What the other did stays when one undoes one's own.
    first.page.click("#studio-undo")
    assert titles(first) == ["One", "Two", "Three"]
    first.page.click("#studio-redo")
    saved(first)
    wait_until(lambda: titles(second) == ["One", "Second", "Three"], "the other editor takes the change in", 20)

    # The same thing: a choice, and nothing is lost.
    for phone, title in ((first, "Of the first"), (second, "Of the second")):
        if phone.page.locator("#place-panel").count():
            phone.page.click("#place-panel .panel-head button")
        phone.page.click("#place-list li:first-child button")
        phone.page.context.set_offline(True)
        phone.expect("ERR_INTERNET_DISCONNECTED")
        phone.page.fill("#place-title", title)
    first.page.context.set_offline(False)
    first.page.keyboard.press("Control+s")
    saved(first)
    second.page.context.set_offline(False)
    second.page.keyboard.press("Control+s")
    second.page.wait_for_selector("#studio-conflict")
    second.page.screenshot(path=output / "studio-conflict.png")
    text = second.page.inner_text("#studio-conflict")
    assert "Of the first" in text and "Of the second" in text
    second.page.locator('#studio-conflict fieldset[data-path$="/title"] input[value="theirs"]').check()
    label = second.page.locator('#studio-conflict fieldset[data-path$="/text"] input[value="theirs"]')
    if label.count():
        label.check()
    second.page.click("#conflict-apply")
    saved(second)
    assert titles(second)[0] == "Of the first"
    # The draft that lost is kept, and can be brought back.
    second.page.click("#tab-world")
    second.page.click("#studio-history")
    second.page.locator("#history-dialog [data-copy] button").first.click()
    wait_until(lambda: titles(second)[0] == "Of the second", "the copy is brought back")
    second.page.click("#studio-undo")
    saved(second)
    assert titles(second)[0] == "Of the first"


def test_edits_outlive_a_page_that_could_not_send_them(desk, server):
    phone = desk()
    page = phone.page
    world = new_world(phone, "Outage")
    add_place(phone, "Before", *ULM)
    saved(phone)
    phone.expect("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.fill("#place-title", "Meanwhile")
    phone.wait("() => window.sightline.state().studio.saveState === 'offline'")
    page.on("dialog", lambda dialog: dialog.accept())
    page.context.set_offline(False)
    page.route(re.compile("/api/v1/studio/worlds/.*"), lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    phone.expect("ERR_FAILED")
    page.reload()
    page.wait_for_selector("#place-list, #place-panel")
    assert titles(phone) == ["Meanwhile"]
    page.unroute_all()
    page.keyboard.press("Control+s")
    saved(phone)
    assert studio(phone)["world"] == world


def test_kml_comes_in_and_gddf_goes_out(desk, server):
    phone = desk()
    page = phone.page
    new_world(phone, "From files")
    page.click("#tab-world")
    page.click("#studio-import")
    kml = """<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Walk</name>
      <Placemark><name>Ford</name><Point><coordinates>9.99,48.4</coordinates></Point></Placemark>
      <Placemark><name>Mill &amp; weir</name><Point><coordinates>9.98,48.41</coordinates></Point></Placemark>
      </Document></kml>"""

    def choose(name, content):
        with page.expect_file_chooser() as chooser:
            page.click("#import-choose")
        chooser.value.set_files({"name": name, "mimeType": "application/octet-stream", "buffer": content.encode()})

    choose("broken.kml", "<kml><Document>")
    page.wait_for_selector("#import-found [role=alert]")
    choose("walk.kml", kml)
    page.click("#import-add")
    assert titles(phone) == ["Ford", "Mill & weir"]
    saved(phone)
    page.click("#studio-export")
    with page.expect_download() as download:
        page.click('#export-dialog [data-format="gddf"]')
    text = download.value.path().read_text()
    assert download.value.suggested_filename == "from-files.gddf"
    assert "Mill &amp; weir" in text and "<lat>48.41</lat>" in text
    page.keyboard.press("Escape")
    # The import is one step.
    page.click("#studio-undo")
    assert titles(phone) == []


def test_lines_and_areas_that_came_in_are_on_the_editors_map(desk, output):
    phone = desk()
    page = phone.page
    new_world(phone, "Ways and woods")
    page.click("#tab-world")
    page.click("#studio-import")
    kml = """<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Walk</name>
      <Placemark id="path"><name>Tow path</name><LineString><coordinates>9.98,48.39 9.99,48.40 10.00,48.40</coordinates></LineString></Placemark>
      <Placemark id="wood"><name>Wood</name><Polygon><outerBoundaryIs><LinearRing><coordinates>9.99,48.41 10.00,48.41 10.00,48.42 9.99,48.41</coordinates>
      </LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>"""
    with page.expect_file_chooser() as chooser:
        page.click("#import-choose")
    chooser.value.set_files({"name": "ways.kml", "mimeType": "application/octet-stream", "buffer": kml.encode()})
    page.click("#import-add")
    saved(phone)
    phone.wait("() => document.querySelectorAll('#editor-map svg path.leaflet-interactive').length === 2")
    page.screenshot(path=output / "studio-shapes.png")
    # A tap on a line chooses what it belongs to, and undoing the import takes the lines away.
    page.evaluate("() => document.querySelector('#editor-map svg path.leaflet-interactive').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    phone.wait("() => window.sightline.state().studio.selected !== null")
    page.click("#studio-undo")
    phone.wait("() => document.querySelectorAll('#editor-map svg path.leaflet-interactive').length === 0")


def test_overlays_are_put_on_the_phones_screen(desk, output):
    phone = desk()
    page = phone.page
    new_world(phone, "Screens")
    page.click("#tab-overlays")
    page.click("#overlay-add")
    page.fill("#overlay-text", "Welcome")
    box = page.locator(".phone-overlay")
    assert box.inner_text() == "Welcome"
    before = studio(phone)["dimension"]["overlays"][0]
    box.scroll_into_view_if_needed()
    canvas = page.locator("#phone-canvas").bounding_box()
    at = box.bounding_box()
    page.mouse.move(at["x"] + 8, at["y"] + 8)
    page.mouse.down()
    page.mouse.move(at["x"] + 8, at["y"] + 108, steps=4)
    page.mouse.up()
    after = studio(phone)["dimension"]["overlays"][0]
    assert after["y"] - before["y"] == pytest.approx(100 * 390 / canvas["width"], abs=12)
    assert after["x"] == pytest.approx(before["x"], abs=1)
    page.locator(".phone-overlay").focus()
    page.keyboard.press("Shift+ArrowLeft")
    assert studio(phone)["dimension"]["overlays"][0]["x"] == after["x"] - 10
    page.screenshot(path=output / "studio-overlays.png")
    saved(phone)


def meet(one, other):
    return one["left"] < other["right"] and one["right"] > other["left"] and one["top"] < other["bottom"] and one["bottom"] > other["top"]


def test_an_overlay_counts_from_a_corner_and_keeps_clear_of_the_bars(desk, new_phone, server, output):
    phone = desk()
    page = phone.page
    world = new_world(phone, "Corners")
    add_place(phone, "Minster", *ULM)
    page.click("#tab-overlays")
    page.click("#overlay-add")
    page.fill("#overlay-text", "Low")
    page.select_option("#overlay-anchor", "BR")
    page.fill("#overlay-x", "12")
    page.fill("#overlay-y", "10")
    page.locator('#overlay-form [data-pivot="BR"]').click()
    saved(phone)
    overlay = studio(phone)["dimension"]["overlays"][0]
    assert (overlay["anchor"], overlay["x"], overlay["y"]) == ("BR", 12, 10)
    page.screenshot(path=output / "studio-anchor.png")
    # A drag counts from the same corner.
    box = page.locator(".phone-overlay")
    box.scroll_into_view_if_needed()
    at = box.bounding_box()
    page.mouse.move(at["x"] + 4, at["y"] + 4)
    page.mouse.down()
    page.mouse.move(at["x"] - 36, at["y"] - 56, steps=4)
    page.mouse.up()
    moved = studio(phone)["dimension"]["overlays"][0]
    assert moved["anchor"] == "BR" and moved["x"] > 30 and moved["y"] > 40
    page.click("#studio-undo")
    saved(phone)
    page.click("#studio-publish")
    page.click("#publish-now")
    page.wait_for_selector("#publish-code")
    for screen in ((320, 568), (844, 390)):
        reader = new_phone(screen=screen, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
        reader.page.goto(f"{server.url}/#/world/{world}?virtual=1&lat=48.3975&lon=9.9916&heading=0")
        reader.page.locator(".overlay", has_text="Low").wait_for()
        reader.wait_ready()
        overlay, dock, *controls = reader.page.evaluate("""() => ['.overlay', '#dock', '#radar-box', '#ar-tools', '#walk-pad', '#sound']
          .map((name) => document.querySelector(name)).filter((one) => one?.checkVisibility({ visibilityProperty: true }))
          .map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => ({ left, top, right, bottom }))
          .filter(({ left, right }) => right > left)""")
        # In its corner, 12 pixels from the side and 10 above the bar, or beside and above the buttons that stand there.
        right, bottom = overlay["right"] - (screen[0] - 12), overlay["bottom"] - (dock["top"] - 10)
        assert not [one for one in controls if meet(overlay, one)], (overlay, controls)
        assert abs(right) <= 1 or any(abs(one["left"] - overlay["right"] - 6) <= 1 for one in controls), (overlay, controls)
        assert abs(bottom) <= 1 or any(abs(one["top"] - overlay["bottom"] - 6) <= 1 for one in controls), (overlay, controls)
        assert right <= 1 and bottom <= 1 and overlay["left"] >= 0 and overlay["top"] >= 0, (overlay, dock)
        corner = {edge: value - (right if edge in ("left", "right") else bottom) for edge, value in overlay.items()}
        assert (abs(right) <= 1 and abs(bottom) <= 1) or any(meet(corner, one) for one in controls), "it moves for something"
        reader.page.screenshot(path=output / f"anchored-{screen[0]}.png")


def test_lines_and_areas_are_drawn_on_the_map(desk, output):
    phone = desk()
    page = phone.page
    new_world(phone, "Drawn")
    add_place(phone, "Meadow", *ULM)
    page.locator('details:has(> summary [data-i18n="studio.shapes"]), details:has([data-i18n="studio.shapes"])').first.locator("summary").click()
    page.click("#draw-area")
    box = page.locator("#editor-map").bounding_box()
    spot = lambda x, y: page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)  # noqa: E731
    assert page.locator("#shape-done").is_disabled()
    for x, y in ((0.35, 0.4), (0.65, 0.4), (0.65, 0.7), (0.35, 0.7)):
        spot(x, y)
    assert page.locator(".shape-corner").count() == 4
    # Into the edge that is near, not at the end; a tap on a corner takes it away.
    spot(0.5, 0.4)
    assert page.locator(".shape-corner").count() == 5
    page.screenshot(path=output / "studio-drawing.png")
    page.locator(".shape-corner").nth(1).click()
    assert page.locator(".shape-corner").count() == 4
    page.click("#shape-done")
    place = saved(phone)["dimension"]["places"][0]
    [shape] = place["shapes"]
    ring = shape["parts"][0]
    assert shape["kind"] == "area" and len(ring) == 5 and ring[0] == ring[-1]
    assert ring[0][0] < ring[1][0] and ring[0][1] > ring[2][1], "west to east, north to south"
    assert page.locator("#editor-map svg path.leaflet-interactive").count() == 1
    page.fill("#shape-width", "7")
    # Changed again: the keyboard moves a corner and cancelling changes nothing.
    page.click("#change-shape")
    page.locator(".shape-corner").first.focus()
    page.keyboard.press("Shift+ArrowUp")
    page.wait_for_timeout(300)
    page.keyboard.press("Escape")
    assert page.locator(".shape-corner").count() == 0
    assert saved(phone)["dimension"]["places"][0]["shapes"] == place["shapes"]
    assert studio(phone)["dimension"]["places"][0]["shapeStyle"]["width"] == 7
    page.click("#remove-shape")
    assert "shapes" not in saved(phone)["dimension"]["places"][0]


def test_how_a_surveyed_marker_hangs(desk):
    phone = desk()
    page = phone.page
    new_world(phone, "Hung")
    add_place(phone, "Plate", *ULM)
    page.select_option("#place-stands", "marker")
    page.fill("#marker-facing", "210")
    page.fill("#marker-tilt", "-5")
    marker = saved(phone)["dimension"]["places"][0]["marker"]
    assert marker["facing"] == 210 and marker["tilt"] == -5 and "roll" not in marker
    page.fill("#marker-facing", "")
    marker = saved(phone)["dimension"]["places"][0]["marker"]
    assert not {"facing", "tilt", "roll"} & marker.keys(), "without a direction nothing else is left"


def test_a_world_speaks_the_readers_language(desk, new_phone, server):
    phone = desk()
    page = phone.page
    world = new_world(phone, "Languages")
    add_place(phone, "Minster", *ULM)
    page.locator('details:has([data-i18n="studio.languages"]) summary').click()
    page.locator('details:has([data-i18n="studio.languages"]) select').select_option("de")
    page.locator('fieldset[data-language="de"] input').first.fill("Münster")
    saved(phone)
    page.click("#studio-publish")
    page.click("#publish-now")
    page.wait_for_selector("#publish-code")
    answer = json.loads(server.get(f"/api/v1/worlds/{world}"))
    assert answer["dimension"]["places"][0]["translations"] == {"de": {"title": "Münster"}}

    # German readers see German words.
    reader = new_phone(locale="de-DE", screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    reader.page.goto(f"{server.url}/#/world/languages?virtual=1&lat=48.3975&lon=9.9916&heading=0")
    reader.wait_ready()
    wait_until(lambda: "Münster" in " ".join(reader.page.locator("#labels .label").all_inner_texts()), "the German label is drawn")


def test_on_a_phone_everything_has_room(desk, output):
    phone = desk(screen=(390, 844))
    new_world(phone, "Small")
    add_place(phone, "Here", *ULM)
    phone.page.screenshot(path=output / "studio-phone.png")
    width = phone.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390
    phone.page.click("#tab-overlays")
    phone.page.screenshot(path=output / "studio-phone-overlays.png")
    # On the smallest phones the buttons that do nothing now make room for the world's name.
    phone.page.set_viewport_size({"width": 320, "height": 568})
    assert phone.page.locator(".editor-name").bounding_box()["width"] >= 80
    assert phone.page.locator("#studio-publish").bounding_box()["x"] + phone.page.locator("#studio-publish").bounding_box()["width"] <= 320
    phone.page.screenshot(path=output / "studio-phone-320.png")
