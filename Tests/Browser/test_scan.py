"""Scan mode: a code before the camera is read, shown, and opened only by a tap."""
import base64
import json
import math
import pathlib
import re
import subprocess

import pytest

from support.marker_pictures import png
from support.phone import wait_until
from support.picture import decode
from support.sightline import PROGRAM
from support.worlds import ring

HERE = pathlib.Path(__file__).parent
CAMERA = (HERE / "support" / "marker_camera.js").read_text()
SIZE = (960, 540)
TEXTS = {
    "world": "gamaray://quiz.example.org/round/12.gddf?team=otter",
    "page": "https://example.org/tickets",
    "own": "SERVER/#/world/ulm",
    "short": "sightline:world/danube-walk",
    "words": "Grüße aus Köln: 你好",
    "script": "javascript:alert(1)",
    "anchored": "sightline:world/danube-walk?at=48.4,10,480&facing=180&size=0.24",
}


def modules_of(svg):
    """Rows of a drawn code, without the quiet zone of four modules; true is dark."""
    side = int(re.search(r'viewBox="0 0 (\d+)', svg)[1]) - 8
    rows = [[False] * side for _ in range(side)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", svg):
        for k in range(int(length)):
            rows[int(y) - 4][int(x) - 4 + k] = True
    return rows


@pytest.fixture(scope="session")
def modules(tmp_path_factory, server):
    """The modules of each code, as the command line draws them."""
    folder = tmp_path_factory.mktemp("codes")

    def made(name, text):
        path = folder / f"{name}.svg"
        subprocess.run([PROGRAM, "qr", "make", text, "--output", path], check=True, capture_output=True)
        return modules_of(path.read_text())
    return {name: made(name, text.replace("SERVER", server.url)) for name, text in TEXTS.items()}


def picture(code, module=6, left=320, top=110):
    """The code in the middle of a grey table."""
    width, height = SIZE
    rows = [bytearray([150] * width) for _ in range(height)]
    quiet = 4
    for y in range((len(code) + 2 * quiet) * module):
        for x in range((len(code) + 2 * quiet) * module):
            r, c = y // module - quiet, x // module - quiet
            dark = 0 <= r < len(code) and 0 <= c < len(code) and code[r][c]
            rows[top + y][left + x] = 30 if dark else 225
    return rows


@pytest.fixture(scope="session")
def pictures(modules):
    drawn = {name: base64.b64encode(png(picture(code))).decode() for name, code in modules.items()}
    drawn["nothing"] = base64.b64encode(png([bytearray([150] * SIZE[0]) for _ in range(SIZE[1])])).decode()
    return drawn


@pytest.fixture
def scanning(new_phone, pictures):
    phone = new_phone(picture=None, scripts=[CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures)), """
      window.buzzed = []; navigator.vibrate = (v) => { window.buzzed.push(v); return true; };"""], scale=1)
    phone.open("/scan", wait=False)
    phone.wait("window.sightline.state().scan?.camera === 'running'")
    return phone


def show(phone, name):
    phone.page.evaluate("(name) => window.markerCamera.show(name)", name)


def result(phone):
    phone.page.locator("#scan-result").wait_for(state="visible")
    return phone.page.locator("#scan-text").inner_text()


def test_a_world_is_shown_before_it_is_opened(scanning, output):
    phone = scanning
    phone.page.screenshot(path=output / "scan-looking.png")
    show(phone, "world")
    assert result(phone) == TEXTS["world"]
    assert phone.page.locator(".scan-host").inner_text() == "quiz.example.org"
    assert phone.page.evaluate("window.buzzed.length") == 1
    assert phone.page.evaluate("location.hash") == "#/scan", "nothing opens by itself"
    phone.page.screenshot(path=output / "scan-world.png")
    phone.page.locator("#scan-world").tap()
    phone.wait("location.hash.startsWith('#/open?url=gamaray')")
    phone.expect("quiz.example.org", "502", "Failed to load resource")
    phone.page.locator("#scan-page").wait_for(state="detached")


