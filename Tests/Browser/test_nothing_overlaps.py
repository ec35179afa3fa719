"""Nothing that is drawn over the camera's picture lies on, under or beside the screen's edge of anything else."""
import re

import pytest
from support.phone import wait_until
from support.walls import picture, pose, script, view


def virtual(new_phone, screen, world="ulm", **options):
    """A virtual phone in a world of the demonstration, which needs no permission and no sensor."""
    phone = new_phone(screen=screen, sensors=False, permissions=(), picture=None, scale=1, **options)
    phone.open(f"/world/{world}?virtual=1")
    phone.wait_ready()
    return phone


def occupied(phone):
    """What the engine was told that covers the view, as sets of edges."""
    return [(r["x"], r["y"], r["x"] + r["width"], r["y"] + r["height"]) for r in phone.state()["occupied"]]


def covers(rectangles, selector, phone):
    box = phone.page.locator(selector).bounding_box()
    return any(left <= box["x"] + 1 and top <= box["y"] + 1 and right >= box["x"] + box["width"] - 1
               and bottom >= box["y"] + box["height"] - 1 for left, top, right, bottom in rectangles)


def test_whatever_covers_the_view_is_in_one_list(new_phone):
    """Bars and the radar from the start; a card and a hint as they come and go, without being asked each frame."""
    phone = virtual(new_phone, (390, 844))
    wait_until(lambda: all(covers(occupied(phone), selector, phone) for selector in ("#topbar", "#radar-box")), "the bars")
    before = len(occupied(phone))
    phone.page.evaluate("""() => {
      const hint = document.createElement('p');
      hint.id = 'a-hint';
      hint.dataset.occupies = '';
      hint.style.cssText = 'position: fixed; left: 50px; top: 200px; width: 100px; height: 30px';
      document.body.append(hint);
    }""")
    wait_until(lambda: (50, 200, 150, 230) in occupied(phone), "something new")
    phone.page.evaluate("document.querySelector('#a-hint').hidden = true")
    wait_until(lambda: len(occupied(phone)) == before, "it is hidden")


# Everything that is drawn over the picture, as it stands on the screen.
LOOK = """async () => {
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && Number(getComputedStyle(e).opacity) > 0.02;
  const things = [];
  const add = (e, name, box = e.getBoundingClientRect()) => {
    if (seen(e) && box.width > 0 && box.height > 0) {
      things.push({ name, box: [box.left, box.top, box.right, box.bottom], drawn: Boolean(e.closest('#scene')) });
    }
  };
  for (const e of document.querySelectorAll('#scene .label, #scene .anchor-label')) {
    const box = e.getBoundingClientRect();
    const dot = e.dataset.level === 'dot' && new DOMRect(box.x + box.width / 2 - 6, box.y + box.height / 2 - 6, 12, 12);
    add(e, `${e.dataset.level ?? ''} label ${e.title || e.textContent}`, dot || box);
  }
  for (const e of document.querySelectorAll('#scene .cluster')) add(e, `cluster of ${e.textContent}`);
  for (const e of document.querySelectorAll('#scene .edge-arrow')) add(e, `arrow to ${e.textContent}`);
  for (const e of document.querySelectorAll('[data-occupies]')) {
    if (e.dataset.occupies === 'children' || e.matches('#topbar, #dock')) for (const child of e.children) add(child, child.id || child.className);
    else add(e, e.id || `${e.className} ${e.textContent.slice(0, 30)}`);
  }
  return things;
}"""
# The layout's movements are over: the engine is told of later times, as if frames had been drawn until then.
REST = """async (heading) => {
  const { session } = window.sightline;
  if (heading !== null) session.turn({ type: 'orientation', alpha: -heading, beta: 90, gamma: 0, north: 'trueNorth' });
  window.later ??= performance.now() / 1000 + 1;
  const next = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  // Sizes of arrows, and overlays of what comes into focus, are known with the first picture of them.
  for (let round = 0; round < 3; round++) {
    for (let k = 0; k < 6; k++) session.tick(window.later += 0.15);
    await next();
  }
}"""


def steer(phone):
    """From now on the phone is turned by the test alone: a virtual one says again and again which way it is turned."""
    phone.page.evaluate("""() => {
      const { session } = window.sightline;
      const tell = session.tell.bind(session);
      session.turn = (event) => tell(event);
      session.tell = (event, time) => event.type === 'orientation' || tell(event, time);
    }""")


