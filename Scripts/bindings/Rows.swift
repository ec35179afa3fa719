// The rows of numbers that the engines put into their memory for the page, and those that the page puts there.

/// The four corners of an optional quadrilateral, x and y in turn.
private func corners(_ name: String) -> [String] {
  (0..<4).flatMap { ["\(name)[\($0)].x", "\(name)[\($0)].y"] }
}
private func list(_ name: String, _ expressions: [String], note: String = "") -> Column {
  var column = Column(name, .list(expressions.count), note: note)
  column.swift = expressions
  return column
}

private let engine = "SightlineWasm"
private let vision = "SightlineVisionWasm"
private let odometry = "SightlineOdometryWasm"
private let places = "SightlinePlacesWasm"
private let shared = "SightlineWasmMemory"

let rows: [Row] = [
  // A frame.
  Row(
    "Frame",
    .extending("FrameTables"),
    page: .places,
    module: engine,
    note: "The head of a frame; `items` to `overlays` are the number of a table's rows and where they begin.",
    [
      Column("time", .number, "session.frame.time"), Column("width", .number, "session.frame.width"),
      Column("height", .number, "session.frame.height"), Column("isValid", .flag, "session.frame.isValid"),
      list("worldFromDevice", ["w", "x", "y", "z"].map { "session.frame.worldFromDevice.\($0)" }),
      list("eye", ["x", "y", "z"].map { "session.frame.eyeInWorld.\($0)" }),
      Column("bearing", .number, "session.frame.bearing.radians"),
      Column("pitch", .number, "session.frame.pitch.radians"),
      Column("roll", .number, "session.frame.roll.radians"),
      Column("horizontalFieldOfView", .number, "session.frame.horizontalFieldOfView.radians"),
      Column("verticalFieldOfView", .number, "session.frame.verticalFieldOfView.radians"),
      Column("selected", .index, "session.frame.selected"), Column("focused", .index, "session.frame.focused"),
      Column("candidateCount", .number, "session.frame.candidateCount"),
      Column("isFrozen", .flag, "session.isFrozen"),
      list("items", ["items.count", "items.start"]), list("clusters", ["clusters.count", "clusters.start"]),
      list("members", ["members.count", "members.start"]), list("arrows", ["arrows.count", "arrows.start"]),
      list("blips", ["blips.count", "blips.start"]), list("overlays", ["overlays.count", "overlays.start"]),
      Column("radar", .row("RadarHead"), "session.frame.radar"),
      Column("clipFromWorld", .list(16), "Double(session.frame.clipFromWorld[$k])"),
      Column("status", .row("Status"), "session.status"), Column("unused", .unused(1)),
    ]
  ),
  Row(
    "RadarHead",
    .extending("RadarFrame"),
    page: .filled,
    module: engine,
    [
      Column("attitude", .enumeration("RadarAttitude")), Column("range"), Column("north", .number, "north.radians"),
      Column("wedgeDirection", .number, "wedgeDirection.radians"),
      Column("wedgeOpening", .number, "wedgeOpening.radians"), Column("wedgeLength"), Column("isAvailable", .flag),
    ]
  ),
  Row(
    "SceneItem",
    .extending("SceneItem"),
    page: .filled,
    module: engine,
    note: "`isNearField`: the position's error covers the place, its direction means nothing.",
    [
      Column("feature"), Column("anchorX", .number, "anchor.x"), Column("anchorY", .number, "anchor.y"),
      Column("centerX", .number, "center.x"), Column("centerY", .number, "center.y"), Column("width"),
      Column("height"), Column("scale"), Column("depth"), Column("distance"), Column("opacity"),
      Column("level", .bits(flags: ["hasLeader", "isSelected", "isFannedOut", "isNearField"], above: "LabelLevel")),
    ]
  ),
  Row(
    "SceneCluster",
    .extending("SceneCluster"),
    page: .filled,
    module: engine,
    [
      Column("id"), Column("anchorX", .number, "anchor.x"), Column("anchorY", .number, "anchor.y"),
      Column("centerX", .number, "center.x"), Column("centerY", .number, "center.y"), Column("width"),
      Column("height"), Column("nearestDistance"), Column("opacity"), Column("members", .stretch),
      Column("flags", .bits(flags: ["isOpen", "hasLeader"], above: nil)),
    ]
  ),
  Row(
    "EdgeArrow",
    .extending("EdgeArrow"),
    page: .filled,
    module: engine,
    [
      Column("side", .enumeration("EdgeSide")), Column("x", .number, "position.x"), Column("y", .number, "position.y"),
      Column("direction", .number, "direction.radians"), Column("count"), Column("nearest"), Column("nearestDistance"),
      Column("isForSelection", .flag),
    ]
  ),
  Row(
    "RadarBlip",
    .extending("RadarBlip"),
    page: .filled,
    module: engine,
    [
      Column("feature"), Column("x", .number, "position.x"), Column("y", .number, "position.y"),
      Column("isSelected", .flag),
    ]
  ),
  Row(
    "Status",
    .extending("SessionStatus"),
    page: .places,
    module: engine,
    note: "The lights; bounds in degrees.",
    [
      Column("content", .enumeration("ContentStatus")),
      Column("contentQuality", .enumeration("Quality"), "content.quality"),
      Column("location", .enumeration("LocationStatus")),
      Column("locationQuality", .enumeration("Quality"), "location.quality"),
      Column("heading", .enumeration("HeadingStatus")),
      Column("headingQuality", .enumeration("Quality"), "heading.quality"),
      Column("tiltBound", .number, "tiltBound.degrees"), Column("headingBound", .number, "headingBound.degrees"),
    ]
  ),
  Row(
    "Standpoint",
    .places,
    page: .places,
    module: engine,
    note: "Where the world is drawn from, degrees, and its accuracy in metres; NaN as long as there is none.",
    [Column("latitude"), Column("longitude"), Column("accuracy")]
  ),
  Row(
    "Heights",
    .places,
    page: .places,
    module: engine,
    note:
      "Of the user, metres: the altitude that the world is drawn from, what it is measured from (none: it is not known), "
      + "from the ellipsoid up to the sea, and the ground over the sea; NaN for what is not known.",
    [Column("altitude"), Column("datum"), Column("geoid"), Column("ground")]
  ),
  Row(
    "HeadingCorrection",
    .extending("HeadingCorrection"),
    page: .made,
    module: engine,
    note:
      "Degrees clockwise that headings are corrected by at a place; store it as it is. `decimalYear` `null`: unknown.",
    [
      Column("angle", .number, "angle.degrees"), Column("deviation", .number, "deviation.degrees"),
      Column("latitude", .number, "place.latitudeDegrees"), Column("longitude", .number, "place.longitudeDegrees"),
      Column("decimalYear", .numberOrNaN),
    ]
  ),

  // What vision saw, and what stands on it.
  Row(
    "ObservationRow",
    .both("Observation"),
    page: .places,
    module: shared,
    note:
      "An observation: vision.wasm writes it, the page carries it over as it is, sightline.wasm reads it. Two numbers of the anchor: of a "
      + "marker its dictionary and id, of a code the upper and the lower half of its hash, else 0 and the number.",
    prelude: [
      "let turn = pose?.cameraFromPlane ?? .identity", "let shift = pose?.translation ?? .zero",
    ],
    [
      Column("anchor", .anchor, note: "Its kind and two numbers."),
      Column("state", .enumeration("ObservationState")), list("corners", corners("corners")),
      Column("sigma", .number, "cornerSigma"), Column("confidence"), Column("width"), Column("track"),
      Column("isResting", .flag), Column("unseen", note: "Seconds."), Column("hasPose", .flag, "pose != nil"),
      list("rotation", ["turn.w", "turn.x", "turn.y", "turn.z"], note: "`cameraFromPlane`, w first."),
      list("translation", ["shift.x", "shift.y", "shift.z"]),
      Column("error", .number, "pose?.reprojectionError ?? 0", note: "Of reprojection."),
    ]
  ),
  Row(
    "SightHead",
    .places,
    page: .places,
    module: engine,
    note:
      "The picture that observations were made in: seconds, pixels, k1, k2, p1, p2, k3 of the lens, and where its axis goes through the "
      + "picture (NaN: through the middle).",
    [
      Column("time"), Column("width"), Column("height"), Column("focal"), Column("lens", .list(5)),
      Column("center", .list(2)),
    ]
  ),
  Row(
    "SurveyRow",
    .places,
    page: .places,
    module: engine,
    note: "Where an anchor hangs: its kind and two numbers, degrees, metres.",
    [
      Column("anchor", .list(3)), Column("latitude"), Column("longitude"), Column("altitude"), Column("facing"),
      Column("elevation"), Column("roll"), Column("width"),
    ]
  ),
  Row(
    "AnchorHead",
    .extending("SceneFrame"),
    page: .places,
    module: engine,
    note: "How many anchors and items there are, and the picture that they are in.",
    [
      Column("anchors", .number, "anchors.count"), Column("items", .number, "anchored.count"),
      Column("time", .number, "pictureTime"), Column("clipFromCamera", .list(16), "Double(clipFromCamera[$k])"),
    ]
  ),
  Row(
    "AnchorRow",
    .extending("SceneAnchor"),
    page: .places,
    module: engine,
    note: "An anchor in the picture; points, seconds.",
    prelude: ["let quadrilateral = corners ?? Quadrilateral(repeating: .zero)"],
    [
      Column("anchor"), Column("state", .enumeration("ObservationState")), Column("isInPicture", .flag),
      Column("opacity"), Column("age"), Column("deviation"), Column("hasCorners", .flag, "corners != nil"),
      list("corners", corners("quadrilateral")),
    ]
  ),
  Row(
    "AnchoredRow",
    .extending("AnchoredItem"),
    page: .places,
    module: engine,
    note: "A feature on an anchor; points, seconds; a matrix without an extent is none.",
    prelude: [
      "let box = label ?? ScreenRectangle(x: 0, y: 0, width: 0, height: 0)",
      "var matrix = InlineArray<16, Float>(repeating: 0)",
      "if let cameraFromFeature { cameraFromFeature.write(into: &matrix) }",
    ],
    [
      Column("feature"), Column("anchor"), Column("x", .number, "place.x"), Column("y", .number, "place.y"),
      Column("hasLabel", .flag, "label != nil"), list("label", ["box.x", "box.y", "box.width", "box.height"]),
      Column("level", .enumeration("LabelLevel")), Column("opacity"), Column("age"),
      Column("cameraFromFeature", .list(16), "Double(matrix[$k])"),
    ]
  ),

  // A world's content, as the page writes it: head, overlays, places, names of overlays that places show, parts of shapes, corners.
  Row(
    "ContentHead",
    .places,
    page: .places,
    module: engine,
    [
      Column("radarRange"), Column("radarAvailable"), Column("refreshIntervalSeconds"), Column("refreshDistance"),
      Column("refreshAddress"), Column("namesWhatStandsOnAnchors"),
    ]
  ),
  Row(
    "ContentOverlayRow",
    .places,
    page: .places,
    module: engine,
    [Column("idLength"), Column("hidden"), Column("action", .list(2))]
  ),
  Row(
    "ContentPlaceRow",
    .places,
    page: .places,
    module: engine,
    note:
      "`print`: what it stands on, as kind and two numbers (kind −1: nothing); `printHanging`: how that hangs, as facing (NaN: anyhow), "
      + "elevation and roll; `modelTurn`: about x, y and z; `modelScale`: metres a unit (NaN: as wide as what it stands on); `size`: width and "
      + "height in the world (NaN: none); `attitude`: heading (NaN: none), pitch and roll. Degrees, metres.",
    [
      Column("idLength"), Column("titleLength"), Column("categoryLength"), Column("latitude"), Column("longitude"),
      Column("altitude"), Column("datum"), Column("followsUser"), Column("offset", .list(3)), Column("visual"),
      Column("label", .list(2)),
      Column("compact", .list(2)), Column("pivot"), Column("print", .list(3)),
      Column("printWidth"), Column("printHanging", .list(3)), Column("modelTurn", .list(3)), Column("modelScale"),
      Column("size", .list(2)), Column("attitude", .list(3)), Column("showInRadar"), Column("visibilityRadius"),
      Column("action", .list(2)), Column("names"),
    ]
  ),
  Row(
    "ContentPartRow",
    .places,
    page: .places,
    module: engine,
    [Column("place"), Column("shape"), Column("isArea"), Column("corners")]
  ),
  Row(
    "ContentCornerRow",
    .places,
    page: .places,
    module: engine,
    [Column("latitude"), Column("longitude"), Column("altitude")]
  ),
  Row(
    "CategoryRow",
    .extending("CategoryCount"),
    page: .made,
    module: engine,
    note: "A category of a world: its number, the first place that has it, and how many have it.",
    [Column("number", .number, "Int(number)"), Column("first"), Column("count")]
  ),

  // What the session knows of a world: head, features, overlays, focus list, anchors.
  Row(
    "WorldHead",
    .extending("WorldDescription"),
    page: .places,
    module: engine,
    [
      Column("features", .number, "features.count"), Column("overlays", .number, "overlays.count"),
      Column("focus", .number, "focusOverlays.count"), Column("anchors", .number, "anchors.count"),
      Column("things", .number, "things.count"), Column("paths", .number, "paths.count"),
      Column("corners", .number, "pathVertices.count"), Column("rules", .number, "rules.count"),
      Column("radarRange"), Column("radarAvailable", .flag),
      Column("refreshIntervalSeconds", .number, "refresh.intervalSeconds"),
      Column("refreshDistance", .number, "refresh.distance"),
      Column("refreshAddress", .index, "refreshAddress?.rawValue"),
    ]
  ).byNeed,
  Row(
    "FeatureRow",
    .extending("SceneFeature"),
    page: .places,
    module: engine,
    note: "`model`: its turns in radians, and metres for one of its units.",
    prelude: ["let placement = model ?? ModelPlacement()", "let target = action.numbers"],
    [
      Column("key", .number, "Double(key)"), Column("latitude", .number, "latitudeDegrees"),
      Column("longitude", .number, "longitudeDegrees"), Column("altitude"),
      Column("altitudeDatum", .enumeration("HeightDatum")), list("offset", ["offset.x", "offset.y", "offset.z"]),
      Column("kind", .enumeration("VisualKind")), Column("trueSize", .flag, "sizeMode == .trueSize"), Column("width"),
      Column("height"), list("pivot", ["pivot.x", "pivot.y"]), Column("category", .number, "Int(category)"),
      Column("showInRadar", .flag), Column("visibilityRadius"), list("action", ["target.kind", "target.value"]),
      list("focus", ["focusOverlays.lowerBound", "focusOverlays.count"]),
      list("compact", ["compactWidth", "compactHeight"]), Column("anchor"), Column("hasModel", .flag, "model != nil"),
      Column("followsEye", .flag),
      list(
        "model",
        ["x", "y", "z"].map { "placement.\($0)Rotation.radians" } + ["placement.scale ?? .nan"]
      ),
    ]
  ).byNeed,
  Row(
    "OverlayRow",
    .extending("SceneOverlay"),
    page: .places,
    module: engine,
    prelude: ["let target = action.numbers"],
    [
      Column("key", .number, "Double(key)"), Column("hidden", .flag),
      list("action", ["target.kind", "target.value"]),
    ]
  ).byNeed,
  Row(
    "WorldAnchorRow",
    .extending("WorldAnchor"),
    page: .places,
    module: engine,
    note:
      "`survey`: latitude, longitude, altitude, then facing, elevation and roll in radians, and width; `transform`: rotation (w first), "
      + "translation and scale.",
    prelude: [
      "let related = reference.numbers", "let transform = referenceFromAnchor",
    ],
    [
      Column("numbers", .anchor, "id"), Column("width"), Column("isSurveyed", .flag, "survey != nil"),
      list(
        "survey",
        [
          "place.latitudeDegrees", "place.longitudeDegrees", "place.altitude", "facing.radians", "elevation.radians",
          "roll.radians", "width",
        ].map { "survey?.\($0) ?? 0" }
      ),
      Column("reference", .number, "related.kind"), Column("referenceAnchor", .number, "related.value"),
      list(
        "transform",
        ["w", "x", "y", "z"].map { "transform.rotation.\($0)" } + ["x", "y", "z"].map { "transform.translation.\($0)" }
          + ["transform.scale"]
      ), Column("altitudeDatum", .enumeration("HeightDatum"), "(survey?.altitudeDatum ?? .ellipsoid)"),
    ]
  ).byNeed,
  Row(
    "WorldThingRow",
    .extending("SceneThing"),
    page: .places,
    module: engine,
    note:
      "`model`: its turns in radians, and metres for one of its units; `attitude`: heading, pitch and roll in radians.",
    [
      Column("feature"), Column("isModel", .flag),
      list("model", ["x", "y", "z"].map { "model.\($0)Rotation.radians" } + ["model.scale ?? 1"]),
      Column("width"), Column("height"), Column("hasAttitude", .flag, "attitude != nil"),
      list("attitude", ["heading", "pitch", "roll"].map { "attitude?.\($0).radians ?? 0" }),
    ]
  ).byNeed,
  Row(
    "WorldPathRow",
    .extending("ScenePath"),
    page: .places,
    module: engine,
    note: "A line, or a ring of an area: its corners are among those of the world.",
    [
      Column("feature"), Column("shape"), Column("isRing", .flag),
      Column("datum", .enumeration("HeightDatum"), "altitudeDatum"),
      list("corners", ["vertices.lowerBound", "vertices.count"]),
    ]
  ).byNeed,
  Row(
    "WorldCornerRow",
    .extending("PathVertex"),
    page: .places,
    module: engine,
    [
      Column("latitude", .number, "latitudeDegrees"), Column("longitude", .number, "longitudeDegrees"),
      Column("altitude"),
    ]
  ).byNeed,
  Row(
    "WorldRuleRow",
    .extending("DisplayRule"),
    page: .places,
    module: engine,
    note: "When a feature's visual is shown, and how large; `scaling`: metres from and to, and factor, all 0 for none.",
    [
      Column("feature"), Column("nearest"),
      list("scaling", ["near", "far", "factor"].map { "scaling?.\($0) ?? 0" }),
      Column("selection", .number, "Int32(selection.rawValue)"), Column("group"),
    ]
  ).byNeed,
  Row(
    "ThingHead",
    .extending("SceneLight"),
    page: .places,
    module: engine,
    note:
      "Of a frame: how many things there are, their projection, and the light that they are in, in the camera's frame.",
    [
      Column("things", .number, "session.frame.things.count"),
      Column("clipFromCamera", .list(16), "Double(session.frame.clipFromThingCamera[$k])"),
      list("towardsSun", ["x", "y", "z"].map { "cameraTowardsSun.\($0)" }),
      list("up", ["x", "y", "z"].map { "cameraUp.\($0)" }),
      list("sun", ["x", "y", "z"].map { "sun.\($0)" }), list("sky", ["x", "y", "z"].map { "sky.\($0)" }),
      Column("shadow"),
    ]
  ).byNeed,
  Row(
    "ThingRow",
    .extending("ThingItem"),
    page: .places,
    module: engine,
    note:
      "A thing in its true size; points, metres; matrices by columns, of the shadow from a square of half side 1 in x and z.",
    prelude: [
      "var matrix = InlineArray<16, Float>(repeating: 0)", "cameraFromThing.write(into: &matrix)",
      "for k in 4..<7 { matrix[k] *= Float(stretch) }",
    ],
    [
      Column("feature"), Column("state", .enumeration("ThingState")), Column("radius"), Column("distance"),
      Column("opacity"), Column("shadowOpacity", .number, "shadow.opacity"),
      Column("cameraFromThing", .list(16), "Double(matrix[$k])"),
      list(
        "shadow",
        ["side", "ahead", "center"].flatMap { part in ["x", "y", "z"].map { "shadow.\(part).\($0)" } },
        note: "Its half axes and its middle."
      ),
    ]
  ).byNeed,
  Row(
    "ShownWorld",
    .extending("JoinedWorlds.Part"),
    page: .made,
    module: engine,
    note: "Where a world stands among those that are shown: place `n` of its document is feature `firstPlace + n`.",
    [
      Column("number"), Column("firstPlace", .number, "features.lowerBound"),
      Column("places", .number, "features.count"), Column("firstOverlay", .number, "overlays.lowerBound"),
      Column("overlays", .number, "overlays.count"),
    ]
  ),

  // The ground map.
  Row(
    "GroundHead",
    .extending("GroundFrame"),
    page: .places,
    module: engine,
    [
      Column("isValid", .flag), Column("isMap", .flag), Column("mapPart"), list("eye", ["eye.x", "eye.y", "eye.z"]),
      list("user", ["user.x", "user.y"]), Column("heading", .number, "heading.radians"),
      Column("mapHeading", .number, "mapHeading.radians"), Column("pitch", .number, "pitch.radians"),
      Column("roll", .number, "roll.radians"), Column("focal"), Column("hasArrow", .flag),
      list("arrow", ["arrow.x", "arrow.y"]), Column("arrowDirection", .number, "arrowDirection.radians"),
      list("pinAxis", ["pinAxis.x", "pinAxis.y", "pinAxis.z"]), Column("pins", .number, "pins.count"),
      Column("clipFromGround", .list(16), "Double(clipFromGround[$k])"),
      list("right", ["right.x", "right.y", "right.z"]),
      list("up", ["up.x", "up.y", "up.z"]), list("pinSide", ["pinSide.x", "pinSide.y", "pinSide.z"]),
      Column("unused", .unused(2)),
    ]
  ).byNeed,
  Row(
    "PlacedPin",
    .extending("PlacedPin"),
    page: .filled,
    module: engine,
    note: "Points on the screen, metres.",
    [
      Column("footX", .number, "foot.x"), Column("footY", .number, "foot.y"), Column("headX", .number, "head.x"),
      Column("headY", .number, "head.y"), Column("depth"), Column("height"), Column("isInView", .flag),
      Column("hasLabel", .flag), Column("labelX", .number, "label.x"), Column("labelY", .number, "label.y"),
    ]
  ).byNeed,

  // Walls, codes and targets.
  Row(
    "WallHead",
    .places,
    page: .places,
    module: vision,
    [Column("number"), Column("scale"), Column("members")]
  ).byNeed,
  Row(
    "WallMemberRow",
    .places,
    page: .places,
    module: vision,
    [Column("anchor", .list(3)), Column("center", .list(2))]
  ).byNeed,
  Row(
    "CodeRow",
    .extending("PlacedCode"),
    page: .places,
    module: vision,
    note:
      "A code that was read; its content is `parts` parts from `firstPart` on; `index` and `count`: its place among several that belong "
      + "together, 0 for one that stands alone.",
    [
      list("corners", corners("code.corners")), Column("version", .number, "code.version.number"),
      Column("level", .enumeration("CodeLevel"), "code.level"), Column("isMirrored", .flag, "code.isMirrored"),
      Column("isInverted", .flag, "code.isInverted"), Column("mended", .number, "code.mendedCount"),
      Column("firstPart"), Column("parts"),
      Column("index", .number, "code.content.structuredAppend?.index ?? 0"),
      Column("count", .number, "code.content.structuredAppend?.count ?? 0"),
      Column("parity", .number, "Int(code.content.structuredAppend?.parity ?? 0)"),
    ]
  ).byNeed,
  Row(
    "CodePartRow",
    .extending("PlacedPart"),
    page: .places,
    module: vision,
    note:
      "A part of a code's content in one character set: `named` is -1 where it names none, `likely` is what its bytes look like.",
    [
      Column("named", .number, "run.named ?? -1"), Column("likely", .number, "run.likely"), Column("firstByte"),
      Column("bytes", .number, "run.bytes.count"),
    ]
  ).byNeed,

  // World tracking.
  Row(
    "OdometryRow",
    .places,
    page: .places,
    module: odometry,
    note:
      "Where the camera was in a frame: metres and seconds; `rotation` is world from camera, w first; of the frame as it was put there "
      + "`focal` and `center` in pixels; `lens`: k1, k2; `observations` rows follow.",
    [
      Column("state"), Column("time"), Column("position", .list(3)), Column("rotation", .list(4)),
      Column("velocity", .list(3)), Column("positionDeviation"), Column("yawDeviation"), Column("scaleDeviation"),
      Column("focalDeviation"), Column("focal"), Column("center", .list(2)), Column("lens", .list(2)),
      Column("timeOffset"), Column("rowTime"),
      Column("tracks"), Column("coaching"), Column("isResting"), Column("isLost"),
      Column("observations"),
    ]
  ).byNeed,
  Row(
    "SurfaceHitRow",
    .places,
    page: .places,
    module: odometry,
    note: "What is seen at a point: the kind of surface, metres from the lens, and the deviation of that.",
    [Column("kind"), Column("distance"), Column("deviation"), Column("point", .list(3)), Column("normal", .list(3))]
  ).byNeed,
  Row(
    "PlaceHead",
    .extending("PlaceFrame"),
    page: .places,
    module: places,
    note: "Of a frame of places: how many there are, and how the phone is held, radians; rows of ``PlaceItem`` follow.",
    [
      Column("isValid", .flag), Column("places", .number, "items.count"),
      Column("clipFromCamera", .list(16), "Double(clipFromCamera[$k])"),
      Column("clipFromEastNorthUp", .list(16), "Double(clipFromEastNorthUp[$k])"),
      Column("bearing", .number, "bearing.radians"), Column("pitch", .number, "pitch.radians"),
      Column("roll", .number, "roll.radians"),
    ]
  ).byNeed,
  Row(
    "PlaceItem",
    .extending("PlaceFrame.Item"),
    page: .places,
    module: places,
    note: "A place before or behind the camera, metres; the matrix by columns.",
    prelude: [
      "var matrix = InlineArray<16, Float>(repeating: 0)", "cameraFromPlace.write(into: &matrix)",
    ],
    [
      Column("place"), Column("distance"), Column("opacity"),
      Column("cameraFromPlace", .list(16), "Double(matrix[$k])"),
    ]
  ).byNeed,
  Row(
    "PlaceInput",
    .places,
    page: .places,
    module: places,
    note: "A place as the page names it: degrees, metres over the datum.",
    [Column("latitude"), Column("longitude"), Column("altitude"), Column("datum")]
  ).byNeed,
]

/// The row of a name.
func row(_ name: String) -> Row {
  guard let found = rows.first(where: { $0.name == name }) else { fatalError("no row \(name)") }
  return found
}
