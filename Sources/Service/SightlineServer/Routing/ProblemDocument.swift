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
    // Texts and whole numbers are always encodable.
    (try? JSONBytes.encode(ProblemDocument(self, requestID: requestID))) ?? ByteBuffer()
  }

  /// The answer's own header fields, and those of a document.
  var documentHeaders: HTTPFields {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    return headers
  }

  /// The answer.
  func response(requestID: String?) -> Response {
    Response(status: status, headers: documentHeaders, body: .init(byteBuffer: body(requestID: requestID)))
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

/// What a client gets of a ``RequestProblem``.
struct ProblemDocument: Codable, Described, Sendable {
  /// What a reader found in a document.
  struct Finding: Codable, Sendable {
    var severity: String
    var code: String
    var line: Int?
    var path: String
    var message: String

    init(_ finding: Problem) {
      severity = finding.severity.rawValue
      code = finding.code
      line = finding.line
      path = finding.path
      message = finding.message
    }
  }

  var type = "about:blank"
  var title: String
  var status: Int
  var code: String
  var detail: String
  var instance: String?
  var problems: [Finding]?

  static let schemaName = "Problem"
  /// Some problems say more (RFC 9457, 3.2), such as what contradicts each other.
  static var others: JSONSchema? { .any }

  init(_ problem: RequestProblem, requestID: String?) {
    title = problem.status.reasonPhrase
    status = problem.status.code
    code = problem.code
    detail = problem.detail
    instance = requestID.map { "urn:sightline:request:\($0)" }
    problems = problem.findings.isEmpty ? nil : problem.findings.map(Finding.init)
  }
}
