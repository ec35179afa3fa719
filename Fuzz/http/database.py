#!/usr/bin/env python3
"""Starts a real server on database files that are broken in structure.

usage: database.py [--count N] [--seconds S] [--seed N] [--program FILE] [--one FILE…]

A database is made by the program itself: the demonstration's worlds and posters, accounts, a world in the making, a tour with a run.
Copies of it are broken through SQLite (numbers at the ends of ranges, values of other types, missing rows, broken and deep JSON, tables
that are gone, other versions) or in the file's bytes; then the server is started on each and asked everything that a visitor may.

Either it says why it does not start, or it answers; it never ends by a signal, hangs, or takes more than 1 GB. Findings are saved
in .build/fuzz-http/findings; `--one` tries saved files again. Ends with 1 when anything was found.
"""
import argparse
import pathlib
import random
import shutil
import socket
import sqlite3
import sys
import tempfile
import time

from fuzz import FINDINGS, MEMORY, NUMBERS, ROOT, TEXTS, Fuzzer, Server, send

VALUES = [None, "", "x", "{}", "[]", "[[", "{\"a\":", "null", b"", b"\xff\xfe", b"\0" * 64, 0, -1, 1, 2**31, 2**53, 2**63 - 1, -2**63,
          1e308, -1e308, 5e-324, float("inf"), "[" * 500, "[" * 100_000 + "]" * 100_000, "a" * 100_000]


def make(program, folder):
    """A whole database."""
    server = Server(program, folder)
    if not server.start():
        sys.exit(f"the server does not start: {server.last_words()}")
    fuzzer = Fuzzer(server, random.Random(1))
    fuzzer.prepare()
    paths = ["/", "/api/v1/settings", "/api/v1/worlds", "/api/v1/posters", "/api/v1/poster-categories", "/api/v1/nearby?latitude=48.4&longitude=9.99",
             "/api/v1/session"]
    for name in fuzzer.pool["id"]:
        paths += [f"/api/v1/worlds/{name}", f"/worlds/{name}.gddf", f"/api/v1/posters/{name}"]
        paths += [f"/api/v1/worlds/{name}/export?format={form}" for form in ("kml", "arml", "geojson", "layar")]
    owned = [f"/api/v1/studio/worlds", "/api/v1/tours", "/api/v1/studio/posters?all=1", "/api/v1/accounts"]
    owned += [f"/api/v1/studio/worlds/{name}{rest}" for name in fuzzer.pool["id"] for rest in ("", "/history", "/export?format=kml")]
    owned += [f"/api/v1/tours/{name}" for name in fuzzer.pool["tour"]] + [f"/api/v1/tour-runs/{name}{rest}" for name in fuzzer.pool["run"]
                                                                              for rest in ("", "/teams", "/tables/all.json", "/sheet.pdf")]
    cookies = {role: list(session.items()) for role, session in fuzzer.sessions.items()}
    secret, code = fuzzer.secret, fuzzer.pool["code"][-1]
    server.stop()
    with sqlite3.connect(server.database) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    requests = [("GET", path, []) for path in sorted(set(paths))] + [("GET", path, cookies["operator"]) for path in sorted(set(owned))]
    requests += [("GET", "/api/v1/tour-team", [("Authorization", f"Bearer {secret}")]), ("GET", f"/t/{code}.gddf", []),
                 ("POST", "/api/v1/tour-team/state", [("Authorization", f"Bearer {secret}")])]
    return server.database, requests


