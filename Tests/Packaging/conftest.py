"""Builds the package and the image once, from the program that the other tests use, and gives places to install them in."""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.join(ROOT, ".build/debug/sightline")
# A user without rights, where the package's own is not needed.
NOBODY = 65534


def build(*command):
    """Runs a script of the project; the path that its last line names."""
    result = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()[-1]


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The Debian package, of the debug program, hardly compressed."""
    return build("Scripts/build-package", "--binary", BINARY, "--output", str(tmp_path_factory.mktemp("package")), "--fast")


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    """The image as an archive, of the debug program, hardly compressed."""
    return build("Scripts/build-image", "--binary", BINARY, "--output", str(tmp_path_factory.mktemp("image") / "i.oci.tar"), "--fast")


def can_mount():
    """Whether this user may have a view of the files of his own: root, on a kernel that lets him."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    test = "mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay none -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r"
    return subprocess.run(["unshare", "-m", "sh", "-c", test], capture_output=True).returncode == 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, path, host="127.0.0.1"):
    """Status and text of a GET."""
    request = urllib.request.Request(f"http://{host}:{port}{path}", headers={"Accept": "text/html,*/*"})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")


@contextlib.contextmanager
def running(command, port, log, **options):
    """A server that is ready; it is ended afterwards, gently first."""
    with open(log, "wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **{"stdin": subprocess.DEVNULL, **options})
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                if get(port, "/health/ready")[0] == 200:
                    break
            assert server.poll() is None, open(log, encoding="utf-8", errors="replace").read()
            time.sleep(0.05)
        else:
            pytest.fail("it was not ready: " + open(log, encoding="utf-8", errors="replace").read())
        yield server
    finally:
        if server.poll() is None:
            server.terminate()
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def looks_like_sightline(port):
    """Asks what a browser and an operator ask first."""
    ready = json.loads(get(port, "/health/ready")[1])
    assert ready["status"] == "ready"
    status, page = get(port, "/")
    assert status == 200 and "<title>Sightline" in page
    worlds = json.loads(get(port, "/api/v1/worlds")[1])["worlds"]
    assert worlds, "the demonstration worlds came with it"
    build = json.loads(get(port, "/api/v1/client")[1])
    engine = [name for name in build["files"] if name.endswith("engine.wasm")]
    assert engine, build["files"]
