import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat

extension Exchange {
  /// A JSON body.
  ///
  /// No other media type is taken: what a form of another site's page can send is none.
  ///
  /// - Throws: 415, 413, or 400 with the member that is missing or of the wrong type.
  func json<Value: Decodable>(_ type: Value.Type, limit: Int = Exchange.maximumBodyBytes) async throws -> Value {
    let bytes = try await jsonBytes(limit: limit)
    do {
      return try JSONDecoder().decode(type, from: bytes)
    } catch let error as DecodingError {
      throw Exchange.problem(error)
    }
  }

  /// The bytes of a JSON body, not looked into.
  func jsonBytes(limit: Int = Exchange.maximumBodyBytes) async throws -> Data {
    guard mediaType == "application/json" else {
      throw RequestProblem(
        .unsupportedMediaType,
        "body.media-type",
        "Send the body as application/json.",
        headers: [.acceptPost: "application/json"]
      )
    }
    return Data(try await body(limit: limit).readableBytesView)
  }

  /// What is wrong with a JSON body, in words.
  static func problem(_ error: DecodingError) -> RequestProblem {
    func name(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return .badRequest("body.member", "The member \(name(context.codingPath + [key])) is missing in the body.")
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let path = name(context.codingPath)
      return .badRequest(
        "body.member",
        path.isEmpty ? "The body is not of the form it has to have here." : "The member \(path) has the wrong type."
      )
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      return .badRequest(
        "body.member",
        "The member \(name(context.codingPath)) has a value that is not possible there."
      )
    default: return .badRequest("body.json", "The body is not well-formed JSON.")
    }
  }
}
