"""The first minute, anywhere in the world: something is there to turn to, to tap and to look at, without a place nearby."""
import math

import pytest
from support import geometry

STOCKHOLM = (59.33, 18.06, 20.0)
DESKTOP = dict(screen=(1440, 900), mobile=False, sensors=False, picture=None, permissions=(), scale=1)


def moment(phone, name):
    phone.wait("(name) => document.querySelector('#guide')?.dataset.moment === name", name)


@pytest.mark.parametrize("screen", [(320, 568), (390, 844)])
def test_turn_tap_and_look_on_a_phone_far_from_everything(new_phone, screen):
    phone = new_phone(screen=screen)
    phone.move(STOCKHOLM)
    phone.point(30)
    phone.open()
    phone.tap("#look-around")
    phone.page.wait_for_selector("#start-ar:visible")
    phone.start()
    moment(phone, "turn")
    phone.wait_label("hello")
    # It was made around the phone, whichever way it was held.
    places = phone.page.evaluate("window.sightline.session.content.places.map((place) => [place.id, place.position])")
    at = {name: (p["latitude"], p["longitude"]) for name, p in places}
    assert all(geometry.great_circle(STOCKHOLM, (*p, 0)) < 200 for p in at.values()), at
    for heading in (110, 210):
        phone.point(heading)
    moment(phone, "tap")
    phone.wait_label("balloon")
    phone.settle()
    phone.tap('.label[data-id="balloon"]')
    phone.page.wait_for_selector("#card:visible")
    moment(phone, "look")
    phone.tap("#card .card-close")
    panel = phone.page.locator("#guide")
    panel.wait_for(state="visible")
    # The panel shows before its words are there.
    phone.wait("document.querySelector('#guide').innerText.includes('/#/show/around')")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= screen[0]
    # Nobody has to have a second screen.
    panel.locator('[data-guide="around.skip"]').tap()
    moment(phone, "end")
    panel.get_by_role("link").tap()
    phone.wait("document.documentElement.dataset.view === 'start'")


def test_on_a_desktop_with_the_virtual_phone(new_phone):
    desktop = new_phone(**DESKTOP)
    desktop.open()
    desktop.page.locator("#look-around").click()
    desktop.wait_ready()
    moment(desktop, "turn")
    desktop.wait_label("hello")
    desktop.page.keyboard.down("KeyE")
    moment(desktop, "tap")
    desktop.page.keyboard.up("KeyE")
    desktop.settle()
    desktop.wait_label("balloon")
    desktop.page.locator('.label[data-id="balloon"]').click()
    moment(desktop, "look")
    # This server is known to this machine only: no code that leads a phone to itself, and a word about it.
    assert desktop.page.locator("#guide .qr").count() == 0
    assert desktop.page.locator("#guide .local-only").is_visible()


def test_on_a_desktop_a_code_takes_the_page_to_a_phone(new_phone):
    """The code is read by the engine's own reader."""
    desktop = new_phone(**DESKTOP)
    desktop.page.route("**/api/v1/settings", lambda route: route.fulfill(
        json={**route.fetch().json(), "publicURL": "https://ar.example.org"}))
    desktop.open("/around?virtual=1")
    desktop.wait_ready()
    for name in ("tap", "look"):
        desktop.page.locator('#guide [data-guide="around.skip"]').click()
        moment(desktop, name)
    desktop.page.wait_for_selector("#guide .qr")
    text = desktop.page.evaluate("""async () => {
      const base = document.querySelector('link[rel=modulepreload]').href.replace(/app\\/.*/, '');
      const { Codes } = await import(base + 'engine/codes.js');
      const codes = await Codes.make(await WebAssembly.compileStreaming(fetch(base + 'vision.wasm')));
      const image = new Image();
      const source = document.querySelector('#guide .qr').cloneNode(true);
      source.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
      source.setAttribute('width', 300);
      source.setAttribute('height', 300);
      image.src = 'data:image/svg+xml,' + encodeURIComponent(source.outerHTML);
      await image.decode();
      const canvas = new OffscreenCanvas(300, 300);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 300, 300);
      const pixels = context.getImageData(0, 0, 300, 300).data;
      codes.room(pixels.length).set(pixels);
      return codes.detect({ format: 'rgba', width: 300, height: 300, offset: 0, stride: 1200, isLimited: false }, true)[0]?.text;
    }""")
    assert text == "https://ar.example.org/#/around"
    assert desktop.page.locator("#guide .local-only").is_hidden()


def test_it_moves_along_when_the_first_position_was_wrong(new_phone):
    phone = new_phone()
    phone.move((59.34, 18.08, 20.0), 900.0)
    phone.point(0)
    phone.open("/around")
    phone.start()
    phone.move(STOCKHOLM, 4.0)
    phone.wait("""([lat, lon]) => {
      const p = window.sightline.session.content.places.find((place) => place.id === 'balloon').position;
      return Math.hypot((p.latitude - lat) * 111195, (p.longitude - lon) * 111195 * Math.cos(lat * Math.PI / 180)) < 150;
    }""", list(STOCKHOLM[:2]))


@pytest.mark.parametrize("world, count", [("museum", 3), ("picture-wall", 4), ("marker-table", 4)])
def test_what_a_world_needs_is_shown_on_another_screen(new_phone, world, count):
    other = new_phone(**DESKTOP)
    other.open(f"/show/{world}")
    other.wait("window.sightline.state().show?.state === 'ready'")
    assert other.state()["show"]["prints"] == count
    assert other.page.locator(".show-sheet.current").count() == 1
    box = other.page.locator(".show-sheet.current img, .show-sheet.current svg").bounding_box()
    assert box["height"] > 500, "as large as the screen"
    other.page.locator("#show-after").click()
    assert other.state()["show"]["index"] == 1
    # On paper each is a page of its own, in its true size.
    other.page.emulate_media(media="print")
    first = other.page.locator(".show-sheet img, .show-sheet svg").first.bounding_box()
    width = {"museum": 360, "picture-wall": 297, "marker-table": 60}[world]
    assert math.isclose(first["width"], width / 25.4 * 96, abs_tol=1.5)


def test_what_is_wrong_does_not_lie_on_the_guide(new_phone):
    phone = new_phone(screen=(320, 568))
    phone.move(STOCKHOLM)
    phone.point(30)
    phone.open("/around")
    phone.start()
    phone.page.locator("#guide").wait_for(state="visible")
    phone.move(STOCKHOLM, 400.0)
    phone.page.locator("#status-note").wait_for(state="visible")
    assert phone.page.locator("#guide").is_hidden(), "the note has its place"
    assert phone.page.locator("#filter-chip").is_hidden(), "nothing to filter here"
    # A light that was tapped is tapped again, or the note goes by itself.
    phone.tap("#status-location")
    if phone.page.locator("#status-note").is_visible():
        phone.tap("#status-location")
    phone.page.locator("#guide").wait_for(state="visible")
