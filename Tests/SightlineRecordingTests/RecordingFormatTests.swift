import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@testable import SightlineRecording

/// A recording in memory, and all that can be read of it.
func recorded(
  _ entries: [RecordingEntry],
  fields: [String: String] = ["writer": "test"],
  finished: Bool = true
) throws -> [UInt8] {
  var writer = try RecordingWriter(to: BytesSink(), header: RecordingHeader(time: 1, fields: fields))
  for entry in entries { try writer.append(entry.event, at: entry.time) }
  if finished { try writer.finish() }
  return writer.sink.bytes
}

func readAll(_ bytes: [UInt8]) throws -> (entries: [RecordingEntry], reader: RecordingReader<BytesSource>) {
  var reader = try RecordingReader(from: BytesSource(bytes))
  var entries: [RecordingEntry] = []
  while let entry = try reader.next() { entries.append(entry) }
  return (entries, reader)
}

func randomEntries(_ count: Int, seed: UInt64) -> [RecordingEntry] {
  var random = RandomEvents(generator: SplitMix64(seed: seed))
  return (0..<count).map { index in
    RecordingEntry(time: Double(index) / 60, event: random.event(index % RandomEvents<SplitMix64>.kinds))
  }
}

@Suite struct RecordingFormatTests {
  @Test func `the checksum is the one of gzip`() {
    #expect(CRC32.of(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(CRC32.of([]) == 0)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what was written is read again`(seed: UInt64) throws {
    let written = randomEntries(RandomEvents<SplitMix64>.kinds, seed: seed)
    let bytes = try recorded(written)
    let (read, reader) = try readAll(bytes)
    #expect(reader.end == .complete)
    #expect(reader.header.fields == ["writer": "test"])
    #expect(reader.header.time == 1)
    #expect(reader.skippedCount == 0)
    #expect(reader.chunkCount == UInt64(written.count + 2))
    #expect(reader.offset == UInt64(bytes.count))
    #expect(read.count == written.count)
    for (a, b) in zip(written, read) {
      #expect(a.time == b.time)
      switch (a.event, b.event) {
      // Its time is that of the chunk.
      case (.motion, .motion): break
      // A dictionary's description has any order.
      case (.world(let requestA, let worldA), .world(let requestB, let worldB)):
        #expect(requestA == requestB)
        #expect(worldA == worldB)
      default: #expect(String(describing: a.event) == String(describing: b.event), "seed \(seed)")
      }
    }
    // Written again it is the same, byte for byte, which covers −0 and the bits of NaN too.
    #expect(try recorded(read) == bytes, "seed \(seed)")
  }

  @Test func `every kind of chunk but the field of view has an event that writes it`() {
    var random = RandomEvents(generator: SplitMix64(seed: 3))
    let kinds = Set((0..<RandomEvents<SplitMix64>.kinds).map { EventCoding.encode(random.event($0)).kind })
    let session = Set(ChunkKind.allCases).subtracting([.header, .end, .cameraFieldOfView]).map(\.rawValue)
    #expect(kinds == Set(session + TrackingKind.allCases.map(\.rawValue)))
  }

  @Test func `of an earlier recording the thing says that its feature is over the ground`() throws {
    var world = WorldDescription()
    world.features = [SceneFeature(latitudeDegrees: 48, longitudeDegrees: 9)]
    world.features[0].altitudeDatum = .eye
    world.things = [SceneThing(feature: 0)]
    var (_, payload) = EventCoding.encode(.world(request: RequestID(1), RecordedWorld(description: world)))
    #expect(payload.last == 0)
    payload[payload.count - 1] = 1
    guard case .event(.world(_, let read)) = EventCoding.decode(kind: .world, payload, time: 0) else {
      Issue.record("it is not read")
      return
    }
    #expect(read.description.features[0].altitudeDatum == .ground && read.description.things == world.things)
    // A fix of an earlier version ends before its datum.
    var fix = EventCoding.encode(
      .session(
        .fix(LocationFix(latitudeDegrees: 1, longitudeDegrees: 2, altitudeDatum: .seaLevel, horizontalAccuracy: 3))
      )
    ).payload
    fix.removeLast()
    guard case .event(.session(.fix(let old))) = EventCoding.decode(kind: .fix, fix, time: 0) else {
      Issue.record("it is not read")
      return
    }
    #expect(old.altitudeDatum == .ellipsoid && old.horizontalAccuracy == 3)
  }

