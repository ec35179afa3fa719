#!/usr/bin/env python3
"""Where the time of finding markers goes, by stage: `perf` looks two thousand times a second at what runs.

    Benchmarks/markers/stages.py --command .build-core/release/sightline FOLDER… [--repeat N] [--out FILE]

A folder has frames and their truth.json (make_markers.py of the shared tools makes them; the frames with markers count, each searched
with its own dictionary). One table for each folder. Needs Linux' perf.
"""
import argparse
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import sampled_stages

# The first pattern that a function of the stack fits, from the innermost outwards, names the stage.
STAGES = sampled_stages.patterns([
    ("smaller frames", "GrayImageV(?:7setHalf|11setSmoothed)|FrameScales"),
    ("level of the noise", "GrayViewV10noiseLevel"),
    ("threshold, light from dark", "LocalThreshold|BlockThreshold"),
    ("contour following", "ContourFollower|ContourStarts|Way|ContourTracer|AbandonedContours"),
    ("quadrilaterals", "SegmentQuadFitter|Places|QuadFinder|FarthestPoints"),
    ("border checked", "BorderCheck|GrayViewV0A7MarkersE9hasBorder"),
    ("lines fitted to four edges", "EdgePoints|EdgeFit|EdgeProfile|LineFit|GrayViewV0A7MarkersE4edge"),
    ("cells read and decoded", "CellValues|CellReading|MarkerDecoder|GrayViewV0A7MarkersE9readCells|CellGrid"),
    ("whole pattern fitted", "Pattern|EdgeSums|BlurredStep"),
    ("poses", "SquarePose|PoseAmbiguityResolver|CornerCovariance"),
])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--command", required=True, help="the sightline program")
    parser.add_argument("--repeat", type=int, default=10, help="times that each frame is searched")
    parser.add_argument("--out", help="write the tables there as well")
    options = parser.parse_args()
    tables = []
    for folder in options.folders:
        files = collections.defaultdict(list)
        for frame in json.loads((folder / "truth.json").read_text())["frames"]:
            if frame["markers"]:
                files[frame["dictionary"]].append(str(folder / frame["file"]))
        counts = collections.Counter()
        for dictionary, names in files.items():
            counts += sampled_stages.milliseconds(
                [options.command, "markers", "detect", "--dictionary", dictionary, *names * options.repeat], r"MarkerDetectorV6detect", STAGES)
        number = options.repeat * sum(map(len, files.values()))
        tables.append(sampled_stages.report(folder.name, "a frame", counts, number))
    text = "\n".join(tables)
    print(text, end="")
    if options.out:
        pathlib.Path(options.out).write_text(text)


if __name__ == "__main__":
    main()
