import SightlineTestSupport
import Testing

@testable import SightlineRecording

@Suite struct RecordingDamageTests {
  @Test func `a cut at any byte plays what is whole`() throws {
    let written = randomEntries(68, seed: 5)
    let bytes = try recorded(written)
    let offsets = try readAll(bytes).entries.map { Int($0.offset) }
    var random = SplitMix64(seed: 6)
    for _ in 0..<300 {
      let cut = Int.random(in: offsets[0]..<bytes.count, using: &random)
      let (entries, reader) = try readAll(Array(bytes.prefix(cut)))
      // An event is whole when the next one's chunk, or the end mark's, could begin before the cut.
      let ends = offsets.dropFirst() + [bytes.count - 32]
      #expect(entries.count == ends.count { $0 <= cut }, "cut at \(cut)")
      if cut == offsets[0] || ends.contains(cut) {
        #expect(reader.end == .unfinished)
      } else {
        guard case .truncated(let damage) = reader.end else { throw Unexpected() }
        #expect(damage.reason == .cut)
        #expect(damage.offset + damage.bytesLost == UInt64(cut))
        #expect(damage.chunksAfter == 0)
      }
    }
  }

  @Test func `a changed byte stops the reading where it is, and says how much is lost`() throws {
    let written = randomEntries(102, seed: 7)
    let bytes = try recorded(written)
    let whole = try readAll(bytes).entries
    var random = SplitMix64(seed: 8)
    for _ in 0..<300 {
      let index = Int.random(in: 0..<whole.count, using: &random)
      let start = Int(whole[index].offset)
      let next = index + 1 < whole.count ? Int(whole[index + 1].offset) : bytes.count - 32
      let place = Int.random(in: start..<next, using: &random)
      var damaged = bytes
      damaged[place] ^= UInt8.random(in: 1...255, using: &random)
      let (entries, reader) = try readAll(damaged)
      #expect(entries.count == index, "byte \(place)")
      guard case .damaged(let damage) = reader.end else { throw Unexpected() }
      #expect(damage.offset == UInt64(start))
      #expect(damage.bytesLost == UInt64(bytes.count - start))
      #expect(damage.chunksBefore == UInt64(index + 1))
      // All events behind the damaged one are found again.
      #expect(damage.chunksAfter == UInt64(whole.count - index - 1), "byte \(place)")
      if damage.chunksAfter > 0 { #expect(damage.lastTimeAfter == whole.last?.time) }
    }
  }

  @Test func `missing bytes are noticed`() throws {
    let bytes = try recorded(randomEntries(68, seed: 9))
    let whole = try readAll(bytes).entries
    let place = Int(whole[30].offset) + 10
    let (entries, reader) = try readAll(Array(bytes[..<place] + bytes[(place + 3)...]))
    #expect(entries.count == 30)
    guard case .damaged(let damage) = reader.end else { throw Unexpected() }
    #expect(damage.chunksAfter == UInt64(whole.count - 31))
  }

  @Test func `a payload that contradicts its kind stops the reading`() throws {
    for kind in ChunkKind.allCases
    where ![.end, .refreshByHand, .suspend, .resume, .tick, .advance, .forgetHeadingCorrections].contains(kind) {
      let bytes = try recorded([], finished: false) + chunk(kind: kind.rawValue, [])
      let (entries, reader) = try readAll(bytes)
      #expect(entries.isEmpty)
      guard case .damaged(let damage) = reader.end else { throw Unexpected() }
      #expect(damage.reason == .content(kind: kind.rawValue))
    }
  }

  @Test func `what is no recording is refused`() throws {
    let bytes = try recorded([])
    #expect(throws: RecordingError.noRecording) { try RecordingReader(from: BytesSource([])) }
    #expect(throws: RecordingError.noRecording) { try RecordingReader(from: BytesSource(Array("{\"a\":1}".utf8))) }
    #expect(throws: RecordingError.noHeader) { try RecordingReader(from: BytesSource(Array(bytes.prefix(30)))) }
    var text = bytes
    text.remove(at: 4)
    #expect(throws: RecordingError.transferredAsText) { try RecordingReader(from: BytesSource(text)) }
    var broken = bytes
    broken[34] ^= 1
    #expect(throws: RecordingError.noHeader) { try RecordingReader(from: BytesSource(broken)) }
  }

  @Test func `false counts cost no memory`() throws {
    var payload = ByteWriter()
    payload.put(1 as Int32)
    payload.put("title")
    payload.putRecord { head in
      head.put(1000.0)
      head.put(true)
      head.put(0.0)
      head.put(0.0)
      head.put(-1 as Int32)
    }
    payload.put(UInt32.max)
    let bytes = try recorded([], finished: false) + chunk(kind: ChunkKind.world.rawValue, payload.bytes)
    guard case .damaged = try readAll(bytes).reader.end else { throw Unexpected() }
    // A length that reaches beyond the end.
    let long = ChunkHead(length: 60 << 20, kind: 80, time: 0, payloadChecksum: 0).bytes
    let (_, reader) = try readAll(try recorded([], finished: false) + long + [1, 2, 3])
    guard case .truncated(let damage) = reader.end else { throw Unexpected() }
    #expect(damage.bytesLost == 27)
  }

  /// A source that hands out a few bytes at a time reads the same.
  @Test func `the size of read blocks does not matter`() throws {
    struct Slow: RecordingSource {
      var source: BytesSource
      mutating func read(upTo count: Int) -> [UInt8] { source.read(upTo: min(count, 7)) }
    }
    let bytes = try recorded(randomEntries(34, seed: 10))
    var damaged = bytes
    damaged[bytes.count / 2] ^= 4
    for input in [bytes, damaged] {
      var reader = try RecordingReader(from: Slow(source: BytesSource(input)))
      var count = 0
      while try reader.next() != nil { count += 1 }
      let (entries, whole) = try readAll(input)
      #expect(count == entries.count)
      #expect(reader.end == whole.end)
    }
  }
}