def overlaps(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def faults(things, width, height):
    found = []
    for k, thing in enumerate(things):
        left, top, right, bottom = thing["box"]
        if thing["drawn"] and (left < -1 or top < -1 or right > width + 1 or bottom > height + 1):
            found.append(f"{thing['name']} is cut by the edge: {thing['box']}")
        for other in things[k + 1:]:
            if (thing["drawn"] or other["drawn"]) and overlaps(thing["box"], other["box"]):
                found.append(f"{thing['name']} {thing['box']} and {other['name']} {other['box']}")
    return found


SCREENS = [(390, 844), (320, 568), (844, 390), (820, 1180), (1440, 900)]


@pytest.mark.parametrize("world", ["ulm", "danube-walk", "helsinki", "marker-table", "museum", "picture-wall"])
def test_nothing_overlaps_all_around(new_phone, world):
    """One turn of 360°, on screens from 320 to 1,440 pixels, with clusters closed and open."""
    phone = virtual(new_phone, SCREENS[0], world, mobile=False)
    steer(phone)
    found, drawn, opened = [], 0, 0
    for screen in SCREENS:
        phone.page.set_viewport_size({"width": screen[0], "height": screen[1]})
        phone.wait("([w, h]) => { const f = window.sightline.state().frame; return f.width === w && f.height === h; }", arg=screen)
        # Worlds on markers and pictures have next to nothing around the phone.
        for heading in range(0, 360, 15 if world in ("ulm", "danube-walk") else 90):
            phone.page.evaluate(REST, heading)
            things = phone.page.evaluate(LOOK)
            drawn += sum(thing["drawn"] for thing in things)
            found += [f"{screen} {heading}°: {fault}" for fault in faults(things, *screen)]
            clusters = phone.page.locator("#scene .cluster:visible")
            if heading % 45 == 0 and clusters.count():
                opened += 1
                clusters.first.dispatch_event("click")
                phone.page.evaluate(REST, None)
                found += [f"{screen} {heading}°, open: {fault}" for fault in faults(phone.page.evaluate(LOOK), *screen)]
                phone.page.locator("#scene .cluster").first.dispatch_event("click")
    assert not found, "\n".join(found[:20]) + f"\n{len(found)} in all"
    if world in ("ulm", "danube-walk"):
        assert drawn > 150 and (opened or world != "ulm"), "something was looked at"


BIG = "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"


def boxes_of(phone, level):
    return phone.page.evaluate("""(level) => [...document.querySelectorAll(`#scene .label[data-level="${level}"]`)]
      .filter((e) => e.checkVisibility()).map((e) => ({ height: e.offsetHeight, width: e.offsetWidth,
        inner: [...e.children].reduce((most, child) => Math.max(most, child.offsetLeft + child.offsetWidth), 0), icon: Boolean(e.querySelector('use')) }))""", level)


def test_labels_have_three_levels_and_follow_the_text_size(new_phone):
    """At most six cards on a phone; at twice the text size everything is twice as high, inside its box, and lies on nothing."""
    heights, levels = {}, set()
    for scripts in ((), (BIG,)):
        phone = virtual(new_phone, (390, 844), scripts=scripts)
        steer(phone)
        for heading in range(10, 360, 20):
            phone.page.evaluate(REST, heading)
            things = phone.page.evaluate(LOOK)
            assert not faults([thing for thing in things if thing["drawn"]], 390, 844), heading
            cards = boxes_of(phone, "card")
            assert len(cards) <= 6, heading
            levels |= {level for level in ("card", "pill", "dot") if boxes_of(phone, level)}
            for box in cards + boxes_of(phone, "pill"):
                assert box["inner"] <= box["width"] and box["icon"], box
            heights.setdefault(bool(scripts), set()).update(box["height"] for box in boxes_of(phone, "pill"))
    assert levels == {"card", "pill", "dot"}
    assert min(heights[True]) >= 1.9 * min(heights[False]), heights


def test_an_arrow_names_the_nearest_and_stands_on_the_rim(new_phone):
    phone = virtual(new_phone, (390, 844))
    steer(phone)
    phone.page.evaluate(REST, 90)
    bars = phone.page.evaluate("""() => ({ top: document.querySelector('#topbar').getBoundingClientRect().bottom,
      bottom: document.querySelector('#dock').getBoundingClientRect().top })""")
    for side in ("left", "right"):
        arrow = phone.page.locator(f'.edge-arrow[data-side="{side}"]')
        assert re.fullmatch(r"\S.* \+\d+", arrow.locator(".edge-count").inner_text())
        box = arrow.bounding_box()
        rim = box["x"] if side == "left" else 390 - box["x"] - box["width"]
        assert 0 <= rim < 64 and bars["top"] <= box["y"] and box["y"] + box["height"] <= bars["bottom"]


@pytest.mark.parametrize("screen", [(844, 390), (320, 568)])
def test_labels_on_a_picture_lie_on_nothing(new_phone, output, screen):
    """The museum's painting, which has two texts in one place, and a barge whose name would lie on it."""
    painting = {"x": -0.3, "y": 0.1, "width": 0.36, "height": 0.27, "image": picture("regatta", "museum")}
    phone = new_phone(screen=screen, picture=None, scripts=[script([painting])], scale=1)
    phone.expect("GPU stall due to ReadPixels")
    phone.point(0)
    phone.open("/world/museum")
    phone.page.locator("#start-ar").tap()
    phone.wait("window.wallCamera.calls > 0")
    looked = 0
    for place in ({"distance": 0.6, "turn": 10}, {"distance": 0.45}, {"distance": 0.9, "turn": -20, "spin": 8}):
        pose(phone, view(x=-0.3, y=0.1, **place))
        phone.page.locator('.anchor-label[data-anchored="painting-title"]').wait_for(state="visible")
        things = phone.page.evaluate(LOOK)
        looked += sum("painting" in thing["name"] or "R. Hallwyl" in thing["name"] for thing in things)
        assert not faults(things, *screen)
    assert looked
    barge = phone.page.locator('.anchor-label[data-anchored="Barge"]')
    assert barge.text_content() == "" and barge.get_attribute("aria-label") == "Barge", "no name on a picture by itself"
    phone.page.screenshot(path=output / f"labels-on-a-picture-{screen[0]}.png")
    barge.dispatch_event("click")
    phone.wait("document.querySelector('.anchor-label[data-anchored=\"Barge\"]').textContent === 'Barge'")
