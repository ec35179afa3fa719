"""The account's pages: second factor, sessions, security log, the end of an account, and what operators do for others."""
import pathlib
import re

import pytest
from support.codes import Authenticator
from support.phone import wait_until
from support.sightline import Sightline
from support.studio import PASSWORD

SMALL = (320, 640)
DESKTOP = (1024, 768)
# No authenticator program shows letters.
WRONG_CODE = "000000x"
CALL = """async ([method, path, json]) => {
    const { csrf } = await (await fetch('/api/v1/session')).json();
    const answer = await fetch(path, { method, body: json === null ? undefined : JSON.stringify(json),
        headers: { 'content-type': 'application/json', 'x-csrf-token': csrf ?? '' } });
    return { status: answer.status, body: await answer.json().catch(() => null) }; }"""


class Person:
    """Somebody at a browser of their own."""

    def __init__(self, phone, name):
        self.phone, self.page, self.name, self.password = phone, phone.page, name, PASSWORD

    def goto(self, hash="#/account"):
        self.page.goto(f"{self.phone.server.url}/{hash}")

    def sign_in(self, hash="#/account", code=None):
        self.goto(hash)

        def filled():
            # Coming from another of these pages, the form may be a new one in between.
            self.page.fill("#account-name", self.name)
            self.page.fill("#account-password", self.password)
            return self.page.input_value("#account-name") == self.name
        wait_until(filled, "the form takes name and password")
        self.page.click("#account-sign-in")
        if code:
            self.page.fill("#account-code", code)
            self.page.click("#account-sign-in")

    def sign_out(self):
        self.goto()
        self.page.click("#account-sign-out")
        self.page.wait_for_selector("#account-sign-in")

    def call(self, method, path, json=None):
        """A request with the session of this browser, beside the page."""
        return self.page.evaluate(CALL, [method, path, json])

    def focused(self):
        return self.page.evaluate("() => document.activeElement.id || document.activeElement.textContent")

    def fits(self):
        """Nothing is wider than the screen."""
        return self.page.evaluate("""() => {
            const page = document.querySelector('#account-page');
            return page.scrollWidth <= page.clientWidth && document.documentElement.scrollWidth <= innerWidth; }""")

    def picture(self, path):
        """The whole page, not only what is on the screen of it."""
        width, height = self.phone.screen
        whole = self.page.evaluate("() => document.querySelector('#account-page').scrollHeight")
        self.page.set_viewport_size({"width": width, "height": max(height, whole)})
        self.page.screenshot(path=path, animations="disabled")
        self.page.set_viewport_size({"width": width, "height": height})

    def set_up_factor(self):
        """Goes through the set-up and returns the authenticator and the recovery codes."""
        page = self.page
        page.fill("#factor-password", self.password)
        page.click("#factor-begin")
        page.wait_for_selector("#factor-code")
        app = Authenticator(page.inner_text("#factor-secret"))
        page.fill("#factor-code", app.code())
        page.click("#factor-confirm")
        page.wait_for_selector("#recovery-codes")
        return app, page.locator("#recovery-codes code").all_inner_texts()


@pytest.fixture
def person(new_phone, server):
    """Makes people with an account, in front of the sign-in form."""
    def make(name, role="author", on=None, screen=DESKTOP, is_new=True, **options):
        if is_new:
            (on or server).add_account(name, PASSWORD, role)
        phone = new_phone(on, screen=screen, mobile=False, sensors=False, permissions=options.pop("permissions", ()),
                          picture=None, scale=1, **options)
        # Browsers log every answer that refuses something.
        phone.expect(*(f"status of {status}" for status in (401, 403, 404, 409, 422)))
        return Person(phone, name)
    return make


def message(page, within="main"):
    """What a form says of its failure."""
    locator = page.locator(f"{within} .form-message:not(:empty)")
    locator.wait_for()
    return locator.inner_text()


