import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// What a request brings along from its connection.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Address of the other end, without port.
  var client: String { channel.remoteAddress?.ipAddress ?? "-" }
}

/// Answers every request: finds the route, names the request, turns errors into problem documents, adds the header
/// fields that all answers have, and writes one line to the log.
///
/// One step instead of a chain of middlewares, because each costs an allocation and a hop for every request.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let routes: RouteTable
  let readiness: Readiness
  let log: Logger
  /// Whether another server stands in front of this one and names the clients' addresses.
  var isBehindProxy = false

  /// Longest request target, bytes.
  static let maximumTargetBytes = 8192

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let start = ContinuousClock.now
    let given = request.headers[.requestID]
    let requestID = given.flatMap { RequestIdentifier.isWellFormed($0) ? $0 : nil } ?? RequestIdentifier.make()
    var pattern = "-"
    var response: Response
    do {
      response = try await answer(request, context, requestID, &pattern)
    } catch {
      let problem = problem(for: error, requestID, pattern)
      response = problem.response(requestID: requestID)
    }
    if request.method == .head, response.body.contentLength != 0 { response = response.createHeadResponse() }
    response.headers[.requestID] = requestID
    SecurityHeaders.complete(&response.headers)
    if log.logLevel <= .info {
      let took = ContinuousClock.now - start
      log.info(
        "request",
        metadata: [
          "request": .string(requestID), "method": .string(request.method.rawValue), "route": .string(pattern),
          "status": .stringConvertible(response.status.code),
          "bytes": .stringConvertible(response.headers[.contentLength].flatMap { Int($0) } ?? 0),
          "milliseconds": .stringConvertible((took.milliseconds * 1000).rounded() / 1000),
        ]
      )
    }
    return response
  }

  private func answer(
    _ request: Request,
    _ context: ConnectionContext,
    _ requestID: String,
    _ pattern: inout String
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
    let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
    guard let (route, parameters) = routes.match(path) else {
      throw RequestProblem.notFound(
        "route.unknown",
        "There is nothing at this address. The start page is /, worlds are listed at /api/v1/worlds."
      )
    }
    pattern = route.pattern
    guard let handler = route.handler(for: request.method) else {
      if request.method == .options { return Response(status: .noContent, headers: [.allow: route.allow]) }
      throw RequestProblem(
        .methodNotAllowed,
        "method.not-allowed",
        "\(request.method.rawValue.prefix(20)) is not possible here; possible are \(route.allow).",
        headers: [.allow: route.allow]
      )
    }
    let exchange = Exchange(
      request: request,
      requestID: requestID,
      parameters: parameters,
      client: client(request, context),
      log: log
    )
    if route.isLight { return try await handler(exchange) }
    // What may take long must not hold up the other connections of this one's event loop.
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await handler(exchange) }
  }

  /// Whom limits are counted for.
  ///
  /// The last address of the list is the one that the server in front has seen itself; those before it are hearsay.
  private func client(_ request: Request, _ context: ConnectionContext) -> String {
    guard isBehindProxy, let last = request.headers[.forwardedFor]?.split(separator: ",").last else {
      return context.client
    }
    return String(last.trimming().prefix(64))
  }

  private func problem(for error: any Error, _ requestID: String, _ pattern: String) -> RequestProblem {
    if let problem = error as? RequestProblem { return problem }
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
