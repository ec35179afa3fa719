import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// How answers are put together, in the few forms that there are.
enum Answers {
  /// A value as JSON; `adding` are further members that are JSON already, such as what lies in the store.
  static func json(
    _ value: some Encodable,
    adding members: KeyValuePairs<String, Data> = [:],
    status: HTTPResponse.Status = .ok,
    cache: String = "no-store",
    shared: Bool = false
  ) throws -> Response {
    json(try JSONBytes.encode(value, adding: members), status: status, cache: cache, shared: shared)
  }

  /// A small JSON answer that is made anew each time.
  static func json(
    _ body: ByteBuffer,
    status: HTTPResponse.Status = .ok,
    cache: String = "no-store",
    shared: Bool = false
  ) -> Response {
    var headers: HTTPFields = [.contentType: "application/json", .cacheControl: cache]
    if shared { headers[.accessControlAllowOrigin] = "*" }
    return Response(status: status, headers: headers, body: .init(byteBuffer: body))
  }

  /// A body that is named by an entity tag: 304 when the client has it, gzip when it takes it.
  ///
  /// The entity tag comes with its quotes; `cache` is the value of `Cache-Control`.
  static func tagged(
    _ exchange: Exchange,
    mediaType: String,
    etag: String,
    cache: String,
    plain: ByteBuffer,
    gzip: ByteBuffer?,
    headers extra: HTTPFields = [:]
  ) -> Response {
    var headers = extra
    headers[.eTag] = etag
    headers[.cacheControl] = cache
    if gzip != nil { headers[.vary] = "Accept-Encoding" }
    // The condition is one of reading; a POST is answered in full.
    if exchange.request.method != .post, let field = exchange.request.headers[.ifNoneMatch],
      ContentCoding.matches(field, etag: etag)
    {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = mediaType
    if let gzip, exchange.acceptsGzip {
      headers[.contentEncoding] = "gzip"
      return Response(status: .ok, headers: headers, body: .init(byteBuffer: gzip))
    }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: plain))
  }

  /// Answers of reading routes may be used by pages of other sites: they hold nothing that depends on who asks.
  static let sharedHeaders: HTTPFields = [.accessControlAllowOrigin: "*"]
}
