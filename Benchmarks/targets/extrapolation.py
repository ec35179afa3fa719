#!/usr/bin/env python3
"""How far a target that is not seen any more is carried off its place, with the gyroscope alone.

    Benchmarks/targets/extrapolation.py --command .build-core/release/sightline SEQUENCE… [--seen 25] [--blank 15]

SEQUENCE is a folder with frames and a truth.json of exact corners, homographies and gyroscope (`../shared/data/targets/dev/*`, or made by
`../shared/tools/make_targets.py sequences`). Every so often the pictures are replaced by an even grey for half a second, so that
neither the target nor its surroundings say where it is. Printed for each number of frames since: the mean distance of the four
corners from the true ones (quartiles, 90th percentile), and that distance over the stated standard deviation.

Beside it, on the same stretches, what dead reckoning could do at best: the exact pose of the last frame seen, the exact turn of the
camera since, and its exact velocity in that frame, dying away with the time constant that does best on these very stretches.

Needs numpy and OpenCV (to write one grey picture and to read none).
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

FRAMES = (1, 3, 5, 8, 10, 15)
DECAYS = (0, 1, 2, 3, 4, 6, 8, 12, 20, 40)


def poses(truth, target):
    """Rotation and translation from the target's plane (metres) to the camera, or None, for each frame."""
    k = truth["intrinsics"]
    inverse = np.linalg.inv(np.array([[k["fx"], 0, k["cx"]], [0, k["fy"], k["cy"]], [0, 0, 1.0]]))
    scale = target["width"] / target["meters"]
    picture = np.array([[scale, 0, (target["width"] - 1) / 2], [0, scale, (target["height"] - 1) / 2], [0, 0, 1]])
    out = []
    for frame in truth["frames"]:
        seen = next((x for x in frame["targets"] if x["name"] == target["name"]), {})
        if "homography" not in seen:
            out.append(None)
            continue
        h = inverse @ np.array(seen["homography"]).reshape(3, 3) @ picture
        h /= math.sqrt(np.linalg.norm(h[:, 0]) * np.linalg.norm(h[:, 1])) * (1 if h[2, 2] > 0 else -1)
        u, _, v = np.linalg.svd(np.column_stack([h[:, 0], h[:, 1], np.cross(h[:, 0], h[:, 1])]))
        out.append((u @ v, h[:, 2]))
    return out


def reckoned(truth, target, pose, last, frame):
    """Where dead reckoning from exact values puts the corners in a frame, for each decay (frames)."""
    k = truth["intrinsics"]
    half = np.array([target["width"], target["height"]]) / 2 * target["meters"] / target["width"]
    corners = np.array([[-half[0], -half[1], 0], [half[0], -half[1], 0], [half[0], half[1], 0], [-half[0], half[1], 0]])
    place = lambda i: -pose[i][0].T @ pose[i][1]
    velocity = place(last) - place(last - 1)
    out = {}
    for decay in DECAYS:
        way = velocity * (decay * (1 - math.exp(-(frame - last) / decay)) if decay else 0)
        p = (corners - place(last) - way) @ pose[frame][0].T
        if (p[:, 2] <= 0.01).any():
            out[decay] = None
            continue
        out[decay] = np.column_stack([k["fx"] * p[:, 0] / p[:, 2] + k["cx"], k["fy"] * p[:, 1] / p[:, 2] + k["cy"]])
    return out


def blanks(count, seen, blank):
    """The frames that are made grey: `blank` of them after each `seen`."""
    return {i for start in range(seen, count - blank + 1, seen + blank) for i in range(start, start + blank)}


