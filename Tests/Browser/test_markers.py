"""Markers: the camera sees a print whose place is known exactly; what is drawn on it has to be at the right pixels."""
import base64
import json
import math
import pathlib

import pytest

from conftest import FLAGS, chromium
from support.foreign import Answer
from support.marker_pictures import View, flat_square_glb, png, rotation, y4m
from support.phone import ALL_PERMISSIONS, Phone

HERE = pathlib.Path(__file__).parent
CAMERA = (HERE / "support" / "marker_camera.js").read_text()
SIZE = (960, 540)
SIDE = 0.06
MAGENTA = "d[4 * i] > 200 && d[4 * i + 1] < 90 && d[4 * i + 2] > 200"


@pytest.fixture(scope="session")
def views():
    """The same marker in several places, and its pictures."""
    poses = {
        "front": (rotation(0, 0, 0), (0.0, 0.0, 0.3)),
        "tilted": (rotation(35, 10, 20), (0.01, 0.012, 0.28)),
        "turned": (rotation(-20, 30, 130), (-0.015, -0.01, 0.32)),
    }
    return {name: View(SIZE, 65, matrix, place, SIDE) for name, (matrix, place) in poses.items()}


@pytest.fixture(scope="session")
def pictures(views):
    drawn = {name: view.draw() for name, view in views.items()}
    drawn["nothing"] = views["front"].blank()
    return {name: base64.b64encode(png(rows)).decode() for name, rows in drawn.items()}


def camera(pictures):
    return CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))


def show(phone, name):
    phone.page.evaluate("(name) => window.markerCamera.show(name)", name)


def on_screen(phone, point):
    """From a pixel of the picture to the screen that it covers, CSS pixels."""
    width, height = phone.screen
    scale = max(width / SIZE[0], height / SIZE[1])
    return (width / 2 + (point[0] + 0.5 - SIZE[0] / 2) * scale, height / 2 + (point[1] + 0.5 - SIZE[1] / 2) * scale)


def wait_drawn(phone, count):
    phone.wait("(n) => (window.sightline.state().markers?.shown ?? []).filter((m) => m.isDrawn).length === n", arg=count)


def wait_loaded(phone):
    phone.wait("(window.sightline.state().markers?.shown ?? []).some((m) => m.isDrawn && m.isLoaded)")


def painted(phone):
    """What was drawn in answer to the last picture is on the screen when two more repaints have begun."""
    phone.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def coloured(phone, path, test=MAGENTA):
    """Area, middle and bounds of what has a colour in a picture of the page, CSS pixels."""
    data = base64.b64encode(phone.page.screenshot(path=path)).decode()
    found = phone.page.evaluate("""async ([text, test]) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(bitmap, 0, 0);
      const d = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      const is = test === 'magenta'
        ? (i) => d[4 * i] > 200 && d[4 * i + 1] < 90 && d[4 * i + 2] > 200
        : (i) => d[4 * i + 1] > d[4 * i] + 25 && d[4 * i + 1] > d[4 * i + 2] + 25;
      let n = 0, sx = 0, sy = 0, low = [1e9, 1e9], high = [-1, -1];
      for (let i = 0; i < bitmap.width * bitmap.height; i++) {
        if (!is(i)) continue;
        const x = i % bitmap.width, y = (i - x) / bitmap.width;
        n++; sx += x; sy += y;
        low = [Math.min(low[0], x), Math.min(low[1], y)];
        high = [Math.max(high[0], x), Math.max(high[1], y)];
      }
      const ratio = bitmap.width / innerWidth;
      return { area: n / ratio / ratio, x: (sx / n + 0.5) / ratio, y: (sy / n + 0.5) / ratio,
        low: low.map((v) => v / ratio), high: high.map((v) => (v + 1) / ratio) };
    }""", [data, "magenta" if test == MAGENTA else "green"])
    return found


def polygon(points):
    """Area and middle of a polygon."""
    area = cx = cy = 0.0
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
        cross = x0 * y1 - x1 * y0
        area += cross / 2
        cx += (x0 + x1) * cross / 6
        cy += (y0 + y1) * cross / 6
    return abs(area), cx / area, cy / area


