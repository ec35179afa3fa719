"""Rest costs nothing: where nothing moves, the page makes no pictures."""
import pytest

# Counts what draws: frames asked for, and calls of 2-D and WebGL canvases.
COUNT = """
window.drawn = { frames: 0, canvas: 0, gl: 0 };
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (run) => ask((stamp) => { window.drawn.frames += 1; run(stamp); });
for (const name of ['clearRect', 'fillRect', 'stroke', 'fill', 'drawImage', 'fillText']) {
  const made = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...values) { window.drawn.canvas += 1; return made.apply(this, values); };
}
for (const type of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
  for (const name of ['clear', 'drawArrays', 'drawElements']) {
    const made = type?.prototype[name];
    if (made) type.prototype[name] = function (...values) { window.drawn.gl += 1; return made.apply(this, values); };
  }
}
// What changes in the view's own part of the page.
window.changes = 0;
addEventListener('DOMContentLoaded', () => new MutationObserver((records) => { window.changes += records.length; })
  .observe(document.querySelector('#stage'), { subtree: true, childList: true, attributes: true, characterData: true }));
"""
DRAWN = "({ ...window.drawn, changes: window.changes })"
NOTHING = {"frames": 0, "canvas": 0, "gl": 0, "changes": 0}


def cost(phone, milliseconds=1500, meanwhile=None):
    """What was drawn in a while."""
    before = phone.page.evaluate(DRAWN)
    if meanwhile:
        meanwhile()
    phone.page.wait_for_timeout(milliseconds)
    after = phone.page.evaluate(DRAWN)
    return {name: after[name] - before[name] for name in after}


def come_to_rest(phone):
    """Until nothing is drawn for a while; that it comes to this is what the tests are about."""
    for _ in range(20):
        if cost(phone, 500) == NOTHING:
            return
    raise AssertionError("the page never stops to draw")


@pytest.fixture
def desk(new_phone):
    phone = new_phone(screen=(1200, 800), mobile=False, sensors=False, permissions=(), picture=None, scale=1, scripts=[COUNT])
    phone.open("/world/ulm?virtual=1&lat=48.3975&lon=9.9916")
    phone.wait_ready()
    return phone


def test_a_view_in_which_nothing_moves_draws_nothing_until_something_does(desk):
    come_to_rest(desk)
    assert cost(desk) == NOTHING
    heading = desk.state()["frame"]["heading"]
    desk.page.locator("#scene").focus()
    desk.page.keyboard.down("ArrowRight")
    desk.wait("(heading) => window.sightline.state().frame.heading !== heading", arg=heading)
    desk.page.keyboard.up("ArrowRight")
    come_to_rest(desk)


@pytest.mark.parametrize("view", ["map", "list"])
def test_map_and_list_draw_nothing_either(desk, view):
    desk.page.locator(f"#view-{view}").click()
    desk.wait(f"document.documentElement.dataset.view === '{view}'")
    come_to_rest(desk)
    assert cost(desk) == NOTHING


def turn(phone):
    """Another direction every 100 ms, as sensors tell it."""
    phone.page.evaluate("""() => {
      let heading = 0;
      window.turning = setInterval(() => window.sightline.session.tell(
        { type: 'orientation', alpha: heading += 3, beta: 90, gamma: 0, north: 'trueNorth' }), 100);
    }""")


def test_a_picture_held_still_draws_nothing_while_the_phone_turns(desk):
    desk.page.evaluate("window.sightline.session.setFrozen(true)")
    turn(desk)
    come_to_rest(desk)
    assert cost(desk) == NOTHING
    desk.page.evaluate("window.sightline.session.setFrozen(false)")
    assert cost(desk, 800)["frames"] > 5, "let go of, it moves again"


def test_behind_a_dialog_nothing_is_drawn(desk):
    desk.page.locator("#menu").click()
    desk.page.locator("dialog[open]").wait_for()
    turn(desk)
    come_to_rest(desk)
    assert cost(desk) == NOTHING
    desk.page.keyboard.press("Escape")
    assert cost(desk, 800)["frames"] > 5, "without the dialog it moves again"
