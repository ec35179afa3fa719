#!/usr/bin/env python3
"""Makes a feed of the size of a country, 40 million stop times by default, and imports it within a memory limit.

    Benchmarks/transit/national.py [--rows 40000000] [--sightline PATH] [--folder KEPT] [--limit 512]

The trips of a line run through the day with a few running times, as in real feeds; a tenth of the trips have times of their own.
Needs about 3 GB of disk. Prints the importer's CPU and peak memory, and fails when that is over the limit (MiB).
"""
import argparse
import io
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile


def make(path, rows, seed=3):
    rng = random.Random(seed)
    calls, per_line = 27, 160
    trips = rows // calls
    lines, stops = max(1, trips // per_line), max(1000, rows // 300)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        def table(name):
            return io.TextIOWrapper(archive.open(name, "w", force_zip64=True), newline="\n")
        archive.writestr("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,Europe/Stockholm\n")
        archive.writestr("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                         + "".join(f"S{i},1,1,1,1,1,{i & 1},{i >> 1 & 1},20260101,20261231\n" for i in range(400)))
        with table("routes.txt") as out:
            out.write("route_id,agency_id,route_short_name,route_type\n")
            out.writelines(f"9011{i:07d},A,{i % 1000},{3 if i % 9 else 2}\n" for i in range(lines))
        with table("stops.txt") as out:
            out.write("stop_id,stop_name,stop_lat,stop_lon\n")
            out.writelines(f"90220{i:08d},Stop {i},{rng.uniform(55, 69):.6f},{rng.uniform(11, 24):.6f}\n" for i in range(stops))
        with table("trips.txt") as out:
            out.write("route_id,service_id,trip_id,trip_headsign,direction_id\n")
            for trip in range(trips):
                line = trip // per_line % lines
                out.write(f"9011{line:07d},S{trip % 400},{trip:018d},Head {line % 5000},{trip & 1}\n")
        texts = [f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}" for s in range(30 * 3600)]
        with table("stop_times.txt") as out:
            out.write("trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n")
            for trip in range(trips):
                place = trip % per_line
                if place == 0:
                    first = rng.randrange(stops)
                    names = [f"90220{(first + k * 37) % stops:08d}" for k in range(calls)]
                    there, back = [[f"{name},{k + 1},0,0\n" for k, name in enumerate(way)] for way in (names, names[::-1])]
                    profiles = []
                    for _ in range(5):
                        at, profile = 0, []
                        for _ in range(calls):
                            profile.append(at)
                            at += rng.randint(50, 150)
                        profiles.append(profile)
                start = 16_000 + place * 440
                profile = profiles[place % 5]
                if place % 10 == 9:
                    profile = [t + rng.randint(0, 20) for t in profile]
                name = f"{trip:018d}"
                used = back if trip & 1 else there
                out.write("".join([f"{name},{texts[start + t]},{texts[start + t]},{w}" for t, w in zip(profile, used)]))
    return trips * calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40_000_000)
    parser.add_argument("--sightline", default=".build/release/sightline")
    parser.add_argument("--folder")
    parser.add_argument("--limit", type=int, default=512)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        feed = os.path.join(folder, f"national-{options.rows}.zip")
        if not os.path.exists(feed):
            start = time.time()
            print(f"{make(feed, options.rows)} rows made in {time.time() - start:.0f} s", flush=True)
        schedule = feed[:-4] + ".schedule"
        start = time.time()
        child = subprocess.Popen([options.sightline, "transit", "import", feed, "--into", schedule, "--largest-archive", "4096"])
        _, status, usage = os.wait4(child.pid, 0)
        used = usage.ru_utime + usage.ru_stime
        print(f"status {os.waitstatus_to_exitcode(status)}, {used:.1f} CPU s ({options.rows / used / 1e6:.2f} million rows/s), "
              f"{time.time() - start:.0f} s, peak {usage.ru_maxrss / 1024:.0f} MiB, feed {os.path.getsize(feed) / 1e6:.0f} MB, "
              f"schedule {os.path.getsize(schedule) / 1e6 if os.path.exists(schedule) else 0:.0f} MB")
        sys.exit(0 if usage.ru_maxrss <= options.limit * 1024 and os.waitstatus_to_exitcode(status) == 0 else 1)


if __name__ == "__main__":
    main()
