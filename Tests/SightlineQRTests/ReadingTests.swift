import SightlineTestSupport
import Testing

@testable import SightlineQR

struct ReadingTests {
  @Test(arguments: 1...40)
  func `every level and mode comes back`(number: Int) throws {
    var random = SplitMix64(seed: UInt64(number))
    let version = try #require(QRVersion(number))
    let layout = QRLayout(version)
    for level in QRLevel.allCases {
      for mode in QRMode.allCases {
        var encoder = QREncoder()
        encoder.level = level
        encoder.raisesLevel = false
        encoder.minimumVersion = number
        encoder.mask = Int.random(in: 0..<8, using: &random)
        let bits = version.blocks(level).dataCount * 8 - 4 - version.countBits(mode)
        let most = [bits * 3 / 10 - 2, bits * 2 / 11, bits / 8, bits / 13][Int(mode.rawValue)]
        let bytes = randomText(mode, Int.random(in: 1...max(1, most), using: &random), using: &random)
        let content = QRContent(segments: [QRSegment(mode: mode, bytes: bytes)])
        let code = try encoder.encode(content)
        #expect(code.version == version && code.level == level)
        let read = try #require(code.matrix.reading.decoded(layout))
        #expect(read.content == content && read.level == level && read.mask == code.mask && read.mendedCount == 0)
      }
    }
  }

  @Test func `names of character sets, places among several and applications come back`() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<60 {
      var segments: [QRSegment] = []
      var set: Int?
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let mode = QRMode.allCases.randomElement(using: &random) ?? .byte
        if Bool.random(using: &random) {
          set = [3, 20, 26, 127, 128, 16383, 16384, 999_999].randomElement(using: &random)
        }
        let text = randomText(mode, Int.random(in: 1...9, using: &random), using: &random)
        segments.append(QRSegment(mode: mode, characterSet: set, bytes: text))
      }
      let content = QRContent(
        segments: segments,
        structuredAppend: Bool.random(using: &random) ? QRStructuredAppend(index: 2, count: 5, parity: 0xA7) : nil,
        application: [nil, .gs1, .industry(37)].randomElement(using: &random) ?? nil
      )
      let code = try QREncoder().encode(content)
      let read = try #require(code.matrix.reading.decoded(QRLayout(code.version)))
      #expect(read.content == content)
    }
  }

  @Test func `separators of application content are bytes 29`() throws {
    let segment = QRSegment(mode: .alphanumeric, bytes: [65, 29, 66, 37, 67])
    let code = try QREncoder().encode(QRContent(segments: [segment], application: .gs1))
    let read = try #require(code.matrix.reading.decoded(QRLayout(code.version)))
    #expect(read.content.bytes == [65, 29, 66, 37, 67] && read.content.application == .gs1)
  }

  @Test func `damage up to the limit is mended, beyond it nothing wrong is read`() throws {
    var random = SplitMix64(seed: 5)
    var beyond = 0
    for round in 0..<400 {
      let number = [1, 2, 5, 8][round % 4]
      let version = try #require(QRVersion(number))
      let level = QRLevel.allCases[round / 4 % 4]
      var encoder = QREncoder()
      encoder.level = level
      encoder.raisesLevel = false
      encoder.minimumVersion = number
      encoder.mask = round % 8
      let blocks = version.blocks(level)
      let bytes = randomText(.byte, blocks.dataCount - 4, using: &random)
      let content = QRContent(segments: [QRSegment(mode: .byte, bytes: bytes)])
      let code = try encoder.encode(content)
      let layout = QRLayout(version)
      var places: [Int] = []
      layout.forEachDataModule { places.append($0) }
      // Words of the first block: every `count`-th one.
      let limit = (blocks.checks - blocks.reserve) / 2
      let wrong =
        round % 3 == 0
        ? limit : round % 3 == 1 ? limit + 1 : Int.random(in: limit...blocks.total / blocks.count, using: &random)
      var words = Array(0..<(blocks.dataCount(block: 0) + blocks.checks))
      words.shuffle(using: &random)
      var reading = code.matrix.reading
      for word in words.prefix(wrong) {
        let data = blocks.dataCount(block: 0)
        let place = word < data ? word * blocks.count : blocks.dataCount + (word - data) * blocks.count
        // At least one module of the word is turned over.
        let first = Int.random(in: 0..<8, using: &random)
        for bit in 0..<8 where bit == first || Bool.random(using: &random) {
          reading.darkness[places[8 * place + bit]] *= -1
        }
      }
      let read = reading.decoded(layout)
      if wrong <= limit {
        #expect(read?.content == content)
        #expect(read?.mendedCount == wrong)
      } else {
        #expect(read == nil || read?.content == content, "seed 5, round \(round)")
        if read == nil { beyond += 1 }
      }
    }
    #expect(beyond > 100)
  }

  @Test func `unclear words are taken as missing`() throws {
    var random = SplitMix64(seed: 6)
    let version = try #require(QRVersion(3))
    let layout = QRLayout(version)
    var encoder = QREncoder()
    encoder.minimumVersion = 3
    encoder.level = .high
    let content = QRContent(segments: [QRSegment(mode: .byte, bytes: randomText(.byte, 20, using: &random))])
    let code = try encoder.encode(content)
    let blocks = version.blocks(.high)
    var places: [Int] = []
    layout.forEachDataModule { places.append($0) }
    var reading = code.matrix.reading
    // As many as there are check words but for the guard, in each block: twice what could be mended at unknown places.
    for word in 0..<(blocks.count * (blocks.checks - 4)) {
      for bit in 0..<8 { reading.darkness[places[8 * word + bit]] = Float.random(in: -0.2...0.2, using: &random) }
    }
    #expect(reading.decoded(layout)?.content == content)
  }

  @Test func `random modules say nothing`() throws {
    var random = SplitMix64(seed: 8)
    for number in [1, 2, 4, 7] {
      let version = try #require(QRVersion(number))
      let layout = QRLayout(version)
      for _ in 0..<200 {
        let darkness = (0..<(version.size * version.size)).map { _ in Float.random(in: -1...1, using: &random) }
        #expect(QRReading(size: version.size, darkness: darkness).decoded(layout) == nil)
      }
    }
  }

  @Test func `words that are no content are refused`() throws {
    let version = try #require(QRVersion(1))
    func content(_ hex: [UInt8]) -> QRContent? { QRContent(data: hex, version: version, isStrict: false) }
    #expect(content([]) == nil)
    #expect(content([0, 0xEC, 0x11]) == nil)
    // Unknown mode; more characters than bits; three digits above 999; a byte segment of no bytes.
    #expect(content([0xF0, 0, 0]) == nil)
    #expect(content([0x4F, 0xF0, 0]) == nil)
    #expect(content([0x10, 0x0F, 0xFC, 0]) == nil)
    #expect(content([0x40, 0x00, 0xEC]) == nil)
    #expect(content([0x40, 0x14, 0x10, 0xEC])?.bytes == [65])
    #expect(QRContent(data: [0x40, 0x14, 0x10, 0xEC, 0x12], version: version, isStrict: true) == nil)
    #expect(QRContent(data: [0x40, 0x14, 0x10, 0xEC, 0x11], version: version, isStrict: true)?.bytes == [65])
  }
}