def test_a_second_factor_is_set_up_and_asked_for_from_then_on(person, output):
    who = person("sigrid", screen=SMALL, permissions=("clipboard-read", "clipboard-write"))
    page = who.page
    who.sign_in()
    page.wait_for_selector("#studio-new")
    who.goto()
    page.click("#to-second-factor")
    page.fill("#factor-password", "not the password")
    page.click("#factor-begin")
    assert "password" in message(page)
    page.fill("#factor-password", PASSWORD)
    page.click("#factor-begin")
    page.wait_for_selector("#factor-code")
    # The step's heading has the focus: screen readers say it.
    assert who.focused() == "Give the secret to your app"
    who.phone.wait("() => document.querySelector('#factor-qr').naturalWidth > 0")
    assert who.fits()
    who.picture(output / "factor-scan.png")
    app = Authenticator(page.inner_text("#factor-secret"))
    assert f"secret={app.secret}" in page.get_attribute("#factor-open", "href")
    page.click("#factor-copy")
    who.phone.wait("(secret) => navigator.clipboard.readText().then((text) => text === secret)", arg=app.secret)
    page.fill("#factor-code", WRONG_CODE)
    page.click("#factor-confirm")
    assert "code" in message(page)
    assert page.input_value("#factor-code") == "" and who.focused() == "factor-code"
    page.fill("#factor-code", app.code())
    page.keyboard.press("Enter")
    page.wait_for_selector("#recovery-codes")
    assert who.focused() == "Your recovery codes"
    assert who.fits()
    who.picture(output / "factor-codes.png")
    codes = page.locator("#recovery-codes code").all_inner_texts()
    assert len(set(codes)) == 10
    page.click("#recovery-copy")
    who.phone.wait("(codes) => navigator.clipboard.readText().then((text) => text === codes)", arg="\n".join(codes))
    with page.expect_download() as download:
        page.click("#recovery-save")
    saved = pathlib.Path(download.value.path()).read_text()
    assert saved.splitlines()[-10:] == codes and "sigrid" in saved
    assert download.value.suggested_filename == "sightline-sigrid.txt"
    page.click("#recovery-done")
    page.wait_for_selector("#factor-on")
    assert page.inner_text("#factor-codes") == "10 recovery codes are left."
    who.sign_out()
    who.sign_in(code=app.code())
    page.wait_for_selector("#studio-new")
    who.sign_out()
    who.sign_in(code=codes[0].lower())
    page.wait_for_selector("#studio-new")
    who.goto()
    assert "9 recovery codes" in page.inner_text("#to-second-factor")


def test_new_recovery_codes_and_removal_ask_for_password_and_code(person, output):
    who = person("torsten", screen=SMALL)
    page = who.page
    who.sign_in("#/account?next=%23%2Faccount%2Fsecond-factor")
    page.wait_for_selector("#factor-begin")
    app, codes = who.set_up_factor()
    page.click("#recovery-done")
    page.click("#factor-renew")
    page.wait_for_selector("#proof-code")
    assert who.focused() == "proof-password"
    who.picture(output / "factor-proof.png")
    page.fill("#proof-password", "not the password")
    page.fill("#proof-code", codes[0])
    page.click("#proof-send")
    assert "password" in message(page, "#proof")
    page.fill("#proof-password", PASSWORD)
    page.fill("#proof-code", WRONG_CODE)
    page.click("#proof-send")
    who.phone.wait("() => document.activeElement.id === 'proof-code' && document.activeElement.value === ''")
    page.fill("#proof-code", codes[0])
    page.click("#proof-send")
    page.wait_for_selector("#recovery-codes")
    renewed = page.locator("#recovery-codes code").all_inner_texts()
    assert len(renewed) == 10 and not set(renewed) & set(codes)
    page.wait_for_selector("dialog", state="detached")
    assert who.focused() == "Your recovery codes"
    page.click("#recovery-done")
    page.wait_for_selector("#factor-codes")
    # Old ones do not open anything any more; new ones do.
    page.click("#factor-remove")
    page.fill("#proof-password", PASSWORD)
    page.fill("#proof-code", codes[1])
    page.click("#proof-send")
    message(page, "#proof")
    page.fill("#proof-code", renewed[0])
    page.click("#proof-send")
    page.wait_for_selector("#factor-password")
    assert who.call("GET", "/api/v1/session")["body"]["account"]["secondFactor"] is False
    # By Escape nothing happens.
    app, codes = who.set_up_factor()
    page.click("#recovery-done")
    page.click("#factor-remove")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert who.focused() == "factor-remove"


