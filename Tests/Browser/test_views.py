"""What the view shows: freeze, radius, categories, radar; and the map and the list as its equals."""
import math
import time

import pytest
from support import geometry
from support.foreign import gddf, place
from support.phone import wait_until
from support.picture import radar_spots
from support.worlds import EYE, geojson, level, ring, towards


def begin(phone, foreign, path, document):
    phone.open_foreign(foreign.serve(path, document))
    phone.point(0.0)
    phone.start()
    phone.settle()


def test_freeze_holds_the_picture(phone, foreign):
    begin(phone, foreign, "/freeze.gddf", ring(name="Freeze"))
    phone.wait_label("p0")
    before = phone.labels()["p0"]["anchor"]
    phone.tap("#freeze")
    assert phone.page.locator("#freeze").get_attribute("aria-pressed") == "true"
    phone.point(8.0)
    time.sleep(0.5)
    assert phone.labels()["p0"]["anchor"] == before
    assert phone.page.evaluate("document.querySelector('#camera').paused")
    phone.tap("#freeze")
    wait_until(lambda: math.dist(phone.labels()["p0"]["anchor"], before) > 50, "the picture moves again")
    assert not phone.page.evaluate("document.querySelector('#camera').paused")


def test_the_radius_decides_what_is_shown(phone, foreign):
    distances = [600, 1500, 2600, 4400, 7000, 13000, 19000]
    places = {f"d{d}": level(EYE, phone.declination + (i - 3) * 3.5, d) for i, d in enumerate(distances)}
    begin(phone, foreign, "/radius.gddf", gddf("Radius", [place(id, id, *p) for id, p in places.items()], relative=True,
                                               radar=20000))
    phone.tap("#filter-chip")
    for kilometres in (1, 2, 4, 20, 3):
        slide(phone, kilometres * 1000)
        inside = {id for id, p in places.items() if geometry.great_circle(EYE, p) <= kilometres * 1000}
        phone.wait("(n) => window.sightline.state().frame.candidates === n", len(inside))
        wait_until(lambda: shown(phone) == inside, f"exactly {sorted(inside)} in the view")
    assert "3" in phone.page.locator("#radius-value").inner_text()
    # Kept for the next visit.
    phone.page.reload()
    phone.wait("Boolean(window.sightline?.ready)")
    phone.wait("window.sightline.state().radius === 3000")


def slide(phone, metres):
    """Moves the slider to the stop that means so many metres; says what the text beside it was."""
    slider = phone.page.locator("#radius")
    for stop in range(80):
        # The sheet has the slider a moment before the slider is heard.
        wait_until(lambda: slider.get_attribute("max") not in (None, "100"), "the slider has its stops")
        if stop > int(slider.get_attribute("max")):
            break
        slider.fill(str(stop))
        if phone.state()["radius"] == metres:
            return phone.page.locator("#radius-value").inner_text()
    raise AssertionError(f"no stop of the slider is {metres} m; the last one is {phone.state()['radius']}")


@pytest.mark.parametrize("farthest, reach, said", [(310, 400, "400 m"), (7000, 10_000, "10 km"), (340_000, 500_000, "500 km")])
def test_the_slider_follows_the_world_and_the_radar_the_slider(phone, foreign, farthest, reach, said):
    places = {"near": level(EYE, phone.declination - 4, 70), "far": level(EYE, phone.declination + 4, farthest)}
    begin(phone, foreign, f"/reach-{farthest}.gddf", gddf("Reach", [place(id, id, *p) for id, p in places.items()], relative=True))
    # What the user once chose, and no farther than this world needs.
    phone.wait("(m) => window.sightline.state().radius === m", min(5000, reach))
    phone.tap("#filter-chip")
    assert slide(phone, reach) == said
    phone.wait("(m) => window.sightline.session.frame.radar.range === m", reach)
    wait_until(lambda: shown(phone) == {"near", "far"}, "the farthest place is in the view")
    assert phone.page.evaluate("window.sightline.session.frame.radar.blips.length") == 2
    assert slide(phone, 60) == "60 m"
    wait_until(lambda: shown(phone) == set(), "nothing is as near as 60 m")
    assert slide(phone, 80) == "80 m"
    wait_until(lambda: shown(phone) == {"near"}, "one place is within 80 m")
    blip = phone.page.evaluate("(() => { const { range, blips: [b] } = window.sightline.session.frame.radar; return [range, Math.hypot(b.x, b.y)]; })()")
    assert blip[0] == 80 and abs(blip[1] - 70 / 80) < 0.01, blip


