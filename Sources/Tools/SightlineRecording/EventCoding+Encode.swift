import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineInput
import SightlineMath
import SightlineScene

/// Between events and the payloads of chunks.
enum EventCoding {
  /// The kind and payload of an event.
  static func encode(_ event: RecordingEvent) -> (kind: ChunkKind, payload: [UInt8]) {
    var out = ByteWriter()
    let kind = encode(event, &out)
    return (kind, out.bytes)
  }

  private static func encode(_ event: RecordingEvent, _ out: inout ByteWriter) -> ChunkKind {
    switch event {
    case .session(let event): return encode(event, &out)
    case .motion(let sample):
      encode(sample, &out)
      return .motion
    case .world(let request, let world):
      out.put(request.rawValue)
      encode(world, &out)
      return .world
    case .document(let document):
      out.put(document.mediaType)
      out.put(document.address)
      out.put(document.bytes)
      return .document
    case .picture(let picture):
      encode(picture, &out)
      return .picture
    case .truth(let truth):
      encode(truth, &out)
      return .truth
    case .note(let text):
      out.put(text)
      return .note
    case .tick: return .tick
    case .advance: return .advance
    }
  }

  private static func encode(_ event: SessionEvent, _ out: inout ByteWriter) -> ChunkKind {
    switch event {
    case .orientation(let reading): return encode(reading, &out)
    case .motion(let sample):
      encode(sample, &out)
      return .motion
    case .orientationUnavailable(let reason):
      out.put(reason.rawValue)
      return .orientationUnavailable
    case .fix(let fix):
      out.put(fix.latitudeDegrees)
      out.put(fix.longitudeDegrees)
      out.put(fix.altitude ?? .nan)
      out.put(fix.horizontalAccuracy)
      out.put(fix.verticalAccuracy ?? .nan)
      out.put(fix.courseDegrees ?? .nan)
      out.put(fix.speed ?? .nan)
      return .fix
    case .locationUnavailable(let reason):
      out.put(reason.rawValue)
      return .locationUnavailable
    case .display(let display):
      out.put(display.width)
      out.put(display.height)
      out.put(display.screenAngleDegrees)
      return .display
    case .camera(let picture):
      let lens = picture.intrinsics
      for value in [lens.width, lens.height, lens.focalX, lens.focalY, lens.centerX, lens.centerY] { out.put(value) }
      out.put(picture.rotationDegrees)
      return .camera
    case .pictureAge(let seconds):
      out.put(seconds)
      return .pictureAge
    case .calendar(let decimalYear):
      out.put(decimalYear)
      return .calendar
    case .open(let address):
      out.put(address.rawValue)
      return .open
    case .openBeside(let address, let world):
      out.put(world)
      out.put(address.rawValue)
      return .openBeside
    case .closeWorld(let world):
      out.put(world)
      return .closeWorld
    case .hideWorld(let world, let isHidden):
      out.put(world)
      out.put(isHidden)
      return .hideWorld
    case .observations(let observations):
      encode(observations, &out)
      return .observations
    case .survey(let anchor, let survey):
      encode(anchor, &out)
      out.put(survey != nil)
      if let survey { encode(survey, &out) }
      return .survey
    case .modelBounds(let feature, let bounds):
      out.put(feature)
      for corner in [bounds.low, bounds.high] { encode(corner, &out) }
      return .modelBounds
    case .loaded(let request, let world):
      out.put(request.rawValue)
      encode(RecordedWorld(description: world), &out)
      return .world
    case .failed(let request, let reason):
      out.put(request.rawValue)
      encode(reason, &out)
      return .failed
    default: return encodeTouch(event, &out)
    }
  }

  private static func encode(_ occupied: Occupied, _ out: inout ByteWriter) {
    let rectangles = occupied.rectangles.prefix(Occupied.most)
    out.put(UInt32(clamped: rectangles.count))
    for box in rectangles { for value in [box.x, box.y, box.width, box.height] { out.put(value) } }
    let sizes = occupied.arrowSizes.prefix(Occupied.most)
    out.put(UInt32(clamped: sizes.count))
    for size in sizes { for value in [size.x, size.y] { out.put(value) } }
  }

  /// What the user does.
  private static func encodeTouch(_ event: SessionEvent, _ out: inout ByteWriter) -> ChunkKind {
    switch event {
    case .refreshByHand: return .refreshByHand
    case .labelSize(let feature, let width, let height):
      out.put(feature)
      out.put(width)
      out.put(height)
      return .labelSize
    case .occupied(let occupied):
      encode(occupied, &out)
      return .occupied
    case .touch(let point):
      out.put(point.x)
      out.put(point.y)
      return .touch
    case .press(let feature):
      out.put(feature)
      return .press
    case .pressOverlay(let overlay):
      out.put(overlay)
      return .pressOverlay
    case .select(let feature):
      out.put(feature ?? -1)
      return .select
    case .toggleCluster(let cluster):
      out.put(cluster)
      return .toggleCluster
    case .setRadius(let metres):
      out.put(metres)
      return .setRadius
    case .setCategories(let mask):
      out.put(mask)
      return .setCategories
    case .setFrozen(let isFrozen):
      out.put(isFrozen)
      return .setFrozen
    case .suspend: return .suspend
    case .resume: return .resume
    default: return encodeAlignment(event, &out)
    }
  }

