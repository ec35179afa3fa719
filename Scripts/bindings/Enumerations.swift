// The enumerations that cross as numbers: a case's number is its place in the list. The compiler refuses a list that the type has not;
// of options, whose number is that of their bit, it refuses those that are not there.

let enumerations: [Enumeration] = [
  Enumeration(
    "NorthReference",
    module: "SightlineFusion",
    fallback: "arbitrary",
    ["trueNorth", "magnetic", "arbitrary"]
  ),
  Enumeration("PathState", module: "SightlineFusion", fallback: "lost", ["lost", "uncertainScale", "metric"]),
  Enumeration("UnavailableReason", module: "SightlineEngine", fallback: "missing", ["denied", "missing", "timedOut"]),
  Enumeration(
    "FailureReason",
    module: "SightlineEngine",
    fallback: "network",
    payload: Enumeration.Payload(),
    ["network", "timedOut", "status(status)", "malformed", "notAWorld", "refused"]
  ),
  Enumeration("Body", swift: "Ephemeris.Body", module: "SightlineGeodesy", fallback: "sun", ["sun", "moon"]),
  Enumeration(
    "RequestEvent",
    module: "SightlineEngine",
    ["initial=init", "refreshOnTime", "refreshOnDistance", "refreshOnPress"]
  ),
  Enumeration(
    "RequestSource",
    module: "SightlineEngine",
    payload: Enumeration.Payload(none: -1),
    ["none", "feature(index)", "overlay(index)"]
  ),
  Enumeration(
    "AlignmentOutcome",
    swift: "Alignment",
    module: "SightlineEngine",
    [
      "done", "noOrientation", "noPosition", "noDate", "tooClose", "tooSteep", "notInSky", "notThere", "fromCourse",
    ]
  ),
  Enumeration(
    "LabelLevel",
    module: "SightlineScene",
    ["card", "pill", "dot"],
    note: "How much of a label is shown: everything, its name alone, or a dot at its place."
  ),
  Enumeration(
    "ThingState",
    module: "SightlineScene",
    ["wanted", "drawn", "small"],
    note: "A thing in true size: to be fetched, drawn, or drawn so small that what moves may rest."
  ),
  Enumeration("EdgeSide", module: "SightlineScene", ["left", "right", "above", "below"]),
  Enumeration("RadarAttitude", module: "SightlineScene", ["upright", "flat", "upsideDown"]),
  Enumeration("Quality", module: "SightlineEngine", ["none", "poor", "good"]),
  Enumeration(
    "ContentStatus",
    module: "SightlineEngine",
    [
      "nothingOpened", "waitingForSensors", "loading", "ready", "refreshing", "outdated", "failed", "nothingInRange",
    ]
  ),
  Enumeration(
    "LocationStatus",
    module: "SightlineEngine",
    ["waiting", "denied", "missing", "good", "inaccurate", "stale"]
  ),
  Enumeration(
    "HeadingStatus",
    module: "SightlineEngine",
    [
      "waiting", "denied", "missing", "good", "noNorth", "inaccurate", "stale", "noMagneticNorth", "noDeclination",
      "disturbed", "aligned", "uncertain",
    ]
  ),
  Enumeration(
    "ActionKind",
    swift: "SceneAction",
    module: "SightlineScene",
    fallback: "none",
    payload: Enumeration.Payload(make: "AddressID($)", number: "$.rawValue", none: -1),
    ["none", "refresh", "webPage(address)", "dimension(address)"]
  ),
  Enumeration(
    "AnchorReferenceKind",
    swift: "WorldAnchor.Reference",
    module: "SightlineScene",
    fallback: "none",
    payload: Enumeration.Payload(none: -1),
    ["none", "anchor(anchor)", "user"]
  ),
  Enumeration("VisualKind", module: "SightlineScene", fallback: "text", ["text", "image", "model", "stop"]),
  Enumeration(
    "HeightDatum",
    module: "SightlineGeodesy",
    fallback: "ellipsoid",
    ["ellipsoid", "eye", "seaLevel", "ground"],
    note: "What a height is measured from: the WGS84 ellipsoid, the device, mean sea level, the ground at the place."
  ),
  Enumeration(
    "ContentPivot",
    module: "SightlineWorlds",
    fallback: "bottomCenter",
    [
      "topLeft=TL", "topCenter=TC", "topRight=TR", "centerLeft=CL", "center=CC", "centerRight=CR", "bottomLeft=BL",
      "bottomCenter=BC", "bottomRight=BR",
    ]
  ),
  Enumeration(
    "ObservationState",
    module: "SightlineCamera",
    ["found", "tracked", "carried", "lost"],
    note:
      "`found`: seen without use of earlier pictures; `tracked`: followed and seen in this one; `carried`: not seen in this one, "
      + "carried on; `lost`: nothing is known any more, said once."
  ),
  Enumeration(
    "MarkerDictionary",
    module: "SightlineMarkers",
    isOfDocuments: true,
    [
      "arucoOriginal=aruco-original", "grid4x4Of50=4x4-50", "grid4x4Of100=4x4-100", "grid4x4Of250=4x4-250",
      "grid4x4Of1000=4x4-1000", "grid5x5Of50=5x5-50", "grid5x5Of100=5x5-100", "grid5x5Of250=5x5-250",
      "grid5x5Of1000=5x5-1000", "grid6x6Of50=6x6-50", "grid6x6Of100=6x6-100", "grid6x6Of250=6x6-250",
      "grid6x6Of1000=6x6-1000", "grid7x7Of50=7x7-50", "grid7x7Of100=7x7-100", "grid7x7Of250=7x7-250",
      "grid7x7Of1000=7x7-1000", "arucoMip36h12=aruco-mip-36h12", "apriltag16h5=apriltag-16h5",
      "apriltag25h9=apriltag-25h9", "apriltag36h10=apriltag-36h10", "apriltag36h11=apriltag-36h11",
    ],
    note: "The dictionaries of square markers."
  ),
  Enumeration(
    "ModelFault",
    swift: "ModelError.Code",
    module: "SightlineModels",
    [
      "notGLB", "version", "truncated", "noJSON", "syntax", "limit", "missing", "type", "value", "reference",
      "hierarchy",
      "outside", "format", "count", "vertexIndex", "notFinite", "order", "external", "dataURI", "extension",
    ],
    note: "Why bytes are no model that can be drawn."
  ),
  Enumeration(
    "ModelPart",
    swift: "ModelError.Part",
    module: "SightlineModels",
    [
      "file", "chunk", "root", "asset", "buffer", "bufferView", "accessor", "image", "sampler", "texture", "material",
      "mesh", "node", "scene", "animation",
    ],
    note: "What of a model's file something is about."
  ),
  Enumeration(
    "ModelOmission",
    swift: "Model.Omissions",
    module: "SightlineModels",
    isOptions: true,
    ["pointsAndLines", "skins", "morphTargets", "furtherTextureCoordinates", "cameras", "extensions"],
    note: "What a model's file asks for that is left out."
  ),
  Enumeration(
    "ImageEncoding",
    swift: "ModelImage.Encoding",
    module: "SightlineModels",
    ["unknown=", "png=image/png", "jpeg=image/jpeg", "webp=image/webp"],
    note: "How a picture in a model is encoded; empty for something else."
  ),
  Enumeration("AlphaMode", swift: "ModelMaterial.AlphaMode", module: "SightlineModels", ["opaque", "mask", "blend"]),
  Enumeration(
    "RatingReason",
    swift: "TargetRating.Reasons",
    module: "SightlineImageTargets",
    isOptions: true,
    [
      "littleTexture=little-texture", "repeatsItself=repeats-itself", "lowContrast=low-contrast",
      "unevenlySpread=unevenly-spread", "tooSmall=too-small",
    ],
    note: "Why a picture is not found better."
  ),
  Enumeration(
    "DisplaySelection",
    swift: "DisplayRule.Selection",
    module: "SightlineScene",
    ["any=", "selected", "unselected"],
    note: "While what is selected a visual is shown; empty for always."
  ),
  Enumeration("CodeLevel", swift: "QRLevel", module: "SightlineQR", ["low=L", "medium=M", "quartile=Q", "high=H"]),
]

/// The enumeration of a name.
func enumeration(_ name: String) -> Enumeration {
  guard let found = enumerations.first(where: { $0.name == name }) else { fatalError("no enumeration \(name)") }
  return found
}
