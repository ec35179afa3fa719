import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL
import ServiceLifecycle
import SightlineContent

/// Fetches foreign documents and pictures for clients, without becoming a way into the operator's network.
///
/// Every address, each redirect's included, is checked by its text, resolved, checked by the addresses it leads to, and
/// then connected to at exactly the checked address.
struct GuardedFetcher: Sendable {
  /// What is asked for.
  enum Method: Equatable, Sendable {
    case get
    /// A form; repeated as GET when the host takes no POST.
    ///
    /// `elsewhere` is what another host gets to which the first redirects, `nil` for the same fields: what was meant for
    /// one host need not be for the next.
    case post(fields: String, elsewhere: String? = nil)
  }

  /// What came.
  struct Answer: Sendable {
    /// Address after all redirects.
    let url: String
    let mediaType: String?
    let body: ByteBuffer
  }

  let policy: ProxyPolicy
  private let resolver: HostResolver
  private let clients: PinnedClients
  private let limiter: FetchLimiter

  init(policy: ProxyPolicy, resolver: HostResolver = .system, trustRoots: NIOSSLTrustRoots = .default) {
    self.policy = policy
    self.resolver = resolver
    clients = PinnedClients(policy: policy, trustRoots: trustRoots)
    limiter = FetchLimiter(policy: policy)
  }

  /// Ends all connections.
  func shutdown() async { await clients.shutdown() }

  /// Fetches an address for a client, by which the limits are counted.
  ///
  /// - Throws: ``FetchError`` when nothing comes.
  func fetch(_ text: String, _ method: Method, accept: String, client: String) async throws -> Answer {
    let target = try ProxyTarget(text)
    return try await limiter.run(client: client) {
      // A foreign host may take its time; a server that stops does not wait for it.
      try await cancelWhenGracefulShutdown {
        try await withThrowingTaskGroup(of: Answer.self) { group in
          group.addTask { try await follow(target, method, accept: accept) }
          group.addTask {
            try await Task.sleep(for: policy.timeLimit)
            throw FetchError.timeout(host: target.host)
          }
          defer { group.cancelAll() }
          guard let answer = try await group.next() else { throw CancellationError() }
          return answer
        }
      }
    }
  }

  private func follow(_ first: ProxyTarget, _ firstMethod: Method, accept: String) async throws -> Answer {
    var target = first
    var method = firstMethod
    var redirects = 0
    while true {
      try Task.checkCancellation()
      switch try await exchange(target, method, accept: accept) {
      case .answer(let answer): return answer
      case .methodNotAllowed:
        guard method != .get else {
          throw FetchError.status(host: target.host, code: 405, phrase: "Method Not Allowed")
        }
        method = .get
      case .redirect(let location, let keepsMethod):
        redirects += 1
        guard redirects <= policy.redirectLimit else {
          throw FetchError.redirects(host: first.host, limit: policy.redirectLimit)
        }
        let next = try ProxyTarget(location, relativeTo: target)
        if !keepsMethod {
          method = .get
        } else if case .post(_, let elsewhere?) = method, !next.isSameHost(as: target) {
          // Nor on the way back: who redirects there and back must not learn what the first may know.
          method = .post(fields: elsewhere)
        }
        target = next
      }
    }
  }

  private enum Outcome: Sendable {
    case answer(Answer)
    case methodNotAllowed
    case redirect(location: String, keepsMethod: Bool)
  }

  private func exchange(_ target: ProxyTarget, _ method: Method, accept: String) async throws -> Outcome {
    let found = try await resolver.addresses(target.host)
    guard !found.isEmpty else {
      throw FetchError.unresolved(host: target.host)
    }
    // A host with several addresses may have one that is down; two more tries, then the user is told.
    let addresses = try target.permitted(found, by: policy).prefix(3)
    var lastFailure: (any Error)?
    for address in addresses {
      do {
        return try await clients.with(host: target.host, address: address) { client in
          try await exchange(target, method, accept: accept, client: client)
        }
      } catch let error as FetchError {
        throw error
      } catch is CancellationError {
        throw CancellationError()
      } catch let error as HTTPClientError where error == .connectTimeout {
        lastFailure = error
      } catch let error as NIOConnectionError {
        lastFailure = error
      } catch let error as IOError where GuardedFetcher.isUnreachable(error) {
        lastFailure = error
      } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
        throw FetchError.timeout(host: target.host)
      } catch {
        throw GuardedFetcher.failure(target, error)
      }
    }
    if (lastFailure as? HTTPClientError) == .connectTimeout { throw FetchError.timeout(host: target.host) }
    throw FetchError.unreachable(host: target.host, port: target.port)
  }

  private func exchange(
    _ target: ProxyTarget,
    _ method: Method,
    accept: String,
    client: HTTPClient
  ) async throws -> Outcome {
    var request = HTTPClientRequest(url: target.absolute)
    // No cookies, no credentials, no address of the user are passed on.
    request.headers.add(name: "accept", value: accept)
    request.headers.add(name: "user-agent", value: "Sightline/\(Version.current)")
    if case .post(let fields, _) = method {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
      request.body = .bytes(ByteBuffer(string: fields))
    }
    let response = try await client.execute(request, deadline: .now() + .nanoseconds(policy.timeLimit.nanoseconds))
    let status = Int(clamping: response.status.code)
    switch status {
    case 200...299: break
    case 405: return .methodNotAllowed
    case 301, 302, 303, 307, 308:
      guard let location = response.headers.first(name: "location") else { fallthrough }
      return .redirect(location: location, keepsMethod: status == 307 || status == 308)
    default:
      throw FetchError.status(host: target.host, code: status, phrase: response.status.reasonPhrase)
    }
    let tooLarge = FetchError.tooLarge(host: target.host, limit: policy.largestBody)
    if let length = response.headers.first(name: "content-length").flatMap(Int.init), length > policy.largestBody {
      throw tooLarge
    }
    var body = ByteBuffer()
    for try await chunk in response.body {
      guard body.readableBytes + chunk.readableBytes <= policy.largestBody else { throw tooLarge }
      body.writeImmutableBuffer(chunk)
    }
    return .answer(Answer(url: target.absolute, mediaType: response.headers.first(name: "content-type"), body: body))
  }

  /// Whether nobody took the connection; one that broke later is another matter.
  private static func isUnreachable(_ error: IOError) -> Bool {
    [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT, EADDRNOTAVAIL].contains(error.errnoCode)
  }

  private static func failure(_ target: ProxyTarget, _ error: any Error) -> FetchError {
    error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError
      ? .insecure(host: target.host) : .failed(host: target.host)
  }
}
