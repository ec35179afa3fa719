#!/usr/bin/env python3
"""What reading a foreign document in a warm worker costs beside the reading itself. Goal: below 2 ms.

usage: Benchmarks/reading/overhead.py [--rounds N] [PROGRAM]

Each document is read by turns in one process and in a warm worker of the same program, in one run; the difference of
the two is the way there and back. Documents: all good ones among the fixtures (GDDF, KML, GeoJSON, ARML, AREA, mixare,
Layar, Overpass), and made ones of 100, 1,000 and 10,000 places. PROGRAM is the release build unless named.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).parents[2]
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--rounds", type=int, default=100)
parser.add_argument("program", nargs="?", default=str(root / ".build/release/sightline"))
options = parser.parse_args()


def made(folder, count):
    features = [{"type": "Feature", "properties": {"name": f"Place {n}", "description": "A place among many."},
                 "geometry": {"type": "Point", "coordinates": [10 + n / 1e5, 48 + n / 1e5]}} for n in range(count)]
    path = pathlib.Path(folder) / f"places-{count}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def measured(files, rounds):
    run = subprocess.run([options.program, "read-overhead", "--rounds", str(rounds), *map(str, files)],
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    for line in run.stdout.splitlines():
        path, *numbers = line.split("\t")
        yield pathlib.Path(path), [float(number) for number in numbers]


good = sorted(path for path in (root / "Fixtures").glob("*/good/*")
              if path.is_file() and path.stat().st_size < 1 << 20
              and path.parent.parent.name in ("gddf", "kml", "geojson", "arml", "area", "mixare", "layar", "overpass"))
with tempfile.TemporaryDirectory() as folder:
    rows = list(measured(good, options.rounds))
    extra = [numbers[5] for _, numbers in rows]
    print(f"{len(rows)} documents of the fixtures, {options.rounds} readings each in either place:")
    print(f"  medians of the difference: middle {statistics.median(extra):.2f} ms, largest {max(extra):.2f} ms")
    print(f"  largest 95th percentile: {max(numbers[6] for _, numbers in rows):.2f} ms")
    print(f"{'made document':>24} {'bytes':>9} {'answer':>9} {'here ms':>9} {'apart ms':>9} {'more ms':>9} {'95 % ms':>9}")
    for path, numbers in measured([made(folder, count) for count in (100, 1000, 10_000)], max(5, options.rounds // 10)):
        print(f"{path.name:>24} {numbers[0]:9.0f} {numbers[1]:9.0f} {numbers[3]:9.2f} {numbers[4]:9.2f} "
              f"{numbers[5]:9.2f} {numbers[6]:9.2f}")
