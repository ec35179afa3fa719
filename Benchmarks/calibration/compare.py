#!/usr/bin/env python3
"""Holds `sightline camera calibrate` against OpenCV's calibrateCamera on drawn pictures of one board.

usage: Benchmarks/calibration/compare.py SIGHTLINE [--cameras N] [--views N] [--seed N]

Draws pictures of a 7 x 5 board through cameras with known intrinsics and distortion (blur and noise added), has both find the
camera from the same files, and prints how far each is off: focal length in per cent, principal point in pixels, and the
largest difference between true and found mapping inside the picture (a ray of each pixel of a grid, in pixels after the best
rotation), which is what counts. Needs: pip install numpy opencv-contrib-python-headless
"""
import argparse
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np

COLUMNS, ROWS, SQUARE, SIDE = 7, 5, 0.035, 0.026
WIDTH, HEIGHT = 640, 480


def texture(dots_per_square=120):
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE, SIDE, dictionary)
    image = board.generateImage((COLUMNS * dots_per_square, ROWS * dots_per_square))
    return board, cv2.copyMakeBorder(image, *[dots_per_square // 2] * 4, cv2.BORDER_CONSTANT, value=255), dots_per_square


def picture(rng, camera, lens, page, dots, over=3):
    """The board at a random pose, drawn three times as large and averaged."""
    while True:
        tilt = rng.uniform(-40, 40, 2)
        turn = cv2.Rodrigues(np.radians([tilt[0], tilt[1], 0.0]))[0] @ cv2.Rodrigues(np.radians([0.0, 0.0, rng.uniform(-40, 40)]))[0]
        shift = np.array([rng.uniform(-0.12, 0.12), rng.uniform(-0.09, 0.09), rng.uniform(0.3, 0.55)])
        corners = np.array([[x, y, 0.0] for y in (0, ROWS) for x in (0, COLUMNS)]) * SQUARE - [COLUMNS * SQUARE / 2, ROWS * SQUARE / 2, 0]
        seen = cv2.projectPoints(corners, cv2.Rodrigues(turn)[0], shift, camera, lens)[0][:, 0]
        inside = ((seen > -60) & (seen < [WIDTH + 60, HEIGHT + 60])).all(1)
        if inside.sum() >= 3:
            break
    n = over
    u, v = np.meshgrid((np.arange(WIDTH * n) + 0.5) / n - 0.5, (np.arange(HEIGHT * n) + 0.5) / n - 0.5)
    rays = cv2.undistortPoints(np.stack([u.ravel(), v.ravel()], 1)[:, None], camera, lens)[:, 0]
    rays = np.column_stack([rays, np.ones(len(rays))])
    normal = turn[:, 2]
    points = rays * ((normal @ shift) / (rays @ normal))[:, None] - shift
    board = points @ turn
    scale = dots / SQUARE
    x = (board[:, 0] + COLUMNS * SQUARE / 2) * scale + dots / 2 - 0.5
    y = (board[:, 1] + ROWS * SQUARE / 2) * scale + dots / 2 - 0.5
    big = cv2.remap(page, x.reshape(u.shape).astype(np.float32), y.reshape(u.shape).astype(np.float32), cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_CONSTANT, borderValue=150).astype(np.float32)
    image = big.reshape(HEIGHT, n, WIDTH, n).mean((1, 3))
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.9)) * 0.75 + 25
    return np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def by_opencv(files, board):
    detector = cv2.aruco.CharucoDetector(board)
    objects, images = [], []
    for name in files:
        corners, ids, _, _ = detector.detectBoard(cv2.imread(name, cv2.IMREAD_GRAYSCALE))
        if ids is not None and len(ids) >= 6:
            o, i = board.matchImagePoints(corners, ids)
            objects.append(o)
            images.append(i)
    error, camera, lens, _, _ = cv2.calibrateCamera(objects, images, (WIDTH, HEIGHT), None, None)
    return error, camera, lens.ravel()[:5]


