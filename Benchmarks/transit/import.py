#!/usr/bin/env python3
"""Imports a GTFS feed with sightline and with the sqlite3 program, and compares stop times per CPU second.

    Benchmarks/transit/import.py FEED.zip [--sightline PATH] [--repeat N]
    Benchmarks/transit/import.py --trips 20000 …     makes a feed of so many trips (about 27 stops each) first

The sqlite3 program gets stop_times.txt unpacked, and a table with the same key (trip, sequence) and an index by stop and departure. With
--python PATH, an interpreter that has them, gtfs-kit and partridge read the feed too; they keep its rows in memory, without an index, and the time
to load the libraries does not count.
"""
import argparse
import io
import os
import random
import subprocess
import tempfile
import zipfile

LIBRARIES = {
    "gtfs-kit": "import gtfs_kit\nbegin = time.process_time()\nrows = len(gtfs_kit.read_feed(sys.argv[1], dist_units='km').stop_times)",
    "partridge": "import partridge\nbegin = time.process_time()\nrows = len(partridge.load_feed(sys.argv[1]).stop_times)",
}
SQL = """PRAGMA journal_mode=OFF;
CREATE TABLE t({columns}, PRIMARY KEY(trip_id, stop_sequence)) WITHOUT ROWID;
CREATE INDEX i ON t(stop_id, departure_time);
.mode csv
.import --skip 1 {file} t
"""


def make_feed(path, trips, seed=1):
    random.seed(seed)
    stops, routes = max(2000, min(100_000, trips // 20)), max(40, trips // 300)
    ways = [[random.randrange(stops) for _ in range(random.randint(12, 42))] for _ in range(routes * 4)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,Europe/Stockholm\n")
        archive.writestr("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                         + "".join(f"S{i},1,1,1,1,1,0,0,20260101,20261231\n" for i in range(50)))
        archive.writestr("routes.txt", "route_id,agency_id,route_short_name,route_type\n" + "".join(f"R{i},A,{i},3\n" for i in range(routes)))
        archive.writestr("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"90210{i:07d},Stop {i},{57 + random.random():.6f},{12 + random.random():.6f}\n" for i in range(stops)))
        with archive.open("trips.txt", "w", force_zip64=True) as raw, io.TextIOWrapper(raw, newline="\n") as out:
            out.write("route_id,service_id,trip_id,trip_headsign,direction_id\n")
            for i in range(trips):
                out.write(f"R{i % routes},S{i % 50},1412000{i:09d},Head {i % routes},{i & 1}\n")
        with archive.open("stop_times.txt", "w", force_zip64=True) as raw, io.TextIOWrapper(raw, newline="\n") as out:
            out.write("trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type,shape_dist_traveled,timepoint\n")
            for i in range(trips):
                time, rows = 18000 + random.randrange(60000), []
                for place, stop in enumerate(ways[i % len(ways)]):
                    text = f"{time // 3600:02d}:{time // 60 % 60:02d}:{time % 60:02d}"
                    rows.append(f"1412000{i:09d},{text},{text},90210{stop:07d},{place + 1},0,0,{place * 412.5:.2f},1\n")
                    time += random.randint(30, 180)
                out.write("".join(rows))


def cpu(command, text=b""):
    """CPU seconds and peak memory (KiB) of one child alone."""
    with tempfile.TemporaryFile() as given:
        given.write(text)
        given.seek(0)
        child = subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} failed with status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def library(python, code, feed):
    """CPU seconds of a Python library that reads the feed; nothing when it is not installed."""
    code = f"import resource, sys, time\n{code}\nprint(time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run([python, "-c", code, feed], capture_output=True, text=True)
    if done.returncode:
        return None
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), int(memory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("feed", nargs="?")
    parser.add_argument("--trips", type=int)
    parser.add_argument("--sightline", default=".build/release/sightline")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--without-peer", action="store_true")
    parser.add_argument("--python")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        feed = options.feed or os.path.join(folder, "feed.zip")
        if options.trips:
            make_feed(feed, options.trips)
        if not os.path.exists(feed):
            parser.error("give a feed, or --trips")
        with zipfile.ZipFile(feed) as archive:
            name = next(n for n in archive.namelist() if n.split("/")[-1] == "stop_times.txt")
            archive.extract(name, folder)
        file = os.path.join(folder, name)
        with open(file, encoding="utf-8-sig") as text:
            columns = text.readline().strip().split(",")
            rows = sum(1 for line in text if line.strip())
        print(f"{rows:,} stop times")
        results = {}
        for _ in range(options.repeat):
            runs = {"sightline": cpu([options.sightline, "transit", "import", feed, "--into", os.path.join(folder, "s"),
                                      "--largest-archive", "4096"])}
            if not options.without_peer:
                database = os.path.join(folder, "peer")
                if os.path.exists(database):
                    os.remove(database)
                runs["sqlite3"] = cpu(["sqlite3", database], SQL.format(columns=",".join(columns), file=file).encode())
            for peer, code in LIBRARIES.items() if options.python else ():
                found = library(options.python, code, feed)
                if found:
                    runs[peer] = found
            for peer, (seconds, memory) in runs.items():
                best = results.get(peer, (1e9, 0))
                results[peer] = (min(best[0], seconds), max(best[1], memory))
        for peer, (seconds, memory) in results.items():
            print(f"{peer:10} {rows / seconds:12,.0f} rows per CPU second   {seconds:7.2f} s   peak {memory / 1024:,.0f} MiB")
        ratios = [f"{peer} {seconds / results['sightline'][0]:.1f}" for peer, (seconds, _) in results.items() if peer != "sightline"]
        if ratios:
            print("times as fast as", ", ".join(ratios))


if __name__ == "__main__":
    main()
