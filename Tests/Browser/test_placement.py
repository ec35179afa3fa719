"""Where a known place is drawn: within two CSS pixels of what the tests compute themselves from latitude, longitude,
heading, tilt and field of view."""
import itertools
import math

import pytest
from support import geometry
from support.foreign import gddf, place
from support.phone import SPARING, Phone, wait_until
from support.worlds import EYE, towards

TOLERANCE = 2.0
# From magnetic north: what the sensors say. The declination comes on top, in the page and in the expectation.
HEADINGS = (3.4, 92.7, 181.2, 274.9)
PITCHES = (-20.0, 0.0, 25.0)
HELD = {"portrait": ((390, 844), (720, 1280)), "landscape": ((844, 390), (1280, 720))}
# Degrees from the middle of the picture, to the right and up: near the middle and well out towards a corner.
SPOTS = {"near": (4.0, 3.0), "out": (-11.0, -10.0)}


def around(eye, declination):
    """For each heading and tilt two places that are in the picture then, 300 to 900 m away."""
    places = {}
    for i, heading in enumerate(HEADINGS):
        for j, pitch in enumerate(PITCHES):
            for spot, (right, up) in SPOTS.items():
                away = 300 + 50 * (3 * i + j)
                height = away * math.tan(math.radians(pitch + up))
                places[f"{spot}-{i}-{j}"] = towards(eye, heading + declination + right, away, height)
    return places


def aim(phone, heading, pitch, roll=0.0):
    """Turns the phone and waits until the view has followed and come to rest."""
    axes = phone.point(heading, pitch, roll)
    ahead = tuple(-v for v in axes[2])
    phone.wait(
        """([e, n, u]) => {
          const { frame } = window.sightline.state();
          if (!frame || !frame.isValid) return false;
          const c = Math.cos(frame.pitch);
          const d = [c * Math.sin(frame.bearing), c * Math.cos(frame.bearing), Math.sin(frame.pitch)];
          return d[0] * e + d[1] * n + d[2] * u > Math.cos(0.5 * Math.PI / 180);
        }""", arg=list(ahead))
    phone.settle()
    return axes


def assert_drawn(phone, id, expected):
    """The place's point and, if its label stands on it, the label's foot are where they have to be."""
    labels = phone.labels()
    if id not in labels:
        # A group that stood there a moment ago takes its time to dissolve; its labels go to their places then.
        wait_until(lambda: id in phone.labels(), f"{id} is drawn; it has to be at {expected}")
        phone.settle()
        labels = phone.labels()
    label = labels[id]
    assert math.dist(label["anchor"], expected) <= TOLERANCE, (id, label["anchor"], expected)
    return label


@pytest.fixture(scope="module", params=list(HELD))
def placed(request, browser, server, foreign):
    """A phone held one way in the middle of the places; shared, as nothing in these tests changes it but its pose."""
    screen, picture = HELD[request.param]
    phone = Phone(browser, server, **SPARING, screen=screen, picture=picture)
    places = around(EYE, phone.declination)
    address = foreign.serve(f"/placement-{request.param}.gddf", gddf(
        "Placement", [place(id, id, *position) for id, position in places.items()]))
    phone.open_foreign(address)
    phone.point(0)
    phone.start()
    yield phone, places
    phone.check()
    phone.close()


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("heading", HEADINGS)
def test_places_are_drawn_where_they_are(placed, heading, pitch):
    phone, places = placed
    axes = aim(phone, heading, pitch)
    i, j = HEADINGS.index(heading), PITCHES.index(pitch)
    for spot in SPOTS:
        id = f"{spot}-{i}-{j}"
        expected = phone.expected_point(axes, places[id])
        assert 0 < expected[0] < phone.screen[0] and 0 < expected[1] < phone.screen[1], "the test's own places are off"
        label = assert_drawn(phone, id, expected)
        left, top, width, height = label["box"]
        if not label["lifted"]:
            # A label without a leader stands on its place, or was moved aside by an arrow or a bar so little that it covers it.
            assert abs(left + width / 2 - expected[0]) <= width / 2 + TOLERANCE, (label, expected)
            assert top - TOLERANCE <= expected[1] <= top + height + TOLERANCE, (label, expected)


def test_every_drawn_label_is_in_its_place(placed):
    """Not the aimed-at ones alone: whatever is on the screen."""
    phone, places = placed
    axes = aim(phone, 47.3, 3.0)
    for id, label in phone.labels().items():
        expected = phone.expected_point(axes, places[id])
        assert expected is not None, f"{id} lies behind the camera and is drawn"
        assert math.dist(label["anchor"], expected) <= TOLERANCE, (id, label, expected)


@pytest.mark.parametrize("roll", [-25.0, 40.0])
def test_a_tilted_head_keeps_places(placed, roll):
    phone, places = placed
    # From elsewhere: what was grouped for the pose before counts no more.
    aim(phone, 47.3, 3.0)
    axes = aim(phone, HEADINGS[0], PITCHES[1], roll)
    # Which of them have room depends on the bars; those that do stand where they have to.
    wait_until(lambda: phone.labels(), "something is drawn")
    for id, label in phone.labels().items():
        assert math.dist(label["anchor"], phone.expected_point(axes, places[id])) <= TOLERANCE, (id, label)


EYES = {
    "south": (-33.86, 151.21, 20.0),
    "date line": (-16.8, 179.9995, 5.0),
    "far north": (69.65, 18.96, 10.0),
    "equator": (0.0, -0.0001, 0.0),
}