def world(foreign, name, extra=""):
    """A world with one model on marker 0 of 6x6-250 and nothing else but `extra`."""
    foreign.serve(f"/{name}.glb", Answer(flat_square_glb(SIDE)))
    address = foreign.serve(f"/{name}.gddf", f"""<dimension version="1.0"><name>{name}</name>
      <relativeAltitude>true</relativeAltitude>
      <assets><asset id="m"><format>GAMA3D</format><url>{foreign.address(f"/{name}.glb")}</url></asset></assets>
      <features><feature3d id="Square"><assetId>m</assetId><marker dictionary="6x6-250" id="0" length="{SIDE}"/>
      <xRot>0</xRot><yRot>0</yRot><zRot>0</zRot><scale>1</scale><showInRadar>false</showInRadar></feature3d>{extra}
      </features></dimension>""")
    return address


def marker_phone(new_phone, pictures, **options):
    phone = new_phone(picture=None, scripts=[camera(pictures), *options.pop("scripts", ())], screen=(844, 475), scale=1, **options)
    # Chromium's remark on its own screenshots of a WebGL canvas.
    phone.expect("GPU stall due to ReadPixels")
    return phone


def test_a_model_stands_on_its_marker_in_a_world(new_phone, foreign, views, pictures, output):
    phone = marker_phone(new_phone, pictures)
    phone.point(0)
    phone.open_foreign(world(foreign, "square-world"))
    phone.page.locator("#start-ar").tap()
    phone.wait("window.markerCamera.calls > 0")
    for name, view in views.items():
        show(phone, name)
        wait_loaded(phone)
        # The picture that is shown is the one the pose is from: wait until both are of this view.
        middle = polygon([on_screen(phone, corner) for corner in view.corners()])
        phone.wait("""([x, y]) => { const m = window.sightline.state().markers.markers[0];
          return m && Math.hypot(m.corners.reduce((s, c) => s + c[0], 0) / 4 - x, m.corners.reduce((s, c) => s + c[1], 0) / 4 - y) < 3; }""",
                   arg=[sum(x for x, _ in view.corners()) / 4, sum(y for _, y in view.corners()) / 4])
        painted(phone)
        seen = coloured(phone, output / f"marker-{name}.png")
        assert abs(seen["area"] / middle[0] - 1) < 0.04, (name, seen, middle)
        assert math.hypot(seen["x"] - middle[1], seen["y"] - middle[2]) < 1.0, (name, seen, middle)
        expected = [on_screen(phone, corner) for corner in view.corners()]
        for k in (0, 1):
            assert abs(seen["low"][k] - min(p[k] for p in expected)) < 2.0, (name, seen, expected)
            assert abs(seen["high"][k] - max(p[k] for p in expected)) < 2.0, (name, seen, expected)
    state = phone.state()["markers"]
    assert state["path"] == "frame" and state["markers"][0]["id"] == 0
    z = state["markers"][0]["pose"]["translation"]
    assert all(abs(a - b) < 0.004 for a, b in zip(z, views["turned"].translation)), z


def test_a_marker_that_hangs_at_a_known_place_sets_position_and_north(new_phone, foreign, pictures):
    """It faces south, so who sees it straight on looks north from 0.3 m away, whatever compass and satellites say."""
    phone = marker_phone(new_phone, pictures)
    phone.move((48.4, 10.0002, 480.0))
    phone.point(40.0)
    address = foreign.serve("/hung.gddf", f"""<dimension version="1.0"><name>hung</name><features><featureTxt id="Here"><text>Here</text>
      <location><lat>48.4</lat><lon>10.0</lon><alt>480</alt></location>
      <marker dictionary="6x6-250" id="0" length="{SIDE}" facing="180"/><showInRadar>false</showInRadar></featureTxt>
      </features></dimension>""")
    phone.open_foreign(address)
    phone.start()
    show(phone, "front")
    phone.wait("window.sightline.state().markers?.surveyed > 0")
    phone.wait("Math.abs(window.sightline.session.frame.bearing) < 0.2")
    # The world's frame is that of the first fix, 14.8 m east of the marker.
    phone.wait("Math.abs(window.sightline.session.frame.eyeX + 14.8) < 1 && Math.abs(window.sightline.session.frame.eyeY + 0.3) < 0.5")
    phone.page.locator('.anchor-label[data-anchored="Here"]').wait_for(state="visible")


