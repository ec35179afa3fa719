import Testing

@testable import SightlineFormats

@Suite struct XMLReaderTests {
  private func root(_ text: String, _ limits: ReadingLimits = .init()) throws -> LocatedElement {
    try XMLTreeReader.root(ofBytes: Array(text.utf8), limits: limits)
  }

  private func failure(_ text: String, _ limits: ReadingLimits = .init()) -> DocumentFailure? {
    #expect(throws: DocumentFailure.self) { try root(text, limits) }
  }

  @Test func `every element has the line and column of its start tag`() throws {
    let text =
      "<?xml version='1.0'?>\n<!-- <no> -->\n<a\n  x='>'>\r\n  <b/> <c\ry='1'\n/>\r<![CDATA[<d>\n]]><e>é</e><f/></a>\n"
    let root = try root(text)
    #expect((root.line, root.column) == (3, 1))
    let places = root.children.map { "\($0.name) \($0.line):\($0.column)" }
    #expect(places == ["b 5:3", "c 5:8", "e 9:4", "f 9:13"])
  }

  @Test func `text, references and CDATA are joined in order`() throws {
    let root = try root("<a>x&lt;&#65;&#x1F600;<![CDATA[&amp;<b>]]><!-- c --><?p q?>y<b>inner</b>z</a>")
    #expect(root.text == "x<A😀&amp;<b>yz")
    #expect(root.children[0].text == "inner")
  }

  @Test(arguments: [
    "<a xmlns='relative/name'/>", "<a xml:lang='no language'/>", "<p:a/>", "<a p:b='1'/>", "<?xml version='1.1'?><a/>",
  ])
  func `what the parser only warns of is read`(text: String) throws { #expect(try root(text).name == "a") }

  /// Found by mutation on 2026-11-21: Foundation's parser dereferences a null pointer for `<?p?>`.
  @Test func `processing instructions are ignored, also those that are only a name`() throws {
    let root = try root("<?p?><!-- c --><?q r?>\n<a>x<?p?>y<?p\n\n?>z<b/><?é?></a><?p ?>")
    #expect(root.text == "xyz" && root.line == 2 && root.children[0].line == 4)
    #expect(failure("<a><??></a>")?.code == "xml.malformed")
    #expect(failure("<a><?1?></a>")?.code == "xml.malformed")
    #expect(failure("<a/><?XML?>")?.code == "xml.malformed")
    #expect(failure("<?xml?><a/>")?.code == "xml.malformed")
  }

  @Test func `namespaces follow declarations, not prefixes`() throws {
    let root = try root("<a xmlns='u' xmlns:p='v' p:k='1'><p:b/><c xmlns=''><d/></c><e xmlns:p='w'><p:f/></e><g/></a>")
    #expect(root.namespace == "u")
    #expect(root.attribute("p:k") == "1")
    #expect(root.children.map(\.namespace) == ["v", nil, "u", "u"])
    #expect(root.children[1].children[0].namespace == nil)
    #expect(root.children[2].children[0].namespace == "w")
    #expect(root.children[0].name == "b" && root.children[0].prefix == "p")
  }

  /// Each with the line where it is wrong.
  ///
  /// Foundation's parser calls several of them a success.
  @Test(arguments: [
    ("", 1), ("   \n ", 2), ("<!-- only -->", 1), ("text", 1), ("<a>", 1), ("<a>\n<b>\n</a>", 3),
    ("<a>\n</a>\n</a>", 3),
    ("<a/>\n<b/>", 2), ("<a/>\ntail", 2), ("<a/>\n<![CDATA[x]]>", 2), ("<a>\n<!-- open", 2), ("<a>\n<![CDATA[open", 2),
    ("<a>\n<?open", 2), ("<a\nb='1'", 1), ("<a>\n<b c='1></b></a>", 2), ("<a>\n< b/></a>", 2),
    ("<a>\n<!ELEMENT b></a>", 2),
    ("<a>\n&nbsp;</a>", 2), ("<a>\n& </a>", 2), ("<a>\n&#0;</a>", 2), ("<a>\n\u{1}</a>", 2), ("<a b='1' b='2'/>", 1),
    ("<a b=1/>", 1), ("<a b/>", 1), ("<a b='<'/>", 1), ("<a>]]></a>", 1), ("\n<?xml version='1.0'?><a/>", 2),
    ("<a>\n<!-- -- --></a>", 2), ("<a><b></b x></a>", 1), ("<?xml version='1.0'? encoding='UTF-8'>\n<a/>", 1),
    ("<a></A>", 1), ("</a>", 1), ("<1/>", 1), ("<a><b/ ></a>", 1),
  ])
  func `what is not well-formed is refused with its line`(text: String, line: Int) {
    let failure = failure(text)
    #expect(failure?.code == "xml.malformed", "\(text.debugDescription): \(String(describing: failure))")
    #expect(failure?.line == line, "\(text.debugDescription): \(String(describing: failure))")
  }

  @Test(arguments: [
    "<!DOCTYPE a><a/>", "<?xml version='1.0'?>\n<!-- x -->\n<!doctype a SYSTEM 'file:///etc/passwd'><a/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!DOCTYPE b></a>", "<?p x?><!DOCTYPE a PUBLIC 'x' 'http://a/'><a/>",
    "\u{FEFF}<!DOCTYPE a><a/>",
  ])
  func `any document type declaration is refused before parsing`(text: String) {
    #expect(failure(text)?.code == "xml.doctype")
    for bigEndian in [true, false] where !text.hasPrefix("\u{FEFF}") {
      do throws(DocumentFailure) {
        _ = try XMLTreeReader.root(ofBytes: utf16Bytes(text, bigEndian: bigEndian), limits: .init())
        Issue.record("not refused")
      } catch {
        #expect(error.code == "xml.doctype")
      }
    }
  }

  @Test func `a hidden declaration in another encoding is found too`() throws {
    let bytes = Array("<?xml version='1.0' encoding='windows-1252'?><!DOCTYPE a><a>".utf8) + [0xE9] + Array("</a>".utf8)
    do throws(DocumentFailure) {
      _ = try XMLTreeReader.root(ofBytes: bytes, limits: .init())
      Issue.record("not refused")
    } catch {
      #expect(error.code == "xml.doctype")
    }
  }

  @Test func `each limit is stated with its value`() {
    var limits = ReadingLimits()
    limits.depth = 3
    limits.elements = 5
    limits.bytes = 100
    let deep = failure("<a><b><c>\n<d/></c></b></a>", limits)
    #expect(deep?.code == "limit.depth" && deep?.line == 2)
    #expect(deep?.message.contains("nested 4 deep; the limit is 3") == true)
    let many = failure("<a><b/><b/><b/><b/>\n<b/></a>", limits)
    #expect(many?.code == "limit.count" && many?.line == 2)
    #expect(many?.message.contains("more than 5 elements; the limit is 5") == true)
    let large = failure("<a>\(String(repeating: "x", count: 200))</a>", limits)
    #expect(large?.code == "limit.size")
    #expect(large?.message.contains("has 207 bytes; the limit is 100") == true)
  }

  @Test func `documents up to the limits are read`() throws {
    var limits = ReadingLimits()
    limits.depth = 3
    limits.elements = 5
    #expect(try root("<a><b><c/></b><b/><b/></a>", limits).children.count == 3)
    let deep = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
    #expect(try root(deep).children.count == 1)
    #expect(failure("<a>" + deep + "</a>")?.code == "limit.depth")
  }

  @Test func `a hundred thousand nested elements are refused without a crash`() {
    #expect(failure(String(repeating: "<a>", count: 100_000))?.code == "limit.depth")
  }
}

@Suite struct TextDecodingTests {
  private func decode(_ bytes: [UInt8]) throws -> String {
    String(decoding: try TextDecoding.utf8(bytes), as: UTF8.self)
  }

