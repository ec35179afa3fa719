#!/usr/bin/env python3
"""Asks a real server everything that its OpenAPI description says can be asked, broken in structure.

usage: fuzz.py [--count N] [--seconds S] [--seed N] [--program FILE] [--one FILE…]

A server of its own is started with a database of its own: an operator, two authors, a world, a tour with a run and a team,
public transport. Every request is an operation of /api/v1/openapi.json with a valid body that is then broken (numbers at the ends
of ranges, other types, missing, repeated and deep parts), or with other methods, headers and paths, by nobody, an author, the
owner, an operator or a team. After each batch /health/ready has to answer within 2 s.

A finding is: the server ended; no answer within 30 s; a status of 500 and above other than 503 with Retry-After (and 502 and 504
where a foreign source is asked); a refusal that is no problem document; memory above 1 GB. Its request is saved in
.build/fuzz-http/findings, and `--one` sends it again. Ends with 1 when anything was found.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
FINDINGS = ROOT / ".build" / "fuzz-http" / "findings"
PASSWORD = "nine lives of a harbour cat"
MEMORY = 1 << 30

NUMBERS = ["0", "-0", "-0.0", "1", "-1", "1e308", "-1e308", "1e309", "1e-320", "4.9e-324", "1e-400", "1E400", "2147483647", "2147483648",
           "-2147483649", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
           "-9223372036854775809", "18446744073709551616", "9.3e18", "-9.3e18", "1e17", "3.6e16", "90.0000001", "180.0000001", "-181",
           "0." + "3" * 40, "48." + "0" * 20, "1" * 19, "9" * 20, "1" * 400, "0." + "0" * 400 + "1", "1e" + "9" * 30, "1e-5", "0.5", "1000000"]
TEXTS = ["", " ", "\0", "a\0b", "\n", "\ufeff", "\uffff", "\u202eabc", "e\u0301" * 40, "NaN", "Infinity", "null", "true", "0", "-1", "../..", "/etc/passwd",
         "%00", "%2f", "<b>", "&amp;", "'; --", "\"", "\\", "$[name]", "#ff0000", "#f", "javascript:alert(1)", "http://", "http://[::1", "http://127.0.0.1:1/",
         "http://a.example:99999/", "data:,x", "file:///etc/passwd", "http://169.254.169.254/", "a" * 300, "ä" * 3000, "x" * 30000, "/assets/" + "0" * 64,
         "2026-02-30T25:61:61Z", "en", "sv", "hsl:1", "author", "operator", "start", "end", "1;2", "1,2,3"]
HEADERS = [("Accept", "*/*;q=1e400"), ("Accept", "a" * 4000), ("Accept-Language", "x-,;q=,,-" * 50), ("Accept-Encoding", "gzip;q=nan, *;q=-1"),
           ("If-None-Match", "\"" * 500), ("If-None-Match", "W/\"\", *, \"a\""), ("If-Match", "\"v99999999999999999999999\""), ("If-Match", "\"v-1\""),
           ("If-Match", "\"v1\""), ("If-Match", "*"), ("If-Match", "\"p1\""), ("If-Match", "\"1\""), ("Range", "bytes=9999999999999999999-"), ("Range", "bytes=-0,1-,,-"),
           ("X-Request-ID", "\x7f"), ("X-Request-ID", "a" * 65), ("X-Forwarded-For", "::1, , 999.1.1.1"), ("X-Forwarded-For", "," * 3000),
           ("Cookie", "sightline=; sightline=\"; =;;;"), ("Cookie", "sightline=" + "A" * 3000), ("Authorization", "Bearer"), ("Authorization", "Bearer " + "\xff" * 20),
           ("Content-Type", "application/json; charset=utf-16"), ("Content-Type", ";"), ("Content-Type", "multipart/form-data"), ("Content-Encoding", "gzip"),
           ("Origin", "null"), ("Origin", "http://"), ("Sec-Fetch-Site", "cross-site"), ("Host", ""), ("Host", "a" * 300), ("Host", "[::1]:99999"),
           ("Expect", "100-continue"), ("Expect", "x"), ("Connection", "upgrade"), ("Upgrade", "h2c"), ("Last-Event-ID", "9" * 30), ("If-Modified-Since", "x")]


class Raw(str):
    """Text that stands in JSON as it is: a number that Python would not write."""


def write_json(value, out):
    """JSON with what Python's writer does not do: raw numbers and members of one name twice."""
    if isinstance(value, Raw):
        out.append(str(value))
    elif isinstance(value, Pairs):
        out.append("{")
        for number, (name, inner) in enumerate(value):
            out.append("," if number else "")
            out.append(json.dumps(name) + ":")
            write_json(inner, out)
        out.append("}")
    elif isinstance(value, list):
        out.append("[")
        for number, inner in enumerate(value):
            out.append("," if number else "")
            write_json(inner, out)
        out.append("]")
    else:
        out.append(json.dumps(value))
    return out


