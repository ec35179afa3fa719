/// Media types of the files a web client consists of.
enum MediaTypes {
  /// By the ending of the name; `nil` for files that are not served.
  static func ofFile(named name: String) -> String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return byEnding[name[name.index(after: dot)...].lowercased()]
  }

  /// Whether gzip makes such a file smaller.
  static func isCompressible(_ mediaType: String) -> Bool {
    mediaType.hasPrefix("text/") || mediaType.hasPrefix("application/json") || mediaType == "application/wasm"
      || mediaType == "image/svg+xml" || mediaType.hasPrefix("application/manifest+json")
  }

  private static let byEnding: [String: String] = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "json": "application/json", "webmanifest": "application/manifest+json", "wasm": "application/wasm",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    "gif": "image/gif", "ico": "image/vnd.microsoft.icon", "woff2": "font/woff2", "mp3": "audio/mpeg",
    "glb": "model/gltf-binary", "ogg": "audio/ogg", "wav": "audio/wav", "txt": "text/plain; charset=utf-8",
  ]
}

/// What the first bytes of a file that a visual uses say it is.
enum AssetSniffer {
  /// The media type of a picture or of a model (GLB), or `nil` for anything else.
  static func mediaType(of bytes: some Collection<UInt8>) -> String? {
    bytes.prefix(4).elementsEqual("glTF".utf8) ? "model/gltf-binary" : ImageSniffer.mediaType(of: bytes)
  }
}

/// What a picture's first bytes say it is.
enum ImageSniffer {
  /// The media type, or `nil` when the bytes are none of PNG, JPEG, GIF, WebP, BMP and TIFF.
  static func mediaType(of bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(16))
    func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      head.count >= offset + signature.count && head[offset..<(offset + signature.count)].elementsEqual(signature)
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
    if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
    // "BM" alone begins many a text; a bitmap's reserved bytes are 0.
    if begins(Array("BM".utf8)), begins([0, 0, 0, 0], at: 6) { return "image/bmp" }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return "image/tiff" }
    return nil
  }
}
