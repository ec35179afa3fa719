"""What the studio's forms offer and warn of."""
import pathlib

import pytest
from support.studio import PASSWORD, add_place, author, desk, new_world, picture, saved, studio  # noqa: F401 - fixtures

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


def change(phone, selector, value):
    """Fills a field in, in whatever part of the form it is."""
    field = phone.page.locator(selector)
    field.evaluate("(e) => { for (let d = e.closest('details'); d; d = d.parentElement.closest('details')) d.open = true; }")
    if field.evaluate("(e) => e.localName") == "select":
        field.select_option(value)
    else:
        field.fill(value)


def fault(phone, selector):
    """What the form says of a field that it does not take; nothing for one that it takes."""
    field = phone.page.locator(selector)
    text = field.evaluate("(e) => e.closest('.form-row').querySelector('.form-fault').textContent")
    assert (field.get_attribute("aria-invalid") == "true") == bool(text), (selector, text)
    return text


def only_place(phone):
    return studio(phone)["dimension"]["places"][0]


def test_what_phones_show_can_be_said_and_what_nobody_could_see_is_not_taken(place, output):
    page = place.page
    # From how near and how far, while what is selected, how large.
    for selector, value in (("#place-radius", "400"), ("#place-from", "20"), ("#place-while", "unselected"), ("#place-together", "mills"),
                            ("#place-factor", "0.5"), ("#place-far", "200"), ("#place-near", "50")):
        change(place, selector, value)
    display = {"visibleFrom": 20, "shownWhile": "unselected", "feature": "mills", "scaling": {"near": 50, "far": 200, "factor": 0.5}}
    assert (only_place(place)["display"], only_place(place)["visibilityRadius"]) == (display, 400)
    for selector, value, words in (("#place-from", "400", "Nobody would see it"), ("#place-radius", "10", "Nobody would see it"),
                                   ("#place-far", "50", "more than near"), ("#place-near", "-1", "from 0.1 to 100,000,000"),
                                   ("#place-latitude", "91", "from -90 to 90")):
        before = only_place(place)
        had = page.locator(selector).input_value()
        change(place, selector, value)
        assert words in fault(place, selector) and only_place(place) == before, selector
        change(place, selector, had)
        assert fault(place, selector) == "", selector
    # A sign of its own in the label.
    page.locator("#sign-picture").set_input_files({"name": "sign.jpg", "mimeType": "image/jpeg", "buffer": picture(page)})
    page.locator("#sign-scale").wait_for(state="attached")
    for selector, value in (("#sign-color", "#ff8000"), ("#sign-scale", "1.2"), ("#sign-heading", "45"), ("#sign-opacity", "60")):
        change(place, selector, value)
    icon = only_place(place)["icon"]
    assert {**icon, "assetID": None} == {"assetID": None, "color": "#ff8000", "scale": 1.2, "heading": 45, "opacity": 0.6}, icon
    # A sound; what is none is not taken.
    place.expect("status of 415")
    page.locator("#place-sound").set_input_files({"name": "bells.wav", "mimeType": "audio/wav", "buffer": b"RIFF\x24\0\0\0WAVEfmt " + bytes(30)})
    page.locator("#place-panel audio").wait_for(state="attached")
    assert only_place(place)["soundURL"].startswith("/assets/")
    page.locator("#place-sound").set_input_files({"name": "words.mp3", "mimeType": "audio/mpeg", "buffer": b"only words"})
    page.locator(".toast", has_text="no picture, model or sound").wait_for()
    # The sound stays what it was.
    assert saved(place)["dimension"]["places"][0]["soundURL"].startswith("/assets/")
    page.locator("#place-while").scroll_into_view_if_needed()
    page.screenshot(path=output / "studio-display.png")


def test_something_goes_along_with_the_user_and_is_tried_so(place, output):
    page = place.page
    change(place, "#place-stands", "user")
    assert page.locator("#place-latitude").count() == 0 and "position" not in only_place(place)
    for selector, value in (("#follow-east", "3"), ("#follow-north", "4"), ("#follow-up", "0.5")):
        change(place, selector, value)
    assert (only_place(place)["offset"], only_place(place)["followsUser"]) == ({"east": 3, "north": 4, "up": 0.5}, True)
    change(place, "#follow-east", "0")
    change(place, "#follow-up", "0")
    change(place, "#follow-north", "0")
    assert "in the eye" in fault(place, "#follow-north") and only_place(place)["offset"]["north"] == 4
    change(place, "#follow-north", "4")
    saved(place)
    page.screenshot(path=output / "studio-follows.png")
    page.click("#studio-preview")
    assert page.locator("#preview-heading").input_value() == "0"
    page.click("#preview-go")
    place.wait_ready()
    place.wait("window.sightline.state().frame?.items === 1")
    page.locator(".label", has_text="Mill").wait_for()
    page.evaluate("() => history.back()")
    page.wait_for_selector("#place-panel")
    change(place, "#place-stands", "map")
    assert "followsUser" not in only_place(place) and only_place(place)["offset"] == {"east": 0, "north": 0, "up": 0}
    assert page.locator("#place-latitude").input_value() != ""


