#!/usr/bin/env python3
"""What recognising one picture after another among 1,000 targets takes of memory, at its largest.

    Benchmarks/targets/memory.py --database FOLDER --frames FOLDER [--count N]
    Benchmarks/targets/memory.py --command .build-core/release/sightline [--count N] [--seed N]

The first takes target files and pictures that are there (FOLDER/*.target, at most N of them in the order of their names; pictures of any kind, or PGM files, which need no
OpenCV); the second draws N posters and 60 frames from the seed, as `scaling.py` does, and builds the targets first (1,000 take minutes).
Builds the program `TargetMemory` of the Benchmarks package and runs it: a process of the engine without Foundation and with nothing else, which prints its largest
memory (Linux' VmHWM) by itself after each step: started, targets loaded, recogniser made, first frame, last frame. MB are 1,048,576 bytes.
Needs Python with numpy and opencv-contrib-python-headless, unless all frames are PGM files.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def draw(a, database, frames):
    """Posters as target files, and frames that show them, a third of them one that is not known."""
    import cv2
    import numpy as np
    from scaling import HEIGHT, WIDTH, drawn, poster, seen

    rng = np.random.default_rng([a.seed, 10_000_000 + a.count])
    for index in range(a.count):
        picture = os.path.join(frames, "poster.png")
        cv2.imwrite(picture, poster(a.seed, index))
        target = os.path.join(database, f"{index:05d}.target")
        subprocess.run([a.command, "target", "build", picture, "-o", target, "--name", str(index)], check=True, stdout=subprocess.DEVNULL)
        os.remove(picture)
    for k in range(60):
        shown = poster(a.seed, 1_000_000 + k if k % 3 == 2 else int(rng.integers(a.count)))
        frame, _ = seen(rng, shown, drawn(rng, WIDTH, HEIGHT, 90))
        cv2.imwrite(os.path.join(frames, f"{k:04d}.pgm"), frame)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", help="folder of target files")
    parser.add_argument("--frames", help="folder of pictures")
    parser.add_argument("--command", help="the sightline program, to draw and build targets with")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--scratch-path", help="where the package manager builds, if not in Benchmarks/.build")
    a = parser.parse_args()
    if bool(a.database and a.frames) == bool(a.command):
        parser.error("give --database and --frames, or --command alone")
    build = ["swift", "build", "-c", "release", "--package-path", os.path.join(ROOT, "Benchmarks"), "--product", "TargetMemory"]
    build += ["--scratch-path", a.scratch_path] if a.scratch_path else []
    environment = dict(os.environ, SIGHTLINE_CORE_ONLY="1")
    subprocess.run(build, check=True, env=environment, stdout=sys.stderr)
    out = subprocess.run(build + ["--show-bin-path"], check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        database, frames = (os.path.join(folder, name) for name in ("database", "frames"))
        os.mkdir(database)
        os.mkdir(frames)
        if a.command:
            draw(a, database, frames)
        else:
            for path in sorted(glob.glob(os.path.join(a.database, "*.target")))[:a.count]:
                os.symlink(os.path.abspath(path), os.path.join(database, os.path.basename(path)))
            for path in sorted(glob.glob(os.path.join(a.frames, "*"))):
                pgm = os.path.join(frames, os.path.splitext(os.path.basename(path))[0] + ".pgm")
                if path.endswith(".pgm"):
                    os.symlink(os.path.abspath(path), pgm)
                    continue
                import cv2
                picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
                if picture is not None:
                    cv2.imwrite(pgm, picture)
        pictures = sorted(glob.glob(os.path.join(frames, "*.pgm")))
        if not pictures:
            sys.exit("no pictures")
        sys.exit(subprocess.run([os.path.join(out.strip(), "TargetMemory"), database, *pictures]).returncode)


if __name__ == "__main__":
    main()
