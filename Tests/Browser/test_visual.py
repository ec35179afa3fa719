"""The page's look, state by state in three sizes, beside the accepted pictures in Fixtures/visual.

Accept a changed look with

    python -m pytest Tests/Browser/test_visual.py --accept-look

and see in the review what became of each picture. Where one differs, `Tests/Browser/output/look` has it as it is now, as it was, and
with what differs in red. The type has to be DejaVu Sans, which Scripts/install-dependencies brings (fonts-dejavu-core).
"""
import time

import pytest
from support.look import FOLDER, MOST, Look
from support.phone import Phone
from support.sightline import MODELS, PROGRAM, VISION, WASM, Sightline
from support.states import SIZES, VIEW, Walk, options, prepare

# A review loads them all.
MOST_BYTES = 4_000_000


@pytest.fixture(scope="module")
def own_server(foreign, tmp_path_factory):
    """A server of its own: others make worlds and posters on theirs, which the start page shows."""
    for needed in (PROGRAM, WASM, VISION, MODELS):
        if not needed.exists():
            pytest.fail(f"{needed} is missing: build first (./test browser does)")
    server = Sightline(tmp_path_factory.mktemp("look"), foreign.port).start()
    yield server
    server.stop()


@pytest.fixture
def phone(browser, own_server, size):
    phone = Phone(browser, own_server, **options(size))
    yield phone
    try:
        phone.check()
    finally:
        phone.close()


@pytest.fixture
def look(browser, output):
    look = Look(browser, output)
    yield look
    look.close()


def still(page):
    """The picture of the page once nothing moves in it: two in a row that are the same."""
    last, end = None, time.monotonic() + 12
    while time.monotonic() < end:
        picture = page.screenshot(animations="disabled", caret="hide", scale="css")
        if picture == last:
            return picture
        last = picture
        page.wait_for_timeout(120)
    raise AssertionError("the page does not come to rest")


@pytest.mark.parametrize("size", list(SIZES))
def test_every_state_looks_as_it_was_accepted(phone, look, size, request, record_property):
    is_accepted = request.config.getoption("--accept-look")
    prepare(phone)
    begin, seen, differing = time.monotonic(), [], {}

    def judge(name):
        seen.append(name)
        print(f"{name} {time.monotonic() - begin:.1f}", flush=True)
        picture = still(phone.page)
        if is_accepted:
            look.accept(f"{name}.{size}", picture)
            return
        found = look.difference(f"{name}.{size}", picture)
        if found["parts"] > MOST:
            differing[name] = found

    Walk(phone, judge).all()
    assert len(seen) == len(set(seen)) >= 40
    kept = {path.name.removesuffix(f".{size}.png") for path in FOLDER.glob(f"*.{size}.png")}
    if is_accepted:
        for name in kept - set(seen):
            (FOLDER / f"{name}.{size}.png").unlink()
    else:
        assert kept == set(seen), "a picture of a state that is no more, or a state without one: --accept-look"
    record_property("seconds", round(time.monotonic() - begin))
    print(f"{size}: {len(seen)} states in {time.monotonic() - begin:.0f} s")
    assert not differing, f"the look has changed; the pictures are in Tests/Browser/output/look, --accept-look keeps them: {differing}"


def test_the_accepted_pictures_are_small():
    sizes = [path.stat().st_size for path in FOLDER.glob("*.png")]
    assert len(sizes) >= 120 and sum(sizes) < MOST_BYTES, (len(sizes), sum(sizes))


CHANGES = {
    "another green": "document.documentElement.style.setProperty('--accent', '#66dfbf')",
    "another glass": "document.documentElement.style.setProperty('--glass', 'rgb(22 28 33 / 0.72)')",
    "a bar moved by two points": "document.querySelector('#dock').style.marginBottom = '2px'",
    "a button moved by one point": "document.querySelector('#ar-tools').style.marginRight = '1px'",
    "smaller type": "document.querySelector('#filter-state').style.fontSize = '0.84rem'",
    "a missing symbol": "document.querySelector('#menu .icon').remove()",
}


@pytest.mark.parametrize("size", list(SIZES))
def test_small_changes_are_seen(phone, look, size, record_property):
    """What the tolerance lets through: each of these is more, on every screen."""
    prepare(phone)
    walk = Walk(phone, lambda name: None)
    walk.go(f"/world/ulm?{VIEW}", "#scene :is(.label, .cluster)")
    phone.wait_ready()
    phone.settle()
    walk.look("view")
    phone.page.wait_for_timeout(2500)
    shown = still(phone.page)
    found = {}
    for name, change in CHANGES.items():
        shown = still(phone.page)
        restore = phone.page.evaluate("['html', '#dock', '#ar-tools', '#filter-state'].map((s) => document.querySelector(s).style.cssText)")
        assert look.between(shown, still(phone.page)) <= MOST, "nothing differs when nothing was changed"
        phone.page.evaluate(change)
        found[name] = look.between(shown, still(phone.page))
        phone.page.evaluate("""(styles) => ['html', '#dock', '#ar-tools', '#filter-state']
          .forEach((s, k) => { document.querySelector(s).style.cssText = styles[k]; })""", restore)
    print(size, found)
    record_property("parts", str(found))
    assert all(parts > 2 * MOST for parts in found.values()), found
