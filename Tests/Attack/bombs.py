"""Documents, feeds and files that are small and ask for much."""
import io
import json
import struct
import zipfile
import zlib


def arml_placeholders():
    body = "$[description]" * 200
    label = "$[name]" * 400
    return ('<arml xmlns="http://www.opengis.net/arml/2.0"><ARElements><Feature id="f"><name>' + body +
            "</name><description>" + "x" * 100_000 + "</description><anchors><Geometry><assets><Label><src>" + label +
            "</src></Label></assets><Point><pos>48 10</pos></Point></Geometry></anchors></Feature></ARElements></arml>")


def arml_description():
    return ('<arml xmlns="http://www.opengis.net/arml/2.0"><ARElements><Feature id="f"><name>n</name><description>' +
            "x" * 1_000_000 + "</description><anchors><Geometry><assets><Label><src>" + "$[description]" * 20_000 +
            "</src></Label></assets><Point><pos>48 10</pos></Point></Geometry></anchors></Feature></ARElements></arml>")


def arml_references():
    line = " ".join("48.0001 10.0001" for _ in range(62_000))
    references = '<anchorRef href="#g"/>' * 10_000
    return ('<arml xmlns="http://www.opengis.net/arml/2.0"><ARElements><Geometry id="g"><LineString><posList>' + line +
            '</posList></LineString></Geometry><Feature id="f"><name>n</name><anchors>' + references +
            "</anchors></Feature></ARElements></arml>")


def arml_paths():
    name = "a" * 4_000_000
    return f"<arml><{name}>" + "<b/>" * 190_000 + f"</{name}></arml>"


def kml_tags():
    tags = ",".join("t%d" % number for number in range(500_000))
    places = "<Placemark><ar:provider>p</ar:provider></Placemark>" * 10_000
    return ('<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:ar="http://www.openarml.org/arml/1.0"><Document>'
            '<ar:provider id="p"><ar:name>p</ar:name><ar:tags>' + tags + "</ar:tags></ar:provider>" + places +
            "</Document></kml>")


def kml_folder():
    return ('<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>' + "n" * 1_000_000 + "</name>" +
            "<Placemark><Point><coordinates>10,48</coordinates></Point></Placemark>" * 10_000 +
            "</Folder></Document></kml>")


def json_members():
    return '{"type":"FeatureCollection","features":[],"' + "p" * 4_000_000 + '":{' + ",".join(['"a":0'] * 200_000) + "}}"


def json_levels():
    text = "".join('{"%s":' % ("%c" % (97 + level % 26) * 100_000) for level in range(40))
    return text + "{" + ",".join(['"a":0'] * 100_000) + "}" + "}" * 40


def overpass_tags(count=400_000):
    return json.dumps({"elements": [{"type": "node", "id": 1, "lat": 1, "lon": 1,
                                     "tags": {"k%d" % number: "v" for number in range(count)}}]})


def geojson_holes(count=40_000):
    ring = [[10, 48], [10.1, 48], [10.1, 48.1], [10, 48]]
    return json.dumps({"type": "Feature", "properties": {}, "geometry": {"type": "Polygon",
                                                                         "coordinates": [ring] * (count + 1)}},
                      separators=(",", ":"))


def geojson_polygons(count=30_000):
    ring = [[10, 48], [10.1, 48], [10.1, 48.1], [10, 48]]
    return json.dumps({"type": "Feature", "properties": {}, "geometry": {"type": "MultiPolygon",
                                                                         "coordinates": [[ring]] * count}},
                      separators=(",", ":"))


def geojson_places(count=60_000):
    return '{"type":"FeatureCollection","features":[' + ",".join(
        '{"type":"Feature","properties":{"name":"p%d"},"geometry":{"type":"Point","coordinates":[10.%05d,48]}}' % (n, n)
        for n in range(count)) + "]}"


def geojson_digits():
    number = "1" * 400_000
    features = ",".join('{"type":"Feature","properties":{"n":%s},"geometry":{"type":"Point","coordinates":[%s,%s]}}' %
                        (number, x, y) for x, y in [("10." + "0" * 400_000, "48"), (number, "1"), ("1e99999999999", "-" + number)])
    return '{"type":"FeatureCollection","features":[' + features + "]}"


def gddf_numbers():
    return ("<dimension><name>n</name><radarrange>" + "9" * 500 + "</radarrange><feature><name>x</name><latitude>" + "1" * 400 +
            "</latitude><longitude>1e400</longitude><altitude>-" + "9" * 300 + "</altitude></feature></dimension>")


def deep(count=200_000):
    return "<a>" * count


def deep_json(count=500_000):
    return "[" * count


