import Foundation
import SightlineCamera
import SightlineEngine
import SightlineFormats
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineOcclusion
import SightlinePictures
import SightlineRecording
import SightlineScene
import SightlineSimulator

/// Writes a simulation down as the page of a phone would have recorded it.
struct SimulationRecorder {
  private let simulation: Simulation
  private let camera: VirtualCamera?
  private var vision: SimulatedVision?
  private let quality: Int
  private var writer: RecordingWriter<FileSink>
  private(set) var pictureCount = 0

  init(
    _ simulation: Simulation,
    camera: VirtualCamera?,
    geoid: Geoid?,
    quality: Int,
    name: String,
    to sink: FileSink
  ) throws {
    self.simulation = simulation
    self.camera = camera
    self.quality = quality
    let script = simulation.script
    // Where nobody takes pictures, nothing is seen.
    vision = camera == nil ? nil : script.camera.flatMap { SimulatedVision(script, $0) }
    writer = try RecordingWriter(
      to: sink,
      header: RecordingHeader(fields: [
        "writer": "sightline simulate", "device": script.phone.name, "seed": "\(script.seed)", "script": name,
        "positions": "kept",
      ])
    )
    try writer.append(.session(.calendar(decimalYear: script.decimalYear)), at: 0)
    try writer.append(.session(.display(script.display)), at: 0)
    if let settings = script.camera {
      try writer.append(.session(.camera(CameraPicture(intrinsics: settings.intrinsics))), at: 0)
    }
    // As the page, which fetches it for phones that count from the ellipsoid.
    if let geoid, script.heightsAreAbsolute, script.phone.altitudeDatum == .ellipsoid {
      try writer.append(.session(.geoid(geoid)), at: 0)
    }
    // As the page, where the operator has a map.
    if let town = script.scenery.town {
      try writer.append(.session(.buildings(town.houses.map { building($0) })), at: 0)
    }
    if !script.scenery.landmarks.isEmpty || vision != nil {
      try writer.append(.session(.open(AddressID(1))), at: 0)
      try writer.append(.world(request: RequestID(1), world()), at: 0)
    }
  }

  private func building(_ house: Footprint) -> SceneBuilding {
    func ring(_ corners: [Vector2]) -> [Geodetic] {
      corners.map { simulation.frame.geodetic(Vector3($0.x, $0.y, 0)) }
    }
    return SceneBuilding([
      SceneBuilding.Part(
        outer: ring(house.outer),
        holes: house.holes.map(ring),
        base: house.base,
        roof: house.roof
      )
    ])
  }

  /// The landmarks as a world; feature *n* is landmark *n*.
  ///
  /// Behind them stands a name on each marker that the camera may see.
  private func world() -> RecordedWorld {
    let script = simulation.script
    var description = WorldDescription()
    for (index, landmark) in script.scenery.landmarks.enumerated() {
      let position = simulation.position(ofLandmark: index)
      var feature = SceneFeature(
        latitudeDegrees: position.latitudeDegrees,
        longitudeDegrees: position.longitudeDegrees
      )
      feature.key = UInt64(clamping: index + 1)
      // As documents mostly count them.
      feature.altitudeDatum = script.heightsAreAbsolute ? .seaLevel : .eye
      if script.heightsAreAbsolute {
        feature.altitude = position.altitude - script.seaHeight
      } else {
        feature.altitude = simulation.heightAboveEye(ofLandmark: index)
      }
      feature.width = Self.labelWidth(landmark.name)
      description.features.append(feature)
    }
    let names = vision?.names ?? []
    description.anchors = vision?.anchors ?? []
    for (index, name) in names.enumerated() {
      var feature = SceneFeature(latitudeDegrees: .nan, longitudeDegrees: .nan)
      feature.key = UInt64(clamping: script.scenery.landmarks.count + index + 1)
      feature.anchor = Int32(clamping: index)
      feature.width = Self.labelWidth(name)
      description.features.append(feature)
    }
    return RecordedWorld(
      description: description,
      title: "Landmarks",
      texts: script.scenery.landmarks.map(\.name) + names,
      addresses: [1: "simulation:landmarks"]
    )
  }

  /// About what a name takes at the label's size.
  private static func labelWidth(_ name: String) -> Double { Double(8 * name.count + 24) }

  mutating func take(_ event: SimulatedEvent, at time: Double) throws {
    switch event {
    case .motion(let sample, let browser):
      vision?.take(sample, at: time)
      try writer.append(.motion(Self.delivered(sample, browser)), at: time)
    case .orientation(let orientation):
      if let reading = Self.reading(orientation) { try writer.append(.session(.orientation(reading)), at: time) }
    case .fix(let fix):
      try writer.append(
        .session(
          .fix(
            LocationFix(
              latitudeDegrees: fix.latitudeDegrees,
              longitudeDegrees: fix.longitudeDegrees,
              altitude: fix.altitude,
              altitudeDatum: fix.altitudeDatum,
              horizontalAccuracy: fix.horizontalAccuracy,
              verticalAccuracy: fix.verticalAccuracy
            )
          )
        ),
        at: time
      )
    case .picture(let number, _):
      guard let camera else { return }
      pictureCount += 1
      let image = camera.picture(number, at: time)
      let picture = Picture(width: image.width, height: image.height, layout: .rgb, pixels: image.bytes)
      try writer.append(.picture(try encoded(picture)), at: time)
      if let seen = vision?.observations(in: picture, at: time) {
        try writer.append(.session(.observations(seen)), at: time)
      }
    case .tick(let truth):
      try writer.append(.truth(Self.truth(truth)), at: time)
      try writer.append(.tick, at: time)
    }
  }