class Pairs(list):
    """Members of an object, in order, also such of one name."""


class Generator:
    """Valid values of a schema, and what breaks them."""

    def __init__(self, description, pool, chance):
        self.schemas = description["components"]["schemas"]
        self.pool, self.random = pool, chance

    def number(self):
        return Raw(self.random.choice(NUMBERS))

    def text(self):
        return self.random.choice(TEXTS)

    def value(self, schema, name="", depth=0):
        chance = self.random
        if "$ref" in schema:
            return self.value(self.schemas[schema["$ref"].rsplit("/", 1)[1]], name, depth)
        if "enum" in schema:
            return chance.choice([word for word in schema["enum"] if word is not None])
        kind = schema.get("type", "string")
        if isinstance(kind, list):
            kind = kind[0]
        if kind == "object":
            members = Pairs()
            for member, inner in schema.get("properties", {}).items():
                if member in schema.get("required", []) or chance.random() < (0.6 if depth < 3 else 0.2):
                    members.append((member, self.value(inner, member, depth + 1)))
            if "additionalProperties" in schema and chance.random() < 0.3:
                members.append((chance.choice(["en", "de", "x"]), self.value(schema["additionalProperties"], "", depth + 1)))
            return members
        if kind == "array":
            return [self.value(schema["items"], name, depth + 1)
                    for _ in range(chance.randint(schema.get("minItems", 0), max(schema.get("minItems", 0), 3)))]
        if kind == "boolean":
            return chance.random() < 0.5
        if kind in ("number", "integer"):
            low, high = schema.get("minimum", 0), schema.get("maximum", 100)
            if name in ("latitude", "lat"):
                return round(60.17 + chance.random() / 50, 5)
            if name in ("longitude", "lon", "lng"):
                return round(24.94 + chance.random() / 50, 5)
            return chance.randint(int(low), int(min(high, low + 1000))) if kind == "integer" else round(chance.uniform(low, min(high, low + 1000)), 3)
        known = self.pool.get(name)
        return chance.choice(known) if known and chance.random() < 0.8 else chance.choice(["Ulm", "a", "b-1", "Café", "#123456", "x" * 20])

    def broken(self, value):
        """One place of a tree changed."""
        chance = self.random
        places = []

        def visit(holder):
            for index in range(len(holder)):
                inner = holder[index][1] if isinstance(holder, Pairs) else holder[index]
                places.append((holder, index))
                if isinstance(inner, list):
                    visit(inner)

        if not isinstance(value, list) or not value or chance.random() < 0.02:
            return chance.choice([[], Pairs(), "", None, True, self.number(), self.text()])
        visit(value)
        holder, index = chance.choice(places)
        old = holder[index]
        name, inner = old if isinstance(holder, Pairs) else (None, old)

        def put(new):
            holder[index] = (name, new) if name is not None else new

        how = chance.randrange(12)
        if how < 4:
            put(self.number())
        elif how < 6:
            put(self.text())
        elif how == 6:
            put(chance.choice([None, [], Pairs(), True, False, Pairs([("a", 1)]), [[]]]))
        elif how == 7:
            del holder[index]
        elif how == 8:
            holder.insert(index, old)
        elif how == 9:
            for _ in range(chance.choice([2, 40, 600])):
                inner = [inner] if chance.random() < 0.5 else Pairs([("a", inner)])
            put(inner)
        elif how == 10 and name is not None:
            holder[index] = (self.text(), inner)
        else:
            times = chance.choice([3, 30, 500])
            if len(json.dumps(str(inner))) * times < 60_000:
                holder[index:index] = [old] * times
        return value


