"""Authors at their desks: fixtures and steps for tests of accounts and the studio."""
import base64
import struct

import pytest

TABLET = (1024, 768)
PASSWORD = "a gull and 7 boats"
ULM = (48.3984, 9.9916)


@pytest.fixture(scope="session")
def author(server):
    """The name of an account; its password is PASSWORD."""
    # Each file that imports this has a fixture of its own; the account is made once.
    if not getattr(server, "has_author", False):
        server.add_account("astrid", PASSWORD)
        server.has_author = True
    return "astrid"


@pytest.fixture
def desk(new_phone, author):
    """Makes browsers at a desk, signed in."""
    def make(name=author, screen=TABLET, **options):
        phone = new_phone(screen=screen, mobile=False, sensors=False, permissions=(), picture=None, scale=1, **options)
        # The page asks who is signed in; what it may not do is said in answers of 401, 403, 409, which browsers log.
        phone.expect("status of 401", "status of 409", "status of 422", "status of 404")
        page = phone.page
        page.goto(phone.server.url + "/#/account")
        page.fill("#account-name", name)
        page.fill("#account-password", PASSWORD)
        page.click("#account-sign-in")
        page.wait_for_selector("#studio-new")
        return phone
    return make


def studio(phone):
    return phone.page.evaluate("() => window.sightline.state().studio")


def saved(phone):
    """Waits until the server has everything."""
    phone.wait("() => window.sightline.state().studio?.saved && window.sightline.state().studio.saveState === 'saved'")
    return studio(phone)


def new_world(phone, title):
    page = phone.page
    page.goto(phone.server.url + "/#/studio")
    page.click("#studio-new")
    page.fill("#new-title", title)
    page.click("#new-make")
    page.wait_for_selector("#studio-editor")
    return studio(phone)["world"]


def add_place(phone, title, latitude, longitude):
    page = phone.page
    page.click("#tab-places")
    if page.locator("#place-panel").count():
        page.click("#place-panel .panel-head button")
    page.click("#studio-add")
    page.click("#add-middle")
    page.fill("#place-title", title)
    page.fill("#place-latitude", str(latitude))
    page.fill("#place-longitude", str(longitude))


def titles(phone):
    return [place["title"] for place in studio(phone)["dimension"]["places"]]


def picture(page):
    """A photograph of 640 × 480 pixels that says to be turned, and where it was taken."""
    data = page.evaluate("""() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
        const context = canvas.getContext('2d');
        context.fillStyle = '#1e78c8';
        context.fillRect(0, 0, 640, 480);
        return canvas.toDataURL('image/jpeg').split(',')[1];
    }""")
    jpeg = base64.b64decode(data)
    note = b"taken at 48.3984 N 9.9916 E\0"
    # Two entries: the description, and orientation 6 (turn right).
    tiff = struct.pack("<2sHIH", b"II", 42, 8, 2) + struct.pack("<HHII", 0x010E, 2, len(note), 38)
    tiff += struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0) + struct.pack("<I", 0) + note
    segment = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]
