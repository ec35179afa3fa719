"""Other websites: what they hear of a phone and what they may show on it, before and after the question."""
import re
import subprocess
import time
from urllib.parse import quote

import pytest
from support import foreign as make
from support.foreign import Answer, ForeignServer
from support.phone import wait_until
from support.picture import decode
from support.sightline import PROGRAM
from support.worlds import ring

PLACE = (48.123456789, 10.987654321, 480.0)
PRIVATE = {"lat", "lon", "alt", "bearing", "pitch", "roll", "uid"}
# What the browser says of the test's own scripts, which a sandboxed frame does not run either.
NO_SCRIPTS = ("Blocked script execution",)
PAGE = Answer("<!doctype html><title>page</title><p style='font: 16px sans-serif'>A page of another website.</p>", 200,
              {"content-type": "text/html"})


@pytest.fixture(scope="module")
def second():
    """One more host."""
    server = ForeignServer()
    yield server
    server.close()


def host(server):
    return f"127.0.0.1:{server.port}"


def allow(server):
    return [host(server)]


def told(requests):
    """What of a phone is in each of the requests."""
    return [set(request.fields) & PRIVATE for request in requests]


def answer(phone, how):
    phone.page.locator(f"#consent-{how}").tap()
    phone.page.locator("#consent").wait_for(state="detached")


def again(phone):
    """Loads the page anew, as at the next visit."""
    phone.page.reload()
    phone.wait("Boolean(window.sightline?.ready)")
    phone.page.evaluate("window.sightline.ready")
    phone.point(30.0)
    phone.start()


def show_consents(phone):
    phone.tap("#menu")
    phone.tap("#menu-consents")
    phone.page.locator("#consents-dialog").wait_for()


def checkbox(phone, server, kind):
    return phone.page.locator(f'#consents-dialog li[data-host="{host(server)}"] input[id^="consent-{kind}"]')


def close_dialog(phone):
    phone.tap("dialog[open] .sheet-close")
    phone.page.locator("dialog[open]").wait_for(state="detached")


def test_a_world_of_another_website_hears_nothing_before_the_question_is_answered(new_phone, foreign, output):
    phone = new_phone(allowed=(), position=PLACE)
    path = "/consent-first.gddf"
    address = foreign.serve(path, lambda request: ring(PLACE, f"Asked {len(foreign.asked(path))}", refresh=foreign.address(path)))
    phone.open_foreign(address)
    phone.page.locator("#consent").wait_for()
    text = phone.page.locator("#consent").inner_text()
    assert host(foreign) in text and "this very device" in text
    phone.page.screenshot(path=output / "consent-position.png")
    answer(phone, "allow")
    phone.point(30.0)
    phone.start()
    wait_until(lambda: foreign.asked(path) and told(foreign.asked(path))[-1], "the world is asked for with a position")
    fields = foreign.asked(path)[-1].fields
    assert (float(fields["lat"]), float(fields["lon"])) == (48.12346, 10.98765)
    assert re.fullmatch("UID[0-9a-f]{24}", fields["uid"])
    # The answer is remembered: no question after the page was loaded anew, and the same visitor.
    again(phone)
    assert phone.page.locator("#consent").count() == 0
    assert foreign.asked(path)[-1].fields["uid"] == fields["uid"]
    # Withdrawn, the host hears nothing more; allowed anew, it meets somebody else.
    show_consents(phone)
    phone.page.screenshot(path=output / "consent-list.png")
    checkbox(phone, foreign, "position").uncheck()
    close_dialog(phone)
    before = len(foreign.asked(path))
    phone.tap("#menu")
    phone.tap("#menu-refresh")
    wait_until(lambda: len(foreign.asked(path)) > before, "it is asked for again")
    assert told(foreign.asked(path))[-1] == set()
    assert phone.page.locator("#consent").count() == 0
    show_consents(phone)
    checkbox(phone, foreign, "position").check()
    close_dialog(phone)
    wait_until(lambda: told(foreign.asked(path))[-1], "it is asked for with a position")
    assert foreign.asked(path)[-1].fields["uid"] != fields["uid"]


