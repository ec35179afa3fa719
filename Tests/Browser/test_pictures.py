"""Pictures of every view, with the demonstration world, to be looked at (Tests/Browser/output), and those of the README
(`pytest test_pictures.py --readme-picture FILE --minute-pictures Documentation/images`). The tests only see to it that there is something on them."""
import json
import pathlib

import pytest
from support.look import Look
from support.phone import wait_until
from test_first_minute import moment

# On the bank of the Danube at Neu-Ulm, looking north over the river to the old town of Ulm.
STANDPOINT = (48.39425, 9.99665, 473.0)
HEADING = -30.0


@pytest.fixture
def world(server):
    """The demonstration world with most places."""
    worlds = json.loads(server.get("/api/v1/worlds"))["worlds"]
    return max(worlds, key=lambda world: world["places"])


def open_view(phone, world, pitch=6.0, heading=HEADING, **options):
    extra = "".join(f"&{name}={value}" for name, value in options.items())
    phone.open(f"/world/{world['id']}{extra and '?' + extra[1:]}")
    phone.point(heading - phone.declination, pitch)
    if phone.state().get("entered") is not True:
        phone.tap("#start-ar")
    phone.wait_ready()
    phone.settle()


def shoot(phone, path):
    phone.page.screenshot(path=path)
    assert path.stat().st_size > 10_000, "an empty picture"


@pytest.mark.parametrize("name, screen, picture", [
    ("ar-portrait", (390, 844), (720, 1280)), ("ar-landscape", (844, 390), (1280, 720)), ("ar-small", (320, 568), (720, 1280)),
    ("ar-tablet", (1024, 768), (1280, 960))])
def test_ar(new_phone, world, output, name, screen, picture):
    phone = new_phone(screen=screen, picture=picture, position=STANDPOINT)
    open_view(phone, world)
    assert phone.page.locator(".label:visible").count() >= 2
    shoot(phone, output / f"{name}.png")


def test_a_card(new_phone, world, output):
    phone = new_phone(position=STANDPOINT)
    open_view(phone, world)
    phone.page.locator(".label:visible").first.dispatch_event("click")
    phone.page.locator("#card").wait_for(state="visible")
    phone.page.wait_for_timeout(600)
    shoot(phone, output / "card.png")


@pytest.mark.parametrize("name", ["map", "list"])
def test_map_and_list(new_phone, world, output, name):
    phone = new_phone(position=STANDPOINT)
    open_view(phone, world)
    phone.tap(f"#view-{name}")
    phone.page.wait_for_selector(f'html[data-view="{name}"]')
    phone.page.wait_for_selector(".map-pin" if name == "map" else "#list .row", state="attached")
    phone.page.wait_for_timeout(600)
    shoot(phone, output / f"{name}.png")


def test_start(new_phone, output, world):
    phone = new_phone(position=STANDPOINT)
    phone.open()
    phone.page.wait_for_selector(".world-card[data-world]")
    phone.page.wait_for_timeout(400)
    shoot(phone, output / "start.png")
    phone.page.locator(f'.world-card[data-world="{world["id"]}"]').tap()
    phone.page.wait_for_selector("#start-ar:visible")
    phone.page.wait_for_timeout(400)
    shoot(phone, output / "readiness.png")


