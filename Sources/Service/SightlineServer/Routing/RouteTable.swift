import HTTPTypes
import Hummingbird

/// What answers a request.
typealias Handler = @Sendable (Exchange) async throws -> Response

/// The server's routes: paths with variable segments, and for each the methods it takes.
///
/// Hummingbird's router answers an unknown method with 404; here it is 405 with `Allow`, `HEAD` follows from `GET`,
/// and the table can be listed for documentation and tests.
struct RouteTable: Sendable {
  /// One path with its methods.
  struct Route: Sendable {
    /// As written: `/api/v1/worlds/{id}`.
    ///
    /// Also what the log shows, for it holds nothing of the user's.
    let pattern: String
    /// Its place in the table.
    let number: Int
    fileprivate let segments: [Segment]
    fileprivate(set) var handlers: [HTTPRequest.Method: Handler] = [:]
    /// What its methods do, for the description of the interface.
    fileprivate(set) var operations: [HTTPRequest.Method: APIOperation] = [:]
    /// What answers a request that is there as a whole without waiting, by method.
    fileprivate(set) var prompts: [HTTPRequest.Method: PromptHandler] = [:]
    /// Whether its handlers answer at once and never wait for a disk or a long computation: they may run on the connection's event loop.
    fileprivate(set) var isLight = false
    /// What its handlers cost, by method; ``RouteCost/usual`` when nothing was said.
    fileprivate var costs: [HTTPRequest.Method: RouteCost] = [:]

    /// Value of the `Allow` field.
    var allow: String {
      var methods = handlers.keys.map(\.rawValue)
      if handlers[.get] != nil { methods.append("HEAD") }
      methods.append("OPTIONS")
      return methods.sorted().joined(separator: ", ")
    }

    /// What answers a method; `HEAD` is answered as `GET`, without the body.
    func handler(for method: HTTPRequest.Method) -> Handler? {
      handlers[method] ?? (method == .head ? handlers[.get] : nil)
    }

    /// What a method costs.
    func cost(of method: HTTPRequest.Method) -> RouteCost { costs[method == .head ? .get : method] ?? .usual }
  }

  /// One piece of a path between slashes.
  fileprivate enum Segment: Sendable, Equatable {
    case literal(String)
    /// Any one segment that ends with the suffix.
    case variable(suffix: String)
    /// All that is left, slashes included.
    case rest
  }

  private var literals: [String: Int] = [:]
  private(set) var routes: [Route] = []

  /// Adds a handler.
  ///
  /// A path is literal segments, `{name}` for any one segment, `{name}.gddf` for one with that ending, and `{name...}`
  /// at the end for all the rest. `operation` says what the handler does; the interface's description is made of it
  /// (``APIDescription``).
  /// `isLight` is for handlers that may run on the connection's event loop; see ``Route/isLight``. `prompt` answers what needs no
  /// waiting, see ``PromptHandler``. `cost` is what holds a
  /// network that asks too much of the server; see ``WorkGate``.
  mutating func add(
    _ method: HTTPRequest.Method,
    _ pattern: String,
    _ operation: APIOperation,
    isLight: Bool = false,
    cost: RouteCost = .usual,
    prompt: PromptHandler? = nil,
    _ handler: @escaping Handler
  ) {
    precondition(prompt == nil || isLight, "what \(pattern) says at once is said on the event loop")
    if let index = routes.firstIndex(where: { $0.pattern == pattern }) {
      precondition(routes[index].handlers[method] == nil, "\(method) \(pattern) has a handler already")
      precondition(routes[index].isLight == isLight, "\(pattern) is light for all its methods or for none")
      routes[index].handlers[method] = handler
      routes[index].operations[method] = operation
      routes[index].costs[method] = cost
      routes[index].prompts[method] = prompt
      return
    }
    let segments = pattern.split(separator: "/").map { piece -> Segment in
      guard piece.hasPrefix("{"), let end = piece.firstIndex(of: "}") else { return .literal(String(piece)) }
      return piece[..<end].hasSuffix("...") ? .rest : .variable(suffix: String(piece[piece.index(after: end)...]))
    }
    if segments.allSatisfy({ if case .literal = $0 { true } else { false } }) { literals[pattern] = routes.count }
    routes.append(
      Route(
        pattern: pattern,
        number: routes.count,
        segments: segments,
        handlers: [method: handler],
        operations: [method: operation],
        prompts: prompt.map { [method: $0] } ?? [:],
        isLight: isLight,
        costs: [method: cost]
      )
    )
  }

  /// The route of a path without variable segments that may answer at once, and what answers.
  func prompt(_ path: Substring, _ method: HTTPRequest.Method) -> (route: Route, handler: PromptHandler)? {
    guard let index = literals[String(path)], let handler = routes[index].prompts[method] else { return nil }
    return (routes[index], handler)
  }

  /// The route of a path, and the values of its variable segments.
  func match(_ path: Substring) -> (route: Route, parameters: [String])? {
    if let index = literals[String(path)] { return (routes[index], []) }
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    let pieces = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for route in routes {
      if let parameters = match(pieces, route.segments) { return (route, parameters) }
    }
    return nil
  }

  private func match(_ pieces: [Substring.UTF8View], _ segments: [Segment]) -> [String]? {
    var parameters: [String] = []
    for (index, segment) in segments.enumerated() {
      guard index < pieces.count else { return nil }
      switch segment {
      case .literal(let text):
        guard pieces[index].elementsEqual(text.utf8) else { return nil }
      case .variable(let suffix):
        let value = FormFields.percentDecode(pieces[index], plusIsBlank: false)
        guard value.hasSuffix(suffix), value.utf8.count > suffix.utf8.count else { return nil }
        parameters.append(String(value.dropLast(suffix.count)))
      case .rest:
        let rest = pieces[index...].map { FormFields.percentDecode($0, plusIsBlank: false) }
        // A slash that was written as %2F must not make two segments of one.
        guard rest.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "/")) }) else { return nil }
        parameters.append(rest.joined(separator: "/"))
        return parameters
      }
    }
    return pieces.count == segments.count ? parameters : nil
  }
}
