"""The tests' own geometry against published values: an oracle has to be right itself."""
import math

import pytest

from support import geometry, magnetic


def test_geocentric_coordinates_of_known_points():
    assert geometry.geocentric(0, 0, 0) == pytest.approx((6378137, 0, 0))
    assert geometry.geocentric(90, 0, 0) == pytest.approx((0, 0, 6356752.314245), abs=1e-6)
    x, y, z = geometry.geocentric(45, 90, 1000)
    assert (x, y, z) == pytest.approx((0, 4518297.985630, 4488055.515647), abs=1e-5)


def test_declination_equals_every_published_test_value():
    values = magnetic.MODEL.with_name("WMM2025_TEST_VALUES.txt")
    rows = [list(map(float, line.split())) for line in values.read_text().splitlines() if line[:1].isdigit()]
    assert len(rows) == 100
    for year, kilometres, latitude, longitude, declination, *rest in rows:
        north, east, down = magnetic.field(latitude, longitude, kilometres * 1000, year)
        assert (north, east, down) == pytest.approx((rest[2], rest[3], rest[4]), abs=1e-3)
        assert magnetic.declination(latitude, longitude, kilometres * 1000, year) == pytest.approx(declination, abs=0.006)


def test_level_phone_of_the_literature():
    # A 3GS of 2010 (3.85 mm lens, 2.69 × 3.58 mm sensor, 320 × 480 points), level, to the north; the place 10 m east,
    # 100 m north, 20 m up was drawn at (211.62, 136.76).
    focal = 2 * 3.85 / 3.58 * 480 / 2
    point = geometry.project((10, 100, 20), geometry.held(0, 0), (320, 480), focal)
    assert point == pytest.approx((211.62, 136.76), abs=0.005)


@pytest.mark.parametrize("heading", [0, 37.5, 90, 200, 315])
@pytest.mark.parametrize("pitch", [-60, -20, 0, 25, 70])
@pytest.mark.parametrize("screen_angle", [0, 90, 180, 270])
def test_browser_angles_and_quaternion_describe_the_same_turn(heading, pitch, screen_angle):
    axes = geometry.device_axes(geometry.held(heading, pitch, 7), screen_angle)
    alpha, beta, gamma = map(math.radians, geometry.browser_angles(axes))
    half = (alpha / 2, beta / 2, gamma / 2)
    (cz, cx, cy), (sz, sx, sy) = map(math.cos, half), map(math.sin, half)
    # The quaternion of the specification's own example code, from the angles.
    expected = (cx * cy * cz - sx * sy * sz, sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz,
                cx * cy * sz + sx * sy * cz)
    found = geometry.quaternion(axes)
    assert abs(geometry.dot(expected, found)) == pytest.approx(1, abs=1e-9)


def test_place_at_goes_there_and_back():
    origin = (48.4, 10.0, 480)
    for offset in [(0, 0, 0), (100, -200, 30), (-4000, 3000, -50)]:
        there = geometry.place_at(origin, *offset)
        assert geometry.east_north_up(origin, there) == pytest.approx(offset, abs=1e-4)
