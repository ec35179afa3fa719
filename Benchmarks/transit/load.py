#!/usr/bin/env python3
"""Measures the server's answers about stops: nearest ten of a million with departures, and nearby places.

    Benchmarks/transit/load.py [--sightline PATH] [--stops 1000000] [--seconds 10] [--folder KEPT]

Makes a feed of so many stops (20 a line, a trip every ten minutes), imports it, serves it, and asks with wrk (needed) over 64
connections: first to fill the cache, then for figures, as fast as it goes and with pauses that leave about 5,000 requests
a second. Positions are drawn from 200 places, so that all boards are in the cache. CPU is the server's own, from /proc,
divided by the requests that were answered.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

DAY = "20260302"
CLOCK = "2026-03-02T08:00:00+01:00"


def make_feed(path, count, seed=5):
    random.seed(seed)
    lines = count // 20
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,Europe/Stockholm\n")
        archive.writestr("calendar_dates.txt", f"service_id,date,exception_type\nS,{DAY},1\n")
        with archive.open("routes.txt", "w") as out:
            out.write(b"route_id,agency_id,route_short_name,route_type,route_color\n")
            for line in range(lines):
                out.write(f"R{line},A,{line % 900 + 1},3,{line * 7919 % 0xFFFFFF:06X}\n".encode())
        with archive.open("stops.txt", "w") as out:
            out.write(b"stop_id,stop_name,stop_lat,stop_lon\n")
            for line in range(lines):
                # Towns of 50 lines; a line is twenty stops 300 m apart in one direction.
                if line % 50 == 0:
                    town = (random.uniform(36, 68), random.uniform(-9, 30))
                at = (town[0] + random.gauss(0, 0.03), town[1] + random.gauss(0, 0.05))
                step = (random.uniform(-0.003, 0.003), random.uniform(-0.005, 0.005))
                for place in range(20):
                    out.write(f"{line}-{place},Stop {line}-{place},{at[0] + place * step[0]:.6f},{at[1] + place * step[1]:.6f}\n".encode())
        with archive.open("trips.txt", "w") as trips:
            trips.write(b"route_id,service_id,trip_id,trip_headsign\n")
            for line in range(lines):
                trips.write(f"R{line},S,T{line},Head {line}\n".encode())
        with archive.open("frequencies.txt", "w") as out:
            out.write(b"trip_id,start_time,end_time,headway_secs,exact_times\n")
            for line in range(lines):
                out.write(f"T{line},05:{line % 60:02d}:00,23:00:00,600,1\n".encode())
        with archive.open("stop_times.txt", "w") as out:
            out.write(b"trip_id,arrival_time,departure_time,stop_id,stop_sequence\n")
            for line in range(lines):
                for place in range(20):
                    clock = f"05:{place * 2:02d}:00"
                    out.write(f"T{line},{clock},{clock},{line}-{place},{place + 1}\n".encode())


def positions(path, count, seed=11):
    random.seed(seed)
    with zipfile.ZipFile(path) as archive, archive.open("stops.txt") as file:
        rows = file.read().decode().split("\n")[1:-1]
    for row in random.sample(rows, count):
        _, _, latitude, longitude = row.split(",")
        yield float(latitude) + random.gauss(0, 0.001), float(longitude) + random.gauss(0, 0.001)


def script(folder, name, path, bodies, pause=0):
    """A wrk script that sends the bodies by turns, each connection after a pause (ms, on average)."""
    lua = os.path.join(folder, name + ".lua")
    with open(lua, "w") as out:
        out.write("local bodies = {\n" + ",\n".join(f"[[{body}]]" for body in bodies) + "}\nlocal n = 0\n")
        out.write('wrk.headers["Content-Type"] = "application/json"\nlocal requests = {}\n')
        out.write(f'init = function() for i, b in ipairs(bodies) do requests[i] = wrk.format("POST", "{path}", nil, b) end end\n')
        out.write("request = function() n = n % #requests + 1; return requests[n] end\n")
        if pause:
            out.write(f"delay = function() return math.random(0, {2 * pause}) end\n")
        out.write("""done = function(s, l, r)
  io.write(string.format("RESULT %d %d %.3f %.3f %.3f %d\\n", s.requests, s.duration, l:percentile(50) / 1000, l:percentile(99) / 1000,
    l.max / 1000, s.errors.status + s.errors.connect + s.errors.read + s.errors.timeout))