def test_a_stated_range_of_the_radar_counts(phone, foreign):
    begin(phone, foreign, "/stated.gddf", gddf("Stated", [place("one", "One", *level(EYE, phone.declination, 300))], relative=True, radar=1000))
    phone.wait("window.sightline.session.frame.radar.range === 1000 && window.sightline.state().radius === 400")


def shown(phone):
    """Ids of the places in the picture, labels and members of clusters alike."""
    return set(phone.page.evaluate("""() => {
      const { session } = window.sightline;
      const ids = new Set([...document.querySelectorAll('.label')].filter((e) => e.getClientRects().length).map((e) => e.dataset.id));
      for (const c of session.frame.clusters) for (const m of c.members) ids.add(session.content.places[m].id);
      return [...ids];
    }"""))


def test_categories_are_filtered(phone, foreign):
    kinds = ["Church", "Bridge", "Church", "Museum", "Bridge", "Museum"]
    features = [(f"k{i}", f"{kind} {i}", kind, towards(EYE, phone.declination + (i - 2.5) * 4, 400 + 50 * i))
                for i, kind in enumerate(kinds)]
    begin(phone, foreign, "/kinds.geojson", geojson("Kinds", features))
    everything = {f"k{i}" for i in range(6)}
    wait_until(lambda: shown(phone) == everything, "all are shown at first")
    phone.tap("#filter-chip")
    phone.tap('#categories [data-name="Bridge"]')
    wait_until(lambda: shown(phone) == {"k1", "k4"}, "bridges only")
    assert phone.page.locator('#categories [data-name="Bridge"]').get_attribute("aria-pressed") == "true"
    phone.tap('#categories [data-name="Museum"]')
    wait_until(lambda: shown(phone) == {"k1", "k4", "k3", "k5"}, "bridges and museums")
    # The same filter in the list and on the map.
    phone.tap("#view-list")
    phone.page.wait_for_selector("#list .row")
    rows = phone.page.locator("#list .row").evaluate_all("(rows) => rows.map((row) => row.dataset.id)")
    assert rows == ["k1", "k3", "k4", "k5"], "nearest first"
    phone.tap("#view-map")
    phone.page.wait_for_selector("#map .map-pin", state="attached")
    pins = phone.page.locator("#map .map-pin").evaluate_all("(pins) => pins.map((pin) => pin.dataset.id)")
    assert set(pins) == {"k1", "k3", "k4", "k5"}
    phone.tap("#filter-chip")
    phone.tap('#categories [data-category="all"]')
    wait_until(lambda: phone.page.locator("#map .map-pin").count() == 6, "all again")


def angle_of(spot):
    """Degrees clockwise from the radar's top."""
    return math.degrees(math.atan2(spot[0], -spot[1])) % 360


@pytest.mark.parametrize("heading", [0.0, 70.0, 215.0])
def test_the_radar_shows_what_is_around(phone, foreign, heading):
    azimuths = [10, 80, 150, 250]
    places = [place(f"r{a}", f"r{a}", *level(EYE, a, 300 + a)) for a in azimuths]
    far = place("far", "far", *level(EYE, 200, 3000))
    begin(phone, foreign, "/radar.gddf", gddf("Radar", places + [far], relative=True, radar=1000))
    phone.point(heading)
    true = heading + phone.declination
    phone.wait("(b) => Math.cos(window.sightline.state().frame.bearing - b) > 0.99999", math.radians(true))
    phone.settle()
    phone.tap("#radar-box")
    spots = radar_spots(phone.page)
    assert len(spots) == 4, spots
    for azimuth in azimuths:
        expected = ((azimuth - true) % 360, (300 + azimuth) / 1000)
        assert any(abs((angle_of(spot) - expected[0] + 180) % 360 - 180) < 4 and abs(math.hypot(*spot) - expected[1]) < 0.05
                   for spot in spots), (expected, [(angle_of(spot), math.hypot(*spot)) for spot in spots])
    # Told to screen readers now and then, not in every frame.
    wait_until(lambda: phone.page.locator("#radar-box").get_attribute("aria-label").startswith("Radar, 1 km, 4 places on it"),
               "the radar in words")


def test_no_radar_where_the_world_wants_none(phone, foreign):
    document = ring(name="No radar").replace("</name>", "</name><radarAvailable>false</radarAvailable>")
    begin(phone, foreign, "/no-radar.gddf", document)
    assert phone.page.locator("#radar-box").is_hidden()


