"""Where a place has to be drawn, computed from nothing but positions, angles and a field of view.

Written for the tests from the formulas of WGS84 and of the pinhole camera, in another language and another form than the
engine's: a mistake would have to be made twice to stay hidden. Vectors are tuples, angles radians, and a rotation is the
tuple of its three columns: where it takes the x, y and z axis.
"""
import math

SEMI_MAJOR = 6378137.0
FLATTENING = 1 / 298.257223563
ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING)


def geocentric(latitude, longitude, altitude):
    """Earth-centred coordinates, metres, of degrees and metres above the ellipsoid."""
    phi, lam = math.radians(latitude), math.radians(longitude)
    normal = SEMI_MAJOR / math.sqrt(1 - ECCENTRICITY_SQUARED * math.sin(phi) ** 2)
    return ((normal + altitude) * math.cos(phi) * math.cos(lam),
            (normal + altitude) * math.cos(phi) * math.sin(lam),
            (normal * (1 - ECCENTRICITY_SQUARED) + altitude) * math.sin(phi))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def east_north_up(origin, place):
    """Metres east, north and up of `place` seen from `origin`; both (latitude, longitude, altitude)."""
    phi, lam = math.radians(origin[0]), math.radians(origin[1])
    away = tuple(p - o for p, o in zip(geocentric(*place), geocentric(*origin)))
    east = (-math.sin(lam), math.cos(lam), 0)
    north = (-math.sin(phi) * math.cos(lam), -math.sin(phi) * math.sin(lam), math.cos(phi))
    up = (math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi))
    return (dot(away, east), dot(away, north), dot(away, up))


def place_at(origin, east, north, up):
    """A position (latitude, longitude, altitude) that many metres from `origin`, by Newton's iteration on
    `east_north_up`: no second formula that could be wrong."""
    latitude, longitude, altitude = origin
    for _ in range(8):
        e, n, u = east_north_up(origin, (latitude, longitude, altitude))
        latitude += math.degrees((north - n) / SEMI_MAJOR)
        longitude += math.degrees((east - e) / SEMI_MAJOR / max(1e-6, math.cos(math.radians(latitude))))
        altitude += up - u
    return (latitude, (longitude + 180) % 360 - 180, altitude)


def held(heading, pitch, roll=0.0):
    """The axes of a display looking at `heading` (from north, clockwise) and `pitch` (up), degrees, in east, north, up:
    its x (right), y (top) and z (out of it, towards the user). `roll`: turned counter-clockwise as the user sees it."""
    h, p, r = math.radians(heading), math.radians(pitch), math.radians(roll)
    ahead = (math.sin(h) * math.cos(p), math.cos(h) * math.cos(p), math.sin(p))
    right = (math.cos(h), -math.sin(h), 0.0)
    top = cross(right, ahead)
    x = tuple(math.cos(r) * a + math.sin(r) * b for a, b in zip(right, top))
    y = tuple(math.cos(r) * b - math.sin(r) * a for a, b in zip(right, top))
    return (x, y, tuple(-a for a in ahead))


def device_axes(display, screen_angle):
    """The axes of the device when its display has these axes and is turned by `screen_angle` (degrees, what
    `screen.orientation.angle` says: how far the device was turned counter-clockwise from portrait)."""
    a = math.radians(screen_angle)
    x, y, z = display
    # Turned counter-clockwise, the device's own x axis points that far counter-clockwise of the display's.
    return (tuple(math.cos(a) * p + math.sin(a) * q for p, q in zip(x, y)),
            tuple(math.cos(a) * q - math.sin(a) * p for p, q in zip(x, y)), z)


def turned(axes, clockwise):
    """The same axes after turning the whole phone about the vertical by that many degrees, clockwise from above."""
    a = math.radians(clockwise)
    return tuple((v[0] * math.cos(a) + v[1] * math.sin(a), v[1] * math.cos(a) - v[0] * math.sin(a), v[2]) for v in axes)


def quaternion(axes):
    """The unit quaternion (w, x, y, z) that takes device vectors to the world (Shepperd's method)."""
    (a, d, g), (b, e, h), (c, f, i) = axes
    choices = [(a + e + i, 0), (a - e - i, 1), (e - a - i, 2), (i - a - e, 3)]
    value, which = max(choices)
    s = 2 * math.sqrt(1 + value)
    if which == 0:
        return (s / 4, (h - f) / s, (c - g) / s, (d - b) / s)
    if which == 1:
        return ((h - f) / s, s / 4, (b + d) / s, (c + g) / s)
    if which == 2:
        return ((c - g) / s, (b + d) / s, s / 4, (f + h) / s)
    return ((d - b) / s, (c + g) / s, (f + h) / s, s / 4)


def browser_angles(axes):
    """α, β, γ (degrees) of the browser's orientation events: intrinsic turns about z, x, y, from device to world;
    α 0…360, β −180…180, γ −90…90."""
    x, y, z = axes
    # R = Rz(α)·Rx(β)·Ry(γ): its third row is (−cos β·sin γ, sin β, cos β·cos γ), its second column
    # (−sin α·cos β, cos α·cos β, sin β).
    cos_beta = math.hypot(x[2], z[2])
    if z[2] < 0:
        cos_beta = -cos_beta
    if abs(cos_beta) < 1e-9:
        # Upright: only the sum of α and γ is fixed. Browsers report γ = 0 there.
        return (math.degrees(math.atan2(x[1], x[0])) % 360, 90.0 if y[2] > 0 else -90.0, 0.0)
    alpha = math.atan2(-y[0] / cos_beta, y[1] / cos_beta)
    gamma = math.atan2(-x[2] / cos_beta, z[2] / cos_beta)
    return (math.degrees(alpha) % 360, math.degrees(math.atan2(y[2], cos_beta)), math.degrees(gamma))


def focal_points(display, picture, long_side_degrees):
    """Focal length in display points of a picture that covers the display: scaled, cropped and centred."""
    pixels = max(picture) / 2 / math.tan(math.radians(long_side_degrees) / 2)
    return pixels * max(display[0] / picture[0], display[1] / picture[1])


def project(offset, axes, display, focal):
    """Display points (x right, y down) of an offset in east, north, up; None behind the camera."""
    x, y, z = (dot(offset, axis) for axis in axes)
    if z >= 0:
        return None
    return (display[0] / 2 - focal * x / z, display[1] / 2 + focal * y / z)


def great_circle(a, b):
    """Metres along the ground between two (latitude, longitude, …), on the sphere of the mean radius."""
    p, q = math.radians(a[0]), math.radians(b[0])
    half = math.sin((q - p) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    return 2 * 6371008.8 * math.asin(math.sqrt(half))
