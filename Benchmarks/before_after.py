#!/usr/bin/env python3
"""Two builds of the program by every evaluator, in one run, with the ratio of each measure: what a change costs and gains.

    Benchmarks/before_after.py --before PROGRAM --after PROGRAM --tools FOLDER --data FOLDER --seed 31001
        [--only markers,track,recognize,orientation,qr] [--size 1] [--rounds 2] [--keep FOLDER] [--json FILE] [--markdown FILE]

`--tools` is the folder of make_markers.py, eval_markers.py and their like, `--data` the one with markers, targets and phones. Everything but
the recordings of phones is drawn anew from the seed, which must be one that nothing was tuned on; a picture of the seed is the same for both.
Both run alternately, `--rounds` times each, and of a time the least counts. `--size` multiplies how much is drawn.
Needs what the tools need: Python with numpy, scipy, pillow, scikit-image, scikit-learn, matplotlib, PyWavelets, vqf, zxing-cpp and
opencv-contrib-python-headless.

Ratios are after / before. Shares (recall, precision) must not fall and errors not rise; times within 5 %, at rest.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile


class Run:
    """What is drawn, and how it is evaluated."""

    def __init__(self, a, root):
        self.a, self.root = a, root

    def python(self, *arguments):
        """Runs a Python program; its messages are shown when it fails."""
        done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")

    def tool(self, name, *arguments):
        self.python(os.path.join(self.a.tools, name), *arguments)

    def drawn(self, name, *arguments):
        """A folder of pictures, drawn unless it has been; its name has the seed."""
        folder = os.path.join(self.root, f"{name}-{self.a.seed}-{self.a.size}")
        if not os.path.exists(os.path.join(folder, "drawn")):
            if arguments[0] == "qr":
                self.python(os.path.join(os.path.dirname(os.path.abspath(__file__)), "qr", "make_pictures.py"), folder, *arguments[1:])
            else:
                self.tool(*arguments, "--out", folder)
            open(os.path.join(folder, "drawn"), "w").close()
        return folder

    def evaluated(self, name, *arguments):
        """What an evaluator writes with --json."""
        file = os.path.join(self.root, "result.json")
        self.tool(name, *arguments, "--json", file)
        with open(file) as result:
            return json.load(result)

    # Each answers {measure: value} of a program.

    def markers(self, program):
        dictionaries = os.path.join(self.a.data, "markers", "dictionaries.json")
        folder = self.drawn("markers", "make_markers.py", "--seed", self.a.seed, "--dictionaries", dictionaries,
                            "--frames", 60 * self.a.size, "--negatives", 10 * self.a.size)
        row, = self.evaluated("eval_markers.py", folder, "--command", f"{program} markers detect", "--negatives-with", "own").values()
        result = {"recall": row["recall"], "precision": row["precision"], "corner RMSE, px": row["all"]["cornerRMSE"],
                  "found on frames without any": row["negatives"]["found"]}
        for size, times in row["milliseconds"].items():
            result[f"ms, {size}"] = times["median"]
        return result

    def track(self, program):
        folder = self.drawn("sequences", "make_targets.py", "sequences", "--seed", self.a.seed, "--assets", self.assets(), "--frames",
                            f"{40 * self.a.size}-{50 * self.a.size}")
        row = self.evaluated("eval_targets.py", "track", folder, "--command", f"{program} target")
        names = {"success": "right poses, %", "precision": "precision, %", "corner_rmse": "corner RMSE, px", "jitter_rest": "jitter at rest, px",
                 "false_positives": "false positives", "longest_failure": "longest failure, frames", "ms_tracking_median": "ms tracking",
                 "ms_searching_median": "ms searching", "build_ms_median": "ms build", "target_bytes_median": "target bytes"}
        return {name: row[key] for key, name in names.items()}

    def recognize(self, program):
        folder = self.drawn("detection", "make_targets.py", "detection", "--seed", self.a.seed, "--assets", self.assets(), "--targets", 20,
                            "--positives", 40 * self.a.size, "--negatives", 40 * self.a.size)
        row = self.evaluated("eval_targets.py", "recognize", folder, "--command", f"{program} target")
        names = {"recall": "recall, %", "recall_with_pose": "recall with pose, %", "wrong_name": "wrong name, %", "false_positives": "unknown ones named",
                 "corner_error_median": "corner error, px", "ms_median": "ms, median", "ms_p95": "ms, 95 %"}
        return {name: row[key] for key, name in names.items()}

    def orientation(self, program):
        result = {}
        for name in ("phones", "broad"):
            rows = self.evaluated("eval_orientation.py", "eval", "--data", os.path.join(self.a.data, name), "--cmd", f"{program} orientation",
                                  "--compare", "", "--modes", "9d,6d")["results"]
            for mode, labels in rows.items():
                for trials in labels.values():
                    for measure in ("total", "inclination"):
                        values = [trial[measure] for trial in trials.values() if isinstance(trial.get(measure), float)]
                        if values:
                            result[f"{name} {mode}: {measure}, degrees"] = statistics.mean(values)
        return result

    def qr(self, program):
        folder = self.drawn("qr", "qr", "--seed", self.a.seed, "--count", 6 * self.a.size)
        with open(os.path.join(folder, "truth.json")) as file:
            truth = json.load(file)
        right, wrong, times = 0, 0, []
        output = subprocess.run([program, "qr", "read", "--format", "json", "--repeats", "2", *(os.path.join(folder, name) for name in truth)],
                                check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            row = json.loads(line)
            wanted = truth[os.path.basename(row["file"])]["texts"]
            texts = [code["text"] for code in row["codes"]]
            right += sum((collections.Counter(texts) & collections.Counter(wanted)).values())
            wrong += sum(text not in wanted for text in texts)
            times.append(row["milliseconds"])
        codes = sum(len(picture["texts"]) for picture in truth.values())
        return {"codes read": right, "of": codes, "wrong texts": wrong, "ms, median": statistics.median(times)}

    def assets(self):
        return os.path.join(self.a.data, "targets", "assets")


def merged(first, second):
    """Two rounds of one program: of times the least, all else is the same in both."""
    for name, value in second.items():
        if name.startswith("ms") and value is not None:
            first[name] = min(first[name], value)
        elif first[name] != value:
            print(f"{name}: {first[name]} in one round, {value} in another", file=sys.stderr)
    return first


def number(value):
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def table(results):
    lines = ["| | measure | before | after | ratio |", "|---|---|---:|---:|---:|"]
    for kind, (before, after) in results.items():
        for name, value in before.items():
            new = after.get(name)
            ratio = f"{new / value:.3f}" if value and new is not None else "1" if value == new else "–"
            lines.append(f"| {kind} | {name} | {number(value)} | {number(new)} | {ratio} |")
    return "\n".join(lines)


def main():
    kinds = ("markers", "track", "recognize", "orientation", "qr")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, help="a sightline program")
    parser.add_argument("--after", required=True, help="another one, built the same way")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--only", default=",".join(kinds))
    parser.add_argument("--size", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--keep", help="folder for what is drawn")
    parser.add_argument("--json", help="write the figures there as well")
    parser.add_argument("--markdown", help="write the table there as well")
    a = parser.parse_args()
    unknown = set(a.only.split(",")) - set(kinds)
    if unknown:
        parser.error(f"--only: {', '.join(sorted(unknown))}: there are {', '.join(kinds)}")
    results = {}
    with tempfile.TemporaryDirectory() as temporary:
        root = a.keep or temporary
        os.makedirs(root, exist_ok=True)
        run = Run(a, root)
        for kind in a.only.split(","):
            both = [None, None]
            for _ in range(a.rounds):
                for i, program in enumerate((a.before, a.after)):
                    found = getattr(run, kind)(os.path.abspath(program))
                    both[i] = found if both[i] is None else merged(both[i], found)
            results[kind] = both
            print(f"{kind}: done", file=sys.stderr, flush=True)
    text = table(results)
    print(text)
    if a.markdown:
        with open(a.markdown, "w") as file:
            file.write(text + "\n")
    if a.json:
        with open(a.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
