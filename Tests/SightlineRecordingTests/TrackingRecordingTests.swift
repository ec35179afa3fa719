import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineRecording

/// What world tracking was given: between events and chunks, and what becomes of chunks that are wrong.
@Suite struct TrackingRecordingTests {
  private static let answer = TrackingEvent.Answer((0..<TrackingEvent.Answer.length).map { Double($0) - 0.1 })

  private static let events: [TrackingEvent] =
    [
      .began(.init(width: 640, height: 480, focal: 502.5, screenAngle: 90, readout: -1)),
      .reading(.init(rate: Vector3(1, -2, 0.1), force: Vector3(0, 9.81, -0.0), heard: 1.5)),
      .tilt(.init(beta: 89.5, gamma: -3)), .frame(.init(heard: 2, lost: 3, isLimited: true)),
    ] + (answer.map { [.answer($0)] } ?? [])

  private func read(_ chunks: [[UInt8]]) throws -> (events: [TrackingEvent], reader: RecordingReader<BytesSource>) {
    let writer = try RecordingWriter(to: BytesSink(), header: RecordingHeader())
    var reader = try RecordingReader(from: BytesSource(writer.sink.bytes + chunks.flatMap(\.self)))
    var events: [TrackingEvent] = []
    while let entry = try reader.next() { if case .tracking(let event) = entry.event { events.append(event) } }
    return (events, reader)
  }

  @Test func `what was written is read again`() throws {
    #expect(Self.events.count == TrackingKind.allCases.count)
    var writer = try RecordingWriter(to: BytesSink(), header: RecordingHeader())
    for (k, event) in Self.events.enumerated() { try writer.append(.tracking(event), at: Double(k)) }
    try writer.finish()
    var reader = try RecordingReader(from: BytesSource(writer.sink.bytes))
    for (k, event) in Self.events.enumerated() {
      let entry = try #require(try reader.next())
      guard case .tracking(let read) = entry.event else {
        Issue.record("\(entry.event)")
        return
      }
      #expect(read == event && entry.time == Double(k))
    }
    #expect(try reader.next() == nil && reader.end == .complete)
  }

  @Test func `a longer payload is read, as far as it is known`() throws {
    for event in Self.events {
      let (kind, payload) = EventCoding.encode(.tracking(event))
      let (events, reader) = try read([RecordingFormat.chunk(kind: kind, payload: payload + [1, 2, 3], time: 0)])
      #expect(events == [event] && reader.end == .unfinished)
    }
  }

  @Test func `every shorter payload is damage, and never a trap`() throws {
    for event in Self.events {
      let (kind, payload) = EventCoding.encode(.tracking(event))
      for count in 0..<payload.count {
        let cut = RecordingFormat.chunk(kind: kind, payload: Array(payload.prefix(count)), time: 0)
        let (events, reader) = try read([cut])
        #expect(events.isEmpty)
        guard case .damaged(let damage)? = reader.end else {
          Issue.record("\(kind) with \(count) bytes: \(String(describing: reader.end))")
          continue
        }
        #expect(damage.reason == .content(kind: kind))
      }
    }
  }

  @Test func `any bytes are read without a trap`() throws {
    var generator = SplitMix64(seed: 22)
    for kind in TrackingKind.allCases {
      for _ in 0..<200 {
        let count = Int.random(in: 0...260, using: &generator)
        let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        _ = try read([RecordingFormat.chunk(kind: kind.rawValue, payload: payload, time: 1)])
      }
    }
  }

  @Test func `an answer is the same to the last bit, and NaN is NaN`() throws {
    var values = [Double](repeating: 1, count: TrackingEvent.Answer.length)
    values[3] = .nan
    let one = try #require(TrackingEvent.Answer(values))
    values[3] = .signalingNaN
    #expect(one.isSame(as: try #require(TrackingEvent.Answer(values))))
    values[4] = 1.0.nextUp
    #expect(!one.isSame(as: try #require(TrackingEvent.Answer(values))))
    #expect(TrackingEvent.Answer([1, 2]) == nil)
  }

  @Test func `without positions nothing of the camera's pictures stays`() {
    for event in Self.events { #expect(PositionStripper.keeps(.tracking(event))) }
    let picture = RecordedPicture(width: 1, height: 1, source: .embedded(.png, bytes: []))
    #expect(!PositionStripper.keeps(.picture(picture)))
  }
}
