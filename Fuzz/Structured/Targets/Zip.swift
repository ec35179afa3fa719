import CZlib
import Foundation
import SightlineArchive
import SightlineFormats

/// Makes zip archives, with what directories can say wrongly.
struct ZipMaker {
  /// Contents with their packed form.
  private var packed: [(content: [UInt8], deflated: [UInt8])] = []
  private let names = [
    "doc.kml", "a.txt", "feed/stops.txt", "b/", "../c.kml", "/d.kml", "e\\f.kml", "", "ä.kml", "DOC.KML",
  ]

  init(_ contents: [[UInt8]]) { packed = contents.map { ($0, Self.deflated($0)) } }

  /// Packed without header, by zlib.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(UInt(bytes.count))
    var out = [UInt8](repeating: 0, count: Int(length))
    guard compress2(&out, &length, bytes, UInt(bytes.count), 6) == Z_OK else { return [] }
    // Without zlib's two bytes in front and four behind.
    return Array(out[2..<(Int(length) - 4)])
  }

  func make(_ random: inout Random, into out: inout [UInt8], own: [UInt8]? = nil) {
    var directory: [UInt8] = []
    let count = random.number(in: own == nil ? 0...4 : 1...3)
    let isBroken = !random.once(in: 5)
    var offsets: [Int] = []
    for number in 0..<count {
      var one: (content: [UInt8], deflated: [UInt8]) = packed[random.below(packed.count)]
      if number == 0, let own { one = (own, []) }
      let isStored = one.deflated.isEmpty || one.content.count < 1_000 && random.once(in: 3)
      let bytes = isStored ? one.content : one.deflated
      let name = Array((number == 0 && own != nil ? "doc.kml" : names[random.below(names.count)]).utf8)
      let isWide = random.once(in: 8)
      var (size, packedSize, crc, method, flags) = (
        one.content.count, bytes.count, one.content.crc32(), isStored ? 0 : 8, 0
      )
      if isBroken, random.once(in: 3) {
        switch random.below(6) {
        case 0: size = Values.extremeInteger(&random)
        case 1: packedSize = Values.extremeInteger(&random)
        case 2: crc = Values.extremeInteger(&random)
        case 3: method = random.pick([0, 8, 9, 12, 99, 65_535])
        case 4: flags = random.pick([1, 8, 0x40, 0x800, 0xFFFF])
        default: size += random.number(in: -3...3)
        }
      }
      var offset = out.count
      out.put(0x0403_4B50, 4)
      for value in [20, flags, method, 0, 0] { out.put(value, 2) }
      for value in [crc, packedSize, size] { out.put(value, 4) }
      out.put(name.count, 2)
      out.put(isBroken && random.once(in: 20) ? Values.extremeInteger(&random) : 0, 2)
      out += name
      out += bytes
      offsets.append(offset)
      // Entries that lie in one another: the same bytes unpacked many times.
      if isBroken, random.once(in: 8) { offset = random.pick(offsets) }
      let times = isBroken && random.once(in: 300) ? random.number(in: 50...3_000) : 1
      for _ in 0..<times {
        directory.put(0x0201_4B50, 4)
        for value in [20, 20, flags, method, 0, 0] { directory.put(value, 2) }
        for value in isWide ? [crc, 0xFFFF_FFFF, 0xFFFF_FFFF] : [crc, packedSize, size] { directory.put(value, 4) }
        directory.put(name.count, 2)
        directory.put(isWide ? 28 : 0, 2)
        for value in [0, 0, 0] { directory.put(value, 2) }
        directory.put(0, 4)
        directory.put(isWide ? 0xFFFF_FFFF : offset, 4)
        directory += name
        if isWide {
          directory.put(1, 2)
          directory.put(isBroken && random.once(in: 6) ? Values.extremeInteger(&random) : 24, 2)
          for value in [size, packedSize, offset] { directory.put(value, 8) }
        }
      }
    }
    var (start, size, number) = (out.count, directory.count, count)
    if isBroken { directory.breakFieldsMaybe(&random) }
    out += directory
    if isBroken, random.once(in: 4) {
      switch random.below(3) {
      case 0: start = Values.extremeInteger(&random)
      case 1: size = Values.extremeInteger(&random)
      default: number = Values.extremeInteger(&random)
      }
    }
    if random.once(in: 8) {
      let record = out.count
      out.put(0x0606_4B50, 4)
      out.put(44, 8)
      out.put(45, 2)
      out.put(45, 2)
      out.put(0, 8)
      for value in [number, number, size, start] { out.put(value, 8) }
      out.put(0x0706_4B50, 4)
      out.put(0, 4)
      out.put(isBroken && random.once(in: 4) ? Values.extremeInteger(&random) : record, 8)
      out.put(1, 4)
      (start, size, number) = (0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF)
    }
    out.put(0x0605_4B50, 4)
    out.put(0, 4)
    out.put(number, 2)
    out.put(number, 2)
    out.put(size, 4)
    out.put(start, 4)
    let comment = isBroken && random.once(in: 10) ? random.below(300) : 0
    out.put(isBroken && random.once(in: 20) ? Values.extremeInteger(&random) : comment, 2)
    for _ in 0..<comment { out.append(0x50) }
    if isBroken, random.once(in: 6) { out.breakFields(&random) }
  }
}

extension [UInt8] {
  fileprivate mutating func breakFieldsMaybe(_ random: inout Random) { if random.once(in: 6) { breakFields(&random) } }
}

/// Zip archives: nothing is given out that the directory does not vouch for, and no more than is allowed.
struct ZipTarget: StructuredTarget {
  static let name = "zip"
  private let maker = ZipMaker([
    [], Array("a".utf8), Array("stop_id,stop_name\r\nA,Ulm\r\n".utf8), [UInt8](repeating: 0x61, count: 60_000),
    (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) },
  ])

  mutating func make(_ random: inout Random, into out: inout [UInt8]) { maker.make(&random, into: &out) }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    var limits = ZipArchive.Limits()
    limits.unpackedBytes = 4 << 20
    guard let archive = try? ZipArchive(data: Data(input), limits: limits) else { return .refused }
    var isRead = false
    // What a caller reads of an archive is his to bound; here a few entries.
    for entry in archive.entries.prefix(8) {
      guard let source = try? archive.open(entry), let content = try? source.readAll(limit: 1 << 20, name: entry.name)
      else { continue }
      try require(content.count == entry.size, "other size than the directory says", "\(content.count) \(entry.size)")
      isRead = true
    }
    return isRead ? .accepted : .refused
  }
}

/// KMZ: a document of KML in an archive.
struct KMZTarget: StructuredTarget {
  static let name = "kmz"
  private var documents = KMLTarget()
  private let maker = ZipMaker([
    Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><name>a</name></Placemark></kml>".utf8),
    Array("picture".utf8), [UInt8](repeating: 0x20, count: 30_000),
  ])

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    guard random.once(in: 2) else { return maker.make(&random, into: &out) }
    var document: [UInt8] = []
    documents.make(&random, into: &document)
    maker.make(&random, into: &out, own: document)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let (_, reading) = FormatRegistry.read(input)
    try DocumentChecks.problems(reading.problems, input)
    guard reading.dimension != nil else {
      try require(reading.problems.contains { $0.severity == .error }, "refused without a reason")
      return .refused
    }
    return .accepted
  }
}