def test_not_now_opens_the_world_without_a_position_and_asks_no_more(new_phone, foreign):
    phone = new_phone(allowed=(), position=PLACE)
    path = "/consent-later.gddf"
    address = foreign.serve(path, lambda request: ring(PLACE, f"Later {len(foreign.asked(path))}",
                                                       refresh=foreign.address(path), every_ms=1200))
    phone.open_foreign(address)
    answer(phone, "later")
    phone.point(30.0)
    phone.start()
    phone.wait_world("Later 3")
    assert all(heard == set() for heard in told(foreign.asked(path)))
    assert set(foreign.asked(path)[-1].fields) == {"event", "eventSrc", "width", "height", "time"}
    assert phone.page.locator("#consent").count() == 0
    # It is in the list all the same, to be allowed later: then the world is asked for again at once.
    show_consents(phone)
    assert not checkbox(phone, foreign, "position").is_checked()
    checkbox(phone, foreign, "position").check()
    close_dialog(phone)
    wait_until(lambda: told(foreign.asked(path))[-1], "it is asked for with a position")


def test_a_world_that_needs_a_position_says_so(new_phone, foreign):
    phone = new_phone(allowed=(), position=PLACE)
    phone.expect("Failed to load resource")
    path = "/consent-needed.gddf"
    address = foreign.serve(path, lambda request: ring(PLACE, "Here") if "lat" in request.fields else Answer("where are you?", 400))
    phone.open_foreign(address)
    answer(phone, "later")
    phone.point(30.0)
    phone.tap("#start-ar")
    phone.page.locator("#toasts .toast-text", has_text="without your position").wait_for()
    assert host(foreign) in phone.page.locator("#toasts .toast-text").first.inner_text()


@pytest.mark.parametrize("way", ["refresh", "dimension", "redirect", "beside"])
def test_an_allowed_world_hands_no_position_on(new_phone, foreign, second, way):
    """The first host may know where the phone is; the second, to which it leads, may not."""
    phone = new_phone(allowed=allow(foreign), position=PLACE)
    path = f"/consent-{way}.gddf"
    there = second.serve(path, lambda request: ring(PLACE, f"There {len(second.asked(path))}"))
    overlays = [make.overlay("go", "Go on", 20, 160, press=f"dimension:{there}")] if way == "dimension" else []
    options = {"refresh": there, "every_ms": 1200} if way == "refresh" else {}
    if way == "redirect":
        address = foreign.serve(path, Answer("", 307, {"location": there}))
    else:
        address = foreign.serve(path, ring(PLACE, "First", overlays=overlays, **options))
    more = {"with": quote(f"url:{there}", safe="")} if way == "beside" else {}
    phone.open_foreign(address, **more)
    phone.point(30.0)
    if way == "beside":
        answer(phone, "later")
    phone.start()
    if way == "dimension":
        phone.tap('[data-overlay="0"]')
    wait_until(lambda: second.asked(path), "the second host is asked")
    if way in ("refresh", "dimension"):
        phone.page.locator("#consent").wait_for()
        assert host(second) in phone.page.locator("#consent").inner_text()
        answer(phone, "later")
    if way == "redirect":
        phone.wait_world("There 1")
    time.sleep(1.5)
    assert all(heard == set() for heard in told(second.asked(path)))
    if way == "redirect":
        assert told(foreign.asked(path))[-1] == PRIVATE
        assert second.asked(path)[-1].method == "POST" and second.asked(path)[-1].fields["event"] == "init"


def test_a_stored_worlds_refresh_address_is_asked_about(new_phone, server, foreign, tmp_path):
    path = "/consent-stored.gddf"
    address = foreign.serve(path, lambda request: ring(PLACE, "Elsewhere", refresh=foreign.address(path), every_ms=1200))
    (tmp_path / "planted.gddf").write_text(ring(PLACE, "Planted", refresh=address, every_ms=1200))
    subprocess.run([PROGRAM, "import", tmp_path / "planted.gddf", "--database", server.database],
                   check=True, capture_output=True, timeout=120)
    wait_until(lambda: b"Planted" in server.get("/api/v1/worlds"), "the server has the world", 60)
    phone = new_phone(allowed=(), position=PLACE)
    phone.open("/world/planted")
    phone.point(30.0)
    phone.start()
    phone.page.locator("#consent").wait_for()
    answer(phone, "later")
    wait_until(lambda: len(foreign.asked(path)) >= 2, "the world refreshes itself")
    assert all(heard == set() for heard in told(foreign.asked(path)))


