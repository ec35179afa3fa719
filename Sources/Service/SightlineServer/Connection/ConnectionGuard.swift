import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Sits on every connection between the HTTP decoder and the requests' handlers, and ends it when it has to end.
///
/// - A request that is not HTTP, or whose header fields are too large, gets a problem document (the framework would
///   send an empty 400).
/// - An answer with `Connection: close` closes the connection after it, so that the rest of a refused body is not read.
/// - When the server stops, a connection still busy after ``drainLimit`` is closed.
/// - A client that does not read its answer is closed after ``stallLimit``.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Time that running requests get when the server stops.
  static let drainLimit = TimeAmount.seconds(3)
  /// Time that a client may take to read what was sent.
  static let stallLimit = TimeAmount.minutes(5)
  /// Time between the end of an answer that closes and the end of the connection, so that the answer arrives.
  static let lingerTime = TimeAmount.milliseconds(500)

  private var unanswered = 0
  private var closesAfterAnswer = false
  private var isClosing = false
  private var drain: Scheduled<Void>?
  private var stall: Scheduled<Void>?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What comes after a refused request is not looked at.
    if isClosing { return }
    if case .head = unwrapInboundIn(data) { unanswered += 1 }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      // A 1xx answer is followed by the real one.
      if head.status.kind != .informational, head.headerFields[.connection]?.lowercased() == "close" {
        closesAfterAnswer = true
      }
      context.write(data, promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      unanswered -= 1
      if closesAfterAnswer {
        context.writeAndFlush(data, promise: promise)
        closeSoon(context)
      } else {
        context.write(data, promise: promise)
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, !isClosing else { return context.fireErrorCaught(error) }
    // An answer that is on its way must not be cut in two.
    guard unanswered == 0 else { return context.fireErrorCaught(error) }
    let problem = ConnectionGuard.problem(for: error)
    let body = problem.body(requestID: nil)
    var fields: HTTPFields = [
      .contentType: "application/problem+json", .connection: "close", .cacheControl: "no-store",
      .contentLength: String(body.readableBytes), .requestID: RequestIdentifier.make(),
    ]
    SecurityHeaders.complete(&fields)
    let head = HTTPResponse(status: problem.status, headerFields: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    closeSoon(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, drain == nil {
      drain = context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionGuard.drainLimit) {
        context.close(promise: nil)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    if !context.channel.isWritable {
      stall = context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionGuard.stallLimit) {
        context.close(promise: nil)
      }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    drain?.cancel()
    stall?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    drain?.cancel()
    stall?.cancel()
  }

  /// Ends the sending side now and the connection a little later: closing both at once while unread bytes lie in the
  /// socket makes the kernel reset the connection, and the client may lose the answer.
  private func closeSoon(_ context: ChannelHandlerContext) {
    isClosing = true
    drain?.cancel()
    drain = context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionGuard.lingerTime) {
      context.close(promise: nil)
    }
    context.close(mode: .output, promise: nil)
  }

  private static func problem(for error: any Error) -> RequestProblem {
    switch error as? HTTPParserError {
    case .headerOverflow:
      RequestProblem(
        .requestHeaderFieldsTooLarge,
        "header.too-large",
        "The header fields are larger than the \(ConnectionLimits.headerBytes) bytes that are accepted here."
      )
    case .invalidURL:
      .badRequest("target.malformed", "The address in the request line is not well formed.")
    case .invalidVersion:
      RequestProblem(
        .httpVersionNotSupported,
        "version.unsupported",
        "Only HTTP/1.0 and HTTP/1.1 are spoken here."
      )
    default:
      .badRequest("request.malformed", "What was sent is not a well-formed HTTP request.")
    }
  }
}

/// Limits of a connection.
enum ConnectionLimits {
  /// Header fields of a request in all.
  static let headerBytes = 16 * 1024
  /// Number of header fields.
  static let headerCount = 100
  /// Time without a request, or within one without a byte, after which a connection is closed.
  static let idleTime = TimeAmount.seconds(30)
  /// Connections at a time; further ones wait in the listen queue.
  static let connections = 8192
}
