"""Worlds of what OpenStreetMap has around the phone: asked by the server, on a grid, and shown beside other worlds."""
import json
import re

import pytest
from support import foreign as make
from support.foreign import Answer
from support.phone import wait_until
from support.sightline import Sightline
from support.worlds import EYE, towards

PATH = "/api/interpreter"


@pytest.fixture(scope="module")
def mapped(foreign, tmp_path_factory):
    """A server with a service to ask."""
    server = Sightline(tmp_path_factory.mktemp("mapped"), foreign.port, more=["--overpass", foreign.address(PATH)]).start()
    yield server
    server.stop()


@pytest.fixture
def service(foreign):
    """An Overpass service with three things around the phone."""
    def node(number, beside, far, **tags):
        at = towards(EYE, 30 + 3.7 + beside, far)
        return {"type": "node", "id": number, "lat": round(at[0], 7), "lon": round(at[1], 7), "tags": tags}

    answer = {"version": 0.6, "osm3s": {"copyright": "Data from www.openstreetmap.org, ODbL"}, "elements": [
        node(1, -8, 200, amenity="cafe", name="Café Eins", opening_hours="Mo-Sa 8:00-18:00", **{
            "name:en": "Café One", "addr:street": "Gasse", "addr:housenumber": "1"}),
        node(2, 2, 260, amenity="restaurant", name="Anker"),
        node(3, 9, 300, amenity="bar")]}
    # How often it was asked is counted from here on: tests share the foreign server.
    before = len(foreign.asked(PATH))
    foreign.serve(PATH, lambda request: Answer(json.dumps(answer)))
    return lambda: foreign.asked(PATH)[before:]


def test_what_is_around_is_a_world(new_phone, mapped, service, output):
    phone = new_phone(mapped)
    phone.open("/osm/food")
    phone.point(30.0, 5.0)
    phone.start()
    phone.wait_world("Food and drink")
    for id in ("node/1", "node/2", "node/3"):
        phone.wait_label(id)
    texts = {id: label["text"].strip() for id, label in phone.labels().items()}
    assert texts["node/1"].startswith("Café One"), "in the reader's language where the mappers wrote it"
    assert texts["node/3"].startswith("Bar"), "what has no name is called what it is"
    phone.tap('.label[data-id="node/1"]')
    phone.page.locator("#card").wait_for(state="visible")
    card = phone.page.locator("#card").inner_text()
    assert "Gasse 1" in card and "Mo-Sa 8:00-18:00" in card
    phone.page.screenshot(path=output / "osm-world.png")
    [request] = service()
    query = request.fields["data"]
    assert re.search(r"\(around:1500,48\.40,10\.00\)", query) and "cafe" in query
    # Far enough away it is asked for again; in the same square the server asks nobody.
    phone.move(towards(EYE, 0, 420))
    phone.wait("performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/v1/osm/food')).length === 2")
    phone.wait("window.sightline.state().status.content.reason === 'ready'")
    assert len(service()) == 1
    phone.move(towards(EYE, 0, 2000))
    wait_until(lambda: len(service()) == 2, "another square is asked for")


def test_topics_are_offered_beside_another_world(new_phone, mapped, service, foreign):
    at = towards(EYE, 30 + 3.7, 200)
    own = foreign.serve("/beside-osm.gddf", lambda request: make.gddf("Own", [make.place("own", "Own place", *at)]))
    phone = new_phone(mapped)
    phone.open_foreign(own)
    phone.point(30.0, 5.0)
    phone.start()
    phone.wait_world("Own")
    phone.tap("#menu")
    phone.tap("#menu-worlds")
    phone.page.locator("#add-osm-sights").wait_for()
    phone.tap("#add-osm-food")
    phone.page.locator('#open-worlds li[data-world="1"][data-status="ready"]').wait_for()
    assert "Food and drink" in phone.page.locator('#open-worlds li[data-world="1"]').inner_text()
    assert "with=osm%3Afood" in phone.page.evaluate("location.hash")
    phone.page.locator("#worlds-dialog .sheet-close").tap()
    phone.wait_label("own")
    phone.wait_label("1/node/2")


def test_without_a_service_nothing_is_offered(phone, foreign):
    at = towards(EYE, 30 + 3.7, 200)
    phone.open_foreign(foreign.serve("/no-osm.gddf", lambda request: make.gddf("Plain", [make.place("a", "A", *at)])))
    phone.point(30.0, 5.0)
    phone.start()
    phone.tap("#menu")
    phone.tap("#menu-worlds")
    phone.page.locator("#worlds-dialog").wait_for()
    assert phone.page.locator('[id^="add-osm-"]').count() == 0
