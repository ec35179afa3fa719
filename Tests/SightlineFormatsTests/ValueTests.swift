import SightlineContent
import SightlineTestSupport
import Testing

@testable import SightlineFormats

@Suite struct DecimalNumberTests {
  @Test(arguments: [
    ("0", 0.0), ("-0", 0), ("+5", 5), ("5.", 5), (".5", 0.5), ("-12.25", -12.25), ("1e3", 1000), ("1.5E-2", 0.015),
    ("007", 7), ("1e-400", 0), ("52.0", 52),
  ])
  func `a complete decimal number is read`(text: String, value: Double) { #expect(DecimalNumber.parse(text) == value) }

  @Test(arguments: [
    "", " ", ".", "-", "+", "e5", "1e", "1e+", "1,5", "1 000", "0x10", "inf", "-inf", "nan", "Infinity", "1e400", "12m",
    "--1", "1.2.3", "1_000", "٣", "½", "1e5.5", " 1", "1 ", "+.e1",
  ])
  func `anything else is none`(text: String) { #expect(DecimalNumber.parse(text) == nil) }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (5, "5"), (0.00001, "0.00001"), (-1.25e-9, "-0.00000000125"), (1e16, "10000000000000000"),
    (123456.789, "123456.789"), (1.5e20, "150000000000000000000"), (48.4042981, "48.4042981"),
    (.pi, "3.141592653589793"),
  ])
  func `the shortest text has no exponent`(value: Double, text: String) { #expect(DecimalNumber.text(value) == text) }

  @Test func `text and number are inverse for any bits`() {
    var random = SplitMix64(seed: 20_250_101)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      guard value.isFinite else { continue }
      let text = DecimalNumber.text(value)
      #expect(DecimalNumber.parse(text) == value, "\(value)")
      #expect(!text.contains("e") && !text.contains("E"))
    }
  }

  @Test(arguments: [
    (48.4042981, 7, "48.4042981"), (-0.00000001, 7, "0.0000000"), (9.97, 7, "9.9700000"),
    (-179.99999999, 7, "-180.0000000"),
    (1.0e-5, 7, "0.0000100"), (479.005, 2, "479.01"), (0.5, 0, "1"), (1e20, 2, "100000000000000000000"),
  ])
  func `fixed decimals are exact and never minus zero`(value: Double, decimals: Int, text: String) {
    #expect(DecimalNumber.text(value, decimals: decimals) == text)
  }
}

@Suite struct URLReferenceTests {
  /// RFC 3986, 5.4.1 and 5.4.2, with the base given there.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
  ])
  func `references resolve as the standard lists them`(reference: String, result: String) {
    let base = URLReference("http://a/b/c/d;p?q")
    #expect(URLReference(reference).resolved(against: base).text == result)
  }

  @Test(
    arguments: [
      ("http://user@host:8080/p", "host"), ("http://[2001:db8::1]:80/", "2001:db8::1"), ("http://host", "host"),
      ("http:///p", nil), ("mailto:a@b", nil), ("http://:80/", nil),
    ] as [(String, String?)]
  )
  func `the host is found`(url: String, host: String?) { #expect(URLReference(url).host == host) }

  @Test(arguments: [
    ("http://a/b?c=d&e=%20#f", "http://a/b?c=d&e=%20#f"), ("http://a/ä b|c", "http://a/%C3%A4%20b%7Cc"),
    ("a%zz%4", "a%25zz%254"), ("a#b#c", "a#b%23c"), ("\"<>\\^`{}", "%22%3C%3E%5C%5E%60%7B%7D"),
  ])
  func `only what must be is percent-encoded`(text: String, encoded: String) {
    #expect(URLReference.percentEncoded(text) == encoded)
    #expect(URLReference.percentEncoded(encoded) == encoded)
  }
}

@Suite struct StableIdentifierTests {
  /// The FNV-1a test vector for "foobar" (64 bits) is 85944171f73967e8; here a byte FF ends each part.
  @Test func `the hash does not depend on the run`() {
    #expect(StableIdentifier.make(prefix: "x-", []) == "x-cbf29ce484222325")
    let ulm = Position(latitude: 48.4042981, longitude: 9.979349)
    #expect(StableIdentifier.make(prefix: "area-", name: "Ulm", position: ulm) == "area-0fb63912a05df606")
    #expect(StableIdentifier.make(prefix: "", ["ab", "c"]) != StableIdentifier.make(prefix: "", ["a", "bc"]))
  }

  @Test func `equal things get numbers`() {
    var register = IdentifierRegister()
    #expect(register.unique("a") == "a")
    #expect(register.unique("a") == "a-2")
    #expect(register.unique("a") == "a-3")
    #expect(register.take("b", line: 7) == nil)
    #expect(register.take("b", line: 9) == 7)
    #expect(register.unique("b") == "b-2")
  }
}
