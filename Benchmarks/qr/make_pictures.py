#!/usr/bin/env python3
"""Makes pictures of QR codes under conditions that make them hard to read, with what they say.

usage: make_pictures.py FOLDER [--seed N] [--count PER_CONDITION]

Writes FOLDER/NAME.png (some .jpg) and FOLDER/truth.json: {"NAME.png": {"text", "condition", "corners"}}. The codes
are made by zxing-cpp, so that nothing depends on this project's encoder. Each condition has one main hardship; `mixed`
joins several. Everything follows from the seed.
"""
import argparse
import json
import os

import cv2
import numpy as np
import zxingcpp

CONDITIONS = ["plain", "tilt", "blur", "motion", "noise", "contrast", "shadow", "cylinder", "damage", "jpeg", "small",
              "clutter", "inverted", "mirrored", "large", "crumple", "glare", "many", "mixed", "nothing"]


def random_text(rng, length):
    kind = rng.integers(4)
    if kind == 0:
        return "".join(str(d) for d in rng.integers(0, 10, length))
    if kind == 1:
        return "".join(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $%*+-./:"), length))
    letters = "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz0123456789"), length))
    return ("https://example.org/" + letters) if kind == 2 else letters


def code_modules(rng, length=None, level=None):
    text = random_text(rng, int(length if length else rng.integers(8, 60)))
    level = level or str(rng.choice(["L", "M", "Q", "H"], p=[0.3, 0.4, 0.15, 0.15]))
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, options=f"ecLevel={level}")
    image = np.array(barcode.to_image(scale=1, add_quiet_zones=False))
    return text, (image < 128).astype(np.uint8)


def background(rng, height, width):
    """A smooth field with some things on it."""
    small = rng.normal(150, 40, (6, 8)).astype(np.float32)
    field = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(field, 30, 235)


def clutter(rng, image):
    """Lines, boxes, text and checks, which make false finder patterns."""
    image = np.clip(image, 0, 255).astype(np.uint8)
    height, width = image.shape
    for _ in range(40):
        kind = rng.integers(5)
        p = (int(rng.integers(width)), int(rng.integers(height)))
        q = (int(p[0] + rng.integers(-120, 120)), int(p[1] + rng.integers(-120, 120)))
        shade = float(rng.integers(0, 256))
        if kind == 0:
            cv2.line(image, p, q, shade, int(rng.integers(1, 6)), cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(image, p, q, shade, int(rng.integers(1, 6)))
        elif kind == 2:
            cv2.putText(image, random_text(rng, 12), p, cv2.FONT_HERSHEY_SIMPLEX, float(rng.uniform(0.4, 1.5)), shade, 2, cv2.LINE_AA)
        elif kind == 3:
            cv2.circle(image, p, int(rng.integers(3, 40)), shade, int(rng.integers(1, 8)), cv2.LINE_AA)
        else:
            for k in range(3):
                cv2.rectangle(image, (p[0] - 4 * k, p[1] - 4 * k), (p[0] + 4 * k, p[1] + 4 * k), shade if k % 2 else 255 - shade, 4)
    return image.astype(np.float32)


def quad(rng, width, height, side, tilt, turn):
    """Corners of a square of a side in the picture, turned about all axes (degrees) before a camera."""
    angles = np.radians([rng.uniform(-tilt, tilt), rng.uniform(-tilt, tilt), turn])
    if tilt > 0:
        axis = rng.uniform(0, 2 * np.pi)
        angles[:2] = np.radians(tilt) * np.array([np.cos(axis), np.sin(axis)]) * rng.uniform(0.8, 1)
    rx, ry, rz = (cv2.Rodrigues(np.array(v))[0] for v in ([angles[0], 0, 0], [0, angles[1], 0], [0, 0, angles[2]]))
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float) / 2
    distance = 2.2
    world = (rx @ ry @ rz @ square.T).T + [0, 0, distance]
    points = world[:, :2] / world[:, 2:] * distance * side
    margin = 0.03 * min(width, height)
    low, high = points.min(0), points.max(0)
    free = np.array([width, height]) - (high - low) - 2 * margin
    start = margin + rng.uniform(0, 1, 2) * np.maximum(free, 0)
    return (points - low + start).astype(np.float32)


