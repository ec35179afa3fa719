import AsyncHTTPClient
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import SightlineInput

/// HTTP clients that connect to one checked address each.
///
/// The name is not resolved a second time: a name server that answers differently the second time (DNS rebinding)
/// gains nothing. Host field, TLS server name and certificate check keep the name. A client is kept for a minute, so
/// that the pictures of a world share its connections.
actor PinnedClients {
  private struct Kept {
    let client: HTTPClient
    var users: Int
    var lastUse: ContinuousClock.Instant
  }

  private struct Key: Hashable {
    let host: String
    let address: NetworkAddress
  }

  private let policy: ProxyPolicy
  private let trustRoots: NIOSSLTrustRoots
  private var kept: [Key: Kept] = [:]
  private static let keptFor = Duration.seconds(60)
  private static let mostKept = 64

  init(policy: ProxyPolicy, trustRoots: NIOSSLTrustRoots) {
    self.policy = policy
    self.trustRoots = trustRoots
  }

  deinit {
    // The clients insist on being ended; normally `shutdown` has done so.
    let clients = kept.values.map(\.client)
    Task { for client in clients { try? await client.shutdown() } }
  }

  /// Runs work with a client that reaches `host` only at `address`.
  func with<Result: Sendable>(
    host: String,
    address: NetworkAddress,
    _ work: @Sendable (HTTPClient) async throws -> Result
  ) async throws -> Result {
    let key = Key(host: host, address: address)
    let client = kept[key]?.client ?? make(host: host, address: address)
    kept[key, default: Kept(client: client, users: 0, lastUse: .now)].users += 1
    defer {
      kept[key]?.users -= 1
      kept[key]?.lastUse = .now
      dropUnused()
    }
    return try await work(client)
  }

  /// Ends all connections.
  ///
  /// For the end of the server.
  func shutdown() async {
    let clients = kept.values.map(\.client)
    kept = [:]
    for client in clients { try? await client.shutdown() }
  }

  private func make(host: String, address: NetworkAddress) -> HTTPClient {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: .nanoseconds(policy.connectLimit.nanoseconds),
        read: .nanoseconds(policy.timeLimit.nanoseconds)
      ),
      decompression: .enabled(limit: .size(policy.largestBody))
    )
    configuration.dnsOverride = [host: address.description]
    configuration.httpVersion = .http1Only
    configuration.connectionPool.idleTimeout = .seconds(20)
    configuration.connectionPool.retryConnectionEstablishment = false
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = trustRoots
    configuration.tlsConfiguration = tls
    return HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
      configuration: configuration
    )
  }

  private func dropUnused() {
    let now = ContinuousClock.now
    for (key, entry) in kept where entry.users == 0 {
      guard kept.count > PinnedClients.mostKept || now - entry.lastUse > PinnedClients.keptFor else { continue }
      kept[key] = nil
      Task { try? await entry.client.shutdown() }
    }
  }
}

extension Duration {
  /// The same, in nanoseconds.
  var nanoseconds: Int64 {
    components.seconds.saturatingMultiply(1_000_000_000).saturatingAdd(components.attoseconds / 1_000_000_000)
  }
}
