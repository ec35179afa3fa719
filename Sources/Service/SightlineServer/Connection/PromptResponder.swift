import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sits behind a connection's guard and answers what can be answered at once, without a task.
///
/// A request of a light route that came whole in one read is answered in the same turn of the event loop, in one write. Everything else
/// goes on unchanged: other routes, bodies that are still under way, requests behind one that is being answered, readers that are slow,
/// and what a light route has to wait for.
final class PromptResponder: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// A request that has begun and may be answered here.
  private struct Held {
    let head: HTTPRequest
    let route: Responder.PromptRoute
    var body = ByteBuffer()
  }

  private let responder: Responder
  private var held: Held?
  /// Requests that went on and are not answered: answers have the order of the requests.
  private var passed = 0
  /// Whom limits are counted for.
  private var client: String?

  init(_ responder: Responder) { self.responder = responder }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // A reader that is behind with its answers is waited for, and that takes a task.
      if passed == 0, context.channel.isWritable, let route = responder.promptRoute(of: head) {
        held = Held(head: head, route: route)
        return
      }
      passed += 1
    case .body(let bytes):
      guard held != nil else { break }
      if held?.body.readableBytes == 0 { held?.body = bytes } else { held?.body.writeImmutableBuffer(bytes) }
      return
    case .end:
      guard let held else { break }
      let client = client(context)
      guard let answer = responder.promptAnswer(to: held.head, body: held.body, route: held.route, client: client)
      else {
        passOn(context)
        break
      }
      self.held = nil
      context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
      if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      return
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    passOn(context)
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    passOn(context)
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    held = nil
    context.fireChannelInactive()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { passed -= 1 }
    context.write(data, promise: promise)
  }

  /// Sends what was held here on its way.
  private func passOn(_ context: ChannelHandlerContext) {
    guard let held else { return }
    self.held = nil
    passed += 1
    context.fireChannelRead(wrapInboundOut(.head(held.head)))
    if held.body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(held.body))) }
  }

  private func client(_ context: ChannelHandlerContext) -> String {
    if let client { return client }
    let client = Responder.client(context.channel.remoteAddress.flatMap { NetworkAddress($0) })
    self.client = client
    return client
  }
}
