"""The picture of the view against the screen itself: all that is seen is in it, where it is seen, and no controls."""
import re

import pytest
from support.cube import SHOWN
from support.foreign import Answer, gddf, overlay, page_overlay, place
from support.picture import decode, difference, patches
from support.walls import picture, pose, view
from support.worlds import EYE, level, towards
from test_poster_wall import FISH, wall_phone
from test_things import corner_points, feature3d, gltf_world
from test_transit import city, visit  # noqa: F401 - a fixture

# Of colours from 0 to 255, and of all pixels: texts are drawn with other edges than the browser's own, and shadows are left out.
MEAN, FAR = 14.0, 0.06
# What is above the view and not part of it.
CONTROLS = ".transit-bar, .transit-tools, .transit-dock, .transit-credit, #topbar, #dock, #ar-tools, #walk-pad, #virtual-help, #sheet, #nothing-here, .markers-bar, .markers-controls, .markers-status"
CAPTION = 64


def begin(phone, foreign, path, document):
    phone.open_foreign(foreign.serve(path, document))
    phone.tap("#start-ar")
    phone.point(0.0)
    phone.wait_ready()


def taken(phone, button):
    """The screen without controls, and the picture that the button makes."""
    phone.page.evaluate("""(controls) => {
      for (const e of document.querySelectorAll(controls)) e.style.opacity = '0'; }""", CONTROLS)
    phone.page.wait_for_timeout(300)
    screen = phone.page.screenshot()
    phone.page.evaluate("(controls) => { for (const e of document.querySelectorAll(controls)) e.style.opacity = ''; }", CONTROLS)
    phone.page.locator(button).tap()
    phone.page.wait_for_selector("#shot-download")
    with phone.page.expect_download() as download:
        phone.tap("#shot-download")
    return screen, open(download.value.path(), "rb").read()


def boxes_of(phone, selector, grow=4):
    """Where things are on the screen, device pixels."""
    width, height = phone.screen
    boxes = phone.page.evaluate("""(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility())
      .map((e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })""", selector)
    limited = [[max(0, b[0] - grow), max(0, b[1] - grow), min(width, b[2] + grow), min(height - CAPTION, b[3] + grow)] for b in boxes]
    return [[phone.scale * value for value in box] for box in limited if box[2] - box[0] > 8 and box[3] - box[1] > 8]


def check_alike(phone, screen, shot, parts, output, name):
    (output / f"whole-{name}-screen.png").write_bytes(screen)
    (output / f"whole-{name}-picture.jpg").write_bytes(shot)
    width, height = phone.screen
    whole = [0, 0, phone.scale * width, phone.scale * (height - CAPTION)]
    for part in parts:
        boxes = boxes_of(phone, part)
        assert boxes, f"{part} is to be seen"
        for found in difference(phone.page, screen, shot, boxes):
            assert found["mean"] < 40 and found["far"] < 0.25, (part, found)
    [found] = difference(phone.page, screen, shot, [whole])
    assert found["mean"] < MEAN and found["far"] < FAR, found


def test_labels_clusters_arrows_and_overlays_are_in_the_picture(phone, foreign, output):
    places = [place(f"g{i}", f"Group {i}", *level(EYE, phone.declination - 12 + i * 0.05, 400 + i)) for i in range(9)]
    places += [place("a", "Harbour with a long name", *level(EYE, phone.declination + 6, 300)),
               place("r", "To the right", *level(EYE, phone.declination + 100, 500))]
    over = overlay("o", "Words on the screen, broken into lines", 20, 140, width=160)
    red = foreign.serve("/red.html", Answer("<body style='background: #ff0000'></body>", 200, {"content-type": "text/html"}))
    box = page_overlay("page", red, 20, 250, 120, 60)
    phone.expect("allow-scripts", "allow-downloads")
    phone.page.emulate_media(reduced_motion="reduce")
    begin(phone, foreign, "/whole.gddf", gddf("Whole", places, [over, box], relative=True))
    phone.settle()
    phone.wait("document.querySelectorAll('.label').length > 0 && document.querySelectorAll('.cluster').length > 0")
    frame = next(frame for frame in phone.page.frames if frame.url == red)
    frame.wait_for_load_state()
    # It is the other server's.
    phone.expect_requests(red)
    screen, shot = taken(phone, "#screenshot")
    # Of another website's page, which nobody may copy, the picture has a box with its name.
    left, top, right, bottom = boxes_of(phone, '[data-overlay="1"] iframe', grow=-6)[0]
    spots = [(x, y) for x in range(int(left), int(right), 2) for y in range(int(top), int(bottom), 2)]
    is_red = [(color[0] > 200 and color[1] < 60) for color in decode(phone.page, screen, spots)["colours"]]
    assert sum(is_red) > 0.5 * len(spots), "it is on the screen"
    found = [tuple(color[:3]) for color in decode(phone.page, shot, spots)["colours"]]
    light = sum(min(color) > 150 for color in found)
    assert not any(r > 200 and g < 60 for r, g, b in found) and 0.01 * len(spots) < light < 0.5 * len(spots), (light, len(spots))
    check_alike(phone, screen, shot, [".label", ".cluster", ".edge-arrow", "#radar-box canvas", '[data-overlay="0"]'], output, "world")


