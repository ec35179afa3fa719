"""`/#/design`: the page that shows every shared part, for whoever changes how the pages look."""
import itertools

import pytest

from support.languages import LANGUAGES, speak
from test_axe import AXE, SERIOUS


def opened(new_phone, **options):
    phone = new_phone(permissions=(), sensors=False, picture=None, **options)
    phone.open("/design")
    phone.page.wait_for_selector("#design-page .search-field input")
    phone.page.wait_for_timeout(300)
    return phone


def test_it_shows_the_parts_that_pages_share(new_phone):
    """Every class of the shared controls, every token, every level of labels: what is added to the one is seen in the other."""
    phone = opened(new_phone)
    page = phone.page
    tokens = page.evaluate("""() => [...document.styleSheets].filter((s) => s.href.endsWith('/tokens.css')).flatMap((s) => [...s.cssRules])
      .flatMap((r) => r.style ? [...r.style] : []).filter((n) => n.startsWith('--') && !/^--(font|safe)/.test(n))""")
    shown = page.evaluate("[...document.querySelectorAll('[data-token]')].map((e) => e.dataset.token)")
    assert len(set(tokens)) > 40 and sorted(set(tokens)) == sorted(shown)
    values = page.evaluate("[...document.querySelectorAll('[data-token] small')].map((e) => e.textContent)")
    assert len(values) == len(shown) and "" not in values
    for part in (".button.primary", ".button.danger.primary", ".button:disabled", ".round.glass", ".round[aria-pressed=true]", ".field[aria-invalid]", ".select:disabled",
                 "textarea.field", ".slider", ".segmented", ".file-field .file-item", ".file-field[data-disabled]", ".map-controls .map-zoom", ".map-compass", ".chip[aria-pressed=true]",
                 '.label[data-level="card"]', '.label[data-level="pill"]', '.label[data-level="dot"]', ".label.pictured", ".cluster:not(.open)", ".cluster.open",
                 ".edge-arrow.for-selection", ".design-radar", '.light[data-quality="poor"]', ".sheet-card .card-facts", ".list-rows .row[aria-pressed=true]",
                 '#readiness [data-state="denied"]', ".start-note.bad"):
        assert page.locator(f"#design-page {part}").count() > 0, part
    assert page.evaluate("window.sightline.state().design.length") == page.locator(".design-section").count()
    page.locator("#design-toast").tap()
    page.locator("#toasts .toast.info").wait_for()
    page.locator("#design-warning").tap()
    page.locator("#toasts .toast.warning .toast-action").wait_for()
    page.locator("#design-danger").evaluate("(e) => e.click()")
    page.locator("#confirm .button.danger.primary").wait_for()
    page.keyboard.press("Escape")
    page.locator("#design-open").evaluate("(e) => e.click()")
    page.locator("#design-dialog").wait_for()
    page.keyboard.press("Escape")


def test_it_comes_only_when_it_is_opened(new_phone):
    phone = new_phone(permissions=(), sensors=False)
    phone.open()
    phone.page.wait_for_selector(".loop-world")
    assert phone.page.locator("#start-design").count() == 0
    assert phone.page.evaluate("performance.getEntriesByType('resource').filter((e) => e.name.includes('design')).length") == 0
    phone.page.evaluate("location.hash = '#/design'")
    phone.page.wait_for_selector("#design-page .design-section")
    phone.tap("#design-back")
    phone.page.wait_for_selector("#worlds li")
    assert phone.page.locator("#design-page").count() == 0


def test_nothing_is_wider_than_a_small_phone(new_phone):
    phone = opened(new_phone, screen=(320, 568))
    for size, language in itertools.product(("100%", "200%"), LANGUAGES):
        phone.page.evaluate("location.hash = '#/'")
        phone.page.wait_for_selector("#design-page", state="detached")
        speak(phone.page, language)
        phone.page.evaluate("location.hash = '#/design'")
        phone.page.wait_for_selector("#design-page .search-field input")
        phone.page.evaluate("(size) => document.documentElement.style.setProperty('font-size', size)", size)
        phone.page.wait_for_timeout(100)
        wide = phone.page.evaluate("""() => { const page = document.querySelector('#design-page');
          return page.scrollWidth <= page.clientWidth ? [] : [...page.querySelectorAll('*')]
            .filter((e) => e.getBoundingClientRect().right > 321).slice(0, 8).map((e) => e.className?.baseVal ?? e.className) }""")
        assert wide == [], (size, language)
        assert (phone.page.locator(".design-head h1").inner_text() == "Parts of the pages") == (language == "en"), language


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious(new_phone, scheme):
    phone = opened(new_phone, color_scheme=scheme)
    assert phone.page.evaluate("document.querySelector('#design-page').dataset.scheme") == scheme
    phone.page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
    found = phone.page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    assert [(one["id"], [node["target"] for node in one["nodes"][:4]]) for one in found if one["impact"] in SERIOUS] == []


def test_dark_light_and_without_movement(new_phone):
    phone = opened(new_phone, color_scheme="dark")
    page = phone.page
    ground = "getComputedStyle(document.querySelector('#design-page')).backgroundColor"
    dark = page.evaluate(ground)
    page.locator('#design-scheme [data-value="light"]').tap()
    assert page.evaluate(ground) != dark
    assert "light" in page.evaluate("getComputedStyle(document.querySelector('#design-page')).colorScheme")
    moves = "getComputedStyle(document.querySelector('#design-page .button')).transitionDuration"
    assert page.evaluate(moves) != "0s"
    page.locator("#design-still").check(force=True)
    assert page.evaluate(moves) == "0s"
