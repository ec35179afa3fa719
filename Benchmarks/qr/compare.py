#!/usr/bin/env python3
"""Reads pictures of QR codes with `sightline qr read`, zxing-cpp, ZBar and OpenCV, and compares what they read.

usage: compare.py FOLDER [--tool .build/release/sightline] [--peers zxing,zbar,opencv]

FOLDER is one of make_pictures.py. For each condition and reader: codes read, and the median of the milliseconds for a
picture, the least of two runs each. Texts that are in no code of their picture are listed: there must be none.
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


def own(tool, folder, names):
    """What `sightline qr read` reads, by file."""
    answers = {}
    for start in range(0, len(names), 100):
        paths = [os.path.join(folder, name) for name in names[start:start + 100]]
        output = subprocess.run([tool, "qr", "read", "--format", "json", "--repeats", "2", *paths],
                                check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            answer = json.loads(line)
            answers[os.path.basename(answer["file"])] = ([code["text"] for code in answer["codes"]], answer["milliseconds"])
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--tool", default=".build/release/sightline")
    parser.add_argument("--peers", default="zxing,zbar,opencv")
    arguments = parser.parse_args()
    with open(os.path.join(arguments.folder, "truth.json")) as file:
        truth = json.load(file)
    names = sorted(truth, key=lambda name: (list(truth).index(name)))
    answers = {"sightline": own(arguments.tool, arguments.folder, names)}
    for peer, read in readers(arguments.peers.split(",")).items():
        answers[peer] = {}
        for name in names:
            image = cv2.imread(os.path.join(arguments.folder, name), cv2.IMREAD_GRAYSCALE)
            least = float("inf")
            for _ in range(2):
                start = time.perf_counter()
                texts = read(image)
                least = min(least, (time.perf_counter() - start) * 1000)
            answers[peer][name] = (texts, least)
    conditions = list(dict.fromkeys(truth[name]["condition"] for name in names))
    print("condition".ljust(12) + "codes".rjust(6) + "".join(peer.rjust(18) for peer in answers))
    for condition in conditions + ["all"]:
        chosen = [name for name in names if condition in ("all", truth[name]["condition"])]
        row = condition.ljust(12) + str(sum(len(truth[name]["texts"]) for name in chosen)).rjust(6)
        for answer in answers.values():
            right = sum(sum((collections.Counter(answer[name][0]) & collections.Counter(truth[name]["texts"])).values())
                        for name in chosen)
            times = [answer[name][1] for name in chosen]
            row += f"{right:6} {statistics.median(times):8.2f} ms"
        print(row)
    for peer, answer in answers.items():
        wrong = [(name, text) for name in names for text in answer[name][0] if text not in truth[name]["texts"]]
        print(f"{peer}: {len(wrong)} wrong texts" + "".join(f"\n  {name}: {text[:60]}" for name, text in wrong[:10]))


if __name__ == "__main__":
    main()
