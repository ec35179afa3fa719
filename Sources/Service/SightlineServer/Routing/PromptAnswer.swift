import HTTPTypes
import Hummingbird
import NIOCore

/// An answer that is whole as soon as it begins: it lies in memory.
struct PromptAnswer: Sendable {
  var status: HTTPResponse.Status = .ok
  var headers: HTTPFields
  var body: ByteBuffer

  /// A small JSON answer that is made anew each time; `shared` says that pages of other sites may read it.
  static func json(_ body: ByteBuffer, shared: Bool = false) -> PromptAnswer {
    var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    if shared { headers[.accessControlAllowOrigin] = "*" }
    return PromptAnswer(headers: headers, body: body)
  }

  /// A problem's document.
  static func problem(_ problem: RequestProblem, requestID: String) -> PromptAnswer {
    PromptAnswer(status: problem.status, headers: problem.documentHeaders, body: problem.body(requestID: requestID))
  }

  /// The same for the framework.
  var response: Response { Response(status: status, headers: headers, body: .init(byteBuffer: body)) }
}

/// Answers a request of a light route without waiting for anything; the body is the request's, whole.
///
/// `nil` when something has to be waited for: the route's ``Handler`` is asked then, and nothing may have been counted for the client.
typealias PromptHandler = @Sendable (Exchange, ByteBuffer) throws -> PromptAnswer?
