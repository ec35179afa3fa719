#!/usr/bin/env python3
"""Whether a target's rating says how well it is found: stars against the share of frames in which it is recognised, and what each reason is worth.

    Benchmarks/targets/rating.py --command .build-core/release/sightline [--seed N] [--posters N] [--frames N] [--out FILE]

Needs Python with numpy and opencv-contrib-python-headless. Posters of eight kinds are drawn from the seed: rich, plain, words, a tiled pattern, a tiled pattern with
something else on it, faint, everything in one corner, smooth ground. Each is seen alone in frames that get hard: 60 to 330 pixels wide, tilted to 65 degrees, any turn,
noise, blur, dim light. The picture is taken for found when its corners are less than 3 pixels off in the mean. Printed: Spearman's rank correlation of stars and share of frames, a table of
shares by stars, and for each reason how often it is given, and the share of frames of posters with it beside those of posters without any reason.
"""
import argparse
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np

from scaling import FONTS, HEIGHT, WIDTH, WORDS, is_right, seen
from table import drawn

# Frames that get harder than those of scaling.py.
HARD = {"tilt": 65, "size": (60, 330), "light": 0.3, "blur": 1.8, "noise": 4}
KINDS = ("rich", "plain", "words", "tiles", "tiles+", "faint", "corner", "smooth")


def ground(rng, width, height, low=60, high=200):
    return cv2.resize(rng.uniform(low, high, (4, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)


def poster(seed, index):
    """A poster of a kind that the index says, and the kind."""
    rng = np.random.default_rng([seed, index])
    kind = KINDS[index % len(KINDS)]
    width, height = (480, 340) if rng.random() < 0.4 else (360, 480)
    image = ground(rng, width, height)
    put = lambda shapes, onto: np.where(np.abs(shapes.astype(np.float32) - 120) < 2, onto, shapes)
    if kind in ("rich", "faint"):
        image = put(drawn(rng, width, height, int(rng.integers(50, 120))), image)
    elif kind == "plain":
        image = put(drawn(rng, width, height, int(rng.integers(1, 9))), image)
    elif kind == "words":
        image = ground(rng, width, height, 215, 240).astype(np.uint8)
        y = 20
        while y < height - 8:
            size = rng.choice([0.35, 0.45, 0.6, 1.1])
            text = " ".join(rng.choice(WORDS, 9))
            cv2.putText(image, text, (10, int(y)), FONTS[rng.integers(len(FONTS))], float(size), 1, 30, 1, cv2.LINE_AA)
            y += 34 * size + 3
    elif kind in ("tiles", "tiles+"):
        side = int(rng.integers(28, 80))
        tile = put(drawn(rng, side, side, 8), np.full((side, side), 190, np.float32))
        image = np.tile(tile, (height // side + 1, width // side + 1))[:height, :width].astype(np.float32)
        if kind == "tiles+":
            w, h = width // 2, height // 2
            x, y = int(rng.integers(0, width - w)), int(rng.integers(0, height - h))
            image[y:y + h, x:x + w] = put(drawn(rng, w, h, 40), image[y:y + h, x:x + w] * 0 + 150)
    elif kind == "corner":
        w, h = width // 3, height // 3
        image[:h, :w] = put(drawn(rng, w, h, 40), image[:h, :w])
    if kind == "faint":
        image = 128 + (image.astype(np.float32) - 128) * rng.uniform(0.05, 0.25)
    return np.clip(image, 0, 255).astype(np.uint8), kind


def ranks(values):
    """Ranks from 0, equal values sharing theirs."""
    values = np.asarray(values, float)
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(values))
    rank[order] = np.arange(len(values))
    return np.array([rank[values == v].mean() for v in values])


def spearman(a, b):
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program")
    parser.add_argument("--seed", type=int, default=71)
    parser.add_argument("--posters", type=int, default=64)
    parser.add_argument("--frames", type=int, default=10, help="for each poster")
    parser.add_argument("--out", help="write the tables there as well")
    parser.add_argument("--json", help="write each poster's figures there, a line each")
    a = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for index in range(a.posters):
            picture, kind = poster(a.seed, index)
            rng = np.random.default_rng([a.seed, 1_000_000 + index])
            database = os.path.join(folder, str(index))
            os.mkdir(database)
            file = os.path.join(folder, "poster.png")
            cv2.imwrite(file, picture)
            subprocess.run([a.command, "target", "build", file, "-o", os.path.join(database, "a.target"), "--name", "a"], check=True, capture_output=True)
            rated = json.loads(subprocess.run([a.command, "target", "rate", "--format", "json", file], check=True, capture_output=True, text=True).stdout)
            frames, truth = [], []
            for k in range(a.frames):
                frame, corners = seen(rng, picture, drawn(rng, WIDTH, HEIGHT, 90), **HARD)
                frames.append(os.path.join(folder, f"{k}.png"))
                cv2.imwrite(frames[-1], frame)
                truth.append(corners)
            text = subprocess.run([a.command, "target", "recognize", "--database", database, "--format", "json", *frames], check=True, capture_output=True, text=True).stdout
            found = [any(is_right(t["corners"], corners) for t in json.loads(line)["targets"]) for line, corners in zip(text.splitlines(), truth)]
            rows.append({"kind": kind, "stars": rated["stars"], "reasons": rated["reasons"], "share": sum(found) / len(found)})
    if a.json:
        with open(a.json, "w") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
    share = lambda some: f"{100 * np.mean([r['share'] for r in some]):.0f} %" if some else "–"
    lines = [f"{a.posters} posters of seed {a.seed}, {a.frames} frames each. Spearman's rank correlation of stars and share of frames in which the poster is found: "
             f"**{spearman([r['stars'] for r in rows], [r['share'] for r in rows]):.2f}**.\n", "| stars | posters | found in |", "|---|---:|---:|"]
    for low in range(5):
        some = [r for r in rows if low <= r["stars"] < low + 1 or low == 4 and r["stars"] == 5]
        lines.append(f"| {low} to {low + 1} | {len(some)} | {share(some)} |")
    free = [r for r in rows if not r["reasons"]]
    usual = float(np.median([r["share"] for r in free])) if free else 1.0
    lines += ["", f"Posters without a reason: {len(free)}, found in {share(free)} of the frames.\n",
              "| reason | posters | found in | of these found less often than the median without a reason |", "|---|---:|---:|---:|"]
    for reason in sorted({reason for r in rows for reason in r["reasons"]}):
        some = [r for r in rows if reason in r["reasons"]]
        lines.append(f"| {reason} | {len(some)} | {share(some)} | {100 * np.mean([r['share'] < usual for r in some]):.0f} % |")
    lines += ["", "| kind | posters | stars | found in | reasons |", "|---|---:|---:|---:|---|"]
    for kind in KINDS:
        some = [r for r in rows if r["kind"] == kind]
        if some:
            counts = {reason: sum(reason in r["reasons"] for r in some) for reason in sorted({x for r in some for x in r["reasons"]})}
            lines.append(f"| {kind} | {len(some)} | {np.mean([r['stars'] for r in some]):.1f} | {share(some)} | {', '.join(f'{k} {v}' for k, v in counts.items())} |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if a.out:
        with open(a.out, "w") as out:
            out.write(text)


if __name__ == "__main__":
    main()
