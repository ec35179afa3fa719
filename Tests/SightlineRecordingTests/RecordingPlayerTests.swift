import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@testable import SightlineRecording

/// Keeps the frames.
private struct Frames: ReplaySink {
  var all: [ReplayedFrame] = []
  mutating func take(_ frame: ReplayedFrame) { all.append(frame) }
}

/// A phone held upright at the foot of Ulm's minster, panning from north to east; a place 100 m north and one 100 m east.
enum Walk {
  static let eye = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9916, altitude: 480)

  static var world: RecordedWorld {
    var description = WorldDescription()
    let frame = EastNorthUpFrame(origin: eye)
    for (east, north) in [(0.0, 100.0), (100.0, 0.0)] {
      let place = frame.geodetic(Vector3(east, north, 0))
      var feature = SceneFeature(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
      feature.altitudeDatum = .eye
      description.features.append(feature)
    }
    return RecordedWorld(description: description, title: "Ulm", texts: ["North", "East \"2\"\n"])
  }

  /// An upright phone looking at a bearing.
  static func orientation(bearing: Double) -> RecordingEvent {
    .session(.orientation(.browserAngles(alpha: 360 - bearing, beta: 90, gamma: 0, north: .trueNorth)))
  }

  static func entries(request: Int32 = 1, worldFirst: Bool = false, seconds: Double = 1.5) -> [RecordingEntry] {
    var out: [RecordingEntry] = []
    func add(_ event: RecordingEvent, at time: Double) { out.append(RecordingEntry(time: time, event: event)) }
    let answer = RecordingEvent.world(request: RequestID(request), world)
    add(.session(.display(Display(width: 400, height: 800))), at: 10)
    let lens = Intrinsics(width: 600, height: 800, longSideFieldOfView: Angle(degrees: 65))
    add(.session(.camera(CameraPicture(intrinsics: lens))), at: 10)
    add(.session(.open(AddressID(0))), at: 10)
    if worldFirst { add(answer, at: 10) }
    add(
      .session(
        .fix(
          LocationFix(
            latitudeDegrees: eye.latitudeDegrees,
            longitudeDegrees: eye.longitudeDegrees,
            altitude: eye.altitude,
            horizontalAccuracy: 5
          )
        )
      ),
      at: 10.1
    )
    add(orientation(bearing: 0), at: 10.2)
    if !worldFirst { add(answer, at: 10.3) }
    var time = 10.5
    var bearing = 0.0
    while time < 10.5 + seconds {
      add(orientation(bearing: bearing), at: time)
      if Int((time * 60).rounded()).isMultiple(of: 6) {
        let jpeg = RecordedPicture(width: 8, height: 6, source: .embedded(.jpeg, bytes: [1, 2, 3]))
        add(.picture(jpeg), at: time - 0.02)
      }
      let truth = GroundTruth(eastNorthUpFromDevice: .identity, position: eye)
      add(.truth(truth), at: time)
      add(.tick, at: time + 0.01)
      time += 1.0 / 60
      bearing = min(90, bearing + 1.5)
    }
    return out
  }
}

@Suite struct RecordingPlayerTests {
  private func play(
    _ bytes: [UInt8],
    pace: RecordingPlayer<BytesSource>.Pace = .recorded
  ) throws -> (frames: [ReplayedFrame], player: RecordingPlayer<BytesSource>) {
    var player = RecordingPlayer(try RecordingReader(from: BytesSource(bytes)), pace: pace)
    var sink = Frames()
    try player.play(into: &sink)
    return (sink.all, player)
  }

  private func lines(_ bytes: [UInt8]) throws -> [UInt8] {
    var out: [UInt8] = []
    var player = RecordingPlayer(try RecordingReader(from: BytesSource(bytes)))
    var sink = SceneFrameJSON { out += $0 }
    try player.play(into: &sink)
    return out
  }

