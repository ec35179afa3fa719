"""A world with a line and an area."""
import json

from support.worlds import EYE, level


def corner(azimuth, metres):
    position = level(EYE, azimuth, metres)
    return [position[1], position[0]]


def paths(north):
    """A red line across the view ahead, and a blue square behind it; directions from true north."""
    line = [corner(north - 60, 30), corner(north, 15), corner(north + 60, 30)]
    square = [corner(north + 45 + 90 * k, 200) for k in range(4)]
    return json.dumps({"type": "FeatureCollection", "name": "Paths", "features": [
        {"type": "Feature", "id": "way", "properties": {"title": "Way", "stroke": "#ff0000", "stroke-opacity": 1, "stroke-width": 8},
         "geometry": {"type": "LineString", "coordinates": line}},
        {"type": "Feature", "id": "park", "properties": {"title": "Park", "fill": "#0000ff", "fill-opacity": 1, "stroke-width": 0},
         "geometry": {"type": "Polygon", "coordinates": [square + square[:1]]}}]})
