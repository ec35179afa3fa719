#!/usr/bin/env python3
"""A moving marker followed by `sightline markers track`, beside OpenCV's detector on the same frames.

    pip install numpy pillow opencv-contrib-python-headless
    swift build -c release --product sightline
    Benchmarks/markers/tracking.py --command .build/release/sightline --tools ../shared/tools \\
        --assets ../shared/data/targets/assets --seed 1 [--scenarios handheld,rotate] [--dictionary 6x6-250 --id 23]

The tools' make_targets.py draws sequences of 640x480 with a marker in the place of a picture (exact corners, shutter, noise, JPEG,
gyroscope); `--sequences FOLDER` takes those of an earlier run, `--keep FOLDER` leaves them. For each scenario and over all:

  seen       frames with at least 95 % of the marker's picture inside in which it is reported with its id, no corner off by more than
             max(3 px, 15 % of the side)
  wrong      reports of another id, or where no marker is
  corner     median distance of a corner from its true place, pixels
  jitter     at rest (only the noise differs): root mean square distance of each corner from its own mean, pixels
  first      frame of the first right report
  ms         median and 95th percentile of a frame

OpenCV (`ArucoDetector` as it comes) searches each frame anew: it has no tracker.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np

# Cells of white around the marker in the drawn picture, and pixels of a cell.
MARGIN, CELL = 2, 60


def marker(dictionary, number, path):
    """Draws the marker with its margin; the places of its corners in the picture."""
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, "DICT_" + dictionary.upper().replace("-", "_")))
    cells = family.markerSize + 2
    picture = np.full(((cells + 2 * MARGIN) * CELL,) * 2, 255, np.uint8)
    low, high = MARGIN * CELL, (MARGIN + cells) * CELL
    picture[low:high, low:high] = cv2.aruco.generateImageMarker(family, number, cells * CELL)
    cv2.imwrite(str(path), picture)
    corners = np.array([[low, low], [high, low], [high, high], [low, high]], float) - 0.5
    return corners, picture.shape[0], family


def projected(homography, points):
    p = np.column_stack([points, np.ones(len(points))]) @ np.array(homography).reshape(3, 3).T
    return p[:, :2] / p[:, 2:]


def side(corners):
    return max(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1))


def is_right(seen, truth):
    return np.linalg.norm(seen - truth, axis=1).max() <= max(3, 0.15 * side(truth))


class Score:
    """What one tracker made of some frames."""

    def __init__(self):
        self.wanted = self.seen = self.wrong = 0
        self.errors, self.squares, self.first, self.milliseconds, self.largest = [], [], [], [], 0

    def take(self, frames, reports, number):
        """`frames`: segment and true corners (or None); `reports`: (id, corners) of each frame."""
        rest, first = {}, None
        for index, ((segment, truth, is_whole), found) in enumerate(zip(frames, reports)):
            right = None
            for identity, corners in found:
                if identity == number and truth is not None and is_right(corners, truth):
                    right = corners
                else:
                    self.wrong += 1
            if not is_whole:
                continue
            self.wanted += 1
            if right is None:
                continue
            self.seen += 1
            first = index if first is None else first
            self.errors += list(np.linalg.norm(right - truth, axis=1))
            if segment[0] == "rest":
                rest.setdefault(segment, []).append(right)
        self.first.append(first)
        for run in rest.values():
            # The first two frames of a rest are still those of its end of a movement.
            if len(run) >= 7:
                still = np.array(run[2:])
                self.squares += list(((still - still.mean(0)) ** 2).sum(2).ravel())

    def row(self, name):
        share = f"{100 * self.seen / self.wanted:.1f} % of {self.wanted}" if self.wanted else "-"
        error = f"{np.median(self.errors):.3f}" if self.errors else "-"
        jitter = f"{math.sqrt(np.mean(self.squares)):.4f}" if self.squares else "-"
        first = "/".join("never" if f is None else str(f) for f in self.first)
        times = f"{np.median(self.milliseconds):.3f} / {np.percentile(self.milliseconds, 95):.3f}"
        return f"{name:34s} seen {share:17s} wrong {self.wrong:3d}  corner {error}  jitter {jitter:7s} first {first}  ms {times}"

    def add(self, other):
        self.wanted += other.wanted
        self.seen += other.seen
        self.wrong += other.wrong
        for name in ("errors", "squares", "first", "milliseconds"):
            getattr(self, name).extend(getattr(other, name))


def frames_of(truth, corners, number):
    """Segment with its run's number, true corners, and whether the whole marker is in view, for each frame."""
    out, run, before = [], 0, None
    for frame in truth["frames"]:
        run += frame["segment"] != before
        before = frame["segment"]
        seen = frame["targets"][0]
        place = projected(seen["homography"], corners) if seen.get("homography") and seen["status"] != "absent" else None
        out.append(((frame["segment"], run), place, place is not None and seen["visible"] >= 0.95))
    return out


