"""Trials, and running `sightline orientation` and VQF over them."""
import csv
import dataclasses
import json
import pathlib
import subprocess
import tempfile

import numpy as np

import metrics

COLUMNS = ["t", "gx", "gy", "gz", "ax", "ay", "az", "mx", "my", "mz"]


@dataclasses.dataclass
class Trial:
    name: str
    rate: float
    times: np.ndarray
    rows: np.ndarray  # gyroscope, accelerometer, magnetometer
    reference: np.ndarray
    moving: np.ndarray
    groups: tuple = ()
    sync: float = 0.0  # seconds by which the reference leads
    system: np.ndarray | None = None

    def cut(self, count):
        return dataclasses.replace(self, times=self.times[:count], rows=self.rows[:count], reference=self.reference[:count],
                                   moving=self.moving[:count])

    def synchronised(self):
        """With the reference a little earlier, between neighbouring rows."""
        return dataclasses.replace(self, reference=interpolated(self.times, self.reference, self.times - self.sync))


def interpolated(times, q, at):
    """Rotations between rows, the shortest way; rows beside a gap are gaps."""
    high = np.clip(np.searchsorted(times, at, side="left"), 1, len(times) - 1)
    share = np.clip((at - times[high - 1]) / (times[high] - times[high - 1]), 0, 1)[:, None]
    a, b = q[high - 1], q[high]
    b = np.where(np.sum(a * b, axis=1, keepdims=True) < 0, -b, b)
    mixed = np.where(share <= 1e-9, a, np.where(share >= 1 - 1e-9, b, a * (1 - share) + b * share))
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def load(folder):
    trials = []
    for entry in json.loads((folder / "manifest.json").read_text())["trials"]:
        if entry.get("native"):
            continue
        data = np.fromfile(folder / entry["file"], dtype="<f4").reshape(-1, 14).astype(float)
        system = None
        if "os_file" in entry:
            system = np.fromfile(folder / entry["os_file"], dtype="<f4").reshape(-1, 4).astype(float)
        rate = entry["rate_hz"]
        trials.append(Trial(entry["name"], rate, np.arange(len(data)) / rate, data[:, :9], data[:, 9:13], data[:, 13] > 0.5,
                            tuple(entry.get("groups", ())), entry.get("sync_ms", 0) / 1000, system))
    return trials


def decimated(trial, rate, average):
    """At a lower rate: the gyroscope always the mean over the interval; the others that too, or low-passed and sampled."""
    at = np.arange(int(trial.times[-1] * rate + 1e-9) + 1) / rate
    step = np.diff(trial.times, prepend=trial.times[0])[:, None]
    sums = np.cumsum(trial.rows * step, axis=0)
    sums = np.stack([np.interp(at, trial.times, sums[:, k]) for k in range(9)], axis=1)
    rows = np.vstack([trial.rows[:1], np.diff(sums, axis=0) * rate])
    if not average:
        half = 2 * int(2 * trial.rate / rate)
        k = np.arange(-half, half + 1)
        cutoff = 0.4 * rate / trial.rate
        kernel = 2 * cutoff * np.sinc(2 * cutoff * k) * np.hamming(2 * half + 1)
        kernel /= kernel.sum()
        for c in range(3, 9):
            smooth = np.convolve(np.pad(trial.rows[:, c], half, mode="edge"), kernel, "valid")
            rows[:, c] = np.interp(at, trial.times, smooth)
    near = np.clip(np.rint(at * trial.rate).astype(int), 0, len(trial.times) - 1)
    return dataclasses.replace(trial, rate=rate, times=at, rows=rows, moving=trial.moving[near], system=None,
                               reference=interpolated(trial.times, trial.reference, at))


def sightline(job):
    """Quaternions, and bounds of tilt and heading in degrees behind them, of a command, trial, mode and options."""
    command, trial, mode, options = job
    rows = trial.rows.copy()
    flags = {"9d": [], "6d": ["--no-magnetometer"], "nogyro": ["--no-gyroscope"]}[mode]
    # What is left out is not even in the file.
    if mode == "6d":
        rows[:, 6:] = 0
    if mode == "nogyro":
        rows[:, :3] = 0
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder, "samples.csv"), pathlib.Path(folder, "quaternions.csv")
        with source.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(COLUMNS)
            np.savetxt(file, np.column_stack([trial.times, rows]), fmt="%.9g", delimiter=",")
        arguments = [command, "orientation", "--input", source, "--output", result, *flags, *options]
        subprocess.run(arguments if options else arguments + ["--bounds"], check=True)
        return np.loadtxt(result, delimiter=",", skiprows=1)[:, 1:]


def vqf(job):
    from vqf import VQF

    trial, mode = job
    gyr, acc, mag = (np.ascontiguousarray(trial.rows[:, k : k + 3]) for k in (0, 3, 6))
    if mode == "9d":
        return VQF(1 / trial.rate).updateBatch(gyr, acc, mag)["quat9D"]
    return VQF(1 / trial.rate).updateBatch(gyr, acc)["quat6D"]


# Synthetic: an upright phone with the noise of phones, in a field of 48 µT that dips by 65°.


def _exponential(v):
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cos(angle / 2), 0.5 * np.sinc(angle / 2 / np.pi) * v], axis=-1)


def _rotate(q, v):
    t = 2 * np.cross(q[:, 1:], v)
    return v + q[:, :1] * t + np.cross(q[:, 1:], t)


def _phone(name, rate, seconds, angle, axis=(0, 0, 1)):
    random = np.random.default_rng(7)
    times = np.arange(int(seconds * rate) + 1) / rate
    upright = np.array([[np.sqrt(0.5), np.sqrt(0.5), 0, 0]])
    q = metrics.product(_exponential(angle(times)[:, None] * np.array(axis)), np.repeat(upright, len(times), axis=0))
    turns = metrics.rotation_vector(metrics.product(metrics.conjugate(q[:-1]), q[1:])) * rate
    scale = np.sqrt(rate / 100)
    back = metrics.conjugate(q)
    dip = np.radians(65)

    def noise(deviation):
        return random.normal(0, deviation * scale, (len(times), 3))

    gyroscope = np.vstack([np.zeros(3), turns]) + np.radians([0.3, -0.2, 0.25]) + noise(np.radians(0.1))
    force = _rotate(back, np.tile([0, 0, 9.81], (len(times), 1))) + noise(0.05)
    field = _rotate(back, np.tile(48 * np.array([0, np.cos(dip), -np.sin(dip)]), (len(times), 1))) + noise(0.6)
    return Trial(name, rate, times, np.hstack([gyroscope, force, field]), q, times >= 20)


def step(rate, axis):
    def angle(times):
        x = np.clip((times - 20) / 0.3, 0, 1)
        return np.radians(60) * x**3 * (10 - 15 * x + 6 * x * x)

    return _phone("step", rate, 32, angle, (0, 0, 1) if axis == "heading" else (1, 0, 0))


def pan(rate):
    # To and fro, so that the shift of the rates can be seen.
    return _phone("pan", rate, 40, lambda t: np.where(t < 20, 0, np.radians(30) * np.sin(t - 20)))


def rest(rate):
    return _phone("rest", rate, 60, lambda t: np.zeros_like(t))
