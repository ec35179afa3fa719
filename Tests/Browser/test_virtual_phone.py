"""The phone that a computer pretends to be: mouse and keys instead of sensors."""
import math
import time

import pytest
from support import geometry
from support.foreign import gddf, place
from support.phone import FIELD_OF_VIEW, wait_until
from support.worlds import EYE, level

SCREEN = (1200, 800)


@pytest.fixture
def desktop(new_phone, foreign):
    """A computer looking at a virtual phone that stands at EYE and looks north, without any permission."""
    desktop = new_phone(screen=SCREEN, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    address = foreign.serve("/virtual.gddf", gddf("Virtual", [
        place("north", "North", *level(EYE, 2, 400)), place("east", "East", *level(EYE, 90, 400)),
        place("south", "South", *level(EYE, 185, 600))], relative=True))
    desktop.open_foreign(address, virtual=1, lat=EYE[0], lon=EYE[1], heading=0, pitch=0)
    desktop.wait_ready()
    desktop.settle()
    return desktop


def pose(desktop):
    return desktop.state()["pose"]


def expected(desktop, position, heading, pitch):
    focal = geometry.focal_points(SCREEN, SCREEN, FIELD_OF_VIEW)
    eye = (pose(desktop)["latitude"], pose(desktop)["longitude"], 0)
    return geometry.project(geometry.east_north_up(eye, (*position[:2], 0)), geometry.held(heading, pitch), SCREEN, focal)


def test_places_are_drawn_where_they_are(desktop):
    """The drawn picture has the screen's shape and the usual field of view; true north, no declination."""
    target = level(EYE, 2, 400)
    assert desktop.labels()["north"]["anchor"] == pytest.approx(expected(desktop, target, 0, 0), abs=2)


def test_a_drag_keeps_what_is_under_the_pointer(desktop):
    before = desktop.labels()["north"]["anchor"]
    mouse = desktop.page.mouse
    mouse.move(600, 560)
    mouse.down()
    mouse.move(700, 540, steps=12)
    mouse.up()
    desktop.settle()
    turned = pose(desktop)
    assert turned["heading"] > 180 and turned["pitch"] < 0, "the world was dragged right and up"
    after = desktop.labels()["north"]["anchor"]
    # Near the middle of the picture the world moves as far as the pointer.
    assert after[0] - before[0] == pytest.approx(100, abs=8)
    assert after[1] - before[1] == pytest.approx(-20, abs=6)
    assert after == pytest.approx(expected(desktop, level(EYE, 2, 400), turned["heading"], turned["pitch"]), abs=2)


def test_keys_walk_and_turn(desktop):
    keyboard = desktop.page.keyboard
    desktop.page.locator("#scene").focus()
    start = pose(desktop)
    keyboard.down("w")
    wait_until(lambda: geometry.great_circle(EYE, (pose(desktop)["latitude"], pose(desktop)["longitude"])) > 5, "walking")
    keyboard.up("w")
    now = pose(desktop)
    assert now["latitude"] > start["latitude"] and now["longitude"] == pytest.approx(start["longitude"], abs=1e-7)
    time.sleep(0.2)
    still = pose(desktop)
    time.sleep(0.3)
    assert pose(desktop) == still, "a key that was let go of walks no more"
    keyboard.down("ArrowRight")
    wait_until(lambda: pose(desktop)["heading"] > 20, "turning to the right")
    keyboard.up("ArrowRight")
    keyboard.down("PageUp")
    wait_until(lambda: pose(desktop)["pitch"] > 5, "looking up")
    keyboard.up("PageUp")


def test_an_arrow_turns_to_what_it_points_at(desktop):
    desktop.page.locator('.edge-arrow[data-side="right"]').click()
    wait_until(lambda: abs(pose(desktop)["heading"] - 90) < 1, "turned to the east")
    desktop.wait_label("east")
    assert desktop.state()["selected"] == 1


def test_the_horizon_is_drawn_behind(desktop):
    """Sky above, ground below, and the horizon moves with the pitch."""
    def colours():
        return desktop.page.evaluate("""() => {
          const drawn = document.querySelector('#backdrop'), c = new OffscreenCanvas(drawn.width, drawn.height);
          const g = c.getContext('2d', { willReadFrequently: true });
          g.drawImage(drawn, 0, 0);
          return [0.05, 0.95].map((y) => [...g.getImageData(c.width * 0.3, c.height * y, 1, 1).data]);
        }""")
    sky, ground = colours()
    assert sky != ground and sky[2] > sky[0], "the sky is the bluer one"
    desktop.page.locator("#scene").focus()
    desktop.page.keyboard.down("PageUp")
    wait_until(lambda: pose(desktop)["pitch"] > 60, "looking up")
    desktop.page.keyboard.up("PageUp")
    desktop.settle()
    up = colours()
    assert abs(up[1][2] - sky[2]) + abs(up[1][0] - sky[0]) < 160 and up[1] != ground, "looking up there is sky all over"


def test_keyboard_only_from_the_start_page_to_a_card(new_phone, foreign):
    """Nobody needs a pointer: open an address, choose a place, read its card, close it."""
    desktop = new_phone(screen=SCREEN, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    address = foreign.serve("/keys.gddf", gddf("Keys", [place("north", "North", *level(EYE, 2, 400))], relative=True))
    desktop.open()
    keyboard = desktop.page.keyboard

    def tab_to(selector, limit=60):
        for _ in range(limit):
            if desktop.page.evaluate("(s) => document.activeElement?.matches(s) ?? false", selector):
                return
            keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    tab_to("#address")
    keyboard.type(address)
    keyboard.press("Enter")
    desktop.wait_ready()
    desktop.wait_label("north")
    tab_to(".label")
    keyboard.press("Enter")
    desktop.page.locator("#card").wait_for(state="visible")
    assert desktop.page.locator("#card h2").inner_text() == "North"
    tab_to("#card .card-close")
    keyboard.press("Enter")
    desktop.page.locator("#card").wait_for(state="hidden")
    tab_to("#view-list")
    keyboard.press("Enter")
    desktop.page.wait_for_selector("#list .row")
    tab_to("#list .row")
    keyboard.press("Enter")
    desktop.page.locator("#card").wait_for(state="visible")
    tab_to("#menu")
    keyboard.press("Enter")
    desktop.page.wait_for_selector("#menu-dialog[open]")
    keyboard.press("Escape")
    desktop.page.wait_for_selector("#menu-dialog", state="detached")
    assert desktop.page.evaluate("document.activeElement.id") == "menu", "the focus comes back"