def test_virtual_phone(new_phone, world, output):
    """What a newcomer at a computer sees: from the start page to places within one click and without a question."""
    desktop = new_phone(screen=(1280, 800), mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    desktop.open()
    desktop.page.wait_for_selector(".world-card[data-world]")
    desktop.page.wait_for_timeout(300)
    shoot(desktop, output / "start-desktop.png")
    desktop.page.locator(f'.world-card[data-world="{world["id"]}"]').click()
    desktop.wait_ready()
    desktop.settle()
    wait_until(lambda: desktop.page.locator(".label:visible").count() >= 3, "a view with places in it")
    shoot(desktop, output / "virtual-phone.png")
    desktop.page.locator("#view-map").click()
    desktop.page.wait_for_selector(".map-pin", state="attached")
    desktop.page.wait_for_timeout(600)
    shoot(desktop, output / "map-desktop.png")


def test_swedish(new_phone, world, output):
    phone = new_phone(position=STANDPOINT, locale="sv-SE")
    phone.open()
    phone.page.wait_for_selector(".world-card[data-world]")
    phone.page.wait_for_timeout(400)
    shoot(phone, output / "start-swedish.png")
    open_view(phone, world)
    phone.tap("#menu")
    phone.page.wait_for_timeout(500)
    shoot(phone, output / "menu-swedish.png")


def test_the_gddf_world(new_phone, server, output):
    """The dimension with texts, pictures, overlays and actions."""
    worlds = json.loads(server.get("/api/v1/worlds"))["worlds"]
    walk = next(world for world in worlds if world["overlays"] > 0)
    phone = new_phone(position=STANDPOINT)
    open_view(phone, walk, pitch=2.0)
    phone.page.wait_for_timeout(600)
    assert phone.page.locator("[data-overlay]:visible").count() > 0
    shoot(phone, output / "ar-gddf.png")


def test_readme_picture(new_phone, world, request, output):
    """A phone in landscape on the fortress side of the old town, small enough for a repository."""
    target = request.config.getoption("--readme-picture")
    phone = new_phone(screen=(960, 540), picture=(1280, 720), position=(48.3935, 9.988, 475.0), scale=1.1)
    open_view(phone, world, pitch=10.0, heading=37.0)
    path = output / "readme.png"
    shoot(phone, path)
    assert path.stat().st_size < 300_000, f"{path.stat().st_size} bytes are too many for a repository"
    if target:
        with open(target, "wb") as file:
            file.write(path.read_bytes())


STOCKHOLM = (59.33, 18.06, 20.0)
# 0.8: as wide as a column of the README's table.
MINUTES = {"readme": dict(screen=(390, 844), scale=0.8), "small": dict(screen=(320, 568), scale=1), "desktop": dict(screen=(1440, 900), mobile=False, scale=0.8)}


@pytest.mark.parametrize("size", list(MINUTES))
def test_the_first_minute(browser, new_phone, request, output, size):
    """Six pictures of a visitor's first minute, far from everything: turn, tap, and stand where the places are."""
    phone = new_phone(**MINUTES[size], picture=(720, 1280), color_scheme="dark", reduced_motion="reduce")
    look = Look(browser, output)
    target = request.config.getoption("--minute-pictures") if size == "readme" else None
    try:
        def shot(name):
            phone.page.wait_for_timeout(400)
            picture = phone.page.screenshot(animations="disabled")
            (output / f"minute-{name}.{size}.png").write_bytes(picture)
            if target:
                (pathlib.Path(target) / f"minute-{name}.png").write_bytes(look.reduced(picture, smooth=True))

        phone.move(STOCKHOLM)
        phone.point(30)
        phone.open()
        phone.page.wait_for_selector(".world-art.has-cover")
        shot("1-start")
        # A desktop would take the virtual phone; this one has a camera, and the same minute.
        phone.page.evaluate("location.hash = '#/around'")
        phone.page.wait_for_selector("#start-ar:visible")
        phone.start()
        moment(phone, "turn")
        phone.wait_label("hello")
        phone.settle()
        shot("2-turn")
        for heading in (110, 210):
            phone.point(heading)
        moment(phone, "tap")
        phone.wait_label("balloon")
        phone.settle()
        shot("3-found")
        phone.tap('.label[data-id="balloon"]')
        phone.page.wait_for_selector("#card:visible")
        phone.settle()
        shot("4-card")
        # A camera that was let go shows nothing more: the page comes anew.
        phone.page.goto("about:blank")
        phone.open("/world/ulm")
        phone.page.wait_for_selector("#gate:not([hidden])")
        phone.start()
        phone.page.wait_for_selector("#nothing-here:not([hidden])")
        shot("5-far")
        phone.tap('#nothing-here [data-step="nothing.standThere"]')
        phone.wait("window.sightline.state().frame?.items > 0")
        phone.settle()
        shot("6-there")
    finally:
        look.close()
