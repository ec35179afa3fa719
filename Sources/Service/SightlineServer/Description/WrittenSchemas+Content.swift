extension WrittenSchemas {
  /// Worlds and tours, as they are stored and sent.
  static let content: [String: JSONSchema] = [
    "Position": .object(["latitude": .latitude, "longitude": .longitude], optional: ["altitude": .number]),
    "Offset": .object(["east": .number, "north": .number, "up": .number]),
    "Wording": .object([:], optional: ["title": .string, "summary": .string, "text": .string]),
    "Action": .object(["kind": .words(["refresh", "webPage", "dimension"])], optional: ["url": .string]),
    "Visual": .object(
      ["kind": .words(["text", "image", "model"])],
      optional: [
        "text": .string,
        "assetID": .string,
        "xRotation": .number,
        "yRotation": .number,
        "zRotation": .number,
        "scale": .number,
      ]
    ),
    "Shape": .object(["kind": .words(["line", "area"]), "parts": .list(.list(.list(.number, from: 2, to: 3)))]),
    "ShapeStyle": .object(
      [:],
      optional: [
        "stroke": .color,
        "strokeOpacity": .number(in: 0...1),
        "width": .number(in: 0...100),
        "fill": .color,
        "fillOpacity": .number(in: 0...1),
      ]
    ),
    "Marker": .object(
      ["dictionary": .string, "id": .integer(in: 0...), "length": .number(in: 0.005...10)],
      optional: ["facing": .number, "tilt": .number, "roll": .number]
    ),
    "Target": .object(["assetID": .string, "width": .number(in: 0.01...200)]),
    "Place": .object(
      [
        "title": .string,
        "altitudeMode": .words(["ellipsoid", "seaLevel", "ground", "eye"]),
        "offset": .component("Offset"),
        "visual": .component("Visual"),
        "pivot": .pivot,
        "showInRadar": .boolean,
        "showOnFocus": .list(.string),
        "categories": .list(.string),
        "metadata": .map(.string),
      ],
      optional: [
        "id": .string,
        "summary": .string,
        "position": .component("Position"),
        "followsUser": .boolean,
        "marker": .component("Marker"),
        "target": .component("Target"),
        "size": .object([:], optional: ["width": .number(in: 0.001...10000), "height": .number(in: 0.001...10000)]),
        "attitude": .object(
          ["heading": .number(in: -360...360)],
          optional: ["pitch": .number(in: -360...360), "roll": .number(in: -360...360)]
        ),
        "icon": .object(
          [:],
          optional: [
            "assetID": .string, "color": .color, "opacity": .number(in: 0...1), "scale": .number(in: 0.1...10),
            "heading": .number(in: -360...360),
          ]
        ),
        "shapes": .list(.component("Shape")),
        "shapeStyle": .component("ShapeStyle"),
        "action": .component("Action"),
        "visibilityRadius": .number(in: 0...),
        "display": .object(
          [:],
          optional: [
            "visibleFrom": .number(in: 0...),
            "scaling": .object(
              ["near": .number(in: 0...), "factor": .number(in: 0.001...1000)],
              optional: ["far": .number(in: 0...)]
            ),
            "shownWhile": .words(["selected", "unselected"]),
            "feature": .string,
          ]
        ),
        "link": .string,
        "imageURL": .string,
        "soundURL": .string,
        "phone": .string,
        "translations": .map(.component("Wording")),
      ]
    ),
    "OverlayContent": .object(
      ["kind": .words(["text", "image", "html"])],
      optional: ["text": .string, "assetID": .string, "url": .string, "width": .number, "height": .number]
    ),
    "Overlay": .object(
      [
        "x": .number,
        "y": .number,
        "pivot": .pivot,
        "hidden": .boolean,
        "content": .component("OverlayContent"),
      ],
      optional: ["id": .string, "anchor": .pivot, "action": .component("Action")]
    ),
    "Dimension": .object(
      [
        "radarAvailable": .boolean,
        "relativeAltitude": .boolean,
        "refreshIntervalSeconds": .number(in: 0...),
        "refreshDistance": .number(in: 0...),
        "assets": .list(.object(["id": .string, "url": .string], optional: ["format": .string])),
        "places": .list(.component("Place")),
        "overlays": .list(.component("Overlay")),
      ],
      optional: [
        "name": .string,
        "language": .string,
        "translations": .map(.component("Wording")),
        "summary": .string,
        "attribution": .string,
        "radarRange": .number(in: 0...),
        "refreshURL": .string,
        "soundURL": .string,
      ]
    ),
    "Tour": .object(
      ["title": .string],
      optional: [
        "summary": .string,
        "order": .words(["free", "ordered", "random"]),
        "rounds": .integer(in: 1...20),
        "minutes": .integer(in: 1...10080),
        "showsVerdict": .boolean,
        "showsScore": .boolean,
        "triesCost": .integer(in: 0...1000),
        "rounding": .number(in: 0...1000),
        "keepDays": .integer(in: 0...30),
        "allowsVirtualPhones": .boolean,
        "border": .list(.component("Position")),
        "way": .words(["none", "stations", "drawn"]),
        "route": .list(.component("Position"), to: 500),
        "stations": .list(
          .object(
            [
              "id": .string,
              "kind": .words(["choice", "open", "info", "picture"]),
              "title": .string,
              "position": .component("Position"),
            ],
            optional: [
              "text": .string,
              "radius": .number,
              "visibleRadius": .number,
              "picture": .string,
              "options": .list(.string),
              "correct": .list(.integer),
              "accepted": .list(.string),
              "points": .integer,
              "tries": .integer,
              "hints": .list(.object(["text": .string, "cost": .integer])),
              "round": .integer,
            ]
          ),
          to: 200
        ),
      ]
    ),
    "Finding": .object(
      ["severity": .string, "code": .string, "path": .string, "message": .string],
      optional: ["line": .integer]
    ).described("what a reader found in a document"),
  ]
}
