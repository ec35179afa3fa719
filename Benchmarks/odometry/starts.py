#!/usr/bin/env python3
"""How world tracking starts: each sequence begun at six moments, as if the camera had been opened there, for seven seconds each.

usage: Benchmarks/odometry/starts.py --command .build/release/sightline [--baseline PROGRAM] SEQUENCE…

Sequences are folders of make_odometry.py with their truth; needs numpy and ffmpeg. With --baseline another program tracks the same starts.
Of each start: after how many seconds lengths were first said to be metres, and the root mean square of the error of places, after one turn about the
vertical and one shift, over the frames that have a place, and over the metric ones.
"""
import argparse
import csv
import json
import os
import subprocess
import tempfile

import numpy

MOMENTS = (0, 2.5, 5, 7.5, 10, 12.5)
SECONDS = 7.0
# Readings before the first frame that tracking is given, seconds.
BEFORE = 0.4


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def pictures(sequence, folder):
    """The sequence's video as grey pictures."""
    with open(os.path.join(sequence, "sequence.json"), encoding="utf-8") as file:
        frames = json.load(file)["frames"]
    subprocess.run(["ffmpeg", "-v", "error", "-i", os.path.join(sequence, frames["file"]), "-pix_fmt", "gray", "-fps_mode", "passthrough",
                    "-start_number", "0", os.path.join(folder, "%05d.pgm")], check=True, stdin=subprocess.DEVNULL)


def cut(sequence, drawn, moment, folder):
    """Writes the part of a sequence from a moment on; returns its frames, or none when it is too short."""
    frames = rows(os.path.join(sequence, "frames.csv"))
    begin = float(frames[0]["t"]) + moment
    frames = [row for row in frames if begin <= float(row["t"]) < begin + SECONDS]
    if not frames or float(frames[-1]["t"]) < begin + 0.8 * SECONDS:
        return []
    with open(os.path.join(sequence, "imu.csv"), encoding="utf-8") as file:
        head, *readings = file.read().splitlines()
    with open(os.path.join(folder, "imu.csv"), "w", encoding="utf-8") as file:
        file.write("\n".join([head, *(line for line in readings if begin - BEFORE <= float(line.split(",")[0]) < begin + SECONDS + 1)]) + "\n")
    with open(os.path.join(folder, "frames.csv"), "w", encoding="utf-8") as file:
        file.write("t,frame\n" + "".join(f"{row['t']},{row['frame']}\n" for row in frames))
    with open(os.path.join(sequence, "sequence.json"), encoding="utf-8") as file:
        description = json.load(file)
    description["frames"] = {"kind": "pgm", "pattern": "pictures/%05d.pgm"}
    with open(os.path.join(folder, "sequence.json"), "w", encoding="utf-8") as file:
        json.dump(description, file)
    os.symlink(drawn, os.path.join(folder, "pictures"))
    return frames


def error(estimated, true):
    """Root mean square distance after one turn about the vertical and one shift, metres; None of fewer than ten."""
    if len(estimated) < 10:
        return None
    a, b = estimated - estimated.mean(0), true - true.mean(0)
    turn = numpy.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a[:, :2] * b[:, :2]).sum())
    c, s = numpy.cos(turn), numpy.sin(turn)
    moved = numpy.column_stack([c * a[:, 0] - s * a[:, 1], s * a[:, 0] + c * a[:, 1], a[:, 2]])
    return float(numpy.sqrt(((moved - b) ** 2).sum(1).mean()))


def start(program, folder, frames, truth):
    """Seconds until metric (None: never), error of all places, error of the metric ones."""
    output = os.path.join(folder, "poses.csv")
    subprocess.run([program, "odometry", "track", "--input", folder, "--output", output], check=True, stdout=subprocess.DEVNULL)
    poses = rows(output)
    state = numpy.array([int(row["state"] or 0) for row in poses])
    places = numpy.array([[float(row[name] or "nan") for name in ("px", "py", "pz")] for row in poses])
    true = numpy.array([truth[int(row["frame"])] for row in frames])
    metric = state >= 3
    first = float(frames[int(metric.argmax())]["t"]) - float(frames[0]["t"]) if metric.any() else None
    return first, error(places[state >= 2], true[state >= 2]), error(places[metric], true[metric])


def summary(name, results):
    def quantile(column, share):
        values = sorted(float("inf") if row[column] is None else row[column] for row in results)
        return values[min(len(values) - 1, int(share * len(values)))]
    print(f"{name}: {len(results)} starts; metric after {quantile(0, 0.5):.2f} s (median), {quantile(0, 0.9):.2f} s (90 %); all places "
          f"{quantile(1, 0.5):.3f}, {quantile(1, 0.9):.3f} m, metric ones {quantile(2, 0.5):.3f}, {quantile(2, 0.9):.3f} m; "
          f"{sum(row[1] is not None and row[1] > 1 for row in results)} more than 1 m off, {sum(row[0] is None for row in results)} never metric")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--baseline")
    parser.add_argument("sequences", nargs="+")
    arguments = parser.parse_args()
    programs = [name for name in (arguments.command, arguments.baseline) if name]
    results = {program: [] for program in programs}
    for sequence in arguments.sequences:
        truth = {int(float(row["frame"])): [float(row[name]) for name in ("px", "py", "pz")]
                 for row in rows(os.path.join(sequence, "truth", "poses.csv"))}
        with tempfile.TemporaryDirectory() as drawn:
            pictures(sequence, drawn)
            for moment in MOMENTS:
                with tempfile.TemporaryDirectory() as folder:
                    frames = cut(sequence, drawn, moment, folder)
                    for program in programs if frames else []:
                        found = start(program, folder, frames, truth)
                        results[program].append(found)
                        print(os.path.basename(os.path.normpath(sequence)), moment, os.path.basename(program),
                              *("-" if value is None else f"{value:.3f}" for value in found), flush=True)
    for program in programs:
        summary(program, results[program])


if __name__ == "__main__":
    main()
