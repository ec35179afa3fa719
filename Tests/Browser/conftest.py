"""Fixtures: one browser and one server for all tests, a phone for each, closed and checked at its end."""
import os
import pathlib
import shutil
import sys

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from support.cluster import Cluster  # noqa: E402
from support.contexts import Contexts  # noqa: E402
from support.foreign import ForeignServer  # noqa: E402
from support.phone import SPARING, Phone  # noqa: E402
from support.sightline import MODELS, ODOMETRY, PLACES, PROGRAM, VISION, WASM, Sightline  # noqa: E402
from support.tours import add_author  # noqa: E402

# Whether the test has failed.
FAILED = pytest.StashKey[bool]()
OUTPUT = pathlib.Path(__file__).parent / "output"
FLAGS = ["--use-fake-device-for-media-stream", "--force-color-profile=srgb",
         # A name that is this machine but, unlike 127.0.0.1, no secure origin.
         "--host-resolver-rules=MAP phone.example 127.0.0.1",
         # The phones share a process: a new one for each takes a quarter of the time that a phone needs.
         "--renderer-process-limit=1"]


def pytest_configure(config):
    config.addinivalue_line("markers", "whole_browser: needs more than the browser without windows has")
    config.addinivalue_line("markers", "first_visit: in a browser that has loaded nothing before")
    config.addinivalue_line("markers", "real_time: follows a phone as it moves; is run without other tests beside it")


def pytest_addoption(parser):
    parser.addoption("--readme-picture", metavar="FILE", help="also write the picture for the README to this file")
    parser.addoption("--minute-pictures", metavar="FOLDER", help="also write the README's six pictures of the first minute to this folder")
    parser.addoption("--accept-look", action="store_true", help="keep the pictures of test_visual.py as they are now")


@pytest.fixture(scope="session")
def output():
    """Where screenshots go, to be looked at."""
    OUTPUT.mkdir(exist_ok=True)
    return OUTPUT


WHOLE = ("chromium", "chromium-browser", "google-chrome")


def chromium(is_whole=False):
    """The browser's program, or None. The one without windows takes three quarters of the other's processor time."""
    names = WHOLE if is_whole else ("chromium-headless-shell", *WHOLE)
    return os.environ.get("CHROMIUM") or next((found for name in names if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


def launch(playwright, is_whole=False):
    path = chromium(is_whole)
    if path is None:
        pytest.fail("there is no Chromium: Scripts/install-dependencies test")
    # Root, as in a container, can only run it without the sandbox.
    flags = FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else [])
    return playwright.chromium.launch(executable_path=path, args=flags)


@pytest.fixture(scope="session")
def browser(playwright):
    browser = launch(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_browser(playwright):
    """The browser with all that users have of it, for tests marked so: without windows, nothing that a page asks for is refused."""
    browser = launch(playwright, is_whole=True)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def foreign():
    """A server of foreign worlds. Tests share it: each uses paths of its own."""
    server = ForeignServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def server(foreign, tmp_path_factory):
    """The real server with the demonstration worlds; with SIGHTLINE_TEST_SERVERS=3 three of them behind a balancer."""
    for needed in (PROGRAM, WASM, PLACES, VISION, MODELS, ODOMETRY):
        if not needed.exists():
            pytest.fail(f"{needed} is missing: build first (./test browser does)")
    count = int(os.environ.get("SIGHTLINE_TEST_SERVERS", "1"))
    folder = tmp_path_factory.mktemp("server")
    server = (Sightline(folder, foreign.port) if count < 2 else
              Cluster(folder, foreign.port, count, more=["--connections-per-network", "5000"])).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def teacher_account(server):
    """The account of a teacher, whose sessions `sign_in` and `Teacher` open."""
    add_author(server.database)


@pytest.fixture(scope="session")
def contexts(browser):
    """Contexts of the browser that phones use one after the other."""
    return Contexts(browser)


@pytest.fixture
def new_phone(request, server):
    """Makes phones; what they did is checked when the test ends. They draw sparingly, but in tests of real time."""
    def has(marker):
        return request.node.get_closest_marker(marker) is not None
    browser = request.getfixturevalue("whole_browser" if has("whole_browser") else "browser")
    kept = None if has("whole_browser") or has("first_visit") else request.getfixturevalue("contexts")
    drawing = {} if has("real_time") else SPARING
    phones = []

    def make(on=None, **options):
        phone = Phone(browser, on or server, **{"contexts": kept, **drawing, **options})
        phones.append(phone)
        return phone

    yield make
    is_fine = False
    try:
        for phone in phones:
            phone.check()
        is_fine = not request.node.stash.get(FAILED, False)
    finally:
        for phone in phones:
            phone.close(is_fine)


@pytest.fixture
def phone(new_phone):
    """An ordinary phone, held upright."""
    return new_phone()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Keeps a picture of every phone of a failed test."""
    report = (yield).get_result()
    if report.failed:
        item.stash[FAILED] = True
    if report.when == "call" and report.failed:
        OUTPUT.mkdir(exist_ok=True)
        phone = item.funcargs.get("phone")
        if phone is not None:
            try:
                phone.page.screenshot(path=OUTPUT / f"failed-{item.name[:80].replace('/', '-')}.png")
            except Exception as error:  # noqa: BLE001 - the picture is a help, not the test
                print(f"no picture: {error}")
