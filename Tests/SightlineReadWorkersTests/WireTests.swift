import SightlineReadWorkers
import SightlineTestSupport
import Testing

@Suite struct WireTests {
  private static let message: [UInt8] = {
    var writer = WireWriter()
    writer.write(UInt8(7))
    writer.write(UInt32(70_000))
    writer.write(UInt64.max)
    writer.write(true)
    writer.write(1.5)
    writer.write("é∞")
    writer.write(String?.none)
    writer.write(String?.some("x"))
    writer.write([1, 2, 3] as [UInt8])
    return writer.bytes
  }()

  private func read(_ bytes: [UInt8]) throws {
    var reader = WireReader(bytes)
    #expect(try reader.number(UInt8.self) == 7)
    #expect(try reader.number(UInt32.self) == 70_000)
    #expect(try reader.number(UInt64.self) == .max)
    #expect(try reader.flag())
    #expect(try reader.double() == 1.5)
    #expect(try reader.text(limit: 10) == "é∞")
    #expect(try reader.optionalText(limit: 10) == nil)
    #expect(try reader.optionalText(limit: 10) == "x")
    #expect(Array(try reader.part(limit: 3)) == [1, 2, 3])
    try reader.end()
  }

  @Test func `a message reads back`() throws { try read(Self.message) }

  @Test func `a message that is cut short anywhere is refused`() {
    for count in Self.message.indices {
      var reader = WireReader(Self.message[..<count])
      #expect(throws: WireReader.Malformed.self) {
        _ = try reader.number(UInt8.self)
        _ = try reader.number(UInt32.self)
        _ = try reader.number(UInt64.self)
        _ = try reader.flag()
        _ = try reader.double()
        _ = try reader.text(limit: 10)
        _ = try reader.optionalText(limit: 10)
        _ = try reader.optionalText(limit: 10)
        _ = try reader.part(limit: 3)
      }
    }
  }

  @Test func `lengths beyond the limit or the message, and what is no text or number, are refused`() {
    func refused(_ bytes: [UInt8], _ body: (inout WireReader) throws -> Void) {
      var reader = WireReader(bytes)
      #expect(throws: WireReader.Malformed.self) { try body(&reader) }
    }
    refused([255, 255, 255, 255, 1]) { _ = try $0.part(limit: .max) }
    refused([4, 0, 0, 0, 1, 2, 3, 4]) { _ = try $0.part(limit: 3) }
    refused([2, 0, 0, 0, 0xC3, 0x28]) { _ = try $0.text(limit: 9) }
    refused([2]) { _ = try $0.flag() }
    refused([0, 0, 0, 0, 0, 0, 0xF0, 0x7F]) { _ = try $0.double() }
    refused([0]) { try $0.end() }
  }

  @Test func `compact numbers and texts come back, and lie in their ranges`() throws {
    let numbers = [0, 1, -1, 63, 64, -64, -65, 8191, 1 << 40, -(1 << 40), .max, .min, .max - 1]
    var writer = WireWriter()
    for number in numbers { writer.write(compact: number) }
    writer.write(compact: nil as Int?)
    writer.write(compact: 7 as Int?)
    writer.write(compact: "é")
    var reader = WireReader(writer.bytes)
    for number in numbers { #expect(try reader.compact(in: .min ... .max) == number) }
    #expect(try reader.optionalCompact(in: 0...1) == nil)
    #expect(try reader.optionalCompact(in: 0...7) == 7)
    #expect(try reader.compactText(limit: 2) == "é")
    try reader.end()
    var small = WireWriter()
    for number in -64...63 { small.write(compact: number) }
    #expect(small.bytes.count == 128)
    let refused: [([UInt8], ClosedRange<Int>)] = [
      ([], 0...9), ([0x80], 0...9), ([20], 0...9), ([1], 0...9), ([UInt8](repeating: 0xFF, count: 10), 0...9),
      ([UInt8](repeating: 0x80, count: 20), .min ... .max),
    ]
    for (bytes, range) in refused {
      var reader = WireReader(bytes)
      #expect(throws: WireReader.Malformed.self) { try reader.compact(in: range) }
    }
    for bytes in [[4, 0xC3], [2, 0xC3], [6, 0x61, 0x61, 0x61], [1]] as [[UInt8]] {
      var reader = WireReader(bytes)
      #expect(throws: WireReader.Malformed.self) { try reader.compactText(limit: 2) }
    }
  }
}