def test_a_stranger_cannot_ask_without_end(new_phone, foreign):
    """A world that names another host at every refresh gets three questions, and never a position."""
    phone = new_phone(allowed=allow(foreign), position=PLACE)
    path = "/consent-many.gddf"
    hosts = [ForeignServer() for _ in range(6)]
    count = 0

    def reply(request):
        nonlocal count
        count += 1
        return ring(PLACE, f"Many {count}", refresh=hosts[count % len(hosts)].address(path), every_ms=1000)

    try:
        for server in hosts:
            server.serve(path, reply)
        phone.open_foreign(foreign.serve(path, reply))
        phone.point(30.0)
        phone.start()
        for _ in range(3):
            phone.page.locator("#consent").wait_for(timeout=20000)
            answer(phone, "later")
        before = count
        wait_until(lambda: count > before + 3, "the world goes on refreshing itself", 30)
        assert phone.page.locator("#consent").count() == 0
        assert all(heard == set() for server in hosts for heard in told(server.asked(path)))
    finally:
        for server in hosts:
            server.close()


# ---- Pages in frames ----

def open_with_pages(phone, foreign, path, overlays):
    phone.open_foreign(foreign.serve(path, ring(PLACE, "Pages", overlays=overlays)))
    phone.point(30.0)
    phone.start()
    phone.wait_world("Pages")


def test_a_foreign_page_is_asked_for_only_after_consent(new_phone, foreign, second, output):
    phone = new_phone(allowed=allow(foreign), position=PLACE, scale=2)
    phone.expect(*NO_SCRIPTS)
    page = second.serve("/page.html", PAGE)
    open_with_pages(phone, foreign, "/consent-frame.gddf", [make.page_overlay("page", page, 30, 110, 280, 200)])
    card = phone.page.locator('[data-overlay="0"]')
    card.wait_for()
    assert host(second) in card.inner_text() and "this very device" in card.inner_text()
    phone.page.screenshot(path=output / "consent-frame.png")
    time.sleep(1)
    assert second.asked("/page.html") == [] and phone.foreign == []
    assert phone.page.locator("iframe").count() == 0
    card.locator('[data-consent="allow"]').tap()
    wait_until(lambda: second.asked("/page.html"), "the page is asked for")
    headers = second.asked("/page.html")[0].headers
    assert "referer" not in headers and "cookie" not in headers
    frame = phone.page.locator("#overlays iframe")
    assert frame.get_attribute("sandbox") == "" and frame.get_attribute("allow") == ""
    assert frame.get_attribute("referrerpolicy") == "no-referrer" and frame.get_attribute("loading") == "lazy"
    phone.page.frame_locator("#overlays iframe").frame_locator("iframe").locator("p", has_text="another website").wait_for()
    phone.page.screenshot(path=output / "consent-frame-shown.png")
    # In the picture of the view a box with its host stands for it: dark, with light letters, inside of a light line.
    phone.tap("#screenshot")
    phone.page.wait_for_selector("#shot-download")
    with phone.page.expect_download() as download:
        phone.tap("#shot-download")
    picture = open(download.value.path(), "rb").read()
    (output / "consent-frame-picture.jpg").write_bytes(picture)
    spots = [(2 * x, 2 * y) for y in (140, 180, 250, 290) for x in range(60, 300, 8)]
    dark = decode(phone.page, picture, spots)["colours"]
    assert all(max(colour[:3]) < 90 for colour in dark), dark
    middle = decode(phone.page, picture, [(2 * x, 2 * y) for y in range(204, 216) for x in range(60, 300)])["colours"]
    assert 100 < sum(min(colour[:3]) > 150 for colour in middle) < 1500, "a text in the middle"
    phone.page.locator("#shot-dialog .sheet-close").tap()
    # Remembered: shown at once the next time. Withdrawn: gone at once.
    count = len(second.asked("/page.html"))
    again(phone)
    wait_until(lambda: len(second.asked("/page.html")) > count, "the page is asked for again")
    show_consents(phone)
    checkbox(phone, second, "frames").uncheck()
    close_dialog(phone)
    assert phone.page.locator("iframe").count() == 0
    phone.expect_requests(second.address("/"))


