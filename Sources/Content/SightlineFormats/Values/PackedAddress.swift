/// The address of a file inside an archive: that of the archive, `#` and the file's path in it.
package enum PackedAddress {
  /// An address from its parts; `SightlineImport` and the server read it.
  package static func make(archive: String, path: String) -> String {
    var escaped = ""
    for byte in path.utf8 {
      let isPlain = byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
      if isPlain || "/._-".utf8.contains(byte) {
        escaped.append(Character(UnicodeScalar(byte)))
      } else {
        escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return archive.prefix { $0 != "#" } + "#" + escaped
  }
}
