"""The Debian package: what is in it, that apt takes it, and that its service serves."""
import gzip
import json
import os
import re
import shutil
import subprocess

import pytest

from conftest import NOBODY, ROOT, can_mount, free_port, get, looks_like_sightline, running

UNIT = "usr/lib/systemd/system/sightline.service"
# In a copy of this machine's files that is gone afterwards: installed, served, stopped, purged. The server's own unit says how.
IN_A_COPY = r"""
set -eu
mount -t tmpfs none "$ROOM"
mkdir "$ROOM/upper" "$ROOM/work" "$ROOM/root"
mount -t overlay none -o "lowerdir=/,upperdir=$ROOM/upper,workdir=$ROOM/work" "$ROOM/root"
mount --rbind /proc "$ROOM/root/proc"
mount --rbind /dev "$ROOM/root/dev"
cp "$PACKAGE" "$ROOM/root/package.deb"
cat >"$ROOM/root/steps" <<'STEPS'
set -eu
export DEBIAN_FRONTEND=noninteractive
# The machine's index of man pages takes seconds to write and is no matter of this test.
if [ -e /usr/bin/mandb ]; then ln -sf /bin/true /usr/bin/mandb; fi
apt-get install -y -qq --no-install-recommends /package.deb >/log 2>&1 || { cat /log; exit 1; }
unit() { sed -n "s/^$1=//p" /usr/lib/systemd/system/sightline.service; }
systemd-analyze verify --man=no /usr/lib/systemd/system/sightline.service 2>&1 | grep -i sightline && exit 1
echo "exposure: $(systemd-analyze security --offline=true sightline.service 2>/dev/null | grep 'Overall exposure' || true)"
echo "enabled: $(ls /etc/systemd/system/multi-user.target.wants | grep sightline)"
echo "owner: $(stat -c %U:%a /var/lib/sightline)"
printf 'SIGHTLINE_PORT=%s\nSIGHTLINE_METRICS_PORT=0\nSIGHTLINE_DRAIN_SECONDS=1\n' "$PORT" >/etc/default/sightline
# A debug build looks at the posters' pictures for seconds; the image's test has them.
rm -r /usr/share/sightline/demo/posters
cd "$(unit WorkingDirectory)"
set -a; eval "$(unit Environment)"; . "$(unit EnvironmentFile | sed s/^-//)"; set +a
as() { exec setpriv --reuid "$(unit User)" --regid "$(unit Group)" --init-groups --no-new-privs --bounding-set=-all -- "$@"; }
(as sightline serve --check-config)
as $(unit ExecStart) &
server=$!
read -r stop
kill -TERM "$server"
wait "$server" && echo "ended: 0" || echo "ended: $?"
apt-get purge -y -qq sightline >/log 2>&1 || { cat /log; exit 1; }
echo "left: $(ls -d /etc/sightline /usr/lib/sightline /usr/bin/sightline 2>/dev/null | tr '\n' ' ')"
echo "data: $(ls /var/lib/sightline)"
STEPS
exec chroot "$ROOM/root" sh /steps
"""


@pytest.fixture(scope="module")
def tree(package, tmp_path_factory):
    """The package's files in a folder."""
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["dpkg-deb", "-R", package, folder], check=True)
    return folder


def test_it_has_everything_a_user_looks_for(tree):
    for path in ["usr/bin/sightline", UNIT, "etc/sightline/sightline.json", "usr/share/man/man1/sightline-serve.1.gz",
                 "usr/share/bash-completion/completions/sightline", "usr/share/zsh/vendor-completions/_sightline",
                 "usr/share/fish/vendor_completions.d/sightline.fish", "usr/share/sightline/WebClient/index.html",
                 "usr/share/sightline/vision.wasm", "usr/share/sightline/demo", "usr/share/doc/sightline/copyright",
                 "usr/share/doc/sightline/changelog.gz", "usr/share/doc/sightline/examples/nginx/sightline.conf"]:
        assert (tree / path).exists(), path
    assert (tree / "DEBIAN/conffiles").read_text() == "/etc/sightline/sightline.json\n"
    control = (tree / "DEBIAN/control").read_text()
    depends = re.search(r"^Depends: (.*)$", control, re.MULTILINE).group(1)
    for name in ["libc6 (>= ", "libpq5 (>= ", "libsqlite3-0 (>= ", "ca-certificates"]:
        assert name in depends
    # Nothing of the machine that built it: the loader looks beside the program alone.
    dynamic = subprocess.run(["readelf", "-d", tree / "usr/lib/sightline/sightline"], capture_output=True, text=True).stdout
    paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic)
    assert paths in ([], ["$ORIGIN"])
    for script in ["postinst", "prerm", "postrm"]:
        subprocess.run(["sh", "-n", tree / "DEBIAN" / script], check=True)


