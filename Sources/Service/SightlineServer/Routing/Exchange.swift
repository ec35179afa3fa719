import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// One request on its way through the server.
struct Exchange: Sendable {
  let request: Request
  /// Names this request in the answer, in the log and in problem documents.
  let requestID: String
  /// Values of the route's variable segments, in order, percent signs decoded.
  let parameters: [String]
  /// The network that the request comes from, see ``ClientNetwork``; for limits, never logged.
  let client: String
  let log: Logger

  /// The part of the target after `?`, as it came; never written to the log, for it may hold a position.
  var query: Substring {
    guard let path = request.head.path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return "" }
    return path[path.utf8.index(after: mark)...]
  }

  /// Fields of the query string.
  var queryFields: FormFields { FormFields(query) }

  /// Largest body that any route reads, bytes.
  static let maximumBodyBytes = 64 * 1024

  /// Longest time a client may take to send a small body.
  static let bodyTimeLimit = Duration.seconds(20)

  /// What a larger one has to come with from then on, bytes in a second.
  static let leastBodyRate = 32 * 1024

  /// The body, whole.
  func body(limit: Int = Exchange.maximumBodyBytes) async throws -> ByteBuffer {
    let tooLarge = RequestProblem(
      .contentTooLarge,
      "body.too-large",
      "The body is larger than the \(limit) bytes that are accepted here.",
      headers: [.connection: "close"]
    )
    if let text = request.headers[.contentLength], let length = Int(text), length > limit { throw tooLarge }
    var body = ByteBuffer()
    let start = ContinuousClock.now
    for try await chunk in request.body {
      guard body.readableBytes + chunk.readableBytes <= limit else { throw tooLarge }
      // A sender of one byte now and then never becomes idle; the total time stops it.
      let allowed = Exchange.bodyTimeLimit + .milliseconds(body.readableBytes * 1000 / Exchange.leastBodyRate)
      guard ContinuousClock.now - start < allowed else {
        throw RequestProblem(
          .requestTimeout,
          "body.too-slow",
          "The body did not arrive in time. Send it at once, or over a better line.",
          headers: [.connection: "close"]
        )
      }
      body.writeImmutableBuffer(chunk)
    }
    return body
  }

  /// The body's media type without parameters, lower case; `nil` when none was sent.
  var mediaType: String? {
    guard let value = request.headers[.contentType] else { return nil }
    if value == "application/json" { return value }
    let end = value.firstIndex(of: ";") ?? value.endIndex
    return value[..<end].trimming().lowercased()
  }

  /// Fields of a form body.
  ///
  /// A missing media type is taken for a form: the oldest clients sent none of their own.
  func formFields() async throws -> FormFields {
    if let mediaType, mediaType != "application/x-www-form-urlencoded" {
      throw RequestProblem(
        .unsupportedMediaType,
        "body.media-type",
        "The body is \(mediaType.prefix(80)); send application/x-www-form-urlencoded.",
        headers: [.acceptPost: "application/x-www-form-urlencoded"]
      )
    }
    return FormFields(String(buffer: try await body()))
  }

  /// Whether the client takes gzip.
  var acceptsGzip: Bool {
    guard let value = request.headers[.acceptEncoding] else { return false }
    return ContentCoding.acceptsGzip(value)
  }

  /// Scheme and host by which the client knows this server, for addresses inside a document.
  func origin(secure: Bool, configured: String?) -> String {
    if let configured { return configured }
    let host = request.head.authority ?? "localhost"
    return "\(secure ? "https" : "http")://\(HostName.isWellFormed(host) ? host : "localhost")"
  }
}

extension HTTPField.Name {
  /// Media types that may be posted, sent with status 415.
  // swift-format-ignore: NeverForceUnwrap
  static let acceptPost = HTTPField.Name("Accept-Post")!
}