def test_not_now_shows_nothing_of_that_host(new_phone, foreign, second):
    phone = new_phone(allowed=allow(foreign), position=PLACE)
    pages = [make.page_overlay(f"p{k}", second.serve(f"/later-{k}.html", PAGE), 20, 90 + 10 * k, 200, 100) for k in range(3)]
    open_with_pages(phone, foreign, "/consent-frame-later.gddf", pages)
    phone.page.locator('[data-consent="later"]').last.tap()
    phone.wait("() => [...document.querySelectorAll('.overlay-html')].every((e) => e.hidden)")
    assert not any(second.asked(f"/later-{k}.html") for k in range(3))


def test_a_frame_leads_to_no_other_host(new_phone, foreign, second):
    """A redirect in a frame reaches no host that nobody was asked about."""
    phone = new_phone(allowed=allow(foreign) + allow(second), position=PLACE)
    phone.expect(*NO_SCRIPTS)
    other = ForeignServer()
    try:
        target = other.serve("/router.html", PAGE)
        second.serve("/redirect.html", Answer("", 302, {"location": target}))
        phone.expect("frame-src")
        open_with_pages(phone, foreign, "/consent-frame-redirect.gddf",
                        [make.page_overlay("page", second.address("/redirect.html"), 30, 110, 280, 200)])
        wait_until(lambda: second.asked("/redirect.html"), "the page is asked for")
        time.sleep(1)
        assert other.asked("/router.html") == []
    finally:
        other.close()
    phone.expect_requests(second.address("/redirect.html"))


def test_addresses_that_are_no_pages_show_nothing(new_phone, foreign):
    phone = new_phone(allowed=allow(foreign), position=PLACE)
    odd = ["javascript:alert(1)", "data:text/html,<p>x", "file:///etc/passwd", "blob:http://x/1", "http://", "about:blank"]
    open_with_pages(phone, foreign, "/consent-odd.gddf",
                    [make.page_overlay(f"p{k}", url, 20, 90, 200, 100) for k, url in enumerate(odd)])
    assert phone.page.locator("iframe").count() == 0
    assert phone.page.locator(".overlay-html:visible").count() == 0


@pytest.mark.parametrize("screen, scheme, locale", [((320, 568), "dark", "de-DE"), ((568, 320), "light", "en-GB"),
                                                    ((320, 568), "light", "fr-FR"), ((390, 844), "dark", "zh-CN")])
def test_the_questions_fit_the_screen(new_phone, foreign, second, output, screen, scheme, locale):
    phone = new_phone(allowed=(), position=PLACE, screen=screen, color_scheme=scheme, locale=locale,
                      picture=(1280, 720) if screen[0] > screen[1] else (720, 1280))
    name = f"{screen[0]}-{scheme}-{locale[:2]}"
    page = second.serve("/fit.html", PAGE)
    path = f"/fit-{name}.gddf"
    phone.open_foreign(foreign.serve(path, ring(PLACE, "Fit", overlays=[make.page_overlay("page", page, 12, 70, 290, 200)])))
    phone.page.locator("#consent").wait_for()
    time.sleep(0.4)
    phone.page.screenshot(path=output / f"consent-fit-{name}.png")
    inside = """(selector) => [...document.querySelectorAll(selector)].every((e) => {
      const b = e.getBoundingClientRect();
      const hit = document.elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
      return b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight && b.width > 40 && b.height >= (e.matches('.button') ? 40 : 12) &&
        e.scrollWidth <= e.clientWidth + 1 && e.contains(hit); })"""
    phone.wait(inside, "#consent .actions .button, #consent .leave-address")
    answer(phone, "later")
    phone.point(30.0)
    phone.start()
    phone.page.locator(".consent-card").wait_for()
    phone.page.screenshot(path=output / f"consent-card-{name}.png")
    phone.wait(inside, ".consent-card .button, .consent-card .consent-host")
    show_consents(phone)
    time.sleep(0.4)
    phone.page.screenshot(path=output / f"consent-hosts-{name}.png")
    assert phone.page.evaluate("document.querySelector('#consents-dialog').scrollWidth <= document.querySelector('#consents-dialog').clientWidth")
