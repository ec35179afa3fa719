"""Posters: the catalogue, a poster's page, what is marked and what is one's own."""
import pytest
from support import walls

MAGENTA = (255, 0, 255)

def test_the_catalogue_is_searched_and_keeps_shapes(new_phone, output):
    phone = new_phone()
    phone.open()
    phone.page.locator('a[href="#/posters"]').tap()
    phone.wait("window.sightline.state().posters?.shown?.length === 10")
    phone.wait("[...document.querySelectorAll('.poster-picture img')].slice(0, 4).every((i) => i.complete && i.naturalWidth > 0)")
    phone.page.screenshot(path=output / "posters-phone.png")
    boxes = phone.page.evaluate("""[...document.querySelectorAll('.poster-card')].map((card) => {
      const b = card.querySelector('.poster-picture').getBoundingClientRect();
      return [card.dataset.poster, b.width / b.height, b.left]; })""")
    shapes = {"school-of-fish": 640 / 905, "harbour": 905 / 640, "nine-by-nine": 1}
    for name, aspect, _ in boxes:
        if name in shapes:
            assert abs(aspect / shapes[name] - 1) < 0.01, (name, aspect)
    assert len({round(left) for _, _, left in boxes}) == 2, "two columns on a phone"
    phone.page.fill("#posters-search", "mara fis")
    phone.wait("JSON.stringify(window.sightline.state().posters.shown) === '[\"school-of-fish\"]'")
    phone.page.fill("#posters-search", "zzz")
    phone.wait("window.sightline.state().posters.shown.length === 0")
    assert phone.page.locator("#posters-status").inner_text()
    phone.page.fill("#posters-search", "")
    phone.wait("window.sightline.state().posters.shown.length === 10")
    phone.page.locator('[data-category="Space"]').tap()
    phone.wait("JSON.stringify(window.sightline.state().posters.shown) === '[\"planets\"]'")


def test_a_poster_has_a_page_and_marks_stay_on_the_device(new_phone, output):
    phone = new_phone()
    phone.open("/posters")
    phone.page.locator('[data-heart="letterpress"]').tap()
    phone.page.locator('[data-poster="letterpress"] a').tap()
    phone.page.locator("#poster-try").wait_for()
    words = phone.page.locator(".poster-detail").inner_text()
    assert "Letterpress" in words and "Atelier Wolke" in words and "€26.00" in words and "A1" in words
    phone.wait("document.querySelector('.poster-large img').complete")
    assert phone.page.locator('[data-heart="letterpress"] use').first.get_attribute("href").endswith("#heart-full"), "a mark is seen"
    phone.page.screenshot(path=output / "poster-page.png")
    phone.page.locator("#poster-shop").tap()
    assert "shop.example.org" in phone.page.locator("#leave").inner_text()
    phone.page.locator("#leave-stay").tap()
    phone.page.reload()
    phone.wait("Boolean(window.sightline?.ready)")
    phone.page.locator("#posters-marked").tap()
    phone.wait("JSON.stringify(window.sightline.state().posters.shown) === '[\"letterpress\"]'")
    phone.page.locator('[data-heart="letterpress"]').tap()
    phone.wait("window.sightline.state().posters.shown.length === 0")


# How far the sign on a button stands out from it, over a picture that is white or black.
HEART = """([selector, picture]) => {
  const colour = (text) => {
    const context = document.createElement('canvas').getContext('2d');
    context.fillStyle = picture;
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  };
  const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const style = getComputedStyle(document.querySelector(selector));
  const [a, b] = [light(colour(style.color)), light(colour(style.backgroundColor))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_heart_is_seen_on_posters_of_any_colour(new_phone, scheme):
    phone = new_phone(color_scheme=scheme)
    phone.open("/posters")
    heart = '[data-heart="letterpress"]'
    for pressed in ("false", "true"):
        assert phone.page.locator(heart).get_attribute("aria-pressed") == pressed
        for picture in ("#fff", "#000", "#888"):
            assert phone.page.evaluate(HEART, [heart, picture]) >= 3, (pressed, picture)
        phone.page.locator(heart).tap()
    box = phone.page.locator(heart).bounding_box()
    beside = phone.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('[data-heart]')?.dataset.heart",
                                 [box["x"] - 3, box["y"] + box["height"] / 2])
    assert beside == "letterpress", "what a finger hits is larger than what is seen"


def test_the_catalogue_on_a_desktop(new_phone, output):
    phone = new_phone(screen=(1280, 800), mobile=False, scale=1)
    phone.open("/posters")
    phone.wait("window.sightline.state().posters?.shown?.length === 10")
    phone.wait("[...document.querySelectorAll('.poster-picture img')].every((i) => i.complete && i.naturalWidth > 0)")
    phone.page.screenshot(path=output / "posters-desktop.png")
    assert phone.page.evaluate("document.querySelectorAll('.waterfall-column').length") >= 4
    phone.page.locator('[data-poster="harbour"] a').click()
    phone.page.locator("#poster-try").wait_for()
    phone.wait("document.querySelector('.poster-large img').complete")
    phone.page.screenshot(path=output / "poster-desktop.png")


def test_a_picture_of_ones_own_is_never_sent_and_stays(new_phone):
    phone = new_phone()
    sent = []
    phone.page.on("request", lambda request: sent.append(request.method + " " + request.url) if request.method != "GET" else None)
    phone.open("/posters")
    phone.page.locator("#posters-own-file").set_input_files(
        {"name": "My picture.png", "mimeType": "image/png", "buffer": walls.plain_png(300, 200, MAGENTA)})
    phone.page.locator("#poster-title", has_text="My picture").wait_for()
    assert "30 × 20" in phone.page.locator(".poster-sizes").inner_text()
    phone.page.locator("#posters-back").tap()
    phone.wait("window.sightline?.state?.().posters?.shown?.[0] === 'own-1'")
    phone.page.locator("#posters-own-file").set_input_files({"name": "x.png", "mimeType": "image/png", "buffer": b"no picture"})
    phone.page.locator("#posters-status", has_text="JPEG").wait_for()
    # It is still there when the page is loaded anew, and at its own address.
    phone.page.reload()
    phone.wait("window.sightline?.state?.().posters?.shown?.[0] === 'own-1'")
    phone.wait("document.querySelector('[data-poster=own-1] img').naturalWidth === 300")
    phone.page.locator('[data-heart="own-1"]').tap()
    phone.page.locator('[data-poster="own-1"] a').tap()
    phone.page.locator("#poster-title", has_text="My picture").wait_for()
    phone.page.reload()
    phone.page.locator("#poster-title", has_text="My picture").wait_for()
    # Once more asked: there is no other copy.
    phone.page.locator("#poster-remove").tap()
    phone.page.locator("#confirm-no").tap()
    phone.page.locator("#poster-remove").tap()
    phone.page.locator("#confirm-yes").tap()
    phone.wait("window.sightline?.state?.().posters?.shown?.[0] === 'school-of-fish' || window.sightline?.state?.().posters?.shown?.length === 10")
    assert "own-1" not in phone.state()["posters"]["shown"]
    phone.page.locator("#posters-marked").tap()
    phone.wait("window.sightline?.state?.().posters?.shown?.length === 0")
    phone.page.reload()
    phone.wait("window.sightline?.state?.().posters?.shown?.length === 0")
    assert sent == []
