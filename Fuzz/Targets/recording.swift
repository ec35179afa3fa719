import SightlineRecording

/// Recordings: what can be read is written again, read again and played.
///
/// The fuzzer's bytes stand for the events behind a sound header: an event each, of which the first two bytes choose the
/// kind. Damage is tried as well: the same bytes as a file.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  play(bytes)
  guard var file = try? RecordingWriter(to: BytesSink(), header: RecordingHeader()).sink.bytes else { return 0 }
  var rest = bytes[...]
  var time = 0.0
  while rest.count >= 2 {
    let kind = UInt16(rest.removeFirst()) % 128
    let length = min(Int(rest.removeFirst()), rest.count)
    file += RecordingFormat.chunk(kind: kind, payload: Array(rest.prefix(length)), time: time)
    rest = rest.dropFirst(length)
    time += 0.02
  }
  play(file)
  return 0
}

private struct Sink: ReplaySink {
  func take(_ frame: ReplayedFrame) { precondition(!SceneFrameJSON.line(frame).contains("\n")) }
}

private func play(_ bytes: [UInt8]) {
  guard let reader = try? RecordingReader(from: BytesSource(bytes)) else { return }
  do {
    try check(reader, bytes)
  } catch {
    preconditionFailure("\(error)")
  }
}

private func check(_ first: RecordingReader<BytesSource>, _ bytes: [UInt8]) throws {
  var reader = first
  var writer = try RecordingWriter(to: BytesSink(), header: reader.header)
  while let entry = try reader.next() { try writer.append(entry.event, at: entry.time) }
  precondition(reader.end != nil, "ended without saying how")
  precondition(reader.offset == bytes.count || reader.end == .complete, "bytes left over")
  // What was read can be written, and is the same when it is read once more.
  var again = try RecordingReader(from: BytesSource(writer.sink.bytes))
  var twice = try RecordingWriter(to: BytesSink(), header: again.header)
  while let entry = try again.next() { try twice.append(entry.event, at: entry.time) }
  precondition(again.end == .unfinished, "not readable again")
  precondition(twice.sink.bytes == writer.sink.bytes, "differs when written again")
  var player = RecordingPlayer(first)
  var sink = Sink()
  try player.play(into: &sink)
}
