"""Addresses, from the field on the page through the server to a service of the operator's and back."""
import http.server
import json
import threading
import urllib.parse

import pytest
from support.sightline import Sightline
from support.studio import author, desk, new_world  # noqa: F401 - fixtures
from test_search_field import center


@pytest.fixture(scope="session")
def photon():
    """A service of addresses as Photon is one: GeoJSON on a free loopback port; what it was asked is on record."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802 - the name that the library wants
            parts = urllib.parse.urlsplit(self.path)
            asked.append((parts.path, dict(urllib.parse.parse_qsl(parts.query))))
            places = [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.7, 48.9]},
                       "properties": {"name": "Lange Gasse 7", "city": "Donauwörth", "country": "Germany"}}]
            data = json.dumps({"type": "FeatureCollection", "features": places if "Lange" in parts.query else []}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments):
            pass

    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    yield service.server_address[1], asked
    service.shutdown()
    service.server_close()


@pytest.fixture(scope="session")
def server(foreign, tmp_path_factory, photon):
    """A server whose operator has named that service. (For this file alone: the other tests' server has none.)"""
    one = Sightline(tmp_path_factory.mktemp("geocoded"), foreign.port, more=("--geocoder", f"http://127.0.0.1:{photon[0]}/api")).start()
    yield one
    one.stop()


@pytest.mark.parametrize("tool, ready, field", [("studio", "#studio-editor", "#studio-search"), ("tours", "#tours-designer", "#tours-search")])
def test_an_address_is_found_and_the_map_goes_there(desk, photon, tool, ready, field):  # noqa: F811
    _, asked = photon
    asked.clear()
    phone = desk()
    page = phone.page
    if tool == "studio":
        new_world(phone, "Addresses")
    else:
        page.goto(phone.server.url + "/#/tours")
        page.locator("#tours-new").click()
    page.wait_for_selector(ready)
    words = page.locator(field)
    # Another house for each tool: what was found is kept, and not asked for again.
    words.fill(f"Lange Gasse 7 {tool}")
    page.locator(".search-choice[data-kind=ask]").wait_for()
    assert asked == [], "typing alone asks nobody"
    words.press("Enter")
    found = page.locator(".search-choice[data-kind=address]")
    found.wait_for()
    assert found.inner_text() == "Lange Gasse 7\nDonauwörth, Germany"
    path, query = asked[0]
    assert len(asked) == 1 and path == "/api" and query["q"] == f"Lange Gasse 7 {tool}" and query["lang"] == "en", asked
    found.click()
    phone.wait("() => document.querySelector('.map-found')")
    # Where the map's middle is now, by the address that it keeps or tells.
    state = phone.state()
    if tool == "tours":
        assert abs(state["map"]["latitude"] - 48.9) < 1e-4 and abs(state["map"]["longitude"] - 10.7) < 1e-4 and state["map"]["zoom"] >= 17, state
    else:
        middle = page.evaluate("JSON.parse(localStorage.getItem('sightline.studio.view'))")
        assert abs(middle["latitude"] - 48.9) < 1e-4 and abs(middle["longitude"] - 10.7) < 1e-4 and middle["zoom"] >= 17, middle
    mark = center(phone)
    assert abs(mark["dx"]) < 2 and abs(mark["dy"]) < 2


def test_what_is_nowhere_is_said_and_not_asked_for_again(desk, photon):  # noqa: F811
    _, asked = photon
    phone = desk()
    page = phone.page
    new_world(phone, "Nowhere")
    for questions in (1, 0):
        asked.clear()
        page.locator("#studio-search").fill("Nowhere Street 5")
        page.locator(".search-choice[data-kind=ask]").click()
        page.locator(".search-note", has_text="Nothing").wait_for()
        assert page.locator(".search-choice[data-kind=address]").count() == 0
        assert len(asked) == questions, "the second time the server knows"
        page.reload()
        page.wait_for_selector("#studio-editor")