def tracked(command, folder, truth, grey, work):
    """The tool's lines for the sequence with the frames in `grey` made even grey."""
    frames = os.path.join(work, "frames")
    os.makedirs(frames)
    cv2.imwrite(os.path.join(work, "grey.png"), np.full((truth["height"], truth["width"]), 96, np.uint8))
    for i, frame in enumerate(truth["frames"]):
        source = os.path.join(work, "grey.png") if i in grey else os.path.join(folder, frame["file"])
        os.symlink(os.path.abspath(source), os.path.join(frames, f"{i:05d}{os.path.splitext(source)[1]}"))
    k = truth["intrinsics"]
    arguments = [command, "target", "track", "--format", "json", "--intrinsics", ",".join(str(k[n]) for n in ("fx", "fy", "cx", "cy"))]
    for target in truth["targets"]:
        file = os.path.join(work, target["name"] + ".target")
        picture = os.path.join(folder, target["image"])
        subprocess.run([command, "target", "build", picture, "-o", file, "--name", target["name"]], check=True, capture_output=True)
        arguments += ["--target", file]
    gyro = os.path.join(work, "gyro.csv")
    with open(gyro, "w") as file:
        file.write("time,x,y,z\n" + "".join(",".join(map(str, row)) + "\n" for row in truth["gyro"]))
    done = subprocess.run(arguments + ["--gyro", gyro, frames], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sequences", nargs="+")
    parser.add_argument("--command", required=True, help="the sightline tool, a release build")
    parser.add_argument("--seen", type=int, default=25, help="frames shown between two blanks; default 25")
    parser.add_argument("--blank", type=int, default=15, help="frames of a blank; default 15, half a second")
    parser.add_argument("--rows", help="writes every carried frame as a line of JSON to this file")
    options = parser.parse_args()
    errors, ratios, best = {}, {}, {}
    stretches = dropped = 0
    rows = open(options.rows, "w") if options.rows else None
    for folder in options.sequences:
        with open(os.path.join(folder, "truth.json")) as file:
            truth = json.load(file)
        grey = blanks(len(truth["frames"]), options.seen, options.blank)
        with tempfile.TemporaryDirectory() as work:
            lines = tracked(options.command, folder, truth, grey, work)
        for target in truth["targets"]:
            pose = poses(truth, target)
            for last in (i - 1 for i in sorted(grey) if i - 1 not in grey):
                said = lambda i: next((x for x in lines[i]["targets"] if x["name"] == target["name"]), None)
                before = said(last)
                if before is None or before["state"] == "extrapolated" or pose[last] is None or pose[last - 1] is None:
                    continue
                stretches += 1
                for n in range(1, options.blank + 1):
                    if pose[last + n] is None:
                        continue
                    true = next(np.array(x["corners"]) for x in truth["frames"][last + n]["targets"] if x["name"] == target["name"])
                    carried = said(last + n)
                    if carried is None:
                        dropped += n == options.blank
                        continue
                    error = float(np.linalg.norm(np.array(carried["corners"]) - true, axis=1).mean())
                    errors.setdefault(n, []).append(error)
                    ratios.setdefault(n, []).append(error / max(carried["cornerSigma"], 1e-6))
                    for decay, corners in reckoned(truth, target, pose, last, last + n).items():
                        at_best = 1e3 if corners is None else float(np.linalg.norm(corners - true, axis=1).mean())
                        best.setdefault(n, {}).setdefault(decay, []).append(at_best)
                    if rows:
                        row = dict(sequence=truth.get("sequence", folder), last=last, n=n, error=error, sigma=carried["cornerSigma"],
                                   before=before["corners"], corners=carried["corners"], true=true.tolist())
                        rows.write(json.dumps(row) + "\n")
    if not errors:
        sys.exit("no target was followed up to a blank: are the sequences long enough?")
    print(f"{stretches} stretches, {dropped} given up before their end")
    print("frames   error 25 % / median / 75 % / 90 %, px   error / sigma median / 90 %   at best, median px (decay, frames)")
    for n in (n for n in FRAMES if n in errors):
        q = np.percentile(errors[n], [25, 50, 75, 90])
        r = np.percentile(ratios[n], [50, 90])
        decay, floor = min(((d, np.median(v)) for d, v in best[n].items()), key=lambda x: x[1])
        print(f"{n:6}   {q[0]:6.1f} / {q[1]:6.1f} / {q[2]:6.1f} / {q[3]:6.1f}   {r[0]:24.2f} / {r[1]:5.2f}   {floor:18.1f} ({decay})")


if __name__ == "__main__":
    main()
