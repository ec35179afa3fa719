"""The two GDDF browsers of 2010 as programs: each reads a document by its own rules, and plays with it.

The rules are those of the published sources (Objective-C client of Finalist for the iPhone; Gamaray 1.0.11 for Android),
as far as they matter for what a server sends: what is required, what is default, what refuses an element or the whole
document, how white space counts, and how an action is understood. Both readers here are written for these tests alone
and share nothing with each other or with Sightline's own reader.
"""
import http.client
import re
import urllib.parse
import xml.etree.ElementTree as ElementTree

ANCHORS = {"TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"}


class Unreadable(Exception):
    """The client refuses the whole document."""


class Document(dict):
    """What a client makes of a document, in one form for both: name, refresh, features, overlays, assets used."""


# ---- iPhone ----------------------------------------------------------------------------------------------------------

def read_iphone(data):
    """Skips bad elements, keeps the rest; values are trimmed, the last of several counts, offsets and numbers lenient."""
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Unreadable(str(error)) from None
    if root.tag != "dimension":
        raise Unreadable("no dimension")

    def text(parent, name, default=None):
        found = [child for child in parent if child.tag == name and len(child) == 0]
        return (found[-1].text or "").strip() if found else default

    def number(parent, name, default=None):
        value = text(parent, name)
        if value is None:
            return default
        match = re.match(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", value)
        return float(match.group()) if match else 0.0

    def flag(parent, name, default):
        return {"true": True, "false": False}.get((text(parent, name) or "").lower(), default)

    def url(value):
        if not value or re.search(r"[^!-~]|[\"<>\\^`{|}]", value) or not re.match(r"[a-zA-Z][\w+.-]*:", value):
            return None
        return value

    def action(parent):
        value = text(parent, "onPress")
        if value is None:
            return None
        keyword, _, rest = value.partition(":")
        if keyword == "refresh":
            return ("refresh", None)
        address = url(rest.strip(" \t"))
        return (keyword, address) if keyword in ("webpage", "dimension") and address else None

    def anchor(parent):
        value = (text(parent, "anchor") or "").upper()
        return value if value in ANCHORS else "BC"

    def location(parent):
        found = None
        for child in parent:
            if child.tag == "location":
                lat, lon = number(child, "lat"), number(child, "lon")
                valid = lat is not None and lon is not None and abs(lat) <= 90 and abs(lon) <= 180
                found = (lat, lon, number(child, "alt", 0.0)) if valid else None
        return found

    locations = {child.get("id"): location_of for group in root.findall("locations") for child in group
                 if (location_of := location([child])) and child.get("id")}
    assets = {}
    for group in root.findall("assets"):
        for child in group:
            address = url(text(child, "url"))
            if child.tag == "asset" and child.get("id") and address:
                assets[child.get("id")] = address
    features, overlays = [], []
    for group in root.findall("features"):
        for child in group:
            place = location(child) or locations.get(text(child, "locationId"))
            visual = visual_of(child, "feature", lambda name: text(child, name), assets)
            if place is None or visual is None:
                continue
            features.append({"id": child.get("id"), "visual": visual, "location": place, "anchor": anchor(child),
                             "east": number(child, "xLoc", 0.0), "action": action(child),
                             "radar": flag(child, "showInRadar", True)})
    for group in root.findall("overlays"):
        for child in group:
            x, y = number(child, "x"), number(child, "y")
            visual = visual_of(child, "overlay", lambda name: text(child, name), assets)
            width = number(child, "width") if child.tag == "overlayTxt" else 0.0
            if x is None or y is None or visual is None or width is None or width < 0:
                continue
            overlays.append({"id": child.get("id"), "x": x, "y": y, "width": width, "visual": visual,
                             "anchor": anchor(child), "action": action(child)})
    refresh = root.findall("refreshTime")
    distance = root.findall("refreshDistance")
    address = url(text(root, "refreshUrl"))
    radar = number(root, "radarRange", 1000.0)
    return Document(name=text(root, "name"), radar=radar if radar > 0 else 1000.0,
                    relative=flag(root, "relativeAltitude", False), refresh=address,
                    seconds=number(refresh[-1], "validFor", 0.0) / 1000 if refresh else 0.0,
                    metres=number(distance[-1], "validWithinRange", 0.0) if distance else 0.0,
                    features=features, overlays=overlays, assets=assets)


# ---- Gamaray ---------------------------------------------------------------------------------------------------------

def read_gamaray(data):
    """One fault refuses the document; values are taken with their white space, the first of several counts."""
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Unreadable(str(error)) from None
    if root.tag != "dimension" or root.get("version") != "1.0":
        raise Unreadable("no dimension of version 1.0")
    ids = set()
    count = [0]

    def own(element):
        """The element's own character data, None when there is none."""
        value = (element.text or "") + "".join(child.tail or "" for child in element)
        return value or None

    def text(parent, name, default=None):
        child = parent.find(name)
        value = own(child) if child is not None else None
        return default if value is None else value

    def real(parent, name, default):
        child = parent.find(name)
        if child is None:
            return default
        try:
            return float((own(child) or "").strip(" \t\r\n"))
        except ValueError:
            raise Unreadable(f"{name} is no number") from None

    def whole(parent, name, default):
        child = parent.find(name)
        if child is None:
            return default
        if not re.fullmatch(r"[+-]?\d+", own(child) or ""):
            raise Unreadable(f"{name} is no integer")
        return int(own(child))

    def flag(parent, name, default):
        child = parent.find(name)
        return default if child is None else (own(child) or "").lower() == "true"

    def identifier(element):
        value = element.get("id")
        if value is None:
            value, count[0] = f"AUTO_ID_{count[0]}", count[0] + 1
        if value in ids:
            raise Unreadable(f"two of {value}")
        ids.add(value)
        return value

    def action(parent):
        value = text(parent, "onPress")
        if value is None:
            return None
        for keyword in ("refresh", "webpage", "dimension"):
            if value.startswith(keyword):
                return (keyword, None if keyword == "refresh" else value.partition(":")[2].strip())
        return None

    def anchor(parent, default):
        value = text(parent, "anchor", default)
        return value if value in ANCHORS else "BC"

    def location(element):
        return (real(element, "lat", 0.0), real(element, "lon", 0.0), real(element, "alt", 0.0))

    def children(name):
        group = root.find(name)
        return [] if group is None else list(group)

    locations = {identifier(child): location(child) for child in children("locations") if child.tag == "location"}
    assets = {}
    for child in children("assets"):
        if child.tag != "asset":
            continue
        if text(child, "format") not in ("PNG", "JPG", "GAMA3D"):
            raise Unreadable("an asset without a format")
        if not re.match(r"(http|https|gamaray)://", text(child, "url", "")):
            raise Unreadable("an asset without an address")
        assets[identifier(child)] = text(child, "url")
    features, overlays = [], []
    for child in children("features"):
        if child.tag not in ("featureTxt", "featureImg", "feature3d"):
            continue
        key = identifier(child)
        reference, inline = text(child, "locationId"), child.find("location")
        if reference is not None:
            if reference not in locations:
                raise Unreadable("an unknown location")
            place = locations[reference]
        elif inline is not None:
            identifier(inline)
            place = location(inline)
        else:
            raise Unreadable("a feature without a location")
        visual = visual_of(child, "feature", lambda name: text(child, name), assets)
        if visual is None:
            raise Unreadable("a feature without content")
        features.append({"id": key, "visual": visual, "location": place, "anchor": anchor(child, "BC"),
                         "east": real(child, "xLoc", 0.0), "action": action(child),
                         "radar": flag(child, "showInRadar", child.tag != "featureTxt")})
    for child in children("overlays"):
        if child.tag not in ("overlayTxt", "overlayImg"):
            continue
        key = identifier(child)
        visual = visual_of(child, "overlay", lambda name: text(child, name), assets)
        if visual is None:
            raise Unreadable("an overlay without content")
        overlays.append({"id": key, "x": float(whole(child, "x", 0)), "y": float(whole(child, "y", 0)),
                         "width": float(whole(child, "width", 200)) if child.tag == "overlayTxt" else 0.0,
                         "visual": visual, "anchor": anchor(child, "TL"), "action": action(child)})
    time, distance = root.find("refreshTime"), root.find("refreshDistance")
    if time is not None and flag(time, "waitForAssets", True):
        raise AssertionError("this client would count from its pictures, the other one from the document")
    return Document(name=text(root, "name", "NO_NAME"), radar=real(root, "radarRange", 1000.0),
                    relative=flag(root, "relativeAltitude", False), refresh=text(root, "refreshUrl"),
                    seconds=whole(time, "validFor", 30000) / 1000 if time is not None else 0.0,
                    metres=real(distance, "validWithinRange", 1000.0) if distance is not None else 0.0,
                    features=features, overlays=overlays, assets=assets)


def visual_of(element, kind, text, assets):
    if element.tag == f"{kind}Txt":
        value = text("text")
        return None if value is None else ("text", value)
    if element.tag == f"{kind}Img":
        return ("image", assets.get(text("assetId"))) if text("assetId") in assets else None
    return None


# ---- Playing ---------------------------------------------------------------------------------------------------------

class OldClient:
    """A phone of 2010: asks with its form fields, reads each answer by both clients' rules, and presses things."""

    def __init__(self, url, kind, uid, position):
        parts = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        self.kind, self.uid, self.position = kind, uid, position
        self.document, self.requests = None, 0

    def fields(self, event, source):
        latitude, longitude = self.position
        if self.kind == "iphone":
            # In no order, percent-encoded but for +, with a & at the end; the time is not to be believed.
            pairs = [("lat", f"{latitude:f}"), ("event", event), ("eventSrc", source or "NULL"), ("lon", f"{longitude:f}"),
                     ("alt", "12.000000"), ("bearing", "-90.000000"), ("pitch", "0.000000"), ("roll", "1.500000"),
                     ("width", "320"), ("height", "480"), ("uid", self.uid), ("time", "-1234567")]
            return "".join(f"{name}={urllib.parse.quote(value, safe='+')}&" for name, value in pairs)
        pairs = [("event", event), ("eventSrc", source or "NULL"), ("lat", repr(latitude)), ("lon", repr(longitude)),
                 ("alt", "12.0"), ("bearing", "270"), ("pitch", "-3"), ("width", "480"), ("height", "294"), ("uid", self.uid),
                 ("time", "1790000000000")]
        return "&".join(f"{name}={value}" for name, value in pairs)

    def load(self, address, event="init", source=None):
        """One request, as the client makes it."""
        parts = urllib.parse.urlsplit(address.replace("gamaray:", "http:", 1))
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        self.connection.request("POST", path, self.fields(event, source),
                                {"Content-Type": "application/x-www-form-urlencoded"})
        answer = self.connection.getresponse()
        data = answer.read()
        assert answer.status == 200, f"{answer.status}: {data[:300]}"
        assert answer.headers["Content-Type"].startswith("application/gamaray-gddf")
        self.requests += 1
        iphone, gamaray = read_iphone(data), read_gamaray(data)
        assert iphone == gamaray, f"the two clients see different worlds:\n{iphone}\n{gamaray}\n{data.decode()}"
        self.document = iphone
        return iphone

    def refresh(self, event="refreshOnDistance"):
        return self.load(self.document["refresh"], event)

    def walk(self, position):
        self.position = position
        return self.refresh()

    def overlay(self, id):
        return next((overlay for overlay in self.document["overlays"] if overlay["id"] == id), None)

    def press(self, id):
        """What a finger does; Gamaray asks again when it hears nothing, so the same request may come twice."""
        kind, address = self.overlay(id)["action"]
        assert kind == "dimension"
        return self.load(address)

    def texts(self):
        return [overlay["visual"][1] for overlay in self.document["overlays"]]

    def close(self):
        self.connection.close()
