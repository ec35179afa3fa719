import SightlineContent
import SightlineTestSupport
import Testing

@testable import SightlineFormats

@Suite struct JSONReaderTests {
  private func read(_ text: String, _ limits: ReadingLimits = .init()) throws -> JSONTreeReader.Result {
    try JSONTreeReader.read(Array(text.utf8), limits: limits)
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-0", "-1.5e+3", "1E-2", "\"\"", "\"é😀\"", "[]", "{}", "[1,[2,{\"a\":null}]]",
    "{\"a\":{\"b\":[]}}", "123456789012345678901234567890",
  ])
  func `text of a value reads back as the same value`(text: String) throws {
    #expect(try read(text).root.text == text)
    #expect(try read(" \n\t\r" + text + " \n").root.text == text)
  }

  @Test(arguments: [
    ("\"\\u00e9\\uD83D\\uDE00\\n\\/\\\\\\\"\\b\\f\\r\\t\"", "é😀\n/\\\"\u{8}\u{C}\r\t"), ("\"\\u0000\"", "\0"),
  ])
  func `escapes are decoded`(text: String, value: String) throws {
    #expect(try read(text).root.value == .string(value))
  }

  @Test(arguments: [
    ("", 1), ("{", 1), ("[1,\n]", 2), ("[1 2]", 1), ("{\"a\"\n1}", 2), ("{a:1}", 1), ("{\"a\":1,\n}", 2), ("01", 1),
    ("+1", 1),
    (".5", 1), ("1.", 1), ("1e", 1), ("-", 1), ("1a", 1), ("1.2.3", 1), ("NaN", 1), ("Infinity", 1), ("1e999", 1),
    ("tru", 1), ("TRUE", 1), ("nul", 1), ("'a'", 1), ("\"a\nb\"", 1), ("\"abc", 1), ("\"\\x\"", 1), ("\"\\u12\"", 1),
    ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1), ("1\n2", 2), ("// c\n1", 1), ("[1]]", 1),
  ])
  func `what is not JSON is refused with its line`(text: String, line: Int) {
    do throws(DocumentFailure) {
      _ = try JSONTreeReader.read(Array(text.utf8), limits: .init())
      Issue.record("\(text) was read")
    } catch {
      #expect(error.code == "json.malformed", "\(text): \(error)")
      #expect(error.line == line, "\(text): \(error)")
    }
  }

  @Test func `a repeated member is reported, the first counts`() throws {
    let result = try read("{\"a\": 1,\n \"b/c\": {\"~\": [0, {\"x\": 1,\n\"x\": 2}]},\n \"a\": 3}")
    #expect(result.root["a"]?.value == .number(1, "1"))
    #expect(result.problems.map(\.path) == ["/b~1c/~0/1/x", "/a"])
    #expect(result.problems.map(\.line) == [3, 4])
    #expect(result.problems.allSatisfy { $0.code == "id.duplicate" && $0.severity == .error })
  }

  @Test func `each limit is stated with its value`() {
    var limits = ReadingLimits()
    limits.depth = 3
    limits.values = 4
    limits.bytes = 50
    for (text, code, part) in [
      ("[[[[]]]]", "limit.depth", "4 deep; the limit is 3"), ("[1,2,3,4]", "limit.count", "more than 4 values"),
      ("\"\(String(repeating: "x", count: 60))\"", "limit.size", "62 bytes; the limit is 50"),
    ] {
      do throws(DocumentFailure) {
        _ = try JSONTreeReader.read(Array(text.utf8), limits: limits)
        Issue.record("\(text) was read")
      } catch {
        #expect(error.code == code && error.message.contains(part), "\(error)")
      }
    }
    #expect(throws: Never.self) { try JSONTreeReader.read(Array("[[[]]]".utf8), limits: limits) }
  }

  @Test func `a hundred thousand brackets are refused without a crash`() {
    #expect(throws: DocumentFailure.self) {
      try JSONTreeReader.read([UInt8](repeating: 0x5B, count: 100_000), limits: .init())
    }
  }

  @Test func `any text survives writer and reader`() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let range: ClosedRange<UInt32> = Bool.random(using: &random) ? 0...0x7F : 0...0x10FFFF
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.unicodeScalars.append(scalar) }
      }
      var json = JSONTextWriter()
      json.beginObject()
      json.member(text, text)
      json.endObject()
      let root = try JSONTreeReader.read(json.bytes, limits: .init()).root
      #expect(root[text]?.value == .string(text))
    }
  }
}
