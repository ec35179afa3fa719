import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization
import Testing

@testable import SightlineServer

/// A web server on this machine, for fetching from.
struct TestHost: Sendable {
  let port: Int
  let seen: SeenRequests

  /// What a host was asked.
  final class SeenRequests: Sendable {
    struct Seen: Sendable {
      var method: String
      var target: String
      var host: String
      var headers: HTTPFields
      var body: String
    }

    private let requests = Mutex<[Seen]>([])

    func append(_ seen: Seen) { requests.withLock { $0.append(seen) } }

    var all: [Seen] { requests.withLock { $0 } }
  }

  /// Runs a host while the work runs.
  static func with<Result: Sendable>(
    tls: TLSConfiguration? = nil,
    _ answer: @escaping @Sendable (SeenRequests.Seen) async throws -> Response,
    _ work: @Sendable (TestHost) async throws -> Result
  ) async throws -> Result {
    let seen = SeenRequests()
    let (ports, source) = AsyncStream.makeStream(of: Int.self)
    let responder = HostResponder(seen: seen, answer: answer)
    let application = Application(
      responder: responder,
      server: try tls.map { try .tls(.http1(), tlsConfiguration: $0) } ?? .http1(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        source.yield(channel.localAddress?.port ?? 0)
        source.finish()
      },
      logger: Logger(label: "host") { _ in SwiftLogNoOpLogHandler() }
    )
    let group = ServiceGroup(services: [application], logger: Logger(label: "host") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      var iterator = ports.makeAsyncIterator()
      let port = try #require(await iterator.next())
      do {
        let result = try await work(TestHost(port: port, seen: seen))
        await group.triggerGracefulShutdown()
        tasks.cancelAll()
        return result
      } catch {
        await group.triggerGracefulShutdown()
        tasks.cancelAll()
        throw error
      }
    }
  }
}

private struct HostResponder: HTTPResponder {
  typealias Context = ConnectionContext

  let seen: TestHost.SeenRequests
  let answer: @Sendable (TestHost.SeenRequests.Seen) async throws -> Response

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let body = String(buffer: try await request.body.collect(upTo: 1_000_000))
    let entry = TestHost.SeenRequests.Seen(
      method: request.method.rawValue,
      target: request.head.path ?? "",
      host: request.head.authority ?? "",
      headers: request.headers,
      body: body
    )
    seen.append(entry)
    return try await answer(entry)
  }
}

extension Response {
  /// A short answer.
  static func text(_ text: String, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:]) -> Response {
    Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  /// A redirect.
  static func redirect(_ status: HTTPResponse.Status, to location: String) -> Response {
    Response(status: status, headers: [.location: location])
  }
}

/// Bytes of a picture of one pixel.
enum Pictures {
  static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0, 0, 0x1F, 0x15, 0xC4, 0x89,
  ]
}