  @Test(arguments: [1e9, 1e11, 9e11]) func `a clock that leaps makes no frames in the gap`(leap: Double) throws {
    var entries = Walk.entries(seconds: 0.5)
    let count = entries.count
    for entry in entries.prefix(count) { entries.append(RecordingEntry(time: entry.time + leap, event: entry.event)) }
    let (frames, player) = try play(try recorded(entries), pace: .every(1 / 30.0))
    #expect(player.summary.skippedGaps == 1)
    #expect((55...62).contains(frames.count), "twice a second and some, not \(frames.count) frames")
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.frame.time < $1.frame.time })
  }

  @Test func `an hour without an event is played, more is not`() throws {
    for (gap, frames, skipped) in [(3599.0, 3600, 0), (3605.0, 2, 1)] {
      let entries = [0, 0, gap].map { RecordingEntry(time: $0, event: .tick) }
      let (made, player) = try play(try recorded(entries), pace: .every(1))
      #expect(player.summary.skippedGaps == skipped)
      #expect((frames - 2...frames).contains(made.count), "\(made.count)")
    }
  }

  @Test func `a clock that leaps by less than an hour again and again makes an hour of frames`() throws {
    let entries = (0..<500).map { RecordingEntry(time: Double($0) * 3000, event: .tick) }
    let (made, player) = try play(try recorded(entries), pace: .every(1))
    #expect(player.summary.skippedGaps == 498)
    #expect((3000...3600).contains(made.count), "\(made.count)")
    // What lies closer together than a pause is all played.
    let dense = (0..<500).map { RecordingEntry(time: Double($0) * 9, event: .tick) }
    let (all, whole) = try play(try recorded(dense), pace: .every(1))
    #expect(whole.summary.skippedGaps == 0)
    #expect((4488...4492).contains(all.count), "\(all.count)")
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1.1e12, -1e300]) func `a time that is not finite is damage`(
    time: Double
  ) throws {
    let good = try recorded(Walk.entries(seconds: 0.1))
    // Before the end mark, which is the last chunk.
    let end = RecordingFormat.headSize + 8
    let bad = RecordingFormat.chunk(kind: ChunkKind.tick.rawValue, payload: [], time: time)
    let spoiled = Array(good.dropLast(end)) + bad + Array(good.suffix(end))
    var reader = try RecordingReader(from: BytesSource(spoiled))
    while try reader.next() != nil {}
    guard case .damaged(let damage)? = reader.end else { Issue.record("\(String(describing: reader.end))"); return }
    #expect(damage.reason == .head)
  }

  @Test func `worlds of any number can be open beside`() throws {
    for number in [Int32.min, -1, .max] {
      var entries = Walk.entries(seconds: 0.1)
      entries.insert(RecordingEntry(time: 10.15, event: .session(.openBeside(AddressID(1), world: number))), at: 5)
      _ = try play(try recorded(entries))
    }
  }

  @Test func `a place is drawn where it is`() throws {
    let (frames, player) = try play(try recorded(Walk.entries()))
    #expect(player.reader.end == .complete)
    #expect(frames.count == 90)
    #expect(player.summary.frames == 90)
    #expect(player.summary.validFrames == 90)
    #expect(frames.map(\.index) == Array(0..<90))
    let first = try #require(frames.first)
    let north = try #require(first.frame.items.first { $0.feature == 0 })
    #expect(abs(north.anchor.x - 200) < 0.5)
    #expect(abs(north.anchor.y - 400) < 0.5)
    #expect(abs(north.distance - 100) < 0.1)
    #expect(!first.frame.items.contains { $0.feature == 1 })
    let last = try #require(frames.last)
    #expect(abs(try #require(last.frame.items.first { $0.feature == 1 }).anchor.x - 200) < 0.5)
    #expect(abs(last.frame.bearing.degrees - 90) < 1e-6)
    #expect(last.world?.text(of: 0) == "North")
    #expect(last.truth?.value.position == Walk.eye)
  }

  @Test func `a picture belongs to the frames after it`() throws {
    let (frames, _) = try play(try recorded(Walk.entries()))
    let times = frames.compactMap { $0.picture?.time }
    #expect(times == times.sorted())
    #expect(Set(times).count > 10)
    for frame in frames { #expect((frame.picture?.time ?? 0) <= frame.frame.time) }
  }

  @Test func `equal recordings give equal bytes`() throws {
    let bytes = try recorded(Walk.entries())
    let first = try lines(bytes)
    #expect(first == (try lines(bytes)))
    #expect(first.count { $0 == UInt8(ascii: "\n") } == 90)
  }

  @Test func `a world finds the request that is waited for`() throws {
    let plain = try play(try recorded(Walk.entries())).frames
    for entries in [Walk.entries(request: 77), Walk.entries(worldFirst: true)] {
      let (frames, _) = try play(try recorded(entries))
      #expect(frames.count == plain.count)
      #expect(frames.last?.frame.items == plain.last?.frame.items)
      #expect(frames.last?.status.content == .ready)
    }
  }

  @Test func `a world that nobody asks for changes nothing`() throws {
    let entries = Walk.entries().filter {
      if case .session(.open) = $0.event { false } else { true }
    }
    let (frames, _) = try play(try recorded(entries))
    #expect(frames.last?.frame.items.isEmpty == true)
    #expect(frames.last?.world == nil)
  }

  @Test func `frames can be made at a pace of their own`() throws {
    let (frames, _) = try play(try recorded(Walk.entries()), pace: .every(0.1))
    let times = frames.map(\.frame.time)
    #expect(times.count == 19)
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 0.1) < 1e-9) }
    #expect(frames.last?.frame.isValid == true)
  }

  @Test func `a damaged recording plays up to the damage as the whole one does`() throws {
    let bytes = try recorded(Walk.entries())
    let whole = try lines(bytes)
    let entries = try readAll(bytes).entries
    let place = Int(entries[entries.count / 2].offset)
    var changed = bytes
    changed[place + 9] ^= 8
    for damaged in [changed, Array(bytes.prefix(place + 10))] {
      let part = try lines(damaged)
      #expect(part.count > 1000)
      #expect(Array(whole.prefix(part.count)) == part)
      let (frames, player) = try play(damaged)
      #expect(frames.count > 20)
      #expect(player.reader.end != .complete)
      #expect("\(try #require(player.reader.end))".contains("byte \(place)"))
    }
  }

  @Test func `random events never stop the engine`() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = RandomEvents(generator: SplitMix64(seed: seed))
      var entries = Walk.entries(seconds: 0.2)
      for index in entries.indices where index > 4 && index.isMultiple(of: 2) {
        let event = random.event(Int.random(in: 0..<RandomEvents<SplitMix64>.kinds, using: &random.generator))
        entries.insert(RecordingEntry(time: entries[index].time, event: event), at: index)
      }
      let (frames, _) = try play(try recorded(entries))
      #expect(frames.count >= 12, "seed \(seed)")
    }
  }

  @Test func `nothing that is stripped tells a place`() throws {
    var reader = try RecordingReader(
      from: BytesSource(try recorded(Walk.entries(), fields: ["writer": "w", "script": "ulm.txt", "device": "d"]))
    )
    var writer = try RecordingWriter(to: BytesSink(), header: PositionStripper.strip(reader.header))
    let removed = try PositionStripper.copy(&reader, to: &writer)
    let (entries, stripped) = try readAll(writer.sink.bytes)
    #expect(stripped.end == .complete)
    #expect(stripped.header.fields == ["writer": "w", "device": "d", "positions": "stripped"])
    #expect(entries.count + removed == Walk.entries().count)
    #expect(entries.allSatisfy { PositionStripper.keeps($0.event) })
    let (frames, _) = try play(writer.sink.bytes)
    #expect(frames.count == 90)
    #expect(frames.allSatisfy { $0.frame.eyeInWorld == .zero && $0.frame.items.isEmpty })
  }

  @Test func `a line of JSON names everything`() throws {
    let (frames, _) = try play(try recorded(Walk.entries()))
    let line = SceneFrameJSON.line(try #require(frames.last))
    for part in [
      #"{"frame":89,"time":"#, #""status":["ready","good","good"]"#, #""feature":1,"text":"East \"2\"\n""#,
      #""radar":{"available":true"#, #""arrows":[{"side":"left""#,
    ] {
      #expect(line.contains(part), "\(part)")
    }
    #expect("\u{1}é\"\\".json == "\"\\u0001é\\\"\\\\\"")
    #expect(Double.nan.json == "null")
  }
}