  @Test func `a motion sample gets the time of its chunk`() throws {
    let written = MotionSample(
      time: 0,
      angularVelocity: Vector3(1, 2, 3),
      specificForce: nil,
      magneticField: nil
    )
    let entry = RecordingEntry(time: 12.5, event: .motion(written))
    let event = try #require(try readAll(try recorded([entry])).entries.first?.event)
    guard case .motion(let sample) = event else { throw Unexpected() }
    #expect(sample.time == 12.5)
    #expect(sample.angularVelocity == Vector3(1, 2, 3))
    #expect(sample.specificForce == nil)
  }

  @Test func `a field of view stands for a lens`() throws {
    var payload = ByteWriter()
    for value in [1280.0, 720, 65] { payload.put(value) }
    let decoded = EventCoding.decode(kind: .cameraFieldOfView, payload.bytes, time: 0)
    guard case .event(.session(.camera(let picture))) = decoded else { throw Unexpected() }
    #expect(abs(picture.intrinsics.longSideFieldOfView.degrees - 65) < 1e-9)
    #expect(picture.intrinsics.height == 720)
  }

  /// The bytes of a small recording, so that other writers and readers can check theirs, and no change goes unnoticed.
  @Test func `the layout is the documented one`() throws {
    let bytes = try recorded([RecordingEntry(time: 2, event: .session(.touch(Vector2(1, 2))))], fields: ["a": "b"])
    let expected: [UInt8] =
      [0x89, 0x53, 0x4C, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
      + [14, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    #expect(Array(bytes.prefix(expected.count)) == expected)
    // Version 1, one field, "a", "b".
    #expect(Array(bytes[32..<46]) == [1, 0, 1, 0, 1, 0, 0, 0, 0x61, 1, 0, 0, 0, 0x62])
    #expect(Array(bytes[46..<62]) == [16, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40])
    #expect(bytes.count == 46 + 24 + 16 + 24 + 8)
    #expect(Array(bytes.suffix(8)) == [2, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `chunks of a later version are skipped`() throws {
    var bytes = try recorded([RecordingEntry(time: 1, event: .tick)], finished: false)
    bytes += chunk(kind: 999, [1, 2, 3])
    // A longer payload than is known, and a value of an enumeration that is not.
    bytes += chunk(kind: ChunkKind.setFrozen.rawValue, [1, 9, 9, 9])
    bytes += chunk(kind: ChunkKind.locationUnavailable.rawValue, [200])
    let (entries, reader) = try readAll(bytes)
    #expect(entries.count == 2)
    #expect(reader.skippedCount == 2)
    #expect(reader.end == .unfinished)
    guard case .session(.setFrozen(true)) = try #require(entries.last).event else { throw Unexpected() }
  }

  @Test func `a later version of the format is refused`() throws {
    var writer = try RecordingWriter(to: BytesSink(), header: RecordingHeader(version: 2))
    try writer.finish()
    #expect(throws: RecordingError.laterVersion(2)) { try RecordingReader(from: BytesSource(writer.sink.bytes)) }
  }

  @Test func `events that cannot be written are refused`() throws {
    var writer = try RecordingWriter(to: BytesSink(), header: RecordingHeader())
    #expect(throws: RecordingError.noTime) { try writer.append(.tick, at: .nan) }
    let large = RecordedDocument(
      mediaType: "",
      address: "",
      bytes: [UInt8](repeating: 0, count: RecordingFormat.largestPayload)
    )
    #expect(throws: RecordingError.tooLarge(bytes: RecordingFormat.largestPayload + 8)) {
      try writer.append(.document(large), at: 0)
    }
    #expect(writer.chunkCount == 1)
  }
}

/// A chunk as a foreign writer may make it.
func chunk(kind: UInt16, _ payload: [UInt8], time: Double = 5) -> [UInt8] {
  RecordingFormat.chunk(kind: kind, payload: payload, time: time)
}

struct Unexpected: Error {}
