import NIOCore

/// What one method of a path does, for the description of the interface.
struct APIOperation: Sendable {
  /// Who is answered.
  enum Caller: Sendable {
    /// Everybody.
    case everyone
    /// Whoever is signed in (of objects: whose they are, and operators), with the session's cookie and secret.
    case author
    /// Operators.
    case operators
    /// A team of a tour, with its secret.
    case team
  }

  /// What stands in the body of a request.
  enum Body: Sendable {
    /// Nothing.
    case none
    /// JSON of a schema in ``APIDescription/schemas`` (or the transit's).
    case json(String)
    /// JSON of a schema, or the same members as form fields.
    case jsonOrForm(String)
    /// Form fields of a schema.
    case form(String)
    /// A file of any of these media types.
    case file([String])

    var isJSON: Bool {
      switch self {
      case .json, .jsonOrForm: true
      default: false
      }
    }
  }

  /// Small letters, as OpenAPI has them.
  let method: String
  /// The route's pattern.
  let path: String
  let summary: String
  var caller = Caller.everyone
  /// Fields of the query, by names in ``APIDescription/fields``.
  var query: [String] = []
  var body = Body.none
  /// Status of the usual answer, and what it is.
  var success = 200
  var answer = "application/json"
  /// Further statuses beside those that follow from the rest.
  var refusals: [Int] = []

  /// The operation as a member of its path.
  func write(to json: inout JSONWriter) {
    json.dynamicName(method)
    json.beginObject()
    json.member("summary", summary)
    json.name("security")
    json.beginArray()
    if caller != .everyone {
      json.beginObject()
      json.name(caller == .team ? "team" : "session")
      json.beginArray()
      json.endArray()
      json.endObject()
    }
    json.endArray()
    parameters(&json)
    requestBody(&json)
    responses(&json)
    json.endObject()
  }

  private func parameters(_ json: inout JSONWriter) {
    let variables = path.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }
    guard !variables.isEmpty || !query.isEmpty else { return }
    json.name("parameters")
    json.beginArray()
    for variable in variables {
      json.beginObject()
      json.member("name", variable.hasSuffix("...") ? String(variable.dropLast(3)) : String(variable))
      json.member("in", "path")
      json.name("required")
      json.value(true)
      json.name("schema")
      json.beginObject()
      json.member("type", "string")
      json.endObject()
      json.endObject()
    }
    for field in query {
      json.beginObject()
      json.member("name", field)
      json.member("in", "query")
      json.name("schema")
      json.raw((APIDescription.fields[field] ?? #"{"type": "string"}"#).utf8)
      json.endObject()
    }
    json.endArray()
  }

  private func requestBody(_ json: inout JSONWriter) {
    let contents: [(type: String, schema: String?)]
    switch body {
    case .none: return
    case .json(let schema): contents = [("application/json", schema)]
    case .jsonOrForm(let schema):
      contents = [("application/json", schema), ("application/x-www-form-urlencoded", schema)]
    case .form(let schema): contents = [("application/x-www-form-urlencoded", schema)]
    case .file(let types): contents = types.map { ($0, nil) }
    }
    json.name("requestBody")
    json.beginObject()
    json.name("content")
    json.beginObject()
    for (type, schema) in contents {
      json.dynamicName(type)
      json.beginObject()
      if let schema {
        json.name("schema")
        json.beginObject()
        json.member("$ref", "#/components/schemas/\(schema)")
        json.endObject()
      }
      json.endObject()
    }
    json.endObject()
    json.endObject()
  }

  private func responses(_ json: inout JSONWriter) {
    json.name("responses")
    json.beginObject()
    json.dynamicName(String(success))
    json.beginObject()
    json.member("description", "The answer")
    if success != 204, success != 302 {
      json.name("content")
      json.beginObject()
      json.dynamicName(answer)
      json.beginObject()
      json.endObject()
      json.endObject()
    }
    json.endObject()
    for status in statuses.sorted() {
      guard let name = APIDescription.refusals[status] else { continue }
      json.dynamicName(String(status))
      json.beginObject()
      json.member("$ref", "#/components/responses/\(name)")
      json.endObject()
    }
    json.endObject()
  }

  /// The statuses of refusals: what follows from the operation, and its own.
  private var statuses: Set<Int> {
    var found: Set = [400, 429, 503]
    found.formUnion(refusals)
    if path.contains("{") { found.insert(404) }
    if case .none = body {} else { found.insert(413) }
    if body.isJSON { found.formUnion([415, 422]) }
    if caller != .everyone { found.formUnion([401, 403]) }
    return found
  }
}
