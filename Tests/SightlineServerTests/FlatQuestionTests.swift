import Foundation
import NIOCore
import SightlineTestSupport
import Testing

@testable import SightlineServer

/// The quick reader agrees with the real one, or says that it is not for it.
@Suite struct FlatQuestionTests {
  private func flat(_ text: String) -> FlatQuestion? { FlatQuestion(ByteBuffer(string: text)) }

  @Test func `numbers and texts`() throws {
    let found = try #require(
      flat(" {\"latitude\" : 57.70887, \"longitude\":-11.97,\n\"limit\":10, \"world\": \"a b\" , \"zero\": -0 } ")
    )
    #expect(found["latitude"] == .number(57.70887) && found["longitude"] == .number(-11.97))
    #expect(found["limit"] == .number(10) && found["world"] == .text("a b") && found["radius"] == nil)
    #expect(flat("{}") != nil)
  }

  @Test(arguments: [
    "", "{", "[]", "{}}", "{} x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}",
    "{\"a\":-}", "{\"a\":+1}",
    "{\"a\":1e3}", "{\"a\":1.2.3}", "{\"a\":1 2}", "{\"a\":true}", "{\"a\":null}", "{\"a\":[1]}", "{\"a\":{}}",
    "{\"a\":\"\\n\"}", "{\"a\":\"å\"}",
    "{\"a\":1,\"a\":2}", "{\"a\":\"b}", "{\"a\":1", "{\"a\":1.", "{a:1}", "\u{FEFF}{}",
  ]) func `what is no flat JSON object of numbers and texts is left to the JSON decoder`(text: String) {
    #expect(flat(text) == nil)
  }

  @Test func `every number is the one that the library reads`() throws {
    var random = SplitMix64(seed: 77)
    for _ in 0..<5000 {
      let digits = 1 + Int(random.next() % 38)
      var text = random.next() % 2 == 0 ? "-" : ""
      text += "\(1 + random.next() % 9)"
      let point = Int(random.next() % 40)
      for place in 0..<digits {
        if place == point { text += "." }
        text += "\(random.next() % 10)"
      }
      #expect(flat("{\"a\":\(text)}")?["a"] == .number(try #require(Double(text))), "\(text)")
    }
  }

  /// A client that prints twenty decimals is honest; one that prints a thousand is not.
  @Test func `longer numbers are left to the JSON decoder`() {
    for count in 41...400 {
      let digits = String(repeating: "9", count: count)
      for text in [
        digits, "-\(digits)", "4.\(digits)", "-4.\(digits)", "0.\(digits)", "\(digits).\(digits)", "\(digits).",
      ] {
        #expect(flat("{\"a\":\(text)}") == nil && flat("{\"a\":\(text)") == nil, "\(count) digits")
      }
      // Zeros are digits too.
      #expect(flat("{\"a\":1.\(String(repeating: "0", count: count))}") == nil)
    }
    // As browsers write a place, with the point after the last digit that is exact, and what rounds to infinity elsewhere.
    for text in ["48.39840123456789", "-179.99999999999997", "123456789012345.6", String(repeating: "9", count: 40)] {
      #expect(flat("{\"a\":\(text)}")?["a"] == Double(text).map { .number($0) }, "\(text)")
    }
  }

  @Test func `no run of digits makes it fail`() {
    var random = SplitMix64(seed: 6)
    let pieces = [
      "{\"a\":", "-", ".", "e", ",", "\"b\":", "}", "0", "00", "1", "9223372036854775807",
      "9223372036854775808",
    ]
    for _ in 0..<5000 {
      var text = "{\"a\":"
      for _ in 0..<Int(random.next() % 6) {
        text += pieces[Int(random.next() % UInt64(pieces.count))]
        let digits = random.next() % 3 == 0 ? Int(random.next() % 2000) : Int(random.next() % 20)
        text += (0..<digits).map { _ in String(random.next() % 10) }.joined()
      }
      text += random.next() % 2 == 0 ? "}" : ""
      guard flat(text) != nil else { continue }
      #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any], "\(text)")
    }
  }

  @Test func `no bytes make it fail`() {
    var random = SplitMix64(seed: 5)
    let alphabet = Array("{}[]\",:0123456789.-eE \\ab\n".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int(random.next() % 24)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
      guard FlatQuestion(ByteBuffer(bytes: bytes)) != nil else { continue }
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any],
        "\(String(decoding: bytes, as: UTF8.self))"
      )
    }
  }
}
