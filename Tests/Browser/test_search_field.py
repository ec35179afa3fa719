"""The field that gets one to a place on a map: coordinates, places of one's own, addresses, and where one is."""
import json

import pytest
from support.studio import add_place, author, desk, new_world, saved  # noqa: F401 - fixtures

GEOCODER = "**/api/v1/geocode?*"


def with_geocoder(phone, answer):
    """As a server with a geocoder; `answer` is given the route."""
    phone.page.route("**/api/v1/settings", lambda route: route.fulfill(json={**route.fetch().json(), "hasGeocoder": True}))
    phone.page.route(GEOCODER, answer)


@pytest.fixture
def editor(desk):  # noqa: F811
    phone = desk()
    new_world(phone, "Search")
    add_place(phone, "Münster tower", 48.3984, 9.9916)
    saved(phone)
    phone.page.locator("#studio-search").wait_for()
    return phone


def center(phone):
    return phone.page.evaluate("""() => {
      const map = document.querySelector('.map-editor-canvas, .tour-map');
      const box = map.getBoundingClientRect();
      const mark = map.querySelector('.map-found')?.getBoundingClientRect();
      return mark && { dx: mark.x + mark.width / 2 - box.x - box.width / 2, dy: mark.y + mark.height / 2 - box.y - box.height / 2 };
    }""")


def test_coordinates_in_any_form_lead_there(editor):
    page = editor.page
    field = page.locator("#studio-search")
    for text in ("48.7, 9.1", "48°42'0\"N 9°6'0\"E", "geo:48.7,9.1", "https://www.openstreetmap.org/#map=15/48.7/9.1"):
        field.fill(text)
        choice = page.locator(".search-choice[data-kind=coordinates]")
        choice.wait_for()
        assert "48.70000, 9.10000" in choice.inner_text()
    field.press("Enter")
    assert page.locator(".search-choice").count() == 0 and field.input_value() == "48.70000, 9.10000"
    editor.wait("() => document.querySelector('.map-found')")
    found = center(editor)
    assert abs(found["dx"]) < 2 and abs(found["dy"]) < 2
    # What is put on the map now stands there.
    page.click("#studio-search", force=True)
    page.keyboard.press("Escape")
    page.click("#place-panel .panel-head button")
    page.click("#studio-add")
    page.click("#add-middle")
    place = saved(editor)["dimension"]["places"][-1]["position"]
    assert abs(place["latitude"] - 48.7) < 1e-4 and abs(place["longitude"] - 9.1) < 1e-4


def test_own_places_are_found_without_accents_and_by_keys(editor):
    page = editor.page
    page.click("#place-panel .panel-head button")
    field = page.locator("#studio-search")
    field.fill("munster")
    choice = page.locator(".search-choice[data-kind=known]")
    choice.wait_for()
    assert field.get_attribute("aria-expanded") == "true" and choice.get_attribute("aria-selected") == "false"
    field.press("ArrowDown")
    assert choice.get_attribute("aria-selected") == "true"
    assert field.get_attribute("aria-activedescendant") == choice.get_attribute("id")
    assert field.get_attribute("aria-controls") == page.locator(".search-list").get_attribute("id")
    field.press("Enter")
    page.locator("#place-title").wait_for()
    assert page.locator("#place-title").input_value() == "Münster tower"
    assert field.get_attribute("aria-expanded") == "false"


def test_without_a_geocoder_nothing_is_asked_and_it_is_said_what_works(editor):
    page = editor.page
    page.locator("#studio-search").fill("Nowhere Street 5")
    note = page.locator(".search-note")
    note.wait_for()
    assert "does not search for addresses" in note.inner_text()
    assert page.locator(".search-choice").count() == 0
    page.locator("#studio-search").press("Escape")
    page.locator("#studio-search").press("Escape")
    assert note.is_hidden() and page.locator("#studio-search").input_value() == ""


def test_addresses_are_asked_for_by_who_wants_them(desk):  # noqa: F811
    phone = desk()
    asked = []

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(json={"results": [{"title": "Münsterplatz 1", "detail": "89073 Ulm", "latitude": 48.3984, "longitude": 9.9916},
                                        {"title": "Münsterplatz", "detail": "Bonn", "latitude": 50.7337, "longitude": 7.0998}]})

    with_geocoder(phone, answer)
    new_world(phone, "Addresses")
    page = phone.page
    page.reload()
    page.wait_for_selector("#studio-editor")
    field = page.locator("#studio-search")
    field.fill("Münsterplatz")
    page.locator(".search-choice[data-kind=ask]").wait_for()
    # Typing alone sends nothing to a service of others.
    assert asked == []
    field.press("Enter")
    page.locator(".search-choice[data-kind=address]").first.wait_for()
    assert len(asked) == 1 and "q=M%C3%BCnsterplatz" in asked[0] and "language=en" in asked[0]
    assert page.locator(".search-choice").all_inner_texts() == ["Münsterplatz 1\n89073 Ulm", "Münsterplatz\nBonn"]
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("Enter")
    phone.wait("() => document.querySelector('.map-found')")
    found = center(phone)
    assert abs(found["dx"]) < 2 and abs(found["dy"]) < 2
    assert field.input_value() == "Münsterplatz"


