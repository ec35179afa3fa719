import SightlineImaging

@testable import SightlineQR

/// The data words of a QR code, behind their check words: segments, lengths, modes.
///
/// The first byte is the version, the second
/// says whether the filling is looked at.
struct QRContentTarget: StructuredTarget {
  static let name = "qr-content"

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let number = random.number(in: 1...40)
    out = [UInt8(number), UInt8(random.below(2))]
    guard let version = QRVersion(number) else { return }
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) { for bit in 0..<count { bits.append(value >> (count - 1 - bit) & 1 == 1) } }
    for _ in 0..<random.number(in: 0...5) {
      switch random.below(16) {
      case 0: put(3, 4); put(random.below(256), 8); put(random.below(256), 8)
      case 1: put(random.pick([5, 9]), 4); put(random.below(256), random.once(in: 2) ? 8 : 0)
      case 2:
        put(7, 4); put(random.pick([26, 3, 20, 0x80, 0xC0, 0xE0, 0xFF]), 8);
        put(random.below(65_536), random.pick([0, 8, 16]))
      case 3: put(random.below(16), 4); put(random.below(65_536), 16)
      default:
        let mode = random.pick(QRMode.allCases)
        put(mode.indicator, 4)
        let length = random.below(12)
        let width = version.countBits(mode)
        put(random.once(in: 20) ? random.pick([0, 1, (1 << width) - 1, 1 << (width - 1)]) : length, width)
        switch mode {
        case .numeric:
          for _ in 0..<(length / 3) { put(random.once(in: 40) ? 1_023 : random.below(1_000), 10) }
          if length % 3 > 0 { put(random.below(length % 3 == 1 ? 10 : 100), length % 3 * 3 + 1) }
        case .alphanumeric:
          for _ in 0..<(length / 2) { put(random.once(in: 40) ? 2_047 : random.below(2_025), 11) }
          if length % 2 > 0 { put(random.below(45), 6) }
        case .byte: for _ in 0..<length { put(random.below(256), 8) }
        // Rows and places of Shift JIS; most of the numbers are characters.
        case .kanji:
          for _ in 0..<length { put(random.once(in: 20) ? random.below(8_192) : 0x500 + random.below(60), 13) }
        }
      }
    }
    if !random.once(in: 4) { put(0, 4) }
    var word = 0
    for (index, bit) in bits.enumerated() {
      word = word << 1 | (bit ? 1 : 0)
      if index % 8 == 7 {
        out.append(UInt8(word & 255))
        word = 0
      }
    }
    if bits.count % 8 != 0 { out.append(UInt8((word << (8 - bits.count % 8)) & 255)) }
    for index in 0..<random.below(6) { out.append(index % 2 == 0 ? 0xEC : 0x11) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard input.count >= 2, let version = QRVersion(Int(input[0])) else { return .refused }
    let data = Array(input[2...])
    guard let content = QRContent(data: data, version: version, isStrict: input[1] & 1 == 1) else { return .refused }
    try require(content.bytes.count <= data.count * 8, "more content than there are bits")
    // What was read can be written again.
    if content.structuredAppend == nil, content.application == nil, let code = try? QREncoder().encode(content) {
      var reading = QRReading(size: code.matrix.size, darkness: [])
      reading.darkness = code.matrix.modules.map { $0 == 1 ? 1 : -1 }
      let read = reading.decoded(QRLayout(code.version))
      try require(read?.content.bytes == content.bytes, "read wrong", "\(content) \(String(describing: read))")
    }
    return .accepted
  }
}

/// Modules of a code as a camera sees them: a code, with format, version, patterns and words broken.
///
/// Two bytes: version and how clear
/// it is; then the modules, eight a byte.
struct QRMatrixTarget: StructuredTarget {
  static let name = "qr-matrix"
  private var layouts: [QRLayout] = (1...8).compactMap { QRVersion($0).map { QRLayout($0) } }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var encoder = QREncoder()
    encoder.level = random.pick(QRLevel.allCases)
    encoder.minimumVersion = random.number(in: 1...5)
    encoder.maximumVersion = 8
    encoder.mask = random.below(8)
    let text = (0..<random.below(40)).map { _ in QRCharacter(UInt8(truncatingIfNeeded: random.next())) }
    guard let code = try? encoder.encode(text) else { return }
    var modules = code.matrix.modules
    let size = code.matrix.size
    if !random.once(in: 6) {
      for _ in 0..<random.number(in: 1...3) {
        let (x, y) = (random.below(size), random.below(size))
        let (width, height) = (random.number(in: 1...9), random.number(in: 1...9))
        let how = random.below(3)
        for j in y..<min(size, y + height) {
          for i in x..<min(size, x + width) {
            modules[j * size + i] = how == 2 ? modules[j * size + i] ^ 1 : UInt8(how)
          }
        }
      }
      if random.once(in: 4) {
        // Format information of another level or mask.
        let value = QRInformation.format(random.pick(QRLevel.allCases), mask: random.below(8))
        for copy in 0..<2 {
          for bit in 0..<15 {
            let (x, y) = QRLayout.formatModule(bit, copy: copy, size: size)
            modules[y * size + x] = UInt8(value >> bit & 1)
          }
        }
      }
      if random.once(in: 5) { for index in modules.indices where random.once(in: 6) { modules[index] ^= 1 } }
    }
    // A code in the place of one of another size, now and then.
    out = [UInt8(random.once(in: 10) ? random.number(in: 1...8) : code.version.number), UInt8(random.below(256))]
    var word: UInt8 = 0
    for (index, module) in modules.enumerated() {
      word = word << 1 | module
      if index % 8 == 7 { out.append(word) }
    }
    out.append(word)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard input.count >= 2, layouts.indices.contains(Int(input[0]) - 1) else { return .refused }
    let layout = layouts[Int(input[0]) - 1]
    let size = layout.version.size
    let clear = Float(input[1]) / 255
    var reading = QRReading(size: size, darkness: [])
    reading.darkness = (0..<(size * size)).map { index in
      let byte = 2 + index / 8
      let isDark = byte < input.count && input[byte] >> (7 - index % 8) & 1 == 1
      // Some modules are less clear than others.
      return (isDark ? 1 : -1) * (index % 7 == 0 ? clear : 1)
    }
    _ = reading.agreement(layout)
    guard let decoded = reading.decoded(layout) else { return .refused }
    try require(decoded.content.bytes.count <= size * size, "more content than there are modules")
    _ = reading.transposed.decoded(layout)
    return .accepted
  }
}
