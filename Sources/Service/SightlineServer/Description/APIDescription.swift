import Foundation
import NIOCore
import SightlineStore
import Synchronization

/// The description of the whole interface in OpenAPI 3.1, as `/api/v1/openapi.json` serves it, made of the table of routes.
final class APIDescription: Sendable {
  /// The document, as it is served.
  let body: ByteBuffer
  /// Changes with the document.
  let etag: String

  /// The description of a table.
  init(_ table: RouteTable) {
    let components = SchemaComponents()
    var paths: [String: JSONValue] = [:]
    for route in table.routes {
      let path = route.pattern.replacing("...}", with: "}")
      var methods: [String: JSONValue] = [:]
      for (method, operation) in route.operations {
        methods[method.rawValue.lowercased()] = operation.json(route.pattern, components)
      }
      paths[path] = .object(methods)
    }
    var responses: [String: JSONValue] = [:]
    let problem: JSONValue = [
      "application/problem+json": ["schema": components.reference(to: ProblemDocument.self).json]
    ]
    for refusal in APIDescription.refusals.values {
      responses[refusal.name] = ["description": .string(refusal.sentence), "content": problem]
    }
    let document: JSONValue = [
      "openapi": "3.1.0",
      "info": [
        "title": "Sightline", "version": "1",
        "description": "Worlds, posters, tours, public transport. Documentation/http-api.md says more.",
      ],
      "servers": [["url": "/"]],
      "paths": .object(paths),
      "components": [
        "securitySchemes": APIDescription.securitySchemes,
        "responses": .object(responses),
        "schemas": .object(components.schemas.mapValues(\.json)),
      ],
    ]
    // A tree of texts and finite numbers is always encodable.
    let bytes = (try? ContentJSON.encode(document)) ?? Data()
    body = ByteBuffer(data: bytes)
    etag = ContentTag.of(bytes)
  }

  /// Names and sentences of the refusals that operations have in common.
  static let refusals: [Int: (name: String, sentence: String)] = [
    400: ("BadRequest", "The request is malformed"),
    401: ("SignInFirst", "Nobody is signed in, or the secret is unknown"),
    403: ("NotYours", "It is for others, or the session's secret is missing"),
    404: ("Unknown", "There is none"),
    406: ("NotAcceptable", "Not in this form"),
    409: ("Conflict", "It is not possible now, or somebody else has changed the same"),
    410: ("Gone", "It has been deleted"),
    412: ("Changed", "It has changed meanwhile"),
    413: ("TooMuch", "The body, or all files together, are too large"),
    415: ("OtherMediaType", "The body is of another media type"),
    422: ("Unfit", "The content cannot stay as it is; `problems` says why"),
    428: ("NeedsVersion", "If-Match has to say what is changed"),
    429: ("TooOften", "Too many requests; Retry-After says when to come again"),
    502: ("SourceFailed", "The foreign source failed"),
    503: ("ComeAgain", "Busy, starting or stopping; Retry-After says when to come again"),
    504: ("SourceLate", "The foreign source did not answer in time"),
  ]

  private static let securitySchemes: JSONValue = [
    "session": [
      "type": "apiKey", "in": "cookie", "name": "sightline",
      "description": "POST /api/v1/session; changes need its `csrf` in the field X-CSRF-Token",
    ],
    "team": ["type": "http", "scheme": "bearer", "description": "the secret of POST /api/v1/tour-team/join"],
  ]
}

/// The description of a table, made when it is first asked for.
final class DescriptionOfRoutes: Sendable {
  private let table: RouteTable
  private let made = Mutex<APIDescription?>(nil)

  private init(_ table: RouteTable) { self.table = table }

  private var description: APIDescription {
    made.withLock { made in
      let known = made ?? APIDescription(table)
      made = known
      return known
    }
  }

  static let path = "/api/v1/openapi.json"

  /// Adds the description of all routes that are in a table, and of its own.
  static func add(to routes: inout RouteTable) {
    let operation = APIOperation("This description", answer: .json("OpenAPI"), also: [304])
    var all = routes
    all.add(.get, path, operation) { _ in throw CancellationError() }
    let description = DescriptionOfRoutes(all)
    routes.add(.get, path, operation) { exchange in
      Answers.tagged(
        exchange,
        mediaType: "application/json",
        etag: "W/\"\(description.description.etag)\"",
        cache: "no-cache",
        plain: description.description.body,
        gzip: nil,
        headers: Answers.sharedHeaders
      )
    }
  }
}
