#!/usr/bin/env python3
"""The table of the poster apps of 2014 again: one picture found in moving frames by today's OpenCV and by Sightline.

    Benchmarks/targets/table.py --command .build-core/release/sightline [--pattern IMAGE] [--frames N] [--out FOLDER]

Needs Python with numpy and opencv-contrib-python-headless. Writes OUT/detectors.md and OUT/detectors.svg (OUT: Benchmarks/targets). Frames are
640 x 480: the picture turned by 360 degrees, tilted to 24 degrees, at 0.48 to 0.78 of its size over a wall of other shapes, with noise;
drawn from a seed. All times are CPU time of one thread in one run: compare within the table. A pose is right when its
corners are less than 3 pixels off in the mean. SURF, which the table of 2014 had, is in no public build: SIFT stands for it.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
import cv2
import numpy as np

cv2.setNumThreads(1)
clock = time.thread_time
WIDTH, HEIGHT = 640, 480


def drawn(rng, width, height, shapes):
    """Discs and boxes of many sizes and grey levels, slightly blurred."""
    image = np.full((height, width), 120, np.uint8)
    for k in range(shapes):
        x, y = int(rng.uniform(0, width)), int(rng.uniform(0, height))
        size, level = rng.uniform(3, 34), int(rng.uniform(10, 245))
        if k % 2:
            cv2.ellipse(image, (x, y), (int(size), max(2, int(size * rng.uniform(.4, 1)))), rng.uniform(0, 180), 0, 360, level, -1)
        else:
            box = cv2.boxPoints(((x, y), (size * 2, size * rng.uniform(.6, 2)), rng.uniform(0, 90)))
            cv2.fillPoly(image, [box.astype(np.int32)], level)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def make_frames(rng, pattern, count):
    """Frames with the corners of the pattern in them."""
    height, width = pattern.shape
    wall = drawn(rng, WIDTH, HEIGHT, 90)
    focal, result = 600.0, []
    for k in range(count):
        t = k / count
        roll, tilt = 2 * math.pi * t, math.radians(24) * math.sin(6 * math.pi * t)
        scale = 0.63 + 0.15 * math.sin(4 * math.pi * t + 1)
        c, s = math.cos(roll), math.sin(roll)
        spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
        rotation = spin @ lean
        unit = scale * 400 / max(width, height) / focal
        plane = np.array([[unit, 0, -unit * (width - 1) / 2], [0, unit, -unit * (height - 1) / 2], [0, 0, 1]])
        middle = np.array([(90 * math.sin(2 * math.pi * t)) / focal, (50 * math.cos(6 * math.pi * t)) / focal, 1.0])
        camera = np.array([[focal, 0, (WIDTH - 1) / 2], [0, focal, (HEIGHT - 1) / 2], [0, 0, 1]])
        homography = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], middle]) @ plane
        big = cv2.warpPerspective(pattern, homography, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(pattern, 255), homography, (WIDTH, HEIGHT)).astype(np.float32) / 255
        frame = wall * (1 - mask) + big * mask + rng.normal(0, 3, wall.shape)
        corners = np.array([[-.5, -.5], [width - .5, -.5], [width - .5, height - .5], [-.5, height - .5]])
        seen = np.c_[corners, np.ones(4)] @ homography.T
        result.append((np.clip(frame, 0, 255).astype(np.uint8), seen[:, :2] / seen[:, 2:]))
    return result


def contrib(name, *arguments, **options):
    made = getattr(getattr(cv2, "xfeatures2d", cv2), name, None) or getattr(cv2, name, None)
    return made(*arguments, **options) if made else None


def kd_tree():
    return cv2.FlannBasedMatcher(dict(algorithm=1, trees=4), dict(checks=50))


def lsh():
    return cv2.FlannBasedMatcher(dict(algorithm=6, table_number=12, key_size=20, multi_probe_level=2), dict(checks=50))


def brute(norm):
    return cv2.BFMatcher(norm)


def methods():
    """Name, detector, descriptor, matcher; those that this OpenCV has."""
    sift, freak = cv2.SIFT_create(1000), contrib("FREAK_create")
    akaze = contrib("AKAZE_create", threshold=0.0012)
    star, brisk = contrib("StarDetector_create"), contrib("BRISK_create", 45)
    rows = [
        ("SIFT + FLANN kd-tree", sift, sift, kd_tree()),
        ("SIFT + BF", sift, sift, brute(cv2.NORM_L2)),
        ("SIFT + FREAK + BF", sift, freak, brute(cv2.NORM_HAMMING)),
        ("CenSurE + FREAK + BF", star, freak, brute(cv2.NORM_HAMMING)),
        ("AKAZE + BF", akaze, akaze, brute(cv2.NORM_HAMMING)),
        ("BRISK + BF", brisk, brisk, brute(cv2.NORM_HAMMING)),
        ("ORB (500) + BF", cv2.ORB_create(500), cv2.ORB_create(500), brute(cv2.NORM_HAMMING)),
        ("ORB (500) + FLANN LSH", cv2.ORB_create(500), cv2.ORB_create(500), lsh()),
        ("ORB (1,000) + BF", cv2.ORB_create(1000), cv2.ORB_create(1000), brute(cv2.NORM_HAMMING)),
    ]
    return [row for row in rows if row[1] is not None and row[2] is not None]


def with_features(pattern, frames, detector, descriptor, matcher):
    """What OpenCV's features find, frame by frame."""
    known, described = descriptor.compute(pattern, detector.detect(pattern))
    height, width = pattern.shape
    corners = np.float32([[-.5, -.5], [width - .5, -.5], [width - .5, height - .5], [-.5, height - .5]])
    rows = []
    for frame, _ in frames:
        start = clock()
        points = detector.detect(frame)
        detected = clock()
        points, there = descriptor.compute(frame, points)
        computed = clock()
        good, quad = [], None
        if there is not None and len(points) > 1:
            pairs = matcher.knnMatch(described, there, 2)
            good = [p[0] for p in pairs if len(p) == 2 and p[0].distance < 0.8 * p[1].distance]
        inliers = 0
        if len(good) >= 8:
            a = np.float32([known[m.queryIdx].pt for m in good])
            b = np.float32([points[m.trainIdx].pt for m in good])
            found, mask = cv2.findHomography(a, b, cv2.RANSAC, 3.0)
            inliers = int(mask.sum()) if mask is not None else 0
            if found is not None and inliers >= 8:
                quad = cv2.perspectiveTransform(corners[None], found)[0]
        end = clock()
        rows.append((end - start, detected - start, computed - detected, end - computed, len(points), inliers, quad))
    return rows