@pytest.mark.parametrize("where", list(EYES))
def test_elsewhere_on_earth(new_phone, foreign, where):
    eye = EYES[where]
    phone = new_phone(position=eye)
    places = {f"q{k}": towards(eye, 40.0 + phone.declination + 5 * (k - 1), 250 * (k + 1), 25 * k) for k in range(3)}
    address = foreign.serve(f"/elsewhere-{where.replace(' ', '-')}.gddf", gddf(
        "Elsewhere", [place(id, id, *position) for id, position in places.items()]))
    phone.open_foreign(address)
    phone.point(0)
    phone.start()
    axes = aim(phone, 40.0, 2.0)
    for id, position in places.items():
        assert_drawn(phone, id, phone.expected_point(axes, position))


@pytest.mark.parametrize("picture", [(640, 480), (1280, 720), (480, 640), (1000, 1000)])
def test_any_camera_picture_covers_the_screen(new_phone, foreign, picture):
    """A picture of another shape is scaled until it covers the screen and cropped: the view gets narrower."""
    phone = new_phone(picture=picture)
    target = towards(EYE, 10.0 + phone.declination, 500, 20)
    address = foreign.serve("/cover.gddf", gddf("Cover", [place("t", "Target", *target)]))
    phone.open_foreign(address)
    phone.point(0)
    phone.start()
    axes = aim(phone, 8.0, 1.0)
    assert_drawn(phone, "t", phone.expected_point(axes, target))
    # And the picture itself lies where the projection says.
    box = phone.page.evaluate("""() => {
      const v = document.querySelector('#camera'), s = getComputedStyle(v), b = v.getBoundingClientRect();
      return [b.left, b.top, b.width, b.height, s.objectFit, s.objectPosition];
    }""")
    assert box[:4] == [0, 0, *phone.screen] and box[4] == "cover" and box[5] == "50% 50%"


def test_another_field_of_view(new_phone, foreign):
    phone = new_phone()
    target = towards(EYE, 10.0 + phone.declination, 500, 30)
    phone.open_foreign(foreign.serve("/lens.gddf", gddf("Lens", [place("t", "Target", *target)])))
    phone.point(0)
    phone.start()
    phone.tap("#menu")
    phone.tap("#menu-settings")
    phone.page.locator("#field-of-view").fill("50")
    phone.page.keyboard.press("Escape")
    axes = aim(phone, 7.0, 0.0)
    focal = geometry.focal_points(phone.screen, phone.picture, 50.0)
    expected = geometry.project(geometry.east_north_up(EYE, target), axes, phone.screen, focal)
    assert_drawn(phone, "t", expected)


@pytest.mark.parametrize("angle, kind", [(90, "landscapePrimary"), (270, "landscapeSecondary")])
def test_turning_the_phone_on_its_side(new_phone, foreign, angle, kind):
    phone = new_phone()
    target = towards(EYE, 95.0 + phone.declination, 600, 40)
    phone.open_foreign(foreign.serve("/turned.gddf", gddf("Turned", [place("t", "Target", *target)])))
    phone.point(0)
    phone.start()
    axes = aim(phone, 93.0, 0.0)
    assert_drawn(phone, "t", phone.expected_point(axes, target))
    phone.turn((844, 390), angle, kind, (1280, 720))
    axes = aim(phone, 93.0, 0.0)
    assert_drawn(phone, "t", phone.expected_point(axes, target))


def test_walking_moves_the_places(new_phone, foreign):
    phone = new_phone()
    target = towards(EYE, 20.0 + phone.declination, 300, 10)
    phone.open_foreign(foreign.serve("/walk.gddf", gddf("Walk", [place("t", "Target", *target)])))
    phone.point(0)
    phone.start()
    axes = aim(phone, 18.0, 0.0)
    before = assert_drawn(phone, "t", phone.expected_point(axes, target))["anchor"]
    # One fix is believed as far as somebody may have walked since the last; as on a phone, others follow, none like the one before.
    fixes = (towards(EYE, 18.0 + phone.declination + 90, 15.0 + 0.001 * (k % 2)) for k in itertools.count())

    def is_there():
        phone.move(next(fixes))
        phone.page.wait_for_timeout(300)
        return math.dist(phone.labels()["t"]["anchor"], phone.expected_point(axes, target)) <= TOLERANCE / 2

    wait_until(is_there, "the place has moved to where it is from here")
    phone.settle()
    assert math.dist(phone.labels()["t"]["anchor"], before) > 10
    assert_drawn(phone, "t", phone.expected_point(axes, target))


def test_without_an_altitude_places_stand_at_eye_level(new_phone, foreign):
    eye = (EYE[0], EYE[1], None)
    phone = new_phone(position=eye)
    target = towards(EYE, 5.0 + phone.declination, 400, 0)
    phone.open_foreign(foreign.serve("/level.gddf", gddf("Level", [place("t", "Target", *target)])))
    phone.point(0)
    phone.start()
    axes = aim(phone, 3.0, 0.0)
    focal = geometry.focal_points(phone.screen, phone.picture, 65.0)
    expected = geometry.project(geometry.east_north_up(EYE, target), axes, phone.screen, focal)
    assert_drawn(phone, "t", expected)


def test_relative_altitude_follows_the_phone(new_phone, foreign):
    """`relativeAltitude`: the document's heights are measured from the phone, wherever it is."""
    for altitude in (480.0, 1234.0):
        phone = new_phone(position=(EYE[0], EYE[1], altitude))
        where = towards(phone.position, 4.0 + phone.declination, 300, 0)
        phone.open_foreign(foreign.serve("/relative.gddf", gddf(
            "Relative", [place("t", "Target", where[0], where[1], 25.0)], relative=True)))
        phone.point(0)
        phone.start()
        axes = aim(phone, 3.0, 0.0)
        # 300 m away along the plane; the document's 25 m are above the phone's height there.
        expected = phone.expected_point(axes, (where[0], where[1], altitude + 25.0))
        assert_drawn(phone, "t", expected)
