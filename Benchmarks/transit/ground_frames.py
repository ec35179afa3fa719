"""Time per frame of the ground map in headless Chromium: the client's own work (engine in WebAssembly, labels, table of
instances, calls to WebGL) in `requestAnimationFrame`, while the phone turns and tilts for some seconds.

    python3 Benchmarks/transit/ground_frames.py [--pins 200] [--vehicles 100] [--seconds 10]

The budget of a frame at 60 a second is 16.7 ms. What the graphics card does comes on top and is not measured: headless
Chromium draws with the processor (SwiftShader), which says nothing about a phone. Needs the server and the WebAssembly file
(see Tests/Browser/conftest.py), Playwright and Chromium.
"""
import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

from playwright.sync_api import sync_playwright  # noqa: E402

from conftest import chromium  # noqa: E402
from support.foreign import ForeignServer  # noqa: E402
from support.phone import Phone  # noqa: E402
from support.sightline import Sightline  # noqa: E402
from support.transit import HERE, MockTransit, line, stop, vehicle  # noqa: E402

TURN = """(seconds) => new Promise((done) => {
  const begin = performance.now(), intervals = [], times = [];
  let last = begin, count = -1;
  const step = (now) => {
    const s = (now - begin) / 1000;
    history.replaceState(null, '', location.hash.replace(/heading=[^&]*&pitch=[^&]*/,
      `heading=${(s * 36 % 360).toFixed(2)}&pitch=${(-25 - 25 * Math.sin(s)).toFixed(2)}`));
    dispatchEvent(new HashChangeEvent('hashchange'));
    const frames = window.sightline.state().transit.frames;
    if (frames.count !== count) { count = frames.count; intervals.push(now - last); last = now; }
    if (s < seconds) requestAnimationFrame(step);
    else done({ frames: window.sightline.state().transit.frames, intervals });
  };
  requestAnimationFrame(step);
})"""


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--pins", type=int, default=200)
    options.add_argument("--vehicles", type=int, default=100)
    options.add_argument("--seconds", type=float, default=10)
    options = options.parse_args()
    foreign = ForeignServer()
    server = Sightline(tempfile.mkdtemp(), foreign.port).start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(is_whole=True), args=["--no-sandbox"])
            phone = Phone(browser, server, position=HERE, scale=1)
            mock = MockTransit(phone.page)
            lines = [line(str(k), "tram" if k % 2 else "bus", "%06X" % (0x3050A0 + 977 * k), "FFFFFF") for k in range(24)]
            mock.stops = [stop(f"p{k}", f"Stop number {k}", (k * 37 % 200 - 100) * 5, (k * 53 % 200 - 100) * 5, lines[k % 20:k % 20 + 3])
                          for k in range(options.pins)]
            mock.vehicles = [vehicle(str(k), lines[k % 24], (k * 61 % 100 - 50) * 9, (k * 17 % 100 - 50) * 9, k * 7.0)
                             for k in range(options.vehicles)]
            phone.page.route("**/api/v1/transit/stops", lambda route: route.fulfill(
                json=mock._stops({**route.request.post_data_json, "limit": options.pins})))
            phone.open(f"/transit?virtual=1&lat={HERE[0]}&lon={HERE[1]}&heading=0&pitch=-20")
            phone.wait_ready()
            found = phone.page.evaluate(TURN, options.seconds)
            intervals = sorted(found["intervals"][1:])
            print(json.dumps({
                "pins": options.pins, "vehicles": options.vehicles, "frames": found["frames"]["count"],
                "ours_ms": {name: round(found["frames"][name], 2) for name in ("median", "p95", "worst")},
                "between_frames_ms": {"median": round(intervals[len(intervals) // 2], 1)}}))
            browser.close()
    finally:
        server.stop()
        foreign.close()


if __name__ == "__main__":
    main()