  @Test func `marks and declarations lead to UTF-8 with the same lines`() throws {
    let utf16 = "<?xml version='1.0'\nencoding='UTF-16'?><a>ß🌍</a>"
    let expected = "                   \n                   <a>ß🌍</a>"
    for bigEndian in [true, false] {
      let bytes = utf16Bytes(utf16, bigEndian: bigEndian)
      #expect(try decode(bytes) == expected)
      #expect(try decode(Array(bytes.dropFirst(2))) == expected)
    }
    #expect(try decode([0xEF, 0xBB, 0xBF] + Array("<a>ß</a>".utf8)) == "<a>ß</a>")
    #expect(try decode(Array("<?xml version='1.0' encoding='utf-8'?><a/>".utf8)).hasPrefix("<?xml"))
  }

  @Test(
    arguments: [
      ("ISO-8859-1", [0xA4, 0xE4, 0x80], "¤ä\u{80}"), ("iso-8859-15", [0xA4, 0xBC, 0xE4], "€Œä"),
      ("Windows-1252", [0x80, 0x93, 0xE4, 0x9F], "€“äŸ"), ("latin1", [0xE9], "é"), ("UTF8", [0xC3, 0xA9], "é"),
      ("US-ASCII", [0x41], "A"),
    ] as [(String, [UInt8], String)]
  )
  func `single-byte encodings are converted`(name: String, bytes: [UInt8], text: String) throws {
    let document = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><a>".utf8) + bytes + Array("</a>".utf8)
    #expect(try decode(document).contains("<a>\(text)</a>"))
    #expect(try XMLTreeReader.root(ofBytes: document, limits: .init()).text == text)
  }

  @Test(
    arguments: [
      (Array("<?xml version='1.0' encoding='EBCDIC-CP-US'?><a/>".utf8), "EBCDIC-CP-US"),
      ([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"),
      (Array("<?xml version='1.0' encoding='windows-1252'?>\n<a>".utf8) + [0x81], "Byte 49"),
      (Array("<a>\n".utf8) + [0xC3, 0x28], "Byte 4 (195)"), ([0xEF, 0xBB, 0xBF, 0x3C, 0xFF], "Byte 4 (255)"),
      (Array("<a>".utf8) + [0xED, 0xA0, 0x80], "Byte 3"), ([0xFE, 0xFF, 0, 0x3C, 0xD8, 0, 0, 0x41], "bytes at 4"),
      ([0xFF, 0xFE, 0x3C], "bytes at 2"),
      ([0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='ISO-8859-1'?><a/>".utf8), "ISO-8859-1"),
    ] as [([UInt8], String)]
  )
  func `undecodable bytes are refused by name or offset`(bytes: [UInt8], part: String) {
    do throws(DocumentFailure) {
      _ = try TextDecoding.utf8(bytes)
      Issue.record("\(bytes) was decoded")
    } catch {
      #expect(error.code == "format.encoding")
      #expect(error.message.contains(part), "\(error.message)")
    }
  }
}
