"""The server goes away and comes back while the page is open."""
import pytest
from support.phone import Phone
from support.sightline import Sightline

pytestmark = pytest.mark.first_visit

# What the browser itself says about a server that is not there.
GONE = ("Failed to load resource", "net::ERR_")


@pytest.fixture
def own_server(foreign, tmp_path):
    server = Sightline(tmp_path, foreign.port).start()
    yield server
    server.stop()


def demonstration(phone):
    """The id of the demonstration world with most places."""
    worlds = phone.page.evaluate("fetch('/api/v1/worlds').then((answer) => answer.json())")["worlds"]
    return max(worlds, key=lambda world: world["places"])


def wait_until_quiet(phone):
    """Until a second has gone by in which nothing was fetched: what a module needs is asked for when that has come."""
    phone.page.evaluate("""async () => {
      const count = () => performance.getEntriesByType('resource').length;
      for (let before = -1; before !== count();) {
        before = count();
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }""")


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_an_open_world_outlives_its_server(own_server, new_phone, how):
    phone = new_phone(on=own_server)
    phone.expect(*GONE)
    phone.open()
    world = demonstration(phone)
    phone.move((world["center"]["latitude"], world["center"]["longitude"], 500.0))
    phone.open(f"/world/{world['id']}")
    phone.point(0)
    phone.start()
    phone.page.wait_for_selector(".label, .cluster, .edge-arrow")
    # What the first picture does without comes right after it.
    phone.wait("['/ui/menu.js', '/ui/card.js'].every((end) => performance.getEntriesByType('resource').some((e) => e.name.endsWith(end) && e.responseEnd))")
    wait_until_quiet(phone)
    getattr(own_server, how)()

    phone.tap("#menu")
    phone.tap("#menu-refresh")
    phone.page.wait_for_selector("#toasts .toast")
    phone.page.wait_for_selector('#status-content[data-quality="poor"][data-reason="outdated"]')
    # The places are still there and still follow the phone.
    before = phone.state()["frame"]["bearing"]
    phone.point(120.0)
    phone.wait("(before) => Math.abs(window.sightline.state().frame.bearing - before) > 1", arg=before)
    assert phone.state()["frame"]["candidates"] > 0

    own_server.start()
    phone.tap("#toasts .toast-action")
    phone.page.wait_for_selector('#status-content[data-quality="good"]', state="attached")
    phone.page.wait_for_selector("#toasts .toast", state="hidden")
    assert phone.state()["world"]["id"] == world["id"]


def test_the_start_page_without_a_server(own_server, new_phone):
    phone = new_phone(on=own_server)
    phone.expect(*GONE)
    phone.open()
    phone.page.wait_for_selector("#start .world-card[data-world]")
    count = phone.page.locator("#start .world-card[data-world]").count()
    phone.page.locator("#start .world-card[data-world]").first.tap()
    phone.page.wait_for_selector("#start-ar:visible")
    own_server.kill()
    phone.tap("#back") if phone.page.locator("#back").is_visible() else phone.page.go_back()
    phone.page.wait_for_selector("#worlds-retry")
    own_server.start()
    phone.tap("#worlds-retry")
    phone.page.wait_for_selector("#worlds-retry", state="hidden")
    assert phone.page.locator("#start .world-card[data-world]").count() == count
