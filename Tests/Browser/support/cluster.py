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
    """A PostgreSQL server in a folder of its own. It writes as it would for an operator: what it has confirmed is on the disk."""

    def __init__(self):
        # Another user's: folders of tests are closed to that one.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sightline-cluster-"))
        self.port, self.process = free_port(), None
        self.bin = postgres_programs()
        account = postgres_account()
        self.user = account and account.pw_name
        if account:
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._run("initdb", "-D", "data", "-U", USER, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")

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
            self._command("postgres", "-D", "data", "-c", f"port={self.port}", "-c", "listen_addresses=127.0.0.1", "-c",
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


class Cluster:
    """Servers over one database, with the interface of a single `Sightline`."""

    def __init__(self, folder, proxy_port, count=3, more=(), client=CLIENT, wasm=WASM):
        self.folder = pathlib.Path(folder)
        self.proxy_port = proxy_port
        self.postgres = Postgres()
        self.database = self.postgres.address
        self.members = []
        for number in range(count):
            place = self.folder / f"server-{number}"
            place.mkdir()
            self.members.append(Sightline(place, proxy_port, port=free_port(), more=more, client=client, wasm=wasm,
                                          database=self.database))
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
        self.postgres.stop()
