import NIOCore
import NIOHTTP1

/// Sits behind the decoder and speaks HTTP/1.0 with those who do.
///
/// Their connections end with the first answer, also where they asked for another: one whose length is not known beforehand is over for
/// them when the connection is. Behind this handler all requests are of HTTP/1.1.
final class HTTP10Handler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var unanswered = 0
  /// Answers that go to others' requests before the first one of HTTP/1.0 is answered; `nil` as long as none has come.
  private var before: Int?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    defer { unanswered += 1 }
    guard head.version == .http1_0 else { return context.fireChannelRead(data) }
    before = before ?? unanswered
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where before == 0:
      head.version = .http1_0
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return
    case .end:
      unanswered -= 1
      if let others = before, others > 0 { before = others - 1 }
    default: break
    }
    context.write(data, promise: promise)
  }
}
