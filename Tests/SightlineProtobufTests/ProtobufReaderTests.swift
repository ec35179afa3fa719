import Testing

@testable import SightlineProtobuf

@Suite struct ProtobufReaderTests {
  private func read<Result>(_ bytes: [UInt8], _ body: (inout ProtobufReader) throws -> Result) throws -> Result {
    try bytes.withUnsafeBytes { bytes in
      var reader = ProtobufReader(bytes)
      return try body(&reader)
    }
  }

  /// The examples of the encoding's specification (protobuf.dev/programming-guides/encoding).
  @Test func `numbers, texts and packed fields are read as the specification writes them`() throws {
    try read([
      0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67, 0x32, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7,
      0x05,
    ]) { reader throws in
      #expect(try reader.next() && reader.field == 1)
      #expect(try reader.integer() == 150)
      #expect(try reader.next() && reader.field == 2)
      #expect(String(decoding: try reader.message(), as: UTF8.self) == "testing")
      #expect(try reader.next() && reader.field == 6)
      var numbers = PackedNumbers(try reader.message())
      var values: [UInt64] = []
      while !numbers.isAtEnd { values.append(try numbers.unsigned()) }
      #expect(values == [3, 270, 86_942])
      #expect(try !reader.next())
    }
  }

  @Test(arguments: [(UInt8(0), Int64(0)), (1, -1), (2, 1), (3, -2), (0x7E, 63), (0x7F, -64)])
  func `signs alternate`(byte: UInt8, value: Int64) throws {
    try read([0x08, byte]) { reader throws in
      #expect(try reader.next())
      #expect(try reader.zigzag() == value)
    }
  }

  @Test func `the largest numbers keep their bits`() throws {
    let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
    try read([0x08] + most + [0x10] + most) { reader throws in
      #expect(try reader.next())
      #expect(try reader.integer() == -1)
      #expect(try reader.next())
      #expect(try reader.zigzag() == .min)
    }
  }

  @Test(
    arguments: [
      [0x08], [0x08, 0x80], [0x12, 0x05, 0x01], [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x00, 0x01], [0x0B], [0x0F],
      [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02], [0x0D, 1, 2, 3], [0x09, 1],
      [0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x00],
    ] as [[UInt8]]
  ) func `what is cut off or cannot be is malformed`(bytes: [UInt8]) {
    #expect(throws: ProtobufReader.Failure.self) {
      try read(bytes) { while try $0.next() { try $0.skip() } }
    }
  }

  @Test func `a value of another kind than is asked for is malformed`() {
    #expect(throws: ProtobufReader.Failure.self) {
      try read([0x12, 0x00]) {
        _ = try $0.next(); _ = try $0.integer()
      }
    }
    #expect(throws: ProtobufReader.Failure.self) {
      try read([0x08, 0x00]) {
        _ = try $0.next(); _ = try $0.message()
      }
    }
    #expect(throws: ProtobufReader.Failure.self) {
      try read([0x08, 0x00]) {
        _ = try $0.next(); _ = try $0.float()
      }
    }
    #expect(throws: ProtobufReader.Failure.self) {
      try read([0x12, 0x00]) {
        _ = try $0.next(); _ = try $0.zigzag()
      }
    }
  }
}
