"""Several worlds shown together: each fetched by its own rules, hidden and closed from the list of open worlds."""
import json
from urllib.parse import quote

import pytest
from support import foreign as make
from support.foreign import Answer
from support.phone import wait_until
from support.worlds import EYE, towards

FAILED_LOAD = "Failed to load resource"


def world(foreign, path, name, places, **options):
    """A world of labels ahead of the phone: id, degrees right of ahead, metres."""
    def answer(request):
        number = len(foreign.asked(path))
        features = [make.place(id, f"{name} {id}", *towards(EYE, 30.0 + 3.7 + beside, far)) for id, beside, far in places]
        return make.gddf(f"{name} {number}" if options else name, features, refresh=foreign.address(path), **options)
    return foreign.serve(path, answer)


def begin(phone, first, *others, view=""):
    beside = "".join(f"&with={quote('url:' + other, safe='')}" for other in others)
    phone.open(f"/open?url={quote(first, safe='')}{beside}{view}")
    phone.point(30.0, 5.0)
    phone.start()


def names(phone):
    return [world["name"] for world in phone.state()["worlds"]]


def wait_worlds(phone, *wanted):
    phone.wait("(names) => JSON.stringify(window.sightline.state().worlds.map(({ name }) => name)) === JSON.stringify(names)",
               arg=list(wanted))


def show_list(phone):
    phone.tap("#menu")
    phone.tap("#menu-worlds")
    phone.page.locator("#worlds-dialog").wait_for()


def test_two_worlds_of_one_address_form(phone, foreign, output):
    one = world(foreign, "/one.gddf", "Castles", [("a", -6, 300), ("b", 4, 260)])
    two = world(foreign, "/two.gddf", "Inns", [("a", 9, 200)])
    begin(phone, one, two)
    wait_worlds(phone, "Castles", "Inns")
    # Ids of two worlds are different things.
    for id in ("a", "b", "1/a"):
        phone.wait_label(id)
    assert phone.labels()["1/a"]["text"].strip().startswith("Inns a")
    assert phone.state()["world"] == {"id": f"{one} {two}", "name": "Castles + Inns", "places": 3}
    # The radar shows all of them, and a card says which world a place is of.
    assert phone.state()["frame"]["blips"] == 3
    phone.tap('.label[data-id="1/a"]')
    assert phone.page.locator("#card .card-world").inner_text() == "Inns"
    phone.page.screenshot(path=output / "worlds-together.png")
    # Each was asked for once, by its own visitor's fields.
    for path in ("/one.gddf", "/two.gddf"):
        assert [request.fields["event"] for request in foreign.asked(path)] == ["init"]
    # The list has the places of both, and finds them by their world's name.
    phone.tap("#view-list")
    phone.page.locator("#list .row").nth(2).wait_for()
    phone.page.locator("#list input[type=search]").fill("inns")
    phone.wait("document.querySelectorAll('#list .row').length === 1")


def test_each_refreshes_by_its_own_rule(phone, foreign):
    one = world(foreign, "/by-time.gddf", "Clock", [("a", 0, 300)], every_ms=1200)
    two = world(foreign, "/by-way.gddf", "Way", [("a", 5, 300)], within=50)
    begin(phone, one, two)
    wait_until(lambda: len(foreign.asked("/by-time.gddf")) >= 3, "three rounds by time", 30)
    assert len(foreign.asked("/by-way.gddf")) == 1
    phone.move(towards(EYE, 90, 60))
    phone.wait("window.sightline.state().worlds[1].name === 'Way 2'")
    events = [request.fields["event"] for request in foreign.asked("/by-way.gddf")]
    assert events == ["init", "refreshOnDistance"]
    assert {request.fields["event"] for request in foreign.asked("/by-time.gddf")[1:]} == {"refreshOnTime"}


def test_the_list_adds_hides_and_closes(phone, foreign, server, output):
    one = world(foreign, "/list-one.gddf", "First", [("a", -4, 300)])
    world(foreign, "/list-two.gddf", "Second", [("b", 6, 250)])
    begin(phone, one)
    phone.wait_world("First")
    show_list(phone)
    assert phone.page.locator("#open-worlds li").count() == 1
    assert phone.page.locator("#close-world-0").is_hidden(), "the only world cannot be closed"
    # An address that is none is said to be none.
    field = phone.page.locator("#worlds-address")
    field.fill("nonsense")
    phone.tap("#worlds-open")
    assert "https://" in phone.page.locator("#worlds-hint").inner_text()
    field.fill(foreign.address("/list-two.gddf"))
    phone.tap("#worlds-open")
    phone.page.locator('#open-worlds li[data-world="1"][data-status="ready"]').wait_for()
    phone.page.screenshot(path=output / "worlds-list.png")
    assert "with=url" in phone.page.evaluate("location.hash"), "the address says what is open"
    # Worlds of this server are offered, and are open after one tap.
    entry = json.loads(server.get("/api/v1/worlds"))["worlds"][0]
    phone.tap(f"#add-world-{entry['id']}")
    phone.page.locator('#open-worlds li[data-world="2"][data-status="ready"]').wait_for()
    assert phone.page.locator(f"#add-world-{entry['id']}").count() == 0
    phone.tap("#close-world-2")
    phone.page.locator('#open-worlds li[data-world="2"]').wait_for(state="detached")
    # Hidden: nothing of it is shown, and it is there again at once.
    phone.page.locator("#show-world-1").uncheck()
    phone.wait("window.sightline.state().world.places === 1")
    assert "hidden" in phone.page.locator('#open-worlds li[data-world="1"]').inner_text()
    asked = len(foreign.asked("/list-two.gddf"))
    phone.page.locator("#show-world-1").check()
    phone.wait("window.sightline.state().world.places === 2")
    assert len(foreign.asked("/list-two.gddf")) == asked, "showing again fetches nothing"
    # The first may go as well: the other one stays.
    phone.tap("#close-world-0")
    wait_worlds(phone, "Second")
    phone.page.locator("#worlds-dialog .sheet-close").tap()
    # It keeps its number, and its places what they were called.
    phone.wait_label("1/b")
    assert quote(foreign.address("/list-two.gddf"), safe="") in phone.page.evaluate("location.hash")
    assert "with=" not in phone.page.evaluate("location.hash")