class Server:
    """The program with a database of its own."""

    def __init__(self, program, folder, options=()):
        self.program, self.folder, self.options = program, pathlib.Path(folder), list(options)
        self.database = self.folder / "fuzz.sqlite"
        self.process, self.port = None, 0
        self.limits = []

    def run(self, *arguments, text=None):
        return subprocess.run([self.program, *map(str, arguments)], input=text, text=True, capture_output=True, timeout=120)

    def add_account(self, name, role):
        done = self.run("user", "add", name, "--role", role, "--password-stdin", "--database", self.database, text=PASSWORD + "\n")
        if done.returncode != 0:
            sys.exit(f"no account: {done.stderr}")

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
        environment["SWIFT_BACKTRACE"] = "enable=yes,color=no,threads=crashed,limit=16,interactive=no,registers=none,images=none,cache=no"
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [self.program, "serve", "--host", "127.0.0.1", "--port", "0", "--database", self.database, "--log-level", "error", *self.options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment, cwd=ROOT)
        listening = []

        def read():
            for line in self.process.stdout:
                if line.startswith("listening on "):
                    listening.append(int(line.strip().rstrip("/").rsplit(":", 1)[1]))

        threading.Thread(target=read, daemon=True).start()
        end = time.time() + 180
        while time.time() < end and self.process.poll() is None:
            if listening:
                self.port = listening[0]
                while time.time() < end and self.process.poll() is None:
                    if self.ready(5):
                        return True
                    time.sleep(0.2)
            time.sleep(0.05)
        return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def ready(self, limit):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=limit) as answer:
                return answer.status == 200
        except OSError:
            return False

    def memory(self):
        """Bytes that are in memory."""
        try:
            with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            return 0

    def ended(self):
        return self.process.poll() is not None

    def last_words(self):
        return (self.folder / "server.log").read_text(errors="replace")[-3000:]


def send(port, request, limit=30):
    """Sends bytes, reads the answer: status, headers and the beginning of the body; of a stream only the headers."""
    with socket.create_connection(("127.0.0.1", port), timeout=limit) as line:
        line.settimeout(limit)
        try:
            line.sendall(request)
        except OSError:
            # An answer may have come before the body's end.
            pass
        data = b""
        while b"\r\n\r\n" not in data:
            piece = line.recv(65536)
            if not piece:
                break
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        if head.startswith(b"HTTP/1.1 100"):
            head, _, body = body.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        if not lines[0].startswith("HTTP/1.1 "):
            return 0, {}, b""
        headers = {name.lower(): value.strip() for name, _, value in (entry.partition(":") for entry in lines[1:])}
        status = int(lines[0].split(" ")[1])
        if headers.get("content-type", "").startswith("text/event-stream") or request.startswith(b"HEAD "):
            return status, headers, body
        length = int(headers.get("content-length", "0"))
        chunked = "chunked" in headers.get("transfer-encoding", "")
        while (len(body) < length or chunked and not body.endswith(b"0\r\n\r\n")) and len(body) < 1 << 20:
            piece = line.recv(65536)
            if not piece:
                break
            body += piece
        return status, headers, body


