"""Overlays: where they stand, from whichever corner and however the phone is held, and how large they are."""
import json

import pytest
from support import foreign as make
from support.worlds import EYE, towards

SCREENS = {"portrait": (390, 844), "landscape": (844, 390)}
# What the edges of a phone take away, top, right, bottom, left: a notch above, or to the left of who holds it sideways.
EDGES = {"portrait": (47, 0, 34, 0), "landscape": (0, 47, 21, 47)}


def begin(phone, foreign, overlays, change=None):
    """Opens a world; `change` is done to each overlay on its way from the server."""
    def altered(route):
        response = route.fetch()
        answer = response.json()
        for number, overlay in enumerate(answer["dimension"]["overlays"]):
            change(number, overlay)
        route.fulfill(response=response, body=json.dumps(answer))

    if change:
        phone.page.route("**/api/v1/open*", altered)
    place = make.place("p", "P", *towards(EYE, phone.declination, 300))
    phone.open_foreign(foreign.serve("/overlays.gddf", make.gddf("Overlays", [place], overlays)))
    phone.point(0.0)
    phone.start()
    phone.wait_world("Overlays")


def box(phone, number):
    element = phone.page.locator(f'[data-overlay="{number}"]')
    element.wait_for(state="visible")
    return element.bounding_box()


def set_edges(phone, edges):
    phone.page.evaluate(
        """(edges) => ['top', 'right', 'bottom', 'left'].forEach((side, i) =>
          document.documentElement.style.setProperty(`--safe-${side}`, `${edges[i]}px`)
          ) || dispatchEvent(new Event('resize'))""", list(edges))
    phone.settle()


@pytest.mark.parametrize("held", SCREENS)
def test_overlays_from_any_corner_are_clear_of_bars_and_edges(new_phone, foreign, held):
    """Nine texts, one from each side and corner: each at its distance, or beside the page's controls where these stand there; none over a bar, whole on the screen."""
    phone = new_phone(screen=SCREENS[held])
    points = ["TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"]

    def change(number, overlay):
        overlay["anchor"] = overlay["pivot"] = points[number]
        overlay["x"] = 0 if points[number][1] == "C" else 12
        overlay["y"] = 0 if points[number][0] == "C" else 8

    begin(phone, foreign, [make.overlay(f"o{i}", f"No {i}", 0, 0) for i in range(9)], change)
    set_edges(phone, EDGES[held])
    width, height = SCREENS[held]
    top, right, bottom, left = EDGES[held]
    boxes = {point: box(phone, i) for i, point in enumerate(points)}
    dock = phone.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#overlays')).getPropertyValue('--dock'))")
    controls = phone.page.evaluate(
        """[...document.querySelectorAll('#radar-box, #ar-tools')].map((e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })""")
    assert len(controls) == 2 and all(right_ > left_ for left_, _, right_, _ in controls), controls

    def on_control(x, y, area):
        return any(x < c[2] and x + area["width"] > c[0] and y < c[3] and y + area["height"] > c[1] for c in controls)

    moved = []
    for point, area in boxes.items():
        x = {"L": left + 12, "C": (left + width - right) / 2, "R": width - right - 12}[point[1]]
        high, low = 66 + top, height - dock
        y = {"T": high + 8, "C": (high + low) / 2, "B": low - 8}[point[0]]
        across, down = {"L": 0, "C": 0.5, "R": 1}[point[1]], {"T": 0, "C": 0.5, "B": 1}[point[0]]
        off = (area["x"] + across * area["width"] - x, area["y"] + down * area["height"] - y)
        if on_control(area["x"] - off[0], area["y"] - off[1], area):
            # Along one way, inwards.
            moved.append(point)
            assert min(abs(value) for value in off) <= 1.5 < max(abs(value) for value in off), (point, off)
            assert off[0] * (0.5 - across) >= -1 and off[1] * (0.5 - down) >= -1, (point, off)
        else:
            assert off == pytest.approx((0, 0), abs=1.5), point
        assert not on_control(area["x"], area["y"], area), (point, area, controls)
        assert area["x"] >= left and area["x"] + area["width"] <= width - right, (point, area)
        assert area["height"] < 30, f"{point} is not wrapped"
    assert moved, "something stood on a control"
    bars = phone.page.evaluate(
        """[...document.querySelectorAll('#topbar, #dock, .topbar, .dock')].filter((e) => e.checkVisibility())
          .map((e) => { const r = e.getBoundingClientRect(); return [r.top, r.bottom]; })""")
    for point, area in boxes.items():
        for begin_, end in bars:
            assert area["y"] + area["height"] <= begin_ + 1 or area["y"] >= end - 1, (point, area, begin_, end)


def test_a_text_is_as_large_as_in_the_original(phone, foreign):
    """Its lines have the width that the document says, less 10 points; it is 4 points higher than they are."""
    text = "Once upon a time there was a bridge over the river that nobody had ever crossed"
    begin(phone, foreign, [make.overlay("o", text, 10, 120, width=180)])
    area = box(phone, 0)
    lines, width = phone.page.evaluate(
        """() => { const range = document.createRange(); const box = document.querySelector('[data-overlay="0"]');
          range.selectNodeContents(box); const style = getComputedStyle(box);
          return [Math.round(range.getBoundingClientRect().height / 18),
            box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)]; }""")
    assert lines >= 3
    assert (area["width"], width) == (pytest.approx(180, abs=0.5), pytest.approx(170, abs=0.5))
    assert area["height"] == pytest.approx(lines * 18 + 4, abs=1)


@pytest.mark.parametrize("held", SCREENS)
@pytest.mark.parametrize("where", ["inside", "beyond the right", "beyond the top"])
def test_a_page_can_be_closed_wherever_it_stands(new_phone, foreign, held, where):
    """The button lies in the box and where the screen's edges leave it free."""
    phone = new_phone(screen=SCREENS[held])
    width, height = SCREENS[held]
    top, right, bottom, left = EDGES[held]
    x, y = {"inside": (20, 100), "beyond the right": (width - 150, 100), "beyond the top": (20, -40)}[where]
    phone.expect("allow-scripts", "allow-downloads")
    address = foreign.serve("/box.html", make.Answer("<p>A page</p>", 200, {"content-type": "text/html"}))
    begin(phone, foreign, [make.page_overlay("o", address, x, y, 200, 180)])
    set_edges(phone, EDGES[held])
    closer = phone.page.locator(".overlay-close")
    closer.wait_for()
    button, area = closer.bounding_box(), box(phone, 0)
    assert area["x"] <= button["x"] and button["x"] + button["width"] <= area["x"] + area["width"]
    assert area["y"] <= button["y"] and button["y"] + button["height"] <= area["y"] + area["height"]
    assert button["x"] + button["width"] <= width - right and button["y"] >= top, (button, where)
    # The page of the box is the other server's.
    phone.expect_requests(address)
