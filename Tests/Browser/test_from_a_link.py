"""Map and list reached by a link or from the gate: they load without sensors and without a question, and no position is invented."""
import unicodedata

from support.phone import ALL_PERMISSIONS, wait_until
from support.worlds import EYE

STOCKHOLM = (59.33, 18.06, 20.0)
NOTHING = dict(permissions=(), sensors=False, picture=None)


def plain(name):
    """Without accents: umlauts are sorted with their vowels."""
    return "".join(letter for letter in unicodedata.normalize("NFD", name) if letter.isascii()).casefold()


def rows(phone):
    return phone.page.locator("#list .row .row-name").all_inner_texts()


def test_a_shared_list_loads_without_sensors_sorted_by_name(new_phone):
    phone = new_phone(**NOTHING)
    phone.open("/world/ulm?view=list")
    phone.page.wait_for_selector("#list .row", timeout=6000)
    names = rows(phone)
    assert names == sorted(names, key=plain), "by name, as nobody knows what is near"
    assert "".join(phone.page.locator("#list .row-far").all_inner_texts()).strip() == "", "no distance from nowhere"
    note = phone.page.locator("#list .standpoint-note")
    assert note.is_visible() and "not known" in note.inner_text()


def test_a_shared_map_loads_without_sensors_and_has_no_dot(new_phone):
    phone = new_phone(**NOTHING)
    phone.open("/world/ulm?view=map")
    phone.page.wait_for_selector("#map .map-pin", state="attached", timeout=6000)
    phone.page.wait_for_selector("#map .standpoint-note:visible")
    assert phone.page.locator("#map .map-user").count() == 0
    assert phone.state()["sources"]["position"] == "sensor", "nobody chose a position"
    phone.page.reload()
    phone.wait("Boolean(window.sightline?.ready)")
    phone.page.wait_for_selector("#map .map-pin", state="attached", timeout=6000)


def test_go_to_my_position_asks(new_phone):
    """Not before it is tapped; then the dot stands where the phone is."""
    phone = new_phone(permissions=[name for name in ALL_PERMISSIONS if name != "geolocation"])
    phone.open("/world/ulm?view=map")
    phone.page.wait_for_selector("#map .map-pin", state="attached", timeout=6000)
    assert phone.page.locator("#map .map-user").count() == 0
    phone.context.grant_permissions(list(ALL_PERMISSIONS))
    phone.move(STOCKHOLM)
    phone.page.locator('#map .standpoint-note [data-action="locate"]').tap()
    phone.page.wait_for_selector("#map .map-user", state="attached")
    phone.page.wait_for_selector("#map .standpoint-note", state="hidden")
    at = phone.page.evaluate("window.sightline.session.status && window.sightline.session.standpoint()")
    assert abs(at["latitude"] - STOCKHOLM[0]) < 0.01 and abs(at["longitude"] - STOCKHOLM[1]) < 0.01


def test_a_refusal_is_said_in_words(new_phone):
    phone = new_phone(permissions=[name for name in ALL_PERMISSIONS if name != "geolocation"])
    phone.open("/world/ulm?view=list")
    phone.page.wait_for_selector("#list .row", timeout=6000)
    phone.page.locator('#list .standpoint-note [data-action="locate"]').tap()
    phone.page.wait_for_selector('#toasts [data-key="position"]')
    assert "site settings" in phone.page.locator("#toasts").inner_text()


def test_the_gates_way_to_the_map_invents_nothing(new_phone):
    """GPS is allowed: the dot is the phone's own position and not the middle of the world."""
    phone = new_phone()
    phone.move(EYE)
    phone.open("/world/ulm")
    phone.page.locator("#gate").get_by_role("button", name="map").tap()
    phone.page.wait_for_selector("#map .map-user", state="attached")
    assert phone.state()["sources"]["position"] == "sensor"
    at = phone.page.evaluate("window.sightline.session.standpoint()")
    assert abs(at["latitude"] - EYE[0]) < 1e-3 and abs(at["longitude"] - EYE[1]) < 1e-3


def test_the_virtual_phone_says_from_where_it_sees(new_phone):
    phone = new_phone(**NOTHING)
    phone.open("/world/ulm?virtual=1&view=list")
    phone.page.wait_for_selector("#list .row")
    note = phone.page.locator("#list .standpoint-note")
    wait_until(lambda: note.is_visible() and "middle of the world" in note.inner_text(), "says from where")
    phone.open("/world/ulm?virtual=1&view=list&lat=48.4&lon=9.99")
    phone.page.reload()
    phone.page.wait_for_selector("#list .row")
    assert note.is_hidden(), "whoever chose the place knows it"


def test_a_link_of_a_registered_name_opens_its_world(new_phone):
    from urllib.parse import quote
    phone = new_phone(**NOTHING)
    phone.page.goto(f"{phone.server.url}/?link={quote('web+sightline:world/ulm?view=list', safe='')}")
    phone.wait("Boolean(window.sightline?.ready)")
    phone.page.wait_for_selector("#list .row", timeout=6000)
    assert phone.page.url == f"{phone.server.url}/#/world/ulm?view=list", "an address to keep and to pass on"
    # What leads nowhere says so, and what leads to another website asks.
    phone.page.goto(f"{phone.server.url}/?link={quote('web+gamaray:javascript:alert(1)', safe='')}")
    phone.wait("document.documentElement.dataset.view === 'missing'")
    phone.page.goto(f"{phone.server.url}/?link={quote('web+sightline://other.example/world/x', safe='')}")
    phone.page.locator("#leave").wait_for()
    assert "other.example" in phone.page.locator("#leave").inner_text()