end
""")
    return lua


def cpu(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settle(pid, patience=120):
    """Waits until the server is at rest: after its start it still prepares the search in what it serves."""
    for _ in range(patience):
        before = cpu(pid)
        time.sleep(1)
        if cpu(pid) - before < 0.03:
            return


def load(pid, port, lua, seconds, connections=64):
    before = cpu(pid)
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", lua, f"http://127.0.0.1:{port}/"],
                         capture_output=True, text=True, check=True).stdout
    requests, duration, p50, p99, most, errors = map(float, re.search(r"RESULT (.*)", out).group(1).split())
    used = cpu(pid) - before
    return {"requests/s": round(requests / duration * 1e6), "p50 ms": p50, "p99 ms": p99, "max ms": most, "errors": int(errors),
            "server CPU us": round(used / requests * 1e6, 1)}


def serve(program, arguments, folder):
    log = open(os.path.join(folder, "server.log"), "w")
    child = subprocess.Popen([program, "serve", "--port", "0", "--database", os.path.join(folder, "d.sqlite"), "--log-level", "warning",
                              *arguments], stdout=subprocess.PIPE, stderr=log, text=True)
    for line in child.stdout:
        found = re.match(r"listening on http://[^:]*:(\d+)", line)
        if found:
            return child, int(found.group(1))
    sys.exit(f"the server did not start: see {log.name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sightline", default=".build/release/sightline")
    parser.add_argument("--stops", type=int, default=1_000_000)
    parser.add_argument("--departures", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        feed, schedule = os.path.join(folder, f"{options.stops}.zip"), os.path.join(folder, f"{options.stops}.schedule")
        if not os.path.exists(schedule):
            make_feed(feed, options.stops)
            subprocess.run([options.sightline, "transit", "import", feed, "--into", schedule], check=True)
        places = list(positions(feed, 200))
        # The same positions as places of a world, for the older question.
        world = os.path.join(folder, "world.geojson")
        with zipfile.ZipFile(feed) as archive, archive.open("stops.txt") as file:
            rows = file.read().decode().split("\n")[1:100_001]
        features = [{"type": "Feature", "properties": {"name": row.split(",")[1]}, "geometry": {"type": "Point", "coordinates": [
            float(row.split(",")[3]), float(row.split(",")[2])]}} for row in rows]
        with open(world, "w") as out:
            json.dump({"type": "FeatureCollection", "features": features}, out)
        subprocess.run([options.sightline, "import", world, "--database", os.path.join(folder, "d.sqlite")], stdout=subprocess.DEVNULL)
        start = time.time()
        child, port = serve(options.sightline, ["--demo", "none", "--transit", schedule, "--transit-clock", CLOCK, "--transit-rate", "0"], folder)
        try:
            print(f"ready after {time.time() - start:.1f} s")
            bodies = [json.dumps({"latitude": a, "longitude": b, "departures": options.departures}) for a, b in places]
            answer = json.load(urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{port}/api/v1/transit/stops", bodies[0].encode(), {"Content-Type": "application/json"})))
            counts = [len(stop["forecast"]["departures"]) for stop in answer["stops"]]
            print(f"an answer: {len(counts)} stops with {counts} departures, {len(json.dumps(answer, ensure_ascii=False, separators=(',', ':')))} bytes")
            departures = script(folder, "stops", "/api/v1/transit/stops", bodies)
            load(child.pid, port, departures, 3)
            settle(child.pid)
            print("stops and departures from the cache:", load(child.pid, port, departures, options.seconds))
            calm = script(folder, "calm", "/api/v1/transit/stops", bodies, pause=10)
            print("the same with pauses of 10 ms:", load(child.pid, port, calm, options.seconds))
            plain = script(folder, "plain", "/api/v1/transit/stops", [json.dumps({"latitude": a, "longitude": b}) for a, b in places])
            print("stops alone:", load(child.pid, port, plain, options.seconds))
            nearby = script(folder, "nearby", "/api/v1/nearby", [json.dumps({"latitude": a, "longitude": b}) for a, b in places])
            print("POST /api/v1/nearby, 100,000 places:", load(child.pid, port, nearby, options.seconds))
            print("resident:", re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{child.pid}/status").read()).group(1), "kB")
        finally:
            child.terminate()
            child.wait()


if __name__ == "__main__":
    main()