def with_template(pattern, frames):
    """Template matching at five sizes."""
    small = [cv2.resize(pattern, None, fx=s * .25, fy=s * .25, interpolation=cv2.INTER_AREA) for s in (.3, .4, .5, .6, .75)]
    rows = []
    for frame, _ in frames:
        start = clock()
        quarter, best, quad = cv2.resize(frame, None, fx=.25, fy=.25, interpolation=cv2.INTER_AREA), 0.5, None
        for template in small:
            if template.shape[0] > quarter.shape[0] or template.shape[1] > quarter.shape[1]:
                continue
            _, value, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(quarter, template, cv2.TM_CCOEFF_NORMED))
            if value > best:
                h, w = template.shape
                best, quad = value, 4 * np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], float)
        rows.append((clock() - start, None, None, None, None, None, quad))
    return rows


OURS = {
    "sightline": "**Sightline** (follows the picture)", "sightline-search": "Sightline, each frame for itself",
    "fast-bf-cross": "Sightline's study: FAST + binary, BF, cross-check", "fast-bf-ratio": "Sightline's study: FAST + binary, BF, ratio",
    "fast-lsh": "Sightline's study: FAST + binary, LSH", "template": "Sightline's study: template, 5 sizes",
}


def with_sightline(command, pattern, frames):
    """The methods of `sightline target compare`."""
    with tempfile.TemporaryDirectory() as folder:
        cv2.imwrite(os.path.join(folder, "pattern.png"), pattern)
        os.mkdir(os.path.join(folder, "frames"))
        for k, (frame, _) in enumerate(frames):
            cv2.imwrite(os.path.join(folder, "frames", f"{k:04d}.png"), frame)
        text = subprocess.run(
            [command, "target", "compare", "--pattern", os.path.join(folder, "pattern.png"), os.path.join(folder, "frames")],
            check=True, capture_output=True, text=True).stdout
    rows = {}
    for line in text.splitlines():
        r = json.loads(line)
        has = r["keypoints"] > 0
        rows.setdefault(r["method"], []).append((
            r["milliseconds"] / 1e3, *((r[k] / 1e3 if has else None) for k in ("keypoints", "descriptors", "matching")),
            r["found"] if has else None, None if r["method"] == "template" else r["matches"], None if r["corners"] is None else np.array(r["corners"])))
    return [(OURS[name], rows[name]) for name in OURS if name in rows]