def test_the_outline_lies_on_the_picture_in_which_the_code_was_found(scanning, output):
    """The camera moves on while the result is read; outline and picture belong together."""
    phone = scanning
    show(phone, "page")
    result(phone)
    show(phone, "nothing")
    phone.page.wait_for_timeout(600)
    box = phone.page.locator(".scan-outline polygon").bounding_box()
    left, right = max(0, box["x"]), min(390, box["x"] + box["width"])
    shot = phone.page.screenshot(path=output / "scan-held.png", clip={"x": left, "y": box["y"], "width": right - left, "height": box["height"]})
    spots = [(x, y) for x in range(4, int(right - left) - 4, 3) for y in range(4, int(box["height"]) - 4, 3)]
    dark = [colour for colour in decode(phone.page, shot, spots)["colours"] if colour[0] < 75]
    assert len(dark) > 0.2 * len(spots), "the code itself is under its outline"
    phone.page.locator("#scan-again").tap()
    assert not phone.page.locator(".scan-held").is_visible(), "the camera's picture is there again"


def test_the_same_code_is_not_told_again(scanning):
    phone = scanning
    show(phone, "page")
    assert result(phone) == TEXTS["page"]
    link = phone.page.locator("#scan-page-link")
    assert link.get_attribute("href") == TEXTS["page"] and "noopener" in link.get_attribute("rel")
    phone.page.locator("#scan-again").tap()
    seen = phone.state()["scan"]["seen"]
    phone.wait("(n) => window.sightline.state().scan.seen > n + 3", arg=seen)
    assert phone.state()["scan"]["shown"] is None, "it still lies there"
    show(phone, "words")
    assert result(phone) == TEXTS["words"]
    phone.page.locator("#scan-again").tap()
    show(phone, "nothing")
    phone.page.wait_for_timeout(1800)
    show(phone, "words")
    assert result(phone) == TEXTS["words"], "it was away and came back"


def test_own_addresses_open_here(scanning):
    phone = scanning
    show(phone, "own")
    assert result(phone).endswith("/#/world/ulm")
    phone.page.locator("#scan-again").tap()
    show(phone, "short")
    assert result(phone) == TEXTS["short"]
    phone.page.locator("#scan-open").tap()
    phone.wait("location.hash.startsWith('#/world/danube-walk')")


def test_what_must_not_be_opened_is_text(scanning):
    phone = scanning
    show(phone, "script")
    assert result(phone) == TEXTS["script"]
    assert phone.page.locator("#scan-result a").count() == 0
    assert phone.page.locator("#scan-open, #scan-world").count() == 0


def test_a_picture_from_the_album(scanning, pictures, tmp_path):
    phone = scanning
    path = tmp_path / "code.png"
    path.write_bytes(base64.b64decode(pictures["words"]))
    phone.page.set_input_files("#scan-file", str(path))
    assert result(phone) == TEXTS["words"]
    phone.page.locator("#scan-again").tap()
    empty = tmp_path / "empty.png"
    empty.write_bytes(base64.b64decode(pictures["nothing"]))
    phone.page.set_input_files("#scan-file", str(empty))
    phone.page.locator(".toast", has_text="No readable QR code").wait_for()
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    phone.page.set_input_files("#scan-file", str(broken))
    phone.page.locator(".toast", has_text="not a picture").wait_for()


