"""The map of a world: names clear of everything, pins that would lie on each other as one, and the selected place in sight."""
import math

import pytest
from support import geometry
from support.foreign import gddf, place
from support.worlds import EYE, towards

SCREENS = [(390, 844), (320, 568), (844, 390), (820, 1180), (1440, 900)]
# Everything that is drawn on the map or lies over it, in points: what kind, whose, and where.
LOOK = """() => {
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const box = (kind, e, id) => { const b = e.getBoundingClientRect(); return { kind, id, x: b.left, y: b.top, w: b.width, h: b.height }; };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  return [
    ...all('#map .map-pin .pin-name').map((e) => box('name', e, e.closest('.map-pin').dataset.id)),
    ...all('#map .map-pin .pin-dot').map((e) => box('pin', e, e.closest('.map-pin').dataset.id)),
    ...all('#map .pin-group').map((e) => box('group', e, 'group ' + e.textContent)),
    ...all('#map .map-controls > *').map((e) => box('button', e, e.getAttribute('aria-label') ?? e.className)),
    ...all('[data-occupies]').filter((e) => !e.closest('#map')).map((e) => box('bar', e, e.id || e.className)),
  ];
}"""


def overlap(a, b):
    return (min(a["x"] + a["w"], b["x"] + b["w"]) - max(a["x"], b["x"]) > 1
            and min(a["y"] + a["h"], b["y"] + b["h"]) - max(a["y"], b["y"]) > 1)


def touch(a, b):
    """Whether two round things lie on each other."""
    way = [a["x"] + a["w"] / 2 - b["x"] - b["w"] / 2, a["y"] + a["h"] / 2 - b["y"] - b["h"] / 2]
    return math.hypot(*way) < (a["w"] + b["w"]) / 2


def clashes(things, screen):
    """Names that cover something or are cut."""
    found = []
    for name in (one for one in things if one["kind"] == "name"):
        if name["x"] < 0 or name["y"] < 0 or name["x"] + name["w"] > screen[0] or name["y"] + name["h"] > screen[1]:
            found.append(f"{name['id']} is cut")
        found += [f"{name['id']} on {other['kind']} {other['id']}" for other in things
                  if other is not name and not (other["kind"] == "pin" and other["id"] == name["id"]) and overlap(name, other)]
    return found


def rest(phone):
    """Until the map stands still."""
    phone.page.evaluate("""async () => {
      const next = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 40)));
      const look = () => [...document.querySelectorAll('#map .leaflet-map-pane, #map .map-pin, #map .map-group')]
        .map((e) => e.className + e.style.transform + (e.dataset.side ?? '')).join();
      for (let same = 0, last = ''; same < 4;) {
        await next();
        const now = document.querySelector('#map .leaflet-zoom-anim') ? String(Math.random()) : look();
        same = now === last ? same + 1 : 0;
        last = now;
      }
    }""")


def open_map(phone, document=None, foreign=None, path="/map-of.gddf"):
    if document:
        phone.open_foreign(foreign.serve(path, document))
        phone.point(0.0)
        phone.start()
    else:
        phone.open("/world/ulm?virtual=1")
        phone.wait_ready()
    phone.page.evaluate("location.hash = location.hash.replace(/[?&]view=\\w+/, '') + (location.hash.includes('?') ? '&' : '?') + 'view=map'")
    phone.page.wait_for_selector("#map .map-pin, #map .map-group", state="attached")
    rest(phone)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}x{screen[1]}")
def test_names_cover_nothing_and_are_not_cut(new_phone, screen, output):
    phone = new_phone(screen=screen, reduced_motion="reduce")
    open_map(phone)
    named = 0
    for step in range(4):
        things = phone.page.evaluate(LOOK)
        assert clashes(things, screen) == [], f"after {step} steps"
        pins = [one for one in things if one["kind"] in ("pin", "group")]
        assert not [(a["id"], b["id"]) for k, a in enumerate(pins) for b in pins[:k] if touch(a, b)]
        named += len([one for one in things if one["kind"] == "name"])
        phone.page.screenshot(path=output / f"map-{screen[0]}-{step}.png")
        phone.tap("#map .map-controls [aria-label='Zoom in']")
        phone.tap("#map .map-controls [aria-label='Go to my position']")
        rest(phone)
    assert named > 4, "names have room"


def thousand():
    """A thousand places over four kilometres, more of them towards the middle."""
    east = [((k * 7919) % 1000 / 500 - 1) for k in range(1000)]
    north = [((k * 104729) % 997 / 498.5 - 1) for k in range(1000)]
    return gddf("Many", [place(f"m{k}", f"Place {k}", *geometry.place_at(EYE, 2000 * e * abs(e), 2000 * n * abs(n), 0.0))
                         for k, (e, n) in enumerate(zip(east, north))], radar=20000)


