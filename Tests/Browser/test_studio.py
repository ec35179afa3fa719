"""Accounts and the studio: signing in, making a world, two who edit it at once, files in and out."""
import base64
import json
import re
import struct

import pytest
from support.phone import wait_until

TABLET = (1024, 768)
PASSWORD = "a gull and 7 boats"
ULM = (48.3984, 9.9916)


@pytest.fixture(scope="module")
def author(server):
    """The name of an account; its password is PASSWORD."""
    server.add_account("astrid", PASSWORD)
    return "astrid"


@pytest.fixture
def desk(new_phone, author):
    """Makes browsers at a desk, signed in."""
    def make(name=author, screen=TABLET, **options):
        phone = new_phone(screen=screen, mobile=False, sensors=False, permissions=(), picture=None, scale=1, **options)
        # The page asks who is signed in; what it may not do is said in answers of 401, 403, 409, which browsers log.
        phone.expect("status of 401", "status of 409", "status of 422", "status of 404")
        page = phone.page
        page.goto(phone.server.url + "/#/account")
        page.fill("#account-name", name)
        page.fill("#account-password", PASSWORD)
        page.click("#account-sign-in")
        page.wait_for_selector("#studio-new")
        return phone
    return make


def studio(phone):
    return phone.page.evaluate("() => window.sightline.state().studio")


def saved(phone):
    """Waits until the server has everything."""
    phone.wait("() => window.sightline.state().studio?.saved && window.sightline.state().studio.saveState === 'saved'")
    return studio(phone)


def new_world(phone, title):
    page = phone.page
    page.goto(phone.server.url + "/#/studio")
    page.click("#studio-new")
    page.fill("#new-title", title)
    page.click("#new-make")
    page.wait_for_selector("#studio-editor")
    return studio(phone)["world"]


def add_place(phone, title, latitude, longitude):
    page = phone.page
    page.click("#tab-places")
    if page.locator("#place-panel").count():
        page.click("#place-panel .panel-head button")
    page.click("#studio-add")
    page.click("#add-middle")
    page.fill("#place-title", title)
    page.fill("#place-latitude", str(latitude))
    page.fill("#place-longitude", str(longitude))


def titles(phone):
    return [place["title"] for place in studio(phone)["dimension"]["places"]]


def picture(page):
    """A photograph of 640 × 480 pixels that says to be turned, and where it was taken."""
    data = page.evaluate("""() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
        const context = canvas.getContext('2d');
        context.fillStyle = '#1e78c8';
        context.fillRect(0, 0, 640, 480);
        return canvas.toDataURL('image/jpeg').split(',')[1];
    }""")
    jpeg = base64.b64decode(data)
    note = b"taken at 48.3984 N 9.9916 E\0"
    # Two entries: the description, and orientation 6 (turn right).
    tiff = struct.pack("<2sHIH", b"II", 42, 8, 2) + struct.pack("<HHII", 0x010E, 2, len(note), 38)
    tiff += struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0) + struct.pack("<I", 0) + note
    segment = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]


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
    page.locator(".map-editor .map-buttons button").nth(3).click()
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


def test_a_world_speaks_the_readers_language(desk, server):
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


def test_german_readers_see_german_words(desk, new_phone, server):
    phone = new_phone(locale="de-DE", screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    phone.page.goto(f"{server.url}/#/world/languages?virtual=1&lat=48.3975&lon=9.9916&heading=0")
    phone.wait_ready()
    wait_until(lambda: "Münster" in " ".join(phone.page.locator("#labels .label").all_inner_texts()), "the German label is drawn")


def test_on_a_phone_everything_has_room(desk, output):
    phone = desk(screen=(390, 844))
    new_world(phone, "Small")
    add_place(phone, "Here", *ULM)
    phone.page.screenshot(path=output / "studio-phone.png")
    width = phone.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390
    phone.page.click("#tab-overlays")
    phone.page.screenshot(path=output / "studio-phone-overlays.png")


def test_signing_out_ends_it_and_wrong_passwords_are_told(new_phone, server, author):
    phone = new_phone(screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    phone.expect("status of 401")
    page = phone.page
    page.goto(server.url + "/#/studio")
    page.wait_for_selector("#account-name")
    page.fill("#account-name", author)
    page.fill("#account-password", "not the password")
    page.click("#account-sign-in")
    phone.wait("() => document.querySelector('.form-message').textContent.length > 20")
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    page.wait_for_selector("#studio-new")
    page.click("#studio-account")
    page.click("#account-sign-out")
    page.wait_for_selector("#account-sign-in")
    page.goto(server.url + "/#/studio")
    page.wait_for_selector("#account-sign-in")


def test_an_operator_invites_and_the_link_makes_an_account(new_phone, server, output):
    server.add_account("chief", PASSWORD, "operator")
    phone = new_phone(screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    page = phone.page
    page.goto(server.url + "/#/account")
    page.fill("#account-name", "chief")
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    page.wait_for_selector("#studio-new")
    page.goto(server.url + "/#/account")
    page.wait_for_selector('#account-list [data-account="chief"]')
    page.screenshot(path=output / "account.png")
    page.click('[data-invite="author"]')
    link = page.input_value("#account-link")
    guest = new_phone(screen=(390, 844))
    guest.expect("status of 409", "status of 422")
    guest.page.goto(link)
    guest.page.fill("#account-name", "nils")
    guest.page.fill("#account-password", PASSWORD)
    guest.page.fill("#account-again", PASSWORD)
    guest.page.screenshot(path=output / "account-link.png")
    guest.page.click("#account-accept")
    guest.page.wait_for_selector("#studio-new")


def test_a_second_tab_that_signs_in_anew_does_not_stop_the_first(desk, server):
    phone = desk()
    page = phone.page
    new_world(phone, "Two tabs")
    add_place(phone, "Before", *ULM)
    saved(phone)
    phone.expect("status of 403")
    other = phone.context.new_page()
    other.goto(server.url + "/#/account")
    status = other.evaluate("""async (password) => (await fetch('/api/v1/session', {
        method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'astrid', password }) })).status""", PASSWORD)
    assert status == 200
    other.close()
    page.fill("#place-title", "After")
    saved(phone)
    assert titles(phone) == ["After"]
