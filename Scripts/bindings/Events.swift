// What the page tells the session, what the session wants of it, and the chunks of recordings. To add an event, add it to
// `SessionEvent`, handle it in `Session`, and describe it here; `Scripts/generate-bindings` writes the rest.

private let displayPoint = [
  Field("x", .numberOrNothing, swift: "point?.x ?? .nan", isOptional: true),
  Field("y", .numberOrNothing, swift: "point?.y ?? .nan", isOptional: true),
]
private let correction = [
  Field("angle", .degrees, swift: "correction.angle"),
  Field("deviation", .degrees, swift: "correction.deviation"),
  Field("latitude", .number, swift: "correction.place.latitudeDegrees"),
  Field("longitude", .number, swift: "correction.place.longitudeDegrees"),
  Field("decimalYear", .numberOrNaN, swift: "correction.decimalYear"),
]

/// What a session for places alone is told, see `PlaceSession`.
let eventsOfPlaces: Set<String> = [
  "motion", "orientation", "orientationQuaternion", "orientationWithCompass", "orientationUnavailable", "fix",
  "locationUnavailable", "display", "camera", "pictureAge", "calendar", "setRadius", "resume",
]

let events: [Event] = [
  // The phone.
  Event(
    "motion",
    chunk: 20,
    [
      Field(
        "angularVelocity",
        .vectorOrNone,
        swift: "sample.angularVelocity",
        isOptional: true,
        note: "Radians a second."
      ),
      Field(
        "specificForce",
        .vectorOrNone,
        swift: "sample.specificForce",
        isOptional: true,
        note: "Metres a second squared, with gravity."
      ),
      Field("magneticField", .vectorOrNone, swift: "sample.magneticField", isOptional: true, note: "Microtesla."),
    ],
    make: ".motion(\(motionSample))",
    pattern: ".motion(let sample)",
    recorded: ".motion(\(motionSample))",
    note:
      "What the motion sensors said, in the device frame (x right, y top, z out of the screen); leave out what is missing. "
      + "`devicemotion` gives degrees a second (alpha about x, beta about y, gamma about z): turn them into radians. Hand "
      + "accelerationIncludingGravity over as it is: the engine finds its sign, if it gets orientation events as well."
  ),
  Event(
    "orientation",
    chunk: 17,
    named: "orientationAngles",
    export: "sl_orientation_angles",
    [
      Field("alpha", .number), Field("beta", .number), Field("gamma", .number),
      Field("north", .enumeration("NorthReference")),
    ],
    make: ".orientation(.browserAngles(alpha: $alpha, beta: $beta, gamma: $gamma, north: $north))",
    note: "`deviceorientation`, degrees."
  ),
  Event(
    "orientationQuaternion",
    chunk: 16,
    [
      Field("w", .number, swift: "q.w"), Field("x", .number, swift: "q.x"), Field("y", .number, swift: "q.y"),
      Field("z", .number, swift: "q.z"), Field("north", .enumeration("NorthReference")),
    ],
    make: ".orientation(.quaternion(worldFromDevice: Quaternion(w: $w, x: $x, y: $y, z: $z), north: $north))",
    pattern: ".orientation(.quaternion(let q, let north))",
    note: "Rotates device vectors into east, north, up."
  ),
  Event(
    "orientationWithCompass",
    chunk: 18,
    export: "sl_orientation_compass",
    [
      Field("alpha", .number), Field("beta", .number), Field("gamma", .number), Field("heading", .number),
      Field("accuracy", .number),
    ],
    make: ".orientation(.browserAnglesWithCompass("
      + "alpha: $alpha, beta: $beta, gamma: $gamma, heading: $heading, accuracy: $accuracy))",
    note: "`deviceorientation` of iOS, degrees."
  ),
  Event(
    "orientationUnavailable",
    chunk: 19,
    [Field("reason", .enumeration("UnavailableReason"))],
    make: ".orientationUnavailable($reason)",
    note: "There will be no orientation."
  ),
  Event(
    "fix",
    chunk: 21,
    [
      Field("latitude", .number, swift: "fix.latitudeDegrees"),
      Field("longitude", .number, swift: "fix.longitudeDegrees"),
      Field("altitude", .numberOrNaN, swift: "fix.altitude"),
      Field("horizontalAccuracy", .number, swift: "fix.horizontalAccuracy"),
      Field("verticalAccuracy", .numberOrNaN, swift: "fix.verticalAccuracy"),
      Field("course", .numberOrNaN, swift: "fix.courseDegrees", isOptional: true, isLate: true),
      Field("speed", .numberOrNaN, swift: "fix.speed", isOptional: true, isLate: true),
      Field(
        "altitudeDatum",
        .enumeration("HeightDatum"),
        swift: "fix.altitudeDatum",
        isOptional: true,
        isLate: true
      ),
    ],
    make: ".fix(LocationFix(latitudeDegrees: $latitude, longitudeDegrees: $longitude, altitude: $altitude, "
      + "altitudeDatum: $altitudeDatum, horizontalAccuracy: $horizontalAccuracy, verticalAccuracy: $verticalAccuracy, courseDegrees: $course, "
      + "speed: $speed))",
    pattern: ".fix(let fix)",
    note:
      "A position: degrees, metres, accuracies at 95 %; `course` and `speed` are `GeolocationCoordinates.heading` (degrees clockwise "
      + "from north) and `speed` (metres a second); `altitudeDatum` is what the platform measures altitudes from, without it the ellipsoid."
  ),
  Event(
    "path",
    chunk: 26,
    [
      Field(
        "pictureTime",
        .number,
        swift: "reading.time",
        note: "Middle of the exposure, seconds on the session's clock."
      ),
      Field("x", .number, swift: "reading.position.x"), Field("y", .number, swift: "reading.position.y"),
      Field("z", .number, swift: "reading.position.z"),
      Field("qw", .number, swift: "reading.worldFromCamera.w", note: "The path's world from the camera's axes."),
      Field("qx", .number, swift: "reading.worldFromCamera.x"),
      Field("qy", .number, swift: "reading.worldFromCamera.y"),
      Field("qz", .number, swift: "reading.worldFromCamera.z"),
      Field("yawDeviation", .number, swift: "reading.yawDeviation", note: "Radians, since the path began."),
      Field("state", .enumeration("PathState"), swift: "reading.state"),
    ],
    make:
      ".path(PathReading(time: $pictureTime, position: Vector3($x, $y, $z), worldFromCamera: Quaternion(w: $qw, x: $qx, y: $qy, "
      + "z: $qz), yawDeviation: $yawDeviation, state: $state))",
    pattern: ".path(let reading)",
    note: "Where world tracking says that the camera was in a picture, in a world of its own."
  ),
  Event(
    "geoid",
    chunk: 23,
    make: ".geoid",
    pattern: ".geoid(let geoid)",
    part: .hand(page: "./heights.js", type: "bytes: Uint8Array"),
    note: "The file of the geoid: heights over the sea and over the ellipsoid agree from now on."
  ),
  Event(
    "ground",
    chunk: 24,
    [
      Field("latitude", .number, swift: "place.latitudeDegrees"),
      Field("longitude", .number, swift: "place.longitudeDegrees"),
      Field("altitude", .numberOrNothing, swift: "place.altitude"),
    ],
    make: ".ground(Geodetic(latitudeDegrees: $latitude, longitudeDegrees: $longitude, altitude: $altitude))",
    pattern: ".ground(let place)",
    note: "How high the ground is where the user is, metres over the sea; `null`: nobody knows."
  ),
  Event(
    "locationUnavailable",
    chunk: 22,
    [Field("reason", .enumeration("UnavailableReason"))],
    make: ".locationUnavailable($reason)",
    note: "There will be no position."
  ),
  Event(
    "display",
    chunk: 32,
    [
      Field("width", .number, swift: "display.width"), Field("height", .number, swift: "display.height"),
      Field("screenAngle", .integer, swift: "display.screenAngleDegrees"),
    ],
    make: ".display(Display(width: $width, height: $height, screenAngleDegrees: $screenAngle))",
    pattern: ".display(let display)",
    note: "The display, points and degrees."
  ),
  Event(
    "camera",
    chunk: 34,
    named: "cameraFieldOfView",
    [Field("width", .number), Field("height", .number), Field("longSideFieldOfView", .number)],
    make: ".camera(CameraPicture(intrinsics: Intrinsics(width: $width, height: $height, "
      + "longSideFieldOfView: Angle(degrees: $longSideFieldOfView))))",
    condition: "$width > 0, $height > 0, $longSideFieldOfView > 1, $longSideFieldOfView < 179",
    isOfSwift: false,
    note: "The picture as delivered, upright, pixels; the field of view along its longer side, degrees."
  ),
  Event(
    "cameraIntrinsics",
    chunk: 33,
    named: "camera",
    [
      Field("width", .number, swift: "picture.intrinsics.width"),
      Field("height", .number, swift: "picture.intrinsics.height"),
      Field("focalX", .number, swift: "picture.intrinsics.focalX"),
      Field("focalY", .number, swift: "picture.intrinsics.focalY"),
      Field("centerX", .number, swift: "picture.intrinsics.centerX"),
      Field("centerY", .number, swift: "picture.intrinsics.centerY"),
      Field("rotation", .integer, swift: "picture.rotationDegrees"),
    ],
    make: ".camera(CameraPicture(intrinsics: Intrinsics(width: $width, height: $height, focalX: $focalX, "
      + "focalY: $focalY, centerX: $centerX, centerY: $centerY), rotationDegrees: $rotation))",
    pattern: ".camera(let picture)",
    isOfPage: false,
    note: "The picture with its intrinsics, pixels, and its turn, degrees."
  ),
  Event(
    "pictureAge",
    chunk: 36,
    [Field("seconds", .number)],
    make: ".pictureAge($seconds)",
    note: "How old the camera's picture is when a frame is drawn over it: frames are made for the moment it was taken."
  ),
  Event(
    "calendar",
    chunk: 35,
    [Field("decimalYear", .number)],
    make: ".calendar(decimalYear: $decimalYear)",
    note: "Calendar time at this event, for the magnetic model."
  ),
  Event(
    "setLevel",
    chunk: 25,
    [Field("right", .number), Field("top", .number)],
    make: ".setLevel(right: $right, top: $top)",
    note: "What the sensors call up while the device lies level, see `Level`: directions are corrected by as much."
  ),

  // The world.
  Event(
    "open",
    chunk: 48,
    [Field("address", .identifier("AddressID"))],
    make: ".open($address)",
    note: "The user wants this world; all others are forgotten."
  ),
  Event(
    "openBeside",
    chunk: 54,
    [Field("world", .integer), Field("address", .identifier("AddressID"))],
    make: ".openBeside($address, world: $world)",
    note:
      "Beside what is open, as world number 0 … 15; `open` is number 0. All are shown as one, in the order of the numbers."
  ),
  Event(
    "closeWorld",
    chunk: 55,
    [Field("world", .integer)],
    make: ".closeWorld($world)",
    note: "Forgets one of the worlds."
  ),
  Event(
    "hideWorld",
    chunk: 56,
    [Field("world", .integer), Field("hidden", .flag)],
    make: ".hideWorld($world, $hidden)",
    note: "Hides one of the worlds, or shows it again."
  ),
  Event(
    "loaded",
    chunk: 49,
    named: "world",
    make: ".loaded",
    pattern: ".loaded(let request, let world)",
    isOfPage: false,
    part: .hand(page: nil, type: ""),
    note: "The answer to a request; the page hands it over in parts, see `Engine.compile`."
  ),
  Event(
    "failed",
    chunk: 50,
    [Field("request", .identifier("RequestID")), Field("reason", .choice("FailureReason"))],
    make: ".failed($request, $reason)",
    note: "A request ended without a world."
  ),
  Event(
    "refreshByHand",
    chunk: 51,
    make: ".refreshByHand",
    note: "Fetch the world, or all that are shown, again, now."
  ),
  Event(
    "labelSize",
    chunk: 52,
    [Field("feature", .integer), Field("width", .number), Field("height", .number)],
    make: ".labelSize(feature: $feature, width: $width, height: $height)",
    note: "A label's size, points."
  ),
  Event(
    "featureGround",
    chunk: 63,
    [Field("feature", .integer), Field("height", .numberOrNothing)],
    make: ".featureGround(feature: $feature, height: $height)",
    note: "How high the ground is where a feature stands, metres over the sea; `null`: nobody knows."
  ),
  Event(
    "cornerGround",
    chunk: 82,
    [Field("corner", .integer), Field("height", .numberOrNothing)],
    make: ".cornerGround(corner: $corner, height: $height)",
    note: "How high the ground is below a corner of a line or an area, metres over the sea; `null`: nobody knows."
  ),
  Event(
    "occupied",
    chunk: 58,
    make: ".occupied",
    pattern: ".occupied(let occupied)",
    part: .hand(
      page: "./occupied.js",
      type: "rectangles: Rectangle[]; arrows: { width: number; height: number }[]"
    ),
    note:
      "What covers the view (bars, sheets, hints, safe areas), and how large the arrows at the rim are drawn: those to the left, "
      + "right, above, below, and to what is selected. Nothing is laid out under the rectangles. At most 64 of them."
  ),

  Event(
    "buildings",
    chunk: 27,
    make: ".buildings",
    pattern: ".buildings(let buildings)",
    isOfPage: false,
    part: .hand(page: nil, type: ""),
    note: "The buildings around, behind which features may be hidden."
  ),
  Event(
    "setHiddenLabels",
    chunk: 81,
    make: ".setHiddenLabels",
    pattern: ".setHiddenLabels(let labels)",
    isOfPage: false,
    part: .hand(page: nil, type: ""),
    note: "What becomes of labels of what stands behind buildings."
  ),

  // The user.
  Event(
    "touch",
    chunk: 64,
    [Field("x", .number, swift: "point.x"), Field("y", .number, swift: "point.y")],
    make: ".touch(Vector2($x, $y))",
    pattern: ".touch(let point)",
    note: "A tap, points."
  ),
  Event(
    "press",
    chunk: 65,
    [Field("feature", .integer)],
    make: ".press(feature: $feature)",
    note: "A feature was chosen by other means: select it and do what it does."
  ),
  Event(
    "pressOverlay",
    chunk: 66,
    [Field("overlay", .integer)],
    make: ".pressOverlay($overlay)",
    note: "An overlay was tapped."
  ),
  Event(
    "select",
    chunk: 67,
    [Field("feature", .indexOrNone)],
    make: ".select($feature)",
    note: "Select a feature, or none, without doing what it does."
  ),
  Event(
    "toggleCluster",
    chunk: 68,
    [Field("cluster", .integer)],
    make: ".toggleCluster($cluster)",
    note: "Open or close a cluster."
  ),
  Event(
    "setRadius",
    chunk: 69,
    [Field("radius", .number)],
    make: ".setRadius($radius)",
    note: "Visible radius, metres."
  ),
  Event(
    "setCategories",
    chunk: 70,
    [Field("mask", .bits)],
    make: ".setCategories($mask)",
    note: "Shown categories: bit n is category n."
  ),
  Event(
    "setEyeHeight",
    chunk: 83,
    [Field("height", .number)],
    make: ".setEyeHeight($height)",
    note: "How far the phone is above the ground, metres."
  ),
  Event(
    "dragWorld",
    chunk: 74,
    [
      Field("fromX", .number, swift: "start.x"), Field("fromY", .number, swift: "start.y"),
      Field("toX", .number, swift: "end.x"), Field("toY", .number, swift: "end.y"),
    ],
    make: ".dragWorld(from: Vector2($fromX, $fromY), to: Vector2($toX, $toY))",
    pattern: ".dragWorld(let start, let end)",
    note:
      "What was seen at the first point of the display is at the second now; one for each pointer move, they add up."
  ),
  Event(
    "pointAtPlace",
    chunk: 75,
    [
      Field("latitude", .number, swift: "place.latitudeDegrees"),
      Field("longitude", .number, swift: "place.longitudeDegrees"),
      Field("altitude", .numberOrNothing, swift: "place.altitude", isOptional: true),
    ] + displayPoint,
    make: ".pointAtPlace(Geodetic(latitudeDegrees: $latitude, longitudeDegrees: $longitude, altitude: $altitude), "
      + "at: displayPoint($x, $y))",
    pattern: ".pointAtPlace(let place, let point)",
    note: "A known landmark is seen at a point of the display; without one, at its centre."
  ),
  Event(
    "pointAtFeature",
    chunk: 76,
    [Field("feature", .integer)] + displayPoint,
    make: ".pointAtFeature($feature, at: displayPoint($x, $y))",
    pattern: ".pointAtFeature(let feature, let point)",
    note: "A place of the world is seen at a point of the display."
  ),
  Event(
    "pointAtBody",
    chunk: 77,
    [Field("body", .enumeration("Body"))] + displayPoint,
    make: ".pointAtBody($body, at: displayPoint($x, $y))",
    pattern: ".pointAtBody(let body, let point)",
    note: "Sun or moon is seen at a point of the display."
  ),
  Event(
    "restoreHeadingCorrection",
    chunk: 78,
    correction,
    make: ".restoreHeadingCorrection(HeadingCorrection(angle: $angle, deviation: $deviation, "
      + "place: Geodetic(latitudeDegrees: $latitude, longitudeDegrees: $longitude), decimalYear: $decimalYear))",
    pattern: ".restoreHeadingCorrection(let correction)",
    object: ("correction", "HeadingCorrection"),
    note: "A correction from an earlier session, as `headingCorrections()` had it."
  ),
  Event(
    "forgetHeadingCorrections",
    chunk: 79,
    make: ".forgetHeadingCorrections",
    note: "No corrections of the heading any more."
  ),
  Event(
    "observations",
    chunk: 59,
    make: ".observations",
    pattern: ".observations(let observations)",
    part: .hand(page: "./anchors.js", type: "&import('./anchors.js').Sight"),
    note:
      "What vision saw in a picture of the camera, see `anchors()`; when a surveyed anchor is among it, where the user is."
  ),
  Event(
    "survey",
    chunk: 60,
    make: ".survey",
    pattern: ".survey(let anchor, let survey)",
    part: .hand(
      page: "./anchors.js",
      type: "anchor: import('./anchors.js').AnchorName; survey: import('./anchors.js').Survey | null"
    ),
    note: "Where an anchor hangs that says so itself; worlds say it of their own."
  ),
  Event(
    "modelBounds",
    chunk: 61,
    [
      Field("feature", .integer), Field("low", .vector, swift: "bounds.low"),
      Field("high", .vector, swift: "bounds.high"),
    ],
    make: ".modelBounds(feature: $feature, ModelPlacement.Bounds(low: $low, high: $high))",
    pattern: ".modelBounds(let feature, let bounds)",
    note: "The box around a feature's model, in its units."
  ),
  Event(
    "modelTriangles",
    chunk: 62,
    [Field("feature", .integer), Field("count", .integer)],
    make: ".modelTriangles(feature: $feature, $count)",
    pattern: ".modelTriangles(let feature, let count)",
    note: "How many triangles a feature's model has."
  ),
  Event("setFrozen", chunk: 71, [Field("frozen", .flag)], make: ".setFrozen($frozen)", note: "Hold the picture still."),
  Event("suspend", chunk: 72, make: ".suspend", note: "The view is not active."),
  Event("resume", chunk: 73, make: ".resume", note: "The view is active again."),
]