def damage(path, chance):
    """Breaks a copy; says how."""
    if chance.random() < 0.15:
        data = bytearray(path.read_bytes())
        for _ in range(chance.choice([1, 10, 300])):
            data[chance.randrange(100 if chance.random() < 0.3 else len(data))] = chance.randrange(256)
        if chance.random() < 0.3:
            del data[chance.randrange(len(data)):]
        path.write_bytes(data)
        return "bytes"
    said = []
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("PRAGMA ignore_check_constraints = ON")
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    for _ in range(chance.choice([1, 1, 2, 5])):
        table = chance.choice(tables)
        try:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info(\"{table}\")")]
            if not columns:
                continue
            column = chance.choice(columns)
            some = chance.choice(["1", "abs(random()) % 2 = 0"])
            how = chance.randrange(10)
            if how < 5:
                value = chance.choice(VALUES + TEXTS[:20] + NUMBERS[:20])
                database.execute(f"UPDATE \"{table}\" SET \"{column}\" = ? WHERE {some}", (value,))
                said.append(f"{table}.{column} = {str(value)[:30]!r}")
            elif how < 7:
                # JSON columns: numbers in them become extreme, in place.
                number = chance.choice([entry for entry in NUMBERS if len(entry) < 40])
                rows = database.execute(f"SELECT rowid, \"{column}\" FROM \"{table}\"").fetchall()
                for row, text in rows:
                    isBytes = isinstance(text, bytes)
                    text = text.decode("utf-8", "replace") if isBytes else text
                    if isinstance(text, str) and "{" in text:
                        places = [index for index in range(len(text) - 1) if text[index] == ":" and (text[index + 1].isdigit() or text[index + 1] == "-")]
                        if places:
                            start = chance.choice(places) + 1
                            end = start
                            while end < len(text) and text[end] in "0123456789.-+eE":
                                end += 1
                            text = text[:start] + number + text[end:]
                            database.execute(f"UPDATE \"{table}\" SET \"{column}\" = ? WHERE rowid = ?", (text.encode() if isBytes else text, row))
                said.append(f"{table}.{column}: a number {number}")
            elif how == 7:
                database.execute(f"DELETE FROM \"{table}\" WHERE {some}")
                said.append(f"{table}: rows gone")
            elif how == 8 and chance.random() < 0.3:
                database.execute(chance.choice([f"DROP TABLE \"{table}\"", f"ALTER TABLE \"{table}\" RENAME COLUMN \"{column}\" TO other",
                                                "PRAGMA user_version = 2147483647", "DELETE FROM grdb_migrations",
                                                "INSERT INTO grdb_migrations VALUES ('of-a-later-version')"]))
                said.append(f"{table}: another schema")
            else:
                database.execute(f"UPDATE \"{table}\" SET \"{column}\" = (SELECT \"{chance.choice(columns)}\" FROM \"{table}\" ORDER BY random() LIMIT 1)")
                said.append(f"{table}.{column}: values of others")
        except sqlite3.Error:
            # A constraint that holds whatever is tried.
            continue
    database.close()
    return "; ".join(said)


class Trial:
    def __init__(self, program, folder, requests):
        self.server, self.requests, self.found = Server(program, folder, ["--demo", "none"]), requests, 0
        self.started = self.asked = 0

    def finding(self, kind, file, words):
        self.found += 1
        FINDINGS.mkdir(parents=True, exist_ok=True)
        saved = FINDINGS / f"database-{self.found}-{int(time.time())}.sqlite3"
        shutil.copy(file, saved)
        print(f"FOUND {kind}: {saved}\n  {words[-1500:]}", flush=True)

    def run(self, file, said):
        server = self.server
        for old in server.folder.glob("fuzz.sqlite*"):
            old.unlink()
        shutil.copy(file, server.database)
        (server.folder / "server.log").write_bytes(b"")
        if not server.start():
            if not server.ended():
                self.finding("it neither starts nor says why", file, said + "\n" + server.last_words())
                server.stop()
            elif server.process.returncode < 0 or server.process.returncode >= 128:
                self.finding(f"ended by signal {server.process.returncode}", file, said + "\n" + server.last_words())
            elif not server.last_words().strip():
                self.finding("ended without a word", file, said)
            server.stop()
            return
        self.started += 1
        for method, path, headers in self.requests:
            text = "".join(f"{name}: {value}\r\n" for name, value in headers)
            body = "Content-Type: application/json\r\nContent-Length: 2\r\n" if method == "POST" else ""
            request = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{text}{body}Connection: close\r\n\r\n{'{}' if body else ''}"
            try:
                send(server.port, request.encode("latin-1"))
                self.asked += 1
            except (TimeoutError, socket.timeout):
                self.finding("no answer within 30 s", file, f"{method} {path}\n{said}")
                break
            except OSError:
                pass
            if server.ended():
                self.finding("the server ended", file, f"{method} {path}\n{said}\n{server.last_words()}")
                return
        if server.memory() > MEMORY:
            self.finding("memory above 1 GB", file, said)
        server.stop()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=str(ROOT / ".build" / "debug" / "sightline"))
    parser.add_argument("--one", nargs="*", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sightline-fuzz-") as name:
        folder = pathlib.Path(name)
        for part in ("whole", "trial"):
            (folder / part).mkdir()
        whole, requests = make(options.program, folder / "whole")
        trial = Trial(options.program, folder / "trial", requests)
        done, end = 0, time.time() + options.seconds
        for file in options.one:
            trial.run(pathlib.Path(file), file)
            done += 1
        while not options.one and done < options.count and time.time() < end:
            copy = folder / "copy.sqlite3"
            shutil.copy(whole, copy)
            said = damage(copy, random.Random(options.seed * 1_000_003 + done))
            trial.run(copy, said)
            done += 1
        print(f"database: files {done}, started with {trial.started}, requests {trial.asked}, findings {trial.found}")
        return 1 if trial.found else 0


if __name__ == "__main__":
    sys.exit(main())
