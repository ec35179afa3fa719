import Foundation
import SightlineStore
import Testing

@Suite struct WorldIdentifierTests {
  @Test(arguments: [
    ("ulm.gddf", "ulm"), ("ulm.area.xml", "ulm"), ("/a/b/Ulm.GDDF", "ulm"), ("Ulm Münster.kml", "ulm-m-nster"),
    ("__x__.gddf", "x"), ("日本.gddf", "world"), ("", "world"), (".hidden", "hidden"), ("a--b.gddf", "a-b"),
    (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
  ])
  func `a file name becomes an identifier`(name: String, expected: String) {
    let id = WorldIdentifier.derived(fromFileName: name)
    #expect(id == expected)
    #expect(WorldIdentifier.isValid(id))
  }

  @Test func `hexadecimal digits read back as the bytes`() {
    let bytes = Data((0...255).map { UInt8($0) })
    #expect(Data(hexadecimal: bytes.hexadecimal) == bytes)
    #expect(Data(hexadecimal: "0g") == nil)
    #expect(Data(hexadecimal: "abc") == nil)
    #expect(Data(hexadecimal: "AB") == nil)
    #expect(Data(hexadecimal: "") == Data())
  }
}