def test_who_has_to_have_a_second_factor_sets_it_up_first_and_goes_on(person, foreign, tmp_path, output):
    strict = Sightline(tmp_path, foreign.port, more=("--require-second-factor", "operators")).start()
    try:
        who = person("ragna", "operator", on=strict, screen=SMALL)
        page = who.page
        who.sign_in("#/account?next=%23%2Ftours")
        page.wait_for_selector("#factor-required")
        assert "second factor" in page.inner_text("#factor-required")
        assert who.fits()
        who.picture(output / "factor-required.png")
        # Everything else leads back to it.
        page.goto(strict.url + "/#/studio")
        page.wait_for_selector("#factor-required")
        page.goto(strict.url + "/#/posters/mine")
        page.wait_for_selector("#factor-required")
        page.goto(strict.url + "/#/tours")
        page.click("#tours-sign-in")
        page.wait_for_selector("#factor-required")
        assert page.locator("#account-list").count() == 0
        # The password can be changed meanwhile, and one can sign out.
        page.click("#to-password")
        page.fill("#password-present", PASSWORD)
        who.password = PASSWORD + " more"
        page.fill("#password-new", who.password)
        page.click("#password-change")
        page.wait_for_selector("#factor-required")
        assert page.evaluate("() => location.hash") == "#/account?next=%23%2Ftours"
        page.click("#account-sign-out")
        page.wait_for_selector("#account-sign-in")
        who.sign_in("#/account?next=%23%2Ftours")
        page.wait_for_selector("#factor-required")
        who.set_up_factor()
        assert "everywhere else" in page.inner_text("#factor-set")
        page.click("#recovery-done")
        page.wait_for_selector("#tours-new")
        who.goto()
        page.wait_for_selector('#account-list [data-account="ragna"]')
        assert page.locator("#factor-required").count() == 0
        who.goto("#/studio")
        page.wait_for_selector("#studio-new")
        # An author need not have one here.
        author = person("runa", on=strict)
        author.sign_in()
        author.page.wait_for_selector("#studio-new")
    finally:
        strict.stop()


def test_an_invited_operator_is_led_to_the_second_factor(person, foreign, tmp_path):
    strict = Sightline(tmp_path, foreign.port, more=("--require-second-factor", "authors")).start()
    try:
        chief = person("gudrun", "operator", on=strict)
        chief.sign_in()
        chief.page.wait_for_selector("#factor-required")
        chief.set_up_factor()
        chief.page.click("#recovery-done")
        chief.page.wait_for_selector("#studio-new")
        link = chief.call("POST", "/api/v1/accounts", {"role": "author"})["body"]["link"]
        guest = person("helga", on=strict, is_new=False)
        guest.page.goto(link)
        guest.page.fill("#account-name", "helga")
        guest.page.fill("#account-password", PASSWORD)
        guest.page.fill("#account-again", PASSWORD)
        guest.page.click("#account-accept")
        guest.page.wait_for_selector("#factor-required")
    finally:
        strict.stop()