  mutating func finish() throws { try writer.finish() }

  /// What a page hands on: the browser's numbers in the engine's units, but with the browser's own signs.
  private static func delivered(_ sample: MotionSample, _ browser: BrowserMotionEvent) -> MotionSample {
    var delivered = sample
    delivered.specificForce = browser.accelerationIncludingGravity
    return delivered
  }

  /// Where a browser gives both, a page takes the absolute orientation.
  private static func reading(_ orientation: SimulatedOrientation) -> OrientationReading? {
    let a = orientation.angles
    if let heading = orientation.compassHeading {
      return .browserAnglesWithCompass(
        alpha: a.alphaDegrees,
        beta: a.betaDegrees,
        gamma: a.gammaDegrees,
        heading: heading,
        accuracy: orientation.compassAccuracy ?? -1
      )
    }
    guard orientation.isAbsolute else { return nil }
    return .browserAngles(alpha: a.alphaDegrees, beta: a.betaDegrees, gamma: a.gammaDegrees, north: .magnetic)
  }

  private static func truth(_ truth: SimulatedTruth) -> GroundTruth {
    GroundTruth(
      eastNorthUpFromDevice: truth.state.worldFromDevice,
      position: truth.position,
      landmarks: truth.sights.map {
        GroundTruth.Landmark(
          feature: Int32(clamping: $0.landmark),
          pixel: $0.pixel,
          isVisible: $0.isInPicture && !$0.isHidden
        )
      }
    )
  }

  private func encoded(_ picture: Picture) throws -> RecordedPicture {
    let isExact = quality == 100
    let bytes = try isExact ? picture.png() : picture.jpeg(quality: quality)
    return RecordedPicture(
      width: Int32(clamping: picture.width),
      height: Int32(clamping: picture.height),
      source: .embedded(isExact ? .png : .jpeg, bytes: bytes)
    )
  }
}

/// Writes the truth as lines of JSON.
final class TruthWriter {
  private let file: OutputFile
  private let aspects: [Double]

  /// A writer to a path; `aspects` are height over width of the scenery's pictures.
  init(_ path: String, aspects: [Double]) throws {
    file = try OutputFile(path)
    self.aspects = aspects
  }

  func take(_ truth: SimulatedTruth, _ simulation: Simulation) throws {
    let s = truth.state
    func list(_ v: Vector3) -> String { "[\(v.x),\(v.y),\(v.z)]" }
    func list(_ v: Vector2) -> String { "[\(v.x),\(v.y)]" }
    let q = s.worldFromDevice
    var line =
      "{\"t\":\(truth.time),\"worldFromDevice\":[\(q.w),\(q.x),\(q.y),\(q.z)],\"position\":\(list(s.position)),"
      + "\"velocity\":\(list(s.velocity)),\"acceleration\":\(list(s.acceleration)),"
      + "\"angularVelocity\":\(list(s.angularVelocity)),\"latitude\":\(truth.position.latitudeDegrees),"
      + "\"longitude\":\(truth.position.longitudeDegrees),\"altitude\":\(truth.position.altitude),\"landmarks\":["
    line += truth.sights.map { sight in
      "{\"landmark\":\(sight.landmark),\"pixel\":\(list(sight.pixel)),\"display\":\(list(sight.displayPoint)),"
        + "\"distance\":\(sight.distance),\"visible\":\(sight.isInPicture && !sight.isHidden)}"
    }.joined(separator: ",")
    line += "],\"pictures\":["
    line += aspects.enumerated().map { index, aspect in
      guard let corners = simulation.corners(ofPicture: index, aspect: aspect, at: truth.time) else { return "null" }
      return "[" + corners.map { list($0) }.joined(separator: ",") + "]"
    }.joined(separator: ",")
    line += "],\"markers\":["
    line += simulation.script.scenery.pictures.enumerated().compactMap { index, picture in
      picture.marker.map { marker in
        let start =
          "{\"dictionary\":\(JSONTextWriter.quoted(marker.dictionary)),\"id\":\(marker.id),\"side\":\(marker.side),"
          + "\"picture\":\(index),"
        guard let seen = simulation.marker(ofPicture: index, at: truth.time) else { return start + "\"corners\":null}" }
        let corners = seen.corners.map { list($0) }.joined(separator: ",")
        let q = seen.cameraFromMarker
        // As the detector writes it.
        let r = q.w < 0 ? Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) : q
        return start + "\"corners\":[\(corners)],\"rotation\":[\(r.w),\(r.x),\(r.y),\(r.z)],"
          + "\"translation\":\(list(seen.translation)),\"visible\":\(seen.isVisible)}"
      }
    }.joined(separator: ",")
    try file.write([UInt8]((line + "]}\n").utf8))
  }

  func close() throws { try file.close() }
}