class Fuzzer:
    def __init__(self, server, chance):
        self.server, self.random = server, chance
        self.counts, self.found, self.done, self.statuses = {}, 0, 0, {}
        self.sessions, self.secret, self.names = {}, "none", 0
        self.pool = {"id": ["none"], "tour": ["none"], "run": ["none"], "version": ["1"], "number": ["1"], "table": ["results.csv", "all.json", "positions.csv"],
                     "topic": ["food", "water"], "hash": ["0" * 64], "build": ["dev"], "path": ["app.js"], "code": ["NONE"], "secret": ["none"]}

    def json(self, method, path, body=None, role=None):
        headers = {"Content-Type": "application/json"}
        if role:
            headers.update(self.sessions[role])
        data = json.dumps(body).encode() if body is not None else b""
        status, answered, text = send(self.server.port, self.request(method, path, list(headers.items()), data))
        if "chunked" in answered.get("transfer-encoding", ""):
            text = b"".join(piece for piece in re.split(rb"(?:^|\r\n)[0-9a-f]+\r\n", text))
        try:
            return status, answered, json.loads(text or b"null")
        except ValueError:
            return status, answered, None

    def request(self, method, path, headers, body, version="HTTP/1.1"):
        names = {name.lower() for name, _ in headers}
        lines = [f"{method} {path} {version}"]
        if "host" not in names:
            lines.append(f"Host: 127.0.0.1:{self.server.port}")
        if "content-length" not in names and (body or method in ("POST", "PUT", "PATCH")):
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in headers] + ["Connection: close"]
        return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body

    def sign_in(self, role):
        """A session of a role; a new account when the one before has been closed by what was asked."""
        for _ in range(3):
            self.names += 1
            name = f"{role}{self.names}"
            self.server.add_account(name, "operator" if role == "operator" else "author")
            origin = f"http://127.0.0.1:{self.server.port}"
            data = json.dumps({"name": name, "password": PASSWORD}).encode()
            status, headers, body = send(self.server.port, self.request(
                "POST", "/api/v1/session", [("Content-Type", "application/json"), ("Origin", origin)], data))
            if status == 200:
                csrf = re.search(rb'"csrf":"([^"]+)"', body)
                cookie = headers.get("set-cookie", "").split(";")[0]
                self.sessions[role] = {"Cookie": cookie, "X-CSRF-Token": csrf[1].decode() if csrf else "", "Origin": origin}
                return
            # Too many wrong attempts of this address: they were ours.
            time.sleep(min(20, int(headers.get("retry-after", "2"))))
        self.sessions[role] = {}

    def prepare(self):
        """Things to ask for."""
        for role in ("operator", "owner", "author"):
            self.sign_in(role)
        status, _, made = self.json("POST", "/api/v1/studio/worlds", {"title": "Fuzz"}, "owner")
        if status == 201:
            self.pool["id"] += [made["world"]["id"]] * 3
        _, _, listed = self.json("GET", "/api/v1/worlds")
        self.pool["id"] += [world["id"] for world in (listed or {}).get("worlds", [])][:4]
        _, _, posters = self.json("GET", "/api/v1/posters")
        self.pool["id"] += [poster["id"] for poster in (posters or {}).get("posters", [])][:2]
        tour = {"title": "Tour", "stations": [{"id": "a", "kind": "choice", "title": "A", "position": {"latitude": 60.17, "longitude": 24.94},
                                                "options": ["x", "y"], "correct": [0]}]}
        status, _, made = self.json("POST", "/api/v1/tours", tour, "owner")
        if status == 201:
            self.pool["tour"] += [made["id"]] * 4
            status, _, run = self.json("POST", f"/api/v1/tours/{made['id']}/runs", {"teams": [{"name": "T", "color": "#112233"}]}, "owner")
            if status == 201:
                self.pool["run"] += [run["run"]["id"]] * 4
                self.json("POST", f"/api/v1/tour-runs/{run['run']['id']}/command", {"command": "start"}, "owner")
                self.pool["code"].append(run["teams"][0]["code"])
                _, _, joined = self.json("POST", "/api/v1/tour-team/join", {"code": run["teams"][0]["code"]})
                self.secret = (joined or {}).get("secret", "none")
                self.pool["secret"].append(self.secret)
        self.pool["station"], self.pool["event"] = ["a"], ["1"]
        _, _, stops = self.json("POST", "/api/v1/transit/stops", {"latitude": 60.17, "longitude": 24.94})
        self.pool["stops"] = [stop["id"] for stop in (stops or {}).get("stops", [])][:5] or ["hsl:1"]
        _, _, self.description = self.json("GET", "/api/v1/openapi.json")
        if not self.description:
            sys.exit("the server has no description")
        self.operations = [(method.upper(), path, operation) for path, item in self.description["paths"].items()
                           for method, operation in item.items() if method in ("get", "post", "put", "patch", "delete")]
        self.generator = Generator(self.description, self.pool, self.random)

    def make(self):
        """One request, as bytes, with whether a foreign source may fail, and the role that asks."""
        chance = self.random
        method, pattern, operation = chance.choice(self.operations)
        foreign = any(code in operation["responses"] for code in ("502", "504"))

        def variable(match):
            value = chance.choice(self.pool.get(match[1], ["none"])) if chance.random() < 0.85 else chance.choice(TEXTS[:24] + NUMBERS[:30])
            return "".join(byte if re.match(r"[A-Za-z0-9._~-]", byte) else "".join(f"%{b:02X}" for b in byte.encode()) for byte in str(value))

        path = re.sub(r"\{([^}]+)\}", variable, pattern)
        query = []
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query" and chance.random() < 0.7:
                value = self.generator.value(parameter.get("schema", {}), parameter["name"])
                if chance.random() < 0.4:
                    value = chance.choice(NUMBERS + TEXTS[:40])
                query.append(f"{parameter['name']}={urllib.request.quote(str(value)[:4000])}")
        if query:
            path += "?" + "&".join(query * (chance.choice([1, 1, 1, 30])))
        headers, body = [], b""
        contents = operation.get("requestBody", {}).get("content", {})
        if contents:
            media = chance.choice(list(contents))
            schema = contents[media].get("schema")
            if schema:
                value = self.generator.value(schema)
                if chance.random() < 0.85:
                    for _ in range(chance.choice([1, 1, 1, 2, 5])):
                        value = self.generator.broken(value)
                if media == "application/json":
                    try:
                        body = "".join(write_json(value, [])).encode("utf-8", "surrogatepass")
                    except RecursionError:
                        body = b"[" * 100_000
                else:
                    pairs = value if isinstance(value, Pairs) else Pairs([("a", value)])
                    body = "&".join(f"{urllib.request.quote(str(pair[0]))}={urllib.request.quote(str(pair[1]))}" for pair in pairs).encode()
            else:
                body = self.file()
            if chance.random() < 0.05 and body:
                place = chance.randrange(len(body))
                body = body[:place] + chance.choice([b"", b"\xff", b"\0", b"\xed\xa0\x80", body[place:] * 2])
            headers.append(("Content-Type", media if chance.random() < 0.95 else "text/plain"))
        if chance.random() < 0.05:
            method = chance.choice(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "X", "CONNECT"])
        roles = {"session": ["operator", "owner", "owner", "author", None], "team": ["team", "team", None]}
        needed = [name for scheme in operation.get("security", []) for name in scheme]
        role = chance.choice(roles[needed[0]]) if needed else None
        if role == "team":
            headers.append(("Authorization", f"Bearer {self.secret}"))
        elif role:
            headers += list(self.sessions[role].items())
        if method in ("PUT", "DELETE") and chance.random() < 0.7:
            headers.append(("If-Match", chance.choice(["\"v1\"", "\"1\"", "\"p1\"", "*"])))
        if chance.random() < 0.2:
            for _ in range(chance.choice([1, 1, 2, 4])):
                headers.append(chance.choice(HEADERS))
        # What ends our own sessions, is asked rarely.
        if role and pattern in ("/api/v1/session", "/api/v1/session/password", "/api/v1/accounts/{id}") and chance.random() < 0.9:
            method = "GET"
        return self.request(method, path, headers, body), foreign, role

    def file(self):
        """A file of the fixtures, broken in a few bytes."""
        files = self.pool.setdefault(" files", [file for folder in ("pictures", "gddf", "kml", "geojson", "arml", "area", "demo/assets")
                                                for file in sorted((ROOT / "Fixtures" / folder).rglob("*")) if file.is_file() and file.stat().st_size < 200_000])
        data = bytearray(self.random.choice(files).read_bytes())
        for _ in range(self.random.choice([0, 1, 3])):
            if data:
                data[self.random.randrange(len(data))] = self.random.choice([0, 1, 0x7F, 0x80, 0xFF, 0x30])
        return bytes(data)

    def finding(self, kind, request, words=""):
        self.found += 1
        seen = self.counts[kind] = self.counts.get(kind, 0) + 1
        if seen > 5:
            return
        FINDINGS.mkdir(parents=True, exist_ok=True)
        file = FINDINGS / f"{re.sub(r'[^a-z0-9]+', '-', kind.lower())}-{self.done}"
        file.write_bytes(request)
        print(f"FOUND {kind}: {file}\n  {request[:200]!r}\n  {words[-1200:]}", flush=True)

    def check(self, request, foreign):
        """Sends a request and looks at the answer; returns the status, 0 for none."""
        try:
            # A target is built when it is first asked for, which takes a debug build its time.
            status, headers, body = send(self.server.port, request, 180 if b"/target" in request[:200] else 30)
        except (TimeoutError, socket.timeout):
            self.finding("no answer within 30 s", request)
            return 0
        except OSError as error:
            # Refused before the end of the request is all right, as long as the server lives.
            status, headers, body = 0, {}, str(error).encode()
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status >= 500:
            deliberate = status == 503 and "retry-after" in headers or status in (502, 504) and foreign or status in (501, 505)
            if not deliberate:
                self.finding(f"status {status}", request, body.decode(errors="replace"))
        elif status >= 400 and not request.startswith(b"HEAD ") and status not in (400, 408, 413, 414, 431):
            if not headers.get("content-type", "").startswith("application/problem+json"):
                self.finding(f"status {status} without a problem document", request, body.decode(errors="replace"))
        if status == 429 and "retry-after" not in headers:
            self.finding("status 429 without Retry-After", request)
        return status

    def run(self, count, seconds):
        end = time.time() + seconds if seconds else None
        begin, batch = time.time(), []
        while self.done < count and (end is None or time.time() < end):
            request, foreign, role = self.make()
            batch.append(request)
            status = self.check(request, foreign)
            self.done += 1
            if status == 401 and role in self.sessions:
                self.sign_in(role)
            if status == 0:
                # The end of a process is known a moment after that of its connections.
                time.sleep(0.3)
            if self.server.ended():
                self.finding("the server ended", request, self.server.last_words())
                self.again()
                batch = []
            if self.done % 200 == 0:
                asked = time.time()
                if not self.server.ready(2):
                    self.finding(f"not ready within 2 s", b"\n\n".join(batch[-40:]), f"{time.time() - asked:.1f} s")
                if self.server.memory() > MEMORY:
                    self.finding("memory above 1 GB", b"\n\n".join(batch[-40:]), f"{self.server.memory() >> 20} MB")
                    self.again()
                batch = []
        rate = self.done / max(0.1, time.time() - begin)
        print(f"http: requests {self.done}, {rate:.0f} a second, findings {self.found}, memory {self.server.memory() >> 20} MB, "
              f"statuses {dict(sorted(self.statuses.items()))}")

    def again(self):
        self.server.stop()
        if not self.server.start():
            sys.exit(f"the server does not start again: {self.server.last_words()}")
        self.prepare()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=str(ROOT / ".build" / "debug" / "sightline"))
    parser.add_argument("--one", nargs="*", default=[])
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="sightline-fuzz-")
    server = Server(options.program, folder, ["--transit", str(ROOT / "Fixtures" / "transit" / "demonstration.json"), "--transit-rate", "0"])
    try:
        if not server.start():
            sys.exit(f"the server does not start: {server.last_words()}")
        fuzzer = Fuzzer(server, random.Random(options.seed))
        fuzzer.prepare()
        if options.one:
            for file in options.one:
                # Ports and sessions are others now.
                request = pathlib.Path(file).read_bytes()
                request = re.sub(rb"(?m)^(Host|Origin): (http://)?127\.0\.0\.1:\d+", rb"\1: \g<2>127.0.0.1:%d" % server.port, request)
                owner = fuzzer.sessions["owner"]
                for name in ("Cookie", "X-CSRF-Token"):
                    request = re.sub(rb"(?m)^%s: [^\r\n]*" % name.encode(), f"{name}: {owner.get(name, '')}".encode(), request)
                status = fuzzer.check(request, True)
                if status == 0:
                    time.sleep(0.3)
                if server.ended():
                    fuzzer.finding("the server ended", request, server.last_words())
                    fuzzer.again()
                elif not server.ready(2):
                    fuzzer.finding("not ready within 2 s", request)
                print(f"{file}: {status}")
        else:
            fuzzer.run(options.count, options.seconds)
        return 1 if fuzzer.found else 0
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
