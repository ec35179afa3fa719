import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineInput
import SightlineMath
import SightlineScene

/// Between events and the payloads of chunks.
///
/// The session's events: EventCoding+Bindings.swift, which is generated.
enum EventCoding {
  /// The kind and payload of an event.
  static func encode(_ event: RecordingEvent) -> (kind: UInt16, payload: [UInt8]) {
    var out = ByteWriter()
    let kind = encode(event, &out)
    return (kind, out.bytes)
  }

  private static func encode(_ event: RecordingEvent, _ out: inout ByteWriter) -> UInt16 {
    switch event {
    case .session(let event): return encode(event, &out).rawValue
    case .motion(let sample): return encode(SessionEvent.motion(sample), &out).rawValue
    case .world(let request, let world):
      out.put(request.rawValue)
      encode(world, &out)
      return ChunkKind.world.rawValue
    case .document(let document):
      out.put(document.mediaType)
      out.put(document.address)
      out.put(document.bytes)
      return ChunkKind.document.rawValue
    case .picture(let picture):
      encode(picture, &out)
      return ChunkKind.picture.rawValue
    case .tracking(let event): return TrackingCoding.encode(event, &out).rawValue
    case .truth(let truth):
      encode(truth, &out)
      return ChunkKind.truth.rawValue
    case .note(let text):
      out.put(text)
      return ChunkKind.note.rawValue
    case .tick: return ChunkKind.tick.rawValue
    case .advance: return ChunkKind.advance.rawValue
    }
  }

  /// What covers the view; more of it than counts is not written.
  static func encodeOccupied(_ occupied: Occupied, _ out: inout ByteWriter) {
    let rectangles = occupied.rectangles.prefix(Occupied.most)
    out.put(UInt32(clamped: rectangles.count))
    for box in rectangles { for value in [box.x, box.y, box.width, box.height] { out.put(value) } }
    let sizes = occupied.arrowSizes.prefix(Occupied.most)
    out.put(UInt32(clamped: sizes.count))
    for size in sizes { for value in [size.x, size.y] { out.put(value) } }
  }

  /// The buildings around: of each its parts, of each of these base, roof and rings, the border first.
  static func encodeBuildings(_ buildings: [SceneBuilding], _ out: inout ByteWriter) {
    out.put(UInt32(clamped: buildings.count))
    for building in buildings {
      out.put(UInt32(clamped: building.parts.count))
      for part in building.parts {
        out.put(part.base)
        out.put(part.roof)
        out.put(UInt32(clamped: part.holes.count.saturatingAdd(1)))
        for ring in [part.outer] + part.holes {
          out.put(UInt32(clamped: ring.count))
          for corner in ring { for value in [corner.latitudeDegrees, corner.longitudeDegrees] { out.put(value) } }
        }
      }
    }
  }

  /// What becomes of labels of what is hidden.
  static func encodeSetHiddenLabels(_ labels: HiddenLabels, _ out: inout ByteWriter) { out.put(labels.rawValue) }

  /// The answer to a request, without the texts that people see.
  static func encodeLoaded(_ request: RequestID, _ world: WorldDescription, _ out: inout ByteWriter) {
    out.put(request.rawValue)
    encode(RecordedWorld(description: world), &out)
  }

  /// Where an anchor hangs, or that it hangs nowhere any more.
  static func encodeSurvey(_ anchor: AnchorID, _ survey: AnchorSurvey?, _ out: inout ByteWriter) {
    encode(anchor, &out)
    out.put(survey != nil)
    guard let survey else { return }
    encode(survey, &out)
    out.put(survey.altitudeDatum.rawValue)
  }

  /// The geoid's file: a recording says by itself what heights were.
  static func encodeGeoid(_ geoid: Geoid, _ out: inout ByteWriter) { out.put(geoid.bytes) }

  /// A byte whose bits say which parts there are, then these.
  static func encode(_ parts: [Vector3?], _ out: inout ByteWriter) {
    var mask: UInt8 = 0
    for (bit, part) in parts.enumerated() where part != nil { mask |= 1 << bit }
    out.put(mask)
    for case let part? in parts { encode(part, &out) }
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
