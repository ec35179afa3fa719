#!/usr/bin/env python3
"""What a frame of the map costs the page while it is panned, in Chromium without a window: the page's own work (tasks of its main
thread) for each frame that is shown, over the operator's own map and over the plain grid, in one run.

    Benchmarks/ground/panning.py [--seconds 10]      (.venv of ./test, after ./test browser has built everything)
"""
import argparse
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from playwright.sync_api import sync_playwright  # noqa: E402

import conftest  # noqa: E402
from support.foreign import ForeignServer, gddf, place  # noqa: E402
from support.phone import Phone  # noqa: E402
from support.sightline import Sightline  # noqa: E402

AT = (60.1717, 24.9443, 10.0)
WORLD = gddf("Sights", [place("a", "Ateneum", 60.17020, 24.94410), place("b", "National Theatre", 60.17190, 24.94480)])


def measure(browser, server, foreign, seconds, hides_ground):
    phone = Phone(browser, server, position=AT, reduced_motion="reduce")
    try:
        if hides_ground:
            def plain(route):
                answer = route.fetch()
                route.fulfill(response=answer, json={**answer.json(), "ground": None})
            phone.page.route("**/api/v1/settings", plain)
        phone.open_foreign(foreign.serve("/panned.gddf", WORLD))
        phone.point(0.0)
        phone.start()
        phone.page.evaluate("location.hash = location.hash + '&view=map'")
        phone.page.wait_for_selector("#map .leaflet-tile-loaded", state="attached")
        phone.page.wait_for_timeout(1500)
        tools = phone.page.context.new_cdp_session(phone.page)
        tools.send("Performance.enable")
        phone.page.evaluate("window.frames_ = 0; (function count() { window.frames_++; requestAnimationFrame(count); })()")

        def totals():
            values = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
            return values["TaskDuration"], values["ScriptDuration"], phone.page.evaluate("window.frames_")

        box = phone.page.locator("#map-canvas").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before, end, step = totals(), time.monotonic() + seconds, 0
        while time.monotonic() < end:
            dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][step % 4]
            step += 1
            phone.page.mouse.move(x, y)
            phone.page.mouse.down()
            for k in range(1, 13):
                phone.page.mouse.move(x + dx * 10 * k, y + dy * 10 * k)
            phone.page.mouse.up()
        task, script, frames = (after - first for after, first in zip(totals(), before))
        return 1000 * task / frames, 1000 * script / frames, frames
    finally:
        phone.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        foreign = ForeignServer()
        server = Sightline(folder, foreign.port).start()
        browser = conftest.launch(playwright)
        try:
            for name, hides_ground in (("own map", False), ("plain grid", True)):
                task, script, frames = measure(browser, server, foreign, options.seconds, hides_ground)
                print(f"{name}: {task:.1f} ms a frame of all work, {script:.1f} ms of it script, {frames} frames")
        finally:
            browser.close()
            server.stop()
            foreign.close()


if __name__ == "__main__":
    main()