def test_what_stands_on_a_marker_is_shown_there_and_nowhere_else(new_phone, foreign, pictures):
    """Its author gave it a position as well: it would stand in the view, on the map and on the marker."""
    phone = marker_phone(new_phone, pictures)
    phone.move((48.4, 10.0, 480.0))
    phone.point(0)
    address = foreign.serve("/twice.gddf", f"""<dimension version="1.0"><name>twice</name><features><featureTxt id="Mill"><text>Mill</text>
      <location><lat>48.4027</lat><lon>10.0</lon><alt>480</alt></location>
      <marker dictionary="6x6-250" id="0" length="{SIDE}"/><showInRadar>true</showInRadar></featureTxt>
      <featureTxt id="Tower"><text>Tower</text><location><lat>48.4027</lat><lon>10.0004</lon><alt>480</alt></location><showInRadar>true</showInRadar></featureTxt>
      </features></dimension>""")
    phone.open_foreign(address)
    phone.start()
    phone.wait_label("Tower")
    show(phone, "front")
    phone.page.locator('.anchor-label[data-anchored="Mill"]').wait_for(state="visible")
    assert "Mill" not in phone.labels()
    phone.tap("#view-list")
    phone.page.wait_for_selector("#list-rows .row")
    assert phone.page.locator('.row[data-id="Mill"] .row-far').inner_text() == ""
    phone.tap("#view-map")
    phone.page.wait_for_selector('.map-pin[data-id="Tower"]', state="attached")
    assert phone.page.locator('.map-pin[data-id="Mill"]').count() == 0


def test_a_marker_is_lost_and_found_again(new_phone, foreign, pictures, output):
    phone = marker_phone(new_phone, pictures)
    phone.point(0)
    phone.open_foreign(world(foreign, "lost-world"))
    phone.page.locator("#start-ar").tap()
    phone.wait("window.markerCamera.calls > 0")
    for _ in range(2):
        show(phone, "front")
        wait_loaded(phone)
        label = phone.page.locator('.anchor-label[data-anchored="Square"]')
        label.wait_for(state="visible")
        phone.wait("document.querySelector('#live').textContent.includes('Square')")
        show(phone, "nothing")
        wait_drawn(phone, 0)
        phone.wait("window.sightline.state().markers.shown.length === 0")
        assert label.is_hidden()
        assert phone.page.locator(".anchor-picture").is_hidden(), "the live picture is shown when no marker is near"
        assert coloured(phone, output / "marker-lost.png")["area"] == 0


def test_a_world_of_markers_alone_asks_for_the_camera_alone(new_phone, foreign, pictures):
    phone = marker_phone(new_phone, pictures)
    phone.page.add_init_script("""window.locationCalls = 0;
      navigator.geolocation.watchPosition = () => { window.locationCalls += 1; return 1; };""")
    phone.open_foreign(world(foreign, "alone-world"))
    # Until the world is there nobody knows what it needs.
    phone.page.locator("[data-check=location]").wait_for(state="hidden")
    assert phone.page.locator("[data-check=orientation]").is_hidden()
    assert phone.page.locator("[data-check=camera]").is_visible()
    phone.page.locator("#start-ar").tap()
    show(phone, "nothing")
    phone.wait("window.markerCamera.calls > 0")
    phone.wait("document.querySelector('#gate').hidden")
    assert phone.page.evaluate("window.locationCalls") == 0
    assert phone.page.locator("#status-location").is_hidden()
    phone.wait("document.querySelector('#status-content').dataset.reason === 'ready'")
    # Its card speaks of the marker, not of a way to it.
    phone.page.evaluate("window.sightline.session.select(0)")
    card = phone.page.locator("#card")
    card.locator("h2").wait_for()
    assert "printed marker" in card.inner_text() and " mm" in card.inner_text()
    assert card.locator('[data-action="map"], [data-action="compass"], .card-facts').count() == 0
    phone.tap('#card [data-action="print"]')
    phone.page.wait_for_selector("dialog[open]")
    phone.page.keyboard.press("Escape")
    phone.page.evaluate("window.sightline.session.select(null)")
    show(phone, "front")
    wait_loaded(phone)


def test_the_label_opens_the_card_of_its_place(new_phone, foreign, pictures):
    phone = marker_phone(new_phone, pictures)
    phone.point(0)
    phone.open_foreign(world(foreign, "label-world"))
    phone.page.locator("#start-ar").tap()
    show(phone, "front")
    phone.page.locator('.anchor-label[data-anchored="Square"]').tap()
    phone.page.wait_for_selector("#card:not([hidden])")
    assert "Square" in phone.page.locator("#card").inner_text()


def test_a_broken_model_is_named(new_phone, foreign, pictures):
    phone = marker_phone(new_phone, pictures)
    address = world(foreign, "broken-world")
    foreign.serve("/broken-world.glb", Answer(flat_square_glb(SIDE).replace(b'"indices":1', b'"indices":7').replace(b'"indices": 1', b'"indices": 7')))
    phone.point(0)
    phone.open_foreign(address)
    phone.page.locator("#start-ar").tap()
    show(phone, "front")
    toast = phone.page.locator(".toast-text", has_text="Square")
    toast.wait_for()
    text = toast.inner_text()
    assert "mesh 0.0 · indices" in text and "refers to something that is not there" in text, text


