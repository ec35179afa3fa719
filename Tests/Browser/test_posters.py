"""Posters: the catalogue, a poster's page, what is marked and what is one's own."""
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
    phone.page.locator("#poster-remove").tap()
    phone.wait("window.sightline?.state?.().posters?.shown?.[0] === 'school-of-fish' || window.sightline?.state?.().posters?.shown?.length === 10")
    assert "own-1" not in phone.state()["posters"]["shown"]
    phone.page.locator("#posters-marked").tap()
    phone.wait("window.sightline?.state?.().posters?.shown?.length === 0")
    phone.page.reload()
    phone.wait("window.sightline?.state?.().posters?.shown?.length === 0")
    assert sent == []
