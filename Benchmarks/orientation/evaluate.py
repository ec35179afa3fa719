#!/usr/bin/env python3
"""Everything that is claimed about `sightline orientation`, beside VQF and the filters of 2010, in one run.

    pip install numpy vqf
    SIGHTLINE_CORE_ONLY=1 swift build -c release --scratch-path .build-core --product sightline
    Benchmarks/orientation/evaluate.py --command .build-core/release/sightline --broad ../shared/data/broad --phones ../shared/data/phones

A data folder has a manifest.json (trials with file, rate_hz, sync_ms, groups) and headerless float32 files of 14 columns: gyroscope
rad/s, accelerometer m/s², magnetometer microtesla, reference quaternion w x y z (device to East-North-Up, NaN where unknown),
moving 0/1; an os_file beside it holds what the phone's own system computed. Without a folder its rows are left out.

Errors are those of the BROAD benchmark (Laidig et al. 2021, doi:10.3390/data6070072), see metrics.py. Rows:

broad-100     100 Hz, reference taken sync_ms earlier (it leads the sensors by that): else a constant prediction would count
broad-60      60 Hz, all sensors averaged over the interval as browsers deliver them, reference as it is
phones        recordings of phones in hands, beside the phone's own fusion; in the mean of all, undisturbed, disturbed on purpose
gyroless      the same without gyroscope at 30 Hz, undisturbed, with the lag; beside the filters of the AR browsers of 2010
bounds        how often the error is inside the stated 95 % bound
step, pan, rest  synthetic: a turn of 60° in 0.3 s, a pan of 30°/s, a phone that lies still
causality     output does not change when later rows are withheld
"""
import argparse
import concurrent.futures
import pathlib

import numpy as np

import metrics
import runs

HISTORIC = ["low-pass", "derivative-smoothing", "spherical-mean", "matrix-mean"]


def table(title, columns, rows, note=""):
    """Prints a table with its mean, and how often the first column beats the second."""
    print(f"\n{title}\n{'':48}" + "".join(f"{c:>16}" for c in columns))
    for name, values in rows:
        print(f"{name:48}" + "".join(f"{v:16.3f}" for v in values))
    values = np.array([v for _, v in rows])
    print(f"{'mean':48}" + "".join(f"{v:16.3f}" for v in np.nanmean(values, axis=0)))
    for k in range(0, len(columns) - 1, 2):
        if columns[k + 1].endswith("VQF"):
            print(f"{columns[k].strip()}: better than VQF on {int(np.sum(values[:, k] < values[:, k + 1]))} of {len(rows)}")
    if note:
        print(note)


def broad(pool, command, trials, title):
    jobs = [(command, trial, mode, ()) for trial in trials for mode in ("9d", "6d")]
    ours = list(pool.map(runs.sightline, jobs))
    peers = list(pool.map(runs.vqf, [(trial, mode) for trial in trials for mode in ("9d", "6d")]))
    rows, covered = [], []
    for k, trial in enumerate(trials):
        nine, six = ours[2 * k], ours[2 * k + 1]
        rows.append((trial.name, [
            metrics.total(nine, trial), metrics.total(peers[2 * k], trial),
            metrics.tilt(six, trial), metrics.tilt(peers[2 * k + 1], trial)]))
        covered.append((trial.name, metrics.coverage(nine, trial)))
    table(title, ["9D: sightline", "9D: VQF", "6D tilt: sightl.", "6D tilt: VQF"], rows)
    return covered


def phones(pool, command, trials):
    ours = list(pool.map(runs.sightline, [(command, trial, "9d", ()) for trial in trials]))
    peers = list(pool.map(runs.vqf, [(trial, "9d") for trial in trials]))
    rows = [(t.name, [metrics.total(a, t), metrics.total(b, t), metrics.total(t.system, t)])
            for t, a, b in zip(trials, ours, peers)]
    for kind in ("undisturbed", "disturbed"):
        table(f"phones, {kind}: 9D total", ["sightline", "VQF", "phone's own"],
              [row for row, t in zip(rows, trials) if kind in t.groups])
    return [(t.name, metrics.coverage(a, t)) for t, a in zip(trials, ours)]