def test_the_list_is_the_views_equal(phone, foreign):
    begin(phone, foreign, "/equal.gddf", gddf("Equal", [
        place("far", "Far away", *towards(EYE, 10, 900)), place("near", "Near by", *towards(EYE, phone.declination, 200)),
        place("mid", "In between", *towards(EYE, 190, 500))]))
    phone.tap("#view-list")
    phone.page.wait_for_selector("#list .row")
    rows = phone.page.locator("#list .row")
    assert rows.evaluate_all("(rows) => rows.map((row) => row.dataset.id)") == ["near", "mid", "far"]
    assert "200 m" in rows.nth(0).inner_text() and "900 m" in rows.nth(2).inner_text()
    rows.nth(0).tap()
    assert rows.nth(0).get_attribute("aria-pressed") == "true"
    phone.page.locator("#card").wait_for(state="visible")
    # The same one is selected on the map and in the view.
    phone.tap('#card [data-action="map"]')
    phone.page.wait_for_selector('#map .map-pin[data-id="near"][aria-pressed="true"]', state="attached")
    phone.tap('#card [data-action="ar"]')
    phone.page.wait_for_selector('.label[data-id="near"][aria-pressed="true"]')
    # Searching.
    phone.tap("#card .card-close")
    phone.tap("#view-list")
    phone.page.locator("#list-search").fill("between")
    wait_until(lambda: rows.count() == 1, "one row left")
    assert rows.nth(0).get_attribute("data-id") == "mid"
    phone.page.locator("#list-search").fill("nothing like it")
    wait_until(lambda: rows.count() == 0, "no row left")


def test_the_map_is_the_views_equal(phone, foreign):
    target = towards(EYE, phone.declination + 5, 300)
    begin(phone, foreign, "/map.gddf", gddf("Map", [place("here", "Here", *target), place("other", "Other", *towards(EYE, 200, 400))]))
    phone.tap("#view-map")
    phone.page.wait_for_selector("#map .map-pin", state="attached")
    assert phone.page.evaluate("location.hash").endswith("view=map")
    phone.page.wait_for_timeout(300)
    # Pins lie as the places do: "here" is north-north-east of the user, "other" south-south-west.
    spots = phone.page.evaluate("""() => Object.fromEntries([['me', '.map-user'], ['here', '.map-pin[data-id=here]'],
      ['other', '.map-pin[data-id=other]']].map(([name, selector]) => {
        const b = document.querySelector('#map ' + selector).getBoundingClientRect();
        return [name, [b.left + b.width / 2, b.top + b.height / 2]];
      }))""")
    for name, azimuth, distance in (("here", phone.declination + 5, 300), ("other", 200, 400)):
        dx, dy = spots[name][0] - spots["me"][0], spots[name][1] - spots["me"][1]
        assert math.degrees(math.atan2(dx, -dy)) % 360 == pytest.approx(azimuth % 360, abs=3)
        spots[name] = math.hypot(dx, dy) / distance
    assert spots["here"] == pytest.approx(spots["other"], rel=0.05), "one scale for all"
    phone.page.locator('#map .map-pin[data-id="here"]').dispatch_event("click")
    phone.wait("window.sightline.state().selected === 0")
    phone.page.locator("#card").wait_for(state="visible")
    phone.page.locator('#card [data-action="ar"]').tap()
    phone.page.wait_for_selector('.label[data-id="here"][aria-pressed="true"]')
    # The browser's "back" goes from view to view.
    phone.page.go_back()
    phone.page.wait_for_selector('html[data-view="map"]')


def test_no_place_in_range_is_said(phone, foreign):
    begin(phone, foreign, "/empty.gddf", gddf("Far", [place("far", "Far", *towards(EYE, 0, 15000))]))
    phone.page.wait_for_selector('#status-content[data-reason="nothingInRange"]')
    phone.tap("#status-content")
    assert "15 km" in phone.page.locator("#status-note").inner_text(), "how far the nearest is"


def test_a_link_to_a_place_selects_it(phone, foreign):
    address = foreign.serve("/link.gddf", ring(name="Link"))
    phone.open_foreign(address, place="p3")
    phone.point(0)
    phone.start()
    phone.wait("window.sightline.state().selected === 3")
    assert phone.page.locator("#card h2").inner_text() == "Place 3"
