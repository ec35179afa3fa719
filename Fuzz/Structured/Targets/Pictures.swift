import SightlinePictures

/// Picture files: whole ones of each kind, broken in their chunks, segments, headers and checksums made right.
struct PictureTarget: StructuredTarget {
  static let name = "picture"
  private let samples: [(name: String, bytes: [UInt8])]

  init() {
    samples = Files.list(["Fixtures/pictures"]).compactMap { path in
      Files.load(path).map { (path, $0) }
    }
    precondition(!samples.isEmpty, "no Fixtures/pictures; run it in the root of the repository")
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let (name, bytes) = samples[random.below(samples.count)]
    out = bytes
    guard !random.once(in: 8) else { return }
    switch name.suffix(3) {
    case "png": breakPNG(&out, &random)
    case "jpg": breakJPEG(&out, &random)
    case "ebp": breakWebP(&out, &random)
    default: breakPNM(&out, &random)
    }
    if random.once(in: 10) { out.breakFields(&random) }
  }

  private func breakPNG(_ bytes: inout [UInt8], _ random: inout Random) {
    var chunks: [(type: [UInt8], data: [UInt8])] = []
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes.number(at: at, 4, isBig: true)
      guard at + 12 + length <= bytes.count else { break }
      chunks.append((Array(bytes[(at + 4)..<(at + 8)]), Array(bytes[(at + 8)..<(at + 8 + length)])))
      at += 12 + length
    }
    let extra = [
      "PLTE", "tRNS", "gAMA", "tEXt", "zTXt", "iCCP", "IDAT", "IHDR", "IEND", "acTL", "eXIf", "sBIT", "pHYs", "abcd",
    ]
    for _ in 0..<random.number(in: 1...3) where !chunks.isEmpty {
      let one = random.below(chunks.count)
      switch random.below(8) {
      case 0, 1:
        // The header: width, height, depth, colours, packing, filter, interlacing.
        let field = random.pick([0, 4, 8, 9, 10, 11, 12])
        let value =
          field < 8
          ? random.pick([0, 1, 2, 7, 255, 256, 65_535, 1 << 20, 1 << 30, Int(Int32.max)])
          : random.pick([0, 1, 2, 3, 4, 6, 7, 8, 16, 32, 255])
        chunks[0].data.set(value, at: field, field < 8 ? 4 : 1, isBig: true)
      case 2: chunks[one].data.breakFields(&random)
      case 3: chunks.insert(chunks[one], at: random.below(chunks.count + 1))
      case 4: chunks.remove(at: one)
      case 5: chunks.swapAt(one, random.below(chunks.count))
      case 6:
        let data = (0..<random.below(900)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        chunks.insert((Array(random.pick(extra).utf8), data), at: random.below(chunks.count + 1))
      default: chunks[one].type = Array(random.pick(extra).utf8)
      }
    }
    var out = Array(bytes[..<8])
    for chunk in chunks {
      let isWrong = random.once(in: 40)
      out.putBig(isWrong ? Values.extremeInteger(&random) : chunk.data.count, 4)
      let start = out.count
      out += chunk.type
      out += chunk.data
      out.putBig(out.crc32(from: start) &+ (random.once(in: 60) ? 1 : 0), 4)
    }
    bytes = out
  }

