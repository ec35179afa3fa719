"""The real server, as it was built, on a free port with a database of its own."""
import os
import pathlib
import queue
import signal
import subprocess
import threading
import urllib.request

ROOT = pathlib.Path(__file__).parents[3]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE_PROGRAM", ROOT / ".build" / "debug" / "sightline"))
CLIENT = pathlib.Path(os.environ.get("SIGHTLINE_WEB_CLIENT", ROOT / "WebClient"))
WASM = pathlib.Path(os.environ.get("SIGHTLINE_WASM", ROOT / ".build-wasm" / "release" / "sightline.wasm"))
PLACES = WASM.with_name("places.wasm")
VISION = WASM.with_name("vision.wasm")
MODELS = WASM.with_name("models.wasm")
ODOMETRY = WASM.with_name("odometry.wasm")
# A debug build takes seconds for one password as hard as they are made otherwise.
CHEAP_PASSWORDS = {"SIGHTLINE_DEBUG_PASSWORD_COST": "10"}


def environment():
    """The environment without this project's own variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")} | CHEAP_PASSWORDS


class Sightline:
    """A running `sightline serve`; `stop`, `kill` and `start` play a server that goes away and comes back. `client`, `wasm`:
    other ones than those of this checkout; `database`: another one than a file in the folder; `variables`: more of its
    environment."""

    def __init__(self, folder, proxy_port, port=0, more=(), client=CLIENT, wasm=WASM, database=None, variables=None):
        self.folder, self.proxy_port, self.port = pathlib.Path(folder), proxy_port, port
        self.client, self.wasm = client, wasm
        self.database = database or self.folder / "browser.sqlite"
        self.more = [str(option) for option in more]
        self.variables = dict(variables or {})
        self.process, self.url = None, None

    def start(self):
        self.log = open(self.folder / "server.log", "ab")
        # libfaketime adds to the environment of the first program that it is loaded into, where Swift looks for its arguments:
        # another program goes before, and becomes this one.
        first = ["env"] if self.variables else []
        self.process = subprocess.Popen(
            [*first, PROGRAM, "serve", "--host", "127.0.0.1", "--port", str(self.port),
             "--database", self.database, "--web-client", self.client, "--wasm", self.wasm,
             "--ground", self.folder / "grounds", "--allow-private-proxy", "--proxy-ports", str(self.proxy_port), *self.more],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment() | self.variables)
        lines = queue.Queue()
        output = self.process.stdout

        def read():
            for line in output:
                lines.put(line.strip())
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        try:
            while True:
                line = lines.get(timeout=300)
                if line is None:
                    raise RuntimeError(f"the server ended: {(self.folder / 'server.log').read_text()[-2000:]}")
                if line.startswith("listening on "):
                    self.url = line.removeprefix("listening on ").rstrip("/")
                    self.port = int(self.url.rsplit(":", 1)[1])
                    return self
        except queue.Empty:
            self.kill()
            raise RuntimeError("the server did not say that it listens within 300 s") from None

    def add_account(self, name, password, role="author"):
        """Makes an account, as an operator does on the command line."""
        subprocess.run([PROGRAM, "user", "add", name, "--role", role, "--password-stdin", "--database",
                        self.database], input=password + "\n", text=True, check=True, capture_output=True, timeout=60, env=environment())

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=20) as answer:
            return answer.read()

    def stop(self):
        """Asks it to end, as an operator does."""
        self._end(signal.SIGTERM)

    def kill(self):
        """Ends it as a power cut does."""
        self._end(signal.SIGKILL)

    def _end(self, how):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
        self.process = None
