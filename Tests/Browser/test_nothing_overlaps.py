"""Nothing that is drawn over the camera's picture lies on, under or beside the screen's edge of anything else."""
from support.phone import wait_until
from support.worlds import EYE


def virtual(new_phone, screen, world="ulm", **options):
    """A virtual phone in a world of the demonstration, which needs no permission and no sensor."""
    phone = new_phone(screen=screen, sensors=False, permissions=(), picture=None, scale=1, **options)
    phone.open(f"/world/{world}?virtual=1")
    phone.wait_ready()
    return phone


def occupied(phone):
    """What the engine was told that covers the view, as sets of edges."""
    return [(r["x"], r["y"], r["x"] + r["width"], r["y"] + r["height"]) for r in phone.state()["occupied"]]


def covers(rectangles, selector, phone):
    box = phone.page.locator(selector).bounding_box()
    return any(left <= box["x"] + 1 and top <= box["y"] + 1 and right >= box["x"] + box["width"] - 1
               and bottom >= box["y"] + box["height"] - 1 for left, top, right, bottom in rectangles)


def test_whatever_covers_the_view_is_in_one_list(new_phone):
    """Bars and the radar from the start; a card and a hint as they come and go, without being asked each frame."""
    phone = virtual(new_phone, (390, 844))
    wait_until(lambda: all(covers(occupied(phone), selector, phone) for selector in ("#topbar", "#radar-box")), "the bars")
    before = len(occupied(phone))
    phone.page.evaluate("""() => {
      const hint = document.createElement('p');
      hint.id = 'a-hint';
      hint.dataset.occupies = '';
      hint.style.cssText = 'position: fixed; left: 50px; top: 200px; width: 100px; height: 30px';
      document.body.append(hint);
    }""")
    wait_until(lambda: (50, 200, 150, 230) in occupied(phone), "something new")
    phone.page.evaluate("document.querySelector('#a-hint').hidden = true")
    wait_until(lambda: len(occupied(phone)) == before, "it is hidden")
