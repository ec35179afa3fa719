"""The start page: what is near comes first, everything can be read, and what is fetched for its looks comes after it can be used."""
import itertools

import pytest
from support.languages import LANGUAGES, speak
from support.phone import wait_until

ULM = (48.3984, 9.9916, 480.0)
STOCKHOLM = (59.33, 18.06, 20.0)


def wide(phone):
    """What reaches out of the page, for a test that fails."""
    return phone.page.evaluate("""() => [...document.querySelectorAll('#start *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
      .map((e) => `${e.tagName}.${e.className?.baseVal ?? e.className}#${e.id}`).slice(0, 6)""")


def worlds(phone):
    return phone.page.locator(".world-card[data-world]").evaluate_all("(cards) => cards.map((card) => card.dataset.world)")


def test_worlds_are_sorted_by_nearness_and_looking_around_leads_to_what_is_near(new_phone):
    phone = new_phone(position=ULM)
    phone.open()
    wait_until(lambda: worlds(phone)[:1] == ["ulm"] or worlds(phone)[:1] == ["danube-walk"], "a world that is here comes first")
    assert set(worlds(phone)[:2]) == {"ulm", "danube-walk"}
    wait_until(lambda: "/world/" in phone.page.locator("#look-around").get_attribute("href"), "it leads to the world that is here")
    phone = new_phone(position=STOCKHOLM)
    phone.open()
    phone.page.wait_for_selector(".world-card[data-world]")
    wait_until(lambda: "km" in phone.page.locator('.world-card[data-world="ulm"]').inner_text(), "how far it is")
    assert phone.page.locator("#look-around").get_attribute("href") == "#/around"


def test_worlds_are_found_by_their_names(new_phone):
    phone = new_phone(permissions=())
    phone.open()
    phone.page.wait_for_selector(".world-card[data-world]")
    phone.page.locator("#start-search").fill("muse")
    wait_until(lambda: worlds(phone) == ["museum"], "one is left")
    phone.page.locator("#start-search").fill("nothing is called this")
    wait_until(lambda: worlds(phone) == [], "none is left")
    # Said once places have been looked for, too.
    wait_until(lambda: "another word" in phone.page.locator("#worlds-note").inner_text(), "what to do")


def test_covers_are_pictures_or_drawn_maps(new_phone):
    phone = new_phone(permissions=())
    phone.open()
    phone.page.wait_for_selector('[data-world="museum"] .has-cover img')
    phone.page.wait_for_selector('[data-world="ulm"] .has-cover svg')
    assert phone.page.locator('[data-world="ulm"] .has-cover circle').count() == 28
    phone.wait("[...document.querySelectorAll('.has-cover img')].every((image) => image.complete && image.naturalWidth > 0)")


def test_what_was_opened_is_offered_again_and_marked(new_phone):
    phone = new_phone(position=ULM)
    phone.point(0)
    for world in ("ulm", "danube-walk"):
        phone.open(f"/world/{world}?view=list")
        phone.page.wait_for_selector("#list .row")
    phone.open("/")
    phone.page.wait_for_selector(".world-card.last")
    assert phone.page.locator(".world-card.last .world-title").all_inner_texts() == ["Danube walk", "Ulm"]
    phone.page.wait_for_selector('.world-card[data-world="ulm"]')
    assert "visited" in phone.page.locator('.world-card[data-world="ulm"]').inner_text()
    assert "visited" not in phone.page.locator('.world-card[data-world="museum"]').inner_text()


def test_every_card_can_be_read_on_a_narrow_phone_with_large_text(new_phone):
    phone = new_phone(screen=(320, 568), permissions=())
    phone.open()
    phone.page.wait_for_selector(".world-card[data-world]")
    headings = set()
    for size, language in itertools.product(("100%", "200%"), LANGUAGES):
        speak(phone.page, language)
        phone.page.wait_for_selector(".world-card[data-world]")
        phone.page.evaluate("document.querySelector('#start-makers').open = true")
        headings.add(phone.page.locator("#start h1, #start h2").first.inner_text())
        phone.page.evaluate("(size) => document.documentElement.style.setProperty('font-size', size)", size)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320, (size, language, wide(phone))
        cut = phone.page.evaluate("""() => [...document.querySelectorAll('#start .world-title, #start .world-summary, #start .world-facts, #start h1, #start h2, #start .button span')]
          .filter((e) => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' || getComputedStyle(e).textOverflow === 'ellipsis' || e.scrollHeight > e.clientHeight + 2 && getComputedStyle(e).overflow === 'hidden'))
          .map((e) => e.textContent)""")
        assert cut == [], (size, language)
    assert len(headings) == len(LANGUAGES), headings


def test_a_desktop_says_when_no_phone_can_open_it(new_phone):
    desktop = new_phone(screen=(1440, 900), mobile=False, sensors=False, picture=None, permissions=(), scale=1)
    desktop.open()
    desktop.page.wait_for_selector(".start-phone .local-only:visible")
    assert desktop.page.locator(".start-phone .qr").count() == 0


def test_the_loop_rests_with_reduced_motion_and_comes_after_the_page(new_phone):
    phone = new_phone(reduced_motion="reduce", permissions=())
    phone.open()
    phone.page.wait_for_selector(".loop-world")
    assert phone.page.evaluate("getComputedStyle(document.querySelector('.loop-world')).animationName") == "none"
    preloaded = phone.page.evaluate("[...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.href)")
    assert not [url for url in preloaded if "adorn" in url or "qr.js" in url or "app/around/" in url]


def test_the_demonstrations_names_are_for_people(new_phone):
    phone = new_phone(permissions=())
    phone.open("/world/danube-walk?view=list")
    phone.page.wait_for_selector("#list .row")
    names = phone.page.locator("#list .row-name").all_inner_texts()
    assert "Minster" in names and not [name for name in names if name.split("-")[0].isdigit()], names
    phone.open("/world/ulm?view=list")
    phone.page.wait_for_selector('#list .row:has-text("Stadthaus")')
    phone.page.locator('#list .row:has-text("Stadthaus")').tap()
    phone.page.wait_for_selector("#card:visible")
    assert "height" not in phone.page.locator("#card dt").all_inner_texts(), "no raw key"