def summary(name, rows, frames):
    """Means of one method."""
    def mean(column):
        values = [r[column] for r in rows if r[column] is not None]
        return sum(values) / len(values) if values else None
    right = 0
    for row, (_, truth) in zip(rows, frames):
        right += row[6] is not None and float(np.linalg.norm(row[6] - truth, axis=1).mean()) < 3
    return dict(name=name, frame=mean(0), keypoints=mean(1), descriptors=mean(2), matching=mean(3), count=mean(4),
                matches=mean(5), right=100.0 * right / len(frames))


# What the poster app's authors measured on a phone of 2012 over a minute of camera pictures (Medina Ballester, 2014, table 5.1):
# seconds for a frame, keypoints, descriptors; keypoints, good matches. FREAK stood on SURF's keypoints.
OF_2014 = [
    ("SURF + FLANN", 0.3112, 0.1639, 0.2604, 845, 70.7),
    ("SURF + FREAK", 0.2045, None, 0.0057, None, 27.6),
    ("ORB + FLANN LSH", 0.0878, 0.0255, 0.0150, 481, 59.2),
    ("Vuforia (closed)", 0.0327, None, None, None, None),
]


def markdown(results, pattern, count, reference):
    head = f"""# One picture in {count} frames, by the methods of 2014 and today's

Made by `Benchmarks/targets/table.py`. 640 x 480, one thread, CPU time of one run (OpenCV {cv2.__version__}); compare within the table only. The picture
({pattern}) turns by 360 degrees, tilts to 24 and comes and goes; right: corners less than 3 pixels off in the mean. SIFT stands for SURF.

![time and share of right poses](detectors.svg)

| method | frame s | keypoints s | descriptors s | matching + pose s | keypoints | good matches | right % | time, {reference} = 1 |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""
    base = next(r["frame"] for r in results if r["name"] == reference)
    cell = lambda v, digits: "" if v is None else f"{v:.{digits}f}"
    rows = "".join(
        f"| {r['name']} | {cell(r['frame'], 4)} | {cell(r['keypoints'], 4)} | {cell(r['descriptors'], 4)} | {cell(r['matching'], 4)} | "
        f"{cell(r['count'], 0)} | {cell(r['matches'], 1)} | {r['right']:.1f} | {r['frame'] / base:.2f} |\n" for r in results)
    orb = OF_2014[2][1]
    former = "".join(
        f"| {name} | {cell(frame, 4)} | {cell(keypoints, 4)} | {cell(descriptors, 4)} | {cell(number, 0)} | {cell(matches, 1)} | "
        f"{frame / orb:.2f} |\n" for name, frame, keypoints, descriptors, number, matches in OF_2014)
    return head + rows + f"""
## The same in 2014

On an iPhone 5 (Medina Ballester, *Augmented Reality on Mobile Devices*, 2014, table 5.1). Seconds of another machine, in other pictures: only what each method takes of ORB's time compares.