  private func breakJPEG(_ bytes: inout [UInt8], _ random: inout Random) {
    var segments: [[UInt8]] = []
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 1] != 0xDA {
      let length = bytes.number(at: at + 2, 2, isBig: true)
      guard at + 2 + length <= bytes.count else { break }
      segments.append(Array(bytes[at..<(at + 2 + length)]))
      at += 2 + length
    }
    var rest = Array(bytes[at...])
    if random.once(in: 3) { segments.insert(exif(&random), at: random.below(segments.count + 1)) }
    for _ in 0..<random.number(in: 0...3) where !segments.isEmpty {
      let one = random.below(segments.count)
      switch random.below(7) {
      case 0:
        if let frame = segments.firstIndex(where: { [0xC0, 0xC1, 0xC2].contains($0[1]) }) {
          let field = random.pick([4, 5, 7, 9, 10, 11, 12, 13])
          segments[frame].set(
            random.pick([0, 1, 2, 3, 4, 8, 12, 16, 0x11, 0x22, 0x44, 0xFF, 0xFFFF, 1_000]),
            at: field,
            field == 5 || field == 7 ? 2 : 1,
            isBig: true
          )
        }
      case 1, 2: segments[one].breakFields(&random, from: 2)
      case 3: segments.insert(segments[one], at: random.below(segments.count + 1))
      case 4: segments.remove(at: one)
      case 5: segments.swapAt(one, random.below(segments.count))
      default: segments[one].set(random.pick([0, 1, 2, 3, 0xFFFF, 300]), at: 2, 2, isBig: true)
      }
    }
    if random.once(in: 4) { rest.breakFields(&random) }
    bytes = [0xFF, 0xD8] + segments.flatMap { $0 } + rest
  }

  /// A segment of Exif with the orientation, in either order of bytes, with directories that lead anywhere.
  private func exif(_ random: inout Random) -> [UInt8] {
    let isBig = random.once(in: 2)
    var tiff: [UInt8] = []
    func put(_ value: Int, _ width: Int) { if isBig { tiff.putBig(value, width) } else { tiff.put(value, width) } }
    tiff += isBig ? [0x4D, 0x4D] : [0x49, 0x49]
    put(42, 2)
    put(random.once(in: 4) ? Values.extremeInteger(&random) : 8, 4)
    let entries = random.number(in: 0...4)
    put(random.once(in: 6) ? Values.extremeInteger(&random) : entries, 2)
    for _ in 0..<entries {
      put(random.pick([0x112, 0x112, 0x8769, 0x100, 0xFFFF]), 2)
      put(random.pick([3, 3, 4, 1, 0, 99]), 2)
      put(random.once(in: 4) ? Values.extremeInteger(&random) : 1, 4)
      put(random.once(in: 3) ? Values.extremeInteger(&random) : random.number(in: 0...9), 2)
      put(0, 2)
    }
    put(random.once(in: 2) ? 8 : Values.extremeInteger(&random), 4)
    var out: [UInt8] = [0xFF, 0xE1]
    out.putBig(random.once(in: 8) ? Values.extremeInteger(&random) : tiff.count + 8, 2)
    return out + Array("Exif\0\0".utf8) + tiff
  }

  private func breakWebP(_ bytes: inout [UInt8], _ random: inout Random) {
    var chunks: [(type: [UInt8], data: [UInt8])] = []
    var at = 12
    while at + 8 <= bytes.count {
      let length = bytes.number(at: at + 4, 4)
      guard at + 8 + length <= bytes.count else { break }
      chunks.append((Array(bytes[at..<(at + 4)]), Array(bytes[(at + 8)..<(at + 8 + length)])))
      at += 8 + length + length % 2
    }
    for _ in 0..<random.number(in: 1...3) where !chunks.isEmpty {
      let one = random.below(chunks.count)
      switch random.below(6) {
      case 0, 1: chunks[one].data.breakFields(&random)
      case 2: chunks.insert(chunks[one], at: random.below(chunks.count + 1))
      case 3: chunks.remove(at: one)
      case 4: chunks.swapAt(one, random.below(chunks.count))
      default:
        chunks[one].type = Array(random.pick(["VP8 ", "VP8L", "VP8X", "ANIM", "ANMF", "ALPH", "EXIF", "ICCP"]).utf8)
      }
    }
    var body = Array("WEBP".utf8)
    for chunk in chunks {
      body += chunk.type
      body.put(random.once(in: 30) ? Values.extremeInteger(&random) : chunk.data.count, 4)
      body += chunk.data
      if chunk.data.count % 2 == 1 { body.append(0) }
    }
    bytes = Array("RIFF".utf8)
    bytes.put(random.once(in: 15) ? Values.extremeInteger(&random) : body.count, 4)
    bytes += body
  }

  private func breakPNM(_ bytes: inout [UInt8], _ random: inout Random) {
    func number(_ usual: Int) -> String { random.once(in: 3) ? Values.extremeNumber(&random) : String(usual) }
    let comment = random.once(in: 4) ? "# \(Values.word(&random))\n" : ""
    let head =
      random.pick(["P5", "P6", "P2", "P3", "P1", "P4", "P7"]) + random.pick(["\n", " ", "\t", "", "\n#\n"]) + comment
    bytes = Array((head + "\(number(4)) \(number(3))\n\(random.once(in: 2) ? "255" : number(65_535))\n").utf8)
    for _ in 0..<random.below(80) { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    var limits = PictureLimits()
    limits.pixels = 1 << 16
    _ = ExifOrientation.ofJPEG(input)
    let layout = [PixelLayout.gray, .rgb, .rgba][input.count % 3]
    do {
      let picture = try Picture(decoding: input, as: layout, limits: limits)
      try require(
        picture.layout == layout && picture.pixels.count == picture.width * picture.height * layout.rawValue,
        "a picture of another size than it says"
      )
      try require(picture.width * picture.height <= limits.pixels, "larger than allowed")
      guard input.count % 16 == 0 else { return .accepted }
      let again = try Picture(decoding: picture.png(), as: layout)
      try require(again == picture, "differs when written and read again")
      return .accepted
    } catch let finding as Finding {
      throw finding
    } catch {
      try require("\(error)".hasSuffix("."), "refused without a sentence", "\(error)")
      return .refused
    }
  }
}
