"""A clip of the view: the video that the button makes, decoded, against the screen."""
import json
import subprocess

from support.foreign import gddf, place
from support.picture import difference
from support.worlds import EYE, level

SECONDS = 2.0


def probe(path):
    """Kind, size and the times of the frames of a video, as FFmpeg decodes them."""
    told = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_name,width,height:frame=best_effort_timestamp_time",
         "-show_streams", "-of", "json", path], check=True, capture_output=True, timeout=60).stdout)
    [stream] = told["streams"]
    return stream, [float(frame["best_effort_timestamp_time"]) for frame in told["frames"]]


def frame(path, number):
    return subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-vf", f"select=eq(n\\,{number})", "-frames:v", "1", "-f", "image2", "-c:v", "png", "-"],
                          check=True, capture_output=True, timeout=60).stdout


def test_a_clip_shows_what_is_seen(new_phone, foreign, output):
    """Two seconds of a view that turns: as long, as large, moving, with its label where it is on the screen, without sound."""
    phone = new_phone(scale=2)
    places = [place("a", "Harbour with a long name", *level(EYE, phone.declination + 2, 300))]
    phone.page.emulate_media(reduced_motion="reduce")
    phone.open_foreign(foreign.serve("/clip.gddf", gddf("Clip", places, relative=True)))
    phone.tap("#start-ar")
    phone.point(-8)
    phone.wait_ready()
    phone.wait_label("a")
    button = phone.page.locator("#clip")
    button.wait_for()
    name = button.get_attribute("aria-label")
    button.tap()
    phone.wait("document.querySelector('#live').textContent.includes('30')")
    assert button.get_attribute("aria-label") != name, "it says what it does now"
    phone.page.wait_for_timeout(1000 * SECONDS / 2)
    phone.point(0)
    phone.settle()
    phone.page.wait_for_timeout(1000 * SECONDS / 2)
    phone.page.screenshot(path=output / "clip-recording.png")
    assert button.inner_text().startswith("0:0"), "how long it is"
    box = phone.page.locator('.label[data-id="a"]').bounding_box()
    screen = phone.page.screenshot()
    button.tap()
    phone.page.wait_for_selector("#shot-dialog video")
    phone.wait("document.querySelector('#shot-dialog video').videoWidth > 0")
    phone.page.screenshot(path=output / "clip-sheet.png")
    with phone.page.expect_download() as download:
        phone.tap("#shot-download")
    assert download.value.suggested_filename.endswith((".mp4", ".webm"))
    path = output / download.value.suggested_filename
    download.value.save_as(path)
    assert button.get_attribute("aria-label") == name and button.inner_text() == ""

    stream, times = probe(path)
    scale = 1280 / 844
    assert (stream["width"], stream["height"]) == (592, 1280) and stream["codec_type"] == "video"
    assert SECONDS - 0.5 < times[-1] - times[0] < 15 and len(times) >= 8, times
    first, last = frame(path, 2), frame(path, len(times) - 1)
    (output / "clip-first.png").write_bytes(first)
    (output / "clip-last.png").write_bytes(last)
    whole = [0, 0, 592, 1280]
    label = [value * scale for value in (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])]
    [moved] = difference(phone.page, first, last, [whole])
    assert moved["far"] > 0.002, "the label was elsewhere at first"
    small = subprocess.run(["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", "-", "-vf", "scale=592:1280", "-f", "image2", "-c:v", "png", "-"],
                           input=screen, check=True, capture_output=True, timeout=60).stdout
    (output / "clip-screen.png").write_bytes(small)
    [found] = difference(phone.page, small, last, [label])
    assert found["mean"] < 40 and found["far"] < 0.25, found
