import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Sits on every connection between the HTTP decoder and the requests' handlers, and ends it when it has to end.
///
/// - A request that is not HTTP, or whose header fields are too large, gets a problem document (the framework would
///   send an empty 400).
/// - An answer with `Connection: close` closes the connection after it. So does one that is sent before its request's body
///   has ended: a little of the rest is read and thrown away, so that the answer arrives, and no more.
/// - A connection without a request, or within one without a byte, is closed after a while.
/// - A client that takes its answer too slowly is closed, also when it takes a byte now and then.
/// - When the server stops, answers that were given but not yet taken are let through; a connection still busy after a few seconds is
///   closed.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: ConnectionLimits
  private let slot: ConnectionSlot?
  /// Whether the other end may speak for others.
  private let isTrusted: Bool

  /// Whether a request's head has come and its end has not.
  private var isReading = false
  private var unanswered = 0
  /// Whether more requests came at once than are taken: they are not looked at.
  private var isOverfull = false
  private var closesAfterAnswer = false
  private var isClosing = false
  private var closingSince = NIODeadline.uptimeNanoseconds(0)
  private var drained = 0
  private var isInputClosed = false
  private var lastActive = NIODeadline.now()
  /// Bytes of bodies that were written.
  private var written = 0
  /// Since when bytes wait for the reader, and what it had taken then.
  private var slow: (since: NIODeadline, taken: Int)?
  private var hasUnsent = false
  private var quiesce: Scheduled<Void>?
  private var look: Scheduled<Void>?

  init(limits: ConnectionLimits = ConnectionLimits(), slot: ConnectionSlot? = nil, isTrusted: Bool = false) {
    self.limits = limits
    self.slot = slot
    self.isTrusted = isTrusted
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastActive = .now()
    let part = unwrapInboundIn(data)
    // What comes after a refused request is not looked at.
    if isClosing { return drain(context, part) }
    switch part {
    case .head(let head):
      guard !isOverfull, unanswered < limits.pipelined else {
        isOverfull = true
        return
      }
      unanswered += 1
      isReading = true
      if isTrusted, head.headerFields[.forwardedFor] != nil { slot?.carriesOthers() }
    case .body:
      guard !isOverfull else { return }
    case .end:
      guard !isOverfull else { return }
      isReading = false
    }
    context.fireChannelRead(data)
  }

  private func drain(_ context: ChannelHandlerContext, _ part: HTTPRequestPart) {
    switch part {
    case .head: isReading = true
    case .body(let bytes):
      drained += bytes.readableBytes
      // Enough is enough: what else comes stays with its sender until the connection is closed.
      if drained > limits.drainBytes { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
    case .end: isReading = false
    }
  }

  // MARK: Answers

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // A 1xx answer is followed by the real one.
      guard head.status.kind != .informational else { return context.write(data, promise: promise) }
      let isLast = unanswered == 1 && (isReading || isOverfull)
      if isLast { head.headerFields[.connection] = "close" }
      if head.headerFields[.connection]?.lowercased() == "close" { closesAfterAnswer = true }
      context.write(isLast ? wrapOutboundOut(.head(head)) : data, promise: promise)
    case .body(let bytes):
      written &+= bytes.readableBytes
      context.write(data, promise: promise)
    case .end:
      unanswered -= 1
      lastActive = .now()
      if closesAfterAnswer {
        context.writeAndFlush(data, promise: promise)
        closeSoon(context)
      } else {
        context.write(data, promise: promise)
      }
    }
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    // Small answers are taken by the kernel at once.
    if hasUnsent || !context.channel.isWritable { _ = unsent(context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, !isClosing else { return context.fireErrorCaught(error) }
    // An answer that is on its way must not be cut in two.
    guard unanswered == 0 else { return context.fireErrorCaught(error) }
    isReading = false
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

  // MARK: The connection

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { lookLater(context, in: limits.lookTime) }
  }

  func channelActive(context: ChannelHandlerContext) {
    lastActive = .now()
    lookLater(context, in: limits.lookTime)
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, quiesce == nil {
      quiesce = context.eventLoop.assumeIsolated().scheduleTask(in: limits.quiesceTime) { context.close(promise: nil) }
    }
    if case .some(.inputClosed) = event as? ChannelEvent {
      isInputClosed = true
      if isClosing, unsent(context) == 0 { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    _ = unsent(context)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    quiesce?.cancel()
    look?.cancel()
    look = nil
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    // Whoever closes because the server stops does not know what still lies here.
    guard quiesce != nil, mode == .all, unsent(context) > 0 else { return context.close(mode: mode, promise: promise) }
    if !isClosing { closeSoon(context) }
    if let promise { context.channel.closeFuture.cascade(to: promise) }
  }

  /// Ends the sending side now and the connection a little later: closing both at once while unread bytes lie in the
  /// socket makes the kernel reset the connection, and the client may lose the answer.
  private func closeSoon(_ context: ChannelHandlerContext) {
    isClosing = true
    closingSince = .now()
    look?.cancel()
    look = nil
    lookLater(context, in: limits.lingerTime)
    context.close(mode: .output, promise: nil)
  }

  private func lookLater(_ context: ChannelHandlerContext, in time: TimeAmount) {
    guard look == nil else { return }
    look = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      look = nil
      guard context.channel.isActive else { return }
      if isOver(context) {
        context.close(promise: nil)
      } else {
        lookLater(context, in: isClosing ? min(limits.lingerTime, limits.lookTime) : limits.lookTime)
      }
    }
  }

  /// Bytes that wait for the other end to take them.
  private func unsent(_ context: ChannelHandlerContext) -> Int {
    let bytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    hasUnsent = bytes > 0
    slot?.setUnsent(bytes)
    return bytes
  }

  /// Whether it is time to close the connection.
  private func isOver(_ context: ChannelHandlerContext) -> Bool {
    let now = NIODeadline.now()
    let bytes = unsent(context)
    if bytes > 0 {
      if isTooSlow(bytes, now) { return true }
    } else if slow != nil {
      // The answer has just been taken: from now on the connection is idle.
      slow = nil
      lastActive = now
    }
    if isClosing {
      guard bytes == 0 else { return false }
      return !isReading || isInputClosed || drained > limits.drainBytes || now - closingSince > limits.drainTime
    }
    guard isReading || unanswered == 0 && bytes == 0 else { return false }
    return now - lastActive > limits.idleTime
  }

  private func isTooSlow(_ bytes: Int, _ now: NIODeadline) -> Bool {
    let taken = written &- bytes
    guard let slow else {
      slow = (now, taken)
      return false
    }
    let time = now - slow.since
    guard time >= limits.stallTime else { return false }
    let least = Double(limits.leastRate) * Double(time.nanoseconds) / 1e9
    if Double(taken &- slow.taken) < least { return true }
    self.slow = (now, taken)
    return false
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
