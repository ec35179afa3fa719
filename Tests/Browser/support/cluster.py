"""Several real servers over one PostgreSQL database, behind HAProxy, which sends each request to another one."""
import glob
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from support.packets import PacketRelay
from support.relay import Relay
from support.sightline import CLIENT, WASM, Sightline

USER = "sightline"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait(what, holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(f"waited {seconds} s in vain: {what}")
        time.sleep(0.02)


def postgres_programs():
    """The folder of the latest PostgreSQL's programs."""
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[4]))
    return pathlib.Path(programs[-1] if programs else os.path.dirname(shutil.which("postgres")))


def postgres_account():
    """Whom PostgreSQL runs as: as root it would not, then as whoever is there for it, or as nobody; else none, for oneself."""
    if os.geteuid() != 0:
        return None
    known = {account.pw_name: account for account in pwd.getpwall()}
    return next(known[name] for name in ("postgres", "nobody") if name in known)


class Postgres:
    """A PostgreSQL server in a folder of its own. It writes as it would for an operator: what it has confirmed is on the disk.
    `disk`: megabytes of a disk of its own, which can be full; for that one has to be root."""

    def __init__(self, disk=None):
        # Another user's: folders of tests are closed to that one.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sightline-cluster-"))
        self.port, self.process = free_port(), None
        self.bin = postgres_programs()
        account = postgres_account()
        self.user = account and account.pw_name
        if account:
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self.disk = None
        if disk is not None:
            place = self.folder / "data"
            place.mkdir()
            owner = f",uid={account.pw_uid},gid={account.pw_gid}" if account else ""
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={disk}m,mode=0700{owner}", "tmpfs", place], check=True)
            self.disk = place
        self._run("initdb", "-D", "data", "-U", USER, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
        self.addresses = ["127.0.0.1"]

    def _command(self, program, *arguments):
        return [*(["runuser", "-u", self.user, "--"] if self.user else []), self.bin / program, *arguments]

    def _run(self, program, *arguments):
        subprocess.run(self._command(program, *arguments), cwd=self.folder, check=True, capture_output=True, timeout=120)

    @property
    def address(self):
        return f"postgresql://{USER}@127.0.0.1:{self.port}/postgres"

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            self._command("postgres", "-D", "data", "-c", f"port={self.port}", "-c", f"listen_addresses={','.join(self.addresses)}", "-c",
                          f"unix_socket_directories={self.folder}", "-c", "max_connections=200", "-c", "shared_buffers=64MB"),
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        wait("the database takes connections", lambda: subprocess.run(
            self._command("pg_isready", "-q", "-U", USER, "-h", "127.0.0.1", "-p", str(self.port)), cwd=self.folder).returncode == 0)
        return self

    def rows(self, sql):
        """Rows of a query, as texts."""
        done = subprocess.run([self.bin / "psql", "-X", "-A", "-t", "-F", "\x1f", "-d", self.address, "-c", sql],
                              check=True, capture_output=True, text=True, timeout=60)
        return [line.split("\x1f") for line in done.stdout.splitlines()]

    def admit(self, here, there):
        """Also listens on another address of this machine, and lets those in who come from the other one; before the start."""
        self.addresses.append(here)
        with open(self.folder / "data" / "pg_hba.conf", "a") as rules:
            rules.write(f"host all all {there}/32 trust\n")

    def set(self, **parameters):
        """Changes its settings while it runs; none for a parameter's own."""
        for name, value in parameters.items():
            self.rows(f"ALTER SYSTEM RESET {name}" if value is None else f"ALTER SYSTEM SET {name} = '{value}'")
        self.rows("SELECT pg_reload_conf()")

    def fill(self):
        """Leaves no room on its disk."""
        with open(self.disk / "ballast", "wb", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12):
                try:
                    while ballast.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    def empty(self):
        """Makes room again, and starts it where it had to end, as its operator does."""
        (self.disk / "ballast").unlink()
        if self.process.poll() is not None:
            (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
            self.start()

    def kill(self):
        """Ends it as a power cut does."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGKILL)
        self.process.wait()
        # Those that serve connections notice that their parent is gone, each when it comes to it.
        wait("its processes are gone", lambda: not _uses(self.folder), 30)
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate() if not self.user else os.kill(
                int((self.folder / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
            self.process.wait(timeout=30)
        self.process = None
        if self.disk is not None:
            subprocess.run(["umount", self.disk], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def _uses(folder):
    """Whether a process has its working folder there."""
    for path in glob.glob("/proc/[0-9]*/cwd"):
        try:
            if os.readlink(path).startswith(str(folder / "data")):
                return True
        except OSError:
            continue
    return False


class Clock:
    """What a server takes for the time of day; its other clocks go on as they are (libfaketime)."""

    def __init__(self, folder):
        self.file = folder / "clock"
        self.set(0)
        libraries = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if not libraries:
            raise RuntimeError("libfaketime is missing. Install it with: apt-get install faketime")
        self.variables = {"LD_PRELOAD": libraries[0], "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_CACHE_DURATION": "1",
                          "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def set(self, ahead):
        """Steps to so many seconds from the right time, within a second."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{ahead:+d}\n")
        new.rename(self.file)

    @staticmethod
    def clear():
        """Removes what libfaketime leaves behind of programs that were killed."""
        for path in glob.glob("/dev/shm/*faketime_*"):
            if not os.path.exists("/proc/" + path.rsplit("_", 1)[1]):
                os.unlink(path)


class Cluster:
    """Servers over one database, with the interface of a single `Sightline`. `cuttable`: each has a line of its own to the
    database (`relays`), which keeps bytes back, or with `packets` drops packets; `clocks`: each has a clock of its own
    (`clocks`); `disk`: as for `Postgres`."""

    def __init__(self, folder, proxy_port, count=3, more=(), client=CLIENT, wasm=WASM, cuttable=False, packets=False, clocks=False,
                 disk=None):
        self.folder = pathlib.Path(folder)
        self.proxy_port = proxy_port
        self.postgres = Postgres(disk)
        self.database = self.postgres.address
        self.members, self.relays, self.clocks = [], [], []
        for number in range(count):
            place = self.folder / f"server-{number}"
            place.mkdir()
            database, variables = self.database, {}
            if cuttable:
                self.relays.append((PacketRelay if packets else Relay)(self.postgres.port))
                if packets:
                    self.postgres.admit(self.relays[-1].here, self.relays[-1].host)
                database = database.replace(f"127.0.0.1:{self.postgres.port}/", f"{self.relays[-1].host}:{self.relays[-1].port}/")
            if clocks:
                self.clocks.append(Clock(place))
                variables = self.clocks[-1].variables
            self.members.append(Sightline(place, proxy_port, port=free_port(), more=more, client=client, wasm=wasm,
                                          database=database, variables=variables))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.balancer = None

    def start(self):
        self.postgres.start()
        for member in self.members:
            member.start()
        servers = "\n".join(f"  server s{number} 127.0.0.1:{member.port} check inter 200ms fall 1 rise 1"
                            for number, member in enumerate(self.members))
        config = self.folder / "haproxy.cfg"
        config.write_text(f"""global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  timeout queue 5s
  option redispatch
  retries 3
frontend all
  bind 127.0.0.1:{self.port}
  default_backend servers
backend servers
  balance roundrobin
  http-reuse safe
  option forwardfor
  option httpchk GET /health/ready
{servers}
""")
        log = open(self.folder / "haproxy.log", "ab")
        self.balancer = subprocess.Popen(["haproxy", "-db", "-f", config], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        wait("the balancer answers", self._answers)
        return self

    def _answers(self):
        try:
            with urllib.request.urlopen(self.url + "/health/ready", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def add_account(self, name, password, role="author"):
        self.members[0].add_account(name, password, role)

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=20) as answer:
            return answer.read()

    def stop(self):
        for member in self.members:
            member.stop()
        if self.balancer is not None:
            self.balancer.kill()
            self.balancer.wait()
        for relay in self.relays:
            relay.stop()
        if self.clocks:
            Clock.clear()
        self.postgres.stop()
