"""Where nothing is to be seen, the page says the true reason and the next step; what went wrong is said in the reader's language."""
import pytest
from support.foreign import gddf, place
from support.phone import wait_until
from support.worlds import EYE, geojson, towards

STOCKHOLM = (59.33, 18.06, 20.0)


def note(phone):
    phone.page.wait_for_selector("#nothing-here:visible")
    return phone.page.locator("#nothing-here")


def step(phone, name):
    phone.page.locator(f'#nothing-here [data-step="{name}"]').tap()


def test_a_world_far_away_says_so_and_one_can_stand_there(new_phone):
    phone = new_phone(screen=(320, 568))
    phone.move(STOCKHOLM)
    phone.point(0)
    phone.open("/world/ulm")
    # Before anybody is asked for anything, where the position may be known.
    phone.page.wait_for_selector("#gate-far:visible")
    assert "km away" in phone.page.locator("#gate-far").inner_text()
    phone.start()
    assert "Ulm is 1,32" in note(phone).inner_text()
    assert phone.page.locator("#status-note").is_hidden(), "said once"
    step(phone, "nothing.standThere")
    phone.wait("window.sightline.state().frame.candidates > 5")
    phone.page.wait_for_selector("#nothing-here", state="hidden")
    assert phone.page.evaluate("location.hash").find("virtual=1") > 0


def test_from_far_away_to_what_is_around(new_phone):
    phone = new_phone()
    phone.move(STOCKHOLM)
    phone.point(0)
    phone.open("/world/ulm")
    phone.start()
    note(phone)
    step(phone, "nothing.around")
    phone.page.wait_for_selector("#guide", state="attached")


def test_a_radius_too_small_is_widened(phone, foreign):
    phone.open_foreign(foreign.serve("/radius-note.gddf", gddf("Wide", [place("far", "Far", *towards(EYE, 0, 15000))], relative=True)))
    phone.point(0)
    phone.start()
    assert "15 km" in note(phone).inner_text()
    step(phone, "nothing.widen")
    phone.wait("window.sightline.state().frame.candidates === 1")
    phone.page.wait_for_selector("#nothing-here", state="hidden")


def test_a_filter_too_narrow_is_taken_off(phone, foreign):
    features = [("near", "Near", "Bridge", towards(EYE, 0, 300)), ("far", "Far", "Church", towards(EYE, 0, 9000))]
    phone.open_foreign(foreign.serve("/filter-note.geojson", geojson("Filter", features)))
    phone.point(0)
    phone.start()
    phone.tap("#filter-chip")
    phone.tap('#categories [data-name="Church"]')
    phone.tap("#filter-chip")
    assert "categories" in note(phone).inner_text()
    step(phone, "nothing.showAll")
    phone.wait("window.sightline.state().frame.candidates === 1")


@pytest.mark.parametrize("world, prints", [("museum", 3), ("marker-table", 4)])
def test_worlds_on_paper_begin_with_what_they_need(new_phone, world, prints):
    phone = new_phone()
    phone.move(STOCKHOLM)
    phone.open(f"/world/{world}")
    # Neither position nor direction matter: nobody is asked for them.
    phone.page.wait_for_selector('#readiness [data-check="location"]', state="hidden")
    phone.page.wait_for_selector('#readiness [data-check="orientation"]', state="hidden")
    phone.start()
    text = note(phone).inner_text()
    assert "paper" in text and "radius" not in text
    phone.page.wait_for_selector(".nothing-prints")
    assert phone.page.locator(".nothing-prints > *").count() == prints
    assert f"/#/show/{world}" in phone.page.locator("#nothing-here").inner_text()
    for gone in ("#radius-box", "#walk-pad", "#view-map"):
        assert phone.page.locator(gone).is_hidden(), gone
    step(phone, "nothing.ready")
    phone.page.wait_for_selector("#nothing-here", state="hidden")


def test_a_world_that_is_not_here_is_said_before_the_gate_asks(new_phone):
    phone = new_phone(locale="de-DE")
    phone.expect("404")
    phone.open("/world/nosuch")
    phone.page.wait_for_selector("#missing")
    text = phone.page.locator("#missing").inner_text()
    assert "Diese Welt gibt es hier nicht" in text and "nosuch" in text and "GET" not in text
    assert phone.page.locator("#gate").is_hidden()
    phone.page.locator("#missing a").tap()
    phone.wait("document.documentElement.dataset.view === 'start'")
    assert phone.page.locator("#missing").count() == 0


def test_an_unknown_page_says_so(new_phone):
    phone = new_phone(locale="sv-SE")
    phone.open("/no/such/page")
    phone.page.wait_for_selector("#missing")
    assert "Den här sidan finns inte" in phone.page.locator("#missing").inner_text()


def test_errors_are_in_the_readers_language_and_details_behind_a_tap(new_phone, foreign):
    phone = new_phone(locale="de-DE", allowed=["10.9.8.7"])
    phone.page.route("**/api/v1/open", lambda route: route.fulfill(status=403, content_type="application/problem+json", json={
        "status": 403, "code": "open.address-refused", "detail": "This server does not fetch from 10.9.8.7: use --allow-private-proxy."}))
    phone.expect("403")
    phone.point(0)
    phone.open_foreign("http://10.9.8.7/x.gddf")
    phone.tap("#start-ar")
    shown = phone.page.locator("#toasts .toast")
    shown.wait_for()
    wait_until(lambda: "privates Netz" in shown.inner_text(), "in German")
    assert "--allow-private-proxy" not in shown.inner_text()
    shown.locator("summary").tap()
    assert "--allow-private-proxy" in shown.inner_text()
