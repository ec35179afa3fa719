import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineModels

@Suite struct JSONTests {
  private func isJSON(_ text: String, limit: Int = 1000) -> Bool {
    [UInt8](text.utf8).withUnsafeBufferPointer { bytes in
      do throws(JSONText.Failure) {
        _ = try JSONText(bytes, limit: limit)
        return true
      } catch {
        return false
      }
    }
  }

  @Test(arguments: [
    "{}", "[]", " [ 1 , -0 , 0.5e-3 , 1E+2 , true , false , null , \"a\\u00e9\\n\" ] ", "\"x\"", "0", "-1.5",
    "\u{FEFF}{}", #"{"a":{"b":[{"c":[]}]},"a":2}"#, "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
  ]) func `what is JSON is read`(text: String) { #expect(isJSON(text)) }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]", "01", "-", "1.", ".5", "1e", "+1", "tru",
    "nul", "truex", "\"", "\"\\x\"", "\"\\u12g4\"", "\"\\u123", "\"a\nb\"", "[1]]", "{} {}", "[1,,2]", "NaN", "'a'",
    "{\"a\":}", "/* */ {}", "\"\\", "[\"a\":1]",
  ]) func `what is not JSON is refused`(text: String) { #expect(!isJSON(text)) }

  @Test func `depth and number of values are limited`() {
    #expect(isJSON(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)))
    #expect(!isJSON(String(repeating: "[", count: 65) + String(repeating: "]", count: 65)))
    #expect(!isJSON(String(repeating: "[", count: 100_000)))
    #expect(isJSON("[1,2,3]", limit: 4) && !isJSON("[1,2,3]", limit: 3))
    #expect(!isJSON("{\"a\":1}", limit: 2))
  }

  @Test func `strings lose their escapes`() throws {
    let text = #"["\u00e9\u20AC\uD83D\uDE00","\ud83d","\uD83Dx\\\/","\b\f\n\r\t\"","\uD83D\uD83D\uDE00","plain é€😀"]"#
    let expected = ["é€😀", "\u{FFFD}", "\u{FFFD}x\\/", "\u{8}\u{C}\n\r\t\"", "\u{FFFD}😀", "plain é€😀"]
    let read = try [UInt8](text.utf8).withUnsafeBufferPointer { bytes in
      let json = try JSONText(bytes, limit: 100)
      #expect(json.isEqual(6, "plain é€😀") && !json.isEqual(6, "plain") && !json.isEqual(6, "plain é€😀!"))
      return json.elements(0).map { String(decoding: json.string($0) ?? [], as: UTF8.self) }
    }
    #expect(read == expected)
  }

  @Test func `keys are found with their escapes, the last of equal ones`() throws {
    let text = #"{"a":1,"n":{"a":5},"\u0061":7,"ab":9}"#
    try [UInt8](text.utf8).withUnsafeBufferPointer { bytes in
      let json = try JSONText(bytes, limit: 100)
      #expect(json.member(0, "a").flatMap { json.number($0) } == 7)
      #expect(json.member(0, "n").flatMap { json.member($0, "a") }.flatMap { json.number($0) } == 5)
      #expect(json.member(0, "b") == nil)
    }
  }

  @Test func `numbers are as near as can be told`() {
    func read(_ text: String) -> Double { [UInt8](text.utf8).withUnsafeBufferPointer { decimalNumber($0) } }
    for text in ["0", "-0", "1", "-12.5", "0.1", "1e22", "123456789012345", "3.4028235e38", "1e-22", "0.000123e3"] {
      #expect(read(text) == Double(text), "\(text)")
    }
    #expect(
      read("-0").sign == .minus && read("1e999").isInfinite && read("1e-999") == 0 && read("-1e400") == -.infinity
    )
    #expect(read("0." + String(repeating: "0", count: 400) + "1") == 0)
    #expect(read("1" + String(repeating: "0", count: 30)) == 1e30)
    var g = SplitMix64(seed: 21)
    for _ in 0..<20_000 {
      let single = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &g))
      guard single.isFinite else { continue }
      #expect(Float(read("\(single)")) == single, "\(single)")
      let double = Double.random(in: -1e6...1e6, using: &g)
      #expect(isNear(read("\(double)"), double, within: double.ulp * 2), "\(double)")
    }
  }
}
