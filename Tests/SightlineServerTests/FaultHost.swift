import NIOCore
import NIOPosix
import Synchronization

/// A server that answers wrongly, byte by byte as it is told.
final class FaultHost: Sendable {
  /// What it does with each request.
  enum Fault: String, CaseIterable, Sendable {
    case good
    /// Takes the request and says nothing.
    case hang
    /// A byte now and then.
    case slow
    /// Closes the connection at once.
    case reset
    /// Bytes that are no HTTP.
    case garbage
    /// A body without end.
    case huge
    /// Announces more than it sends.
    case tooShort
    /// Announces less than it sends.
    case tooLong
    /// The first half of a good answer, as if it were all.
    case half
    /// A friendly page with status 200.
    case page
    /// Status 500.
    case failing
    /// Status 500 and good answers by turns.
    case bursts
    /// A good answer from tomorrow.
    case skewed
  }

  let port: Int
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let script: Script

  final class Script: Sendable {
    private let state: Mutex<(fault: Fault, count: Int)>
    let good: @Sendable () -> [UInt8]
    let skewed: @Sendable () -> [UInt8]

    init(good: @escaping @Sendable () -> [UInt8], skewed: @escaping @Sendable () -> [UInt8]) {
      state = Mutex((.good, 0))
      self.good = good
      self.skewed = skewed
    }

    func set(_ fault: Fault) { state.withLock { $0.fault = fault } }

    var next: (fault: Fault, count: Int) {
      state.withLock { state in
        state.count += 1
        return (state.fault, state.count)
      }
    }

    var count: Int { state.withLock { $0.count } }
  }

  /// A host with these bodies.
  init(
    good: @escaping @Sendable () -> [UInt8],
    skewed: @escaping @Sendable () -> [UInt8] = { [] }
  ) async throws {
    let script = Script(good: good, skewed: skewed)
    self.script = script
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(script)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  func set(_ fault: Fault) { script.set(fault) }

  /// Requests so far.
  var count: Int { script.count }

  func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: Script
    private var received = ByteBuffer()

    init(_ script: Script) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received.writeImmutableBuffer(unwrapInboundIn(data))
      let end = Array("\r\n\r\n".utf8)
      while let range = received.readableBytesView.firstRange(of: end) {
        received.moveReaderIndex(to: range.upperBound)
        answer(context)
      }
    }

    private func answer(_ context: ChannelHandlerContext) {
      let (fault, count) = script.next
      switch fault {
      case .good: send(200, script.good(), context)
      case .skewed: send(200, script.skewed(), context)
      case .hang: break
      case .slow:
        write(Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8), context)
        drip(context)
      case .reset: context.close(promise: nil)
      case .garbage: write((0..<512).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ 31) }, context)
      case .huge:
        write(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8), context)
        flood(context)
      case .tooShort:
        let body = script.good()
        write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count + 100)\r\n\r\n".utf8) + body, context)
        context.close(promise: nil)
      case .tooLong:
        let body = script.good()
        write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count / 3)\r\n\r\n".utf8) + body, context)
      case .half: send(200, Array(script.good().prefix(script.good().count / 2)), context)
      case .page: send(200, Array("<html><body>We will be back soon</body></html>".utf8), context)
      case .failing: send(500, [], context)
      case .bursts: count % 8 < 4 ? send(500, [], context) : send(200, script.good(), context)
      }
    }

    private func send(_ status: Int, _ body: [UInt8], _ context: ChannelHandlerContext) {
      write(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body, context)
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func drip(_ context: ChannelHandlerContext) {
      guard context.channel.isActive else { return }
      write([0x20], context)
      context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { self.drip(context) }
    }

    private func flood(_ context: ChannelHandlerContext) {
      guard context.channel.isActive else { return }
      if context.channel.isWritable {
        write(Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + Array("\r\n".utf8), context)
      }
      context.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(200)) { self.flood(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