def test_a_thousand_places_are_a_few_groups_and_a_tap_parts_them(new_phone, foreign):
    phone = new_phone(reduced_motion="reduce")
    open_map(phone, thousand(), foreign, "/thousand.gddf")
    count = """() => {
      const groups = [...document.querySelectorAll('#map .map-group')];
      const singles = document.querySelectorAll('#map .map-pin').length;
      return { elements: groups.length + singles, places: singles + groups.reduce((sum, e) => sum + Number(e.dataset.count), 0) };
    }"""
    before = phone.page.evaluate(count)
    assert before["places"] == 1000 and before["elements"] < 160, before
    group = phone.page.locator("#map .map-group").first
    assert group.get_attribute("aria-label").startswith(f"{group.get_attribute('data-count')} places close together: Place ")
    largest = phone.page.evaluate("""() => [...document.querySelectorAll('#map .map-group')].filter((e) => {
      const b = e.getBoundingClientRect(); return document.elementFromPoint(b.left + 22, b.top + 22)?.closest('.map-group') === e;
    }).sort((a, b) => b.dataset.count - a.dataset.count)[0].getAttribute('aria-label')""")
    phone.page.get_by_label(largest, exact=True).tap()
    rest(phone)
    assert phone.page.evaluate(count)["places"] < 1000, "nearer, and not all of the world any more"
    assert phone.page.get_by_label(largest, exact=True).count() == 0, "the group was parted"


def test_places_on_one_spot_are_spread_out(new_phone, foreign):
    phone = new_phone(reduced_motion="reduce")
    spot = towards(EYE, 30, 200)
    open_map(phone, gddf("Spot", [place(f"s{k}", f"Same {k}", *spot) for k in range(5)] + [place("o", "Other", *towards(EYE, 200, 150))]),
             foreign, "/spot.gddf")
    group = phone.page.locator("#map .map-group")
    assert group.get_attribute("data-count") == "5"
    group.focus()
    phone.page.keyboard.press("Enter")
    phone.wait("document.querySelectorAll('#map .map-pin').length === 6")
    rest(phone)
    things = [one for one in phone.page.evaluate(LOOK) if one["kind"] == "pin"]
    assert not [(a["id"], b["id"]) for k, a in enumerate(things) for b in things[:k] if touch(a, b)]
    phone.page.locator('#map .map-pin[data-id="s3"]').dispatch_event("click")
    phone.wait("window.sightline.state().selected === 3")


@pytest.mark.parametrize("screen", SCREENS[:3], ids=lambda screen: f"{screen[0]}x{screen[1]}")
def test_on_the_map_shows_the_place_from_near_beside_its_card(new_phone, screen, output):
    phone = new_phone(screen=screen, reduced_motion="reduce")
    phone.open("/world/ulm?virtual=1&view=list")
    phone.page.locator("#list .row").first.wait_for()
    row = phone.page.locator("#list .row").nth(7)
    id = row.get_attribute("data-id")
    row.tap()
    phone.page.locator("#card").wait_for(state="visible")
    phone.tap('#card [data-action="map"]')
    pin = f'#map .map-pin[data-id="{id}"]'
    phone.page.wait_for_selector(f"{pin}.selected", state="attached")
    rest(phone)
    phone.page.screenshot(path=output / f"map-selected-{screen[0]}.png")
    things = phone.page.evaluate(LOOK)
    mine = [one for one in things if one["id"] == id and one["kind"] in ("name", "pin")]
    assert len(mine) == 2
    for one in mine:
        over = [other["id"] for other in things if other["kind"] in ("bar", "button") and overlap(one, other)]
        assert not over, f"{one['kind']} under {over}"
        assert 0 <= one["x"] and one["x"] + one["w"] <= screen[0] and 0 <= one["y"] and one["y"] + one["h"] <= screen[1]
    scale = phone.page.locator("#map .leaflet-control-scale-line").inner_text()
    assert scale.endswith(" m") and int(scale.split()[0]) <= 100, f"{scale}: from near"
    # Another one by its pin: what the card then covers is moved away from under it.
    other = phone.page.evaluate("""(id) => { const pin = [...document.querySelectorAll('#map .map-pin')].find((e) => e.dataset.id !== id);
      pin?.click(); return pin?.dataset.id ?? null; }""", id)
    if other:
        phone.page.wait_for_selector(f'#map .map-pin[data-id="{other}"].selected', state="attached")
        rest(phone)
        things = phone.page.evaluate(LOOK)
        for one in (one for one in things if one["id"] == other and one["kind"] in ("name", "pin")):
            assert not [bar["id"] for bar in things if bar["kind"] in ("bar", "button") and overlap(one, bar)]


def test_the_scale_lies_right_above_what_covers_the_lower_edge(new_phone):
    phone = new_phone(reduced_motion="reduce")
    open_map(phone)
    things = phone.page.evaluate(LOOK)
    line = phone.page.locator("#map .leaflet-control-scale-line").bounding_box()
    top = min(one["y"] for one in things if one["kind"] == "bar" and one["y"] > 422)
    assert 0 <= top - (line["y"] + line["height"]) < 24
