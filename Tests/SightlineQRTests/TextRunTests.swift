import SightlineTestSupport
import Testing

@testable import SightlineQR

struct TextRunTests {
  private func likely(_ bytes: [UInt8]) -> Int? {
    QRContent(segments: [QRSegment(mode: .byte, bytes: bytes)]).textRuns.first?.likely
  }

  private func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

  @Test(arguments: [
    "", "plain", "https://example.org/ä", "デザインQR", "ﾃﾞｻﾞｲﾝQR", "日本語", "\u{10FFFF}", "\u{D7FF}\u{E000}", "ÄÖÜ",
  ])
  func `well-formed UTF-8 is UTF-8`(text: String) { #expect(likely(Array(text.utf8)) == 26) }

  @Test(arguments: [
    // Half-width katakana: design, test, mirror, page, bread, a i u e o, camera.
    [0xC3, 0xDE, 0xBB, 0xDE, 0xB2, 0xDD, 0x51, 0x52], [0xC3, 0xBD, 0xC4], [0xD0, 0xD7, 0xB0, 0x31],
    [0xCD, 0xDF, 0xB0, 0xBC, 0xDE], [0xCA, 0xDF, 0xDD], [0xB1, 0xB2, 0xB3, 0xB4, 0xB5],
    [0x41, 0x20, 0xB6, 0xD2, 0xD7, 0x20, 0x42],
    // Japan, hiragana a, JR east, two-byte katakana beside half-width.
    [0x93, 0xFA, 0x96, 0x7B], [0x82, 0xA0], [0x4A, 0x52, 0x93, 0x8C], [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0xB6],
  ])
  func `Shift JIS without a mark is seen`(bytes: [UInt8]) { #expect(likely(bytes) == 20) }

  @Test(arguments: [
    "Müller", "Köln Ärzte", "ÄÖÜ", "GRÖßE", "STRAßE", "ÅÄÖ", "élan", "été à la mer", "«À»", "«Über»", "¿Éste?", "20 °C",
    "25 €".prefix(3) + "½",
    "Ávila", "naïve façade", "Ñandú", "ÇA", "Ø10", "©®", "±5 µm", "Þór", "ÉÈÀ", "Æ", "ý", "\u{FF}\u{FE}",
  ])
  func `ISO 8859-1 with accents stays so`(text: String) { #expect(likely(latin(text)) == 3) }

  @Test(arguments: [
    // Cut off, a trail that is none, bytes that begin nothing; UTF-8 cut off, too long, a surrogate, beyond the last.
    [0x93], [0x93, 0x20], [0x93, 0x7F, 0x41], [0x80], [0xA0], [0xFD], [0x82, 0xA0, 0xF5], [0xC3, 0xDE, 0xBB, 0xE0],
    [0xC3, 0x28], [0xC0, 0x80, 0xF8], [0xED, 0xA0, 0x80, 0xF0], [0xF5, 0x80, 0x80, 0x80],
  ])
  func `what is neither is ISO 8859-1`(bytes: [UInt8]) { #expect(likely(bytes) == 3) }

  @Test func `any bytes get an answer`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...9, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0x60...0xFF, using: &random) }
      let isText = String(validating: bytes, as: UTF8.self) != nil
      #expect(bytes.isEmpty || (likely(bytes) == 26) == isText)
    }
  }

  @Test func `neighbours of one set are one run, and kanji are Shift JIS`() {
    let content = QRContent(segments: [
      QRSegment(mode: .byte, bytes: [0xC3]), QRSegment(mode: .byte, bytes: [0xA4]),
      QRSegment(mode: .byte, characterSet: 3, bytes: [0xE4]),
      QRSegment(mode: .kanji, characterSet: 3, bytes: [0x93, 0xFA]),
    ])
    #expect(content.textRuns.map(\.named) == [nil, 3, 20])
    #expect(content.textRuns.map(\.likely) == [26, 3, 20])
    #expect(content.textRuns[0].bytes == [0xC3, 0xA4])
  }
}
