#!/usr/bin/env python3
"""Each scenario apart: one table of the sequences of a folder, by an evaluator that knows the contract of `sightline target`.

    Benchmarks/targets/scenarios.py --evaluator eval_targets.py --command .build-core/release/sightline [--peers opencv-sift+align,opencv-orb] [--out FILE] SEQUENCE…

The evaluator is run as `eval_targets.py track SEQUENCE… --command 'PROGRAM target' --pass intrinsics,gyro`, once more for each of its peers, one after another: one thread, one
machine, the same frames. SEQUENCE: a folder whose name is NUMBER-SCENARIO-PICTURE. A pose is right when its corners are less than 3 pixels off in the mean.
"""
import argparse
import os
import re
import subprocess
import sys


LABELS = {"success %": "success", "precision %": "precision", "corner RMSE px (right poses)": "corner_rmse", "jitter at rest px": "jitter_rest",
          "ms per frame, median": "ms_median", "ms per frame, p95": "ms_p95"}


def evaluated(a, sequences, extra):
    """What the evaluator says of each sequence."""
    result = {}
    for sequence in sequences:
        done = subprocess.run([sys.executable, a.evaluator, "track", sequence, "--pass", "intrinsics,gyro", *extra], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{sequence}: {done.stderr.strip()[-400:]}")
        row = dict.fromkeys(LABELS.values())
        for line in done.stdout.splitlines():
            found = re.search(r": (\d+) frames to evaluate", line)
            if found:
                row["evaluated"] = int(found[1])
            label, _, value = line.strip().rpartition(" ")
            if label.strip() in LABELS and value != "None":
                row[LABELS[label.strip()]] = float(value)
        result[sequence] = row
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluator", required=True)
    parser.add_argument("--command", required=True, help="the sightline program")
    parser.add_argument("--peers", default="opencv-sift+align,opencv-orb")
    parser.add_argument("--out", help="write the table there as well")
    parser.add_argument("sequences", nargs="+")
    a = parser.parse_args()
    sequences = [path.rstrip("/") for path in a.sequences]
    ours = evaluated(a, sequences, ["--command", f"{a.command} target"])
    peers = {name: evaluated(a, sequences, ["--peer", name]) for name in a.peers.split(",") if name}
    show = lambda value, unit="": "–" if value is None else f"{value}{unit}"
    heads = "".join(f" {name}: right | ms |" for name in peers)
    lines = [f"| scenario, picture | frames | right | precision | corners px | at rest px | ms, median (p95) |{heads}",
             "|---|---:|---:|---:|---:|---:|---:|" + "---:|---:|" * len(peers)]
    for path in sequences:
        r = ours[path]
        name = " ".join(os.path.basename(path).split("-")[1:])
        row = (f"| {name} | {r['evaluated']} | {show(r['success'], ' %')} | {show(r['precision'], ' %')} | {show(r['corner_rmse'])} | {show(r['jitter_rest'])} | "
               f"{show(r['ms_median'])} ({show(r['ms_p95'])}) |")
        lines.append(row + "".join(f" {show(p[path]['success'], ' %')} | {show(p[path]['ms_median'])} |" for p in peers.values()))
    total = lambda rows: sum(r["success"] * r["evaluated"] for r in rows.values()) / sum(r["evaluated"] for r in rows.values())
    lines.append(f"| all | {sum(r['evaluated'] for r in ours.values())} | {total(ours):.1f} % | | | | |" + "".join(f" {total(p):.1f} % | |" for p in peers.values()))
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if a.out:
        with open(a.out, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
