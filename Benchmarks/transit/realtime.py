#!/usr/bin/env python3
"""Measures the merge of 10,000 trip updates, and what readers notice of it.

    Benchmarks/transit/realtime.py [--sightline PATH] [--updates 10000] [--seconds 10]

Serves a timetable whose trips are all under way, once without and once with a message that changes every second, and asks for boards with wrk
on one connection (needed). The server's metrics give the time of a merge; the slowest answers of the two runs show what readers wait for it.
A second reader asks for one stop at a time, again and again, and each of its answers is timed: how many took over 5 ms, without messages and with them.
"""
import argparse
import http.client
import json
import os
import random
import re
import subprocess
import tempfile
import threading
import time
import urllib.request
import zipfile

import load

NOW = 1_772_434_800  # 2026-03-02T08:00:00+01:00
CALLS = 20


def make_feed(path, trips, seed=2):
    random.seed(seed)
    lines = max(1, trips // 20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,Europe/Stockholm\n")
        archive.writestr("calendar_dates.txt", "service_id,date,exception_type\nS,20260302,1\n")
        archive.writestr("routes.txt", "route_id,agency_id,route_short_name,route_type\n" + "".join(f"R{i},A,{i},3\n" for i in range(lines)))
        archive.writestr("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"S{i},Stop {i},{random.uniform(57.6, 57.8):.5f},{random.uniform(11.8, 12.2):.5f}\n" for i in range(lines * 4)))
        archive.writestr("trips.txt", "route_id,service_id,trip_id\n" + "".join(f"R{i % lines},S,T{i}\n" for i in range(trips)))
        rows = ["trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"]
        ways = [[random.randrange(lines * 4) for _ in range(CALLS)] for _ in range(lines)]
        for trip in range(trips):
            at = 7 * 3600 + random.randrange(4800)
            for place, stop in enumerate(ways[trip % lines]):
                rows.append(f"T{trip},{at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d},{at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d},S{stop},{place + 1}\n")
                at += 120
        archive.writestr("stop_times.txt", "".join(rows))


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(updates, stamp, rng):
    out = [field(1, field(1, "2.0") + field(3, stamp))]
    for trip in range(updates):
        calls = b"".join(field(2, field(1, place) + field(2, field(1, rng.randint(-30, 600))) + field(3, field(1, rng.randint(-30, 600))))
                         for place in range(1, CALLS + 1, 2))
        out.append(field(2, field(1, f"e{trip}") + field(3, field(1, field(1, f"T{trip}") + field(3, "20260302")) + calls)))
    return b"".join(out)


def metric(port, name):
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    found = re.search(rf"^{name}{{[^}}]*}} (\S+)", text, re.MULTILINE)
    return float(found.group(1)) if found else None


def read(port, seconds):
    """Times of a reader's answers in milliseconds, in order; boards of all stops by turns."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    bodies = [json.dumps({"stops": [f"t:S{i}"]}) for i in range(2000)]
    times, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        start = time.perf_counter()
        connection.request("POST", "/api/v1/transit/departures", bodies[len(times) % 2000], {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        times.append((time.perf_counter() - start) * 1000)
        assert answer.status == 200
    connection.close()
    return sorted(times)


def run(options, folder, schedule, feeds):
    configuration = {"clock": {"at": "2026-03-02T08:00:00+01:00"}, "providers": [{"id": "t", "type": "gtfs", "feed": schedule}]}
    path = os.path.join(folder, "t.pb")
    if feeds:
        configuration["providers"][0]["realtime"] = [{"url": path, "interval": 1}]
        with open(path, "wb") as out:
            out.write(feeds[0])
    with open(os.path.join(folder, "c.json"), "w") as out:
        json.dump(configuration, out)
    metrics = random.randrange(20_000, 30_000)
    child, port = load.serve(options.sightline, ["--demo", "none", "--transit", os.path.join(folder, "c.json"), "--transit-rate", "0",
                                                "--metrics-port", str(metrics)], folder)
    ended = threading.Event()

    def producer():
        turn = 0
        while not ended.wait(1.0):
            turn += 1
            with open(path + ".new", "wb") as out:
                out.write(feeds[turn % len(feeds)])
            os.utime(path + ".new", (time.time(), time.time()))
            os.rename(path + ".new", path)

    if feeds:
        threading.Thread(target=producer, daemon=True).start()
    try:
        time.sleep(3)
        bodies = [json.dumps({"stops": [f"t:S{(i * 10 + k) % 2000}" for k in range(10)]}) for i in range(100)]
        lua = load.script(folder, "boards", "/api/v1/transit/departures", bodies)
        load.load(child.pid, port, lua, 3, 1)
        merges = []
        watching = threading.Event()

        def watch():
            while not watching.wait(0.5):
                merges.append(metric(metrics, "sightline_transit_realtime_merge_seconds"))

        if feeds:
            threading.Thread(target=watch, daemon=True).start()
        figures = load.load(child.pid, port, lua, options.seconds, 1)
        watching.set()
        print("with" if feeds else "without", "messages:", figures)
        times = read(port, options.seconds)
        late = sum(time > 5 for time in times)
        print(f"one reader: {len(times)} answers, median {times[len(times) // 2]:.2f} ms, 99.9 % {times[int(len(times) * 0.999)]:.2f} ms, "
              f"most {times[-1]:.1f} ms; {late} over 5 ms ({100 * late / len(times):.3f} %)")
        if feeds:
            merges = [m * 1000 for m in merges if m]
            print(f"merge of {options.updates} trip updates with {CALLS // 2} calls each: median {sorted(merges)[len(merges) // 2]:.1f} ms, "
                  f"least {min(merges):.1f}, most {max(merges):.1f}; matched {metric(metrics, 'sightline_transit_realtime_matched'):.0f}")
    finally:
        ended.set()
        child.terminate()
        child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sightline", default=".build/release/sightline")
    parser.add_argument("--updates", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        feed, schedule = os.path.join(folder, "t.zip"), os.path.join(folder, "t.schedule")
        make_feed(feed, options.updates)
        subprocess.run([options.sightline, "transit", "import", feed, "--into", schedule], check=True)
        rng = random.Random(4)
        # Producers stamp each message; the clock of the server runs on from eight.
        feeds = [message(options.updates, NOW + k, rng) for k in range(1, 13)]
        run(options, folder, schedule, [])
        run(options, folder, schedule, feeds)


if __name__ == "__main__":
    main()
