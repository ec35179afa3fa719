"""Taps: what labels and overlays do, the card, hidden overlays, clusters, arrows."""
import math
import re

import pytest
from support import foreign as make
from support import geometry
from support.phone import wait_until
from support.worlds import EYE, ring, towards


def begin(phone, foreign, path, name, features, overlays=(), **options):
    phone.open_foreign(foreign.serve(path, make.gddf(name, features, overlays, **options)))
    phone.point(0.0)
    phone.start()
    phone.wait_world(name)
    phone.settle()


def ahead(phone, right=0.0, distance=300.0, up=0.0):
    """A position in the picture of a phone that points to magnetic north."""
    return towards(EYE, phone.declination + right, distance, up)


def tap_label(phone, id):
    left, top, width, height = phone.labels()[id]["box"]
    phone.page.touchscreen.tap(left + width / 2, top + height / 2)


def test_a_card_tells_what_a_place_is(phone, foreign):
    begin(phone, foreign, "/card.gddf", "Card", [make.place("tower", "Tower", *ahead(phone, 3, 640, 30))])
    tap_label(phone, "tower")
    card = phone.page.locator("#card")
    card.wait_for(state="visible")
    assert card.locator("h2").inner_text() == "Tower"
    text = card.inner_text()
    assert "640 m" in text
    expected = round((3 + phone.declination) % 360)
    assert re.search(rf"\bN {expected}°", text), text
    height = ahead(phone, 3, 640, 30)[2]
    assert f"{round(height)} m" in text, text
    assert phone.state()["selected"] == 0
    phone.tap("#card .card-close")
    card.wait_for(state="hidden")
    assert phone.state()["selected"] is None


def test_a_web_page_is_asked_about_first(phone, foreign):
    begin(phone, foreign, "/webpage.gddf", "Page", [
        make.place("page", "Page", *ahead(phone), press="webpage: https://example.org/a?b=c")])
    tap_label(phone, "page")
    phone.page.wait_for_selector("dialog#leave")
    assert "example.org" in phone.page.locator("#leave").inner_text()
    assert phone.page.locator("#leave-open").get_attribute("href") == "https://example.org/a?b=c"
    assert "noopener" in phone.page.locator("#leave-open").get_attribute("rel")
    phone.tap("#leave-stay")
    phone.page.wait_for_selector("dialog#leave", state="detached")
    assert len(phone.context.pages) == 1 and phone.page.url.startswith(phone.server.url)

    tap_label(phone, "page")
    phone.page.wait_for_selector("dialog#leave")
    phone.context.route("https://example.org/**", lambda route: route.fulfill(body="<p>there</p>", content_type="text/html"))
    with phone.context.expect_page() as opened:
        phone.tap("#leave-open")
    assert opened.value.url == "https://example.org/a?b=c"
    opened.value.close()


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"])
def test_dangerous_addresses_are_not_opened(phone, foreign, address):
    begin(phone, foreign, "/danger.gddf", "Danger", [make.place("d", "Danger", *ahead(phone), press=f"webpage: {address}")])
    tap_label(phone, "d")
    phone.page.wait_for_selector("#card:visible, #toasts .toast")
    assert phone.page.locator(f'a[href^="{address.split(":")[0]}:"]').count() == 0
    assert len(phone.context.pages) == 1


def test_another_dimension(phone, foreign):
    target = foreign.serve("/second.gddf", ring(name="Second"))
    begin(phone, foreign, "/first.gddf", "First", [make.place("door", "Door", *ahead(phone), press=f"dimension: {target}")])
    tap_label(phone, "door")
    phone.wait_world("Second")
    [request] = foreign.asked("/second.gddf")
    assert (request.fields["event"], request.fields["eventSrc"]) == ("init", "NULL")


def test_pressing_a_place_that_refreshes(phone, foreign):
    path = "/question.gddf"
    def answer(request):
        return make.gddf(f"Asked {len(foreign.asked(path))}", [
            make.place("a1", "Answer 1", *ahead(phone, -6), press="refresh"),
            make.place("a2", "Answer 2", *ahead(phone, 6), press="refresh")], refresh=foreign.address(path))
    phone.open_foreign(foreign.serve(path, answer))
    phone.point(0.0)
    phone.start()
    phone.wait_world("Asked 1")
    phone.settle()
    tap_label(phone, "a2")
    phone.wait_world("Asked 2")
    fields = foreign.asked(path)[-1].fields
    assert (fields["event"], fields["eventSrc"]) == ("refreshOnPress", "a2")


@pytest.mark.parametrize("anchor", ["TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"])
def test_overlays_stand_at_their_anchor(phone, foreign, anchor):
    begin(phone, foreign, "/anchor.gddf", "Anchor", [make.place("p", "P", *ahead(phone))],
          [make.overlay("o", "Overlay", 190, 300, anchor=anchor, width=120)])
    element = phone.page.locator('[data-overlay="0"]')
    element.wait_for(state="visible")
    box = element.bounding_box()
    across = {"L": 0, "C": 0.5, "R": 1}[anchor[1]]
    down = {"T": 0, "C": 0.5, "B": 1}[anchor[0]]
    assert box["width"] == pytest.approx(120, abs=0.5)
    assert (box["x"] + across * box["width"], box["y"] + down * box["height"]) == pytest.approx((190, 300), abs=1)


