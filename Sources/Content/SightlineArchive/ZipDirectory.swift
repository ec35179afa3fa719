/// The structures at the end of a zip archive, read with every offset checked.
struct ZipDirectory {
  let bytes: UnsafeRawBufferPointer

  private func integer16(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  private func integer32(_ offset: Int) -> Int { integer16(offset) | integer16(offset + 2) << 16 }
  /// A 64-bit size or offset, `nil` when it is larger than any file.
  private func integer64(_ offset: Int) -> Int? {
    let high = integer32(offset + 4)
    return high < 1 << 30 ? integer32(offset) | high << 32 : nil
  }

  /// The files.
  func entries(limit: Int) throws -> [ZipArchive.Entry] {
    let (start, end, count) = try location()
    guard count <= limit else { throw ArchiveError.notAnArchive("it lists \(count) entries, more than \(limit)") }
    var entries: [ZipArchive.Entry] = []
    var at = start
    for number in 0..<count {
      guard at + 46 <= end, integer32(at) == 0x0201_4B50 else {
        throw ArchiveError.notAnArchive("entry \(number + 1) of its directory is missing")
      }
      let nameLength = integer16(at + 28)
      let extraLength = integer16(at + 30)
      let commentLength = integer16(at + 32)
      let next = at + 46 + nameLength + extraLength + commentLength
      guard next <= end else { throw ArchiveError.notAnArchive("entry \(number + 1) of its directory is cut off") }
      let name = String(decoding: bytes[(at + 46)..<(at + 46 + nameLength)], as: UTF8.self)
      var sizes = [integer32(at + 24), integer32(at + 20), integer32(at + 42)]
      try widen(&sizes, extra: (at + 46 + nameLength)..<(at + 46 + nameLength + extraLength), name: name)
      if !name.hasSuffix("/") {
        entries.append(
          ZipArchive.Entry(
            name: name,
            packedSize: sizes[1],
            size: sizes[0],
            method: integer16(at + 10),
            isEncrypted: integer16(at + 8) & 0x41 != 0,
            checksum: UInt32(truncatingIfNeeded: integer32(at + 16)),
            headerOffset: sizes[2]
          )
        )
      }
      at = next
    }
    return entries
  }

  /// Where an entry's packed bytes begin.
  func contentOffset(of entry: ZipArchive.Entry) throws -> Int {
    let at = entry.headerOffset
    guard at <= bytes.count - 30, integer32(at) == 0x0403_4B50 else {
      throw ArchiveError.damaged(entry: entry.name, "the directory points to where it does not begin")
    }
    let start = at + 30 + integer16(at + 26) + integer16(at + 28)
    guard start <= bytes.count, entry.packedSize <= bytes.count - start else {
      throw ArchiveError.damaged(entry: entry.name, "it is cut off")
    }
    return start
  }

  /// Start and end of the central directory, and its number of entries.
  private func location() throws -> (start: Int, end: Int, count: Int) {
    guard bytes.count >= 22 else { throw ArchiveError.notAnArchive("it has \(bytes.count) bytes") }
    // The end record is followed by a comment of up to 65,535 bytes.
    var at = bytes.count - 22
    let lowest = max(0, at - 65_535)
    while integer32(at) != 0x0605_4B50 || at + 22 + integer16(at + 20) > bytes.count {
      guard at > lowest else { throw ArchiveError.notAnArchive("the directory at its end is missing") }
      at -= 1
    }
    var count = integer16(at + 10)
    var size = integer32(at + 12)
    var start = integer32(at + 16)
    if at >= 20, integer32(at - 20) == 0x0706_4B50, let record = integer64(at - 12), record <= at - 20 - 56,
      integer32(record) == 0x0606_4B50, let wideCount = integer64(record + 32), let wideSize = integer64(record + 40),
      let wideStart = integer64(record + 48)
    {
      (count, size, start) = (wideCount, wideSize, wideStart)
    }
    guard start <= at, size <= at - start else { throw ArchiveError.notAnArchive("its directory lies outside of it") }
    return (start, start + size, count)
  }

  /// Replaces sizes of all ones by those of the 64-bit extension: unpacked, packed, offset.
  private func widen(_ sizes: inout [Int], extra: Range<Int>, name: String) throws {
    guard sizes.contains(0xFFFF_FFFF) else { return }
    var at = extra.lowerBound
    while at + 4 <= extra.upperBound {
      let length = integer16(at + 2)
      guard at + 4 + length <= extra.upperBound else { break }
      if integer16(at) == 1 {
        var field = at + 4
        for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
          guard field + 8 <= at + 4 + length, let value = integer64(field) else {
            throw ArchiveError.damaged(entry: name, "its 64-bit sizes are incomplete")
          }
          sizes[index] = value
          field += 8
        }
        return
      }
      at += 4 + length
    }
  }
}
