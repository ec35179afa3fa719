import NIOCore

/// The description of the transit interface in OpenAPI 3.1.
enum TransitOpenAPI {
  /// Served as it is; `TransitRouteTests` compares it with what the routes answer.
  static let body = ByteBuffer(string: text)
  /// Changes with the text.
  static let etag: String = {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return String(hash, radix: 36)
  }()
}