| method | frame s | keypoints s | descriptors s | keypoints | good matches | time, ORB = 1 |
|---|---:|---:|---:|---:|---:|---:|
{former}"""


def svg(results):
    """For each method the time for a frame on a logarithmic scale with its share of right poses; below, where the time of a frame goes."""
    left, right, top, step = 330, 110, 46, 26
    low, high = -4.0, 0.0
    span = 900 - left - right
    x = lambda s: left + span * (max(low, min(high, math.log10(max(s, 1e-9)))) - low) / (high - low)
    label = lambda r: r["name"].replace("*", "").replace("&", "&amp;")
    split = [r for r in results if r["keypoints"] is not None]
    middle = top + step * len(results) + 30
    height = middle + 60 + step * len(split) + 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {height}" font-family="sans-serif" font-size="13" role="img" '
             'aria-label="Seconds for a frame and share of right poses, by method; shares of keypoints, descriptors and matching">',
             f'<rect width="900" height="{height}" fill="#fff"/>',
             f'<text x="{left}" y="20">seconds for a frame (logarithmic)</text><text x="{900 - right + 14}" y="20">right poses</text>']
    for decade in range(int(low), int(high) + 1):
        parts.append(f'<path d="M{x(10.0 ** decade):.1f} {top - 8}V{middle - 22}" stroke="#ccc"/>'
                     f'<text x="{x(10.0 ** decade):.1f}" y="{middle - 6}" text-anchor="middle">{10.0 ** decade:g}</text>')
    for k, r in enumerate(results):
        y, name = top + step * k, label(r)
        colour = "#0b6" if name.startswith("Sightline (") or name.startswith("Sightline,") else "#79b" if "study" in name else "#999"
        parts.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{name}</text>'
                     f'<rect x="{left}" y="{y}" width="{max(1, x(r["frame"]) - left):.1f}" height="18" fill="{colour}"/>'
                     f'<text x="{900 - right + 14}" y="{y + 13}">{r["right"]:.0f} %</text>')
    stages = [("keypoints", "#469"), ("descriptors", "#c83"), ("matching", "#8a5")]
    at = left
    for stage, colour in stages:
        word = "matching and pose" if stage == "matching" else stage
        parts.append(f'<rect x="{at}" y="{middle + 16}" width="12" height="12" fill="{colour}"/><text x="{at + 18}" y="{middle + 27}">{word}</text>')
        at += 36 + 8 * len(word)
    parts.append(f'<text x="{900 - right + 14}" y="{middle + 27}">keypoints</text>')
    for k, r in enumerate(split):
        y, start = middle + 42 + step * k, float(left)
        parts.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{label(r)}</text>')
        for stage, colour in stages:
            width = span * r[stage] / sum(r[name] for name, _ in stages)
            parts.append(f'<rect x="{start:.1f}" y="{y}" width="{width:.1f}" height="18" fill="{colour}"/>')
            start += width
        parts.append(f'<text x="{900 - right + 14}" y="{y + 13}">{r["count"]:.0f}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program")
    parser.add_argument("--pattern", help="a picture; without, one is drawn")
    parser.add_argument("--frames", type=int, default=108)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    a = parser.parse_args()
    rng = np.random.default_rng(a.seed)
    pattern = drawn(rng, 400, 300, 170) if a.pattern is None else cv2.imread(a.pattern, cv2.IMREAD_GRAYSCALE)
    if pattern is None:
        sys.exit(f"{a.pattern}: no picture that OpenCV can read")
    frames = make_frames(rng, pattern, a.frames)
    results = []
    for name, detector, descriptor, matcher in methods():
        print(name, file=sys.stderr)
        results.append(summary(name, with_features(pattern, frames, detector, descriptor, matcher), frames))
    results.append(summary("template matching, 5 sizes", with_template(pattern, frames), frames))
    print("sightline", file=sys.stderr)
    results += [summary(name, rows, frames) for name, rows in with_sightline(a.command, pattern, frames)]
    os.makedirs(a.out, exist_ok=True)
    shown = "drawn from the seed" if a.pattern is None else os.path.basename(a.pattern)
    with open(os.path.join(a.out, "detectors.md"), "w") as file:
        file.write(markdown(results, shown, a.frames, "ORB (500) + BF"))
    with open(os.path.join(a.out, "detectors.svg"), "w") as file:
        file.write(svg(results))
    print(os.path.join(a.out, "detectors.md"))


if __name__ == "__main__":
    main()
