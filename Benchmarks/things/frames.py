"""The page's own work per frame with models in true size, in headless Chromium: everything that it does in `requestAnimationFrame` (engine
in WebAssembly, labels, radar, matrices, calls to WebGL) while the phone turns slowly.

    python3 Benchmarks/things/frames.py [--models 200] [--triangles 5000] [--files 20] [--seconds 12] [--all-triangles]

About a tenth of the models are before the camera. What the graphics card does comes on top and is not measured: headless Chromium draws with
the processor (SwiftShader), which says nothing about a phone, and with 100,000 triangles a frame takes the cores from the page whose work is
measured. So every call to WebGL is made, but a call that draws gets one triangle of its model (`--all-triangles` leaves them all).
Goal: 4 ms in the median; it exits with 1 when it is missed. The same world with labels alone is measured in the same run. Needs the server and
the WebAssembly files (see Tests/Browser/conftest.py), Playwright and Chromium.
"""
import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))

from playwright.sync_api import sync_playwright  # noqa: E402

from conftest import chromium  # noqa: E402
from support.ball import ball  # noqa: E402
from support.foreign import Answer, ForeignServer  # noqa: E402
from support.phone import Phone  # noqa: E402
from support.sightline import Sightline  # noqa: E402
from support.worlds import EYE, towards  # noqa: E402

GOAL = 4.0

# What runs in the callbacks of one frame, summed up.
TIMING = """(() => {
  const asked = window.requestAnimationFrame.bind(window);
  window.ownWork = [];
  let stamp = -1;
  window.requestAnimationFrame = (run) => asked((now) => {
    const begin = performance.now();
    run(now);
    const spent = performance.now() - begin;
    if (now === stamp) window.ownWork[window.ownWork.length - 1] += spent;
    else { window.ownWork.push(spent); stamp = now; }
  });
})()"""

# Draws one triangle instead of all; counts the calls.
ONE_TRIANGLE = """(() => {
  window.drawCalls = 0;
  const draw = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function (mode, count, type, offset) {
    window.drawCalls += 1;
    return draw.call(this, mode, Math.min(count, 3), type, offset);
  };
})()"""


def world(name, options, addresses):
    places = []
    for k in range(options.models):
        # Near ones and far ones by turns, so that the steps of detail by distance count.
        latitude, longitude = towards(EYE, 360 * k / options.models, 15 + 45 * ((k * 37) % options.models) / options.models)[:2]
        properties = {"title": f"Ball {k}"}
        if addresses:
            properties["model"] = {"url": addresses[k % len(addresses)]}
        places.append({"type": "Feature", "id": f"b{k}", "properties": properties, "geometry": {"type": "Point", "coordinates": [longitude, latitude]}})
    return json.dumps({"type": "FeatureCollection", "name": name, "features": places})


def measure(browser, server, address, options, has_models):
    phone = Phone(browser, server, scale=1)
    try:
        phone.page.add_init_script(TIMING)
        if not options.all_triangles:
            phone.page.add_init_script(ONE_TRIANGLE)
        phone.open_foreign(address)
        phone.point(0)
        phone.start()
        phone.wait("window.sightline.session.content?.places.length > 0")
        seconds = 0.0
        # Once round, so that every file has come into view and was read.
        rounds = [("round", 4 * options.seconds), ("measured", options.seconds)] if has_models else [("measured", options.seconds)]
        drawn = []
        for name, duration in rounds:
            phone.page.evaluate("window.ownWork.length = 0")
            begin = phone.page.evaluate("performance.now()")
            while (seconds := (phone.page.evaluate("performance.now()") - begin) / 1000) < duration:
                phone.point(360 * seconds / duration)
                if has_models:
                    drawn.append((phone.state().get("things") or {"drawn": 0})["drawn"])
        work = sorted(phone.page.evaluate("window.ownWork"))
        state = phone.state()["things"] if has_models else None
        return {"frames": len(work), "median_ms": round(work[len(work) // 2], 2), "p95_ms": round(work[int(len(work) * 0.95)], 2),
                "drawn": sorted(drawn)[len(drawn) // 2] if drawn else 0, "files": state and {k: state[k] for k in ("ready", "failed", "loading")}}
    finally:
        phone.close()


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--models", type=int, default=200)
    options.add_argument("--triangles", type=int, default=5000)
    options.add_argument("--files", type=int, default=20)
    options.add_argument("--seconds", type=float, default=12)
    options.add_argument("--all-triangles", action="store_true")
    options = options.parse_args()
    foreign = ForeignServer()
    server = Sightline(tempfile.mkdtemp(), foreign.port).start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(is_whole=True), args=["--no-sandbox", "--use-fake-ui-for-media-stream"])
            files = [ball(options.triangles, 0.8 + 0.02 * k) for k in range(options.files)]
            addresses = [foreign.serve(f"/ball-{k}.glb", Answer(data)) for k, (data, _) in enumerate(files)]
            found = {
                "models": options.models, "triangles": files[0][1],
                "labels_alone": measure(browser, server, foreign.serve("/labels.geojson", world("Labels", options, [])), options, False),
                "with_models": measure(browser, server, foreign.serve("/balls.geojson", world("Balls", options, addresses)), options, True),
            }
            print(json.dumps(found))
            browser.close()
    finally:
        server.stop()
        foreign.close()
    sys.exit(found["with_models"]["median_ms"] > GOAL)


if __name__ == "__main__":
    main()