def gyroless(pool, command, trials):
    trials = [runs.decimated(t, 30, average=False) for t in trials if "undisturbed" in t.groups]
    names = ["sightline", *HISTORIC]
    options = [() if name == "sightline" else ("--filter", name) for name in names]
    rows = []
    for trial in trials:
        results = list(pool.map(runs.sightline, [(command, trial, "nogyro", o) for o in options]))
        rows.append((trial.name, [f(q, trial) for q in results for f in (metrics.total, metrics.lag)]))
    table("without gyroscope, 30 Hz: total error in degrees, lag in milliseconds",
          [c for name in names for c in (name[:15], "lag")], rows)


def synthetic(pool, command):
    for rate in (60, 100):
        for axis in ("heading", "pitch"):
            trial = runs.step(rate, axis)
            for name, q in (("sightline", runs.sightline((command, trial, "9d", ()))), ("VQF", runs.vqf((trial, "9d")))):
                delay, overshoot, settled = metrics.step(q, trial)
                print(f"step of 60° in {axis}, {rate} Hz, {name:9}: delay {delay:5.1f} ms, overshoot {overshoot:5.2f}°, "
                      f"within 1° {settled:4.0f} ms after the turn")
        trial = runs.pan(rate)
        for name, q in (("sightline", runs.sightline((command, trial, "9d", ()))), ("VQF", runs.vqf((trial, "9d")))):
            print(f"pan of 30°/s, {rate} Hz, {name:9}: lag {metrics.lag(q, trial):5.1f} ms")
        trial = runs.rest(rate)
        for name, q in (("sightline", runs.sightline((command, trial, "9d", ()))), ("VQF", runs.vqf((trial, "9d")))):
            frame, wander = metrics.rest(q, trial)
            print(f"rest, {rate} Hz, {name:9}: {frame:.3f} pixels from frame to frame, {wander:.2f} pixels in 10 s "
                  f"(60° on 1280 pixels; of the estimate, before it is held still for the picture)")


def causality(command, trial):
    worst = 0
    for mode in ("9d", "6d", "nogyro"):
        whole = runs.sightline((command, trial, mode, ()))
        for share in (0.3, 0.6):
            count = int(len(trial.rows) * share)
            part = runs.sightline((command, trial.cut(count), mode, ()))
            worst = max(worst, float(np.max(np.abs(whole[:count] - part))))
    print(f"causality: largest change when later rows are withheld {worst:g} ({'ok' if worst == 0 else 'NOT CAUSAL'})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the built sightline")
    parser.add_argument("--broad", type=pathlib.Path, help="folder of the BROAD trials")
    parser.add_argument("--phones", type=pathlib.Path, help="folder of the phone recordings")
    parser.add_argument("--rows", default="broad,phones,gyroless,synthetic,causality", help="which, separated by commas")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    wanted = arguments.rows.split(",")
    covered = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.broad and "broad" in wanted:
            trials = runs.load(arguments.broad)
            covered["BROAD, 100 Hz"] = broad(
                pool, arguments.command, [t.synchronised() for t in trials], "BROAD, 100 Hz, synchronised: degrees")
            covered["BROAD, 60 Hz"] = broad(
                pool, arguments.command, [runs.decimated(t, 60, average=True) for t in trials],
                "BROAD, 60 Hz, averaged over the interval, not synchronised: degrees")
        if arguments.phones and {"phones", "gyroless"} & set(wanted):
            trials = runs.load(arguments.phones)
            if "phones" in wanted:
                covered["phones, 100 Hz"] = phones(pool, arguments.command, trials)
            if "gyroless" in wanted:
                gyroless(pool, arguments.command, trials)
        for name, rows in covered.items():
            table(f"inside the stated 95 % bound, {name}: per cent, and mean bound in degrees",
                  ["heading", "bound", "tilt", "bound"], rows)
        if "synthetic" in wanted:
            print()
            synthetic(pool, arguments.command)
        if arguments.broad and "causality" in wanted:
            causality(arguments.command, runs.load(arguments.broad)[0])


if __name__ == "__main__":
    main()
