"""Errors of orientations (BROAD's definitions: Laidig et al. 2021, doi:10.3390/data6070072) and of how they respond.

With e = estimate · conj(reference): total 2 acos|e_w|, tilt 2 acos √(e_w² + e_z²), heading 2 atan|e_z / e_w|; root mean square in
degrees over the rows in movement. An estimate may carry its bounds of tilt and heading in columns 4 and 5.
"""
import numpy as np

# Pixels a degree at the centre of a view of 60° on 1280 pixels.
PIXELS = 640 / np.tan(np.radians(30)) * np.tan(np.radians(1))


def product(a, b):
    w, x, y, z = np.moveaxis(a, -1, 0)
    p, q, r, s = np.moveaxis(b, -1, 0)
    return np.stack(
        [w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r, w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p],
        axis=-1,
    )


def conjugate(q):
    return q * [1, -1, -1, -1]


def rotation_vector(q):
    q = np.where(q[..., :1] < 0, -q, q)
    length = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, q[..., :1])
    return np.where(length > 1e-12, q[..., 1:] * angle / np.maximum(length, 1e-12), 2 * q[..., 1:])


def _errors(estimate, trial):
    e = product(estimate[:, :4], conjugate(trial.reference))
    rows = trial.moving & np.isfinite(e).all(axis=1)
    return e[rows], rows


def _rms(radians):
    return float(np.degrees(np.sqrt(np.mean(radians**2))))


def total(estimate, trial):
    e, _ = _errors(estimate, trial)
    return _rms(2 * np.arccos(np.clip(np.abs(e[:, 0]), 0, 1)))


def tilt(estimate, trial):
    e, _ = _errors(estimate, trial)
    return _rms(2 * np.arccos(np.clip(np.hypot(e[:, 0], e[:, 3]), 0, 1)))


def coverage(estimate, trial):
    """Per cent of the rows whose heading is inside its bound, the mean bound, and the same of the tilt."""
    e, rows = _errors(estimate, trial)
    heading = np.degrees(2 * np.arctan2(np.abs(e[:, 3]), np.abs(e[:, 0])))
    inclination = np.degrees(2 * np.arccos(np.clip(np.hypot(e[:, 0], e[:, 3]), 0, 1)))
    tilt_bound, heading_bound = estimate[rows, 4], estimate[rows, 5]
    return [100 * np.mean(heading <= heading_bound), np.mean(heading_bound),
            100 * np.mean(inclination <= tilt_bound), np.mean(tilt_bound)]


def _rates(q, times):
    return rotation_vector(product(conjugate(q[:-1]), q[1:])) / np.diff(times)[:, None]


def lag(estimate, trial):
    """Milliseconds by which the estimate's angular velocity trails the reference's, with a parabola between samples."""
    step = float(np.median(np.diff(trial.times)))
    ours, theirs = _rates(estimate[:, :4], trial.times), _rates(trial.reference, trial.times)
    known = np.isfinite(theirs).all(axis=1)
    theirs = np.where(known[:, None], theirs, 0)
    span = int(np.ceil(0.6 / step))
    rows = np.flatnonzero(trial.moving[1:] & known)
    rows = rows[(rows >= span) & (rows < len(ours) - span)]
    shifts = np.arange(-min(span, int(0.1 / step) + 1), span + 1)
    cost = np.array([np.mean(np.sum((ours[rows] - theirs[rows - k]) ** 2, axis=1)) for k in shifts])
    best = int(np.argmin(cost))
    if best in (0, len(shifts) - 1):
        return float(shifts[best] * step * 1000)
    a, b, c = cost[best - 1 : best + 2]
    return float((shifts[best] + 0.5 * (a - c) / (a - 2 * b + c)) * step * 1000)


def step(estimate, trial, degrees=60.0):
    """Delay at half the turn (ms), overshoot (degrees), time after the turn until it stays within 1° (ms)."""
    start = int(19 * trial.rate)

    def turned(q):
        return np.degrees(np.linalg.norm(rotation_vector(product(q[:, :4], conjugate(q[start, :4])[None])), axis=1))

    ours, truth, times = turned(estimate), turned(trial.reference), trial.times

    def crossing(values, level):
        k = start + int(np.flatnonzero(values[start:] >= level)[0])
        return times[k - 1] + (level - values[k - 1]) / (values[k] - values[k - 1]) / trial.rate

    end = crossing(truth, 0.999 * degrees)
    off = np.flatnonzero((times > end) & (np.abs(ours - truth) > 1))
    settled = (times[off[-1]] - end) * 1000 if len(off) else 0.0
    delay = (crossing(ours, degrees / 2) - crossing(truth, degrees / 2)) * 1000
    return delay, float(np.max(ours[times > end - 0.1]) - degrees), settled


def rest(estimate, trial):
    """Root mean square movement between frames at 60 a second, and movement in ten seconds, pixels, after 20 s."""
    frame, wander = [], []
    count = int(10 * trial.rate)
    for first in range(2 * count, len(estimate) - count, count):
        q = estimate[first : first + count, :4]
        v = np.degrees(rotation_vector(product(conjugate(q[:1]), q)))
        times = trial.times[first : first + count]
        at = np.arange(times[0], times[-1], 1 / 60)
        shown = np.stack([np.interp(at, times, v[:, k]) for k in range(3)], axis=1)
        frame.append(np.mean(np.sum(np.diff(shown, axis=0) ** 2, axis=1)))
        second = int(trial.rate)
        wander.append(np.linalg.norm(v[-second:].mean(axis=0) - v[:second].mean(axis=0)))
    return float(np.sqrt(np.mean(frame)) * PIXELS), float(np.mean(wander) * PIXELS)
