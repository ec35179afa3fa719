import SightlineArchive

@testable import SightlineTransit

/// CSV files as feeds have them: every row the same, in whatever pieces the bytes come.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let whole = rows(MemorySource(bytes))
  // An incomplete row is looked at again from its start with each piece: few pieces of a long input, single bytes of a short one.
  let size = max(1 + Int(bytes.last ?? 0) % 7, count / 24)
  precondition(whole == rows(Pieces(bytes, of: size)), "another reading in small pieces")
  return 0
}

/// Each row's line and fields; `nil` at the end for a refusal.
private func rows(_ source: any ByteSource) -> [[[UInt8]]?] {
  var found: [[[UInt8]]?] = []
  do {
    let reader = try CSVReader(source, name: "a.txt", capacity: 256)
    while try reader.next() {
      found.append((0..<reader.count).map { Array(reader[$0]) })
      for index in 0..<reader.count {
        _ = (reader[index].time, reader[index].day, reader[index].distance, reader[index].color, reader[index].decimal)
      }
    }
  } catch { found.append(nil) }
  return found
}
/// A source that gives a few bytes at a time.
private final class Pieces: ByteSource {
  private let bytes: [UInt8]
  private let size: Int
  private var position = 0

  init(_ bytes: [UInt8], of size: Int) {
    self.bytes = bytes
    self.size = size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(size, buffer.count, bytes.count - position)
    bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<(position + count)])) }
    position += count
    return count
  }
}
