extension APIDescription {
  /// Bodies of requests, members of `components/schemas`.
  static let schemas = #"""
     "NearbyQuestion": {"type": "object", "required": ["latitude", "longitude"], "properties": {
      "latitude": {"type": "number", "minimum": -90, "maximum": 90},
      "longitude": {"type": "number", "minimum": -180, "maximum": 180},
      "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
      "radius": {"type": "number", "minimum": 0},
      "world": {"type": "string"}
     }},
     "ForecastQuestion": {"type": "object", "required": ["lat", "lng"], "properties": {
      "lat": {"type": "number", "minimum": -90, "maximum": 90},
      "lng": {"type": "number", "minimum": -180, "maximum": 180}
     }},
     "DimensionRequest": {"type": "object", "properties": {
      "event": {"type": "string", "enum": ["init", "refreshOnTime", "refreshOnDistance", "refreshOnPress"]},
      "eventSrc": {"type": "string"},
      "lat": {"type": "number", "minimum": -90, "maximum": 90},
      "lon": {"type": "number", "minimum": -180, "maximum": 180},
      "alt": {"type": "number"},
      "bearing": {"type": "number"},
      "pitch": {"type": "number"},
      "roll": {"type": "number"},
      "width": {"type": "integer", "minimum": 1},
      "height": {"type": "integer", "minimum": 1},
      "uid": {"type": "string"},
      "time": {"type": "integer", "description": "milliseconds since 1970"}
     }},
     "OpenRequest": {"type": "object", "required": ["url"], "properties": {
      "url": {"type": "string"},
      "lat": {"type": "number", "minimum": -90, "maximum": 90},
      "lon": {"type": "number", "minimum": -180, "maximum": 180},
      "event": {"type": "string"},
      "uid": {"type": "string"}
     }},
     "Credentials": {"type": "object", "required": ["name", "password"], "properties": {
      "name": {"type": "string"},
      "password": {"type": "string"},
      "code": {"type": "string", "description": "of the second factor, where there is one"}
     }},
     "Confirmation": {"type": "object", "required": ["password"], "properties": {"password": {"type": "string"}}},
     "FactorCode": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}},
     "PasswordAndCode": {"type": "object", "required": ["password"], "properties": {
      "password": {"type": "string"},
      "code": {"type": "string"}
     }},
     "Deletion": {"type": "object", "properties": {"transferTo": {"type": "integer", "description": "account that keeps the content"}}},
     "PasswordChange": {"type": "object", "required": ["current", "new"], "properties": {
      "current": {"type": "string"},
      "new": {"type": "string"}
     }},
     "Link": {"type": "object", "required": ["token"], "properties": {"token": {"type": "string"}}},
     "Acceptance": {"type": "object", "required": ["token", "password"], "properties": {
      "token": {"type": "string"},
      "name": {"type": "string"},
      "password": {"type": "string"},
      "code": {"type": "string", "description": "of the second factor, where the account has one"}
     }},
     "NewAccount": {"type": "object", "required": ["role"], "properties": {
      "role": {"type": "string", "enum": ["author", "operator"]}
     }},
     "AccountChange": {"type": "object", "properties": {
      "role": {"type": "string", "enum": ["author", "operator"]},
      "active": {"type": "boolean"}
     }},
     "NewWorld": {"type": "object", "properties": {
      "id": {"type": "string"},
      "title": {"type": "string"},
      "language": {"type": "string"},
      "from": {"type": "string"},
      "adopt": {"type": "boolean"},
      "dimension": {"$ref": "#/components/schemas/Dimension"}
     }},
     "Publication": {"type": "object", "properties": {"version": {"type": "integer", "minimum": 1}}},
     "Members": {"type": "object", "required": ["names"], "properties": {
      "names": {"type": "array", "items": {"type": "string"}}
     }},
     "Position": {"type": "object", "required": ["latitude", "longitude"], "properties": {
      "latitude": {"type": "number", "minimum": -90, "maximum": 90},
      "longitude": {"type": "number", "minimum": -180, "maximum": 180},
      "altitude": {"type": "number"}
     }},
     "Offset": {"type": "object", "required": ["east", "north", "up"], "properties": {
      "east": {"type": "number"},
      "north": {"type": "number"},
      "up": {"type": "number"}
     }},
     "Wording": {"type": "object", "properties": {
      "title": {"type": "string"},
      "summary": {"type": "string"},
      "text": {"type": "string"}
     }},
     "Action": {"type": "object", "required": ["kind"], "properties": {
      "kind": {"type": "string", "enum": ["refresh", "webPage", "dimension"]},
      "url": {"type": "string"}
     }},
     "Visual": {"type": "object", "required": ["kind"], "properties": {
      "kind": {"type": "string", "enum": ["text", "image", "model"]},
      "text": {"type": "string"},
      "assetID": {"type": "string"},
      "xRotation": {"type": "number"},
      "yRotation": {"type": "number"},
      "zRotation": {"type": "number"},
      "scale": {"type": "number"}
     }},
     "Shape": {"type": "object", "required": ["kind", "parts"], "properties": {
      "kind": {"type": "string", "enum": ["line", "area"]},
      "parts": {"type": "array", "items": {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number"}}}}
     }},
     "ShapeStyle": {"type": "object", "properties": {
      "stroke": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
      "strokeOpacity": {"type": "number", "minimum": 0, "maximum": 1},
      "width": {"type": "number", "minimum": 0, "maximum": 100},
      "fill": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
      "fillOpacity": {"type": "number", "minimum": 0, "maximum": 1}
     }},
     "Marker": {"type": "object", "required": ["dictionary", "id", "length"], "properties": {
      "dictionary": {"type": "string", "examples": ["6x6-250"]},
      "id": {"type": "integer", "minimum": 0},
      "length": {"type": "number", "minimum": 0.005, "maximum": 10},
      "facing": {"type": "number"},
      "tilt": {"type": "number"},
      "roll": {"type": "number"}
     }},
     "Target": {"type": "object", "required": ["assetID", "width"], "properties": {
      "assetID": {"type": "string"},
      "width": {"type": "number", "minimum": 0.01, "maximum": 200}
     }},
     "Place": {"type": "object", "required": ["title", "altitudeMode", "offset", "visual", "pivot", "showInRadar", "showOnFocus", "categories", "metadata"], "properties": {
      "id": {"type": "string"},
      "title": {"type": "string"},
      "summary": {"type": "string"},
      "position": {"$ref": "#/components/schemas/Position"},
      "altitudeMode": {"type": "string", "enum": ["ellipsoid", "seaLevel", "ground", "eye"]},
      "offset": {"$ref": "#/components/schemas/Offset"},
      "marker": {"$ref": "#/components/schemas/Marker"},
      "target": {"$ref": "#/components/schemas/Target"},
      "shapes": {"type": "array", "items": {"$ref": "#/components/schemas/Shape"}},
      "shapeStyle": {"$ref": "#/components/schemas/ShapeStyle"},
      "visual": {"$ref": "#/components/schemas/Visual"},
      "pivot": {"type": "string", "enum": ["TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"]},
      "action": {"$ref": "#/components/schemas/Action"},
      "showInRadar": {"type": "boolean"},
      "showOnFocus": {"type": "array", "items": {"type": "string"}},
      "categories": {"type": "array", "items": {"type": "string"}},
      "visibilityRadius": {"type": "number", "minimum": 0},
      "link": {"type": "string"},
      "imageURL": {"type": "string"},
      "phone": {"type": "string"},
      "translations": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Wording"}},
      "metadata": {"type": "object", "additionalProperties": {"type": "string"}}
     }},
     "OverlayContent": {"type": "object", "required": ["kind"], "properties": {
      "kind": {"type": "string", "enum": ["text", "image", "html"]},
      "text": {"type": "string"},
      "assetID": {"type": "string"},
      "url": {"type": "string"},
      "width": {"type": "number"},
      "height": {"type": "number"}
     }},
     "Overlay": {"type": "object", "required": ["x", "y", "pivot", "hidden", "content"], "properties": {
      "id": {"type": "string"},
      "x": {"type": "number"},
      "y": {"type": "number"},
      "pivot": {"type": "string", "enum": ["TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"]},
      "hidden": {"type": "boolean"},
      "action": {"$ref": "#/components/schemas/Action"},
      "content": {"$ref": "#/components/schemas/OverlayContent"}
     }},
     "Dimension": {"type": "object", "required": ["radarRange", "radarAvailable", "relativeAltitude", "refreshIntervalSeconds", "refreshDistance", "assets", "places", "overlays"], "properties": {
      "name": {"type": "string"},
      "language": {"type": "string"},
      "translations": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Wording"}},
      "summary": {"type": "string"},
      "attribution": {"type": "string"},
      "radarRange": {"type": "number", "minimum": 0},
      "radarAvailable": {"type": "boolean"},
      "relativeAltitude": {"type": "boolean"},
      "refreshURL": {"type": "string"},
      "refreshIntervalSeconds": {"type": "number", "minimum": 0},
      "refreshDistance": {"type": "number", "minimum": 0},
      "soundURL": {"type": "string"},
      "assets": {"type": "array", "items": {"type": "object", "required": ["id", "url"], "properties": {"id": {"type": "string"}, "url": {"type": "string"}, "format": {"type": "string"}}}},
      "places": {"type": "array", "items": {"$ref": "#/components/schemas/Place"}},
      "overlays": {"type": "array", "items": {"$ref": "#/components/schemas/Overlay"}}
     }},
     "Poster": {"type": "object", "required": ["title", "sizes"], "properties": {
      "id": {"type": "string"},
      "title": {"type": "string"},
      "artist": {"type": "string"},
      "text": {"type": "string"},
      "categories": {"type": "array", "maxItems": 12, "items": {"type": "string"}},
      "sizes": {"type": "array", "maxItems": 20, "items": {"type": "object", "required": ["width", "height"], "properties": {
       "name": {"type": "string"},
       "width": {"type": "number", "minimum": 20, "maximum": 5000},
       "height": {"type": "number", "minimum": 20, "maximum": 5000},
       "price": {"type": "object", "required": ["amount", "currency"], "properties": {"amount": {"type": "string"}, "currency": {"type": "string"}}}
      }}},
      "shop": {"type": "string"},
      "picture": {"type": "string"}
     }},
     "Tour": {"type": "object", "required": ["title"], "properties": {
      "title": {"type": "string"},
      "summary": {"type": "string"},
      "order": {"type": "string", "enum": ["free", "ordered", "random"]},
      "rounds": {"type": "integer", "minimum": 1, "maximum": 20},
      "minutes": {"type": "integer", "minimum": 1, "maximum": 10080},
      "showsVerdict": {"type": "boolean"},
      "showsScore": {"type": "boolean"},
      "triesCost": {"type": "integer", "minimum": 0, "maximum": 1000},
      "rounding": {"type": "number", "minimum": 0, "maximum": 1000},
      "keepDays": {"type": "integer", "minimum": 0, "maximum": 30},
      "allowsVirtualPhones": {"type": "boolean"},
      "border": {"type": "array", "items": {"$ref": "#/components/schemas/Position"}},
      "stations": {"type": "array", "maxItems": 200, "items": {"type": "object", "required": ["id", "kind", "title", "position"], "properties": {
       "id": {"type": "string"},
       "kind": {"type": "string", "enum": ["choice", "open", "info", "picture"]},
       "title": {"type": "string"},
       "text": {"type": "string"},
       "position": {"$ref": "#/components/schemas/Position"},
       "radius": {"type": "number"},
       "visibleRadius": {"type": "number"},
       "picture": {"type": "string"},
       "options": {"type": "array", "items": {"type": "string"}},
       "correct": {"type": "array", "items": {"type": "integer"}},
       "accepted": {"type": "array", "items": {"type": "string"}},
       "points": {"type": "integer"},
       "tries": {"type": "integer"},
       "hints": {"type": "array", "items": {"type": "object", "required": ["text", "cost"], "properties": {"text": {"type": "string"}, "cost": {"type": "integer"}}}},
       "round": {"type": "integer"}
      }}}
     }},
     "Team": {"type": "object", "required": ["name", "color"], "properties": {
      "name": {"type": "string"},
      "color": {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
     }},
     "TeamChange": {"type": "object", "required": ["name", "color"], "properties": {
      "name": {"type": "string"},
      "color": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
      "newCode": {"type": "boolean"}
     }},
     "NewRun": {"type": "object", "required": ["teams"], "properties": {
      "teams": {"type": "array", "items": {"$ref": "#/components/schemas/Team"}},
      "trial": {"type": "boolean"}
     }},
     "Command": {"type": "object", "required": ["command"], "properties": {
      "command": {"type": "string", "enum": ["start", "pause", "resume", "end", "round"]},
      "round": {"type": "integer"}
     }},
     "Message": {"type": "object", "required": ["text"], "properties": {
      "text": {"type": "string"},
      "team": {"type": "integer"}
     }},
     "Mark": {"type": "object", "required": ["event", "points"], "properties": {
      "event": {"type": "integer"},
      "points": {"type": "integer"}
     }},
     "Join": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}},
     "TeamPosition": {"type": "object", "required": ["latitude", "longitude"], "properties": {
      "latitude": {"type": "number", "minimum": -90, "maximum": 90},
      "longitude": {"type": "number", "minimum": -180, "maximum": 180},
      "accuracy": {"type": "number", "minimum": 0},
      "isVirtual": {"type": "boolean"}
     }},
     "TeamState": {"type": "object", "properties": {
      "position": {"$ref": "#/components/schemas/TeamPosition"},
      "after": {"type": "integer"}
     }},
     "TeamEvents": {"type": "object", "required": ["events"], "properties": {
      "after": {"type": "integer"},
      "events": {"type": "array", "maxItems": 100, "items": {"type": "object", "required": ["id", "sequence", "station", "kind"], "properties": {
       "id": {"type": "string", "pattern": "^[A-Za-z0-9._-]{8,64}$"},
       "sequence": {"type": "integer"},
       "station": {"type": "string"},
       "kind": {"type": "string", "enum": ["choice", "text", "hint", "visit"]},
       "choices": {"type": "array", "items": {"type": "integer"}},
       "text": {"type": "string"},
       "hint": {"type": "integer"},
       "age": {"type": "number", "minimum": 0, "description": "milliseconds"},
       "position": {"$ref": "#/components/schemas/TeamPosition"}
      }}}
     }}
    """#
}
