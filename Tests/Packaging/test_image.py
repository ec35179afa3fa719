"""The image: a layout that registries take, with nothing in it that is not needed, and a server that needs no rights."""
import gzip
import hashlib
import json
import os
import subprocess
import tarfile

import pytest

from conftest import can_mount, free_port, looks_like_sightline, running


@pytest.fixture(scope="module")
def layout(image, tmp_path_factory):
    """The layout in a folder, and its configuration."""
    folder = tmp_path_factory.mktemp("layout")
    with tarfile.open(image) as archive:
        archive.extractall(folder, filter="data")
    return folder


def blob(layout, descriptor):
    """A blob, whose hash and size are what its descriptor says."""
    algorithm, digest = descriptor["digest"].split(":")
    data = (layout / "blobs" / algorithm / digest).read_bytes()
    assert len(data) == descriptor["size"] and hashlib.sha256(data).hexdigest() == digest
    return data


@pytest.fixture(scope="module")
def manifest(layout):
    assert json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
    index = json.loads((layout / "index.json").read_text())
    return json.loads(blob(layout, index["manifests"][0]))


@pytest.fixture(scope="module")
def config(layout, manifest):
    return json.loads(blob(layout, manifest["config"]))


@pytest.fixture(scope="module")
def root(layout, manifest, config, tmp_path_factory):
    """The root file system, put together as an engine does it."""
    folder = tmp_path_factory.mktemp("root")
    folder.chmod(0o755)
    for layer, plain in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
        data = gzip.decompress(blob(layout, layer))
        assert "sha256:" + hashlib.sha256(data).hexdigest() == plain
        subprocess.run(["tar", "-xp", "--numeric-owner", "-C", folder], input=data, check=True)
    return folder


def test_it_asks_for_no_rights_and_is_small(manifest, config):
    assert config["config"]["User"] == "10001:10001" and config["config"]["StopSignal"] == "SIGTERM"
    assert config["config"]["Entrypoint"] == ["/usr/bin/sightline"] and config["config"]["Cmd"] == ["serve"]
    assert sum(layer["size"] for layer in manifest["layers"]) <= 150_000_000


def test_nothing_is_in_it_that_helps_a_stranger(root):
    programs = [path for path in root.rglob("*") if not path.is_symlink() and path.is_file() and path.parent.name in ("bin", "sbin")]
    assert programs == []
    for path in root.rglob("*"):
        status = path.lstat()
        assert status.st_mode & 0o6000 == 0, path
        if not path.is_symlink():
            assert not status.st_mode & 0o002 or path.name == "tmp", path
    # Each library comes with its package's name, for those who look for weak ones, and with its license.
    packages = {path.name for path in (root / "var/lib/dpkg/status.d").iterdir()}
    assert {"libc6", "libpq5", "libsqlite3-0", "ca-certificates"} <= packages
    assert (root / "usr/share/doc/libc6/copyright").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may change the root folder")
def test_it_serves_as_nobody_from_a_file_system_that_cannot_be_written(root, config, tmp_path):
    port, home = free_port(), "/var/lib/sightline"
    environment = dict(line.split("=", 1) for line in config["config"]["Env"])
    environment |= {"SIGHTLINE_PORT": str(port), "SIGHTLINE_METRICS_PORT": "0", "SIGHTLINE_HOST": "127.0.0.1", "SIGHTLINE_DRAIN_SECONDS": "0"}
    user = config["config"]["User"]
    start = ["/usr/sbin/chroot", f"--userspec={user}", "--groups=", str(root), *config["config"]["Entrypoint"], *config["config"]["Cmd"]]
    command = start
    if can_mount():
        # As with --read-only: one folder for the data, and no temporary one.
        mounts = f'''
          set -e
          mount --bind "{root}" "{root}"
          mount -t tmpfs -o uid=10001,gid=10001,mode=750 none "{root}{home}"
          mount --rbind /proc "{root}/proc"
          mount --rbind /dev "{root}/dev"
          mount -o remount,bind,ro "{root}"
          exec "$@"'''
        command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts, "sh", *start]
    log = tmp_path / "log"
    with running(command, port, log, env={**environment, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}) as server:
        looks_like_sightline(port)
        with open(f"/proc/{server.pid}/status", encoding="utf-8") as status:
            assert "Uid:\t10001\t10001" in status.read()
        server.terminate()
        assert server.wait(10) == 0, log.read_text()
