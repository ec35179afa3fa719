import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineImport
import Testing

@testable import SightlineServer

@Suite struct RoutingTests {
  @Test(arguments: [
    ("a=1&b=2", ["a": "1", "b": "2"]), ("", [:]), ("&&", [:]), ("a", ["a": ""]), ("a=", ["a": ""]),
    ("a=1&a=2", ["a": "1"]), ("a=b=c", ["a": "b=c"]), ("a+b=c+d", ["a b": "c d"]),
    ("t=%C3%A4%20%2B", ["t": "ä +"]), ("t=%", ["t": "%"]), ("t=%4", ["t": "%4"]), ("t=%zz", ["t": "%zz"]),
    ("t=%ff", ["t": "\u{FFFD}"]), ("event=init&", ["event": "init"]), ("t=ä", ["t": "ä"]), ("=x", ["": "x"]),
    ("t=%0", ["t": "%0"]), ("t=%41%", ["t": "A%"]),
  ])
  func `form fields are read tolerantly`(text: String, expected: [String: String]) {
    let fields = FormFields(text)
    for (name, value) in expected { #expect(fields[name] == value) }
    #expect(fields.fields.count >= expected.count)
    #expect(fields["missing"] == nil)
  }

  @Test func `encoded fields read back, and too many are cut off`() {
    for text in ["", "a b+c&d=e%f", "ä€🏛️", "\0\u{1}\n", "~-._"] {
      #expect(FormFields("x=" + FormFields.encode(text))["x"] == text)
      #expect(FormFields.encode(text).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x26 && $0 != 0x2B })
    }
    #expect(FormFields(String(repeating: "a=1&", count: 5000)).fields.count == FormFields.maximumCount)
  }

  @Test func `written JSON reads back as the same values`() throws {
    let texts = [
      "", "plain", "\"\\/\n\r\t\u{8}\u{c}", "\0\u{1}\u{1F}", "ä€🏛️\u{2028}", String(repeating: "x", count: 500),
    ]
    let numbers = [0.0, -0.0, 1, -1.5, 0.1, 48.3984, 1e-7, 1e300, 5e-324, .greatestFiniteMagnitude, 123_456_789.123]
    let integers = [0, 1, -1, 42, Int.max, Int.min]
    var json = JSONWriter(capacity: 4)
    json.beginObject()
    json.name("texts")
    json.beginArray()
    for text in texts { json.value(text) }
    json.endArray()
    json.name("numbers")
    json.beginArray()
    for number in numbers { json.value(number) }
    json.endArray()
    json.name("integers")
    json.beginArray()
    for integer in integers { json.value(integer) }
    json.endArray()
    json.name("rest")
    json.beginArray()
    json.value(true)
    json.value(false)
    json.null()
    json.value(Double.nan)
    json.value(-Double.infinity)
    json.beginObject()
    json.endObject()
    json.raw(ByteBuffer(string: "[1]"))
    json.value("x\"", of: "ä\\")
    json.endArray()
    json.endObject()
    struct Answer: Decodable {
      var texts: [String]
      var numbers: [Double]
      var integers: [Int]
    }
    let data = Data(json.buffer.readableBytesView)
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    #expect(answer.texts == texts)
    #expect(answer.numbers == numbers)
    #expect(answer.integers == integers)
    #expect(String(buffer: json.buffer).hasSuffix(#""rest":[true,false,null,null,null,{},[1],"ä\\:x\""]}"#))
  }

  @Test(arguments: [
    (0.0, "0"), (0.0004, "0"), (0.0005, "0.001"), (1, "1"), (1.5, "1.5"), (12.34, "12.34"), (12.3456, "12.346"),
    (999.9996, "1000"), (20_015_114.35, "20015114.35"), (0.01, "0.01"), (0.1, "0.1"), (0.101, "0.101"),
  ])
  func `distances have three decimals at most`(number: Double, text: String) {
    var json = JSONWriter(capacity: 16)
    json.thousandths(number)
    #expect(String(buffer: json.buffer) == text)
  }

  @Test(arguments: [
    ("gzip", true), ("gzip, deflate, br", true), ("GZIP", true), ("br", false), ("", false), ("gzip;q=0", false),
    ("gzip;q=0.5", true), ("*", true), ("*;q=0", false), ("*;q=0, gzip", true), ("gzip; q=0.0", false),
    ("identity", false), ("gzipped", false),
  ])
  func `gzip is used only where it is accepted`(field: String, accepts: Bool) {
    #expect(ContentCoding.acceptsGzip(field) == accepts)
  }

  @Test func `routes are matched by segments`() {
    var table = RouteTable()
    let handler: Handler = { _ in Response(status: .ok) }
    for pattern in ["/", "/a/b", "/a/{id}", "/a/{id}/c", "/w/{id}.gddf", "/files/{build}/{path...}"] {
      table.add(.get, pattern, .init("test", answer: .nothing), handler)
    }
    func match(_ path: String) -> String? {
      table.match(path[...]).map { "\($0.route.pattern) \($0.parameters)" }
    }
    #expect(match("/") == "/ []")
    #expect(match("/a/b") == "/a/b []")
    #expect(match("/a/x%20y") == #"/a/{id} ["x y"]"#)
    #expect(match("/a/x/c") == #"/a/{id}/c ["x"]"#)
    #expect(match("/w/ulm.v2.gddf") == #"/w/{id}.gddf ["ulm.v2"]"#)
    #expect(match("/w/.gddf") == nil)
    #expect(match("/w/ulm") == nil)
    #expect(match("/files/h/a/b.js") == #"/files/{build}/{path...} ["h", "a/b.js"]"#)
    #expect(match("/files/h/a%2Fb.js") == nil)
    #expect(match("/a") == nil)
    #expect(match("/a/") == nil)
    #expect(match("/a/x/") == nil)
    #expect(match("a/b") == nil)
    #expect(match("") == nil)
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00.000Z"), (951_782_400.5, "2000-02-29T00:00:00.500Z"),
    (1_800_000_000.123, "2027-01-15T08:00:00.123Z"), (-1.0, "1969-12-31T23:59:59.000Z"),
    (4_107_542_400, "2100-03-01T00:00:00.000Z"),
  ])
  func `points of time are written in UTC`(seconds: Double, text: String) {
    #expect(Timestamp.iso8601(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      (Array("GIF89a".utf8), "image/gif"), (Array("RIFF\0\0\0\0WEBP".utf8), "image/webp"),
      (Array("BM\u{10}\0\0\0\0\0\0\0".utf8), "image/bmp"), ([0x49, 0x49, 0x2A, 0], "image/tiff"),
      ([0x4D, 0x4D, 0, 0x2A], "image/tiff"), ([], nil), (Array("<svg xmlns=".utf8), nil), (Array("<html>".utf8), nil),
      (Array("BMW is a car maker".utf8), nil), ([0x89, 0x50], nil), (Array("RIFF\0\0\0\0WAVE".utf8), nil),
    ] as [([UInt8], String?)]
  )
  func `pictures are known by their first bytes`(bytes: [UInt8], mediaType: String?) {
    #expect(ImageSniffer.mediaType(of: bytes) == mediaType)
  }

  @Test(
    arguments: [
      (Array("ID3\u{3}".utf8), "audio/mpeg"), ([0xFF, 0xFB, 0x90, 0x64], "audio/mpeg"),
      ([0xFF, 0xF3, 0x40], "audio/mpeg"),
      ([0xFF, 0xF1, 0x50, 0x80], "audio/aac"), (Array("OggS".utf8), "audio/ogg"), (Array("fLaC".utf8), "audio/flac"),
      (Array("RIFF\0\0\0\0WAVE".utf8), "audio/wav"), ([0, 0, 0, 0x20] + Array("ftypM4A ".utf8), "audio/mp4"),
      ([0xFF, 0xD8, 0xFF, 0xE0], nil), ([0xFF], nil), ([], nil), (Array("<html>".utf8), nil), (Array("ftyp".utf8), nil),
      (Array("RIFF\0\0\0\0WEBP".utf8), nil), ([0, 0, 0, 0x24] + Array("ftypheic".utf8), nil),
      ([0, 0, 0, 0x20] + Array("ftypavif".utf8), nil),
    ] as [([UInt8], String?)]
  )
  func `sounds are known by their first bytes`(bytes: [UInt8], mediaType: String?) {
    #expect(SoundSniffer.mediaType(of: bytes) == mediaType)
  }
}
