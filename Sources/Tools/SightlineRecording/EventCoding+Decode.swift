import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// What became of a payload.
enum Decoded {
  case event(RecordingEvent)
  /// A kind, or a value in it, that a later version has added.
  case unknown
  /// Too short for its kind, or it contradicts itself.
  case malformed
}

extension EventCoding {
  /// The event of a payload, which may be longer than this version knows.
  static func decode(kind: ChunkKind, _ payload: [UInt8], time: Double) -> Decoded {
    var source = ByteReader(payload[...])
    return decode(kind, &source, time: time)
  }

  static func decodeOther(_ kind: ChunkKind, _ source: inout ByteReader) -> Decoded {
    switch kind {
    case .document:
      guard let mediaType = source.text(), let address = source.text() else { return .malformed }
      let bytes = source.remainder()
      return .event(.document(RecordedDocument(mediaType: mediaType, address: address, bytes: bytes)))
    case .picture: return picture(&source)
    case .tick: return .event(.tick)
    case .advance: return .event(.advance)
    case .truth: return truth(&source).map { .event(.truth($0)) } ?? .malformed
    case .note: return source.text().map { .event(.note($0)) } ?? .malformed
    default: return .malformed
    }
  }

  static func decodeLoaded(_ source: inout ByteReader) -> Decoded {
    guard let request = source.i32(), let world = world(&source) else { return .malformed }
    return .event(.world(request: RequestID(request), world))
  }

  static func decodeObservations(_ source: inout ByteReader) -> Decoded {
    guard let known = observations(&source) else { return .malformed }
    return known.map { .event(.session(.observations($0))) } ?? .unknown
  }

  static func decodeSurvey(_ source: inout ByteReader) -> Decoded {
    guard let anchor = anchor(&source), let isKnown = source.bool() else { return .malformed }
    guard isKnown else { return .event(.session(.survey(anchor, nil))) }
    guard var survey = survey(&source) else { return .malformed }
    // Not in recordings of earlier versions.
    survey.altitudeDatum = source.u8().flatMap { HeightDatum(rawValue: $0) } ?? .ellipsoid
    return .event(.session(.survey(anchor, survey)))
  }

  static func decodeGeoid(_ source: inout ByteReader) -> Decoded {
    guard let geoid = try? Geoid(source.remainder()) else { return .malformed }
    return .event(.session(.geoid(geoid)))
  }

  static func decodeOccupied(_ source: inout ByteReader) -> Decoded {
    occupied(&source).map { .event(.session(.occupied($0))) } ?? .malformed
  }

  static func decodeBuildings(_ source: inout ByteReader) -> Decoded {
    guard let count = source.u32() else { return .malformed }
    var buildings: [SceneBuilding] = []
    // Each count is followed by as much: one that is too large ends where the bytes do.
    for _ in 0..<count {
      guard let parts = source.u32() else { return .malformed }
      var building = SceneBuilding([])
      for _ in 0..<parts {
        guard let part = buildingPart(&source) else { return .malformed }
        building.parts.append(part)
      }
      buildings.append(building)
    }
    return .event(.session(.buildings(buildings)))
  }

  static func decodeSetHiddenLabels(_ source: inout ByteReader) -> Decoded {
    guard let number = source.u8() else { return .malformed }
    return HiddenLabels(rawValue: number).map { .event(.session(.setHiddenLabels($0))) } ?? .unknown
  }

  private static func buildingPart(_ source: inout ByteReader) -> SceneBuilding.Part? {
    guard let base = source.f64(), let roof = source.f64(), let rings = source.u32(), rings > 0 else { return nil }
    var part = SceneBuilding.Part(outer: [], base: base, roof: roof)
    for number in 0..<rings {
      guard let corners = source.u32() else { return nil }
      var ring: [Geodetic] = []
      for _ in 0..<corners {
        guard let corner = point(&source) else { return nil }
        ring.append(Geodetic(latitudeDegrees: corner.x, longitudeDegrees: corner.y))
      }
      if number == 0 { part.outer = ring } else { part.holes.append(ring) }
    }
    return part
  }

  /// As many parts as there may be, those that a first byte says; `nil` when there is too little.
  static func vectors(_ count: Int, _ source: inout ByteReader) -> [Vector3?]? {
    guard let mask = source.u8() else { return nil }
    var parts = [Vector3?](repeating: nil, count: count)
    for bit in 0..<count where mask & (1 << bit) != 0 {
      guard let part = vector(&source) else { return nil }
      parts[bit] = part
    }
    return parts
  }

  /// A point of the display; NaN stands for its centre.
  static func displayPoint(_ x: Double, _ y: Double) -> Vector2? { x.isNaN || y.isNaN ? nil : Vector2(x, y) }

  /// What covers the view; more of it than counts is not read.
  private static func occupied(_ source: inout ByteReader) -> Occupied? {
    var occupied = Occupied()
    guard let count = source.u32(), count <= Occupied.most else { return nil }
    for _ in 0..<count {
      guard let corner = point(&source), let size = point(&source) else { return nil }
      occupied.rectangles.append(ScreenRectangle(x: corner.x, y: corner.y, width: size.x, height: size.y))
    }
    guard let arrows = source.u32(), arrows <= Occupied.most else { return nil }
    for _ in 0..<arrows {
      guard let size = point(&source) else { return nil }
      occupied.arrowSizes.append(size)
    }
    return occupied
  }

  private static func picture(_ source: inout ByteReader) -> Decoded {
    guard let width = source.i32(), let height = source.i32(), let format = source.u8() else { return .malformed }
    if format == videoFormat {
      guard let frame = source.u32(), let file = source.text() else { return .malformed }
      return .event(.picture(RecordedPicture(width: width, height: height, source: .video(file: file, frame: frame))))
    }
    guard let format = PictureFormat(rawValue: format) else { return .unknown }
    let bytes = source.remainder()
    return .event(.picture(RecordedPicture(width: width, height: height, source: .embedded(format, bytes: bytes))))
  }

  private static func truth(_ source: inout ByteReader) -> GroundTruth? {
    guard let w = source.f64(), let v = vector(&source), let position = vector(&source), let count = source.u32() else {
      return nil
    }
    var truth = GroundTruth(
      eastNorthUpFromDevice: Quaternion(w: w, x: v.x, y: v.y, z: v.z),
      position: Geodetic(latitudeDegrees: position.x, longitudeDegrees: position.y, altitude: position.z)
    )
    for _ in 0..<count {
      guard var record = source.record(), let feature = record.i32(), let pixel = point(&record),
        let isVisible = record.bool()
      else { return nil }
      truth.landmarks.append(GroundTruth.Landmark(feature: feature, pixel: pixel, isVisible: isVisible))
    }
    return truth
  }

  static func point(_ source: inout ByteReader) -> Vector2? {
    guard let x = source.f64(), let y = source.f64() else { return nil }
    return Vector2(x, y)
  }

  static func vector(_ source: inout ByteReader) -> Vector3? {
    guard let x = source.f64(), let y = source.f64(), let z = source.f64() else { return nil }
    return Vector3(x, y, z)
  }
}
