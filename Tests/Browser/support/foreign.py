"""A server of foreign worlds: what it answers is a function in the test, what it was asked is on record."""
import http.server
import threading
import urllib.parse
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

GDDF = "application/gamaray-gddf; charset=utf-8"


@dataclass
class Request:
    """One request that came in."""
    method: str
    path: str
    query: dict
    fields: dict
    headers: dict


@dataclass
class Answer:
    """What goes back."""
    body: object = b""
    status: int = 200
    headers: dict = field(default_factory=dict)


class ForeignServer:
    """HTTP on a free loopback port. `serve(path, answer)`: an answer is GDDF text, an `Answer`, or a function from the
    request to either."""

    def __init__(self):
        self.routes, self.requests, self.lock = {}, [], threading.Lock()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length).decode()
                parts = urllib.parse.urlsplit(self.path)
                request = Request(self.command, parts.path, dict(urllib.parse.parse_qsl(parts.query)),
                                  dict(urllib.parse.parse_qsl(body, keep_blank_values=True)), {name.lower(): value for name, value in self.headers.items()})
                with owner.lock:
                    owner.requests.append(request)
                    answer = owner.routes.get(parts.path, Answer(b"nothing here", 404))
                if callable(answer):
                    answer = answer(request)
                if not isinstance(answer, Answer):
                    answer = Answer(answer)
                data = answer.body.encode() if isinstance(answer.body, str) else answer.body
                self.send_response(answer.status)
                self.send_header("content-type", GDDF)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = handle_any

            def log_message(self, *arguments):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def serve(self, path, answer):
        with self.lock:
            self.routes[path] = answer
        return self.address(path)

    def address(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def asked(self, path):
        """The requests for a path so far."""
        with self.lock:
            return [request for request in self.requests if request.path == path]

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def place(id, text, latitude, longitude, altitude=0.0, press=None, asset=None, focus=None):
    """A feature: a text, or a picture when `asset` names one."""
    kind, content = ("featureImg", f"<assetId>{asset}</assetId>") if asset else (
        "featureTxt", f"<text>{escape(text)}</text>")
    return (f"<{kind} id={quoteattr(id)}><location><lat>{latitude:.9f}</lat><lon>{longitude:.9f}</lon>"
            f"<alt>{altitude:.4f}</alt></location><anchor>BC</anchor><showInRadar>true</showInRadar>{content}"
            + (f"<onPress>{escape(press)}</onPress>" if press else "")
            + (f"<showOnFocus>{focus}</showOnFocus>" if focus else "") + f"</{kind}>")


def overlay(id, text, x, y, anchor="TL", press=None, width=0, hidden=False):
    """A text on the screen."""
    return (f"<overlayTxt id={quoteattr(id)}><x>{x}</x><y>{y}</y><anchor>{anchor}</anchor><width>{width}</width>"
            f"<text>{escape(text)}</text>" + (f"<onPress>{escape(press)}</onPress>" if press else "")
            + ("<hidden>true</hidden>" if hidden else "") + "</overlayTxt>")


def page_overlay(id, url, x, y, width, height, anchor="TL", hidden=False):
    """A page of another website on the screen."""
    return (f"<overlayHtml id={quoteattr(id)}><x>{x}</x><y>{y}</y><anchor>{anchor}</anchor><width>{width}</width>"
            f"<height>{height}</height><url>{escape(url)}</url>" + ("<hidden>true</hidden>" if hidden else "") + "</overlayHtml>")


def gddf(name, features=(), overlays=(), refresh=None, every_ms=None, within=None, relative=False, radar=None, assets=()):
    """A dimension."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', '<dimension version="1.0">', f"<name>{escape(name)}</name>"]
    if radar:
        parts.append(f"<radarRange>{radar}</radarRange>")
    parts.append(f"<relativeAltitude>{str(relative).lower()}</relativeAltitude>")
    if refresh:
        parts.append(f"<refreshUrl>{escape(refresh)}</refreshUrl>")
    if every_ms:
        parts.append(f"<refreshTime><validFor>{every_ms}</validFor><waitForAssets>false</waitForAssets></refreshTime>")
    if within:
        parts.append(f"<refreshDistance><validWithinRange>{within}</validWithinRange></refreshDistance>")
    parts.append("<assets>" + "".join(
        f"<asset id={quoteattr(id)}><url>{escape(url)}</url><format>PNG</format></asset>" for id, url in assets)
        + "</assets>")
    parts.append("<features>" + "".join(features) + "</features>")
    parts.append("<overlays>" + "".join(overlays) + "</overlays></dimension>")
    return "\n".join(parts)