def test_man_pages_and_completions_are_of_this_program(tree):
    folder = tree / "usr/share/man/man1"
    page = gzip.decompress((folder / "sightline-serve.1.gz").read_bytes()).decode()
    assert r"\fB\-\-drain\-seconds\fR" in page and "/etc/sightline/sightline.json" in page
    pages = {path.name for path in folder.iterdir()}
    assert {"sightline.1.gz", "sightline-database-migrate.1.gz", "sightline-user-add.1.gz"} <= pages
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", folder / "sightline-serve.1.gz"], capture_output=True, text=True,
                               env={**os.environ, "MANWIDTH": "100", "MAN_KEEP_FORMATTING": "1"})
        assert shown.returncode == 0 and shown.stderr == "", shown.stderr
    completion = tree / "usr/share/bash-completion/completions/sightline"
    asked = f'source {completion}; COMP_WORDS=(sightline serve --drain); COMP_CWORD=2; COMP_LINE="sightline serve --drain"; COMP_POINT=${{#COMP_LINE}}; COMP_TYPE=9; _sightline sightline --drain serve; echo "${{COMPREPLY[@]}}"'
    found = subprocess.run(["bash", "-c", asked], capture_output=True, text=True)
    assert "--drain-seconds" in found.stdout, found.stderr
    for shell, path in [("zsh", "usr/share/zsh/vendor-completions/_sightline"), ("fish", "usr/share/fish/vendor_completions.d/sightline.fish")]:
        if shutil.which(shell):
            subprocess.run([shell, "-n", tree / path], check=True)


def test_apt_installs_it_and_its_service_serves(package, tree, tmp_path):
    port, log = free_port(), tmp_path / "log"
    if not can_mount():
        # Without a copy of the machine's files: the program where the package has it, as somebody without rights.
        command = [tree / "usr/bin/sightline", "serve", "--port", str(port), "--metrics-port", "0",
                   "--config", tree / "etc/sightline/sightline.json", "--database", tmp_path / "d.sqlite"]
        if os.geteuid() == 0:
            for path in [tmp_path, *tmp_path.parents]:
                if str(path).startswith("/tmp/"):
                    os.chmod(path, 0o755)
            os.chown(tmp_path, NOBODY, NOBODY)
            command = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *command]
        with running(list(map(str, command)), port, log, cwd=tmp_path):
            looks_like_sightline(port)
        return
    room = tmp_path / "room"
    room.mkdir()
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "ROOM": str(room), "PACKAGE": package, "PORT": str(port)}
    command = ["unshare", "--mount", "--propagation", "private", "--fork", "--kill-child", "sh", "-c", IN_A_COPY]
    with running(command, port, log, env=environment, stdin=subprocess.PIPE) as server:
        looks_like_sightline(port)
        server.stdin.write(b"stop\n")
        server.stdin.flush()
        for _ in range(3):
            # It drains: still there, and not ready.
            status, text = get(port, "/health/ready")
            if status == 503:
                break
        assert (status, json.loads(text)["status"]) == (503, "draining")
        assert get(port, "/api/v1/worlds")[0] == 200
        assert server.wait(20) == 0, log.read_text()
    said = log.read_text()
    assert "enabled: sightline.service" in said and "owner: sightline:750" in said
    assert re.search(r"port +\d+ +SIGHTLINE_PORT", said) and "/etc/sightline/sightline.json, line" in said
    assert "ended: 0" in said and "left: \n" in said and re.search(r"data: .*", said).group() != "data: "
    exposure = re.search(r"Overall exposure level for sightline.service: ([\d.]+)", said)
    assert exposure is None or float(exposure.group(1)) <= 2.0, said
