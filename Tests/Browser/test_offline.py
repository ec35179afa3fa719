"""Saving a world on the phone: afterwards it opens without a network, pictures and map included, and the status says so."""
import json

import pytest

from support.foreign import Answer, gddf, place
from support.marker_pictures import png
from support.worlds import EYE, level

pytestmark = pytest.mark.first_visit


def test_a_saved_world_opens_without_a_network(new_phone, server, output):
    worlds = json.loads(server.get("/api/v1/worlds"))["worlds"]
    world = next(entry for entry in worlds if entry["places"] > 3)
    phone = new_phone(position=(world["center"]["latitude"], world["center"]["longitude"], 480.0))
    phone.open(f"/world/{world['id']}?view=list")
    phone.wait_world(world["title"])
    phone.tap("#menu")
    phone.tap("#menu-save")
    phone.page.locator(".toast", has_text="Saved.").wait_for(timeout=60000)
    phone.expect("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    phone.context.set_offline(True)
    phone.page.reload()
    phone.wait_world(world["title"])
    phone.tap("#status-content")
    phone.page.locator("#status-note", has_text="No network: this is the copy saved on").wait_for()
    phone.page.screenshot(path=output / "offline-world.png")
    # Other worlds were not saved, and are said to be out of reach.
    other = next(entry for entry in worlds if entry["id"] != world["id"])
    phone.page.evaluate("(id) => { location.hash = `#/world/${id}?view=list`; }", other["id"])
    phone.wait("window.sightline.state().failure !== null && window.sightline.state().failure !== undefined")
    phone.context.set_offline(False)


def test_nothing_is_kept_unless_asked_for(phone):
    phone.open()
    assert phone.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert phone.page.evaluate("caches.keys()") == []


def test_a_world_by_address_is_saved_with_its_pictures(new_phone, foreign, output):
    """A document of another host, its picture included; what is shown already is not replaced by the older copy."""
    foreign.serve("/saved/red.png", Answer(png([bytearray([90] * 40) for _ in range(30)]), headers={"content-type": "image/png"}))
    address = foreign.serve("/saved/far.gddf", gddf("Far host", [
        place("pic", "", *level(EYE, 0, 60), asset="red"), place("two", "Two", *level(EYE, 40, 90))],
        relative=True, assets=[("red", foreign.address("/saved/red.png"))]))
    phone = new_phone()
    phone.open_foreign(address, view="list")
    phone.wait_world("Far host")
    phone.tap("#menu")
    phone.tap("#menu-save")
    phone.page.locator(".toast", has_text="Saved.").wait_for(timeout=60000)
    assert phone.page.evaluate("caches.open('sightline-foreign').then((c) => c.keys()).then((k) => k.length)") == 1
    phone.expect("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    phone.context.set_offline(True)
    phone.page.reload()
    phone.wait_world("Far host")
    phone.tap("#status-content")
    phone.page.locator("#status-note", has_text="No network: this is the copy saved on").wait_for()
    assert phone.page.evaluate("""() => fetch(`/api/v1/asset?url=${encodeURIComponent(window.sightline.session.content.assetURL('red'))}`)
      .then((answer) => answer.ok && answer.headers.get('content-type'))""") == "image/png"
    phone.page.screenshot(path=output / "offline-by-address.png")
    phone.context.set_offline(False)
