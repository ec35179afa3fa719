"""Worlds whose places stand on flat pictures that hang on the wall."""
from support.walls import picture, pose, script, view
from test_poster_wall import FISH, expected_quad, on_screen, wall_phone


def test_a_world_stands_on_a_printed_picture(new_phone, output):
    page = {**FISH, "width": 0.297, "height": 0.42}
    phone = wall_phone(new_phone, [page])
    phone.point(0)
    phone.open("/world/picture-wall")
    phone.page.locator("#start-ar").tap()
    phone.wait("window.wallCamera.calls > 0")
    for number, place in enumerate([{"distance": 0.7}, {"distance": 0.9, "turn": 20, "spin": 5}]):
        seen = view(**place)
        pose(phone, seen)
        label = phone.page.locator('.anchor-label[data-anchored="fish-text"]')
        label.wait_for(state="visible")
        corners = [on_screen(phone, point) for point in expected_quad(seen, 0, 0, 0.297, 0.42)]
        x, y = sum(x for x, _ in corners) / 4, min(y for _, y in corners)
        phone.wait("""([x, y]) => { const l = document.querySelector('.anchor-label[data-anchored="fish-text"]');
          return !l.hidden && Math.hypot(Number(l.dataset.x) - x, Number(l.dataset.y) - y) < 4; }""", arg=[x, y])
        phone.wait("(window.sightline.state().markers?.shown ?? []).some((m) => m.key === 'Fish' && m.isDrawn && m.isLoaded)")
        phone.page.wait_for_timeout(200)
        phone.page.screenshot(path=output / f"picture-world-{number}.png")
    label.tap()
    phone.page.wait_for_selector("#card:not([hidden])")


def test_a_museum_shows_what_its_painting_sign_and_page_have(new_phone, output):
    painting = {"x": -0.3, "y": 0.1, "width": 0.36, "height": 0.27, "image": picture("regatta", "museum")}
    page = {"x": 0.3, "y": 0.0, "width": 0.21, "height": 0.28, "image": picture("magazine-page", "museum")}
    phone = new_phone(picture=None, scripts=[script([painting, page])], scale=1)
    phone.expect("GPU stall due to ReadPixels")
    phone.point(0)
    phone.open("/world/museum")
    phone.page.locator("#start-ar").tap()
    phone.wait("window.wallCamera.calls > 0")
    pose(phone, view(x=-0.3, y=0.1, distance=0.6, turn=10))
    for marker in ("painting-title", "painting-sails"):
        phone.page.locator(f'.anchor-label[data-anchored="{marker}"]').wait_for(state="visible")
    phone.wait("(window.sightline.state().markers?.shown ?? []).some((m) => m.key === 'Barge' && m.isDrawn && m.isLoaded)")
    phone.page.wait_for_timeout(200)
    phone.page.screenshot(path=output / "museum-painting.png")
    pose(phone, view(x=0.3, distance=0.5, tilt=-25))
    phone.page.locator('.anchor-label[data-anchored="page-text"]').wait_for(state="visible")
    phone.wait("(window.sightline.state().markers?.shown ?? []).some((m) => m.key === 'Mill' && m.isDrawn && m.isLoaded)")
    phone.page.wait_for_timeout(200)
    phone.page.screenshot(path=output / "museum-page.png")
