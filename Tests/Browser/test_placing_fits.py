"""The pages that set things down and that record sensors: in all languages on the smallest phone, upright and on its side, and with text of twice the
size, nothing is cut, nothing lies over anything else; axe finds nothing serious, dark and light."""
import pytest
from support.languages import LANGUAGES, speak
from test_axe import Screens
from test_text_size import FAULTS, SMALL, Walk

# The browser offers the phone's own tracking, and a camera that was let go of can be had again.
PLATFORM = """
Object.defineProperty(navigator, 'xr', { value: { isSessionSupported: async () => true } });
window.XRWebGLLayer ??= class {}; window.XRRay ??= class {};
const camera = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wanted) => (await camera(wanted)).clone();
"""
# What lies over what, or beyond the screen, of the page's own parts.
OVER = """(parts) => {
  const boxes = parts.flatMap((part) => [...document.querySelectorAll(part)]).filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => ({ name: e.id || e.className, box: e.getBoundingClientRect() })).filter(({ box }) => box.width > 1 && box.height > 1);
  const faults = boxes.filter(({ box }) => box.top < -1 || box.bottom > innerHeight + 1)
    .map(({ name, box }) => `${name}: from ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${innerHeight}`);
  boxes.forEach((a, k) => boxes.slice(k + 1).forEach((b) => {
    const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (wide > 1 && high > 1) faults.push(`${a.name} and ${b.name} overlap by ${Math.round(wide)} x ${Math.round(high)}`);
  }));
  return faults;
}"""
PARTS = {
    "place": [".place-page .markers-bar > *", "#place-scale", "#place-status", "#place-tools > *", ".place-controls"],
    "record-sensors": [".sensors-page .markers-bar > *", ".sensors-panel"],
}
# The recorder's scrolls below its bar where the text is large.
GATES = {"place": [".place-gate > *"], "record-sensors": [".sensors-page .markers-bar > *", ".place-gate"]}
PAGES = {"place": ("#place-page", "#place-start"), "record-sensors": ("#sensors-page", "#sensors-start")}
# As wide as it gets: the words of every advice, and a thing that is chosen.
LONGEST = """(keys) => Promise.all([...document.scripts].map((one) => one.src).filter((src) => src.includes('/app/main.js')).map(async (main) => {
  const { t } = await import(new URL('core/i18n.js', main).href);
  const longest = keys.map((key) => t(key)).sort((a, b) => b.length - a.length)[0];
  const words = document.querySelector('#place-status > span');
  words.textContent = longest;
  if (!words.nextElementSibling) words.after(' ', Object.assign(document.createElement('button'), { className: 'button', textContent: t('place.takeAway') }));
  words.nextElementSibling.textContent = t('place.takeAway');
  const scale = document.querySelector('#place-scale');
  scale.hidden = false;
  const tools = document.querySelector('#place-tools');
  tools.hidden = false;
  tools.replaceChildren(...[1, 2, 3, 4, 5].map(() => Object.assign(document.createElement('button'), { className: 'round glass', id: `tool`, ariaLabel: 'x' })));
  scale.textContent = `${t('place.surface.guessedFloor')}, 10.25 m · ${t('place.platformSize')}`;
}))"""
ADVICE = [f"place.advice.{one}" for one in ("noMotion", "moreLight", "tooFast", "morePattern", "moveSideways", "lookAtFloor")] + [
    "place.lost", "place.hintMove", "place.platformLost", "place.platformStarting"]


class Look(Walk):
    """The same in a loop over sizes: small, on its side, and larger with text of twice the size."""

    def look(self, what, parts=()):
        for screen, size in ((SMALL, ""), (SMALL[::-1], ""), ((390, 844), "200%")):
            self.page.set_viewport_size(dict(zip(("width", "height"), screen)))
            self.page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
            self.page.wait_for_timeout(80)
            faults = self.page.evaluate(FAULTS) + self.page.evaluate(OVER, list(parts))
            self.found += [f"{self.name}, {screen} {size}, {what}: {fault}" for fault in faults]


@pytest.mark.parametrize("part", PAGES)
def test_it_fits_in_all_languages(new_phone, part, output):
    phone = new_phone(screen=SMALL, scale=1, scripts=[PLATFORM])
    phone.expect("GPU stall due to ReadPixels", "devicemotion")
    page, found = phone.page, []
    ready, start = PAGES[part]
    phone.open(f"/{part}")
    page.wait_for_selector(start)
    for language in LANGUAGES:
        speak(page, language)
        look = Look(phone, f"{part}, {language}")
        look.look("gate", GATES[part])
        found += look.found
    page.set_viewport_size(dict(zip(("width", "height"), SMALL)))
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.screenshot(path=output / f"fits-{part}-gate.png")
    phone.tap(start)
    phone.wait("document.querySelector('video.markers-video')?.videoWidth > 2")
    for language in LANGUAGES:
        speak(page, language)
        look = Look(phone, f"{part}, {language}")
        if part == "place":
            page.evaluate(LONGEST, ADVICE)
        look.look("running", PARTS[part])
        if part == "place" and language in ("de", "nl"):
            page.locator("#place-menu").evaluate("(e) => e.click()")
            page.wait_for_selector("#place-platform")
            look.look("menu")
            page.locator("#place-platform").evaluate("(e) => e.click()")
            page.wait_for_selector("#platform-dialog")
            look.look("the phone's own tracking")
            look.close()
        found += look.found
        if language in ("de", "nl"):
            page.screenshot(path=output / f"fits-{part}-{language}.png")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious(new_phone, scheme):
    phone = new_phone(color_scheme=scheme, scale=1, scripts=[PLATFORM])
    phone.expect("GPU stall due to ReadPixels")
    screens = Screens(phone)
    for part, (ready, start) in PAGES.items():
        phone.open(f"/{part}")
        phone.page.wait_for_selector(start)
        screens.check(f"{part}, gate")
        phone.tap(start)
        phone.wait("document.querySelector('video.markers-video')?.videoWidth > 2")
        screens.check(f"{part}, running")
    phone.open("/place")
    phone.page.wait_for_selector("#gate-platform")
    screens.press("#gate-platform", "#platform-dialog", "the phone's own tracking")
    assert not screens.found, "\n".join(screens.found)
