extension TransitOpenAPI {
  /// The routes, members of `paths`.
  static let paths = #"""
      "/api/v1/transit/stops": {"post": {
       "summary": "Stops nearest to a position",
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StopsQuestion"}}}},
       "responses": {
        "200": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stops"}}}},
        "400": {"$ref": "#/components/responses/Malformed"},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "413": {"$ref": "#/components/responses/TooLarge"},
        "415": {"$ref": "#/components/responses/NoJSON"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/departures": {"post": {
       "summary": "Departures from stops",
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeparturesQuestion"}}}},
       "responses": {
        "200": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stops"}}}},
        "400": {"$ref": "#/components/responses/Malformed"},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "413": {"$ref": "#/components/responses/TooLarge"},
        "415": {"$ref": "#/components/responses/NoJSON"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/stream": {"post": {
       "summary": "Subscribe to departures",
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeparturesQuestion"}}}},
       "responses": {
        "201": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Subscription"}}}},
        "400": {"$ref": "#/components/responses/Malformed"},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "413": {"$ref": "#/components/responses/TooLarge"},
        "415": {"$ref": "#/components/responses/NoJSON"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/stream/{id}": {"get": {
       "summary": "Events of a subscription",
       "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
       "responses": {
        "200": {"description": "Events `board` (data: Stops) and `end`", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
        "404": {"description": "No such subscription", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/vehicles": {"post": {
       "summary": "Vehicles round a position",
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/VehiclesQuestion"}}}},
       "responses": {
        "200": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Vehicles"}}}},
        "400": {"$ref": "#/components/responses/Malformed"},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "413": {"$ref": "#/components/responses/TooLarge"},
        "415": {"$ref": "#/components/responses/NoJSON"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/shapes": {"post": {
       "summary": "Lines round a position as paths",
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ShapesQuestion"}}}},
       "responses": {
        "200": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Shapes"}}}},
        "400": {"$ref": "#/components/responses/Malformed"},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "413": {"$ref": "#/components/responses/TooLarge"},
        "415": {"$ref": "#/components/responses/NoJSON"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/streets": {"post": {
       "summary": "Streets round a position, as paths",
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StreetsQuestion"}}}},
       "responses": {
        "200": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Streets"}}}},
        "400": {"$ref": "#/components/responses/Malformed"},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "413": {"$ref": "#/components/responses/TooLarge"},
        "415": {"$ref": "#/components/responses/NoJSON"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }},
      "/api/v1/transit/providers": {"get": {
       "summary": "Providers and how they are",
       "responses": {
        "200": {"description": "The answer", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Providers"}}}},
        "404": {"$ref": "#/components/responses/NoTimetables"},
        "429": {"$ref": "#/components/responses/TooMany"},
        "503": {"$ref": "#/components/responses/Starting"}
       }
      }}
    """#

  /// Answers that routes have in common, members of `components/responses`.
  static let responses = #"""
      "Malformed": {"description": "The question is malformed", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
      "NoTimetables": {"description": "There are no timetables here", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
      "TooLarge": {"description": "The body is too large", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
      "NoJSON": {"description": "The body is not JSON", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
      "TooMany": {"description": "Too many requests", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
      "Starting": {"description": "The server starts or stops", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    """#

  /// Bodies, members of `components/schemas`.
  static let schemas = #"""
      "Attribution": {"type": "object", "required": ["provider", "text", "url"], "properties": {
       "provider": {"type": "string"},
       "text": {"type": "string"},
       "url": {"type": ["string", "null"]}
      }},
      "Line": {"type": "object", "required": ["id", "name", "mode", "color", "textColor"], "properties": {
       "id": {"type": "string"},
       "name": {"type": "string"},
       "mode": {"type": "string", "enum": ["tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail", "taxi", "other"]},
       "color": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "textColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"}
      }},
      "Departure": {"type": "object", "required": ["line", "lineId", "lineColor", "textColor", "mode", "headsign", "direction", "scheduled", "expected", "delay", "state", "approximate", "platform", "stop", "trip", "tripName", "pickup", "wheelchair", "lowFloor", "alerts"], "properties": {
       "line": {"type": ["string", "null"]},
       "lineId": {"type": ["string", "null"]},
       "lineColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "textColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "mode": {"type": "string", "enum": ["tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail", "taxi", "other"]},
       "headsign": {"type": "string"},
       "direction": {"type": ["integer", "null"]},
       "scheduled": {"type": "string", "format": "date-time"},
       "expected": {"type": ["string", "null"], "format": "date-time"},
       "delay": {"type": ["integer", "null"]},
       "state": {"type": "string", "enum": ["scheduled", "live", "cancelled", "skipped", "added"]},
       "approximate": {"type": "boolean"},
       "platform": {"type": ["string", "null"]},
       "stop": {"type": ["string", "null"]},
       "trip": {"type": ["string", "null"]},
       "tripName": {"type": ["string", "null"]},
       "pickup": {"type": "string", "enum": ["regular", "phone", "driver"]},
       "wheelchair": {"type": ["boolean", "null"]},
       "lowFloor": {"type": ["boolean", "null"]},
       "alerts": {"type": "array", "items": {"type": "string"}}
      }},
      "Interval": {"type": "object", "required": ["line", "lineId", "lineColor", "textColor", "mode", "headsign", "headway", "from", "to"], "properties": {
       "line": {"type": ["string", "null"]},
       "lineId": {"type": ["string", "null"]},
       "lineColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "textColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "mode": {"type": "string", "enum": ["tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail", "taxi", "other"]},
       "headsign": {"type": "string"},
       "headway": {"type": "integer"},
       "from": {"type": "string", "format": "date-time"},
       "to": {"type": "string", "format": "date-time"}
      }},
      "Forecast": {"type": "object", "required": ["state", "source", "updated", "age", "stale", "intervals", "alerts", "departures"], "properties": {
       "state": {"type": "string", "enum": ["live", "scheduled", "stale"]},
       "source": {"type": "string", "enum": ["gtfs", "gtfs-rt", "siri", "json"]},
       "updated": {"type": ["string", "null"], "format": "date-time"},
       "age": {"type": ["integer", "null"]},
       "stale": {"type": "boolean"},
       "intervals": {"type": "array", "items": {"$ref": "#/components/schemas/Interval"}},
       "alerts": {"type": "array", "items": {"type": "string"}},
       "departures": {"type": "array", "items": {"$ref": "#/components/schemas/Departure"}}
      }},
      "Alert": {"type": "object", "required": ["id", "header", "text", "url", "cause", "effect", "severity", "periods", "lines", "stops"], "properties": {
       "id": {"type": "string"},
       "header": {"type": "string"},
       "text": {"type": ["string", "null"]},
       "url": {"type": ["string", "null"]},
       "cause": {"type": ["string", "null"]},
       "effect": {"type": ["string", "null"]},
       "severity": {"type": ["string", "null"]},
       "periods": {"type": "array", "items": {"type": "object", "required": ["from", "to"], "properties": {"from": {"type": ["string", "null"], "format": "date-time"}, "to": {"type": ["string", "null"], "format": "date-time"}}}},
       "lines": {"type": "array", "items": {"type": "string"}},
       "stops": {"type": "array", "items": {"type": "string"}}
      }},
      "Stop": {"type": "object", "required": ["id", "name"], "properties": {
       "id": {"type": "string"},
       "provider": {"type": "string"},
       "name": {"type": ["string", "null"]},
       "code": {"type": ["string", "null"]},
       "platform": {"type": ["string", "null"]},
       "station": {"type": "boolean"},
       "lat": {"type": "number"},
       "lon": {"type": "number"},
       "distance": {"type": "number", "description": "metres"},
       "bearing": {"type": ["number", "null"], "description": "degrees clockwise from north"},
       "wheelchair": {"type": ["boolean", "null"]},
       "modes": {"type": "array", "items": {"type": "string", "enum": ["tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail", "taxi", "other"]}},
       "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
       "reason": {"type": ["string", "null"], "enum": ["timeout", "provider_error", "unavailable", "unknown_stop", "retired_stop", null]},
       "detail": {"type": ["string", "null"]},
       "forecast": {"anyOf": [{"$ref": "#/components/schemas/Forecast"}, {"type": "null"}]}
      }},
      "Stops": {"type": "object", "required": ["now", "partial", "attributions", "alerts", "stops"], "properties": {
       "now": {"type": "string", "format": "date-time"},
       "partial": {"type": "boolean"},
       "attributions": {"type": "array", "items": {"$ref": "#/components/schemas/Attribution"}},
       "alerts": {"type": "array", "items": {"$ref": "#/components/schemas/Alert"}},
       "stops": {"type": "array", "items": {"$ref": "#/components/schemas/Stop"}}
      }},
      "Vehicle": {"type": "object", "required": ["id", "label", "lat", "lon", "bearing", "speed", "line", "lineId", "lineColor", "textColor", "mode", "headsign", "trip", "stop", "status", "occupancy", "updated", "age", "distance"], "properties": {
       "id": {"type": "string"},
       "label": {"type": ["string", "null"]},
       "lat": {"type": "number"},
       "lon": {"type": "number"},
       "bearing": {"type": ["number", "null"]},
       "speed": {"type": ["number", "null"]},
       "line": {"type": ["string", "null"]},
       "lineId": {"type": ["string", "null"]},
       "lineColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "textColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"},
       "mode": {"type": "string", "enum": ["tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail", "taxi", "other"]},
       "headsign": {"type": ["string", "null"]},
       "trip": {"type": ["string", "null"]},
       "stop": {"type": ["string", "null"]},
       "status": {"type": "string", "enum": ["incoming", "stopped", "underway"]},
       "occupancy": {"type": ["string", "null"]},
       "updated": {"type": "string", "format": "date-time"},
       "age": {"type": "integer"},
       "distance": {"type": "number"}
      }},
      "Vehicles": {"type": "object", "required": ["now", "attributions", "vehicles"], "properties": {
       "now": {"type": "string", "format": "date-time"},
       "attributions": {"type": "array", "items": {"$ref": "#/components/schemas/Attribution"}},
       "vehicles": {"type": "array", "items": {"$ref": "#/components/schemas/Vehicle"}}
      }},
      "Shapes": {"type": "object", "required": ["attributions", "lines"], "properties": {
       "attributions": {"type": "array", "items": {"$ref": "#/components/schemas/Attribution"}},
       "lines": {"type": "array", "items": {"type": "object", "required": ["id", "name", "mode", "color", "textColor", "source", "paths"], "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "mode": {"type": "string", "enum": ["tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail", "taxi", "other"]}, "color": {"type": "string", "pattern": "^[0-9A-F]{6}$"}, "textColor": {"type": "string", "pattern": "^[0-9A-F]{6}$"}, "source": {"type": "string", "enum": ["shapes", "stops"]}, "paths": {"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 4, "description": "latitude and longitude by turns"}}}}}
      }},
      "Streets": {"type": "object", "required": ["attribution", "paths"], "properties": {
       "attribution": {"$ref": "#/components/schemas/StreetsCredit"},
       "paths": {"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 4, "description": "latitude and longitude by turns"}}
      }},
      "StreetsCredit": {"type": ["object", "null"], "required": ["text", "url"], "properties": {"text": {"type": ["string", "null"]}, "url": {"type": ["string", "null"]}}},
      "Provider": {"type": "object", "required": ["id", "name", "kinds", "timeZone", "stops", "attribution", "validFrom", "validTo", "bounds", "state", "detail", "vehicles", "alerts", "realtime"], "properties": {
       "id": {"type": "string"},
       "name": {"type": "string"},
       "kinds": {"type": "array", "items": {"type": "string"}},
       "timeZone": {"type": "string"},
       "stops": {"type": "integer"},
       "attribution": {"type": ["object", "null"], "required": ["text", "url"], "properties": {"text": {"type": "string"}, "url": {"type": ["string", "null"]}}},
       "validFrom": {"type": ["string", "null"]},
       "validTo": {"type": ["string", "null"]},
       "bounds": {"type": ["array", "null"], "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
       "state": {"type": "string", "enum": ["ok", "stale", "failing", "outside_validity"]},
       "detail": {"type": ["string", "null"]},
       "vehicles": {"type": "boolean"},
       "alerts": {"type": "boolean"},
       "realtime": {"type": ["object", "null"], "required": ["updated", "age", "matched", "unmatched"], "properties": {"updated": {"type": ["string", "null"], "format": "date-time"}, "age": {"type": ["integer", "null"]}, "matched": {"type": "integer"}, "unmatched": {"type": "integer"}}}
      }},
      "Providers": {"type": "object", "required": ["now", "demonstration", "center", "streets", "providers"], "properties": {
       "now": {"type": "string", "format": "date-time"},
       "demonstration": {"type": "boolean"},
       "center": {"type": ["object", "null"], "required": ["lat", "lon"], "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}},
       "streets": {"$ref": "#/components/schemas/StreetsCredit"},
       "providers": {"type": "array", "items": {"$ref": "#/components/schemas/Provider"}}
      }},
      "Problem": {"type": "object", "required": ["type", "title", "status", "code", "detail"], "properties": {
       "type": {"type": "string"},
       "title": {"type": "string"},
       "status": {"type": "integer"},
       "code": {"type": "string"},
       "detail": {"type": "string"},
       "instance": {"type": "string"}
      }},
      "StopsQuestion": {"type": "object", "required": ["latitude", "longitude"], "properties": {
       "latitude": {"type": "number", "minimum": -90, "maximum": 90},
       "longitude": {"type": "number", "minimum": -180, "maximum": 180},
       "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
       "radius": {"type": "number", "minimum": 0, "maximum": 21000000},
       "query": {"type": "string", "maxLength": 200, "description": "a part of the name: only such stops, the best first", "examples": ["rautatie"]},
       "departures": {"type": "integer", "minimum": 0, "maximum": 100, "default": 0},
       "window": {"type": "integer", "minimum": 60, "maximum": 86400, "default": 3600, "description": "seconds"},
       "language": {"type": "string", "description": "language of names and notices", "examples": ["sv"]}
      }},
      "DeparturesQuestion": {"type": "object", "required": ["stops"], "properties": {
       "stops": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 50},
       "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
       "window": {"type": "integer", "minimum": 60, "maximum": 86400, "default": 3600, "description": "seconds"},
       "language": {"type": "string", "description": "language of names and notices", "examples": ["sv"]}
      }},
      "VehiclesQuestion": {"type": "object", "required": ["latitude", "longitude"], "properties": {
       "latitude": {"type": "number", "minimum": -90, "maximum": 90},
       "longitude": {"type": "number", "minimum": -180, "maximum": 180},
       "radius": {"type": "number", "minimum": 10, "maximum": 20000, "default": 2000},
       "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 200},
       "lines": {"type": "array", "items": {"type": "string"}, "maxItems": 100}
      }},
      "StreetsQuestion": {"type": "object", "required": ["latitude", "longitude"], "properties": {
       "latitude": {"type": "number", "minimum": -90, "maximum": 90},
       "longitude": {"type": "number", "minimum": -180, "maximum": 180},
       "radius": {"type": "number", "minimum": 50, "maximum": 5000, "default": 1000}
      }},
      "ShapesQuestion": {"type": "object", "required": ["latitude", "longitude"], "properties": {
       "latitude": {"type": "number", "minimum": -90, "maximum": 90},
       "longitude": {"type": "number", "minimum": -180, "maximum": 180},
       "radius": {"type": "number", "minimum": 50, "maximum": 10000, "default": 1000}
      }},
      "Subscription": {"type": "object", "required": ["url", "expires"], "properties": {
       "url": {"type": "string"},
       "expires": {"type": "string", "format": "date-time"}
      }}
    """#
}
