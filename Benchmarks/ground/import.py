#!/usr/bin/env python3
"""An extract of OpenStreetMap made into a ground, beside `osmium export` of the same file in the same run.

Draws a town of as many nodes as are asked for (streets in squares, houses with numbers, paths in parks), as .osm.pbf by osmium,
measures it and every extract that is named. Needs osmium-tool, and the benchmark program built:

    SIGHTLINE_CORE_ONLY=1 swift build -c release --package-path Benchmarks --product Ground
    Benchmarks/ground/import.py [--nodes 5000000] [EXTRACT.osm.pbf ...]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPACING = 60  # metres between streets
METRE = 1 / 111_195


def town(path, nodes):
    """Squares of streets with eight houses of five corners each, in OPL."""
    side = int((nodes / 60) ** 0.5)
    lines, ways, made = [], [], 0

    def node(x, y, tags=""):
        nonlocal made
        made += 1
        lines.append(f"n{made} v1 x{24.5 + x * METRE * 2:.7f} y{60 + y * METRE:.7f}{tags and ' T' + tags}")
        return made

    crossings = [[node(x * SPACING, y * SPACING) for x in range(side)] for y in range(side)]
    for y in range(side):
        for x in range(side):
            here = [node(x * SPACING + 12 * k, y * SPACING) for k in (1, 2, 3, 4)]
            if x + 1 < side:
                ways.append((f"highway=residential,name=Street-{y}", [crossings[y][x], *here, crossings[y][x + 1]]))
            if y + 1 < side:
                here = [node(x * SPACING, y * SPACING + 15 * k) for k in (1, 2, 3)]
                ways.append(("highway=footway" if x % 4 else "highway=steps", [crossings[y][x], *here, crossings[y + 1][x]]))
            for k in range(8):
                left, low = x * SPACING + 4 + 13 * (k % 4), y * SPACING + (6 if k < 4 else 34)
                ring = [node(left + dx, low + dy) for dx, dy in ((0, 0), (10, 0), (10, 15), (5, 18), (0, 15))]
                ways.append((f"building=yes,building:levels={1 + (x * 7 + y * 3 + k) % 9}", [*ring, ring[0]]))
                node(left + 5, low + 1, f"addr:housenumber={k + 1}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        for number, (tags, refs) in enumerate(ways, 1):
            file.write(f"w{number} v1 T{tags} N{','.join(f'n{one}' for one in refs)}\n")


def osmium(path, folder):
    start = time.perf_counter()
    subprocess.run(["osmium", "export", "--overwrite", "-f", "geojsonseq", "-o", folder / "export.geojsonseq", path], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5_000_000, help="nodes of the drawn town; 0 for none")
    parser.add_argument("--program", default=ROOT / "Benchmarks" / ".build" / "release" / "Ground")
    parser.add_argument("extracts", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        extracts = list(options.extracts)
        if options.nodes:
            town(folder / "town.opl", options.nodes)
            subprocess.run(["osmium", "cat", "-o", folder / "town.osm.pbf", folder / "town.opl"], check=True, stderr=subprocess.DEVNULL)
            extracts.append(folder / "town.osm.pbf")
        for path in extracts:
            peer = [osmium(path, folder)]
            result = json.loads(subprocess.run([options.program, path], check=True, capture_output=True, text=True).stdout)
            peer.append(osmium(path, folder))
            nodes = result["nodes"]
            print(f"{path.name}: {nodes} nodes, {result['buildings']} buildings")
            print(f"  reading {nodes / result['readingSeconds']:,.0f} nodes/s, whole import {nodes / result['importSeconds']:,.0f} nodes/s, "
                  f"osmium export {nodes / min(peer):,.0f} nodes/s: import takes {result['importSeconds'] / min(peer):.2f} of its time")
            print(f"  memory {result['memoryBytes'] / 1e6:.0f} MB, tiles {result['tileBytes']:,} bytes of an extract of {result['extractBytes']:,}"
                  f" ({result['tileBytes'] / result['extractBytes']:.2f}), {result['walkingNodes']} nodes to walk")


if __name__ == "__main__":
    main()
