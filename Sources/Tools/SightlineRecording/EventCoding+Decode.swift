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
    switch kind {
    case .header, .end: return .malformed
    case .orientationQuaternion, .orientationAngles, .orientationWithCompass, .orientationUnavailable:
      return orientation(kind, &source)
    case .motion: return motion(&source, time)
    case .fix: return event(fix(&source).map { .fix($0) })
    case .locationUnavailable:
      guard let raw = source.u8() else { return .malformed }
      return known(UnavailableReason(rawValue: raw)) { .locationUnavailable($0) }
    case .display, .camera, .cameraFieldOfView, .calendar, .pictureAge: return event(optics(kind, &source))
    case .open, .openBeside, .closeWorld, .hideWorld: return event(worldChoice(kind, &source))
    case .codeSeen: return event(sighting(&source).map { .codeSeen($0) })
    case .world:
      guard let request = source.i32(), let world = world(&source) else { return .malformed }
      return .event(.world(request: RequestID(request), world))
    case .failed:
      guard let request = source.i32(), let number = source.u8(), let status = source.i32() else { return .malformed }
      return known(failure(number, status)) { .failed(RequestID(request), $0) }
    case .document:
      guard let mediaType = source.text(), let address = source.text() else { return .malformed }
      let bytes = source.remainder()
      return .event(.document(RecordedDocument(mediaType: mediaType, address: address, bytes: bytes)))
    case .picture: return picture(&source)
    case .tick: return .event(.tick)
    case .advance: return .event(.advance)
    case .truth: return truth(&source).map { .event(.truth($0)) } ?? .malformed
    case .note: return source.text().map { .event(.note($0)) } ?? .malformed
    case .occupied: return event(occupied(&source).map { .occupied($0) })
    case .refreshByHand, .labelSize, .touch, .press, .pressOverlay, .select, .toggleCluster, .setRadius, .setCategories,
      .setFrozen, .suspend, .resume:
      return event(user(kind, &source))
    case .dragWorld, .pointAtPlace, .pointAtFeature, .pointAtBody, .restoreHeadingCorrection, .forgetHeadingCorrections:
      return alignment(kind, &source)
    }
  }

  private static func event(_ event: SessionEvent?) -> Decoded { event.map { .event(.session($0)) } ?? .malformed }

  /// An event of a value that is `nil` when a later version has added it.
  private static func known<Value>(_ value: Value?, _ make: (Value) -> SessionEvent) -> Decoded {
    value.map { .event(.session(make($0))) } ?? .unknown
  }

  private static func orientation(_ kind: ChunkKind, _ source: inout ByteReader) -> Decoded {
    switch kind {
    case .orientationQuaternion:
      guard let w = source.f64(), let v = vector(&source), let north = source.u8() else { return .malformed }
      return known(NorthReference(rawValue: north)) {
        .orientation(.quaternion(worldFromDevice: Quaternion(w: w, x: v.x, y: v.y, z: v.z), north: $0))
      }
    case .orientationAngles:
      guard let angles = vector(&source), let north = source.u8() else { return .malformed }
      return known(NorthReference(rawValue: north)) {
        .orientation(.browserAngles(alpha: angles.x, beta: angles.y, gamma: angles.z, north: $0))
      }
    case .orientationWithCompass:
      guard let angles = vector(&source), let heading = source.f64(), let accuracy = source.f64() else {
        return .malformed
      }
      return .event(
        .session(
          .orientation(
            .browserAnglesWithCompass(
              alpha: angles.x,
              beta: angles.y,
              gamma: angles.z,
              heading: heading,
              accuracy: accuracy
            )
          )
        )
      )
    default:
      guard let raw = source.u8() else { return .malformed }
      return known(UnavailableReason(rawValue: raw)) { .orientationUnavailable($0) }
    }
  }

  private static func motion(_ source: inout ByteReader, _ time: Double) -> Decoded {
    guard let mask = source.u8() else { return .malformed }
    var parts: [Vector3?] = [nil, nil, nil]
    for bit in 0..<3 where mask & (1 << bit) != 0 {
      guard let part = vector(&source) else { return .malformed }
      parts[bit] = part
    }
    return .event(
      .motion(MotionSample(time: time, angularVelocity: parts[0], specificForce: parts[1], magneticField: parts[2]))
    )
  }

  private static func fix(_ source: inout ByteReader) -> LocationFix? {
    guard let position = vector(&source), let horizontal = source.f64(), let vertical = source.f64() else { return nil }
    // Not in recordings of the first days.
    let course = source.f64() ?? .nan
    let speed = source.f64() ?? .nan
    return LocationFix(
      latitudeDegrees: position.x,
      longitudeDegrees: position.y,
      altitude: position.z.isNaN ? nil : position.z,
      horizontalAccuracy: horizontal,
      verticalAccuracy: vertical.isNaN ? nil : vertical,
      courseDegrees: course.isNaN ? nil : course,
      speed: speed.isNaN ? nil : speed
    )
  }

  private static func optics(_ kind: ChunkKind, _ source: inout ByteReader) -> SessionEvent? {
    switch kind {
    case .display:
      guard let size = point(&source), let angle = source.i32() else { return nil }
      return .display(Display(width: size.x, height: size.y, screenAngleDegrees: angle))
    case .camera:
      guard let size = point(&source), let focal = point(&source), let center = point(&source), let turn = source.i32()
      else { return nil }
      let lens = Intrinsics(
        width: size.x,
        height: size.y,
        focalX: focal.x,
        focalY: focal.y,
        centerX: center.x,
        centerY: center.y
      )
      return .camera(CameraPicture(intrinsics: lens, rotationDegrees: turn))
    case .cameraFieldOfView:
      guard let size = point(&source), let degrees = source.f64(), size.x > 0, size.y > 0, degrees > 1, degrees < 179
      else { return nil }
      let lens = Intrinsics(width: size.x, height: size.y, longSideFieldOfView: Angle(degrees: degrees))
      return .camera(CameraPicture(intrinsics: lens))
    case .pictureAge: return source.f64().map { .pictureAge($0) }
    default: return source.f64().map { .calendar(decimalYear: $0) }
    }
  }

  private static func sighting(_ source: inout ByteReader) -> CodeSighting? {
    guard let place = vector(&source), let angles = vector(&source), let side = source.f64(), let a = point(&source),
      let b = point(&source), let c = point(&source), let d = point(&source), let size = point(&source),
      let age = source.f64()
    else { return nil }
    let code = SurveyedMarker(
      place: Geodetic(latitudeDegrees: place.x, longitudeDegrees: place.y, altitude: place.z),
      facing: Angle(radians: angles.x),
      elevation: Angle(radians: angles.y),
      roll: Angle(radians: angles.z),
      side: side
    )
    return CodeSighting(code: code, corners: Quadrilateral(a, b, c, d), pictureSize: size, age: age)
  }

  private static func worldChoice(_ kind: ChunkKind, _ source: inout ByteReader) -> SessionEvent? {
    guard let first = source.i32() else { return nil }
    switch kind {
    case .openBeside: return source.i32().map { .openBeside(AddressID($0), world: first) }
    case .closeWorld: return .closeWorld(first)
    case .hideWorld: return source.bool().map { .hideWorld(first, $0) }
    default: return .open(AddressID(first))
    }
  }

  private static func user(_ kind: ChunkKind, _ source: inout ByteReader) -> SessionEvent? {
    switch kind {
    case .refreshByHand: return .refreshByHand
    case .labelSize:
      guard let feature = source.i32(), let size = point(&source) else { return nil }
      return .labelSize(feature: feature, width: size.x, height: size.y)
    case .touch: return point(&source).map { .touch($0) }
    case .press: return source.i32().map { .press(feature: $0) }
    case .pressOverlay: return source.i32().map { .pressOverlay($0) }
    case .select: return source.i32().map { .select($0 < 0 ? nil : $0) }
    case .toggleCluster: return source.i32().map { .toggleCluster($0) }
    case .setRadius: return source.f64().map { .setRadius($0) }
    case .setCategories: return source.u64().map { .setCategories($0) }
    case .setFrozen: return source.bool().map { .setFrozen($0) }
    case .suspend: return .suspend
    default: return .resume
    }
  }

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

  private static func alignment(_ kind: ChunkKind, _ source: inout ByteReader) -> Decoded {
    switch kind {
    case .dragWorld:
      guard let start = point(&source), let end = point(&source) else { return .malformed }
      return event(.dragWorld(from: start, to: end))
    case .pointAtPlace:
      guard let place = vector(&source), let at = point(&source) else { return .malformed }
      let position = Geodetic(latitudeDegrees: place.x, longitudeDegrees: place.y, altitude: place.z)
      return event(.pointAtPlace(position, at: known(at)))
    case .pointAtFeature:
      guard let feature = source.i32(), let at = point(&source) else { return .malformed }
      return event(.pointAtFeature(feature, at: known(at)))
    case .pointAtBody:
      guard let raw = source.u8(), let at = point(&source) else { return .malformed }
      return known(Ephemeris.Body(rawValue: raw)) { .pointAtBody($0, at: known(at)) }
    case .restoreHeadingCorrection:
      guard let angles = point(&source), let place = point(&source), let year = source.f64() else { return .malformed }
      let correction = HeadingCorrection(
        angle: Angle(radians: angles.x),
        deviation: Angle(radians: angles.y),
        place: Geodetic(latitudeDegrees: place.x, longitudeDegrees: place.y),
        decimalYear: year.isNaN ? nil : year
      )
      return event(.restoreHeadingCorrection(correction))
    default: return event(.forgetHeadingCorrections)
    }
  }

  /// A point of the display; NaN stands for its centre.
  private static func known(_ point: Vector2) -> Vector2? { point.x.isNaN || point.y.isNaN ? nil : point }

  private static func failure(_ number: UInt8, _ status: Int32) -> FailureReason? {
    switch number {
    case 0: .network
    case 1: .timedOut
    case 2: .status(status)
    case 3: .malformed
    case 4: .notAWorld
    case 5: .refused
    default: nil
    }
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
