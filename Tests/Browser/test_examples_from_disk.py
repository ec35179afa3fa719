"""The examples as they run from a disk: a folder that Scripts/build-examples makes, opened by its file: address, with no server there."""
import json
import pathlib
import subprocess
import types

import pytest

from support.sightline import ROOT, WASM
from support.walls import pose, script, view
from test_embed import CAMERA, FISH, SCREEN, SIZE, begin, magenta, on_screen, pictures, show, views  # noqa: F401

THREE = pathlib.Path("/usr/share/javascript/three/three.min.js")
# Each with the start button that it has, and what tells that it sees what it is about.
FOUND = "document.querySelector('{}').anchor?.isVisible"
FOLLOWS = "getComputedStyle(document.querySelector('{0}')).visibility === 'visible' && document.querySelector('{0}').style.transform.includes('matrix3d')"
MARKERS = {
    "marker": ("sightline-view", FOUND.format("sightline-marker")),
    "model": ("sightline-view", FOUND.format("sightline-marker") + " && document.querySelector('sightline-model').state === 'ready'"),
    "wall": ("#start", FOLLOWS.format(".panel")),
    "video": ("#start", FOLLOWS.format(".sheet")),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder, as who has built the package makes it."""
    out = tmp_path_factory.mktemp("disk")
    made = subprocess.run([ROOT / "Scripts" / "build-npm", "--wasm", WASM.parent, "--out", out], check=True, capture_output=True, text=True)
    print("sightline.js, gzip:", json.loads(made.stdout)["gzip"]["one script"])
    subprocess.run([ROOT / "Scripts" / "build-examples", "--package", out / "package", "--out", out, "--three", THREE], check=True, capture_output=True)
    return out / "examples"


@pytest.fixture
def reader(new_phone, folder):
    """A phone that opens files of the folder."""
    def make(*scripts, **options):
        files = types.SimpleNamespace(url=folder.as_uri(), proxy_port=1)
        phone = new_phone(on=files, picture=None, scripts=scripts, screen=SCREEN, scale=1, allowed=[], **options)
        phone.state = lambda: phone.page.evaluate("({ url: location.href, body: document.body.innerText })")
        phone.expect("GPU stall due to ReadPixels")
        return phone
    return make


def start(phone, button):
    if button == "sightline-view":
        begin(phone)
    else:
        phone.page.locator(f"{button}:enabled").click()


@pytest.fixture
def camera(pictures):  # noqa: F811
    return CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))


def test_examples_with_a_marker(reader, folder, camera, views, output):  # noqa: F811
    phone = reader(camera)
    # Who opens the folder is led to the list, and every page of it is there.
    phone.page.goto((folder / "index.html").as_uri())
    phone.page.wait_for_url("**/examples/examples/index.html")
    pages = phone.page.evaluate("[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    assert [page for page in pages if not (folder / "examples" / page).is_file()] == [] and len(pages) > 12
    for name, (button, condition) in MARKERS.items():
        phone.page.goto((folder / "examples" / f"{name}.html").as_uri())
        start(phone, button)
        show(phone, "front")
        phone.wait(condition, seconds=30)
        phone.page.screenshot(path=output / f"disk-{name}.png")
    corners = [on_screen(corner) for corner in views["front"].corners()]
    for name in ("drawing", "three"):
        phone.page.goto((folder / "examples" / f"{name}.html").as_uri())
        start(phone, "#start")
        phone.wait("window.markerCamera.calls > 0")
        show(phone, "front")
        seen = None
        for _ in range(60):
            phone.page.screenshot(path=output / f"disk-{name}.png")
            seen = magenta(phone, output / f"disk-{name}.png")
            if seen:
                break
            phone.page.wait_for_timeout(100)
        assert seen, f"{name}: nothing was drawn"
        assert abs(seen[0] - min(x for x, _ in corners)) < 4, (name, seen, corners)


def test_a_picture_and_a_surface(reader, folder, output):
    phone = reader(script([FISH]))
    phone.page.goto((folder / "examples" / "picture.html").as_uri())
    pose(phone, view(distance=0.7, turn=15, spin=5))
    begin(phone)
    phone.wait("document.querySelector('sightline-picture').anchor?.isVisible", seconds=30)
    phone.page.screenshot(path=output / "disk-picture.png")
    phone.page.goto((folder / "examples" / "surface.html").as_uri())
    pose(phone, view(distance=0.7, turn=15, spin=5))
    begin(phone)
    # World tracking runs: its worker answers, and has no motion to begin with.
    phone.wait("document.querySelector('sightline-view').tracker.status.surfaces === 'starting'")
    assert phone.page.evaluate("document.querySelector('sightline-view').tracker.hitTest(100, 100).then(({ reason }) => reason)") == "starting"


def test_places_a_world_and_pages_that_need_a_server(reader, folder, camera, output):
    phone = reader(camera, position=(48.3935, 9.9916, None))
    phone.page.goto((folder / "examples" / "place.html").as_uri())
    phone.point(0 - phone.declination, 2)
    begin(phone)
    phone.wait("document.querySelector('sightline-place').anchor?.isVisible")
    phone.page.screenshot(path=output / "disk-place.png")
    phone.page.goto((folder / "examples" / "world.html").as_uri())
    phone.point(0 - phone.declination, 2)
    begin(phone)
    label = phone.page.locator("sightline-view [part~=label]", has_text="Minster")
    label.wait_for()
    phone.page.screenshot(path=output / "disk-world.png")
    # They say what they need; that there is no server the browser says too.
    phone.expect("Fetch API cannot load")
    phone.page.goto((folder / "examples" / "departures.html").as_uri())
    phone.wait("document.querySelector('#note')?.textContent.includes('?server=')")
    phone.page.goto((folder / "examples" / "tour.html?server=http://127.0.0.1:1").as_uri().replace("%3F", "?"))
    assert phone.page.get_by_role("button", name="Join").is_visible()