def test_sessions_are_listed_and_ended(person, output):
    first = person("inga", screen=SMALL)
    others = [person("inga", is_new=False) for _ in range(2)]
    for who in (first, *others):
        who.sign_in()
        who.page.wait_for_selector("#studio-new")
    page = first.page
    first.goto()
    page.click("#to-sessions")
    page.wait_for_selector("#session-list li")
    assert page.locator("#session-list li").count() == 3
    current = page.locator('#session-list [data-current="true"]')
    assert current.count() == 1 and "This one" in current.inner_text() and current.locator("button").count() == 0
    text = page.inner_text("#session-list")
    assert "Chrome, Linux" in text and "127.0.0.0/24" in text
    assert first.fits()
    first.picture(output / "sessions.png")
    page.locator('#session-list [data-current="false"] button').first.click()
    first.phone.wait("() => document.querySelectorAll('#session-list li').length === 2")
    assert first.focused() == "Where you are signed in"
    # One of the two others is out now, and notices it with the next thing it asks for.
    states = [who.call("GET", "/api/v1/session")["body"]["account"] is None for who in others]
    assert sorted(states) == [False, True]
    ended = others[states.index(True)]
    ended.goto("#/account/sessions")
    ended.page.wait_for_selector("#account-sign-in")
    page.click("#sessions-end-others")
    first.phone.wait("() => document.querySelectorAll('#session-list li').length === 1")
    assert not page.is_visible("#sessions-end-others")
    assert all(who.call("GET", "/api/v1/session")["body"]["account"] is None for who in others)
    ended.sign_in()
    ended.page.wait_for_selector("#studio-new")
    page.click("#sessions-end-all")
    page.wait_for_selector("#account-sign-in")
    assert ended.call("GET", "/api/v1/session")["body"]["account"] is None


def test_the_security_log_says_what_happened(person, output):
    author = person("jorunn", screen=SMALL)
    page = author.page
    author.goto()
    page.fill("#account-name", "jorunn")
    page.fill("#account-password", "not the password")
    page.click("#account-sign-in")
    message(page)
    author.sign_in()
    page.wait_for_selector("#studio-new")
    author.goto()
    page.click("#to-log")
    page.wait_for_selector("#security-log li")
    kinds = [item.get_attribute("data-kind") for item in page.locator("#security-log li").all()]
    assert kinds[:2] == ["signed-in", "sign-in-failed"]
    assert page.locator("#log-whose").count() == 0 and not page.is_visible("#log-more")
    first = page.locator("#security-log li").first.inner_text()
    assert first.startswith("Signed in") and "Chrome, Linux" in first and "jorunn" not in first
    assert author.fits()
    author.picture(output / "security-log.png")

    chief = person("ketil", "operator")
    page = chief.page
    chief.sign_in()
    page.wait_for_selector("#studio-new")
    for _ in range(35):
        assert chief.call("POST", "/api/v1/accounts", {"role": "author"})["status"] == 201
    chief.goto("#/account/log")
    page.wait_for_selector("#security-log li")
    assert page.locator("#security-log li").count() == 30
    assert "An invitation was made (Author)" in page.locator("#security-log li").first.inner_text()
    page.click("#log-more")
    chief.phone.wait("() => document.querySelectorAll('#security-log li').length > 30")
    # Reading goes on at the first of the new lines.
    assert page.evaluate("() => document.activeElement === document.querySelectorAll('#security-log li')[30]")
    chief.picture(output / "security-log-all.png")
    page.select_option("#log-whose", label="jorunn")
    chief.phone.wait("() => document.querySelectorAll('#security-log li').length < 30")
    assert "sign-in-failed" in [item.get_attribute("data-kind") for item in page.locator("#security-log li").all()]
    page.select_option("#log-whose", "own")
    chief.phone.wait("() => document.querySelectorAll('#security-log li').length === 30")
    for link in chief.call("GET", "/api/v1/invitations")["body"]["invitations"]:
        chief.call("DELETE", f"/api/v1/invitations/{link['id']}")


def test_one_deletes_ones_own_account_and_sees_before_what_goes_with_it(person, output):
    who = person("leif", screen=SMALL)
    page = who.page
    who.sign_in()
    page.wait_for_selector("#studio-new")
    made = who.call("POST", "/api/v1/studio/worlds", {"title": "Gulls of the harbour", "language": "en"})
    assert made["status"] == 201, made
    who.goto()
    page.click("#to-delete")
    page.wait_for_selector("#belongings")
    assert "1 world" in page.inner_text("#belongings") and "Gulls of the harbour" in page.inner_text("#belongings")
    assert not page.is_visible("#proof-code")
    assert who.fits()
    who.picture(output / "delete-account.png")
    page.fill("#proof-password", "not the password")
    page.click("#delete-now")
    assert "password" in message(page)
    page.fill("#proof-password", PASSWORD)
    page.click("#delete-now")
    page.wait_for_selector("#account-sign-in")
    assert "deleted" in page.inner_text("#toasts")
    assert page.evaluate("() => location.hash") == "#/account"
    page.fill("#account-name", "leif")
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    message(page)