@pytest.mark.parametrize("status, words", [(429, "Try again in a minute"), (502, "does not answer")])
def test_a_geocoder_that_refuses_is_said_so(desk, status, words):  # noqa: F811
    phone = desk()
    phone.expect(f"status of {status}")
    with_geocoder(phone, lambda route: route.fulfill(
        status=status, content_type="application/problem+json", body=json.dumps({"code": "x", "detail": "No.", "status": status})))
    new_world(phone, "Refused")
    page = phone.page
    page.reload()
    page.wait_for_selector("#studio-editor")
    page.locator("#studio-search").fill("Elsewhere")
    page.locator(".search-choice[data-kind=ask]").click()
    page.wait_for_function("(words) => document.querySelector('.search-note')?.textContent.includes(words)", arg=words)


def test_to_where_one_is(desk):  # noqa: F811
    phone = desk()
    new_world(phone, "Here")
    page = phone.page
    phone.context.grant_permissions(["geolocation"])
    phone.context.set_geolocation({"latitude": 48.5, "longitude": 9.5})
    page.locator("#studio-search").focus()
    page.locator(".search-choice[data-kind=here]").click()
    phone.wait("() => document.querySelector('.map-found')")
    assert page.locator("#studio-search").input_value() == "My position"


@pytest.mark.parametrize("screen", [(320, 568), (1440, 900)])
def test_the_designer_of_tours_has_it_and_nothing_lies_under_it(desk, screen):  # noqa: F811
    phone = desk(screen=screen)
    page = phone.page
    page.goto(phone.server.url + "/#/tours")
    page.locator("#tours-new").click()
    page.wait_for_selector("#tours-designer")
    field = page.locator("#tours-search")
    field.wait_for()
    boxes = {name: page.locator(name).bounding_box() for name in (".map-search", ".tour-map-tools", ".map-controls", ".tour-map")
             if page.locator(name).count()}
    search = boxes[".map-search"]
    assert search["x"] >= boxes[".tour-map"]["x"] and search["x"] + search["width"] <= screen[0]
    for name in (".tour-map-tools", ".map-controls"):
        if name in boxes:
            assert boxes[name]["y"] >= search["y"] + search["height"], name
    field.fill("48.7 9.1")
    field.press("Enter")
    phone.wait("() => document.querySelector('.map-found')")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", [(320, 568), (1440, 900)])
def test_a_map_without_pictures_says_why(desk, screen):  # noqa: F811
    """In the studio and for tours: those who work there know somebody who can change it."""
    phone = desk(screen=screen)
    page = phone.page
    new_world(phone, "Grey")
    for opened in ("studio", "tours"):
        if opened == "tours":
            page.goto(phone.server.url + "/#/tours")
            page.locator("#tours-new").click()
            page.wait_for_selector("#tours-designer")
        note = page.locator(".map-grey")
        note.wait_for()
        others = page.locator(".map-search, .tour-map-tools, .map-controls")
        box = note.bounding_box()
        for other in [others.nth(index).bounding_box() for index in range(others.count())]:
            apart = (other["x"] >= box["x"] + box["width"] or other["x"] + other["width"] <= box["x"]
                     or other["y"] >= box["y"] + box["height"] or other["y"] + other["height"] <= box["y"])
            assert apart, (opened, box, other)
        note.locator("summary").click()
        assert note.locator("code").inner_text() == "sightline serve --tiles"
        text = note.bounding_box()
        assert text["x"] >= 0 and text["x"] + text["width"] <= screen[0]


def test_a_map_with_pictures_says_nothing(desk):  # noqa: F811
    phone = desk()
    phone.page.route("**/api/v1/settings", lambda route: route.fulfill(
        json={**route.fetch().json(), "tiles": {"url": "/client/dev/icon.svg?{z}{x}{y}", "attribution": "", "maxZoom": 19}}))
    new_world(phone, "Tiles")
    phone.page.reload()
    phone.page.wait_for_selector("#studio-editor img.leaflet-tile")
    assert phone.page.locator(".map-grey").count() == 0
