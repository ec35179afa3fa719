"""Sequences of pictures and motion with exact truth, as `sightline simulate --sequence` and the tools of world tracking write them."""
import csv
import json
import math
import pathlib


class Sequence:
    """`folder` has sequence.json, imu.csv, frames.csv, frames and truth/poses.csv."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.about = json.loads((self.folder / "sequence.json").read_text())
        self.width, self.height = self.about["width"], self.about["height"]
        self.readings = [[float(row[key]) for key in ("t", "gx", "gy", "gz", "ax", "ay", "az")] for row in self._rows("imu.csv")]
        self.frames = [(float(row["t"]), int(float(row["frame"]))) for row in self._rows("frames.csv")]
        self.truth = {int(float(row["frame"])): row for row in self._rows("truth/poses.csv")}
        self.start = min(self.readings[0][0], self.frames[0][0])

    def _rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def picture(self, number):
        return self.folder / (self.about["frames"]["pattern"] % number)

    def milliseconds(self, time, base):
        """On the page's clock."""
        return base + (time - self.start) * 1000

    def steps(self, base):
        """What the player shows, one after the other: stamps and readings on the page's clock, degrees a second."""
        queue, found = list(self.readings), []
        for stamp, number in self.frames:
            readings = []
            while queue and queue[0][0] <= stamp:
                t, *values = queue.pop(0)
                readings.append({"time": self.milliseconds(t, base), "rate": [math.degrees(v) for v in values[:3]], "force": values[3:]})
            found.append({"number": number, "stamp": self.milliseconds(stamp, base), "readings": readings})
        return found

    def in_world(self, number, point):
        """A point in the camera's axes (x right, y down, z forward) of a frame, in the world of the truth."""
        row = self.truth[number]
        w, x, y, z = (float(row[key]) for key in ("qw", "qx", "qy", "qz"))
        turned = [
            (1 - 2 * (y * y + z * z)) * point[0] + 2 * (x * y - w * z) * point[1] + 2 * (x * z + w * y) * point[2],
            2 * (x * y + w * z) * point[0] + (1 - 2 * (x * x + z * z)) * point[1] + 2 * (y * z - w * x) * point[2],
            2 * (x * z - w * y) * point[0] + 2 * (y * z + w * x) * point[1] + (1 - 2 * (x * x + y * y)) * point[2],
        ]
        return [float(row[key]) + turned[k] for k, key in enumerate(("px", "py", "pz"))]

    def lens(self, number):
        return [float(self.truth[number][key]) for key in ("px", "py", "pz")]

    def write_replay(self, folder, steps, focal):
        """The same as the page was given, for `sightline odometry track`: pictures by links, numbers to the last digit."""
        folder = pathlib.Path(folder)
        (folder / "frames").mkdir(parents=True)
        radian = math.pi / 180
        imu, frames = ["t,gx,gy,gz,ax,ay,az"], ["t,frame"]
        for step in steps:
            for reading in step["readings"]:
                values = [reading["time"] / 1000, *(rate * radian for rate in reading["rate"]), *reading["force"]]
                imu.append(",".join(repr(value) for value in values))
            frames.append(f"{step['stamp'] / 1000!r},{step['number']}")
            target = folder / "frames" / f"{step['number']:06d}.pgm"
            if not target.exists():
                target.symlink_to(self.picture(step["number"]).resolve())
        (folder / "imu.csv").write_text("\n".join(imu) + "\n")
        (folder / "frames.csv").write_text("\n".join(frames) + "\n")
        about = {**self.about, "focal_guess": focal, "frames": {"kind": "pgm", "pattern": "frames/%06d.pgm"}, "distortion_guess": [0.0, 0.0]}
        (folder / "sequence.json").write_text(json.dumps(about))
        return folder