def test_deleting_an_account_with_a_second_factor_takes_a_code(person):
    who = person("magnhild")
    page = who.page
    who.sign_in("#/account?next=%23%2Faccount%2Fsecond-factor")
    page.wait_for_selector("#factor-begin")
    _, codes = who.set_up_factor()
    page.click("#recovery-done")
    who.goto("#/account/delete")
    page.fill("#proof-password", PASSWORD)
    page.fill("#proof-code", codes[3])
    page.click("#delete-now")
    page.wait_for_selector("#account-sign-in")


def test_operators_see_and_revoke_one_time_links(person, output):
    chief = person("njal", "operator", screen=SMALL)
    page = chief.page
    chief.sign_in()
    page.wait_for_selector("#studio-new")
    chief.goto()
    page.click('[data-invite="operator"]')
    link = page.input_value("#account-link")
    page.click("dialog .sheet-close")
    page.wait_for_selector("#link-list li")
    mine = page.locator("#link-list li", has_text="njal")
    assert mine.count() == 1 and "New operator" in mine.inner_text()
    assert chief.fits()
    chief.picture(output / "links.png")
    mine.locator("button").click()
    mine.wait_for(state="detached")
    assert chief.focused() == "Open one-time links"
    guest = person("nobody", is_new=False)
    guest.page.goto(link)
    guest.page.wait_for_selector("#account-link-failed")


def test_operators_help_who_has_lost_the_device_or_the_password(person, output):
    who = person("oddny")
    who.sign_in("#/account?next=%23%2Faccount%2Fsecond-factor")
    who.page.wait_for_selector("#factor-begin")
    _, codes = who.set_up_factor()
    chief = person("orm", "operator", screen=SMALL)
    page = chief.page
    chief.sign_in()
    page.wait_for_selector("#studio-new")
    chief.goto()
    page.click('#account-list [data-account="oddny"] a')
    page.wait_for_selector("#person-factor")
    assert "second factor" in page.inner_text("#person-facts")
    assert chief.focused() == "person-name"
    assert chief.fits()
    chief.picture(output / "person.png")
    page.click("#person-factor")
    # The safe answer is the one that has the focus.
    assert chief.focused() == "confirm-no"
    page.click("#confirm-yes")
    page.wait_for_selector("#person-factor", state="detached")
    assert "second factor" not in page.inner_text("#person-facts")
    assert who.call("GET", "/api/v1/session")["body"]["account"] is None
    page.click("#person-reset")
    link = page.input_value("#account-link")
    page.click("dialog .sheet-close")
    assert chief.focused() == "person-reset"
    who.page.goto(link)
    who.page.fill("#account-password", PASSWORD + " again")
    who.page.fill("#account-again", PASSWORD + " again")
    who.page.click("#account-accept")
    who.page.wait_for_selector("#studio-new")
    page.click("#person-active")
    chief.phone.wait("() => document.querySelector('#person-facts').textContent.includes('closed')")
    assert chief.focused() == "person-active"
    assert who.call("GET", "/api/v1/session")["body"]["account"] is None
    page.click("#person-log")
    page.wait_for_selector('#security-log [data-kind="account-closed"]')
    assert page.locator("#log-whose").input_value() != "all"
    assert "by orm" in page.locator('#security-log [data-kind="second-factor-removed"]').first.inner_text()