DOCUMENTS = {
    "H1a.arml": arml_placeholders, "H1a-2.arml": arml_description, "H1b.arml": arml_references, "H1c.kml": kml_tags,
    "H1d.kml": kml_folder, "H1e.json": json_members, "H1e-2.json": json_levels, "H1e.arml": arml_paths,
    "H2.json": overpass_tags, "N3.geojson": geojson_holes, "N3-2.geojson": geojson_polygons, "N3-3.geojson": geojson_places,
    "digits.geojson": geojson_digits, "numbers.gddf": gddf_numbers, "deep.arml": deep, "deep.json": deep_json,
}


# Public transport

def feed(stops, trips=1, frequencies=()):
    """A small GTFS feed; `stops` are rows of stop_id, location_type, parent_station."""
    files = {
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Helsinki\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,0\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                        "s,1,1,1,1,1,1,1,20220101,20400101\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" +
                     "".join(f"{name},{name},60.17,24.94,{kind},{parent}\n" for name, kind, parent in stops),
        "trips.txt": "route_id,service_id,trip_id\n" + "".join(f"r,s,t{number}\n" for number in range(trips)),
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
                          "".join(f"t{n},08:00:00,08:00:00,S1,1\nt{n},08:10:00,08:10:00,S2,2\n" for n in range(trips)),
    }
    if frequencies:
        files["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs,exact_times\n" + "".join(frequencies)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


STOPS = [("S1", 0, ""), ("S2", 0, "")]


def cycle():
    """H5: entrances and nodes that are each other's parents."""
    return feed(STOPS + [("A", 2, "B"), ("B", 2, "A"), ("C", 3, "D"), ("D", 3, "E"), ("E", 2, "C"), ("F", 3, "A")])


def rush():
    """N2: a departure each second for four days, again and again."""
    return feed(STOPS, frequencies=["t0,00:00:00,99:00:00,1,1\n"] * 2500)


def varint(value):
    value &= (1 << 64) - 1
    text = b""
    while True:
        text += bytes([value & 0x7F | (0x80 if value > 0x7F else 0)])
        value >>= 7
        if not value:
            return text


def field(number, content):
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


EXTREMES = [-(1 << 63), (1 << 63) - 1, 1 << 40, -1, (1 << 53)]


def realtime(time):
    """H4: a message all of whose times are extreme."""
    header = field(1, field(1, "2.0") + field(3, time))
    calls = b"".join(field(2, field(1, number) + field(4, "S1") + field(2, field(1, time) + field(2, time)) +
                           field(3, field(1, time) + field(2, time))) for number in (1, 2))
    update = field(2, field(1, "u") + field(3, field(1, field(1, "t0")) + calls + field(4, time)))
    position = field(2, struct.pack("<BfBf", 0x0D, 60.17, 0x15, 24.94))
    vehicle = field(2, field(1, "v") + field(4, field(1, field(1, "t0")) + position + field(5, time) + field(8, field(1, "v"))))
    alert = field(2, field(1, "a") + field(5, field(1, field(1, time) + field(2, time)) + field(5, field(1, "a")) +
                                           field(10, field(1, field(1, "text")))))
    return header + update + vehicle + alert


# Recordings

def chunk(kind, time, payload=b""):
    head = struct.pack("<IHHdI", len(payload), kind, 0, time, zlib.crc32(payload))
    return head + struct.pack("<I", zlib.crc32(head)) + payload


def recording(times):
    """N4, N5: a session whose clock leaps."""
    data = b"\x89SLR\r\n\x1a\n" + chunk(1, 0.0, struct.pack("<HH", 1, 0))
    data += chunk(32, 0.0, struct.pack("<ddi", 390, 844, 0))
    data += chunk(33, 0.0, struct.pack("<6di", 1280, 720, 1000, 1000, 640, 360, 0))
    for time in times:
        data += chunk(16, time, struct.pack("<4dB", 1, 0, 0, 0, 0)) + chunk(96, time)
    return data + chunk(2, times[-1], struct.pack("<Q", 3 + 2 * len(times)))


# Models

def glb_images(images=5000, size=5_000_000):
    """M8: a buffer in the text of the model, and many pictures of it."""
    import base64
    text = json.dumps({
        "asset": {"version": "2.0"}, "buffers": [{"byteLength": size, "uri": "data:application/octet-stream;base64," +
                                                  base64.b64encode(bytes(size)).decode()}],
        "bufferViews": [{"buffer": 0, "byteLength": size}],
        "images": [{"bufferView": 0, "mimeType": "image/png"}] * images,
        "scenes": [{"nodes": []}], "scene": 0}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<III", 0x46546C67, 2, 20 + len(text)) + struct.pack("<II", len(text), 0x4E4F534A) + text
