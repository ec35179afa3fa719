import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sits behind a connection's guard and answers what can be answered at once, without a task.
///
/// A request of a light route that came whole in one read is answered in the same turn of the event loop, in one write. Everything else
/// goes on unchanged: other routes, bodies that are still under way, requests behind one that is being answered, readers that are slow,
/// what a light route has to wait for, and all but the first few of many requests that come at once: those have turns with the other
/// connections' and are bounded by the connection's guard.
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

  /// Most requests of one read that are answered here.
  static let mostInARead = 8

  private let responder: Responder
  private var held: Held?
  /// Requests of the present read that were answered here.
  private var answered = 0
  /// Requests that went on and are not answered: answers have the order of the requests.
  private var passed = 0
  /// The other end, and whom limits are counted for when it asks for itself.
  private var peer: (address: NetworkAddress?, client: String)?

  init(_ responder: Responder) { self.responder = responder }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // A reader that is behind with its answers is waited for, and that takes a task.
      if passed == 0, answered < Self.mostInARead, context.channel.isWritable,
        let route = responder.promptRoute(of: head)
      {
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
      let (peer, client) = peer(context)
      guard
        let answer = responder.promptAnswer(
          to: held.head,
          body: held.body,
          route: held.route,
          peer: peer,
          client: client
        )
      else {
        passOn(context)
        break
      }
      self.held = nil
      answered += 1
      context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
      if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      return
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    passOn(context)
    answered = 0
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

  private func peer(_ context: ChannelHandlerContext) -> (address: NetworkAddress?, client: String) {
    if let peer { return peer }
    let address = context.channel.remoteAddress.flatMap { NetworkAddress($0) }
    let peer = (address: address, client: Responder.client(address))
    self.peer = peer
    return peer
  }
}