def test_a_hidden_overlay_is_shown_by_the_place_in_focus(phone, foreign):
    begin(phone, foreign, "/focus.gddf", "Focus", [make.place("middle", "Middle", *ahead(phone), focus="note")],
          [make.overlay("note", "Well looked at", 20, 200, hidden=True)])
    note = phone.page.locator('[data-overlay="0"]')
    note.wait_for(state="visible")
    phone.point(60.0)
    note.wait_for(state="hidden")
    phone.point(0.0)
    note.wait_for(state="visible")


def test_a_cluster_fans_out(phone, foreign):
    """Forty places on one spot: no forty labels on top of each other, and every one can be reached."""
    features = [make.place(f"c{i}", f"Neighbour {i}", *ahead(phone, 0.02 * i, 400 + i)) for i in range(40)]
    begin(phone, foreign, "/cluster.gddf", "Cluster", features)
    cluster = phone.page.locator(".cluster").first
    cluster.wait_for()
    boxes = [label["box"] for label in phone.labels().values()]
    assert_no_overlap(boxes)
    before = len(boxes)
    count = int(re.search(r"\d+", cluster.get_attribute("aria-label")).group())
    assert count >= 2
    assert cluster.get_attribute("aria-expanded") == "false"
    cluster.tap()
    phone.page.wait_for_selector('.cluster[aria-expanded="true"]')
    phone.page.wait_for_selector(".label.fanned")
    phone.settle()
    labels = phone.labels()
    fanned = phone.page.locator(".label.fanned").count()
    assert fanned >= min(count, 8), (fanned, count)
    assert_no_overlap([label["box"] for label in labels.values() if label["box"][2]])
    # One of them can be chosen now.
    id = phone.page.locator(".label.fanned").first.get_attribute("data-id")
    tap_label(phone, id)
    phone.page.locator("#card").wait_for(state="visible")
    assert phone.page.locator("#card h2").inner_text() == f"Neighbour {id[1:]}"
    phone.tap("#card .card-close")
    phone.page.locator('.cluster[aria-expanded="true"]').first.tap()
    phone.page.wait_for_selector('.cluster[aria-expanded="true"]', state="hidden")
    wait_until(lambda: phone.labels() and not phone.page.locator(".label.fanned:visible").count(), "labels as before")
    phone.settle()
    assert len(phone.labels()) <= before, "closed again"
    assert_no_overlap([label["box"] for label in phone.labels().values()])


def assert_no_overlap(boxes):
    for i, (ax, ay, aw, ah) in enumerate(boxes):
        for bx, by, bw, bh in boxes[i + 1:]:
            across = min(ax + aw, bx + bw) - max(ax, bx)
            down = min(ay + ah, by + bh) - max(ay, by)
            assert across <= 1 or down <= 1, ((ax, ay, aw, ah), (bx, by, bw, bh))


def test_labels_do_not_overlap(phone, foreign):
    features = [make.place(f"n{i}", f"Close neighbour {i}", *ahead(phone, (i % 5 - 2) * 1.5, 300 + 60 * i, 5 * (i % 3)))
                for i in range(15)]
    begin(phone, foreign, "/crowd.gddf", "Crowd", features)
    labels = phone.labels()
    assert len(labels) >= 4
    assert_no_overlap([label["box"] for label in labels.values()])
    # A lifted label still points to its place.
    for id, label in labels.items():
        expected = phone.expected_point(geometry.turned(geometry.held(0, 0), phone.declination),
                                        ahead(phone, (int(id[1:]) % 5 - 2) * 1.5, 300 + 60 * int(id[1:]), 5 * (int(id[1:]) % 3)))
        assert math.dist(label["anchor"], expected) <= 2, id


def test_arrows_lead_to_what_is_outside(phone, foreign):
    begin(phone, foreign, "/arrows.gddf", "Arrows", [
        make.place("east", "East", *ahead(phone, 90, 300)), make.place("east2", "East 2", *ahead(phone, 95, 500)),
        make.place("west", "West", *ahead(phone, -80, 350)), make.place("high", "High", *ahead(phone, 0, 100, 300)),
        make.place("low", "Low", *ahead(phone, 0, 100, -300))])
    sides = {side: phone.page.locator(f'.edge-arrow[data-side="{side}"]') for side in ("left", "right", "above", "below")}
    for side, arrow in sides.items():
        assert arrow.count() == 1, side
    assert sides["right"].locator(".edge-count").inner_text() == "East +1"
    assert "300 m" in sides["right"].get_attribute("aria-label")
    width, height = phone.screen
    boxes = {side: arrow.bounding_box() for side, arrow in sides.items()}
    middle = {side: (b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for side, b in boxes.items()}
    assert middle["left"][0] < width * 0.25 and middle["right"][0] > width * 0.75
    assert middle["above"][1] < height * 0.3 and middle["below"][1] > height * 0.6
    sides["right"].tap()
    phone.page.locator("#card").wait_for(state="visible")
    assert phone.page.locator("#card h2").inner_text() == "East"


def test_touching_beside_a_small_label_still_hits_it(phone, foreign):
    begin(phone, foreign, "/touch.gddf", "Touch", [make.place("x", "x", *ahead(phone))])
    left, top, width, height = phone.labels()["x"]["box"]
    assert height < 60
    # 44 points high and wide at least, whatever its size.
    beside = max(0, (44 - width) / 2) + width / 2 - 2
    phone.page.touchscreen.tap(left + width / 2 + beside, top + height / 2)
    phone.page.locator("#card").wait_for(state="visible")
    phone.page.touchscreen.tap(60, 250)
    phone.page.locator("#card").wait_for(state="hidden")