  /// What the user shows of north.
  private static func encodeAlignment(_ event: SessionEvent, _ out: inout ByteWriter) -> ChunkKind {
    switch event {
    case .dragWorld(let start, let end):
      for value in [start.x, start.y, end.x, end.y] { out.put(value) }
      return .dragWorld
    case .pointAtPlace(let place, let point):
      for value in [place.latitudeDegrees, place.longitudeDegrees, place.altitude] { out.put(value) }
      encode(point, &out)
      return .pointAtPlace
    case .pointAtFeature(let feature, let point):
      out.put(feature)
      encode(point, &out)
      return .pointAtFeature
    case .pointAtBody(let body, let point):
      out.put(body.rawValue)
      encode(point, &out)
      return .pointAtBody
    case .restoreHeadingCorrection(let correction):
      out.put(correction.angle.radians)
      out.put(correction.deviation.radians)
      out.put(correction.place.latitudeDegrees)
      out.put(correction.place.longitudeDegrees)
      out.put(correction.decimalYear ?? .nan)
      return .restoreHeadingCorrection
    case .forgetHeadingCorrections: return .forgetHeadingCorrections
    default: preconditionFailure("an event of the session that the recording has no chunk for")
    }
  }

  /// A point of the display; its centre is NaN.
  private static func encode(_ point: Vector2?, _ out: inout ByteWriter) {
    out.put(point?.x ?? .nan)
    out.put(point?.y ?? .nan)
  }

  private static func encode(_ reading: OrientationReading, _ out: inout ByteWriter) -> ChunkKind {
    switch reading {
    case .quaternion(let q, let north):
      for value in [q.w, q.x, q.y, q.z] { out.put(value) }
      out.put(north.rawValue)
      return .orientationQuaternion
    case .browserAngles(let alpha, let beta, let gamma, let north):
      for value in [alpha, beta, gamma] { out.put(value) }
      out.put(north.rawValue)
      return .orientationAngles
    case .browserAnglesWithCompass(let alpha, let beta, let gamma, let heading, let accuracy):
      for value in [alpha, beta, gamma, heading, accuracy] { out.put(value) }
      return .orientationWithCompass
    }
  }

  private static func encode(_ sample: MotionSample, _ out: inout ByteWriter) {
    let parts = [sample.angularVelocity, sample.specificForce, sample.magneticField]
    var mask: UInt8 = 0
    for (bit, part) in parts.enumerated() where part != nil { mask |= 1 << bit }
    out.put(mask)
    for case let part? in parts {
      out.put(part.x)
      out.put(part.y)
      out.put(part.z)
    }
  }

  private static func encode(_ reason: FailureReason, _ out: inout ByteWriter) {
    let (number, status): (UInt8, Int32) =
      switch reason {
      case .network: (0, 0)
      case .timedOut: (1, 0)
      case .status(let status): (2, status)
      case .malformed: (3, 0)
      case .notAWorld: (4, 0)
      case .refused: (5, 0)
      }
    out.put(number)
    out.put(status)
  }

  private static func encode(_ picture: RecordedPicture, _ out: inout ByteWriter) {
    out.put(picture.width)
    out.put(picture.height)
    switch picture.source {
    case .embedded(let format, let bytes):
      out.put(format.rawValue)
      out.put(bytes)
    case .video(let file, let frame):
      out.put(Self.videoFormat)
      out.put(frame)
      out.put(file)
    }
  }

  /// In the place of a ``PictureFormat``: a frame of a video file.
  static let videoFormat: UInt8 = 255

  private static func encode(_ truth: GroundTruth, _ out: inout ByteWriter) {
    let q = truth.eastNorthUpFromDevice
    for value in [q.w, q.x, q.y, q.z] { out.put(value) }
    out.put(truth.position.latitudeDegrees)
    out.put(truth.position.longitudeDegrees)
    out.put(truth.position.altitude)
    out.put(UInt32(clamping: truth.landmarks.count))
    for landmark in truth.landmarks {
      out.putRecord { record in
        record.put(landmark.feature)
        record.put(landmark.pixel.x)
        record.put(landmark.pixel.y)
        record.put(landmark.isVisible)
      }
    }
  }
}
