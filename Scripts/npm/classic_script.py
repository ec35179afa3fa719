"""The element, the tracker and the bridges as one script without modules, for `<script src>`: of the package's own modules, by esbuild."""
import json
import pathlib
import shutil
import subprocess
import tempfile

ENTRY = "embed/classic/script.js"
DISK = "embed/classic/disk.js"
# Started by their address; on a disk by their text.
WORKERS = ["app/vision/vision-worker.js", "app/vision/odometry-worker.js"]
MISSING = "build-npm: esbuild is missing, which bundles sightline.js. Install it with: apt-get install esbuild (or npm install --global esbuild)"


def esbuild(*words):
    return subprocess.run(["esbuild", "--bundle", "--minify", "--legal-comments=none", "--log-level=warning", *words],
                          check=True, stdout=subprocess.PIPE, text=True).stdout


def make(client, modules, target):
    """Writes the script to `target`; `modules` are the paths in `client` that come into it."""
    if not shutil.which("esbuild"):
        raise SystemExit(MISSING)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in [*modules, ENTRY, DISK]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            text = (client / path).read_text()
            if path != DISK:
                # In one script each module still knows where it would lie.
                text = text.replace("import.meta.url", f"sightlineAddress({json.dumps(path)})")
            else:
                text = text.replace("'sightline:workers'", "'./workers.json'")
            (folder / path).write_text(text)
        texts = {path: esbuild("--format=iife", str(folder / path)) for path in WORKERS}
        (folder / DISK).with_name("workers.json").write_text(json.dumps(texts))
        target.write_text(esbuild("--format=iife", "--global-name=Sightline", f"--inject:{folder / DISK}", str(folder / ENTRY)))