def test_without_video_frames_a_canvas_does(new_phone, foreign, pictures, views):
    phone = marker_phone(new_phone, pictures, scripts=["delete window.VideoFrame;"])
    phone.point(0)
    phone.open_foreign(world(foreign, "canvas-world"))
    phone.page.locator("#start-ar").tap()
    show(phone, "tilted")
    wait_loaded(phone)
    state = phone.state()["markers"]
    assert state["path"] == "canvas"
    for corner, expected in zip(state["markers"][0]["corners"], views["tilted"].corners()):
        assert math.dist(corner, expected) < 0.5


def test_the_mode_shows_what_any_marker_is(new_phone, pictures, views, output):
    phone = marker_phone(new_phone, pictures)
    phone.open("/markers")
    phone.wait("window.markerCamera.calls > 0")
    show(phone, "tilted")
    wait_loaded(phone)
    painted(phone)
    seen = coloured(phone, output / "markers-mode.png", "green")
    # The windmill's green is as wide as the marker and lies on it.
    middle = polygon([on_screen(phone, corner) for corner in views["tilted"].corners()])
    assert 0.3 * middle[0] < seen["area"] < middle[0], (seen, middle)
    assert math.hypot(seen["x"] - middle[1], seen["y"] - middle[2]) < 14, (seen, middle)
    label = phone.page.locator('.anchor-label').inner_text()
    assert label.startswith("0 · ") and abs(float(label.split()[2]) - math.hypot(*views["tilted"].translation) * 100) < 0.5, label


def test_the_field_of_view_from_a_ruler(new_phone, pictures):
    """The same pictures seen through a lens of 52 degrees: the marker would be as much further away."""
    phone = marker_phone(new_phone, pictures)
    phone.open("/markers")
    phone.wait("window.markerCamera.calls > 0")
    show(phone, "front")
    wait_drawn(phone, 1)
    distance = 0.3 * math.tan(math.radians(32.5)) / math.tan(math.radians(26))
    phone.page.locator("#markers-ruler").tap()
    phone.page.fill("#check-distance", f"{distance * 100:.2f}")
    phone.page.locator("#check-begin").tap()
    phone.page.locator("#check-note", has_text="52").wait_for()
    state = phone.state()["markers"]
    assert abs(state["fieldOfView"] - 52) < 0.4, state["fieldOfView"]
    phone.wait("(d) => Math.abs(window.sightline.state().markers.markers[0].pose.translation[2] - d) < 0.005", arg=distance)


def test_a_calibration_file_straightens_the_lens(new_phone, foreign, tmp_path, output):
    """A wide lens that bends the picture by ten pixels and more where the marker is: model and distance are right all the same."""
    lens, degrees = (-0.25, 0.06, 0.0), 72
    view = View(SIZE, degrees, rotation(15, -20, 10), (-0.125, -0.01, 0.3), SIDE, lens=lens)
    picture = {"front": base64.b64encode(png(view.draw())).decode(), "nothing": base64.b64encode(png(view.blank())).decode()}
    phone = marker_phone(new_phone, picture)
    phone.open("/markers")
    phone.wait("window.markerCamera.calls > 0")
    phone.page.locator("#markers-ruler").tap()
    wrong, right = tmp_path / "wrong.json", tmp_path / "camera.json"
    wrong.write_text('{"width": 960, "height": 540, "intrinsics": [1, 2, 3], "distortion": [0, 0, 0, 0, 0]}')
    phone.page.set_input_files("#check-file", str(wrong))
    phone.page.locator("#check-note", has_text="no calibration").wait_for()
    right.write_text(json.dumps({"width": SIZE[0], "height": SIZE[1], "intrinsics": [view.focal, view.focal, 479.5, 269.5],
                                 "distortion": [lens[0], lens[1], 0, 0, lens[2]], "error": 0.1, "pictures": []}))
    phone.page.set_input_files("#check-file", str(right))
    phone.page.locator("#check-note", has_text="72°").wait_for()
    phone.page.keyboard.press("Escape")
    # It is kept: a world that is opened then goes by it.
    phone.point(0)
    phone.open_foreign(world(foreign, "bent-world"))
    phone.page.locator("#start-ar").tap()
    show(phone, "front")
    wait_loaded(phone)
    painted(phone)
    corners = [on_screen(phone, corner) for corner in view.corners()]
    middle = polygon(corners)
    seen = coloured(phone, output / "marker-lens.png")
    assert abs(seen["area"] / middle[0] - 1) < 0.04, (seen, middle)
    assert math.hypot(seen["x"] - middle[1], seen["y"] - middle[2]) < 1.0, (seen, middle)
    found = phone.state()["markers"]["markers"][0]["pose"]["translation"]
    assert all(abs(a - b) < 0.003 for a, b in zip(found, view.translation)), found


