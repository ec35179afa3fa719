#!/usr/bin/env python3
"""The same ways by Sightline's hierarchy, by Dijkstra's algorithm in Swift and by networkx, in one run.

Runs the benchmark executable, which draws a city, and asks networkx for ways between the same nodes of the same graph. Exits with 1 when a
cost differs. networkx takes some gigabytes for a million nodes: `--side 300` is 87,000 nodes.

    swift build -c release --package-path Benchmarks --product Walking
    Benchmarks/walking/compare.py --command Benchmarks/.build/release/Walking [--side 1100] [--metres 10000] [--pairs 200] [--networkx-pairs 10]

Needs Python with networkx.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import networkx


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", required=True)
    parser.add_argument("--side", type=int, default=1100)
    parser.add_argument("--metres", type=float, default=10_000)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--networkx-pairs", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [arguments.command, "--side", str(arguments.side), "--pairs", str(arguments.pairs),
             "--metres", str(arguments.metres), "--export", folder], check=True)
        graph = networkx.DiGraph()
        with open(os.path.join(folder, "arcs.txt"), encoding="ascii") as file:
            next(file)
            for row in file:
                tail, head, cost = map(int, row.split())
                # A DiGraph has one arc from a node to another: the cheapest of parallel ones.
                if not graph.has_edge(tail, head) or graph[tail][head]["weight"] > cost:
                    graph.add_edge(tail, head, weight=cost)
        with open(os.path.join(folder, "pairs.txt"), encoding="ascii") as file:
            pairs = [row.split() for row in file][:arguments.networkx_pairs]
    times, ours, wrong = {"dijkstra_path": [], "bidirectional_dijkstra": []}, [], 0
    for start, end, seconds, milliseconds, _ in pairs:
        start, end = int(start), int(end)
        ours.append(float(milliseconds))
        begin = time.thread_time()
        path = networkx.dijkstra_path(graph, start, end)
        times["dijkstra_path"].append(1000 * (time.thread_time() - begin))
        cost = sum(graph[a][b]["weight"] for a, b in zip(path, path[1:]))
        begin = time.thread_time()
        networkx.bidirectional_dijkstra(graph, start, end)
        times["bidirectional_dijkstra"].append(1000 * (time.thread_time() - begin))
        # The executable's ends are positions, rounded where they are taken to edges.
        if abs(cost / 10 - float(seconds)) > 0.3:
            wrong += 1
            print(f"{start} to {end}: {float(seconds):.1f} s, networkx {cost / 10:.1f} s", file=sys.stderr)
    middle = statistics.median(ours)
    print(f"networkx {networkx.__version__}, {len(pairs)} pairs, {wrong} differ; hierarchy {middle:.2f} ms (median of the same pairs; all are processor times)")
    for name, values in times.items():
        print(f"  {name}: median {statistics.median(values):.1f} ms, {statistics.median(values) / middle:.0f} times the hierarchy's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
