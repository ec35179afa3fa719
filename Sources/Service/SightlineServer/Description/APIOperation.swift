/// What one method of a route does, as the description of the interface says it; it stands beside the handler in the table
/// of routes.
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

  /// The schema of a body: a type's, or one that is written down (``WrittenSchemas``).
  enum Content: Sendable {
    case type(any Described.Type)
    case written(String)

    func reference(_ components: SchemaComponents) -> JSONSchema {
      switch self {
      case .type(let type): components.reference(to: type)
      case .written(let name): .component(name)
      }
    }
  }

  /// What stands in the body of a request.
  enum Body: Sendable {
    /// Nothing.
    case none
    case json(Content)
    /// JSON, or the same members as form fields.
    case jsonOrForm(Content)
    /// Form fields.
    case form(Content)
    /// A file of any of these media types.
    case file([String])

    static func json(_ type: any Described.Type) -> Body { .json(.type(type)) }
    static func json(_ name: String) -> Body { .json(.written(name)) }
    static func jsonOrForm(_ name: String) -> Body { .jsonOrForm(.written(name)) }
    static func form(_ name: String) -> Body { .form(.written(name)) }

    var isJSON: Bool {
      switch self {
      case .json, .jsonOrForm: true
      default: false
      }
    }
  }

  /// What the usual answer is.
  enum Answer: Sendable {
    /// Nothing, with status 204.
    case nothing
    case json(Content)
    /// A list of such, at the top.
    case jsonList(Content)
    /// Bytes of one of these media types.
    case file([String])

    static func json(_ type: any Described.Type) -> Answer { .json(.type(type)) }
    static func json(_ name: String) -> Answer { .json(.written(name)) }
    static func file(_ types: String...) -> Answer { .file(types) }

    static let page = Answer.file("text/html")
    static let gddf = Answer.file("application/gamaray-gddf")
    static let events = Answer.file("text/event-stream")
  }

  let summary: String
  let caller: Caller
  /// Fields of the query with their schemas, in order.
  let query: [(name: String, schema: JSONSchema)]
  let body: Body
  let answer: Answer
  /// Status of the usual answer.
  let success: Int
  /// Further statuses of answers that are no refusals: 304 of what has a tag, 302 of what leads elsewhere.
  let also: [Int]
  /// Statuses of refusals beside those that follow from the rest.
  let refusals: [Int]

  /// An operation.
  ///
  /// - Parameters:
  ///   - summary: What it does, in a line.
  ///   - caller: Who is answered.
  ///   - query: Fields of the query, with their schemas.
  ///   - body: What stands in the request's body.
  ///   - answer: What the usual answer is.
  ///   - success: Its status; 200, or 204 for nothing.
  ///   - also: Statuses of other answers that are no refusals.
  ///   - refusals: Statuses of refusals beside those that follow from the rest, see ``statuses(of:)``.
  init(
    _ summary: String,
    for caller: Caller = .everyone,
    query: KeyValuePairs<String, JSONSchema> = [:],
    body: Body = .none,
    answer: Answer,
    success: Int? = nil,
    also: [Int] = [],
    refusals: [Int] = []
  ) {
    self.summary = summary
    self.caller = caller
    self.query = query.map { ($0.key, $0.value) }
    self.body = body
    self.answer = answer
    if let success {
      self.success = success
    } else if case .nothing = answer {
      self.success = 204
    } else {
      self.success = 200
    }
    self.also = also
    self.refusals = refusals
  }

  /// The operation as a member of its path.
  func json(_ pattern: String, _ components: SchemaComponents) -> JSONValue {
    var found: [String: JSONValue] = ["summary": .string(summary)]
    switch caller {
    case .everyone: found["security"] = []
    case .team: found["security"] = [["team": []]]
    case .author, .operators: found["security"] = [["session": []]]
    }
    let parameters = parameters(pattern)
    if !parameters.isEmpty { found["parameters"] = .array(parameters) }
    found["requestBody"] = requestBody(components)
    var responses: [String: JSONValue] = [:]
    responses["\(success)"] = response(components)
    for status in also {
      responses["\(status)"] = ["description": .string(APIOperation.others[status] ?? "Another answer")]
    }
    for status in statuses(of: pattern) {
      guard let refusal = APIDescription.refusals[status] else { continue }
      responses["\(status)"] = ["$ref": .string("#/components/responses/\(refusal.name)")]
    }
    found["responses"] = .object(responses)
    return .object(found)
  }

  private static let others = [302: "It is elsewhere", 304: "The client has it already", 204: "There is none"]

  private func parameters(_ pattern: String) -> [JSONValue] {
    let variables = pattern.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }
    return variables.map { variable in
      let name = variable.hasSuffix("...") ? String(variable.dropLast(3)) : String(variable)
      return ["name": .string(name), "in": "path", "required": true, "schema": JSONSchema.string.json]
    }
      + query.map { ["name": .string($0.name), "in": "query", "schema": $0.schema.json] }
  }

  private func requestBody(_ components: SchemaComponents) -> JSONValue? {
    let types: [String]
    var content: JSONValue = [:]
    switch body {
    case .none: return nil
    case .json(let schema):
      types = ["application/json"]
      content = ["schema": schema.reference(components).json]
    case .jsonOrForm(let schema):
      types = ["application/json", "application/x-www-form-urlencoded"]
      content = ["schema": schema.reference(components).json]
    case .form(let schema):
      types = ["application/x-www-form-urlencoded"]
      content = ["schema": schema.reference(components).json]
    case .file(let media): types = media
    }
    return ["content": .object(Dictionary(types.map { ($0, content) }) { first, _ in first })]
  }

  private func response(_ components: SchemaComponents) -> JSONValue {
    switch answer {
    case .nothing: ["description": "Done"]
    case .json(let schema): content(["application/json": ["schema": schema.reference(components).json]])
    case .jsonList(let schema):
      content(["application/json": ["schema": JSONSchema.list(schema.reference(components)).json]])
    case .file(let types): content(.object(Dictionary(types.map { ($0, [:]) }) { first, _ in first }))
    }
  }

  private func content(_ content: JSONValue) -> JSONValue { ["description": "The answer", "content": content] }

  /// The statuses of refusals: what follows from the operation, and its own.
  func statuses(of pattern: String) -> Set<Int> {
    var found: Set = [400, 429, 503]
    found.formUnion(refusals)
    if pattern.contains("{") { found.insert(404) }
    switch body {
    case .none: break
    case .form: found.formUnion([413, 415])
    case .json, .jsonOrForm: found.formUnion([413, 415, 422])
    case .file: found.insert(413)
    }
    if caller != .everyone { found.formUnion([401, 403]) }
    if caller == .team { found.formUnion([409, 410]) }
    return found
  }
}
