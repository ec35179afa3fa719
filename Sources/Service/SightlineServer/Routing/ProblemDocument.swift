public import HTTPTypes
import Hummingbird
import NIOCore
import SightlineContent

/// An error that a client is told about, in the form of RFC 9457 (`application/problem+json`).
public struct RequestProblem: Error, Equatable, Sendable {
  /// HTTP status.
  public var status: HTTPResponse.Status
  /// Stable word for programs: `world.unknown`.
  public var code: String
  /// A plain sentence: what was wrong, where, and what to do.
  public var detail: String
  /// Further header fields, such as `Allow`.
  public var headers: HTTPFields
  /// Findings of a reader, when a document was the trouble.
  public var findings: [Problem]

  /// A problem.
  public init(
    _ status: HTTPResponse.Status,
    _ code: String,
    _ detail: String,
    headers: HTTPFields = [:],
    findings: [Problem] = []
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.headers = headers
    self.findings = findings
  }

  /// The document as bytes.
  func body(requestID: String?) -> ByteBuffer {
    var json = JSONWriter(capacity: 256 + detail.utf8.count)
    json.beginObject()
    json.member("type", "about:blank")
    json.member("title", status.reasonPhrase)
    json.member("status", status.code)
    json.member("code", code)
    json.member("detail", detail)
    if let requestID { json.member("instance", "urn:sightline:request:\(requestID)") }
    if !findings.isEmpty {
      json.name("problems")
      json.beginArray()
      for finding in findings {
        json.beginObject()
        json.member("severity", finding.severity.rawValue)
        json.member("code", finding.code)
        if let line = finding.line { json.member("line", line) }
        json.member("path", finding.path)
        json.member("message", finding.message)
        json.endObject()
      }
      json.endArray()
    }
    json.endObject()
    return json.buffer
  }

  /// The answer.
  func response(requestID: String?) -> Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: .init(byteBuffer: body(requestID: requestID)))
  }
}

extension RequestProblem {
  /// 400: something in the request is wrong.
  static func badRequest(_ code: String, _ detail: String) -> RequestProblem {
    RequestProblem(.badRequest, code, detail)
  }

  /// 404.
  static func notFound(_ code: String, _ detail: String) -> RequestProblem { RequestProblem(.notFound, code, detail) }

  /// 404 for a world.
  static func unknownWorld(_ id: String) -> RequestProblem {
    .notFound("world.unknown", "There is no world \"\(id)\" here. GET /api/v1/worlds lists those there are.")
  }
}
