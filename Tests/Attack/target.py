"""The server under attack: the real program with a database of its own, watched while recipes run."""
import functools
import http.client
import http.server
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE_PROGRAM", ROOT / ".build" / "debug" / "sightline"))
PASSWORD = "walking through town 7"

# What has to hold during and after each recipe.
LATEST_ANSWER = 2.0
MOST_MEMORY = 1 << 30
# Address space of each program: an allocation without bounds ends it, and is seen, and not the machine.
ADDRESS_SPACE = 4_000_000_000


def environment():
    """The environment without this project's own variables; a program that traps does not spend a minute on saying where."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    return {**kept, "SWIFT_BACKTRACE": "enable=no"}


def confine():
    """Sets the limits of a program that is about to run."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def family(pid):
    """A process and all that it has started."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{thread}/children", encoding="ascii") as file:
                    waiting += [int(word) for word in file.read().split()]
        except OSError:
            pass
    return found


def memory(pid):
    """Resident memory of a process and all that it has started, bytes."""
    total = 0
    for one in family(pid):
        try:
            with open(f"/proc/{one}/statm", encoding="ascii") as file:
                total += int(file.read().split()[1]) * resource.getpagesize()
        except (OSError, IndexError):
            pass
    return total


class Answer:
    """Status, header fields and body."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, for POST too."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()


class Host(http.server.ThreadingHTTPServer):
    """Somebody who hangs up early is nothing to write about."""

    def handle_error(self, request, client_address):
        pass


class Documents:
    """A host of documents on this machine."""

    def __init__(self, folder):
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = Host(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Target:
    """A running server."""

    def __init__(self, *options, accounts=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sightline-attack-"))
        self.options, self.accounts = [str(option) for option in options], accounts
        self.process, self.port = None, None

    def __enter__(self):
        for name, role in self.accounts:
            self.program("user", "add", name, "--role", role, "--password-stdin", "--database", self.database,
                         given=PASSWORD + "\n")
        return self.start()

    def start(self):
        """Starts the program; again over the same database, too."""
        self.port = None
        if self.process is not None:
            self.process.stdout.close()
            self.log.close()
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--host", "127.0.0.1", "--port", "0", "--database", self.database, *self.options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment(),
            preexec_fn=confine)
        late = threading.Timer(240, self.process.kill)
        late.start()
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])
                break
        late.cancel()
        if self.port is None:
            text = (self.folder / "server.log").read_text(errors="replace")[-2000:]
            self.__exit__(None, None, None)
            raise RuntimeError(f"the server did not start: {text}")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def database(self):
        return self.folder / "attack.sqlite"

    @property
    def is_alive(self):
        return self.process.poll() is None

    def program(self, *arguments, given=None):
        """Runs the command line tool, which has to succeed; returns what it printed."""
        return subprocess.run([PROGRAM, *arguments], input=given, text=True, check=True, capture_output=True,
                              timeout=120, env=environment()).stdout

    def ask(self, method, path, body=None, headers=None, source="127.0.0.1", timeout=30):
        """One request over a connection of its own."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        try:
            line.request(method, path, body=body, headers=headers or {})
            answer = line.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            line.close()

    def post(self, path, value, headers=None, **more):
        """One question in JSON; a text is sent as it is."""
        body = value if isinstance(value, str) else json.dumps(value)
        return self.ask("POST", path, body, {"Content-Type": "application/json", **(headers or {})}, **more)

    def open(self, url, **more):
        """Has a world fetched from elsewhere."""
        return self.ask("POST", "/api/v1/open", f"url={url}", {"Content-Type": "application/x-www-form-urlencoded"},
                        **{"timeout": 60, **more})

    def raw(self, source="127.0.0.1", timeout=20):
        """A socket."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout, source_address=(source, 0))

    def signed_in(self, name="author"):
        """Header fields of somebody who has signed in."""
        answer = self.post("/api/v1/session", {"name": name, "password": PASSWORD})
        assert answer.status == 200, answer.body
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        return {"Cookie": cookie, "X-CSRF-Token": answer.json()["csrf"], "Content-Type": "application/json"}


class Late(AssertionError):
    """The server did not say in time that it is ready."""


class Watch:
    """Looks during a recipe, from another network, whether the server lives, answers in time and keeps to its memory."""

    def __init__(self, target):
        self.target = target
        self.late, self.peak, self.worst = 0, 0, 0.0
        self.done = threading.Event()

    def __enter__(self):
        self.threads = [threading.Thread(target=self.look), threading.Thread(target=self.weigh)]
        for thread in self.threads:
            thread.start()
        return self

    def ready(self):
        """Seconds to a good answer; None when there was none in time."""
        start = time.monotonic()
        try:
            status = self.target.ask("GET", "/health/ready", source="127.0.0.99", timeout=LATEST_ANSWER).status
        except (OSError, http.client.HTTPException):
            return None
        return time.monotonic() - start if status == 200 else None

    def look(self):
        while not self.done.is_set():
            took = self.ready()
            if took is None:
                self.late += 1
            else:
                self.worst = max(self.worst, took)
            self.done.wait(0.3)

    def weigh(self):
        while not self.done.is_set():
            self.peak = max(self.peak, memory(self.target.process.pid))
            self.done.wait(0.05)

    def __exit__(self, kind, *_):
        self.done.set()
        for thread in self.threads:
            thread.join()
        if kind is not None:
            return
        assert self.target.is_alive, f"the server ended with {self.target.process.returncode}: " + \
            (self.target.folder / "server.log").read_text(errors="replace")[-1500:]
        assert self.peak < MOST_MEMORY, f"{self.peak >> 20} MiB of memory"
        # One late answer may be the machine's fault; two are not.
        if self.late > 1:
            raise Late(f"{self.late} times no answer of /health/ready within {LATEST_ANSWER} s")
        if not any(self.ready() is not None for _ in range(3)):
            raise Late("not ready after the recipe")


def run_alone(*arguments, limit=60):
    """Runs the command line tool in a memory limit: its exit status, the seconds it took and its largest memory, bytes."""
    start = time.monotonic()
    process = subprocess.Popen([PROGRAM, *[str(word) for word in arguments]], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=confine,
                               env=environment())
    late = threading.Timer(limit, process.kill)
    late.start()
    _, status, usage = os.wait4(process.pid, 0)
    late.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - start, usage.ru_maxrss * 1024
