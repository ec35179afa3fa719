#!/usr/bin/env python3
"""Where the time of building, searching and following goes, by stage: `perf` looks at what runs two thousand times a second.

    Benchmarks/targets/stages.py --command .build-core/release/sightline [--pattern IMAGE --frames FOLDER] [--out FILE]

Needs Linux' perf, Python with numpy and opencv-contrib-python-headless. Without --pattern and --frames those of table.py are drawn. A sample belongs to the innermost
function of its call stack that is named below; what is outside the engine (decoding pictures, starting the program, writing) is left out.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np

import table

# The first pattern that a function of the stack fits, from the innermost outwards, names the stage.
# By type, or type and beginning of the method, as in Swift's mangled names.
STAGES = [
    ("halving the frame", "FramePyramid|GrayImageV7setHalf"),
    ("patches of the reference chosen and warped", "PatchSet|PatchChooser|Smear"),
    ("patches compared with the frame", "AlignerC7compare|AlignerC6search"),
    ("equations gathered and solved", "Aligner|NormalEquations"),
    ("scale space", "ScaleSpace"),
    ("directions and descriptors", "DescriptorSampler|FeatureExtractorC6append"),
    ("spots found and chosen", "FeatureExtractor"),
    ("index: words and neighbours", "DescriptorIndex|Vocabulary|SignatureChooser"),
    ("votes, candidates and guesses", "CandidateFinder|Hypothesis|HypothesisFinder|PoseVotes|GuidedMatcher|PlainMatcher"),
    ("reference coded and decoded", "PictureCoder|RangeCoder|RangeDecoder|RangeEncoder|CosineTransform|PictureModel"),
    ("rating", "TargetRating"),
    ("pyramid and worth of the reference", "ReferencePyramid"),
    ("picture resized", "FloatPicture"),
    ("surroundings learned", "Surroundings"),
]
PATTERNS = [(name, re.compile(r"\$s\d+Sightline[A-Z][a-z]+\d+(?:" + pattern + ")")) for name, pattern in STAGES]
REST = "the rest"


def stages(arguments, root):
    """Milliseconds of CPU by stage inside the functions that `root` fits."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "perf.data")
        subprocess.run(["perf", "record", "-q", "-F", "2000", "-g", "-o", data, *arguments], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], check=True, capture_output=True, text=True).stdout
    counts = collections.Counter()
    inside = re.compile(root)
    for sample in text.split("\n\n"):
        names = [line.split(maxsplit=1)[1] for line in sample.strip().splitlines() if len(line.split(maxsplit=1)) == 2]
        if not any(inside.search(name) for name in names):
            continue
        # Only what is called from there: innermost first.
        end = max(k for k, name in enumerate(names) if inside.search(name))
        stage = next((stage for name in names[:end + 1] for stage, pattern in PATTERNS if pattern.match(name)), REST)
        counts[stage] += 0.5
    return counts


def report(title, unit, counts, number):
    total = sum(counts.values())
    if total == 0:
        sys.exit(f"{title}: perf saw nothing; are there symbols in the program?")
    lines = [f"**{title}**: {total / number:.2f} ms for {unit} ({2 * total:.0f} samples)\n", "| stage | ms | share |", "|---|---:|---:|"]
    for stage, value in counts.most_common():
        lines.append(f"| {stage} | {value / number:.3f} | {100 * value / total:.1f} % |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program")
    parser.add_argument("--pattern", help="a picture; without, one is drawn")
    parser.add_argument("--frames", help="folder of frames that show it; without, they are drawn")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", help="write the tables there as well")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pattern, frames = a.pattern or os.path.join(folder, "pattern.png"), a.frames or os.path.join(folder, "frames")
        if a.pattern is None:
            rng = np.random.default_rng(2014)
            picture = table.drawn(rng, 400, 300, 170)
            cv2.imwrite(pattern, picture)
            os.mkdir(frames)
            for k, (frame, _) in enumerate(table.make_frames(rng, picture, 108)):
                cv2.imwrite(os.path.join(frames, f"{k:04d}.png"), frame)
        count = len([name for name in os.listdir(frames) if name.lower().endswith((".png", ".jpg", ".jpeg", ".pgm"))])
        target, many = os.path.join(folder, "a.target"), os.path.join(folder, "many")
        subprocess.run([a.command, "target", "build", pattern, "-o", target, "--name", "a"], check=True, stderr=subprocess.DEVNULL)
        os.mkdir(many)
        os.link(target, os.path.join(many, "a.target"))
        files = [os.path.join(frames, name) for name in sorted(os.listdir(frames))]
        total = lambda arguments, root: sum((stages(arguments, root) for _ in range(a.repeat)), collections.Counter())
        text = report("Following one target", "a frame", total([a.command, "target", "track", "--target", target, frames], r"TargetTrackerC7process"), a.repeat * count)
        text += "\n" + report("Searching for one target, each frame for itself", "a frame", total(
            [a.command, "target", "recognize", "--database", many, *files], r"TargetRecognizerC9recognize"), a.repeat * count)
        counts = collections.Counter()
        for _ in range(a.repeat * 4):
            counts += stages([a.command, "target", "build", pattern, "-o", target, "--name", "a"], r"TargetBuilderV4file")
        text += "\n" + report("Building one target", "a picture", counts, a.repeat * 4)
    print(text, end="")
    if a.out:
        with open(a.out, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
