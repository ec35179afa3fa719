import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Runs the work of jobs on an event loop.
///
/// A connection whose parts arrive on a loop and whose answers leave from it is read, answered and written without waking another thread.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  /// An executor of a loop.
  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A connection that was let in, or one that was not.
struct LoopConnection: ServerChildChannelValue {
  let channel: any Channel
  /// What is read and written; `nil` for a connection that was refused.
  let http: HTTP1Channel.Value?
}

/// HTTP/1 connections that are handled on their event loops.
///
/// Only what answers at once may run there: ``Responder`` gives all other routes to the global executor.
///
/// A network's connections beyond its share are refused before anything is read of them.
struct LoopChannel: ServerChildChannel {
  let base: HTTP1Channel
  /// Answers what can be answered at once.
  var responder: Responder?
  var limits = ConnectionLimits()
  var register: ConnectionRegister?
  var trusted = TrustedProxies.none
  /// Whether the bytes on the line are encrypted: then a refused connection is closed without a word.
  var isEncrypted = false

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<LoopConnection> {
    guard let register else {
      return base.setup(channel: channel, logger: logger).map { LoopConnection(channel: channel, http: $0) }
    }
    guard let slot = register.open(ClientNetwork(channel.remoteAddress)) else {
      return refuse(channel, register)
    }
    channel.closeFuture.whenComplete { _ in slot.close() }
    var configuration = base.configuration
    let isTrusted = channel.remoteAddress.flatMap { NetworkAddress($0) }.map(trusted.contains) ?? false
    configuration.additionalChannelHandlers = { [limits, responder] in
      [ConnectionGuard(limits: limits, slot: slot, isTrusted: isTrusted)]
        + (responder.map { [PromptResponder($0)] } ?? [])
    }
    return HTTP1Channel(responder: base.responder, configuration: configuration).setup(channel: channel, logger: logger)
      .flatMapThrowing { http in
        // The framework adds the decoder, and takes no handlers that see what a request's version was.
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(HTTP10Handler(), position: .after(decoder))
        return LoopConnection(channel: channel, http: http)
      }
  }

  func handle(value: LoopConnection, logger: Logger) async {
    guard let http = value.http else { return }
    await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
      await base.handle(value: http, logger: logger)
    }
  }

  private func refuse(_ channel: any Channel, _ register: ConnectionRegister) -> EventLoopFuture<LoopConnection> {
    let refused = LoopConnection(channel: channel, http: nil)
    guard !isEncrypted, register.beginRefusal() else {
      return channel.close().map { refused }.recover { _ in refused }
    }
    channel.closeFuture.whenComplete { _ in register.endRefusal() }
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(RefusedConnection())
      return refused
    }
  }
}

/// Says why a connection is refused, and closes it.
private final class RefusedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Time for the answer to arrive.
  private static let lingerTime = TimeAmount.milliseconds(250)

  private static let answer: ByteBuffer = {
    let problem = RequestProblem(
      .serviceUnavailable,
      "connection.too-many",
      "There are too many connections from your network. Close some, and try again in a few seconds."
    )
    let body = problem.body(requestID: nil)
    var answer = ByteBuffer()
    answer.writeString(
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nContent-Length: \(body.readableBytes)\r\n"
        + "Retry-After: 10\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    answer.writeImmutableBuffer(body)
    return answer
  }()

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(RefusedConnection.answer), promise: nil)
    context.close(mode: .output, promise: nil)
    // Unread bytes at the close would make the kernel reset the connection, and the client would lose the answer.
    _ = context.eventLoop.assumeIsolated().scheduleTask(in: RefusedConnection.lingerTime) {
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent { context.close(promise: nil) }
    if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
