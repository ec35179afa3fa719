"""Worlds that the tests put around a phone."""
import json
import math

from support import geoid, geometry
from support.foreign import gddf, place

EYE = (48.4, 10.0, 480.0)


def towards(eye, azimuth, distance, up=0.0):
    """The position at a true azimuth (degrees clockwise from north), that many metres along the plane, and up."""
    a = math.radians(azimuth)
    return geometry.place_at(eye, distance * math.sin(a), distance * math.cos(a), up)


def level(eye, azimuth, distance):
    """As `towards`, for worlds with `relative=True`: as high as the phone, wherever that is."""
    latitude, longitude, _ = towards(eye, azimuth, distance)
    return (latitude, longitude, 0.0)


def ring(eye=EYE, name="Ring", distance=400.0, count=8, **options):
    """`count` places around the eye at eye level, the first in the north: p0, p1, …"""
    places = [place(f"p{i}", f"Place {i}", *level(eye, 360 * i / count, distance)) for i in range(count)]
    return gddf(name, places, relative=True, **options)


def geojson(name, features):
    """GeoJSON points: (id, title, category, position), with heights over the sea; GeoJSON counts from the ellipsoid (RFC 7946)."""
    return json.dumps({"type": "FeatureCollection", "name": name, "features": [
        {"type": "Feature", "id": id, "properties": {"title": title, "category": category},
         "geometry": {"type": "Point", "coordinates": [
             position[1], position[0], position[2] + geoid.height(position[0], position[1])]}}
        for id, title, category, position in features]})
