#!/usr/bin/env python3
"""Orientation error of `sightline orientation` beside VQF on recorded trials, both in one run.

    pip install numpy vqf
    swift build -c release --product sightline
    Benchmarks/orientation/evaluate.py --command .build/release/sightline --data ../shared/data/broad

A data folder has a manifest.json (trials with file, rate_hz, sync_ms) and headerless float32 files of 14 columns: gyroscope rad/s,
accelerometer m/s², magnetometer microtesla, reference quaternion w x y z (device to East-North-Up, NaN where unknown), moving 0/1.

Errors are those of the BROAD benchmark (Laidig et al. 2021, doi:10.3390/data6070072): with e = estimate · conj(reference), total
2 acos|e_w| and inclination 2 acos √(e_w² + e_z²), root mean square over the rows in movement, mean over the trials. The reference
is taken `sync_ms` earlier, which is by how much it leads the sensors: otherwise a constant prediction would count as accuracy.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

import numpy as np

COLUMNS = ["t", "gx", "gy", "gz", "ax", "ay", "az", "mx", "my", "mz"]


def product(a, b):
    w, x, y, z = np.moveaxis(a, -1, 0)
    p, q, r, s = np.moveaxis(b, -1, 0)
    return np.stack(
        [w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r, w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p],
        axis=-1,
    )


def synchronised(reference, rate, milliseconds):
    """The reference a little earlier, between neighbouring rows."""
    share = milliseconds / 1000 * rate
    before = np.vstack([reference[:1], reference[:-1]])
    sign = np.where(np.sum(before * reference, axis=1, keepdims=True) < 0, -1, 1)
    mixed = reference * (1 - share) + sign * before * share
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def errors(estimate, reference, moving):
    e = product(estimate, reference * [1, -1, -1, -1])
    rows = moving & np.isfinite(e).all(axis=1)
    w, z = np.abs(e[rows, 0]), e[rows, 3]
    total = 2 * np.arccos(np.clip(w, 0, 1))
    tilt = 2 * np.arccos(np.clip(np.hypot(w, z), 0, 1))
    return tuple(np.degrees(np.sqrt(np.mean(v**2))) for v in (total, tilt))


def run_command(command, data, rate, magnetometer, options):
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder, "samples.csv"), pathlib.Path(folder, "quaternions.csv")
        with source.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for k, row in enumerate(data):
                writer.writerow([repr(k / rate), *(repr(float(v)) for v in row[:9])])
        arguments = [command, "orientation", "--input", source, "--output", result, *options]
        subprocess.run(arguments + ([] if magnetometer else ["--no-magnetometer"]), check=True)
        return np.loadtxt(result, delimiter=",", skiprows=1)[:, 1:]


def run_vqf(data, rate, magnetometer):
    from vqf import VQF

    gyr, acc, mag = (np.ascontiguousarray(data[:, k : k + 3], dtype=float) for k in (0, 3, 6))
    if magnetometer:
        return VQF(1 / rate).updateBatch(gyr, acc, mag)["quat9D"]
    return VQF(1 / rate).updateBatch(gyr, acc)["quat6D"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the built sightline")
    parser.add_argument("--data", required=True, type=pathlib.Path, action="append", help="folder with a manifest.json; may be repeated")
    parser.add_argument("--filter", help="another filter of the command, see sightline orientation --help")
    arguments = parser.parse_args()
    options = ["--filter", arguments.filter] if arguments.filter else []
    for folder in arguments.data:
        table = []
        print(f"\n{folder}\n{'trial':48}  9D total: ours   VQF    6D tilt: ours   VQF")
        for trial in json.loads((folder / "manifest.json").read_text())["trials"]:
            if trial.get("native"):
                continue
            rate = trial["rate_hz"]
            data = np.fromfile(folder / trial["file"], dtype="<f4").reshape(-1, 14).astype(float)
            reference = synchronised(data[:, 9:13], rate, trial.get("sync_ms", 0))
            moving = data[:, 13] > 0.5
            row = [
                errors(run_command(arguments.command, data, rate, True, options), reference, moving)[0],
                errors(run_vqf(data, rate, True), reference, moving)[0],
            ]
            if not arguments.filter:
                row.append(errors(run_command(arguments.command, data, rate, False, options), reference, moving)[1])
                row.append(errors(run_vqf(data, rate, False), reference, moving)[1])
            table.append(row)
            print(f"{trial['name']:48}" + "".join(f"{value:12.3f}" for value in row))
        means = np.mean(table, axis=0)
        better = sum(row[0] < row[1] for row in table)
        print(f"{'mean':48}" + "".join(f"{value:12.3f}" for value in means))
        print(f"better than VQF in 9D on {better} of {len(table)} trials")


if __name__ == "__main__":
    main()
