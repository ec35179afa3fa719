#!/usr/bin/env python3
"""Where the time of building, searching and following goes, by stage: `perf` looks at what runs two thousand times a second.

    Benchmarks/targets/stages.py --command .build-core/release/sightline [--pattern IMAGE --frames FOLDER] [--out FILE]

Needs Linux' perf, Python with numpy and opencv-contrib-python-headless. Without --pattern and --frames those of table.py are drawn. A sample belongs to the innermost
function of its call stack that is named below; what is outside the engine (decoding pictures, starting the program, writing) is left out.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np

import table

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import sampled_stages
from sampled_stages import report

# The first pattern that a function of the stack fits, from the innermost outwards, names the stage.
# By type, or type and beginning of the method, as in Swift's mangled names.
STAGES = [
    ("halving the frame", "FramePyramid|GrayImageV7setHalf"),
    ("patches of the reference chosen and warped", "PatchSet|PatchSampler|PatchChooser|MotionBlur"),
    ("edges of the print", "BoundaryFit"),
    ("quadrilaterals, and what they hold", "LineSegment|QuadrilateralFinder|ThumbnailIndex|QuadrilateralHypotheses|BoundaryCheck"),
    ("patches compared with the frame", "AlignerC7compare|AlignerC6search"),
    ("equations gathered and solved", "Aligner|NormalEquations|RigidityPrior"),
    ("scale space", "ScaleSpace"),
    ("orientations and descriptors", "DescriptorExtractor|OrientationAssigner|FeatureExtractorC6append"),
    ("keypoints found and chosen", "FeatureExtractor|KeypointDetector|RowExtrema"),
    ("index: visual words and neighbours", "DescriptorIndex|Vocabulary|BinaryEncoder|InvertedFile"),
    ("votes and hypotheses", "HypothesisVoting|Hypothesis|HypothesisFinder|HoughAccumulator|GuidedMatcher|BruteForceMatcher|MatchVoting"),
    ("reference coded and decoded", "PictureCoder|RangeCoder|RangeDecoder|RangeEncoder|CosineTransform|PictureModel"),
    ("rating", "TargetRating"),
    ("pyramid and corner scores of the reference", "ReferencePyramid|StructureTensor"),
    ("picture resized", "FloatImage"),
    ("background learned", "BackgroundPlane"),
]
PATTERNS = sampled_stages.patterns(STAGES)


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
        stages = lambda arguments, root: sampled_stages.milliseconds(arguments, root, PATTERNS)
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