def everything(url):
    """A world that says all there is to say of a place and an overlay, each in a way that goes together."""
    wording = {"de": {"title": "Mühle", "summary": "Alt", "text": "Die Mühle"}}
    common = {"summary": "Old", "altitudeMode": "ground", "offset": {"east": 1, "north": 2, "up": 3}, "pivot": "CC", "showInRadar": False, "showOnFocus": ["o"],
              "categories": ["sights"], "visibilityRadius": 500, "link": url, "imageURL": url + "/a.png", "soundURL": url + "/a.mp3", "phone": "1",
              "translations": wording, "metadata": {"owner": "the town"}, "action": {"kind": "webPage", "url": url},
              "display": {"visibleFrom": 20, "scaling": {"near": 10, "far": 100, "factor": 0.5}, "shownWhile": "selected", "feature": "mills"},
              "icon": {"assetID": "f", "color": "#ff0000", "opacity": 0.5, "scale": 2, "heading": 45}}
    position = {"latitude": 48.4, "longitude": 9.99, "altitude": 12}
    model = {"kind": "model", "assetID": "f", "xRotation": 1, "yRotation": 2, "zRotation": 3, "scale": 4}
    looks = [{"position": position, "visual": model, "size": {"height": 3}, "attitude": {"heading": 90, "pitch": 10, "roll": 20}},
             {"followsUser": True, "visual": {"kind": "image", "assetID": "f"}, "size": {"width": 2, "height": 3}, "attitude": {"heading": 90}},
             {"position": position, "visual": model, "marker": {"dictionary": "6x6-250", "id": 7, "length": 0.1, "facing": 90, "tilt": 10, "roll": 5}},
             {"position": position, "visual": {"kind": "text", "text": "Sign"}, "target": {"assetID": "f", "width": 0.4}},
             {"position": position, "visual": {"kind": "text", "text": "Park"}, "shapeStyle": {"stroke": "#102030", "strokeOpacity": 0.5, "width": 3, "fill": "#405060", "fillOpacity": 0.25},
              "shapes": [{"kind": "area", "parts": [[[9.99, 48.4, 5], [9.991, 48.4], [9.99, 48.401], [9.99, 48.4, 5]], [[9.9901, 48.4001], [9.9902, 48.4001], [9.9901, 48.4002]]]}]}]
    return {"name": "All", "language": "en", "translations": wording, "summary": "About", "attribution": "The town", "radarRange": 900, "radarAvailable": False,
            "relativeAltitude": True, "refreshURL": url + "/w", "refreshIntervalSeconds": 60, "refreshDistance": 20, "soundURL": url + "/w.mp3",
            "assets": [{"id": "f", "url": url + "/f.png", "format": "PNG"}],
            "places": [{"id": f"p{number}", "title": f"Place {number}", **common, **look} for number, look in enumerate(looks)],
            "overlays": [{"id": "o", "x": 1, "y": 2, "anchor": "BR", "pivot": "CC", "hidden": True, "action": {"kind": "refresh"}, "translations": wording,
                          "content": {"kind": "html", "url": url, "width": 100, "height": 50}}]}


def test_nothing_of_a_world_is_lost_by_working_on_it(desk):  # noqa: F811
    phone = desk()
    # The files are not there; the forms show what they can.
    phone.expect("Failed to load resource", "status of 502")
    page = phone.page
    world = new_world(phone, "All")
    given = everything("https://nowhere.invalid")
    answer = page.evaluate("""async ([world, dimension]) => {
        const { csrf } = await (await fetch('/api/v1/session')).json();
        const answer = await fetch(`/api/v1/studio/worlds/${world}`, { method: 'PUT', body: JSON.stringify(dimension),
            headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, 'if-match': '"v1"' } });
        return [answer.status, await answer.text()];
    }""", [world, given])
    assert answer[0] == 200, answer
    page.reload()
    page.wait_for_selector("#place-list .place-item")
    expected = studio(phone)["dimension"]
    assert expected == given
    # Each thing is opened, and one word of it changed.
    for number, place in enumerate(expected["places"]):
        page.click(f'#place-list [data-place="{place["id"]}"]')
        page.fill("#place-summary", f"New {number}")
        place["summary"] = f"New {number}"
        if "shapes" in place:
            change(phone, "#shape-color", "#00ff00")
            place["shapeStyle"]["stroke"] = "#00ff00"
        if number == 0:
            change(phone, "#place-from", "30")
            place["display"]["visibleFrom"] = 30
            change(phone, "#place-pitch", "15")
            place["attitude"]["pitch"] = 15
        if "marker" in place:
            change(phone, "#marker-facing", "80")
            place["marker"]["facing"] = 80
        page.click("#place-panel .panel-head button")
    page.click("#tab-overlays")
    page.locator("#phone-canvas [data-overlay]").click()
    change(phone, "#overlay-x", "12")
    expected["overlays"][0]["x"] = 12
    page.click("#tab-world")
    page.fill("#world-title-field", "All of it")
    expected["name"] = "All of it"
    saved(phone)
    page.reload()
    page.wait_for_selector("#place-list .place-item")
    assert studio(phone)["dimension"] == expected
