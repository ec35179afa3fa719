import SightlineQR
import Testing

@testable import SightlineTool

struct QRTextTests {
  @Test(
    arguments: [
      (nil, [0xC3, 0xDE, 0xBB, 0xDE, 0xB2, 0xDD, 0x51, 0x52], "ﾃﾞｻﾞｲﾝQR"), (nil, [0x93, 0xFA, 0x96, 0x7B], "日本"),
      (nil, [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72], "Müller"), (20, [0xC3, 0xBD, 0xC4], "ﾃｽﾄ"), (26, [0xC3, 0x28], "Ã("),
      (23, [0x80], "€"), (3, [0xC3, 0xDE, 0xBB, 0xDE], "ÃÞ»Þ"), (999, [0xE4], "ä"), (20, [0xFD], "ý"),
    ] as [(Int?, [UInt8], String)]
  )
  func `bytes of a code become text`(set: Int?, bytes: [UInt8], text: String) {
    let content = QRContent(segments: [QRSegment(mode: .byte, characterSet: set, bytes: bytes)])
    #expect(QRText.text(of: content) == text)
  }
}
