#!/usr/bin/env python3
"""Measures how long answers take while a provider does everything wrong, with 1,000 clients at once.

    Benchmarks/transit/faults.py [--sightline PATH] [--clients 1000] [--seconds 8]

Serves two providers: a good one, and one behind a host that hangs, drips, resets, sends rubbish, floods, announces wrong lengths, cuts answers in half,
sends data of tomorrow, or fails in bursts, one after the other. Each client asks again and again for five stops of the bad one and five of the good one.
Prints for each fault the slowest answer and what was said of the missing boards, and at the end how long the provider took to be used again.
"""
import argparse
import asyncio
import collections
import json
import os
import random
import tempfile
import time

import load

BODY = json.dumps({"updated": "2026-03-02T06:59:50Z", "departures": [
    {"line": "4", "headsign": "Harbour", "scheduled": "2026-03-02T07:30:00Z", "expected": "2026-03-02T07:31:00Z"}]}).encode()
FAULTS = ["good", "hang", "slow", "reset", "garbage", "huge", "too short", "too long", "half", "page", "failing", "bursts", "skewed"]


class Host:
    def __init__(self):
        self.fault = "good"
        self.count = 0

    async def serve(self, reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.count += 1
                await self.answer(writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def answer(self, writer):
        def send(body, status=200, length=None):
            writer.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n" % (status, len(body) if length is None else length) + body)
        fault = self.fault
        if fault == "bursts":
            fault = "failing" if self.count % 40 < 20 else "good"
        if fault == "good":
            send(BODY)
        elif fault == "hang":
            await asyncio.sleep(60)
        elif fault == "slow":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            for _ in range(600):
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.1)
        elif fault == "reset":
            writer.transport.abort()
            raise ConnectionError
        elif fault == "garbage":
            writer.write(random.randbytes(600))
        elif fault == "huge":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(1000):
                writer.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
                await writer.drain()
        elif fault == "too short":
            send(BODY, length=len(BODY) + 50)
            await writer.drain()
            raise ConnectionError
        elif fault == "too long":
            send(BODY, length=len(BODY) // 3)
        elif fault == "half":
            send(BODY[:len(BODY) // 2])
        elif fault == "page":
            send(b"<html><body>Back soon</body></html>")
        elif fault == "failing":
            send(b"", status=500)
        elif fault == "skewed":
            send(BODY.replace(b"2026-03-02T06:59", b"2026-03-03T06:59"))


async def client(port, number, until, seen):
    reader = writer = None
    turn = number
    while time.monotonic() < until:
        if writer is None:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        turn += 7
        stops = [f"bad:{(turn * 5 + k) % 2000}" for k in range(5)] + [f"good:{(turn + k) % 2000}" for k in range(5)]
        body = json.dumps({"stops": stops}).encode()
        start = time.monotonic()
        writer.write(b"POST /api/v1/transit/departures HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(next(line for line in head.split("\r\n") if line.lower().startswith("content-length")).split(":")[1])
        answer = json.loads(await reader.readexactly(length))
        seen["times"].append(time.monotonic() - start)
        seen["status"][head.split(" ")[1]] += 1
        for stop in answer["stops"]:
            part = stop["id"].split(":")[0]
            seen[part][stop["reason"] or "ok"] += 1
        await asyncio.sleep(random.uniform(0.2, 1.0))
    if writer:
        writer.close()


async def measure(options, folder):
    host = Host()
    server = await asyncio.start_server(host.serve, "127.0.0.1", 0, backlog=1024)
    bad = server.sockets[0].getsockname()[1]
    steady = Host()
    other = await asyncio.start_server(steady.serve, "127.0.0.1", 0, backlog=1024)
    good = other.sockets[0].getsockname()[1]
    with open(os.path.join(folder, "stops.csv"), "w") as out:
        out.write("id,name,lat,lon\n" + "".join(f"{i},Stop {i},{57 + i * 1e-4:.5f},12\n" for i in range(2000)))
    providers = [{"id": name, "type": "json", "stops": "stops.csv", "departures": f"http://127.0.0.1:{port}/d?stop={{stop}}"}
                 for name, port in [("bad", bad), ("good", good)]]
    providers[0]["limits"] = {"fresh": 2, "stale": 0, "concurrent": 64}
    with open(os.path.join(folder, "c.json"), "w") as out:
        json.dump({"clock": {"at": "2026-03-02T08:00:00+01:00"}, "providers": providers}, out)
    child, port = await asyncio.to_thread(load.serve, options.sightline, ["--demo", "none", "--transit", os.path.join(folder, "c.json"),
                                                                         "--transit-rate", "0"], folder)
    try:
        for fault in FAULTS:
            host.fault = fault
            seen = {"times": [], "status": collections.Counter(), "bad": collections.Counter(), "good": collections.Counter()}
            until = time.monotonic() + options.seconds
            await asyncio.gather(*(client(port, number, until, seen) for number in range(options.clients)))
            times = sorted(seen["times"])
            print(f"{fault:10} {len(times)} answers {dict(seen['status'])}, median {times[len(times) // 2] * 1000:.0f} ms, 99 % "
                  f"{times[int(len(times) * 0.99)] * 1000:.0f} ms, slowest {times[-1] * 1000:.0f} ms; bad {dict(seen['bad'])}; good {dict(seen['good'])}", flush=True)
            host.fault = "good"
            start = time.monotonic()
            while time.monotonic() - start < 60:
                seen = {"times": [], "status": collections.Counter(), "bad": collections.Counter(), "good": collections.Counter()}
                await client(port, random.randrange(2000), time.monotonic() + 0.01, seen)
                if seen["bad"]["ok"] == 5:
                    break
                await asyncio.sleep(0.5)
            print(f"{'':10} well again after {time.monotonic() - start:.1f} s", flush=True)
    finally:
        child.terminate()
        await asyncio.to_thread(child.wait)
        server.close()
        other.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sightline", default=".build/release/sightline")
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(options, folder))


if __name__ == "__main__":
    main()
