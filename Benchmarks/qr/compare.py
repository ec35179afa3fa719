#!/usr/bin/env python3
"""Reads pictures of QR codes with `sightline qr read`, zxing-cpp, ZBar and OpenCV, and compares what they read.

usage: compare.py FOLDER… [--tool .build/release/sightline] [--earlier PROGRAM] [--peers zxing,zbar,opencv] [--runs 3]

FOLDERs are of make_pictures.py. For each condition and reader: codes read, and median and mean of the milliseconds of CPU
time of one thread for a picture, the least of the runs; the readers take turns, some pictures each. --earlier is another
`sightline`, to compare with. Texts that are in no code of their picture are listed: there must be none.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import time

import cv2


def readers(names):
    """Functions from a grey picture to the texts in it."""
    result = {}
    if "zxing" in names:
        import zxingcpp
        result["zxing"] = lambda image: [code.text for code in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)]
    if "zbar" in names:
        from pyzbar import pyzbar
        result["zbar"] = lambda image: [code.data.decode("utf-8", "replace") for code in
                                        pyzbar.decode(image, symbols=[pyzbar.ZBarSymbol.QRCODE])]
    if "opencv" in names:
        detector = cv2.QRCodeDetector()

        def read(image):
            found, texts, _, _ = detector.detectAndDecodeMulti(image)
            return [text for text in texts if text] if found else []
        result["opencv"] = read
    return result


def own(tool, paths, runs):
    """What `sightline qr read` reads in files, and the milliseconds that it takes, in their order."""
    output = subprocess.run([tool, "qr", "read", "--format", "json", "--repeats", str(runs), *paths],
                            check=True, capture_output=True, text=True).stdout
    answers = [json.loads(line) for line in output.splitlines()]
    return [([code["text"] for code in answer["codes"]], answer["cpuMilliseconds"]) for answer in answers]


def other(read, paths, runs):
    """The same with a function from a picture to texts."""
    answers = []
    for path in paths:
        image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        least = float("inf")
        for _ in range(runs):
            start = time.thread_time()
            texts = read(image)
            least = min(least, (time.thread_time() - start) * 1000)
        answers.append((texts, least))
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--tool", default=".build/release/sightline")
    parser.add_argument("--earlier")
    parser.add_argument("--peers", default="zxing,zbar,opencv")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    truth = {}
    for folder in arguments.folders:
        with open(os.path.join(folder, "truth.json")) as file:
            truth.update({os.path.join(folder, name): answer for name, answer in json.load(file).items()})
    paths = list(truth)
    ways = {"sightline": lambda part: own(arguments.tool, part, arguments.runs)}
    if arguments.earlier:
        ways["earlier"] = lambda part: own(arguments.earlier, part, arguments.runs)
    cv2.setNumThreads(1)
    for peer, read in readers(arguments.peers.split(",")).items():
        ways[peer] = lambda part, read=read: other(read, part, arguments.runs)
    answers = {name: {} for name in ways}
    for start in range(0, len(paths), 20):
        part = paths[start:start + 20]
        for name, way in ways.items():
            answers[name].update(zip(part, way(part)))
    conditions = list(dict.fromkeys(truth[path]["condition"] for path in paths))
    print("codes read, median and mean in ms")
    print("condition".ljust(12) + "codes".rjust(6) + "".join(name.rjust(22) for name in answers))
    for condition in conditions + ["all"]:
        chosen = [path for path in paths if condition in ("all", truth[path]["condition"])]
        row = condition.ljust(12) + str(sum(len(truth[path]["texts"]) for path in chosen)).rjust(6)
        for answer in answers.values():
            right = sum(sum((collections.Counter(answer[path][0]) & collections.Counter(truth[path]["texts"])).values())
                        for path in chosen)
            times = [answer[path][1] for path in chosen]
            row += f"{right:6} {statistics.median(times):7.2f} {statistics.mean(times):7.2f}"
        print(row)
    for name, answer in answers.items():
        ratios = [function(answers["sightline"][path][1] for path in paths) / function(answer[path][1] for path in paths)
                  for function in (statistics.median, statistics.mean)]
        if name != "sightline":
            print(f"sightline takes {ratios[0]:.2f} times {name}'s median, {ratios[1]:.2f} times its mean")
        wrong = [(path, text) for path in paths for text in answer[path][0] if text not in truth[path]["texts"]]
        print(f"{name}: {len(wrong)} wrong texts" + "".join(f"\n  {path}: {text[:60]}" for path, text in wrong[:10]))


if __name__ == "__main__":
    main()
