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
    "geoid": "application/octet-stream",
  ]
}
