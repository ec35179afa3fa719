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
}