def test_a_code_that_knows_where_it_hangs_sets_position_and_north(scanning, output):
    """The code faces south, so who sees it straight on looks north from 0.8 m away, whatever compass and satellites say."""
    phone = scanning
    phone.move((48.4, 10.0002, 480.0))
    show(phone, "anchored")
    assert result(phone) == TEXTS["anchored"]
    text = phone.page.locator("#scan-anchor").inner_text()
    assert "48.40000, 10.00000" in text and "180°" in text and "24 cm" in text
    phone.page.screenshot(path=output / "scan-anchor.png")
    assert phone.page.evaluate("location.hash") == "#/scan", "nothing opens by itself"
    phone.page.locator("#scan-anchored").tap()
    phone.wait("location.hash.startsWith('#/world/danube-walk?') && location.hash.includes('at=')")
    phone.point(40.0, 0.0)
    phone.start()
    phone.wait("window.sightline.state().codes > 0")
    phone.wait("Math.abs(window.sightline.session.frame.bearing) < 0.05")
    # The world's frame is that of the first fix, 14.8 m east of the code.
    phone.wait("Math.abs(window.sightline.session.frame.eyeX + 14.8) < 1 && Math.abs(window.sightline.session.frame.eyeY + 0.8) < 0.5")
    assert len(phone.page.evaluate("window.sightline.session.headingCorrections()")) == 1
    # Lists and maps go by it, too, and go on doing so when the satellites say otherwise again.
    phone.move((48.4, 10.0002, 480.0))
    phone.page.wait_for_timeout(1500)
    at = phone.page.evaluate("window.sightline.session.standpoint()")
    assert math.hypot((at["latitude"] - 48.4) * 111_195 + 0.8, (at["longitude"] - 10.0) * 73_800) < 2, at


def test_a_code_may_be_opened_without_being_believed(scanning):
    phone = scanning
    show(phone, "anchored")
    result(phone)
    phone.page.locator("#scan-open").tap()
    phone.wait("location.hash === '#/world/danube-walk'")
    phone.point(40.0, 0.0)
    phone.start()
    assert phone.state()["codes"] is None


def test_a_world_goes_on_where_it_was_after_the_scanner(new_phone, foreign, pictures):
    """What came due while codes were read is fetched on the way back, and nothing is opened anew."""
    phone = new_phone(picture=None, scripts=[CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))], scale=1)
    address = foreign.address("/due.gddf")
    phone.open_foreign(foreign.serve("/due.gddf", ring(name="Due", refresh=address, every_ms=4000)))
    phone.point(0.0)
    phone.start()
    phone.wait_label("p0")
    phone.page.evaluate("window.sightline.session.select(0); window.wasHere = window.sightline.session")
    asked = [request.fields["event"] for request in foreign.asked("/due.gddf")]
    assert asked == ["init"]
    phone.tap("#menu")
    phone.tap("#menu-scan")
    phone.wait("window.sightline.state().scan?.camera === 'running'")
    assert phone.page.locator("#stage").is_hidden()
    phone.page.wait_for_timeout(5000)
    assert len(foreign.asked("/due.gddf")) == 1, "not behind the scanner"
    phone.tap("#scan-back")
    phone.page.locator("#scan-page").wait_for(state="detached")
    wait_until(lambda: [r.fields["event"] for r in foreign.asked("/due.gddf")] == ["init", "refreshOnTime"], "the refresh that was due", 3)
    phone.wait("document.querySelector('#camera').videoWidth > 0 && !document.querySelector('#camera').paused")
    assert phone.page.evaluate("window.wasHere === window.sightline.session && window.sightline.session.selected === 0")
    phone.wait_label("p0")
    assert phone.page.locator("#gate").is_hidden()


def test_a_code_read_from_a_world_opens_the_other_one(new_phone, foreign, pictures):
    phone = new_phone(picture=None, scripts=[CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))], scale=1)
    phone.open_foreign(foreign.serve("/first.gddf", ring(name="First")))
    phone.point(0.0)
    phone.start()
    phone.wait_label("p0")
    phone.tap("#menu")
    phone.tap("#menu-scan")
    phone.wait("window.sightline.state().scan?.camera === 'running'")
    show(phone, "short")
    result(phone)
    phone.tap("#scan-open")
    phone.wait_world("Danube walk")
    assert phone.page.locator("#stage").count() == 1 and phone.page.locator("#stage").is_visible()