def render(rng, modules, width, height, side, tilt=0, turn=None, bend=0.0, crumple=0.0, base=None, dark=None, light=None):
    """The code in a picture, sampled four times as fine; bend is the angle of arc of a cylinder, degrees."""
    quiet = 4
    count = modules.shape[0]
    padded = np.pad(modules, quiet)
    total = count + 2 * quiet
    turn = rng.uniform(0, 360) if turn is None else turn
    fine = 3
    corners = quad(rng, width * fine, height * fine, side * fine, tilt, turn)
    # Module coordinates, quiet zone included, from pixels.
    matrix = cv2.getPerspectiveTransform(corners, np.array([[quiet, quiet], [quiet + count, quiet], [quiet + count, quiet + count], [quiet, quiet + count]], np.float32))
    ys, xs = np.mgrid[0:height * fine, 0:width * fine].astype(np.float32)
    w = matrix[2, 0] * xs + matrix[2, 1] * ys + matrix[2, 2]
    u = (matrix[0, 0] * xs + matrix[0, 1] * ys + matrix[0, 2]) / w
    v = (matrix[1, 0] * xs + matrix[1, 1] * ys + matrix[1, 2]) / w
    if bend:
        arc = np.radians(bend) / 2
        s = (u - total / 2) / (count / 2)
        with np.errstate(invalid="ignore"):
            angle = np.arcsin(np.clip(s * np.sin(arc), -0.999, 0.999))
        u = np.where(np.abs(s * np.sin(arc)) < 0.999, angle / arc * count / 2 + total / 2, -100)
        # Seen a little from above, rows bow.
        v = v + np.float32(rng.uniform(-0.35, 0.35)) * (np.cos(angle) - np.cos(arc)) * count / 2 / arc * 0.7
    if crumple:
        def wave():
            small = rng.normal(0, crumple, (5, 5)).astype(np.float32)
            return cv2.resize(small, (total * 8, total * 8), interpolation=cv2.INTER_CUBIC)
        du, dv = wave(), wave()
        iu = np.clip((u * 8).astype(int), 0, total * 8 - 1)
        iv = np.clip((v * 8).astype(int), 0, total * 8 - 1)
        u, v = u + du[iv, iu], v + dv[iv, iu]
    inside = (u >= 0) & (v >= 0) & (u < total) & (v < total) & (w > 0)
    iu = np.clip(u, 0, total - 1).astype(int)
    iv = np.clip(v, 0, total - 1).astype(int)
    dark = rng.uniform(10, 70) if dark is None else dark
    light = rng.uniform(170, 250) if light is None else light
    base = background(rng, height, width) if base is None else base
    image = cv2.resize(base, (width * fine, height * fine), interpolation=cv2.INTER_LINEAR)
    image = np.where(inside, np.where(padded[iv, iu] > 0, dark, light), image)
    image = cv2.resize(image.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
    return image, (corners + 0.5) / fine - 0.5


def make(rng, condition):
    """A picture, its texts and corners, and the quality if it is to be a JPEG."""
    width, height = (640, 480) if rng.random() < 0.7 else (int(rng.integers(320, 1000)), int(rng.integers(320, 800)))
    if condition == "nothing":
        return clutter(rng, background(rng, height, width).astype(np.float32)), [], None, None
    if condition == "many":
        image = background(rng, 720, 960)
        texts = []
        for row in range(2):
            for column in range(3):
                text, modules = code_modules(rng, rng.integers(8, 30))
                part, _ = render(rng, modules, 320, 360, rng.uniform(100, 190), tilt=rng.uniform(0, 30),
                                 base=image[row * 360:row * 360 + 360, column * 320:column * 320 + 320].copy())
                image[row * 360:row * 360 + 360, column * 320:column * 320 + 320] = part
                texts.append(text)
        return image + rng.normal(0, 2, image.shape), texts, None, None
    length = None
    if condition == "large":
        length = rng.integers(200, 900)
        width, height = 1280, 960
    text, modules = code_modules(rng, length, level="L" if condition == "large" else None)
    count = modules.shape[0]
    side = rng.uniform(3.2, 7) * count
    options = {"tilt": rng.uniform(0, 15)}
    if condition == "large":
        side = rng.uniform(3, 5) * count
    if condition == "tilt":
        options["tilt"] = rng.uniform(40, 65)
        side = rng.uniform(5, 9) * count
    if condition == "cylinder":
        options.update(bend=rng.uniform(60, 140), tilt=rng.uniform(0, 25))
    if condition == "crumple":
        options["crumple"] = rng.uniform(0.3, 0.7)
    if condition == "small":
        side = rng.uniform(1.5, 2.6) * count
        width, height = 400, 320
    if condition == "mixed":
        options["tilt"] = rng.uniform(10, 45)
        options["bend"] = rng.uniform(0, 70)
        side = rng.uniform(2.5, 5) * count
    if condition == "inverted":
        modules = 1 - modules
    if condition == "mirrored":
        modules = modules[:, ::-1]
    if condition == "contrast":
        dark = rng.uniform(20, 190)
        options.update(dark=dark, light=dark + rng.uniform(12, 35))
    side = min(side, 0.9 * min(width, height))
    if condition == "inverted":
        # The quiet zone of a code that is light on dark is dark.
        padded_dark, padded_light = rng.uniform(170, 250), rng.uniform(10, 70)
        options.update(dark=padded_light, light=padded_dark)
        modules = np.pad(modules, 4, constant_values=1)
        side = min(side * (count + 8) / count, 0.9 * min(width, height))
    base = background(rng, height, width)
    if condition in ("clutter", "mixed"):
        base = clutter(rng, base.astype(np.float32))
    image, corners = render(rng, modules, width, height, side, base=base, **options)
    module = side / count
    if condition == "damage":
        center = corners.mean(0)
        for _ in range(rng.integers(1, 4)):
            spot = center + rng.normal(0, 0.2, 2) * side
            cv2.ellipse(image, (int(spot[0]), int(spot[1])), (int(rng.uniform(1, 3) * module), int(rng.uniform(0.5, 2) * module)),
                        float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(0, 255)), -1)
    if condition in ("shadow", "mixed", "glare"):
        ys, xs = np.mgrid[0:height, 0:width]
        axis = rng.uniform(0, 2 * np.pi)
        along = (xs - corners[:, 0].mean()) * np.cos(axis) + (ys - corners[:, 1].mean()) * np.sin(axis)
        soft = rng.uniform(2, 60)
        if condition == "glare":
            spot = corners.mean(0) + rng.normal(0, 0.25, 2) * side
            image = image + rng.uniform(60, 160) * np.exp(-((xs - spot[0]) ** 2 + (ys - spot[1]) ** 2) / (2 * (0.25 * side) ** 2))
        else:
            least = rng.uniform(0.15, 0.4) if condition == "shadow" else rng.uniform(0.4, 0.7)
            image = image * (least + (1 - least) / (1 + np.exp(-along / soft)))
    if condition in ("blur", "mixed"):
        sigma = module * (rng.uniform(0.5, 0.95) if condition == "blur" else rng.uniform(0.25, 0.5))
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    if condition in ("motion",):
        length = max(2, int(module * rng.uniform(0.9, 1.6)))
        kernel = np.zeros((2 * length + 1,) * 2, np.float32)
        angle = rng.uniform(0, np.pi)
        offset = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        cv2.line(kernel, tuple(int(round(length - o)) for o in offset), tuple(int(round(length + o)) for o in offset), 1.0, 1, cv2.LINE_AA)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    noise = {"noise": rng.uniform(15, 45), "mixed": rng.uniform(3, 10), "contrast": rng.uniform(0.5, 2.5)}.get(condition, rng.uniform(0.5, 3))
    image = image + rng.normal(0, noise, image.shape)
    quality = int(rng.integers(8, 25)) if condition == "jpeg" else int(rng.integers(50, 80)) if condition == "mixed" else None
    return image, [text], corners, quality


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20, help="pictures of each condition")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    truth = {}
    for number, condition in enumerate(CONDITIONS):
        for index in range(arguments.count):
            rng = np.random.default_rng([arguments.seed, number, index])
            image, texts, corners, quality = make(rng, condition)
            image = np.clip(image, 0, 255).astype(np.uint8)
            name = f"{condition}-{index:03}" + (".jpg" if quality else ".png")
            cv2.imwrite(os.path.join(arguments.folder, name), image, [cv2.IMWRITE_JPEG_QUALITY, quality] if quality else [])
            truth[name] = {"condition": condition, "texts": texts, "corners": None if corners is None else corners.tolist()}
    with open(os.path.join(arguments.folder, "truth.json"), "w") as file:
        json.dump(truth, file, indent=0)


if __name__ == "__main__":
    main()
