#!/usr/bin/env python3
"""What other people's pages cost: bytes and time to the first frame of each example, and frames a second with the page's own work, with a
marker, a picture and a place at once. In headless Chromium, by the drawn camera of the browser tests.

    .venv/bin/python Benchmarks/web/embed.py [--runs 3] [--seconds 6]

Bytes are those of the files as they are sent (gzip), without the page's own pictures; the time is from the beginning of the page, which is
already there when the start button is tapped, to the first frame in which the anchor is seen, and with it the time from the tap. The page's
own work is what its thread spends on tasks and scripts, per second and per frame (`Performance.getMetrics`).
"""
import argparse
import base64
import gzip
import json
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from conftest import launch  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from support.phone import Phone  # noqa: E402
from support.walls import marker_cells, pose, script, view  # noqa: E402
from test_embed import CAMERA, FISH, SCREEN, SIDE, SIZE, Site, begin, png, rotation, show  # noqa: E402
from support.marker_pictures import View  # noqa: E402

HERE = (48.3935, 9.9916, None)
# Beside the poster; of it both pose and number are known.
MARKER = {"x": 0.32, "y": 0.0, "width": 0.1, "height": 0.1, "cells": marker_cells(0)}
ALL = """<sightline-view style="position: fixed; inset: 0">
  <sightline-marker dictionary="6x6-250" marker-id="0" size="0.1"><b>marker</b></sightline-marker>
  <sightline-picture src="/examples/poster.png" physical-width="0.3"><b>picture</b></sightline-picture>
  <sightline-place latitude="48.3984" longitude="9.9916" height="20"><b>place</b></sightline-place>
</sightline-view>"""
FIRST = """async (tags) => {
  const { tracker } = document.querySelector('sightline-view');
  const anchors = () => tags.map((tag) => document.querySelector(tag).anchor);
  if (!anchors().every((anchor) => anchor?.isVisible)) {
    await new Promise((done, fail) => {
      tracker.on('frame', () => anchors().every((one) => one?.isVisible) && done());
      setTimeout(() => fail(new Error(`not seen within a minute: ${tags.filter((_, k) => !anchors()[k]?.isVisible)}`)), 60_000);
    });
  }
  const paths = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  return { first: performance.now(), tapped: window.tapped, paths: [...new Set(paths)] };
}"""
COUNT = """async (seconds) => {
  const { tracker } = document.querySelector('sightline-view');
  let [frames, pictures] = [0, 0];
  const off = tracker.on('frame', ({ image }) => { frames += 1; if (image) pictures += 1; });
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  off();
  return { frames: frames / seconds, pictures: pictures / seconds };
}"""
TAP = "addEventListener('click', () => (window.tapped ??= performance.now()), true)"


def visit(browser, site, scripts):
    phone = Phone(browser, site, picture=None, scripts=[TAP, *scripts], screen=SCREEN, scale=1, allowed=[], position=HERE)
    phone.state = lambda: ""
    return phone


def first_frame(browser, site, name, tag, scripts, ready):
    phone = visit(browser, site, scripts)
    try:
        phone.page.goto(f"{site.url}/examples/{name}.html")
        ready(phone)
        begin(phone)
        if tag == "sightline-marker":
            show(phone, "front")
        found = phone.page.evaluate(FIRST, [tag])
        # The example's own picture is not Sightline's.
        sizes = [len(gzip.compress(Site.file(path)[1], 9)) for path in found["paths"] if Site.file(path) and not path.startswith("/examples/")]
        return {"files": len(sizes), "bytes": sum(sizes), "ms": found["first"], "ms from the tap": found["first"] - found["tapped"]}
    finally:
        phone.context.close()


def at_once(browser, site, seconds):
    site.page("/all.html", ALL)
    phone = visit(browser, site, [script([FISH, MARKER])])
    try:
        phone.page.goto(f"{site.url}/all.html")
        pose(phone, view(x=0.1, distance=0.9, turn=10))
        begin(phone)
        # Drawn sensors say something only when they change; a hand never holds still.
        for turn in (1, 0):
            phone.point(turn - phone.declination, 2)
            phone.page.wait_for_timeout(200)
        found = phone.page.evaluate(FIRST, ["sightline-marker", "sightline-picture", "sightline-place"])
        session = phone.context.new_cdp_session(phone.page)
        session.send("Performance.enable")

        def metrics():
            return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        before = metrics()
        rates = phone.page.evaluate(COUNT, seconds)
        after = metrics()
        spent = {name: 1000 * (after[key] - before[key]) / (after["Timestamp"] - before["Timestamp"])
                 for name, key in (("tasks, ms a second", "TaskDuration"), ("scripts, ms a second", "ScriptDuration"))}
        return {"all seen after, ms": found["first"], "frames a second": rates["frames"], "of them with a picture": rates["pictures"], **spent,
                "scripts, ms a frame": spent["scripts, ms a second"] / max(rates["frames"], 1e-9)}
    finally:
        phone.context.close()


def median(rows):
    return {key: round(statistics.median(row[key] for row in rows), 1) for key in rows[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6)
    options = parser.parse_args()
    view_of = View(SIZE, 65, rotation(0, 0, 0), (0.0, 0.0, 0.3), SIDE)
    pictures = {name: base64.b64encode(png(rows)).decode() for name, rows in (("front", view_of.draw()), ("nothing", view_of.blank()))}
    camera = CAMERA.replace("SIZE", json.dumps(SIZE)).replace("PICTURES", json.dumps(pictures))
    north = lambda phone: phone.point(0 - phone.declination, 2)  # noqa: E731
    ahead = lambda phone: pose(phone, view(distance=0.7, turn=15, spin=5))  # noqa: E731
    examples = {"place": ("sightline-place", [camera], north), "marker": ("sightline-marker", [camera], lambda phone: None),
                "model": ("sightline-marker", [camera], lambda phone: None), "picture": ("sightline-picture", [script([FISH])], ahead)}
    site = Site()
    report = {}
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            for name, (tag, scripts, ready) in examples.items():
                report[name] = median([first_frame(browser, site, name, tag, scripts, ready) for _ in range(options.runs)])
                print(name, json.dumps(report[name]), flush=True)
            report["marker, picture and place"] = median([at_once(browser, site, options.seconds) for _ in range(options.runs)])
            print(json.dumps(report, indent=1))
            browser.close()
    finally:
        site.close()


if __name__ == "__main__":
    main()
