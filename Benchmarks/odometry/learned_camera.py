#!/usr/bin/env python3
"""What world tracking gains by beginning with a camera that it learned another time, on sequences with truth.

usage: Benchmarks/odometry/learned_camera.py --command .build/release/sightline --tools FOLDER [--seed N] SEQUENCE…

`--tools` is the folder of make_odometry.py, which draws the sequences, and eval_odometry.py; needs what that needs. Each sequence is tracked three
times: as a camera that is used for the first time; with the camera of the truth, off by as much as tracking leaves it (focal length 0.4 %,
terms 0.01, read-out 0.5 ms, lateness 0.5 ms, each normally distributed); and with one that was learned badly
(2 %, 0.04, 3 ms and 6 ms, each with either sign), which has to do no harm.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

FIGURES = {"time_to_metric": "metric after, s", "ate_m": "position, m", "ate_metric_m": "position while metric, m", "scale_error": "lengths off by",
           "drift_5m_median": "drift over 5 m", "yaw_drift_deg_min": "yaw, °/min", "anchor_cm_at_1.5m_median": "anchor, cm", "rest_drift_px": "drift held still, px",
           "turn_closure_deg_per_turn": "turn, °", "focal_error_10s": "focal length after 10 s", "metric_claims_wrong": "wrong claims"}
# Standard deviations of what tracking leaves: focal length (relative), terms, read-out and lateness (seconds).
LEFT = (0.004, 0.01, 5e-4, 5e-4)
BAD = (0.02, 0.04, 3e-3, 6e-3)


def learned(truth, sign, errors):
    """The camera of the truth with errors, as sequence.json has it: focal length and the rest."""
    focal, terms, readout, offset = (e * s for e, s in zip(errors, sign))
    return truth["focal"] * (1 + focal), {
        "distortion": [truth["distortion"][0] + terms, truth["distortion"][1] - terms / 2],
        "readout_time": truth["readout"] + readout, "offset": truth["offset"] + offset}


def prepared(sequence, folder, camera):
    """The same sequence with another camera in sequence.json; its other files are those of the sequence."""
    os.mkdir(folder)
    for name in os.listdir(sequence):
        if name != "sequence.json":
            os.symlink(os.path.join(os.path.abspath(sequence), name), os.path.join(folder, name))
    with open(os.path.join(sequence, "sequence.json"), encoding="utf-8") as file:
        description = json.load(file)
    if camera:
        description["focal_guess"], description["learned_camera"] = camera
    with open(os.path.join(folder, "sequence.json"), "w", encoding="utf-8") as file:
        json.dump(description, file)
    return folder


def figures(a, folder):
    """The evaluator's figures of a sequence."""
    report = f"{folder}.report"
    subprocess.run([sys.executable, os.path.join(a.tools, "eval_odometry.py"), folder, "--command", f"{a.command} odometry track", "--json", report],
                   check=True, stdout=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        found = json.load(file)["kinds"]["all"]
    return {name: found[name]["median"] for name in FIGURES if isinstance(found.get(name), dict) and "median" in found[name]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program, a release build")
    parser.add_argument("--tools", required=True, help="folder with eval_odometry.py")
    parser.add_argument("--seed", type=int, default=1, help="of the errors")
    parser.add_argument("sequences", nargs="+", help="folders with frames, readings and truth")
    a = parser.parse_args()
    a.command = os.path.abspath(a.command)
    rng = random.Random(a.seed)
    every = []
    work = tempfile.mkdtemp()
    try:
        for number, sequence in enumerate(a.sequences):
            with open(os.path.join(sequence, "truth", "truth.json"), encoding="utf-8") as file:
                truth = json.load(file)
            left = learned(truth, [rng.gauss(0, 1) for _ in LEFT], LEFT)
            bad = learned(truth, [rng.choice((-1, 1)) for _ in BAD], BAD)
            row = [figures(a, prepared(sequence, os.path.join(work, f"{number}-{kind}"), camera))
                   for kind, camera in (("first", None), ("learned", left), ("bad", bad))]
            every.append(row)
            print(f"{sequence}: first time, learned, learned badly", flush=True)
            for name, words in FIGURES.items():
                if all(name in one for one in row):
                    print(f"  {words:28}" + "".join(f"{one[name]:12.4g}" for one in row), flush=True)
    finally:
        shutil.rmtree(work)
    if len(every) > 1:
        print("medians of all")
        for name, words in FIGURES.items():
            having = [row for row in every if all(name in one for one in row)]
            if having:
                print(f"  {words:28}" + "".join(f"{statistics.median(row[k][name] for row in having):12.4g}" for k in range(3)))


if __name__ == "__main__":
    main()
