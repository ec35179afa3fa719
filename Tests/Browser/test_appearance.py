"""One look for the page: what is dark and what is light, and parts that look like what they are."""
import pytest

# Relative luminances and their contrast as WCAG 2 defines them, of opaque colours.
CONTRAST = """(selector) => {
  const colour = (text) => {
    const context = document.createElement('canvas').getContext('2d');
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  };
  const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const element = document.querySelector(selector);
  let ground = element;
  while (/, 0\\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  const [a, b] = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor].map((text) => light(colour(text)));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
SAY = """async () => {
  const main = [...document.scripts].find((one) => one.src.includes('/app/main.js')).src;
  const { toast } = await import(new URL('ui/toast.js', main).href);
  toast('There is no network', { kind: 'warning', action: { text: 'Again', run: () => undefined } });
}"""
SCHEME = "getComputedStyle(document.documentElement).colorScheme"


@pytest.mark.parametrize("hash, expected", [
    ("", "light"), ("/tours", "light"), ("/account", "light"), ("/posters", "light"),
    ("/world/ulm?virtual=1", "dark"), ("/world/ulm?virtual=1&view=map", "dark"), ("/world/ulm?virtual=1&view=list", "dark"),
], ids=["start", "tours", "account", "posters", "view", "map", "list"])
def test_what_is_reached_from_the_view_is_dark_and_the_rest_follows_the_phone(new_phone, hash, expected):
    phone = new_phone(color_scheme="light")
    phone.open(hash)
    assert phone.page.evaluate(SCHEME) == expected


def test_the_readers_choice_goes_before_the_phones_and_is_kept(new_phone):
    phone = new_phone(color_scheme="dark")
    phone.open()
    assert phone.page.evaluate(SCHEME) == "dark"
    phone.page.evaluate("localStorage.setItem('sightline.theme', '\"light\"')")
    phone.page.reload()
    phone.wait(f"{SCHEME} === 'light'")
    phone.open("/world/ulm?virtual=1&view=list")
    assert phone.page.evaluate(SCHEME) == "light"
    phone.open("/world/ulm?virtual=1")
    phone.wait(f"{SCHEME} === 'dark'")


def test_a_message_can_be_read_and_closed_in_the_light(new_phone):
    phone = new_phone(color_scheme="light")
    phone.open()
    phone.page.evaluate(SAY)
    for part in (".toast-text", ".toast > .round", ".toast-action"):
        assert phone.page.evaluate(CONTRAST, f"#toasts {part}") >= 4.5, part


@pytest.mark.parametrize("screen", [(390, 844), (320, 568)])
@pytest.mark.parametrize("hash, drawn", [("/world/ulm?virtual=1&view=map", "#map .map-pin, #map .map-group")])
def test_messages_leave_the_buttons_of_a_map_alone(new_phone, screen, hash, drawn):
    phone = new_phone(screen=screen)
    phone.open(hash)
    phone.page.wait_for_selector(drawn)
    phone.page.evaluate(SAY)
    boxes = lambda selector: [one.bounding_box() for one in phone.page.locator(selector).all()]  # noqa: E731
    for message in boxes("#toasts .toast"):
        assert message["width"] > 200, message
        for other in boxes("#map [data-control]"):
            apart = (message["x"] + message["width"] <= other["x"] or message["y"] >= other["y"] + other["height"]
                     or message["y"] + message["height"] <= other["y"])
            assert apart, (message, other)


# Of words over the camera, whatever it sees: what is behind them as if over white, and as if over black.
OVER_CAMERA = CONTRAST.replace("context.fillStyle = text;", "context.fillStyle = behind; context.fillRect(0, 0, 1, 1); context.fillStyle = text;") \
    .replace("(selector) =>", "([selector, behind]) =>")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("hash, title", [("/scan", ".scan-bar h1"), ("/markers", ".markers-bar h1"), ("/posters/try/letterpress", ".posters-head h1")],
                         ids=["scan", "markers", "wall"])
def test_a_title_is_read_over_whatever_the_camera_sees(new_phone, hash, title, scheme):
    phone = new_phone(color_scheme=scheme)
    phone.expect("GPU stall due to ReadPixels")
    phone.open(hash, wait=False)
    phone.page.wait_for_selector(title)
    for behind in ("#fff", "#000"):
        assert phone.page.evaluate(OVER_CAMERA, [title, behind]) >= 4.5, behind
        # A button that is on shows its sign, too.
        if hash == "/scan":
            assert phone.page.locator("#scan-sound").get_attribute("aria-pressed") == "true"
            assert phone.page.evaluate(OVER_CAMERA, ["#scan-sound", behind]) >= 4.5, behind


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_button_that_is_off_looks_off_on_every_page(new_phone, scheme):
    phone = new_phone(color_scheme=scheme)
    phone.open()
    look = phone.page.evaluate("""() => ['button', 'button primary', 'button danger', 'button primary danger'].map((kind) => {
      const make = (disabled) => {
        const button = Object.assign(document.createElement('button'), { className: kind, disabled, textContent: 'Answer' });
        document.querySelector('#start').append(button);
        const { borderStyle, backgroundColor, opacity, cursor } = getComputedStyle(button);
        return { borderStyle, backgroundColor, opacity, cursor };
      };
      return { kind, on: make(false), off: make(true) };
    })""")
    for one in look:
        assert one["off"]["borderStyle"] == "dashed" and one["on"]["borderStyle"] == "solid", one
        assert one["off"]["cursor"] == "not-allowed" and float(one["off"]["opacity"]) < 1, one
    grounds = {one["kind"]: one["on"]["backgroundColor"] for one in look}
    assert grounds["button primary danger"] == "rgb(179, 38, 30)", grounds
