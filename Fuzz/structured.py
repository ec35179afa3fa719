#!/usr/bin/env python3
"""Builds and runs the generators of Fuzz/Structured; called by Scripts/fuzz.

usage: structured.py run SECONDS [TARGET…]     makes inputs for so long a target
       structured.py count N [TARGET…]         until each target has had N inputs, over any number of runs
       structured.py reproducers [TARGET…]     gives every file of Fixtures/fuzz/TARGET to its target
       structured.py build                     builds only
       structured.py list                      names the targets

--jobs N       so many at a time (default: the processors, at most 4)
--debug        the program of the debug build (`SIGHTLINE_FUZZ=1 swift build`) in place of an optimised one: slower by far, but
               at hand where the tests are built
--restarts N   a target that an input ends is started again behind that input so many times (default 20)

Ends with 1 when anything was found. Findings lie in .build/fuzz-structured/findings, counts in counts.json beside them.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, ".build", "fuzz-structured")
FINDINGS = os.path.join(OUT, "findings")
COUNTS = os.path.join(OUT, "counts.json")
PROGRAM = os.path.join(OUT, "structured")
DEBUG_PROGRAM = os.path.join(ROOT, ".build", "debug", "structured-fuzz")
# What an input may take of a program that is not optimised.
DEBUG_LIMITS = ["--cpu", "60", "--memory", "4096"]
LIMITS = []
LOCK = threading.Lock()

ENGINE = ["Math", "Geodesy", "Imaging", "Camera", "Markers", "QR", "Targets", "Vision", "Fusion", "Models", "Occlusion", "Scene", "Worlds", "Engine"]
SERVER = "Sources/Service/SightlineServer"
CHECKOUTS = ".build/checkouts"
# Name, what is compiled, in an order in which each finds what it imports. Where a module needs packages, only what reads foreign
# bytes is compiled; Substitutes stands for the little of the packages that this needs. Timetables need their database, which is
# compiled from the package as it was fetched (`swift package resolve`).
MODULES = [
    ("SightlineInput", ["Sources/Engine/SightlineInput"]),
    ("SightlineContent", ["Sources/Content/SightlineContent"]),
    ("SightlineArchive", ["Sources/Content/SightlineArchive"]),
    ("SightlineFormats", ["Sources/Content/SightlineFormats"]),
    ("SightlinePictures", ["Sources/Content/SightlinePictures"]),
    *((f"Sightline{name}", [f"Sources/Engine/Sightline{name}"]) for name in ENGINE),
    ("SightlineImport", ["Sources/Content/SightlineImport/PercentCoding.swift"]),
    ("SightlineRecording", ["Sources/Tools/SightlineRecording"]),
    ("SightlineSimulator", ["Sources/Tools/SightlineSimulator"]),
    ("SightlineProtobuf", ["Sources/Content/SightlineProtobuf"]),
    ("SightlineOpenStreetMap", ["Sources/Content/SightlineOpenStreetMap"]),
    ("SightlineWalking", ["Sources/Service/SightlineWalking"]),
    ("SightlineGround", ["Sources/Service/SightlineGround"]),
    ("SightlineTours", ["Sources/Service/SightlineTours"]),
    ("GRDB", [f"{CHECKOUTS}/GRDB.swift/GRDB"]),
    ("SightlineTransit", ["Sources/Service/SightlineTransit"]),
    ("NIOCore", ["Fuzz/Structured/Substitutes/NIOCore.swift"]),
    ("SightlineStore", [
        "Sources/Service/SightlineStore/Posters/Poster.swift", "Sources/Service/SightlineStore/Worlds/WorldIdentifier.swift"]),
    ("SightlineServer", [
        *(f"{SERVER}/Posters/{name}.swift" for name in ("PosterTable", "PosterSizeText", "PosterDraft")),
        *(f"{SERVER}/Routing/{name}.swift" for name in ("Trimming", "FlatQuestion", "FormFields")),
        f"{SERVER}/Studio/JSONValue.swift", f"{SERVER}/Studio/DraftMerge.swift"]),
]

EXTRA = {"GRDB": ["-suppress-warnings", "-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_SNAPSHOT", "-DSQLITE_DISABLE_SNAPSHOT"]}


def say(text):
    with LOCK:
        print(text, flush=True)


def sources(paths):
    found = []
    for path in paths:
        if path.endswith(".swift"):
            found += glob.glob(os.path.join(ROOT, path))
        else:
            found += glob.glob(os.path.join(ROOT, path, "**", "*.swift"), recursive=True)
    if not found:
        sys.exit(f"{paths} holds no source")
    return sorted(found)


def newest(paths):
    return max(os.path.getmtime(path) for path in paths)


def flags():
    found = ["-O", "-wmo", "-g", "-swift-version", "6", "-package-name", "sightline", "-I", OUT,
             "-I", os.path.join(ROOT, "Sources/Engine/CSightline/include")]
    found += ["-I", os.path.join(ROOT, CHECKOUTS, "GRDB.swift/Sources/GRDBSQLite")]
    for folder in sorted(glob.glob(os.path.join(ROOT, "Sources/Content/C*"))):
        found += ["-I", folder]
    return found


def build():
    """Compiles what is older than its sources, or than a module before it."""
    os.makedirs(FINDINGS, exist_ok=True)
    if not os.path.isdir(os.path.join(ROOT, CHECKOUTS, "GRDB.swift")):
        subprocess.run(["swift", "package", "resolve"], cwd=ROOT, check=True)
    begin = time.time()
    latest = 0.0
    stamps = {}
    names = [name for name, _ in MODULES]
    # Only what is imported counts: a change of the formats does not compile the engine again.
    imports = {}
    for name, paths in MODULES:
        files = sources(paths)
        text = "".join(open(file, encoding="utf-8").read() for file in files)
        imports[name] = [other for other in names if re.search(rf"^\s*(?:\w+ )?import (?:\w+ )?{other}\b", text, re.M)]
        output = os.path.join(OUT, f"{name}.o")
        needed = max([newest(files)] + [stamps[other] for other in imports[name] if other != name])
        if not os.path.exists(output) or os.path.getmtime(output) < needed:
            say(f"compiling {name} …")
            # Unfinished, it would look like done.
            if os.path.exists(output):
                os.remove(output)
            subprocess.run(
                ["swiftc", *flags(), *EXTRA.get(name, []), "-enable-testing", "-parse-as-library", "-module-name", name, "-emit-module",
                 "-emit-module-path", os.path.join(OUT, f"{name}.swiftmodule"), "-c", "-o", output, *files], check=True)
        stamps[name] = os.path.getmtime(output)
        latest = max(latest, stamps[name])
    files = [file for file in sources(["Fuzz/Structured"]) if "/Substitutes/" not in file]
    if not os.path.exists(PROGRAM) or os.path.getmtime(PROGRAM) < max(latest, newest(files)):
        say("compiling the generators …")
        done = subprocess.run(
            ["swiftc", *flags(), "-module-name", "Structured", *files,
             *(os.path.join(OUT, f"{name}.o") for name in names), "-o", PROGRAM, "-lpng16", "-lturbojpeg", "-lwebp", "-lz", "-lsqlite3"],
            # The compiler leaves what it made of the module where it stands.
            cwd=OUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        notes = [line for line in done.stdout.splitlines() if "Cannot export local symbol" not in line]
        if notes:
            print("\n".join(notes))
        if done.returncode != 0:
            sys.exit("the generators cannot be compiled")
    say(f"built in {time.time() - begin:.0f} s")


def targets(wanted):
    known = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for name in wanted:
        if name not in known:
            sys.exit(f"there is no target {name}; there are {', '.join(known)}")
    return wanted or known


def load_counts():
    try:
        with open(COUNTS, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def add_count(name, seed, count):
    """Adds to what a target has had; the next run goes on behind it."""
    with LOCK:
        counts = load_counts()
        entry = counts.setdefault(name, {"seed": seed, "inputs": 0})
        entry["inputs"] += count
        with open(COUNTS + ".new", "w", encoding="utf-8") as file:
            json.dump(counts, file, indent=2, sort_keys=True)
            file.write("\n")
        os.replace(COUNTS + ".new", COUNTS)


def run(name, options, seconds=None, count=None):
    """Runs a target; returns the number of findings."""
    entry = load_counts().get(name, {"seed": options.seed, "inputs": 0})
    seed, first = entry["seed"], entry["inputs"]
    left = None if count is None else count - first
    end = None if seconds is None else time.time() + seconds
    found = 0
    for _ in range(options.restarts + 1):
        if (left is not None and left <= 0) or (end is not None and end - time.time() < 1):
            break
        # In pieces, so that an interrupted run has counted most of what it did.
        piece = ["--count", str(min(left, 250_000))] if left is not None else ["--seconds", str(round(end - time.time()))]
        while True:
            done = subprocess.run(
                [PROGRAM, name, "--seed", str(seed), "--first", str(first), "--findings", FINDINGS, *LIMITS,
                 *piece],
                cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
            ended = re.search(rf"/{re.escape(name)}-{seed}-(\d+)-(?:trap|hang|abort|stack)$", done.stderr, re.M)
            made = re.search(r"next (\d+)$", done.stdout, re.M)
            if done.returncode in (0, 1) and made:
                upto = int(made[1])
                found += int(re.search(r"findings (\d+)", done.stdout)[1])
            elif ended:
                upto = int(ended[1]) + 1
                found += 1
            else:
                say(f"{name}: ended with {done.returncode}: {done.stderr[-500:]}")
                return found + 1
            for line in (done.stdout + done.stderr).splitlines():
                if line.startswith("FOUND") or end is not None or done.returncode == 1:
                    say(line[:600])
            add_count(name, seed, upto - first)
            if left is not None:
                left -= upto - first
            first = upto
            if ended or end is not None or left <= 0:
                break
            piece = ["--count", str(min(left, 250_000))]
        if not ended:
            break
    else:
        say(f"{name}: was ended {options.restarts + 1} times and is not started again")
    if count is not None:
        say(f"{name}: {first} inputs so far, findings {found}")
    return found


def reproducers(wanted):
    found = 0
    for name in targets(wanted):
        files = sorted(glob.glob(os.path.join(ROOT, "Fixtures", "fuzz", name, "*")))
        for file in files:
            # With the limits of a run: what hangs or swells has to end.
            try:
                status = subprocess.run(
                    [PROGRAM, name, *LIMITS, "--limited", "--one", os.path.relpath(file, ROOT)], cwd=ROOT, timeout=120,
                    env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}).returncode
            except subprocess.TimeoutExpired:
                status = 124
            if status != 0:
                say(f"{name}: {os.path.relpath(file, ROOT)}: FOUND again (status {status})")
                found += 1
        say(f"{name}: {len(files)} reproducers")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mode", choices=["run", "count", "reproducers", "build", "list"])
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--debug", action="store_true")
    options = parser.parse_args()
    if options.debug:
        global PROGRAM, LIMITS
        PROGRAM, LIMITS = DEBUG_PROGRAM, DEBUG_LIMITS
        os.makedirs(FINDINGS, exist_ok=True)
        if not os.path.exists(PROGRAM):
            sys.exit("there is no debug build of the generators. Run SIGHTLINE_FUZZ=1 swift build first.")
    elif options.mode != "list" or not os.path.exists(PROGRAM):
        build()
    if options.mode == "build":
        return 0
    if options.mode == "list":
        print("\n".join(targets([])))
        return 0
    if options.mode == "reproducers":
        return 1 if reproducers(options.arguments) else 0
    if not options.arguments or not options.arguments[0].isdigit():
        sys.exit(f"{options.mode} needs a number first")
    number, names = int(options.arguments[0]), targets(options.arguments[1:])
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        limit = {"seconds": number} if options.mode == "run" else {"count": number}
        found = sum(pool.map(lambda name: run(name, options, **limit), names))
    say(f"{len(names)} targets, findings {found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