def test_the_sheet_prints_at_true_size(new_phone, pictures, output):
    phone = marker_phone(new_phone, pictures)
    phone.open("/markers")
    phone.page.locator("#markers-menu").tap()
    phone.page.locator("#markers-print").tap()
    phone.page.wait_for_selector("#sheet-preview svg [data-marker='0']")
    phone.page.fill("#sheet-side", "60")
    phone.page.emulate_media(media="print")
    boxes = phone.page.evaluate("""() => [...document.querySelectorAll('#sheet-preview [data-border]')].map((e) => {
      const b = e.getBoundingClientRect(); return [b.width, b.height]; })""")
    assert len(boxes) >= 4
    for width, height in boxes:
        # Millimetres at 96 CSS pixels to the inch.
        assert abs(width / 96 * 25.4 - 60) < 0.05 and abs(height / 96 * 25.4 - 60) < 0.05, (width, height)
    paper = phone.page.evaluate("(() => { const b = document.querySelector('#sheet-preview svg').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()")
    assert abs(paper[0]) < 0.5 and abs(paper[1]) < 0.5 and abs(paper[2] - 210 / 25.4 * 96) < 0.5, paper
    phone.page.screenshot(path=output / "marker-sheet.png", full_page=True)
    pdf = phone.page.pdf(prefer_css_page_size=True, format="A4")
    (output / "marker-sheet.pdf").write_bytes(pdf)
    assert pdf.count(b"/Type /Page\n") == 1, "one page"
    phone.page.emulate_media(media="screen")


def test_a_film_from_a_camera(browser, server, tmp_path, output):
    """The browser's own fake camera shows a film: a marker, nothing, the marker again."""
    film = tmp_path / "film.y4m"
    view = View((1280, 720), 65, rotation(25, -10, 15), (0.0, 0.0, 0.3), SIDE)
    marker, nothing = view.draw(), view.blank()
    y4m(film, [marker] * 25 + [nothing] * 20)
    # The film belongs to a browser, so this takes one of its own.
    flags = FLAGS + ["--no-sandbox", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    cinema = browser.browser_type.launch(executable_path=chromium(), args=flags)
    try:
        phone = Phone(cinema, server, picture=None, screen=(844, 475), scale=1, permissions=ALL_PERMISSIONS)
        phone.expect("GPU stall due to ReadPixels")
        phone.open("/markers")
        for _ in range(2):
            wait_loaded(phone)
            phone.wait("window.sightline.state().markers.shown.length === 0")
        state = phone.state()["markers"]
        assert state["path"] == "frame" and state["size"] == {"width": 1280, "height": 720}
        assert state["seen"] > 5
        wait_loaded(phone)
        corners = phone.state()["markers"]["markers"][0]["corners"]
        for corner, expected in zip(corners, view.corners()):
            assert math.dist(corner, expected) < 0.5, (corners, view.corners())
        phone.page.screenshot(path=output / "marker-film.png")
        phone.check()
        phone.close()
    finally:
        cinema.close()


def test_an_iphone_is_asked_for_its_sensors_once_it_is_clear_what_for(new_phone, pictures):
    phone = new_phone(picture=None, sensors=False, screen=(960, 540), scripts=[camera(pictures), """
      window.asked = [];
      for (const [type, name] of [[DeviceMotionEvent, 'motion'], [DeviceOrientationEvent, 'orientation']]) {
        type.requestPermission = async () => { window.asked.push(name); return 'granted'; };
      }"""])
    phone.expect("GPU stall due to ReadPixels")
    phone.open("/markers")
    phone.wait("window.markerCamera.calls > 0")
    assert phone.page.locator('.toast[data-key="sensors"]').count() == 0
    show(phone, "front")
    wait_drawn(phone, 1)
    phone.page.locator('.toast[data-key="sensors"] .toast-action').tap()
    assert phone.page.evaluate("window.asked") == ["motion", "orientation"]
    show(phone, "nothing")
    wait_drawn(phone, 0)
    show(phone, "front")
    wait_drawn(phone, 1)
    assert phone.page.locator('.toast[data-key="sensors"]').count() == 0, "once is enough"
