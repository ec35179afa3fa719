"""Three PostgreSQL under Patroni with an etcd, as programs of their own in a temporary folder, on loopback; each node can be
killed, stopped and brought back as a machine would be."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from support.cluster import free_port, postgres_account, postgres_programs, wait

USER = "sightline"


def missing():
    """What has to be installed first; a sentence, or none."""
    packages = [package for program, package in (("patroni", "patroni"), ("etcd", "etcd-server")) if not shutil.which(program)]
    try:
        postgres_programs()
    except TypeError:
        packages.append("postgresql")
    return f"Install first (Debian): apt install --no-install-recommends {' '.join(packages)}" if packages else None


def inside(folder):
    """Processes whose working folder is there or below."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                place = os.readlink(entry / "cwd")
            except OSError:
                continue
            # A process of a folder that is gone is still one of it.
            if place.removesuffix(" (deleted)") == str(folder) or place.startswith(f"{folder}/"):
                found.append(int(entry.name))
    return found


def send(pids, what):
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            continue


class Program:
    """A program in a folder of its own, run as whom PostgreSQL can run as."""

    def __init__(self, folder, command):
        self.folder, self.command, self.process = folder, command, None
        self.account = postgres_account()
        folder.mkdir()
        if self.account:
            os.chown(folder, self.account.pw_uid, self.account.pw_gid)

    def start(self):
        who = {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []} if self.account else {}
        names = ("PATRONI_", "PG", "ETCD_")
        # Settings of whoever runs this are not those of the measurement.
        around = {name: value for name, value in os.environ.items() if not name.startswith(names)} | {"HOME": str(self.folder)}
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=around, **who)

    def kill(self):
        """The program alone, not what it has started."""
        self.process.kill()
        self.process.wait()


class Node(Program):
    """A machine: Patroni and its PostgreSQL."""

    def __init__(self, folder, name, etcd_port, settings):
        self.name, self.port, self.api_port = name, free_port(), free_port()
        super().__init__(folder, [shutil.which("patroni"), str(folder / "patroni.json")])
        programs = postgres_programs()
        trust = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication replicator 127.0.0.1/32 trust"]
        config = {
            "scope": "sightline", "name": name,
            "restapi": {"listen": f"127.0.0.1:{self.api_port}", "connect_address": f"127.0.0.1:{self.api_port}"},
            "etcd3": {"hosts": [f"127.0.0.1:{etcd_port}"]},
            "bootstrap": {"dcs": settings, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"], "pg_hba": trust},
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(folder / "data"), "bin_dir": str(programs), "pgpass": str(folder / "pgpass"), "pg_hba": trust,
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
                "parameters": {"unix_socket_directories": str(folder)},
            },
            # There is none to measure with: the script plays it.
            "watchdog": {"mode": "off"},
        }
        (folder / "patroni.json").write_text(json.dumps(config, indent=1))

    def ask(self, path, body=None, method=None, patience=2):
        """Patroni's own interface; none where it does not answer."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.api_port}{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()
        except OSError:
            return None

    def state(self):
        try:
            return json.loads(self.ask("/patroni") or "{}")
        except ValueError:
            return {}

    def database(self):
        """The processes of PostgreSQL."""
        return inside(self.folder / "data")

    def kill_postgres(self):
        """The first process, whose end is that of all."""
        send([int((self.folder / "data" / "postmaster.pid").read_text().split()[0])], signal.SIGKILL)

    def kill_all(self):
        """As a power cut does."""
        if self.process.poll() is None:
            self.kill()
        # One that was just being started is not seen the first time.
        while pids := inside(self.folder):
            send(pids, signal.SIGKILL)
            time.sleep(0.05)

    def stop_clock(self):
        """As a machine that hangs: nothing of it goes on, and its connections stay."""
        send(inside(self.folder), signal.SIGSTOP)

    def go_on(self):
        send(inside(self.folder), signal.SIGCONT)

    def psql(self, sql, user="postgres", database="postgres", patience=10):
        """Rows of a query at this node, as texts; raises subprocess' errors where there are none."""
        return psql(postgres_programs(), f"postgresql://{user}@127.0.0.1:{self.port}/{database}?connect_timeout=2", sql, patience)


def psql(programs, address, sql, patience):
    done = subprocess.run([programs / "psql", "-X", "-A", "-t", "-q", "-F", "\x1f", "-d", address, "-c", sql], check=True,
                          capture_output=True, text=True, timeout=patience)
    return [line.split("\x1f") for line in done.stdout.splitlines()]


class Patroni:
    """Three nodes and their etcd; with the interface of `support.cluster.Postgres`."""

    def __init__(self, settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sightline-patroni-"))
        # PostgreSQL's user goes through it to its own.
        self.folder.chmod(0o755)
        client, peer = free_port(), free_port()
        self.etcd = Program(self.folder / "etcd", [
            shutil.which("etcd"), "--name", "only", "--data-dir", "data", "--logger", "zap",
            "--listen-client-urls", f"http://127.0.0.1:{client}", "--advertise-client-urls", f"http://127.0.0.1:{client}",
            "--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-cluster", f"only=http://127.0.0.1:{peer}"])
        self.nodes = [Node(self.folder / f"node{number}", f"node{number}", client, settings) for number in (1, 2, 3)]

    @property
    def address(self):
        """All three, as `sightline serve` is told them."""
        return f"postgresql://{USER}@{','.join(f'127.0.0.1:{node.port}' for node in self.nodes)}/sightline"

    def start(self):
        self.etcd.start()
        for node in self.nodes:
            node.start()
        # In the strict form the first one alone confirms nothing.
        wait("one of them is the primary and two follow it", self.is_whole, 300)
        primary = self.primary()
        primary.psql(f"CREATE ROLE {USER} LOGIN")
        primary.psql(f"CREATE DATABASE sightline OWNER {USER} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'", patience=60)
        return self

    def rows(self, sql):
        """Rows of a query at the one that can write."""
        return psql(postgres_programs(), self.address + "?target_session_attrs=read-write&connect_timeout=2", sql, 60)

    def primary(self):
        """The node that says that it is the primary, the one with the latest history where a killed Patroni left two."""
        found = [(state.get("timeline", 0), number) for number, node in enumerate(self.nodes)
                 if (state := node.state()).get("role") in ("master", "primary") and state.get("state") == "running"]
        return self.nodes[max(found)[1]] if found else None

    def synchronous(self):
        """The node that confirms with the primary."""
        names = {row[0] for row in self.primary().psql("SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'")}
        return next((node for node in self.nodes if node.name in names), None)

    def is_whole(self):
        """Whether one is the primary and two follow it, one of them confirming."""
        try:
            primary = self.primary()
            if primary is None:
                return False
            members = json.loads(primary.ask("/cluster") or "{}").get("members", [])
            roles = sorted(member["role"] for member in members if member.get("state") in ("running", "streaming"))
            streams = primary.psql("SELECT count(*), count(*) FILTER (WHERE sync_state = 'sync') FROM pg_stat_replication "
                                   "WHERE state = 'streaming'")
            return roles == ["leader", "replica", "sync_standby"] and streams == [["2", "1"]]
        except (subprocess.SubprocessError, OSError, ValueError):
            return False

    def stop(self):
        """Ends everything in the folder, whatever state it is in."""
        while pids := inside(self.folder):
            # Patroni first would leave PostgreSQL behind, PostgreSQL first would be started again: so all at once.
            send(pids, signal.SIGKILL)
            time.sleep(0.1)
            for program in (self.etcd, *self.nodes):
                if program.process is not None:
                    program.process.poll()
        shutil.rmtree(self.folder, ignore_errors=True)
