#!/usr/bin/env python3
"""What more targets cost: recognition and search among 1, 20, 100, 300 and 1,000 posters, with ORB's brute force on the same frames.

    Benchmarks/targets/scaling.py --command .build-core/release/sightline [--counts 1,20,100,300,1000] [--seed N] [--frames N] [--out FILE]

Needs Python with numpy and opencv-contrib-python-headless. Posters and frames are drawn from the seed (shapes, lines of words, smooth ground); each
frame shows one known poster, or one that is not in the database (a third), turned by any angle, tilted to 40 degrees, 110 to 420 pixels wide, over
a wall of other shapes, with noise, blur and dim light; 640 x 480. Times are CPU time of one thread; memory is the whole process's largest (Linux). `track` looks for all targets at once in frames one after another: what counts there is the longest frame, and after how many the poster is found.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
import cv2
import numpy as np

from table import HEIGHT, WIDTH, drawn

cv2.setNumThreads(1)
WORDS = "harbour autumn river concert garden museum north bridge theatre signal paper orange night island bread city lantern meadow copper tundra".split()
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def poster(seed, index):
    """One of the posters of a seed: a smooth ground, few or many shapes, some lines of words."""
    rng = np.random.default_rng([seed, index])
    width, height = (480, 340) if rng.random() < 0.4 else (360, 480)
    ground = cv2.resize(rng.uniform(40, 215, (4, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    shapes = drawn(rng, width, height, int(rng.integers(6, 90))).astype(np.float32)
    image = np.clip(np.where(np.abs(shapes - 120) < 2, ground, shapes), 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 9))):
        text = " ".join(rng.choice(WORDS, int(rng.integers(1, 4))))
        size, thick = rng.uniform(0.5, 1.9), int(rng.integers(1, 4))
        place = (int(rng.uniform(0, width * 0.5)), int(rng.uniform(20, height)))
        cv2.putText(image, text, place, FONTS[rng.integers(len(FONTS))], size, int(rng.choice([5, 30, 225, 250])), thick, cv2.LINE_AA)
    return image


def seen(rng, picture, wall, tilt=40, size=(110, 420), light=0.45, blur=1.1, noise=3):
    """A frame that shows a poster on a wall, with its corners.

    `tilt` is the most in degrees, `size` the poster's longer side in pixels, `light` the least share of it, `blur` the most in
    pixels (standard deviation), `noise` in grey levels (standard deviation).
    """
    height, width = picture.shape
    focal, roll, tilt = 600.0, rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(0, tilt))
    c, s = math.cos(roll), math.sin(roll)
    axis = rng.uniform(0, 2 * math.pi)
    a, b = math.cos(axis), math.sin(axis)
    about = np.array([[a, -b, 0], [b, a, 0], [0, 0, 1]])
    lean = about @ np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]]) @ about.T
    rotation = lean @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    unit = rng.uniform(*size) / max(width, height) / focal
    plane = np.array([[unit, 0, -unit * (width - 1) / 2], [0, unit, -unit * (height - 1) / 2], [0, 0, 1]])
    middle = np.array([rng.uniform(-110, 110) / focal, rng.uniform(-70, 70) / focal, 1.0])
    camera = np.array([[focal, 0, (WIDTH - 1) / 2], [0, focal, (HEIGHT - 1) / 2], [0, 0, 1]])
    homography = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], middle]) @ plane
    # Drawn twice as large and averaged: a print seen from far is not sampled, it is blurred.
    double = np.diag([2, 2, 1]) @ np.array([[1, 0, 0.25], [0, 1, 0.25], [0, 0, 1]]) @ homography
    big = cv2.warpPerspective(picture, double, (2 * WIDTH, 2 * HEIGHT), flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full_like(picture, 255), double, (2 * WIDTH, 2 * HEIGHT))
    big, mask = (cv2.resize(i, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32) for i in (big, mask))
    frame = wall * (1 - mask / 255) + big * (mask > 0) * 1.0
    frame = cv2.GaussianBlur(frame * rng.uniform(light, 1.1), (0, 0), rng.uniform(0.4, blur)) + rng.normal(0, noise, frame.shape)
    corners = np.array([[-.5, -.5, 1], [width - .5, -.5, 1], [width - .5, height - .5, 1], [-.5, height - .5, 1]]) @ homography.T
    return np.clip(frame, 0, 255).astype(np.uint8), corners[:, :2] / corners[:, 2:]


def run(arguments):
    """Standard output, CPU seconds and largest memory in MB of a process of its own."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(arguments, stdout=out, stderr=subprocess.DEVNULL)
        memory, status, usage = 0.0, None, None
        while not status:
            # What wait4 tells counts this program, which the other one came from; the kernel's own mark only grows.
            try:
                with open(f"/proc/{process.pid}/status") as file:
                    memory = max(memory, *(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM")), 0.0)
            except (OSError, TypeError):
                pass
            pid, code, usage = os.wait4(process.pid, os.WNOHANG)
            status = (code,) if pid else None
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status[0])
        if process.returncode != 0:
            sys.exit(f"{' '.join(arguments[:4])} ... ended with {process.returncode}")
        out.seek(0)
        return out.read().decode(), usage.ru_utime + usage.ru_stime, memory


def is_right(corners, truth):
    distance = np.linalg.norm(np.array(corners) - truth, axis=1).mean()
    diagonal = (np.linalg.norm(truth[0] - truth[2]) + np.linalg.norm(truth[1] - truth[3])) / 2
    return distance < 3 and distance < 0.05 * diagonal


class Orb:
    """Each target's features against the frame's, one after another."""

    def __init__(self, pictures):
        self.orb, self.matcher = cv2.ORB_create(500), cv2.BFMatcher(cv2.NORM_HAMMING)
        self.known = [self.orb.detectAndCompute(picture, None) for picture in pictures]

    def recognize(self, frame):
        points, there = self.orb.detectAndCompute(frame, None)
        best, name = 11, None
        for index, (known, described) in enumerate(self.known):
            if described is None or there is None or len(points) < 8:
                continue
            good = [p[0] for p in self.matcher.knnMatch(described, there, 2) if len(p) == 2 and p[0].distance < 0.8 * p[1].distance]
            if len(good) <= best:
                continue
            a = np.float32([known[m.queryIdx].pt for m in good])
            b = np.float32([points[m.trainIdx].pt for m in good])
            found, mask = cv2.findHomography(a, b, cv2.RANSAC, 3.0)
            if found is not None and int(mask.sum()) > best:
                best, name = int(mask.sum()), index
        return name


def measure(a, folder, count, pictures):
    rng = np.random.default_rng([a.seed, 10_000_000 + count])
    database, frames, one = (os.path.join(folder, f"{kind}-{count}") for kind in ("database", "frames", "one"))
    for path in (database, frames, one):
        os.makedirs(path, exist_ok=True)
    for index in range(count):
        os.link(os.path.join(folder, f"{index}.target"), os.path.join(database, f"{index:05d}.target"))
    shown = []
    for k in range(a.frames):
        index = None if k % 3 == 2 else int(rng.integers(count))
        picture = poster(a.seed, 1_000_000 + k) if index is None else pictures[index]
        frame, truth = seen(rng, picture, drawn(rng, WIDTH, HEIGHT, 90))
        shown.append((index, truth, frame))
        cv2.imwrite(os.path.join(frames, f"{k:04d}.png"), frame)
    files = [os.path.join(frames, f"{k:04d}.png") for k in range(a.frames)]
    text, _, memory = run([a.command, "target", "recognize", "--database", database, "--format", "json", *files])
    times, named, posed, wrong, unknown = [], 0, 0, 0, 0
    for line, (index, truth, _) in zip(text.splitlines(), shown):
        answer = json.loads(line)
        times.append(answer["milliseconds"])
        mine = [t for t in answer["targets"] if index is not None and t["name"] == str(index)]
        named += bool(mine)
        posed += bool(mine) and is_right(mine[0]["corners"], truth)
        wrong += any(t["name"] != str(index) for t in answer["targets"]) and index is not None
        unknown += bool(answer["targets"]) and index is None
    targets = [word for k in range(count) for word in ("--target", os.path.join(database, f"{k:05d}.target"))]
    found, longest = [], 0.0
    for index, _, still in [row for row in shown if row[0] is not None][:a.searches]:
        for k in range(20):
            noisy = np.clip(still + rng.normal(0, 1.5, still.shape), 0, 255).astype(np.uint8)
            cv2.imwrite(os.path.join(one, f"{k:04d}.png"), noisy)
        rows = [json.loads(line) for line in run([a.command, "target", "track", *targets, "--format", "json", one])[0].splitlines()]
        first = next((row["frame"] for row in rows if any(t["name"] == str(index) for t in row["targets"])), None)
        longest = max(longest, *(row["milliseconds"] for row in rows[:len(rows) if first is None else first + 1]))
        found += [] if first is None else [first + 1]
    result = dict(count=count, times=times, named=named, posed=posed, wrong=wrong, unknown=unknown, memory=memory, found=found,
                  known=sum(i is not None for i, _, _ in shown), frame=longest)
    orb = Orb(pictures[:count])
    few = [(i, f) for i, _, f in shown if i is not None][:a.peer_frames]
    start = time.thread_time()
    right = sum(orb.recognize(frame) == i for i, frame in few)
    result.update(peer=(time.thread_time() - start) / len(few) * 1e3, peer_right=right, peer_frames=len(few))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program")
    parser.add_argument("--counts", default="1,20,100,300,1000")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--frames", type=int, default=90)
    parser.add_argument("--searches", type=int, default=6, help="posters looked for in frames one after another")
    parser.add_argument("--peer-frames", type=int, default=12)
    parser.add_argument("--out", help="write the table there as well")
    a = parser.parse_args()
    counts = sorted(int(n) for n in a.counts.split(","))
    with tempfile.TemporaryDirectory() as folder:
        pictures, sizes, seconds = [], [], []
        for index in range(counts[-1]):
            pictures.append(poster(a.seed, index))
            picture, target = (os.path.join(folder, f"{index}.{kind}") for kind in ("png", "target"))
            cv2.imwrite(picture, pictures[-1])
            seconds.append(run([a.command, "target", "build", picture, "-o", target, "--name", str(index)])[1])
            sizes.append(os.path.getsize(target))
        results = []
        for count in counts:
            print(count, file=sys.stderr)
            results.append(measure(a, folder, count, pictures))
    text = f"""Made by `Benchmarks/targets/scaling.py --seed {a.seed} --frames {a.frames}`: posters drawn from the seed, {a.frames} frames for each number of targets, a third of them with a poster that is not known.
A target takes {statistics.median(seconds):.3f} s to build (CPU of the whole process, median) and {statistics.mean(sizes) / 1000:.1f} kB. ORB (500 features, brute force against one target after another, OpenCV {cv2.__version__}): {results[0]['peer_frames']} of the frames with a known poster.

| targets | right name | right pose | wrong name | unknown poster named | recognise ms, median (p95) | memory of the process | searched in a film: found in frame, median | longest frame until then, ms | ORB: right name | ORB ms | ORB's time / ours |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""
    for r in results:
        middle = statistics.median(r["times"])
        late = float(np.percentile(r["times"], 95))
        strangers = a.frames - r["known"]
        text += (f"| {r['count']:,} | {100 * r['named'] / r['known']:.1f} % | {100 * r['posed'] / r['known']:.1f} % | {r['wrong']} of {r['known']} | {r['unknown']} of {strangers} | "
                 f"{middle:.1f} ({late:.1f}) | {r['memory']:.0f} MB | {statistics.median(r['found']) if r['found'] else math.nan:g} ({len(r['found'])} of {a.searches}) | {r['frame']:.1f} | "
                 f"{100 * r['peer_right'] / r['peer_frames']:.0f} % | {r['peer']:.0f} | {r['peer'] / middle:.1f} |\n")
    print(text, end="")
    if a.out:
        with open(a.out, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
