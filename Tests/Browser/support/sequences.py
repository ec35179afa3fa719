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
        truth = json.loads((self.folder / "truth" / "truth.json").read_text())
        self.marker, self.lens_truth = truth.get("known", {}).get("marker"), (truth["focal"], truth["centre"], truth["distortion"])
        self.start = min(self.readings[0][0], self.frames[0][0])

    def _rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def picture(self, number):
        return self.folder / (self.about["frames"]["pattern"] % number)

    def covered_picture(self, number, width=2):
        """The picture with a plain sheet over the marker, on its plane, so many times as wide."""
        bytes_of = bytearray(self.picture(number).read_bytes())
        right, down, half = self.marker["right"], self.marker["down"], self.marker["side"] * width / 2
        corners = [self.pixel(number, [c + a * r + b * d for c, r, d in zip(self.marker["centre"], right, down)])
                   for a, b in ((-half, -half), (half, -half), (half, half), (-half, half))]
        if not all(corners):
            return bytes(bytes_of)
        start = len(bytes_of) - self.width * self.height
        for y in range(max(0, math.ceil(min(y for _, y in corners))), min(self.height, math.floor(max(y for _, y in corners)) + 1)):
            # Where its edges cross the row.
            crossings = [x0 + (x1 - x0) * (y - y0) / (y1 - y0)
                         for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]) if (y0 <= y) != (y1 <= y)]
            if crossings:
                left, end = max(0, round(min(crossings))), min(self.width, round(max(crossings)))
                if left < end:
                    bytes_of[start + y * self.width + left:start + y * self.width + end] = bytes([200]) * (end - left)
        return bytes(bytes_of)

    def pixel(self, number, point):
        """Where a point of the truth's world is seen by the middle line of a frame; None behind the lens."""
        row = self.truth[number]
        w, x, y, z = (float(row[key]) for key in ("qw", "qx", "qy", "qz"))
        away = [one - float(row[key]) for one, key in zip(point, ("px", "py", "pz"))]
        a, b, c = ((1 - 2 * (y * y + z * z)) * away[0] + 2 * (x * y + w * z) * away[1] + 2 * (x * z - w * y) * away[2],
                   2 * (x * y - w * z) * away[0] + (1 - 2 * (x * x + z * z)) * away[1] + 2 * (y * z + w * x) * away[2],
                   2 * (x * z + w * y) * away[0] + 2 * (y * z - w * x) * away[1] + (1 - 2 * (x * x + y * y)) * away[2])
        if c < 0.05:
            return None
        focal, (cx, cy), (k1, k2) = self.lens_truth
        r2 = (a * a + b * b) / (c * c)
        bend = 1 + k1 * r2 + k2 * r2 * r2
        return [cx + focal * a / c * bend, cy + focal * b / c * bend]

    def turned(self, pixel, quarters):
        """Where a pixel is in the picture that the browser has after the screen was turned by so many quarters."""
        (x, y), (width, height) = pixel, (self.width, self.height)
        for _ in range(quarters % 4):
            x, y, width, height = y, width - 1 - x, height, width
        return [x, y], (width, height)

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

    def in_world(self, number, point, quarters=0):
        """A point in the axes (x right, y down, z forward) of a frame's picture, turned by so many quarters, in the world of the truth."""
        for _ in range(quarters % 4):
            point = [-point[1], point[0], point[2]]
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
