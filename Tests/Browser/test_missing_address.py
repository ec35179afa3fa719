"""An address that leads to nothing, as a browser opens it."""
import pytest


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_unknown_address_is_a_page_that_leads_to_the_start(new_phone, scheme, output):
    phone = new_phone(screen=(320, 568), locale="de-DE", color_scheme=scheme)
    phone.expect("status of 404")
    page = phone.page
    answer = page.goto(phone.server.url + "/stadtrundgang/ulm-mit-einem-sehr-langen-namen-ohne-ende-und-ohne-umbruch")
    assert answer.status == 404 and answer.headers["content-type"].startswith("text/html")
    assert page.evaluate("() => document.documentElement.lang") == "de"
    assert page.locator("h1").inner_text() == "Diese Seite gibt es nicht"
    assert "/stadtrundgang/ulm" in page.locator(".missing-text").inner_text()
    assert page.evaluate("() => document.scripts.length") == 0
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    # In the look of the page: its style sheets have come, and what is written can be read.
    contrast = page.evaluate("""() => {
      const light = (rgb) => rgb.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const of = (selector, back) => {
        const [a, b] = [light(getComputedStyle(document.querySelector(selector)).color), light(getComputedStyle(document.querySelector(back)).backgroundColor)];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      };
      return [of('.missing-text', 'body'), of('h1', 'body'), of('.button', '.button')];
    }""")
    button = page.locator(".button")
    assert button.bounding_box()["height"] >= 44 and page.evaluate("() => getComputedStyle(document.querySelector('.button')).backgroundColor") != "rgba(0, 0, 0, 0)"
    assert all(ratio > 4.5 for ratio in contrast), contrast
    page.screenshot(path=output / f"missing-{scheme}.png")
    button.click()
    page.wait_for_selector("#worlds")


def test_a_typed_address_needs_no_sign(new_phone):
    phone = new_phone()
    phone.page.goto(phone.server.url + "/posters")
    phone.page.wait_for_selector("#posters-own-file", state="attached")
    assert phone.page.url.endswith("/#/posters")
