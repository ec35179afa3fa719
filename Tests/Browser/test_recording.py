"""Recording a session in the page, and reading the file with the native tool."""
import json
import math
import shutil
import subprocess

import pytest
from support.foreign import gddf, place
from support.lines import paths
from support.sightline import PROGRAM
from support.worlds import EYE, towards

HEADING = 30.0


def tool(*arguments):
    run = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return run.stdout


def record(phone, headings, positions, folder, pictures=False):
    """Records while the phone looks into some directions, and downloads the file."""
    phone.tap("#menu")
    phone.tap("#menu-record")
    if positions:
        phone.tap("#record-keep")
    if pictures:
        phone.tap("#record-pictures")
    phone.tap("#record-start")
    phone.page.wait_for_selector("#recording-stop:not([hidden])")
    frames = []
    for heading in headings:
        axes = phone.point(heading)
        ahead = [-v for v in axes[2]]
        phone.wait("""([e, n]) => { const { frame } = window.sightline.state();
          return frame?.isValid && Math.sin(frame.bearing) * e + Math.cos(frame.bearing) * n > 0.9999; }""", ahead[:2])
        phone.settle()
        frames.append((axes, phone.labels()))
    phone.tap("#recording-stop")
    with phone.page.expect_download() as download:
        phone.tap("#record-download")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    assert path.suffix == ".slrec"
    return path, frames


@pytest.fixture
def still(phone):
    """Held still at first, so that the first request has its direction."""
    phone.point(HEADING)
    return phone


def test_a_recorded_session_plays_natively_as_it_was_seen(still, foreign, tmp_path, output):
    target = towards(EYE, HEADING + still.declination + 3, 300, 10)
    still.open_foreign(foreign.serve("/recorded.gddf", gddf("Recorded", [place("t", "Tårnet", *target)])))
    still.start()
    still.wait_label("t")
    path, frames = record(still, [HEADING, HEADING + 2.0, HEADING + 4.0, HEADING + 6.0], True, tmp_path, pictures=True)
    still.page.screenshot(path=output / "recording-done.png")
    lines = [json.loads(line) for line in tool("replay", path).splitlines()]
    assert len(lines) > 20
    # Once from the very beginning on there was a view, there is one to the end.
    valid = [line["valid"] for line in lines]
    assert valid[-1] and False not in valid[valid.index(True):] and valid.index(True) < 5
    item = lines[-1]["items"][0]
    axes, labels = frames[-1]
    assert item["text"] == "Tårnet"
    assert math.dist(item["anchor"], labels["t"]["anchor"]) < 0.1, "the native engine draws what the page drew"
    assert math.dist(item["anchor"], still.expected_point(axes, target)) <= 2
    assert tool("replay", path) == tool("replay", path)
    info = tool("recording", "info", path)
    for word in ("positions: kept", "picture:", "world: 1", "fix:", "orientation:"):
        assert word in info, info


def test_lines_and_areas_are_recorded(still, foreign, tmp_path, output):
    still.open_foreign(foreign.serve("/recorded-paths.geojson", paths(HEADING + still.declination)))
    still.point(HEADING, pitch=-8.0)
    still.start()
    still.wait("window.sightline.session.paths().length === 2")
    path, _ = record(still, [HEADING, HEADING + 2.0], True, tmp_path)
    seen = still.page.evaluate("window.sightline.session.paths().map((run) => ({ ...run, points: [...run.points] }))")
    lines = [json.loads(line) for line in tool("replay", path).splitlines()]
    assert [run.get("ring", False) for run in lines[-1]["paths"]] == [run["isRing"] for run in seen]
    for drawn, run in zip(lines[-1]["paths"], seen):
        assert len(drawn["points"]) == len(run["points"])
        assert max(abs(a - b) for a, b in zip(drawn["points"], run["points"])) < 0.1, "the native engine draws what the page drew"
    assert tool("replay", path) == tool("replay", path)
    tool("replay", path, "--fps", "1", "--render", tmp_path / "frame%04d.png", "--scale", "1")
    # To be looked at; the colours are looked for by RenderedPathTests.
    shutil.copyfile(max(tmp_path.glob("frame*.png")), output / "recording-paths.png")


def test_positions_are_left_out_unless_they_are_wanted(still, foreign, tmp_path, output):
    address = foreign.serve("/stripped.gddf", gddf("Secret place", [place("t", "Hidden", *towards(EYE, 33, 300))]))
    still.open_foreign(address)
    still.start()
    still.tap("#menu")
    still.tap("#menu-record")
    still.page.screenshot(path=output / "recording-question.png")
    assert still.page.locator("#record-strip").is_checked(), "the careful choice is the one already made"
    assert still.page.locator("#record-pictures").is_disabled()
    still.page.keyboard.press("Escape")
    still.page.wait_for_selector("#record-dialog", state="detached")
    path, _ = record(still, [HEADING, HEADING + 5], False, tmp_path)
    data = path.read_bytes()
    for secret in (b"Secret", b"Hidden", address.encode()):
        assert secret not in data
    info = tool("recording", "info", path)
    assert "positions: stripped" in info
    for word in ("fix", "world", "picture", "document"):
        assert f"{word}:" not in info, info
    lines = [json.loads(line) for line in tool("replay", path).splitlines()]
    assert len(lines) > 10 and not any(line["items"] for line in lines)


def test_a_choice_that_is_off_says_why(still, foreign):
    still.open_foreign(foreign.serve("/why.gddf", gddf("Why", [place("t", "T", *towards(EYE, HEADING, 300, 10))])))
    still.start()
    still.tap("#menu")
    still.tap("#menu-record")
    why = still.page.locator("#record-pictures-why")
    assert still.page.locator("#record-pictures").is_disabled() and "together with your positions" in why.inner_text()
    still.tap("#record-keep")
    assert still.page.locator("#record-pictures").is_enabled() and not why.is_visible()


def test_without_a_camera_there_are_no_pictures_to_record(new_phone):
    phone = new_phone(sensors=False, permissions=(), picture=None)
    phone.open("/world/ulm?virtual=1")
    phone.wait_ready()
    phone.tap("#menu")
    phone.tap("#menu-record")
    phone.tap("#record-keep")
    assert phone.page.locator("#record-pictures").is_disabled()
    assert "camera is not on" in phone.page.locator("#record-pictures-why").inner_text()


def test_a_running_recording_can_be_stopped_from_the_menu_and_discarded(still, foreign):
    still.open_foreign(foreign.serve("/discard.gddf", gddf("Discard", [place("t", "T", *towards(EYE, 33, 300))])))
    still.start()
    still.tap("#menu")
    still.tap("#menu-record")
    still.tap("#record-start")
    still.page.wait_for_selector("#recording-stop:not([hidden])")
    still.tap("#menu")
    still.tap("#menu-record")
    # A slip of the finger loses nothing.
    still.page.keyboard.press("Escape")
    still.page.wait_for_selector("#confirm")
    still.tap("#confirm-no")
    still.page.wait_for_selector("#record-done-dialog")
    assert still.page.locator("#record-download").get_attribute("href").startswith("blob:")
    still.tap("#record-discard")
    still.page.wait_for_selector("#record-done-dialog", state="detached")
    assert still.page.locator("#confirm").count() == 0, "said once is enough"
    assert still.page.locator("#recording-stop").is_hidden()
