#!/usr/bin/env python3
"""Compares departures with a plain computation that shares no code with the program: every trip, every day, no index.

    Benchmarks/transit/oracle.py FEED.zip [--realtime FILE.pb…] [--questions 200] [--seed 1] [--sightline PATH]

Asks `sightline transit departures` for random stops at random instants of the feed's validity (with a preference for the nights round
clock changes and for the hours after midnight), and for the same by the rules of GTFS and GTFS-Realtime. Prints what differs; exits with 1
if anything does. With --realtime the instants lie round the message's time, and predictions and their sources are compared as well.
"""
import argparse
import collections
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

Call = collections.namedtuple("Call", "sequence stop arrival departure pickup")


def seconds(text):
    if not text.strip():
        return None
    hours, minutes, rest = text.strip().split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


class Feed:
    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            def rows(name):
                found = [n for n in archive.namelist() if n.split("/")[-1] == name]
                if not found:
                    return []
                text = io.TextIOWrapper(archive.open(found[0]), encoding="utf-8-sig", newline="")
                return [{k.strip(): (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(text)]

            self.zone = ZoneInfo(rows("agency.txt")[0]["agency_timezone"])
            self.children = collections.defaultdict(list)
            self.stops = []
            for row in rows("stops.txt"):
                kind = row.get("location_type") or "0"
                if kind in "01":
                    self.stops.append(row["stop_id"])
                if kind == "0" and row.get("parent_station"):
                    self.children[row["parent_station"]].append(row["stop_id"])
            self.days = collections.defaultdict(set)
            for row in rows("calendar.txt"):
                day, last = (datetime.strptime(row[k], "%Y%m%d").date() for k in ("start_date", "end_date"))
                names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
                while day <= last:
                    if row[names[day.weekday()]] == "1":
                        self.days[row["service_id"]].add(day)
                    day += timedelta(1)
            for row in rows("calendar_dates.txt"):
                day = datetime.strptime(row["date"], "%Y%m%d").date()
                (self.days[row["service_id"]].add if row["exception_type"] == "1" else self.days[row["service_id"]].discard)(day)
            self.trips = {row["trip_id"]: row for row in rows("trips.txt")}
            self.runs = collections.defaultdict(list)
            for row in rows("frequencies.txt"):
                exact = row.get("exact_times") == "1"
                self.runs[row["trip_id"]].append((seconds(row["start_time"]), seconds(row["end_time"]), int(row["headway_secs"]), exact))
            calls = collections.defaultdict(list)
            for row in rows("stop_times.txt"):
                calls[row["trip_id"]].append(row)
            self.calls = {trip: self.complete(found) for trip, found in calls.items() if trip in self.trips}
            self.at = collections.defaultdict(set)
            for trip, found in self.calls.items():
                for call in found:
                    self.at[call.stop].add(trip)

    @staticmethod
    def complete(rows):
        """A trip's calls in order, times between timed stops filled in by distance or evenly."""
        rows = sorted(rows, key=lambda row: int(row["stop_sequence"]))
        times = []
        for row in rows:
            arrival, departure = seconds(row["arrival_time"]), seconds(row["departure_time"])
            times.append([arrival if arrival is not None else departure, departure if departure is not None else arrival])
        far = [float(row["shape_dist_traveled"]) if row.get("shape_dist_traveled") else None for row in rows]
        known = [k for k, (arrival, _) in enumerate(times) if arrival is not None]
        for a, b in zip(known, known[1:]):
            for k in range(a + 1, b):
                share = (k - a) / (b - a)
                if far[a] is not None and far[b] is not None and far[b] > far[a] and far[k] is not None:
                    share = min(1, max(0, (far[k] - far[a]) / (far[b] - far[a])))
                at = times[a][1] + int((times[b][0] - times[a][1]) * share + 0.5)
                times[k] = [at, at]
        return [Call(int(row["stop_sequence"]), row["stop_id"], arrival, max(arrival, departure), row.get("pickup_type") or "0")
                for row, (arrival, departure) in zip(rows, times)]

    def base(self, day):
        return int(datetime(day.year, day.month, day.day, 12, tzinfo=self.zone).timestamp()) - 43_200

    def expand(self, stops):
        return [one for stop in stops for one in (self.children.get(stop) or [stop])]

    def starts(self, trip):
        """Shifts of the trip's times: one for each run."""
        first = self.calls[trip][0].departure
        if trip not in self.runs:
            return [(None, 0)]
        return [(start, start - first) for begin, end, headway, exact in self.runs[trip] if exact for start in range(begin, end, headway)]

    def departures(self, stops, begin, end, predictions=None):
        found = []
        today = datetime.fromtimestamp(begin, self.zone).date()
        for back in range(-2, 6):
            day = today - timedelta(back)
            base = self.base(day)
            for stop in set(self.expand(stops)):
                for trip in self.at[stop]:
                    if day not in self.days[self.trips[trip]["service_id"]]:
                        continue
                    calls = self.calls[trip]
                    for start, shift in self.starts(trip):
                        for place, call in enumerate(calls[:-1]):
                            if call.stop != stop or call.pickup == "1":
                                continue
                            time = base + shift + call.departure
                            predicted, source = None, "none"
                            if predictions is not None:
                                predicted, source = predictions.get((trip, day), {}).get(place, (None, "none"))
                            # A late vehicle is still to come; the far end goes by the timetable.
                            if begin <= (time if predicted is None else predicted) and time < end:
                                found.append((time, trip, call.sequence, stop, start, predicted, source))
        return sorted(found, key=lambda one: one[:3] + (one[4] or 0,))


# GTFS-Realtime, read field by field.

def fields(data):
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
            yield key >> 3, value - (1 << 64) if value >> 63 else value
        elif kind == 2:
            size = varint()
            yield key >> 3, data[at:at + size]
            at += size
        else:
            size = 8 if kind == 1 else 4
            yield key >> 3, data[at:at + size]
            at += size


def one(data, number, default=None):
    return next((value for key, value in reversed(list(fields(data))) if key == number), default)


def predictions(feed, path):
    """For each run that a message speaks of: place of the call to (predicted departure, source)."""
    data = open(path, "rb").read()
    stamp = one(one(data, 1), 3)
    result = {}
    for key, entity in fields(data):
        update = one(entity, 3) if key == 2 else None
        if update is None:
            continue
        descriptor = one(update, 1)
        trip = one(descriptor, 1, b"").decode()
        if one(descriptor, 4, 0) != 0 or trip not in feed.calls:
            continue
        calls = feed.calls[trip]
        written = one(descriptor, 3, b"").decode()
        if written:
            day = datetime.strptime(written, "%Y%m%d").date()
        else:
            # The day on which the run contains the message's time, or lies nearest to it.
            def away(day):
                first, last = feed.base(day) + calls[0].departure, feed.base(day) + calls[-1].arrival
                return max(0, first - stamp, stamp - last)
            today = datetime.fromtimestamp(stamp, feed.zone).date()
            days = [day for day in (today + timedelta(k) for k in range(-5, 3)) if day in feed.days[feed.trips[trip]["service_id"]]]
            if not days:
                continue
            day = min(days, key=lambda day: (away(day), day))
        told = {}
        for key, stop in fields(update):
            if key != 2:
                continue
            sequence, name = one(stop, 1), one(stop, 4, b"").decode()
            places = [k for k, call in enumerate(calls) if call.sequence == sequence] if sequence is not None else []
            named = [k for k, call in enumerate(calls) if call.stop == name] if name else []
            if name and len(named) == 1:
                place = named[0]
            elif places and (not name or calls[places[0]].stop == name):
                place = places[0]
            else:
                continue
            told[place] = stop
        base, delay, found = feed.base(day), None, {}
        for place, call in enumerate(calls):
            source = "propagated" if delay is not None else "none"
            predicted = None if delay is None else base + call.departure + delay
            stop = told.get(place)
            if stop is not None:
                kind = one(stop, 5, 0)
                if kind == 1:
                    found[place] = (None, "skipped")
                    continue
                if kind == 2:
                    delay = None
                    found[place] = (None, "none")
                    continue

                def late(event, planned):
                    if event is None:
                        return None
                    time, by = one(event, 2), one(event, 1)
                    return time - planned if time else by
                arrival = late(one(stop, 2), base + call.arrival)
                departure = late(one(stop, 3), base + call.departure)
                if arrival is None and departure is None:
                    arrival = departure = delay
                came = arrival if arrival is not None else delay
                departure = departure if departure is not None else came
                if departure is not None:
                    predicted = base + call.departure + departure
                    if came is not None:
                        predicted = max(predicted, base + call.arrival + came)
                    delay, source = departure, "update"
            found[place] = (predicted, source)
        result[(trip, day)] = found
    return stamp, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("feed")
    parser.add_argument("--realtime")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sightline", default=".build/release/sightline")
    options = parser.parse_args()
    feed = Feed(options.feed)
    rng = random.Random(options.seed)
    days = sorted(set().union(*feed.days.values()))
    changes = [day for day in days if feed.base(day) + 86_400 != feed.base(day + timedelta(1))]
    stamp, told = predictions(feed, options.realtime) if options.realtime else (None, None)
    wrong = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        schedule = os.path.join(folder, "s")
        subprocess.run([options.sightline, "transit", "import", options.feed, "--into", schedule], check=True, stderr=subprocess.DEVNULL)
        for _ in range(options.questions):
            stops = rng.sample(feed.stops, rng.choice([1, 1, 2, 5]))
            horizon = rng.choice([600, 3600, 7200, 20_000])
            if stamp:
                begin = stamp + rng.randint(-1800, 5400)
            else:
                day = rng.choice(changes) if changes and rng.random() < 0.25 else rng.choice(days)
                begin = feed.base(day) + rng.choice([rng.randrange(86_400), rng.randrange(86_400, 100_000), rng.randrange(-3600, 14_400)])
            command = [options.sightline, "transit", "departures", "--schedule", schedule, "--stop", ",".join(stops), "--at", str(begin),
                       "--horizon", str(horizon), "--format", "json"]
            if options.realtime:
                command += ["--realtime", options.realtime]
            answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            # What the message adds to the timetable is not in it.
            got = [(one["time"], one["trip"], one["sequence"], one["stop"], one.get("start"), one["predicted"], one["source"])
                   for one in answer if one["state"] != "added"]
            wanted = feed.departures(stops, begin, begin + horizon, told)
            if options.realtime:
                got, wanted = sorted(got, key=str), sorted(wanted, key=str)
            rows += len(wanted)
            if got != wanted:
                wrong += 1
                print(f"{stops} at {begin} for {horizon} s: missing {[x for x in wanted if x not in got][:3]}, "
                      f"too many {[x for x in got if x not in wanted][:3]}")
    print(f"{options.questions} questions, {rows} departures, {wrong} answers differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
