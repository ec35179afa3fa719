#!/usr/bin/env python3
"""Whether world tracking says truly how uncertain it is: errors against stated deviations, in sequences with truth.

usage: Benchmarks/odometry/consistency.py --command .build/release/sightline --tools FOLDER SEQUENCE…

`--tools` is the folder of make_odometry.py, which draws the sequences, and eval_odometry.py; needs numpy. Errors are those since the first
metric pose, in place and about the vertical, frames under a covered lens left out. For each sequence, and for all together: the shares of
errors within one, two and three stated deviations (68, 95, 99.7 % are right, by axis), the normalised squared error, median and 95th percentile
(right are 2.37 and 7.81 for the place, 0.455 and 3.84 for the yaw), and errors and deviations as root mean squares.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

METRIC = 3
# Below so many metric frames nothing is said of a sequence.
FEWEST = 30


def errors(truth, estimate, evaluator):
    """Errors of place (metres) and yaw (radians) with their stated deviations, frame by frame; None without metric poses."""
    metric = np.flatnonzero((estimate.a["state"] == METRIC) & ~truth.covered)
    if len(metric) < FEWEST:
        return None
    first, later = metric[0], metric[1:]
    turn = float(evaluator.yaw_between(truth.q[first], estimate.q[first]))
    place = (estimate.p - estimate.p[first]) @ evaluator.rz(turn).T - (truth.p - truth.p[first])
    yaw = evaluator.wrap(evaluator.yaw_between(truth.q, estimate.q) - turn)
    return {"place": place[later], "place sigma": estimate.a["sigma_p"][later], "yaw": yaw[later], "yaw sigma": estimate.a["sigma_yaw"][later]}


def row(name, found):
    def shares(ratio):
        return " / ".join(f"{100 * (ratio <= k).mean():.0f}" for k in (1, 2, 3))

    def squares(values):
        return f"{np.median(values):.2f}, {np.percentile(values, 95):.2f}"

    def rms(values):
        return np.sqrt((values**2).mean())

    place, sigma, yaw, turn = (found[key] for key in ("place", "place sigma", "yaw", "yaw sigma"))
    print(f"| {name} | {shares(np.abs(place) / sigma[:, None])} | {squares((place**2).sum(1) / sigma**2)} | {rms(place):.3f} ({rms(sigma):.3f}) "
          f"| {shares(np.abs(yaw) / turn)} | {squares((yaw / turn) ** 2)} | {np.degrees(rms(yaw)):.2f} ({np.degrees(rms(turn)):.2f}) |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program, a release build")
    parser.add_argument("--tools", required=True, help="folder with eval_odometry.py")
    parser.add_argument("sequences", nargs="+", help="folders with frames, readings and truth")
    a = parser.parse_args()
    sys.path.insert(0, a.tools)
    import eval_odometry as evaluator

    print("| sequence | place within 1, 2, 3 σ, % | squared: median, 95 % | m (stated) | yaw within 1, 2, 3 σ, % | squared: median, 95 % | ° (stated) |")
    print("|---|---|---|---|---|---|---|")
    every = []
    for sequence in a.sequences:
        name = os.path.basename(sequence.rstrip("/"))
        with tempfile.TemporaryDirectory() as folder:
            poses = os.path.join(folder, "poses.csv")
            subprocess.run([a.command, "odometry", "track", "--input", sequence, "--output", poses], check=True, stdout=subprocess.DEVNULL)
            truth = evaluator.Sequence(sequence)
            found = errors(truth, evaluator.Estimate(poses, truth), evaluator)
        if found is None:
            print(f"| {name} | never metric | | | | | |")
            continue
        row(name, found)
        every.append(found)
    if len(every) > 1:
        row("all", {key: np.concatenate([one[key] for one in every]) for key in every[0]})


if __name__ == "__main__":
    main()