def test_operators_delete_accounts_and_say_who_takes_over(person, output):
    leaver, heir = person("paal"), person("petra")
    chief = person("ragnar", "operator")
    for who in (leaver, chief):
        who.sign_in()
        who.page.wait_for_selector("#studio-new")
    made = leaver.call("POST", "/api/v1/studio/worlds", {"title": "Terns", "language": "en"})
    assert made["status"] == 201, made
    page = chief.page
    chief.goto()
    page.click('#account-list [data-account="paal"] a')
    page.wait_for_selector("#removal")
    assert "Terns" in page.inner_text("#belongings")
    chief.picture(output / "removal.png")
    page.click("#removal-delete")
    assert "1 world" in page.inner_text("#confirm")
    page.click("#confirm-no")
    page.select_option("#removal-heir", label="petra takes it over")
    page.click("#removal-delete")
    assert "petra takes over" in page.inner_text("#confirm")
    page.click("#confirm-yes")
    page.wait_for_selector('#account-list [data-account="petra"]')
    assert page.locator('#account-list [data-account="paal"]').count() == 0
    heir.sign_in()
    heir.page.wait_for_selector("#studio-new")
    heir.phone.wait("() => document.querySelector('#studio-worlds-list')?.textContent.includes('Terns')")
    chief.goto("#/account/log")
    page.wait_for_selector('#security-log [data-kind="account-deleted"]')
    assert "handed to petra" in page.locator('#security-log [data-kind="account-deleted"]').first.inner_text()
    # Without an heir what is theirs goes too.
    chief.goto()
    page.click('#account-list [data-account="petra"] a')
    page.wait_for_selector("#removal")
    page.click("#removal-delete")
    page.click("#confirm-yes")
    page.wait_for_selector("#account-list")
    chief.phone.wait("() => !document.querySelector('[data-account=\"petra\"]')")
    heir.goto()
    heir.page.wait_for_selector("#account-sign-in")


def test_the_only_operator_is_told_why_nothing_is_deleted(person, foreign, tmp_path):
    alone = Sightline(tmp_path, foreign.port).start()
    try:
        who = person("solveig", "operator", on=alone)
        who.sign_in()
        who.page.wait_for_selector("#studio-new")
        who.goto("#/account/delete")
        who.page.fill("#proof-password", PASSWORD)
        who.page.click("#delete-now")
        assert "only operator" in message(who.page)
    finally:
        alone.stop()


def test_without_an_answer_the_page_says_so_and_asks_again(person):
    who = person("nobody", is_new=False)
    who.phone.expect("net::ERR_FAILED")
    who.page.route("**/api/v1/session", lambda route: route.abort())
    who.goto()
    who.page.wait_for_selector("#account-retry")
    who.page.unroute("**/api/v1/session")
    who.page.click("#account-retry")
    who.page.wait_for_selector("#account-sign-in")
    assert who.focused() == "account-name"


@pytest.mark.parametrize("scheme, screen", [("light", SMALL), ("dark", (640, 320))])
def test_every_page_fits_a_small_phone_in_every_language(person, server, output, scheme, screen):
    name, author = f"tora-{scheme}", f"tove-{scheme}"
    server.add_account(author, PASSWORD)
    who = person(name, "operator", screen=screen, color_scheme=scheme)
    page = who.page
    who.sign_in()
    page.wait_for_selector("#studio-new")
    other = next(each["id"] for each in who.call("GET", "/api/v1/accounts")["body"]["accounts"] if each["name"] == author)
    views = {"": "#link-list", "second-factor": "#factor-password", "password": "#password-new", "sessions": "#session-list li",
             "log": "#security-log li", "delete": "#proof-password", f"person/{other}": "#removal"}
    for language in ("en", "de", "es", "fr", "nl", "sv", "zh"):
        page.evaluate("(code) => localStorage.setItem('sightline.language', JSON.stringify(code))", language)
        for view, selector in views.items():
            who.goto(f"?{language}#/account/{view}")
            page.wait_for_selector(selector, state="attached")
            assert page.evaluate("() => document.documentElement.lang") == language
            assert who.fits(), (language, view)
            left = page.evaluate("() => document.querySelector('main').textContent.match(/accounts\\.\\w+/)?.[0]")
            assert left is None, (language, left)
            if language in ("en", "de"):
                file = re.sub(r"\W+", "-", view) or "overview"
                who.picture(output / f"account-{file}-{language}-{scheme}.png")
        who.goto("#/account/second-factor")
        page.fill("#factor-password", PASSWORD)
        page.click("#factor-begin")
        who.phone.wait("() => document.querySelector('#factor-qr')?.naturalWidth > 0")
        assert who.fits(), language
        who.picture(output / f"account-scan-{language}-{scheme}.png")
