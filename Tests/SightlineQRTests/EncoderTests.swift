import SightlineTestSupport
import Testing

@testable import SightlineQR

struct EncoderTests {
  // ISO/IEC 18004, annex I, and the worked example at thonky.com/qr-code-tutorial.
  @Test(arguments: [
    ("01234567", QRLevel.medium, "10200C566180EC11EC11EC11EC11EC11A524D4C1ED36C7872C55"),
    ("HELLO WORLD", .quartile, "205B0B78D172DC4D4340EC11ECA8481652D9369C002E0FB47A10"),
    ("HELLO WORLD", .medium, "205B0B78D172DC4D4340EC11EC11EC11C4232777EBD7E7E25D17"),
  ])
  func `codewords of published examples`(text: String, level: QRLevel, expected: String) throws {
    let version = try #require(QRVersion(1))
    let segments = segmented(text.utf8.map { QRCharacter($0) }, for: version, characterSet: nil)
    #expect(segments.count == 1)
    var bits = try QRContent(segments: segments).bits(for: version)
    bits.append(0, bits: 4)
    bits.append(0, bits: (8 - bits.count % 8) % 8)
    var pad = 0xEC
    while bits.bytes.count < version.blocks(level).dataCount {
      bits.append(pad, bits: 8)
      pad ^= 0xFD
    }
    let words = QREncoder().interleaved(bits.bytes, version.blocks(level))
    let hex = words.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    #expect(hex == expected)
  }

  // ISO/IEC 18004, 7.4.6 and annexes C and D.
  @Test func `published values of kanji, format and version`() {
    #expect(kanjiValue(0x935F) == 0xD9F)
    #expect(kanjiValue(0xE4AA) == 0x1AAA)
    #expect(kanjiCode(0x1AAA) == 0xE4AA)
    #expect(QRInformation.format(.medium, mask: 5) == 0b100_0000_1100_1110)
    #expect(QRInformation.version(7) == 0b00_0111_1100_1001_0100)
    #expect(QRVersion(40)?.alignmentCenters == [6, 30, 58, 86, 114, 142, 170])
    #expect(QRVersion(32)?.alignmentCenters == [6, 34, 60, 86, 112, 138])
    #expect(QRVersion(7)?.alignmentCenters == [6, 22, 38])
    // ISO/IEC 18004, table 7: characters of the largest code.
    #expect(QRVersion(40)?.blocks(.low).dataCount == 2956)
    #expect(QRVersion(40)?.blocks(.high).dataCount == 1276)
  }

  @Test func `the smallest code is taken, and not one more character fits`() throws {
    for (mode, most) in [(QRMode.numeric, 7089), (.alphanumeric, 4296), (.byte, 2953), (.kanji, 1817)] {
      var random = SplitMix64(seed: 7)
      var encoder = QREncoder()
      encoder.level = .low
      encoder.mask = 0
      let bytes = randomText(mode, most, using: &random)
      let full = try encoder.encode(QRContent(segments: [QRSegment(mode: mode, bytes: bytes)]))
      #expect(full.version.number == 40)
      let more = QRContent(segments: [QRSegment(mode: mode, bytes: bytes + bytes[0..<(mode == .kanji ? 2 : 1)])])
      #expect(throws: QREncodingError.self) { try encoder.encode(more) }
    }
    #expect(try QREncoder().encode("01234567".utf8.map { QRCharacter($0) }).version.number == 1)
  }

  @Test func `text is parted so that it needs the fewest bits`() throws {
    let version = try #require(QRVersion(5))
    func modes(_ text: String) -> [QRMode] {
      segmented(text.utf8.map { QRCharacter($0) }, for: version, characterSet: nil).map { $0.mode }
    }
    #expect(modes("abc") == [.byte])
    #expect(modes("ABC123") == [.alphanumeric])
    #expect(modes("https://example.org/0123456789012345678901") == [.byte, .numeric])
    #expect(modes("a1b2") == [.byte])
    // Against every way of parting short texts.
    var random = SplitMix64(seed: 3)
    for _ in 0..<40 {
      let text = (0..<7).map { _ in "aA1".utf8.randomElement(using: &random) ?? 49 }.map { QRCharacter($0) }
      let own = try QRContent(segments: segmented(text, for: version, characterSet: nil)).bits(for: version).count
      var fewest = Int.max
      for way in 0..<2187 {
        var segments: [QRSegment] = []
        var rest = way
        for character in text {
          let mode = [QRMode.numeric, .alphanumeric, .byte][rest % 3]
          rest /= 3
          let byte = UInt8(character.bytes)
          if segments.last?.mode == mode {
            segments[segments.count - 1].bytes.append(byte)
          } else {
            segments.append(QRSegment(mode: mode, bytes: [byte]))
          }
        }
        if let bits = try? QRContent(segments: segments).bits(for: version) { fewest = min(fewest, bits.count) }
      }
      #expect(own == fewest)
    }
  }

  @Test func `a mask is chosen by its points, and a given one is taken`() throws {
    let text = "SIGHTLINE".utf8.map { QRCharacter($0) }
    let chosen = try QREncoder().encode(text)
    for mask in 0..<8 {
      var encoder = QREncoder()
      encoder.mask = mask
      let code = try encoder.encode(text)
      #expect(code.mask == mask)
      #expect(code.matrix.penalty >= chosen.matrix.penalty)
    }
  }
}