private let motionSample =
  "MotionSample(time: $time, angularVelocity: $angularVelocity, specificForce: $specificForce, magneticField: $magneticField)"

/// What the session wants its page to do; the number is the place in the list, from 1.
let effects: [Effect] = [
  Effect(
    "request",
    [
      Field("id", .identifier("RequestID"), swift: "request.id"),
      Field("address", .identifierOrNone("AddressID"), swift: "request.address"),
      Field("event", .enumeration("RequestEvent"), swift: "request.event"),
      Field("source", .choice("RequestSource"), swift: "request.source"),
      Field("hasPosition", .flag, swift: "request.hasPosition"),
      Field("latitude", .number, swift: "request.latitudeDegrees", if: "hasPosition"),
      Field("longitude", .number, swift: "request.longitudeDegrees", if: "hasPosition"),
      Field("altitude", .number, swift: "request.altitude", if: "hasPosition"),
      Field("hasOrientation", .flag, swift: "request.hasOrientation"),
      Field("bearing", .number, swift: "request.bearingDegrees", if: "hasOrientation"),
      Field("pitch", .number, swift: "request.pitchDegrees", if: "hasOrientation"),
      Field("roll", .number, swift: "request.rollDegrees", if: "hasOrientation"),
      Field("width", .integer, swift: "request.width"), Field("height", .integer, swift: "request.height"),
      Field(
        "world",
        .integer,
        swift: "request.world",
        note: "Number of the world that is asked for; the source's index is as that world counts."
      ),
    ],
    pattern: ".request(let request)",
    object: ("request", "DimensionRequest"),
    note:
      "Position and orientation are `null` when unknown: leave those fields out of the request. `address` `null`: the world's own "
      + "refresh address."
  ),
  Effect("cancel", [Field("request", .identifier("RequestID"))], pattern: ".cancel(let request)"),
  Effect("openWebPage", [Field("address", .identifier("AddressID"))], pattern: ".openWebPage(let address)"),
  Effect(
    "remember",
    [Field("address", .identifierOrNone("AddressID"), swift: "target.address"), Field("world", .integer)],
    pattern: ".remember(let target, let world)",
    note: "`null`: the world's refresh address."
  ),
  Effect("selectionChanged", [Field("feature", .indexOrNone)], pattern: ".selectionChanged(let feature)"),
  Effect(
    "loadFailed",
    [
      Field("reason", .choice("FailureReason")), Field("event", .enumeration("RequestEvent")),
      Field("automaticRefreshStopped", .flag, swift: "stopped"), Field("world", .integer),
    ],
    pattern: ".loadFailed(let reason, let event, let stopped, let world)"
  ),
  Effect("worldChanged", [Field("world", .integer)], pattern: ".worldChanged(let world)"),
  Effect(
    "aligned",
    [Field("outcome", .enumeration("AlignmentOutcome")), Field("by", .degrees, swift: "angle")],
    pattern: ".aligned(let outcome, let angle)",
    note:
      "What came of pointing, or of comparing heading and way; degrees clockwise. When done, store `headingCorrections()`."
  ),
]

/// Chunks of a recording beside the session's events.
let chunks: [Chunk] = [
  Chunk(number: 1, name: "header", isOfPage: true),
  Chunk(number: 2, name: "end", isOfPage: true),
  Chunk(number: 53, name: "document", isOfPage: false),
  Chunk(number: 80, name: "picture", isOfPage: true),
  Chunk(number: 96, name: "tick", isOfPage: true),
  Chunk(number: 97, name: "advance", isOfPage: true),
  Chunk(number: 112, name: "truth", isOfPage: false),
  Chunk(number: 113, name: "note", isOfPage: true),
]

/// Numbers of chunks that there were once: they are not given again.
let retiredChunks: [Int] = [
  57  // a code whose place is known, before there were observations
]
