import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import SightlineStore

/// What a request brings along from its connection.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Address of the other end; `nil` when it has none, as over a Unix socket.
  var peer: NetworkAddress? { channel.remoteAddress.flatMap { NetworkAddress($0) } }
}

/// Answers every request: finds the route, names the request, turns errors into problem documents, adds the header
/// fields that all answers have, and writes one line to the log.
///
/// One step instead of a chain of middlewares, because each costs an allocation and a hop for every request. What can be answered without
/// waiting is asked for by ``PromptResponder`` instead of the framework: ``promptAnswer(to:body:route:peer:client:)``.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let routes: RouteTable
  let readiness: Readiness
  let log: Logger
  /// Whose word about the clients' addresses is taken.
  var trusted = TrustedProxies.none
  /// Where connections and what waits for slow readers are counted.
  var register: ConnectionRegister?
  /// What costs the server much, held for each network and for all.
  var gate = WorkGate()
  /// Whose pages may read what everybody may.
  var allowedOrigins = AllowedOrigins.none
  /// Whether clients reach this server by TLS.
  var isSecure = false
  /// Has the page for people who open an address that leads to nothing.
  var webClient: WebClientFiles?
  /// Where requests are counted.
  var metrics: RequestMetrics?
  private let date = AnswerDate()

  /// Longest request target, bytes.
  static let maximumTargetBytes = 8192

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let start = ContinuousClock.now
    let requestID = RequestIdentifier.of(request.headers)
    var route: RouteTable.Route?
    var response: Response
    metrics?.begin()
    do {
      response = try await answer(request, context, requestID, &route)
    } catch {
      let problem = problem(for: error, requestID, route?.pattern ?? "-")
      response = problem.response(requestID: requestID)
    }
    if request.method == .head, response.body.contentLength != 0 { response = response.createHeadResponse() }
    complete(response.status, &response.headers, to: request.head, requestID, route, since: start)
    return response
  }

  // MARK: Prompt answers

  /// The route of a request that may be answered at once.
  struct PromptRoute {
    fileprivate let route: RouteTable.Route
    fileprivate let handler: PromptHandler
  }

  /// Whether a request may be answered as soon as it is there as a whole; what is in any way unusual may not.
  func promptRoute(of head: HTTPRequest) -> PromptRoute? {
    guard let target = head.path, target.utf8.count <= Responder.maximumTargetBytes,
      let (route, handler) = routes.prompt(Responder.path(of: target), head.method),
      head.authority.map(HostName.isWellFormed) ?? true, head.headerFields[.expect] == nil,
      head.headerFields[.connection].map({ $0.lowercased() == "keep-alive" }) ?? true
    else { return nil }
    return PromptRoute(route: route, handler: handler)
  }

  /// Answers a request that is there as a whole.
  ///
  /// - Parameters:
  ///   - head: The request.
  ///   - body: Its body.
  ///   - route: Its route.
  ///   - peer: The other end of the connection.
  ///   - own: Whom limits are counted for when the other end asks for itself.
  /// - Returns: The answer's head and body; `nil` when something has to be waited for or the framework's way refuses it, and nothing
  ///   has been counted.
  func promptAnswer(
    to head: HTTPRequest,
    body: ByteBuffer,
    route: PromptRoute,
    peer: NetworkAddress?,
    client own: String
  ) -> (head: HTTPResponse, body: ByteBuffer)? {
    let start = ContinuousClock.now
    guard body.readableBytes <= Exchange.maximumBodyBytes else { return nil }
    let (client, isForwarded) = forwarded(head, peer) ?? (own, false)
    let running = isForwarded ? register?.begin(requestOf: client) : nil
    guard !isForwarded || register == nil || running != nil else { return nil }
    defer { withExtendedLifetime(running) {} }
    let requestID = RequestIdentifier.of(head.headerFields)
    let request = Request(head: head, body: RequestBody(buffer: body))
    let exchange = Exchange(request: request, requestID: requestID, parameters: [], client: client, log: log)
    var answer: PromptAnswer
    do {
      guard let prompt = try route.handler(exchange, body) else { return nil }
      answer = prompt
    } catch {
      answer = .problem(problem(for: error, requestID, route.route.pattern), requestID: requestID)
    }
    answer.headers[.contentLength] = String(answer.body.readableBytes)
    answer.headers[.date] = date.text
    metrics?.begin()
    complete(answer.status, &answer.headers, to: head, requestID, route.route, since: start)
    return (HTTPResponse(status: answer.status, headerFields: answer.headers), answer.body)
  }

  // MARK: All answers

  /// Adds the header fields that all answers have, counts the request, and writes its line to the log.
  private func complete(
    _ status: HTTPResponse.Status,
    _ headers: inout HTTPFields,
    to head: HTTPRequest,
    _ requestID: String,
    _ route: RouteTable.Route?,
    since start: ContinuousClock.Instant
  ) {
    headers[.requestID] = requestID
    // Whoever is refused for now is told when to come again.
    if status == .tooManyRequests || status == .serviceUnavailable, headers[.retryAfter] == nil {
      headers[.retryAfter] = "5"
    }
    allowedOrigins.open(&headers, to: head.headerFields)
    SecurityHeaders.complete(&headers, isSecure: isSecure)
    // Whoever comes by this connection again comes to a server that is about to stop.
    if readiness.state == .draining { headers[.connection] = "close" }
    let took = ContinuousClock.now - start
    metrics?.end(route: route?.number, status: status, took)
    // Balancers ask for their health every second: nobody wants to read that.
    let level = route?.pattern.hasPrefix("/health/") == true ? Logger.Level.debug : .info
    if log.logLevel <= level {
      log.log(
        level: level,
        "request",
        metadata: [
          "request": .string(requestID), "method": .string(head.method.rawValue),
          "route": .string(route?.pattern ?? "-"),
          "status": .stringConvertible(status.code),
          "bytes": .stringConvertible(headers[.contentLength].flatMap { Int($0) } ?? 0),
          "milliseconds": .stringConvertible((took.milliseconds * 1000).rounded() / 1000),
        ]
      )
    }
  }

  /// The part of a target before `?`.
  private static func path(of target: String) -> Substring {
    target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
  }

  private func answer(
    _ request: Request,
    _ context: ConnectionContext,
    _ requestID: String,
    _ found: inout RouteTable.Route?
  ) async throws -> Response {
    let target = request.head.path ?? "/"
    guard target.utf8.count <= Responder.maximumTargetBytes else {
      throw RequestProblem(
        .uriTooLong,
        "target.too-long",
        "The address is longer than \(Responder.maximumTargetBytes) bytes. Send long values in a POST body.",
        headers: [.connection: "close"]
      )
    }
    let path = Responder.path(of: target)
    guard let (route, parameters) = routes.match(path) else {
      if MissingPage.isAsked(request, path: path), let page = webClient?.current().missing {
        if let location = TypedAddress.location(of: target) {
          return Response(status: .found, headers: [.location: location, .cacheControl: "no-cache"])
        }
        return page.response(path: path, languages: request.headers[.acceptLanguage])
      }
      throw RequestProblem.notFound(
        "route.unknown",
        "There is nothing at this address. The start page is /, worlds are listed at /api/v1/worlds."
      )
    }
    found = route
    guard let handler = route.handler(for: request.method) else {
      if request.method == .options {
        return allowedOrigins.isEmpty
          ? Response(status: .noContent, headers: [.allow: route.allow])
          : allowedOrigins.answerBeforehand(request.headers, allow: route.allow)
      }
      throw RequestProblem(
        .methodNotAllowed,
        "method.not-allowed",
        "\(request.method.rawValue.prefix(20)) is not possible here; possible are \(route.allow).",
        headers: [.allow: route.allow]
      )
    }
    if let host = request.head.authority, !HostName.isWellFormed(host) {
      throw RequestProblem(
        .badRequest,
        "host.malformed",
        "The field Host is no host's name, or longer than \(HostName.longest) bytes.",
        headers: [.connection: "close"]
      )
    }
    let peer = context.peer
    let (client, isForwarded) = forwarded(request.head, peer) ?? (Responder.client(peer), false)
    let exchange = Exchange(request: request, requestID: requestID, parameters: parameters, client: client, log: log)
    let running = isForwarded ? register?.begin(requestOf: client) : nil
    if isForwarded, register != nil, running == nil { throw Responder.tooManyRequests }
    if route.isLight {
      defer { withExtendedLifetime(running) {} }
      return try await handler(exchange)
    }
    let cost = route.cost(of: request.method)
    if cost != .usual, let register, let peer, register.isCrowded(ClientNetwork(peer)) { throw Responder.crowded }
    // What may take long must not hold up the other connections of this one's event loop.
    var response = try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await ClientNetwork.scope.withValue(client) {
        try await gate.run(cost, for: client) { try await handler(exchange) }
      }
    }
    if let running, response.body.contentLength == nil, request.method != .head {
      // A stream runs until it has ended, however that comes.
      let body = response.body
      response.body = ResponseBody { writer in
        try await body.write(writer)
        withExtendedLifetime(running) {}
      }
    }
    return response
  }

  /// Whom limits are counted for when a server in front may have named them, and whether it has; `nil` when the other end asks for
  /// itself.
  private func forwarded(
    _ head: HTTPRequest,
    _ peer: NetworkAddress?
  ) -> (network: String, isForwarded: Bool)? {
    guard let peer, !trusted.isEmpty, let forwarded = head.headerFields[.forwardedFor] else { return nil }
    let found = trusted.client(peer: peer, forwarded: forwarded)
    return (ClientNetwork(found).description, found != peer)
  }

  /// Whom limits are counted for when the other end of the connection asks for itself.
  static func client(_ peer: NetworkAddress?) -> String { peer.map { ClientNetwork($0).description } ?? "-" }

  private static var crowded: RequestProblem {
    RequestProblem(
      .serviceUnavailable,
      "server.readers",
      "Too much that was sent to your network has not been read yet. Read it, or try again in a few seconds.",
      headers: [.retryAfter: "5"]
    )
  }

  private static var tooManyRequests: RequestProblem {
    RequestProblem(
      .tooManyRequests,
      "connection.too-many",
      "Too many requests and streams are open for your network. Close some, and try again in a few seconds.",
      headers: [.retryAfter: "5"]
    )
  }

  private func problem(for error: any Error, _ requestID: String, _ pattern: String) -> RequestProblem {
    if let problem = error as? RequestProblem { return problem }
    if let known = error as? any ProblemConvertible { return known.problem }
    if error is HTTPParserError {
      return RequestProblem(
        .badRequest,
        "request.malformed",
        "What was sent is not a well-formed HTTP request.",
        headers: [.connection: "close"]
      )
    }
    if error is CancellationError || readiness.state == .stopping {
      return RequestProblem(
        .serviceUnavailable,
        "server.stopping",
        "The server is stopping. Try again in a moment.",
        headers: [.retryAfter: "5", .connection: "close"]
      )
    }
    if StoreBusy.isCause(of: error) {
      return RequestProblem(
        .serviceUnavailable,
        "store.busy",
        "The server's database is busy. Try again in a moment.",
        headers: [.retryAfter: "2"]
      )
    }
    if StoreFull.isCause(of: error) {
      log.error(
        "the database has no room",
        metadata: ["request": .string(requestID), "route": .string(pattern), "reason": .string("\(error)")]
      )
      return RequestProblem(
        .serviceUnavailable,
        "store.full",
        "The server's database has no room left; nothing was changed. Its operator has to make room.",
        headers: [.retryAfter: "30"]
      )
    }
    log.error(
      "request failed",
      metadata: ["request": .string(requestID), "route": .string(pattern), "reason": .string("\(error)")]
    )
    return RequestProblem(
      .internalServerError,
      "server.failed",
      "The server could not answer because of a fault of its own. Its log says more under request \(requestID)."
    )
  }
}

extension Duration {
  /// The same, as milliseconds.
  var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}
