"""Sounds of a world and of its places: nothing before a tap, one at a time, with stop and mute, and nothing once the world is left."""
import struct

import pytest
from support.foreign import Answer, gddf, place
from support.phone import wait_until
from support.worlds import EYE, geojson, level

# Every sound that the page makes, to look at it when the page has forgotten it.
EARS = """
window.ears = [];
const RealAudio = window.Audio;
window.Audio = function (...all) { const one = new RealAudio(...all); window.ears.push(one); return one; };
"""


def wav(seconds):
    """A quiet sawtooth of 8,000 samples a second."""
    samples = b"".join(struct.pack("<h", (k * 300) % 6000 - 3000) for k in range(int(8000 * seconds)))
    return (b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
            + b"data" + struct.pack("<I", len(samples)) + samples)


def sound(phone):
    return phone.state()["sound"]


def begin(phone, address):
    phone.open_foreign(address)
    phone.point(0.0)
    phone.start()


@pytest.fixture
def listening(new_phone):
    return new_phone(scripts=[EARS])


def test_the_worlds_sound_is_heard_after_a_tap_until_it_is_left(listening, foreign, output):
    phone = listening
    bell = foreign.serve("/sounds/bell.wav", Answer(wav(30), headers={"content-type": "audio/wav"}))
    document = gddf("Bell tower", [place("t", "Tower", *level(EYE, phone.declination, 200))], relative=True)
    begin(phone, foreign.serve("/sounds/tower.gddf", document.replace("</name>", f"</name><playSound><url>{bell}</url></playSound>")))
    phone.page.locator("#sound-play").wait_for()
    assert foreign.asked("/sounds/bell.wav") == [], "nothing is fetched before the tap"
    phone.page.screenshot(path=output / "sound-offered.png")
    phone.tap("#sound-play")
    phone.wait("window.sightline.state().sound.state === 'playing'")
    wait_until(lambda: phone.page.evaluate("window.ears.some((one) => !one.paused && one.currentTime > 0.2)"), "it is heard")
    assert phone.page.locator("#sound-play").inner_text() == "Bell tower"
    phone.page.screenshot(path=output / "sound-playing.png")
    phone.tap("#sound-mute")
    assert sound(phone)["isMuted"] and phone.page.evaluate("window.ears.every((one) => one.muted)") and sound(phone)["state"] == "playing"
    phone.tap("#sound-mute")
    assert not phone.page.evaluate("window.ears.some((one) => one.muted)")
    # A tap stops it, another begins it again; the scanner and other worlds end it.
    phone.tap("#sound-play")
    assert sound(phone)["state"] == "silent" and phone.page.evaluate("window.ears.every((one) => one.paused)")
    phone.tap("#sound-play")
    phone.wait("window.sightline.state().sound.state === 'playing'")
    phone.page.evaluate("location.hash = '#/'")
    phone.page.wait_for_selector("#worlds li")
    wait_until(lambda: phone.page.evaluate("window.ears.every((one) => one.paused)"), "nothing is heard on the start page")


def test_a_places_sound_is_on_its_card(listening, foreign, output):
    phone = listening
    one = foreign.serve("/sounds/one.wav", Answer(wav(20), headers={"content-type": "audio/wav"}))
    two = foreign.serve("/sounds/two.wav", Answer(wav(20), headers={"content-type": "audio/wav"}))
    bad = foreign.serve("/sounds/bad.wav", Answer("no sound at all", headers={"content-type": "audio/wav"}))
    document = geojson("Birds", [(id, id.title(), "Bird", level(EYE, phone.declination + turn, 80)) for id, turn in (("wren", -9), ("owl", 0), ("crow", 9))])
    for id, address in (("wren", one), ("owl", two), ("crow", bad)):
        document = document.replace(f'"{id.title()}"', f'"{id.title()}", "sound": "{address}"', 1)
    phone.expect("status of 502", "bad.wav")
    begin(phone, foreign.serve("/sounds/birds.geojson", document))
    phone.wait("window.sightline.state().world?.places === 3")
    choose = lambda place: phone.page.evaluate("(p) => window.sightline.session.select(p)", place)  # noqa: E731
    listen = '#card [data-action="sound"]'
    choose(0)
    phone.page.locator(listen).wait_for()
    assert phone.page.locator("#sound").is_hidden(), "the world has no sound of its own"
    phone.tap(listen)
    phone.wait("window.sightline.state().sound.state === 'playing'")
    assert phone.page.locator(listen).inner_text() == "Stop" and phone.page.locator("#sound-play").is_visible()
    phone.page.screenshot(path=output / "sound-card.png")
    choose(1)
    phone.page.locator(f"{listen}:has-text('Listen')").wait_for()
    phone.tap(listen)
    phone.wait("(url) => window.sightline.state().sound.url === url && window.sightline.state().sound.state === 'playing'", two)
    assert phone.page.evaluate("window.ears.filter((one) => !one.paused).length") == 1, "one at a time"
    choose(2)
    phone.page.locator(f"{listen}:has-text('Listen')").wait_for()
    phone.tap(listen)
    phone.page.locator(".toast", has_text="Crow cannot be played").wait_for()
    assert sound(phone)["state"] == "silent"