def test_a_model_at_a_place_is_in_it_where_it_is_seen(phone, foreign, output):
    """The coloured corners of a cube, found in the screen and in the picture by themselves."""
    position = towards(EYE, phone.declination, 9.0, 0.0)
    phone.expect("GPU stall due to ReadPixels", "GL Driver Message")
    phone.page.emulate_media(reduced_motion="reduce")
    phone.open_foreign(gltf_world(foreign, "whole-thing", feature3d(position, '<attitude heading="150"/>')))
    phone.tap("#start-ar")
    axes = phone.point(0.0)
    phone.wait_ready()
    phone.wait("window.sightline.state().things?.drawn > 0")
    phone.settle()
    expected = corner_points(phone, axes, position, 150)
    screen, shot = taken(phone, "#screenshot")
    (output / "whole-thing-screen.png").write_bytes(screen)
    (output / "whole-thing-picture.jpg").write_bytes(shot)
    # The camera's picture has colours of its own elsewhere. JPEG smears those of the cube over their borders.
    boxes = [[phone.scale * value for value in (x - 20, y - 20, x + 20, y + 20)] for x, y in expected]
    on_screen, in_shot = patches(phone.page, screen, SHOWN, 40, boxes), patches(phone.page, shot, SHOWN, 70, boxes)
    for name, point, there, here in zip(SHOWN, expected, on_screen, in_shot):
        assert there and here, (name, there, here)
        places = [[value / phone.scale for value in one["middle"]] for one in (there, here)]
        assert max(abs(places[0][k] - point[k]) for k in (0, 1)) <= 2, (name, places, point)
        assert max(abs(places[0][k] - places[1][k]) for k in (0, 1)) <= 2, (name, places)


def test_a_model_and_a_text_on_a_printed_picture_are_in_it(new_phone, output):
    phone = wall_phone(new_phone, [{**FISH, "width": 0.297, "height": 0.42}])
    phone.point(0)
    phone.open("/world/picture-wall")
    phone.page.locator("#start-ar").tap()
    phone.wait("window.wallCamera.calls > 0")
    pose(phone, view(distance=0.7))
    phone.page.locator('.anchor-label[data-anchored="fish-text"]').wait_for(state="visible")
    phone.wait("(window.sightline.state().markers?.shown ?? []).some((m) => m.key === 'Fish' && m.isDrawn && m.isLoaded)")
    phone.page.wait_for_timeout(1500)
    screen, shot = taken(phone, "#screenshot")
    check_alike(phone, screen, shot, [".anchor-label"], output, "print")


def test_marker_mode_has_the_button(new_phone, output):
    phone = new_phone()
    shared = """() => { window.shared = []; navigator.canShare = ({ files }) => files.length === 1;
      navigator.share = async ({ files: [{ type, size }], title, text }) => { window.shared.push({ type, size, title, text }); }; }"""
    phone.open("/markers")
    phone.wait("document.querySelector('.markers-video').videoWidth > 0")
    phone.page.evaluate(shared)
    phone.page.locator("#markers-shot").tap()
    phone.page.locator("#shot-share").tap()
    phone.wait("window.shared.length === 1")
    [told] = phone.page.evaluate("window.shared")
    assert told["type"] == "image/jpeg" and told["size"] > 5000 and re.search(r"\d{4}", told["text"]), told
    phone.page.screenshot(path=output / "whole-markers.png")


@pytest.mark.parametrize("screen", [(320, 568), (844, 390)])
def test_departures_have_the_button_and_names_are_cut_where_the_screen_cuts_them(city, output, screen):  # noqa: F811
    phone = city(screen=screen, color_scheme="dark")
    # Their labels have room for the beginning of it.
    for stop in phone.mock.stops:
        if stop["name"] in ("Rautatieasema", "Päärautatieasema"):
            stop["name"] += " and the large square before the theatre"
    phone.page.emulate_media(reduced_motion="reduce")
    visit(phone)
    phone.page.wait_for_timeout(1500)
    name = f"departures-{screen[0]}"
    phone.page.screenshot(path=output / f"whole-{name}-bars.png")
    button, dock = phone.page.locator("#transit-shot").bounding_box(), phone.page.locator(".transit-dock").bounding_box()
    assert 0 <= button["x"] and button["x"] + button["width"] <= screen[0] and button["y"] >= 0, button
    assert button["y"] + button["height"] <= dock["y"] + 1 or button["x"] > dock["x"], (button, dock)
    label = phone.page.locator(".stop-label.shown .stop-label-name:has-text('large square')").first
    assert label.evaluate("e => e.scrollWidth - e.clientWidth") > 40, "the name does not fit into its label"
    shot_screen, shot = taken(phone, "#transit-shot")
    check_alike(phone, shot_screen, shot, [".stop-label"], output, name)
    # Whatever of the name would be drawn beyond its box would be there, in the letters' white.
    cut = label.bounding_box()
    edge = cut["x"] + cut["width"]
    for part, left, right in (("end", edge - 24, edge), ("beyond", edge + 12, screen[0])):
        if right - left < 8:
            continue
        box = [phone.scale * value for value in (left, cut["y"], right, cut["y"] + cut["height"])]
        [found] = difference(phone.page, shot_screen, shot, [box])
        assert found["mean"] < 20 and found["far"] < 0.12, (part, found)
