"""The magnetic declination by the World Magnetic Model, in plain Python from the published coefficient file."""
import datetime
import functools
import math
import pathlib

MODEL = pathlib.Path(__file__).parents[3] / "Fixtures" / "wmm" / "WMM2025.COF"
REFERENCE_RADIUS = 6371200.0
DEGREE = 12


@functools.lru_cache
def coefficients():
    """{(degree, order): (g, h, ġ, ḣ)} in nanotesla and nanotesla a year."""
    rows = {}
    for line in MODEL.read_text(encoding="ascii").splitlines()[1:]:
        parts = line.split()
        if len(parts) != 6:
            break
        rows[int(parts[0]), int(parts[1])] = tuple(map(float, parts[2:]))
    return rows


def field(latitude, longitude, altitude, year):
    """North, east and down components in nanotesla; degrees, metres above the ellipsoid, decimal year.

    The potential's Schmidt semi-normalised functions are built from Gauss-normalised ones with the normalising factors
    kept apart, and derivatives are taken by the recursion's own derivative (Langel 1987, table 3).
    """
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    phi, lam = math.radians(latitude), math.radians(longitude)
    normal = a / math.sqrt(1 - e2 * math.sin(phi) ** 2)
    p = (normal + altitude) * math.cos(phi)
    z = (normal * (1 - e2) + altitude) * math.sin(phi)
    r = math.hypot(p, z)
    geocentric = math.atan2(z, p)
    theta = math.pi / 2 - geocentric
    cos_t, sin_t = math.cos(theta), math.sin(theta)

    gauss, slope, schmidt = {(0, 0): 1.0}, {(0, 0): 0.0}, {(0, 0): 1.0}
    for n in range(1, DEGREE + 1):
        for m in range(n + 1):
            if n == m:
                gauss[n, m] = sin_t * gauss[n - 1, m - 1]
                slope[n, m] = sin_t * slope[n - 1, m - 1] + cos_t * gauss[n - 1, m - 1]
            else:
                k = ((n - 1) ** 2 - m * m) / ((2 * n - 1) * (2 * n - 3)) if n > 1 else 0.0
                gauss[n, m] = cos_t * gauss[n - 1, m] - k * gauss.get((n - 2, m), 0.0)
                slope[n, m] = (cos_t * slope[n - 1, m] - sin_t * gauss[n - 1, m] - k * slope.get((n - 2, m), 0.0))
            if m == 0:
                schmidt[n, 0] = schmidt[n - 1, 0] * (2 * n - 1) / n
            else:
                schmidt[n, m] = schmidt[n, m - 1] * math.sqrt((n - m + 1) * (2 if m == 1 else 1) / (n + m))

    north = east = down = 0.0
    for (n, m), (g0, h0, g1, h1) in coefficients().items():
        g, h = g0 + g1 * (year - 2025), h0 + h1 * (year - 2025)
        scale = (REFERENCE_RADIUS / r) ** (n + 2) * schmidt[n, m]
        along = g * math.cos(m * lam) + h * math.sin(m * lam)
        across = m * (g * math.sin(m * lam) - h * math.cos(m * lam))
        north += scale * along * slope[n, m]
        east += scale * across * gauss[n, m] / sin_t
        down -= scale * (n + 1) * along * gauss[n, m]
    # From the geocentric to the ellipsoidal vertical.
    psi = phi - geocentric
    return (north * math.cos(psi) + down * math.sin(psi), east, down * math.cos(psi) - north * math.sin(psi))


def declination(latitude, longitude, altitude, year):
    """Degrees that magnetic north lies east of true north."""
    north, east, _ = field(latitude, longitude, altitude, year)
    return math.degrees(math.atan2(east, north))


def decimal_year(moment=None):
    """The calendar as the model counts it."""
    moment = moment or datetime.datetime.now(datetime.timezone.utc)
    start = datetime.datetime(moment.year, 1, 1, tzinfo=datetime.timezone.utc)
    end = datetime.datetime(moment.year + 1, 1, 1, tzinfo=datetime.timezone.utc)
    return moment.year + (moment - start) / (end - start)
