"""The catalogue from the other side: authors bring in posters, change them and take them out again."""
from support.studio import PASSWORD, author, desk, picture  # noqa: F401


def test_an_author_brings_in_a_poster_changes_it_and_removes_it(desk, server, output):
    phone = desk()
    page = phone.page
    page.click("#studio-posters")
    page.click("#desk-new")
    page.fill("#desk-title", "Blue hour")
    page.click("#desk-save")
    phone.wait("() => document.querySelector('.desk-form .form-message').textContent.length > 10")
    with page.expect_file_chooser() as chooser:
        page.click("#desk-picture")
    chooser.value.set_files({"name": "blue.jpg", "mimeType": "image/jpeg", "buffer": picture(page)})
    # Turned as the camera noted.
    phone.wait("() => { const i = document.querySelector('.desk-look img'); return i?.naturalWidth === 480 && i.naturalHeight === 640; }")
    page.fill("#desk-artist", "Astrid")
    page.fill("#desk-text", "Two lines\nof text")
    page.fill("#desk-categories", "Sea, Evening")
    size = page.locator('[data-size="0"]')
    size.get_by_label("Name").fill("")
    size.get_by_label("Width, cm").fill("30")
    size.get_by_label("Height, cm").fill("40")
    size.get_by_label("Price").fill("24,90")
    page.click("#desk-add-size")
    other = page.locator('[data-size="1"]')
    other.get_by_label("Width, cm").fill("60")
    other.get_by_label("Height, cm").fill("80")
    page.fill("#desk-shop", "ftp://shop.example.org/")
    page.screenshot(path=output / "poster-desk-form.png")
    page.click("#desk-save")
    phone.wait("() => document.querySelector('.desk-form .form-message').textContent.includes('https://')")
    page.fill("#desk-shop", "https://shop.example.org/blue-hour")
    page.click("#desk-save")
    page.locator("#poster-title", has_text="Blue hour").wait_for()
    words = page.locator(".poster-detail").inner_text()
    assert "30 × 40 cm" in words and "€24.90" in words and "Astrid" in words, words
    page.click("#posters-back")
    phone.wait("() => window.sightline.state().posters.shown?.[0] === 'blue-hour'")
    assert page.locator('[data-category="Evening"]').count() == 1

    # Changed here and, meanwhile, in another window: one is told, and chooses.
    page.goto(server.url + "/#/posters/edit/blue-hour")
    page.wait_for_selector("#desk-title")
    page.evaluate("""async () => {
        const { csrf } = await (await fetch('/api/v1/session')).json();
        const opened = await fetch('/api/v1/studio/posters/blue-hour');
        const { poster } = await opened.json();
        const answer = await fetch('/api/v1/posters/blue-hour', { method: 'PUT', body: JSON.stringify({ ...poster, title: 'Theirs' }),
          headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, 'if-match': opened.headers.get('etag') } });
        if (!answer.ok) throw new Error(await answer.text());
    }""")
    phone.expect("status of 412")
    page.fill("#desk-title", "Mine")
    page.click("#desk-save")
    page.wait_for_selector("#desk-conflict")
    assert "Theirs" in page.locator("#desk-conflict").inner_text()
    page.click("#desk-theirs")
    phone.wait("() => document.querySelector('#desk-title').value === 'Theirs'")
    page.fill("#desk-title", "Both")
    page.click("#desk-save")
    page.locator("#poster-title", has_text="Both").wait_for()

    page.goto(server.url + "/#/posters/mine")
    page.wait_for_selector('[data-desk="blue-hour"]')
    page.screenshot(path=output / "poster-desk-list.png")
    page.click('[data-desk="blue-hour"]')
    page.click("#desk-remove")
    page.click("#confirm-yes")
    phone.wait("() => JSON.stringify(window.sightline.state().posters.listed) === '[]'")
    page.click("#posters-back")
    phone.wait("() => window.sightline.state().posters.shown?.length === 10")


def test_who_is_not_signed_in_is_asked_first_on_a_phone(new_phone, server, author, output):
    phone = new_phone()
    phone.expect("status of 401")
    page = phone.page
    page.goto(server.url + "/#/posters/new")
    page.wait_for_selector("#account-name")
    page.fill("#account-name", author)
    page.fill("#account-password", PASSWORD)
    page.click("#account-sign-in")
    page.wait_for_selector("#desk-title")
    page.screenshot(path=output / "poster-desk-phone.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
