"""What the studio's forms offer and warn of."""
import pathlib

import pytest
from support.studio import PASSWORD, add_place, author, desk, new_world, saved  # noqa: F401 - fixtures

MODEL = pathlib.Path(__file__).parents[2] / "WebClient" / "models" / "windmill.glb"


@pytest.fixture
def place(desk):  # noqa: F811
    phone = desk()
    new_world(phone, "Forms")
    add_place(phone, "Mill", 48.4, 10.0)
    return phone


def test_files_are_offered_for_the_look_that_has_one(place):
    page = place.page
    assert not page.locator("#look-picture").is_visible() and not page.locator("#look-model").is_visible()
    with page.expect_file_chooser() as chooser:
        page.select_option("#look-kind", "model")
    chooser.value.set_files(MODEL)
    page.locator("#look-model").wait_for()
    assert not page.locator("#look-picture").is_visible()
    # How it stands at a place.
    assert "true size" in page.locator("#look-model-note").inner_text()
    # What was chosen has a name and a size, and can be taken away.
    assert page.locator(".file-item:has-text('windmill.glb') .file-size").inner_text().endswith("kB")
    page.get_by_role("button", name="Remove windmill.glb").click()
    page.locator("#place-label").wait_for()
    assert page.locator("#look-kind").input_value() == "text"
    saved(place)


def test_an_address_that_only_this_machine_opens_is_handed_out_with_a_warning(place):
    page = place.page
    saved(place)
    page.click("#studio-publish")
    page.click("#publish-now")
    page.locator("#publish-code").wait_for()
    assert page.locator("#publish-address").input_value().startswith("http://127.0.0.1")
    page.locator("#publish-dialog .local-only").wait_for()


def test_what_destroys_something_looks_so(place):
    page = place.page

    def color(selector):
        return page.locator(selector).evaluate("e => getComputedStyle(e).color")

    red = page.evaluate("() => { const e = document.createElement('i'); e.style.color = 'var(--bad)'; document.body.append(e);"
                        " const c = getComputedStyle(e).color; e.remove(); return c; }")
    assert color("#place-remove") == red
    saved(place)
    page.click("#studio-publish")
    page.click("#publish-now")
    page.locator("#publish-withdraw").wait_for()
    assert color("#publish-withdraw") == red and color("#publish-now") != red


def test_taking_over_is_explained_to_those_who_can(desk, server):  # noqa: F811
    server.add_account("warden", PASSWORD, "operator")
    for name, is_offered in (("warden", True), ("astrid", False)):
        page = desk(name).page
        page.goto(server.url + "/#/studio")
        page.click("#studio-copy")
        page.locator("#copy-dialog li").first.wait_for()
        assert (page.locator("#adopt-text").count() == 1) == is_offered
        assert (page.get_by_role("button", name="Take over").count() > 0) == is_offered
        if is_offered:
            assert "stays under its address" in page.locator("#adopt-text").inner_text()
