import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@testable import SightlineRecording

/// A recorded session in which markers, a picture and a code are seen replays as it was.
@Suite struct ObservationRecordingTests {
  private static let marker = AnchorID.marker(dictionary: 11, id: 7)
  private static let picture = AnchorID.picture(31)
  private static let code = AnchorID.code(0xFEDC_BA98_7654_3210)

  private static let survey = AnchorSurvey(
    place: EastNorthUpFrame(origin: Walk.eye).geodetic(Vector3(0, 3, 0)),
    facing: Angle(degrees: 180),
    width: 0.3
  )

  private static var world: RecordedWorld {
    var world = Walk.world
    world.description.anchors = [
      WorldAnchor(marker, width: 0.3, survey: survey), WorldAnchor(picture, width: 0.5), WorldAnchor(code, width: 0.2),
    ]
    for (index, kind) in [VisualKind.text, .image, .model].enumerated() {
      var feature = SceneFeature(latitudeDegrees: .nan, longitudeDegrees: .nan)
      (feature.anchor, feature.kind, feature.width, feature.height) = (Int32(index), kind, 90, 30)
      if kind == .model {
        var model = ModelPlacement()
        model.scale = nil
        feature.model = model
      }
      world.description.features.append(feature)
      world.texts.append("on \(index)")
    }
    return world
  }

  /// From the front, so far away.
  private static func seen(_ anchor: AnchorID, _ state: ObservationState, x: Double, depth: Double) -> Observation {
    let (focal, half) = (700.0, 0.15)
    let (u, size) = (299.5 + focal * x / depth, focal * half / depth)
    let pose = PlanarPose(
      cameraFromPlane: Quaternion(w: 0, x: 1, y: 0, z: 0),
      translation: Vector3(x, 0, depth),
      reprojectionError: 0.07
    )
    return Observation(
      anchor,
      state: state,
      corners: [
        Vector2(u - size, 399.5 - size), Vector2(u + size, 399.5 - size), Vector2(u + size, 399.5 + size),
        Vector2(u - size, 399.5 + size),
      ],
      pose: anchor == code ? nil : pose,
      cornerSigma: state == .carried ? 12 : 0.2,
      confidence: 0.9,
      width: 0.3,
      track: anchor == marker ? 4 : -1,
      isResting: x == 0,
      unseen: state == .carried ? 0.1 : 0
    )
  }

  /// A walk during which things are seen 25 times a second.
  static func entries() -> [RecordingEntry] {
    var entries = Walk.entries().map { entry in
      guard case .world(let request, _) = entry.event else { return entry }
      return RecordingEntry(time: entry.time, event: .world(request: request, world))
    }
    let lens = Intrinsics(width: 600, height: 800, focalX: 700, focalY: 700, centerX: 299.5, centerY: 399.5)
    let camera = FrameCamera(intrinsics: lens, distortion: LensDistortion(k1: 0.01, k2: 0, p1: 0, p2: 0, k3: 0))
    func add(_ event: SessionEvent, at time: Double) {
      let place = entries.firstIndex { $0.time > time } ?? entries.count
      entries.insert(RecordingEntry(time: time, event: .session(event)), at: place)
    }
    add(.survey(code, survey), at: 10.3)
    add(.modelBounds(feature: 4, .init(low: Vector3(-1, 0, -1), high: Vector3(1, 3, 1))), at: 10.5)
    for step in 0..<30 {
      let time = 10.4 + Double(step) * 0.04
      var all = [seen(marker, step == 0 ? .found : .tracked, x: 0, depth: 3)]
      if step % 5 < 3 { all.append(seen(picture, step % 5 == 2 ? .carried : .tracked, x: 0.4, depth: 2)) }
      if step % 4 == 0 { all.append(seen(code, .tracked, x: -0.3, depth: 2.5)) }
      if step == 25 { all = [seen(marker, .lost, x: 0, depth: 3)] }
      add(.observations(Observations(time: time - 0.02, camera: camera, all)), at: time)
    }
    return entries
  }

  private func replay(_ bytes: [UInt8]) throws -> [String] {
    var lines: [String] = []
    var player = RecordingPlayer(try RecordingReader(from: BytesSource(bytes)))
    var sink = SceneFrameJSON { lines.append(String(decoding: $0, as: UTF8.self)) }
    try player.play(into: &sink)
    #expect(player.reader.end == .complete)
    return lines
  }

  @Test func `a recorded session with anchors replays byte for byte, also after it was read and written again`() throws
  {
    let bytes = try recorded(Self.entries())
    let lines = try replay(bytes)
    #expect(lines == (try replay(bytes)))
    let again = try recorded(try readAll(bytes).entries)
    let replayed = try replay(again)
    #expect(again == bytes && lines == replayed)
    // It is about something.
    let anchored = lines.filter { $0.contains(#""anchored":[{"feature":2,"text":"on 0","anchor":0"#) }
    #expect(anchored.count > 40)
    #expect(lines.contains { $0.contains(#""state":"carried""#) } && lines.contains { $0.contains(#""level":"dot""#) })
    #expect(lines.contains { $0.contains(#""cameraFromFeature":["#) })
    #expect(lines.last?.contains(#""anchors":[{"anchor":"#) == true)
    #expect(lines.contains { $0.contains("aligned done") })
  }

  @Test func `the player makes the frames that the session made when it was recorded`() throws {
    var session = Session()
    var expected: [(time: Double, anchored: String)] = []
    for entry in Self.entries() {
      switch entry.event {
      case .session(let event): session.handle(event, at: entry.time)
      case .world(let request, let world): session.handle(.loaded(request, world.description), at: entry.time)
      case .motion(let sample): session.handle(.motion(sample), at: entry.time)
      case .tick:
        session.makeFrame(at: entry.time)
        expected.append((session.frame.time, "\(session.frame.anchored)"))
      default: break
      }
    }
    struct Sink: ReplaySink {
      var made: [(time: Double, anchored: String)] = []
      mutating func take(_ frame: ReplayedFrame) { made.append((frame.frame.time, "\(frame.frame.anchored)")) }
    }
    var player = RecordingPlayer(try RecordingReader(from: BytesSource(try recorded(Self.entries()))))
    var sink = Sink()
    try player.play(into: &sink)
    #expect(sink.made.count == expected.count && expected.count > 50)
    for (a, b) in zip(sink.made, expected) { #expect(a.time == b.time && a.anchored == b.anchored) }
    #expect(session.surveyedCount > 2)
  }

  @Test func `surveys, codes and worlds are stripped, markers and pictures stay`() throws {
    var reader = try RecordingReader(from: BytesSource(try recorded(Self.entries())))
    var writer = try RecordingWriter(to: BytesSink(), header: PositionStripper.strip(reader.header))
    #expect(try PositionStripper.copy(&reader, to: &writer) > 0)
    let kept = try readAll(writer.sink.bytes).entries.compactMap { entry in
      if case .session(.observations(let observations)) = entry.event { observations } else { nil }
    }
    #expect(kept.count > 15)
    #expect(kept.allSatisfy { $0.all.allSatisfy { $0.anchor == Self.marker || $0.anchor == Self.picture } })
  }
}
