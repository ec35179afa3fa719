"""Accounts: signing in and out, invitations, two tabs, and where signing in leads."""
import time

from support.codes import time_code
from support.studio import PASSWORD, TABLET, ULM, add_place, author, desk, new_world, saved, titles  # noqa: F401


def test_signing_out_ends_it_and_wrong_passwords_are_told(new_phone, server, author):
    phone = new_phone(screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    phone.expect("status of 401")
    page = phone.page
    page.goto(server.url + "/#/studio")
    page.wait_for_selector("#account-name")
    page.fill("#account-name", author)
    page.fill("#account-password", "not the password")
    page.click("#account-sign-in")
    phone.wait("() => document.querySelector('.form-message').textContent.length > 20")
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    page.wait_for_selector("#studio-new")
    page.click("#studio-account")
    page.click("#account-sign-out")
    page.wait_for_selector("#account-sign-in")
    page.goto(server.url + "/#/studio")
    page.wait_for_selector("#account-sign-in")


def test_an_operator_invites_and_the_link_makes_an_account(new_phone, server, output):
    server.add_account("chief", PASSWORD, "operator")
    phone = new_phone(screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    page = phone.page
    page.goto(server.url + "/#/account")
    page.fill("#account-name", "chief")
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    page.wait_for_selector("#studio-new")
    page.goto(server.url + "/#/account")
    page.wait_for_selector('#account-list [data-account="chief"]')
    page.screenshot(path=output / "account.png")
    page.click('[data-invite="author"]')
    link = page.input_value("#account-link")
    guest = new_phone(screen=(390, 844))
    guest.expect("status of 409", "status of 422")
    guest.page.goto(link)
    guest.page.fill("#account-name", "nils")
    guest.page.fill("#account-password", PASSWORD)
    guest.page.fill("#account-again", PASSWORD)
    guest.page.screenshot(path=output / "account-link.png")
    guest.page.click("#account-accept")
    guest.page.wait_for_selector("#studio-new")


def test_a_second_tab_that_signs_in_anew_does_not_stop_the_first(desk, server):
    phone = desk()
    page = phone.page
    new_world(phone, "Two tabs")
    add_place(phone, "Before", *ULM)
    saved(phone)
    phone.expect("status of 403")
    other = phone.context.new_page()
    other.goto(server.url + "/#/account")
    status = other.evaluate("""async (password) => (await fetch('/api/v1/session', {
        method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'astrid', password }) })).status""", PASSWORD)
    assert status == 200
    other.close()
    page.fill("#place-title", "After")
    saved(phone)
    assert titles(phone) == ["After"]


def test_signing_in_leads_back_to_where_it_was_asked_for(new_phone, server, author):
    """A teacher comes for the tours and lands there, not in the studio."""
    phone = new_phone(screen=TABLET, mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    phone.expect("status of 401")
    page = phone.page
    page.goto(server.url + "/#/tours")
    page.click("#tours-sign-in")
    page.fill("#account-name", author)
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    phone.wait("() => location.hash === '#/tours'")
    page.wait_for_selector("#tours-new")


def test_signing_in_with_a_second_factor_asks_for_its_code(new_phone, server, output):
    server.add_account("freya", PASSWORD)
    phone = new_phone(screen=(320, 640), mobile=False, sensors=False, permissions=(), picture=None, scale=1)
    phone.expect("status of 401")
    page = phone.page
    page.goto(server.url + "/#/account")
    page.fill("#account-name", "freya")
    page.fill("#account-password", PASSWORD)
    assert not page.is_visible("#account-code")
    page.click("#account-sign-in")
    page.wait_for_selector("#studio-new")
    call = """async ([method, path, json]) => {
        const { csrf } = await (await fetch('/api/v1/session')).json();
        const answer = await fetch(path, { method, body: JSON.stringify(json),
            headers: { 'content-type': 'application/json', 'x-csrf-token': csrf } });
        return answer.status === 204 ? null : answer.json(); }"""
    factor = "/api/v1/session/second-factor"
    secret = page.evaluate(call, ["POST", factor, {"password": PASSWORD}])["secret"]
    step = int(time.time() // 30)
    recovery = page.evaluate(call, ["PUT", factor, {"code": time_code(secret, step)}])["recoveryCodes"]
    page.evaluate(call, ["DELETE", "/api/v1/session", {}])
    page.goto(server.url + "/#/account")
    page.reload()
    page.fill("#account-name", "freya")
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    page.wait_for_selector("#account-code")
    page.screenshot(path=output / "account-code.png")
    assert page.evaluate("() => document.activeElement.id") == "account-code"
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    asked = page.inner_text(".form-message")
    # The code that has set it up is taken: it is refused, and the field waits for another.
    page.fill("#account-code", time_code(secret, step))
    page.click("#account-sign-in")
    phone.wait(f"() => ![{asked!r}, ''].includes(document.querySelector('.form-message').textContent)")
    assert page.input_value("#account-code") == ""
    page.fill("#account-code", recovery[0])
    page.click("#account-sign-in")
    page.wait_for_selector("#studio-new")