def ours(command, folder, truth, dictionary, length):
    k = truth["intrinsics"]
    gyro = folder / "gyro.csv"
    gyro.write_text("time,x,y,z\n" + "".join(",".join(map(str, row)) + "\n" for row in truth["gyro"]))
    run = subprocess.run(
        [*command, "markers", "track", "--dictionary", dictionary, "--format", "json", "--marker-length", str(length),
         "--intrinsics", ",".join(str(k[name]) for name in ("fx", "fy", "cx", "cy")), "--gyro", str(gyro), str(folder)],
        check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    reports = [[(m["id"], np.array(m["corners"])) for m in line["markers"] if m["state"] != "expected"] for line in lines]
    return reports, [line["milliseconds"] for line in lines]


def opencv(folder, truth, family):
    cv2.setNumThreads(1)
    detector = cv2.aruco.ArucoDetector(family, cv2.aruco.DetectorParameters())
    reports, milliseconds = [], []
    for frame in truth["frames"]:
        picture = cv2.imread(str(folder / frame["file"]), cv2.IMREAD_GRAYSCALE)
        start = time.thread_time()
        corners, ids, _ = detector.detectMarkers(picture)
        milliseconds.append((time.thread_time() - start) * 1000)
        reports.append([(int(i), c[0].astype(float)) for i, c in zip([] if ids is None else ids.ravel(), corners)])
    return reports, milliseconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline executable")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="folder with make_targets.py")
    parser.add_argument("--assets", help="folder of the pictures that make_targets.py composes from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenarios", default="handheld,scale,rotate,tilt,fast,leave")
    parser.add_argument("--frames", default="90-110")
    parser.add_argument("--dictionary", default="6x6-250", help="one of OpenCV's with the same name")
    parser.add_argument("--id", type=int, default=23)
    parser.add_argument("--sequences", type=pathlib.Path, help="made before, with the same dictionary and id")
    parser.add_argument("--keep", type=pathlib.Path, help="folder to leave the sequences in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.sequences or options.keep or pathlib.Path(scratch) / "sequences"
        picture = pathlib.Path(scratch) / "marker.png"
        corners, width, family = marker(options.dictionary, options.id, picture)
        if not options.sequences:
            if not options.assets:
                parser.error("--assets is needed to make sequences")
            subprocess.run(
                [sys.executable, str(options.tools / "make_targets.py"), "sequences", "--seed", str(options.seed), "--out", str(folder),
                 "--assets", options.assets, "--scenarios", options.scenarios, "--frames", options.frames,
                 "--target-image", str(picture), "--target-name", "marker"],
                check=True, stdout=subprocess.DEVNULL)
        totals = {"sightline": Score(), "opencv": Score()}
        for path in sorted(folder.glob("*/truth.json")):
            truth = json.loads(path.read_text())
            target = truth["targets"][0]
            # The picture may have been made smaller: pixels span from -0.5 to width - 0.5.
            places = (corners + 0.5) * target["width"] / width - 0.5
            frames = frames_of(truth, places, options.id)
            length = target["meters"] * (corners[1, 0] - corners[0, 0]) / width
            results = {"sightline": ours([options.command], path.parent, truth, options.dictionary, length),
                       "opencv": opencv(path.parent, truth, family)}
            for name, (reports, milliseconds) in results.items():
                score = Score()
                score.take(frames, reports, options.id)
                score.milliseconds = milliseconds
                print(score.row(f"{name} {truth['scenario']}"), flush=True)
                totals[name].add(score)
        for name, score in totals.items():
            print(score.row(f"{name}, all"))
        ratio = np.median(totals["opencv"].milliseconds) / np.median(totals["sightline"].milliseconds)
        print(f"a frame takes {ratio:.1f} times as long with OpenCV's detector")


if __name__ == "__main__":
    main()
