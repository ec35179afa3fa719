"""The menu of the markers: codes and recordings; that of departures is looked at in test_transit.py."""
import json
import subprocess

from support.sightline import PROGRAM
from test_markers import marker_phone, pictures, show, views, wait_drawn  # noqa: F401 - fixtures


def tool(*arguments):
    run = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return run.stdout


def download(phone, folder):
    with phone.page.expect_download() as file:
        phone.tap("#record-download")
    path = folder / file.value.suggested_filename
    file.value.save_as(path)
    return path


def test_markers_are_recorded_and_codes_are_a_tap_away(new_phone, pictures, tmp_path, output):  # noqa: F811
    phone = marker_phone(new_phone, pictures)
    phone.open("/markers")
    phone.wait("window.markerCamera.calls > 0")
    show(phone, "front")
    wait_drawn(phone, 1)
    phone.tap("#markers-menu")
    phone.page.wait_for_selector("#menu-scan")
    phone.page.screenshot(path=output / "markers-menu.png")
    phone.tap("#menu-record")
    phone.tap("#record-keep")
    phone.tap("#record-start")
    phone.page.wait_for_selector("#recording-stop:not([hidden])")
    phone.page.wait_for_timeout(1500)
    phone.page.screenshot(path=output / "markers-recording.png")
    phone.tap("#recording-stop")
    path = download(phone, tmp_path)
    info = tool("recording", "info", path)
    assert "observations:" in info and "world:" in info, info
    lines = [json.loads(line) for line in tool("replay", path).splitlines()]
    assert len(lines) > 5
    phone.page.keyboard.press("Escape")
    phone.page.wait_for_selector("#record-done-dialog", state="detached")
    phone.tap("#markers-menu")
    phone.tap("#menu-scan")
    phone.wait("window.sightline.state().scan?.camera === 'running'")
    phone.tap("#scan-back")
    phone.page.wait_for_selector("#markers-page")


def test_a_menu_goes_with_its_part_and_the_buttons_of_the_next_are_whole(new_phone):
    """Also when somebody goes back or on past the dialog's own button; on the narrowest phone."""
    phone = new_phone(screen=(320, 568))
    phone.open("/markers")
    phone.tap("#markers-menu")
    phone.page.wait_for_selector("#menu-scan")
    phone.page.evaluate("() => { location.hash = '#/scan'; }")
    phone.page.wait_for_selector(".scan-bar")
    assert phone.page.locator("dialog[open]").count() == 0
    buttons = phone.page.locator(".scan-bar .round:visible")
    boxes = [button.bounding_box() for button in buttons.all()]
    assert len(boxes) >= 3 and all(box["x"] >= 0 and box["x"] + box["width"] <= 320 for box in boxes), boxes
