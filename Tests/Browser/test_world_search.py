"""One search on the start page over all worlds: places, names in other languages, keys, and without a connection."""
import json

import pytest
from support.phone import wait_until


@pytest.fixture
def start(new_phone):
    phone = new_phone(permissions=())
    phone.open()
    phone.page.wait_for_selector('.world-card[data-world="ulm"]')
    return phone


def found(phone):
    return phone.page.locator("#found-places .world-card").all_inner_texts()


def test_a_place_is_found_and_opens_its_world_with_it_selected(start):
    page = start.page
    page.locator("#start-search").fill("stadthaus")
    page.locator("#found-places .world-card").first.wait_for()
    assert any("Stadthaus" in text and "in Ulm" in text for text in found(start)), found(start)
    assert page.locator("#worlds-note").is_hidden()
    page.locator('#found-places .world-card:has-text("Stadthaus")').first.click()
    start.wait("window.sightline.state().world?.id === 'ulm' || location.hash.startsWith('#/world/ulm')")
    page.wait_for_selector("#card:visible")
    assert "Stadthaus" in page.locator("#card").inner_text()


def test_words_of_world_and_place_together_and_without_accents(start):
    page = start.page
    page.locator("#start-search").fill("MINSTÉR dan")
    wait_until(lambda: any("Minster" in text and "in Danube walk" in text for text in found(start)), "a place of the world")
    assert not any("in Ulm" in text for text in found(start))


def test_keys_go_from_the_field_through_what_was_found(start):
    page = start.page
    field = page.locator("#start-search")
    field.fill("metzgerturm")
    page.locator("#found-places .world-card").first.wait_for()
    field.press("ArrowDown")
    assert page.evaluate("() => document.activeElement.dataset.found?.startsWith('ulm/')")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("() => document.activeElement.id") == "start-search"
    field.press("Enter")
    page.wait_for_function("() => location.hash.startsWith('#/world/')")


def test_what_is_asked_tells_no_more_than_is_needed(new_phone):
    phone = new_phone(position=(48.398412, 9.991634, 480.0))
    phone.open()
    phone.page.wait_for_selector(".world-card[data-world]")
    with phone.page.expect_request("**/api/v1/search?*") as asked:
        phone.page.locator("#start-search").fill("turm")
    url = asked.value.url
    assert "latitude=48.40" in url and "longitude=9.99&" in url + "&" and "48.3984" not in url


def test_a_world_is_found_by_its_name_in_another_language(start):
    page = start.page
    page.route("**/api/v1/search?*", lambda route: route.fulfill(json={"results": [
        {"world": {"id": "museum", "title": "Museum"}, "place": None, "latitude": None, "longitude": None}]}))
    page.locator("#start-search").fill("bowuguan")
    wait_until(lambda: page.locator(".world-card[data-world]").evaluate_all("(all) => all.map((one) => one.dataset.world)") == ["museum"],
               "the one world is left")


def test_an_old_answer_does_not_replace_a_newer_one(start):
    page = start.page
    held = []

    def answer(route):
        if "q=first" in route.request.url:
            held.append(route)
            return
        route.fulfill(json={"results": [{"world": {"id": "ulm", "title": "Ulm"}, "place": {"id": "b", "title": "Second place"}, "latitude": 1, "longitude": 2}]})

    page.route("**/api/v1/search?*", answer)
    with page.expect_request("**/api/v1/search?*first*"):
        page.locator("#start-search").fill("first")
    page.locator("#start-search").fill("second")
    wait_until(lambda: len(found(start)) == 1 and "Second place" in found(start)[0], "the second has come")
    try:
        held[0].fulfill(json={"results": [{"world": {"id": "ulm", "title": "Ulm"}, "place": {"id": "a", "title": "First place"}, "latitude": 1, "longitude": 2}]})
    except Exception:  # noqa: BLE001 - the page has ended it
        pass
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert "Second place" in found(start)[0]
    page.locator("#start-search").fill("")
    wait_until(lambda: found(start) == [], "nothing is looked for any more")


def test_without_the_server_titles_are_still_searched_and_it_is_said(start):
    start.expect("Failed to load resource", "status of 503")
    page = start.page
    page.route("**/api/v1/search?*", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body=json.dumps({"code": "server.stopping", "status": 503})))
    page.locator("#start-search").fill("muse")
    wait_until(lambda: "only the titles" in page.locator("#worlds-note").inner_text(), "it is said")
    assert page.locator(".world-card[data-world]").count() == 1


def test_covers_come_from_the_list_without_loading_each_world(start):
    """The museum has pictures: its world is not fetched for its card."""
    asked = []
    page = start.page
    wait_until(lambda: '"cover":"' in start.server.get("/api/v1/worlds").decode(), "the server has read its worlds")
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector('[data-world="museum"] .has-cover img')
    page.wait_for_selector('[data-world="ulm"] .has-cover svg')
    assert not [url for url in asked if url.endswith("/api/v1/worlds/museum")]