def test_a_failing_world_leaves_the_other_alone(phone, foreign):
    phone.expect(FAILED_LOAD)
    one = world(foreign, "/fine.gddf", "Fine", [("a", 0, 300)])
    two = foreign.serve("/never.gddf", lambda request: Answer("out of order", 500))
    begin(phone, one, two)
    phone.wait("window.sightline.state().worlds[1]?.status === 'failed'")
    phone.wait_label("a")
    assert phone.state()["worlds"][0]["status"] == "ready"
    assert phone.state()["world"]["name"] == "Fine"
    show_list(phone)
    assert "could not be loaded" in phone.page.locator('#open-worlds li[data-world="1"]').inner_text()
    phone.tap("#close-world-1")
    phone.wait("window.sightline.state().status.content.reason === 'ready'")


def test_categories_of_all_together(new_phone, foreign):
    def geojson(name, category, beside):
        at = towards(EYE, 30 + beside, 200)
        return json.dumps({"type": "FeatureCollection", "name": name, "features": [
            {"type": "Feature", "id": f"{category}", "properties": {"name": f"{name} place", "category": category},
             "geometry": {"type": "Point", "coordinates": [at[1], at[0]]}}]})
    one = foreign.serve("/red.geojson", Answer(geojson("Red", "Towers", 0), headers={}))
    two = foreign.serve("/blue.geojson", Answer(geojson("Blue", "Wells", 8), headers={}))
    phone = new_phone()
    begin(phone, one, two)
    phone.wait("window.sightline.state().worlds.every(({ status }) => status === 'ready')")
    categories = phone.page.evaluate("window.sightline.session.content.categories.map(({ number, name, count }) => [number, name, count])")
    assert sorted(name for _, name, _ in categories) == ["Towers", "Wells"]
    assert len({number for number, _, _ in categories}) == 2
    wells = next(number for number, name, _ in categories if name == "Wells")
    phone.page.evaluate("(n) => window.sightline.session.setCategories(~(1n << BigInt(n)) & 0xffffffffffffffffn)", wells)
    phone.wait("window.sightline.state().frame.candidates === 1")
    # A world that comes and goes leaves the filter as it is.
    phone.page.evaluate("window.sightline.session.worlds.hide(1, true)")
    phone.page.evaluate("window.sightline.session.worlds.hide(1, false)")
    phone.wait("window.sightline.state().world.places === 2 && window.sightline.state().frame.candidates === 1")


def test_the_page_begins_again_where_it_was(new_phone, foreign, server):
    one = world(foreign, "/again-one.gddf", "Here", [("a", 0, 300)])
    two = world(foreign, "/again-two.gddf", "There", [("b", 5, 300)])
    phone = new_phone()
    begin(phone, one, two)
    wait_worlds(phone, "Here", "There")
    phone.page.reload()
    phone.wait("Boolean(window.sightline?.ready)")
    phone.wait("window.sightline.state().worlds?.length === 2")
    phone.page.evaluate("location.hash = '#/'")
    # The page also knows of each by itself: what was open last comes first.
    last = phone.page.locator(".start-last a").first
    last.wait_for()
    assert last.inner_text().startswith("Here + There")
    assert "with=url" in last.get_attribute("href")


@pytest.mark.first_visit
def test_two_saved_worlds_open_without_a_network(new_phone, server):
    worlds = [entry for entry in json.loads(server.get("/api/v1/worlds"))["worlds"] if entry["places"] > 0][:2]
    first, second = worlds
    phone = new_phone(position=(first["center"]["latitude"], first["center"]["longitude"], 480.0))
    phone.open(f"/world/{first['id']}?view=list&with=world:{quote(second['id'])}")
    phone.wait("window.sightline.state().worlds?.filter(({ status }) => status === 'ready').length === 2")
    phone.tap("#menu")
    phone.tap("#menu-save")
    phone.page.locator(".toast", has_text="Saved.").wait_for(timeout=90000)
    phone.expect(FAILED_LOAD, "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    phone.context.set_offline(True)
    phone.page.reload()
    phone.wait("window.sightline?.state().worlds?.filter(({ status }) => status === 'ready').length === 2", seconds=60)
    assert {world["address"]["id"] for world in phone.state()["worlds"]} == {first["id"], second["id"]}
    phone.tap("#status-content")
    phone.page.locator("#status-note", has_text="No network: this is the copy saved on").wait_for()
    phone.context.set_offline(False)
