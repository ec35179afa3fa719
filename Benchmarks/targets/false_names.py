#!/usr/bin/env python3
"""How often a name is false: known and unknown pictures recognised among few targets and among many.

    Benchmarks/targets/false_names.py --command .build-core/release/sightline --tools FOLDER --assets FOLDER
        --seeds 7301,7302,7303,7304,7305 --padding-seed 7300 [--padding 980] [--keep FOLDER] [--json FILE]

Needs what make_targets.py of the tools needs (Python with numpy, pillow and opencv-python-headless); `--tools` is its folder, `--assets` the
pictures it draws from. For each seed it draws 20 targets, 40 pictures of one of them and 100 of unknown things, half of them other posters (one
poster in four has the layout of a known one with another photograph), all as a hand-held camera sees them: turned, tilted, covered, blurred, noisy,
in shadow and glare. They are recognised among the 20 targets, and among these and `--padding` others. A picture counts as named when anything is
reported for it. `--keep` draws into a folder and takes what is there already. Goal: at most 2 of 500 unknown pictures named, among either.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def draw(a, folder, *arguments):
    """Runs the generator, unless the folder has been drawn."""
    done = os.path.join(folder, "drawn")
    if not os.path.exists(done):
        program = os.path.join(a.tools, "make_targets.py")
        subprocess.run([sys.executable, program, *map(str, arguments), "--out", folder, "--assets", a.assets], check=True, stdout=subprocess.DEVNULL)
        open(done, "w").close()


def build(a, pictures, database):
    """Makes the target files of some pictures that a folder does not have yet; their names are those of the pictures."""
    os.makedirs(database, exist_ok=True)
    for picture in pictures:
        name = os.path.splitext(os.path.basename(picture))[0]
        file = os.path.join(database, name + ".target")
        if not os.path.exists(file):
            subprocess.run([a.command, "target", "build", picture, "-o", file, "--name", name], check=True, capture_output=True)


def pictures(folder):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".jpg")]


def score(a, folder, database):
    """Known pictures, those given the right name, a wrong one; unknown ones, those named; milliseconds of each picture."""
    with open(os.path.join(folder, "truth.json")) as file:
        frames = json.load(file)["frames"]
    paths = [os.path.join(folder, frame["file"]) for frame in frames]
    text = subprocess.run(
        [a.command, "target", "recognize", "--database", database, "--format", "json", *paths], check=True, capture_output=True, text=True
    ).stdout
    counts, times = dict(known=0, right=0, wrong=0, unknown=0, named=0), []
    for frame, line in zip(frames, text.splitlines(), strict=True):
        row = json.loads(line)
        names = [target["name"] for target in row["targets"]]
        times.append(row["milliseconds"])
        if not frame["targets"]:
            counts["unknown"] += 1
            counts["named"] += bool(names)
        elif frame["targets"][0]["status"] == "evaluate":
            own = frame["targets"][0]["name"]
            counts["known"] += 1
            counts["right"] += own in names
            counts["wrong"] += any(name != own for name in names)
    return counts, times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the sightline program, a release build")
    parser.add_argument("--tools", required=True, help="folder with make_targets.py")
    parser.add_argument("--assets", required=True, help="what it draws from")
    parser.add_argument("--seeds", default="7301,7302,7303,7304,7305")
    parser.add_argument("--padding-seed", type=int, default=7300)
    parser.add_argument("--padding", type=int, default=980, help="more targets; 0 leaves that out")
    parser.add_argument("--keep", help="folder for what is drawn")
    parser.add_argument("--json", help="write the figures there as well")
    a = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as temporary:
        root = a.keep or temporary
        padding = os.path.join(root, f"posters-{a.padding_seed}")
        if a.padding:
            draw(a, padding, "posters", "--seed", a.padding_seed, "--count", a.padding)
            build(a, pictures(padding)[: a.padding], os.path.join(temporary, "padding"))
        for seed in a.seeds.split(","):
            folder = os.path.join(root, f"detection-{seed}")
            draw(a, folder, "detection", "--seed", seed, "--targets", 20, "--positives", 40, "--negatives", 100)
            few, many = (os.path.join(temporary, f"{size}-{seed}") for size in ("few", "many"))
            build(a, pictures(os.path.join(folder, "targets")), few)
            databases = [(20, few)]
            if a.padding:
                os.mkdir(many)
                for source, prefix in ((few, ""), (os.path.join(temporary, "padding"), "padding-")):
                    for name in os.listdir(source):
                        os.symlink(os.path.join(source, name), os.path.join(many, prefix + name))
                databases.append((20 + a.padding, many))
            for size, database in databases:
                counts, times = score(a, folder, database)
                print(f"seed {seed}, {size} targets: {counts}", file=sys.stderr, flush=True)
                total = rows.setdefault(size, (dict.fromkeys(counts, 0), []))
                for key, value in counts.items():
                    total[0][key] += value
                total[1].extend(times)
    print("| targets | right name | wrong name | unknown things named | ms median | mean |\n|---:|---:|---:|---:|---:|---:|")
    for size, (counts, times) in rows.items():
        print(f"| {size:,} | {counts['right']} of {counts['known']} | {counts['wrong']} | {counts['named']} of {counts['unknown']} "
              f"| {statistics.median(times):.1f} | {statistics.mean(times):.1f} |")
    if a.json:
        with open(a.json, "w") as file:
            json.dump({size: counts for size, (counts, _) in rows.items()}, file, indent=1)
    sys.exit(any(counts["named"] > 2 * counts["unknown"] / 500 for counts, _ in rows.values()))


if __name__ == "__main__":
    main()
