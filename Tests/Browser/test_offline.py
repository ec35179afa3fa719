"""Saving a world on the phone: afterwards it opens without a network, pictures and map included, and the status says so."""
import json


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