def by_sightline(program, files):
    out = subprocess.run([program, "camera", "calibrate", "--dictionary", "5x5-100", "--board", f"{COLUMNS}x{ROWS}", "--square", str(SQUARE),
                          "--length", str(SIDE), "--format", "json", *files], capture_output=True, text=True, check=True).stdout
    found = json.loads(out)
    fx, fy, cx, cy = found["intrinsics"]
    return found["error"], np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]]), np.array(found["distortion"]), found["intrinsicsDeviation"]


def mapping_error(truth, found):
    """Largest and mean distance, pixels, after the rotation that fits best (a calibration leaves it open)."""
    u, v = np.meshgrid(np.linspace(0, WIDTH - 1, 17), np.linspace(0, HEIGHT - 1, 13))
    pixels = np.stack([u.ravel(), v.ravel()], 1)
    rays = []
    for camera, lens in (truth, found):
        r = cv2.undistortPoints(pixels[:, None], camera, lens)[:, 0]
        r = np.column_stack([r, np.ones(len(r))])
        rays.append(r / np.linalg.norm(r, axis=1)[:, None])
    w, _, vt = np.linalg.svd(rays[0].T @ rays[1])
    rotation = w @ np.diag([1, 1, np.sign(np.linalg.det(w @ vt))]) @ vt
    off = np.linalg.norm(rays[0] - rays[1] @ rotation.T, axis=1) * truth[0][0, 0]
    return off.max(), off.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cameras", type=int, default=5)
    parser.add_argument("--views", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    board, page, dots = texture()
    rows = {"sightline": [], "opencv": []}
    inside = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.cameras):
            f = rng.uniform(480, 720)
            camera = np.array([[f, 0, rng.uniform(300, 340)], [0, f * rng.uniform(0.99, 1.01), rng.uniform(225, 255)], [0, 0, 1.0]])
            lens = np.array([rng.uniform(-0.3, 0.05), rng.uniform(-0.05, 0.1), rng.uniform(-2e-3, 2e-3), rng.uniform(-2e-3, 2e-3), 0.0])
            files = []
            for view in range(options.views):
                files.append(os.path.join(folder, f"{number}-{view}.png"))
                cv2.imwrite(files[-1], picture(rng, camera, lens, page, dots))
            error, found, terms, deviations = by_sightline(options.program, files)
            rows["sightline"].append((error, abs(found[0, 0] / camera[0, 0] - 1) * 100, np.hypot(*(found - camera)[:2, 2]),
                                      *mapping_error((camera, lens), (found, terms))))
            inside += [abs(found[0, 0] - camera[0, 0]) / deviations[0], abs(found[0, 2] - camera[0, 2]) / deviations[2]]
            error, found, terms = by_opencv(files, board)
            rows["opencv"].append((error, abs(found[0, 0] / camera[0, 0] - 1) * 100, np.hypot(*(found - camera)[:2, 2]),
                                   *mapping_error((camera, lens), (found, terms))))
    print(f"{options.cameras} cameras, {options.views} pictures each, seed {options.seed}; medians")
    print(f"{'':12}{'error px':>10}{'focal %':>10}{'centre px':>11}{'mapping max px':>16}{'mean px':>9}")
    for name, values in rows.items():
        m = np.median(np.array(values), 0)
        print(f"{name:12}{m[0]:10.4f}{m[1]:10.4f}{m[2]:11.3f}{m[3]:16.3f}{m[4]:9.4f}")
    ratio = np.array(rows["sightline"])[:, 3] / np.array(rows["opencv"])[:, 3]
    print(f"mapping error against OpenCV's: {np.median(ratio):.2f} (median of the cameras)")
    print(f"stated deviations: {np.mean(np.array(inside) < 2) * 100:.0f} % of focal lengths and centres within two (95 % expected)")


if __name__ == "__main__":
    main()
