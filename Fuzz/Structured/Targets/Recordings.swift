import SightlineEngine
import SightlineRecording
import SightlineScene

/// Recordings: events of every kind, their payloads broken field by field, their order and their times.
struct RecordingTarget: StructuredTarget {
  static let name = "recording"

  /// A generator for the events of the tests.
  private struct Source: RandomNumberGenerator {
    var random: Random
    mutating func next() -> UInt64 { random.next() }
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var events = RandomEvents(generator: Source(random: Random(seed: random.next(), index: 0)))
    guard let empty = try? RecordingWriter(to: BytesSink(), header: RecordingHeader()) else { return }
    out = empty.sink.bytes
    let start = out.count
    var time = random.once(in: 10) ? Values.extremeDouble(&random) : 0
    for _ in 0..<random.number(in: 1...14) {
      // Frames and what they need come often, for the others to be seen in them.
      let kind = random.once(in: 3) ? -1 : random.below(RandomEvents<Source>.kinds)
      let event = kind < 0 ? RecordingEvent.tick : events.event(kind)
      guard var one = try? RecordingWriter(to: BytesSink(), header: RecordingHeader()) else { return }
      time += random.once(in: 25) ? Values.extremeDouble(&random) : random.fraction() * 0.1
      try? one.append(event, at: time.isFinite ? time : 0)
      let chunk = Array(one.sink.bytes[start...])
      guard chunk.count >= 24 else { continue }
      var payload = Array(chunk[24...])
      var number = UInt16(truncatingIfNeeded: chunk.number(at: 4, 2))
      if random.once(in: 4) { payload.breakFields(&random) }
      if random.once(in: 40) { number = UInt16(random.below(128)) }
      let bytes = RecordingFormat.chunk(kind: number, payload: payload, time: time)
      for _ in 0..<(random.once(in: 20) ? 3 : 1) { out += bytes }
    }
    if random.once(in: 30) { out.breakFields(&random, from: 8) }
  }

  private struct Sink: ReplaySink {
    var isBroken = false
    mutating func take(_ frame: ReplayedFrame) { if SceneFrameJSON.line(frame).utf8.contains(10) { isBroken = true } }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let first = try? RecordingReader(from: BytesSource(input)) else { return .refused }
    do {
      var reader = first
      var writer = try RecordingWriter(to: BytesSink(), header: reader.header)
      var count = 0
      while let entry = try reader.next() {
        try writer.append(entry.event, at: entry.time)
        count += 1
      }
      try require(reader.end != nil, "ended without saying how")
      var again = try RecordingReader(from: BytesSource(writer.sink.bytes))
      var twice = try RecordingWriter(to: BytesSink(), header: again.header)
      while let entry = try again.next() { try twice.append(entry.event, at: entry.time) }
      try require(again.end == .unfinished, "not readable again", "\(String(describing: again.end))")
      try require(twice.sink.bytes == writer.sink.bytes, "differs when written again")
      var player = RecordingPlayer(first)
      var sink = Sink()
      try player.play(into: &sink)
      try require(!sink.isBroken, "a frame with a line end")
      try require(player.summary.frames <= count, "more frames than events")
      return count > 0 ? .accepted : .refused
    } catch let finding as Finding {
      throw finding
    } catch {
      throw Finding("not readable again", "\(error)")
    }
  }
}

/// Recordings played at a pace of one's own: leaps of the clock must not make frames without end.
struct ReplayTarget: StructuredTarget {
  static let name = "replay"
  private var recordings = RecordingTarget()

  private struct Sink: ReplaySink {
    var frames = 0
    mutating func take(_ frame: ReplayedFrame) { frames += 1 }
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) { recordings.make(&random, into: &out) }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let reader = try? RecordingReader(from: BytesSource(input)) else { return .refused }
    var player = RecordingPlayer(reader, pace: .every(1))
    var sink = Sink()
    guard (try? player.play(into: &sink)) != nil else { return .refused }
    return .accepted
  }
}
