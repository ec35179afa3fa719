#!/usr/bin/env python3
"""Recall, corner error, false markers and time of `sightline markers detect` beside OpenCV and AprilTag, all in one run.

    pip install numpy pillow opencv-contrib-python-headless apriltag-python
    swift build -c release --product sightline
    Benchmarks/markers/evaluate.py --command .build/release/sightline --tools ../shared/tools FOLDER…

A folder is one made by make_markers.py of the tools, with exact truth in truth.json, or the photographs of the data set. Everything is scored by
the same code (eval_markers.py of the tools, which is given as a folder and not part of this repository); a peer that does not know a dictionary leaves those frames out. At the end: the ratio of the
median times to OpenCV's. `--figures FILE` also writes all figures as JSON.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

PEERS = ["opencv", "opencv-subpix", "apriltag"]


def scores(tools, folders, arguments):
    """What eval_markers.py says of one detector, printed as it goes, returned as figures."""
    with tempfile.TemporaryDirectory() as folder:
        figures = pathlib.Path(folder) / "figures.json"
        call = [sys.executable, str(tools / "eval_markers.py"), *folders, *arguments, "--factors", "--json", str(figures)]
        if subprocess.run(call, check=False).returncode != 0:
            sys.exit(f"evaluate: {' '.join(arguments)} failed")
        return next(iter(json.loads(figures.read_text()).values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--command", required=True, help="the sightline executable")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="folder with eval_markers.py")
    parser.add_argument("--peer", action="append", help=f"default: {', '.join(PEERS)}")
    parser.add_argument("--figures", type=pathlib.Path)
    options = parser.parse_args()
    results = {"sightline": scores(options.tools, options.folders, ["--command", f"{options.command} markers detect"])}
    for peer in options.peer or PEERS:
        results[peer] = scores(options.tools, options.folders, ["--peer", peer, "--repeat", "3"])
    base = results.get("opencv")
    if base:
        for name, result in results.items():
            for size, times in result["milliseconds"].items():
                if size in base["milliseconds"]:
                    ratio = base["milliseconds"][size]["median"] / times["median"]
                    print(f"{name}, {size}: {ratio:.1f} times as fast as opencv")
    if options.figures:
        options.figures.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
