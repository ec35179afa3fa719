"""The files of an installed Sightline: program, libraries of Swift, page, demonstration, man pages, completions."""
import gzip
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WASM = ["sightline.wasm", "places.wasm", "vision.wasm", "walls.wasm", "models.wasm", "odometry.wasm"]


class Refusal(Exception):
    """A sentence for whoever builds a package."""


def run(*command, **options):
    """Runs a program; its output."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout
    except FileNotFoundError:
        raise Refusal(f"{command[0]} is not installed; the package dpkg-dev or binutils of Debian has it.") from None
    except subprocess.CalledProcessError as error:
        raise Refusal(f"{' '.join(command)} failed: {error.stderr.strip()[:500]}") from None


def moment():
    """The time that everything in a package bears, so that two builds are equal: the commit's, or SOURCE_DATE_EPOCH."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdigit():
        return int(given)
    try:
        return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct").strip())
    except (Refusal, ValueError):
        return 0


def version():
    """The program's version."""
    with open(os.path.join(ROOT, "Sources/Content/SightlineContent/Version.swift"), encoding="utf-8") as file:
        return re.search(r'current = "([0-9][0-9A-Za-z.+~-]*)"', file.read()).group(1)


def libraries(program):
    """Name and path of every shared library of a program, by the loader itself."""
    found = {}
    for line in run("ldd", program).splitlines():
        match = re.match(r"\s*(\S+) => (\S+) \(0x", line) or re.match(r"\s*(/\S+)()\s\(0x", line)
        if not match:
            if "not found" in line:
                raise Refusal(f"{program} needs {line.split()[0]}, which is not on this machine.")
            continue
        name, path = match.groups()
        found[os.path.basename(name)] = os.path.realpath(path or name)
    return found


def is_swift(path):
    """Whether a library is one of the toolchain's, which no Debian package has."""
    return "/swift/" in path


def strip(source, target):
    """Copies a program or library without what only a debugger needs."""
    run("strip", "--strip-unneeded", "-o", target, source)
    os.chmod(target, 0o644 if target.endswith(".so") else 0o755)


def look_beside(program):
    """Lets a program look for Swift's libraries beside itself and nowhere else.

    The linker wrote the toolchain's folder of this machine into it; what takes its place is never longer.
    """
    found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", run("readelf", "-d", program))
    if not found or found.group(1) == "$ORIGIN":
        return
    old = found.group(1).encode() + b"\0"
    with open(program, "r+b") as file:
        data = file.read()
        place = data.find(old)
        if place < 0 or data.find(old, place + 1) >= 0 or len(old) < 8:
            raise Refusal(f"the folders in which {program} looks for libraries cannot be changed.")
        file.seek(place)
        file.write(b"$ORIGIN".ljust(len(old), b"\0"))


def copy(source, target):
    """Copies files for everybody to read, without what only those who change them need."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
        for name in sorted(os.listdir(source)):
            is_of_makers = name in ("tests", "node_modules", "README.md") or name.endswith((".py", ".pyc")) or name.startswith("make-")
            if not name.startswith((".", "__")) and not is_of_makers:
                copy(os.path.join(source, name), os.path.join(target, name))
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)
    os.chmod(target, 0o644)


def build(program, wasm, target):
    """Lays an installation below the folder `target`; returns the libraries that it needs from Debian, by name."""
    if not os.access(program, os.X_OK):
        raise Refusal(f"there is no program {program}. Build it with swift build -c release --static-swift-stdlib "
                      "--product sightline, or name another with --binary.")
    missing = [name for name in WASM if not os.path.exists(os.path.join(wasm, name))]
    if missing:
        raise Refusal(f"{' and '.join(missing)} of the page's engine is not in {wasm}. Build it with Scripts/build-wasm.")
    needed = libraries(program)
    home = os.path.join(target, "usr/lib/sightline")
    os.makedirs(home)
    strip(program, os.path.join(home, "sightline"))
    look_beside(os.path.join(home, "sightline"))
    for name, path in needed.items():
        if is_swift(path):
            strip(path, os.path.join(home, name))
    os.makedirs(os.path.join(target, "usr/bin"))
    os.symlink("../lib/sightline/sightline", os.path.join(target, "usr/bin/sightline"))
    share = os.path.join(target, "usr/share/sightline")
    copy(os.path.join(ROOT, "WebClient"), os.path.join(share, "WebClient"))
    for name in WASM:
        copy(os.path.join(wasm, name), os.path.join(share, name))
    copy(os.path.join(ROOT, "Fixtures/demo"), os.path.join(share, "demo"))
    return {name: path for name, path in needed.items() if not is_swift(path)}


def completions(program, target):
    """Scripts that complete commands and options, where each shell looks for those of packages."""
    places = {"bash": "usr/share/bash-completion/completions/sightline",
              "zsh": "usr/share/zsh/vendor-completions/_sightline",
              "fish": "usr/share/fish/vendor_completions.d/sightline.fish"}
    for shell, place in places.items():
        path = os.path.join(target, place)
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            # The shell reads it; nobody runs it.
            file.write(run(program, "completions", shell).removeprefix("#!/bin/bash\n\n"))
        os.chmod(path, 0o644)


def compressed(source, target):
    """A file, or a text as bytes, compressed as Debian wants its documents."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not isinstance(source, bytes):
        with open(source, "rb") as file:
            source = file.read()
    with open(target, "wb") as out:
        out.write(gzip.compress(source, 9, mtime=0))
    os.chmod(target, 0o644)


def owners(paths):
    """The Debian package that each library is from.

    Raises a refusal for one that was put there by hand.
    """
    # dpkg knows files by the name they had when /lib was a folder of its own.
    names = {}
    for path in paths:
        names[path] = path
        names[path[len("/usr"):] if path.startswith("/usr/") else "/usr" + path] = path
    # It fails when it knows not all of them, as it never does.
    result = subprocess.run(["dpkg-query", "--search", *names], capture_output=True, text=True)
    found = {}
    for line in result.stdout.splitlines():
        package, _, name = line.partition(": ")
        if name in names:
            found[names[name]] = package.split(",")[0].split(":")[0]
    for path in paths:
        if path not in found:
            raise Refusal(f"{path} is of no Debian package; build the program against Debian's libraries.")
    return found


def statuses(packages):
    """What dpkg knows of each package, as text."""
    text = run("dpkg-query", "--status", *sorted(packages))
    return {re.match(r"Package: (\S+)", part).group(1): part + "\n" for part in text.strip().split("\n\n")}


def main(body):
    """Runs a script's body; what it refuses is said in a sentence."""
    try:
        sys.exit(body())
    except Refusal as refusal:
        print(f"{os.path.basename(sys.argv[0])}: {refusal}", file=sys.stderr)
        sys.exit(1)
