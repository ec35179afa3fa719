"""Heights over the sea, the ellipsoid and the ground: where places are drawn, and what the page says of it."""
import json

import pytest
from support import geoid
from support.foreign import gddf, place
from support.phone import wait_until
from support.worlds import EYE, towards

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
          "Mobile/15E148 Safari/604.1")


def open_world(phone, foreign, path, places):
    phone.open_foreign(foreign.serve(path, gddf("heights", places)))
    axes = phone.point(0.0)
    phone.start()
    phone.wait_world("heights")
    phone.settle()
    return axes


def said(phone):
    """The sentence about heights under "How accurate is this?"."""
    phone.tap("#menu")
    phone.tap("#menu-status")
    phone.page.locator("#status-dialog").wait_for()
    return next(text for text in phone.page.locator("#status-dialog li").all_inner_texts() if text.startswith("Height"))


def fetches_geoid(phone):
    return phone.page.evaluate("performance.getEntriesByType('resource').some((e) => e.name.endsWith('/data/egm96.geoid'))")


@pytest.mark.parametrize("agent", [None, IPHONE], ids=["ellipsoid", "sea"])
def test_a_place_over_the_sea_is_where_it_stands(new_phone, foreign, output, agent):
    phone = new_phone(agent=agent)
    spot = towards(EYE, 4.0, 300.0, 12.0)
    axes = open_world(phone, foreign, f"/sea-{bool(agent)}.gddf", [place("a", "Tower", *spot)])
    expected = phone.expected_point(axes, spot)

    def is_there():
        label = phone.labels().get("a")
        return label and max(abs(label["anchor"][k] - expected[k]) for k in (0, 1)) <= 2
    wait_until(is_there, f"it is drawn at {expected}")
    assert fetches_geoid(phone) == (agent is None)
    text = said(phone)
    assert "480 m above sea level" in text and "within 3 m" in text
    assert ("ellipsoid" in text and f"{round(geoid.height(EYE[0], EYE[1]))} m away" in text) == (agent is None), text
    phone.page.screenshot(path=str(output / f"heights-{'sea' if agent else 'ellipsoid'}.png"))


def test_without_the_geoid_places_are_at_eye_level_and_the_page_says_so(new_phone, foreign):
    phone = new_phone()
    phone.expect("egm96.geoid", "Failed to load resource")
    phone.page.route("**/data/egm96.geoid", lambda route: route.fulfill(status=404))
    spot = towards(EYE, 4.0, 300.0, 40.0)
    axes = open_world(phone, foreign, "/no-geoid.gddf", [place("a", "Tower", *spot)])
    level = phone.expected_point(axes, (spot[0], spot[1], EYE[2]))
    wait_until(lambda: "a" in phone.labels() and abs(phone.labels()["a"]["anchor"][1] - level[1]) <= 2, f"it is drawn at {level}")
    assert "sea level could not be looked up" in said(phone)


def test_the_ground_stands_in_for_an_altitude(new_phone, foreign):
    phone = new_phone(position=(EYE[0], EYE[1], None))
    asked = []

    def settings(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "hasTerrain": True})

    def ground(route):
        places = json.loads(route.request.post_data)["places"]
        asked.append(places)
        route.fulfill(json={"heights": [470.0 for _ in places]})
    phone.page.route("**/api/v1/settings", settings)
    phone.page.route("**/api/v1/ground", ground)
    spot = towards((EYE[0], EYE[1], 471.5), 4.0, 300.0, 25.0)
    axes = open_world(phone, foreign, "/ground.gddf", [place("a", "Tower", *spot)])
    phone.position = (EYE[0], EYE[1], 471.5)
    expected = phone.expected_point(axes, spot)
    wait_until(lambda: "a" in phone.labels() and abs(phone.labels()["a"]["anchor"][1] - expected[1]) <= 2, f"it is drawn at {expected}")
    assert asked == [[{"latitude": EYE[0], "longitude": EYE[1]}]], "places with a height are not asked about"
    assert "this phone tells no height, so it is that of the ground here" in said(phone)
