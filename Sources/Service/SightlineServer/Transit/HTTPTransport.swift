import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SightlineContent
import SightlineInput
import SightlineTransit

/// Fetches for one provider: over HTTP with connections of its own, or from a file.
///
/// Only addresses of the configuration are fetched; redirects are not followed. Beyond this machine TLS is needed.
final class HTTPTransport: ProviderTransport {
  private let client: HTTPClient
  private let allowsPlain: Bool

  init(allowsPlain: Bool = false, trustRoots: NIOSSLTrustRoots = .default) {
    self.allowsPlain = allowsPlain
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(3), read: .seconds(10)),
      decompression: .enabled(limit: .size(64 << 20))
    )
    configuration.httpVersion = .http1Only
    configuration.connectionPool.idleTimeout = .seconds(60)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
    configuration.connectionPool.retryConnectionEstablishment = false
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = trustRoots
    configuration.tlsConfiguration = tls
    client = HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
      configuration: configuration
    )
  }

  deinit {
    // The client insists on being ended.
    let client = client
    Task { try? await client.shutdown() }
  }

  /// What is wrong with an address, or `nil`.
  static func fault(in address: String, allowsPlain: Bool) -> String? {
    let probe = address.replacingOccurrences(of: "{", with: "").replacingOccurrences(of: "}", with: "")
    guard let url = URL(string: probe), let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else {
      return "is not an address"
    }
    guard url.user == nil, url.password == nil else { return "has a user name in it; use headers" }
    if scheme == "https" { return nil }
    guard scheme == "http" else { return "is neither http nor https" }
    return isThisMachine(host) || allowsPlain ? nil : "is not https; beyond this machine TLS is needed"
  }

  /// Whether a host is certainly this machine: a name that only begins like an address may lead anywhere.
  private static func isThisMachine(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    guard let address = NetworkAddress(bare) else { return false }
    return address.bytes.count == 4 ? address.bytes[0] == 127 : address == NetworkAddress("::1")
  }

  func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
    guard request.url.hasPrefix("http:") || request.url.hasPrefix("https:") else { return try Self.file(request) }
    guard HTTPTransport.fault(in: request.url, allowsPlain: allowsPlain) == nil else {
      throw .connection("its address is not allowed")
    }
    do {
      var body: [UInt8] = []
      var answer = try await exchange(request) { chunk in body.append(contentsOf: chunk.readableBytesView) }
      answer.body = body
      return answer
    } catch let failure as ProviderFailure {
      throw failure
    } catch {
      throw Self.failure(error)
    }
  }

  func download(_ request: ProviderRequest, to path: String) async throws(ProviderFailure) -> ProviderAnswer {
    guard HTTPTransport.fault(in: request.url, allowsPlain: allowsPlain) == nil else {
      throw .connection("its address is not allowed")
    }
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: path)
    else { throw .broken("\(path) cannot be written") }
    defer { try? file.close() }
    // A feed is packed already; and what is packed twice could not be measured by what is announced.
    var request = request
    request.headers["accept-encoding"] = "identity"
    do {
      return try await exchange(request) { chunk in
        do { try file.write(contentsOf: Data(chunk.readableBytesView)) } catch {
          throw ProviderFailure.broken("\(path) cannot be written: \(error)")
        }
      }
    } catch let failure as ProviderFailure {
      throw failure
    } catch {
      throw Self.failure(error)
    }
  }

  /// The answer to a request, without its body, which `take` gets piece by piece.
  private func exchange(
    _ request: ProviderRequest,
    _ take: (ByteBuffer) throws -> Void
  ) async throws -> ProviderAnswer {
    var outgoing = HTTPClientRequest(url: request.url)
    outgoing.headers.add(name: "accept", value: request.accept)
    outgoing.headers.add(name: "user-agent", value: "Sightline/\(Version.current)")
    if !request.etag.isEmpty { outgoing.headers.add(name: "if-none-match", value: request.etag) }
    if !request.lastModified.isEmpty {
      outgoing.headers.add(name: "if-modified-since", value: request.lastModified)
    }
    for (name, value) in request.headers { outgoing.headers.replaceOrAdd(name: name, value: value) }
    let deadline =
      NIODeadline.now() + .milliseconds(Int64(clamped: (request.timeLimit * 1000).clamped(to: 1...3_600_000)))
    let response = try await client.execute(outgoing, deadline: deadline)
    let status = Int(clamping: response.status.code)
    var answer = ProviderAnswer()
    answer.etag = String((response.headers.first(name: "etag") ?? "").prefix(256))
    answer.lastModified = String((response.headers.first(name: "last-modified") ?? "").prefix(64))
    if status == 304 {
      answer.isUnchanged = true
      return answer
    }
    guard (200...299).contains(status) else {
      // Seconds only: dates in this field are rare, and no clock is to be trusted here.
      let wish = response.headers.first(name: "retry-after").flatMap(Double.init)
      throw ProviderFailure.status(status, retryAfter: wish.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil })
    }
    let type = response.headers.first(name: "content-type") ?? ""
    answer.mediaType = type[..<(type.firstIndex(of: ";") ?? type.endIndex)].trimming().lowercased()
    let length = response.headers.first(name: "content-length").flatMap(Int.init)
    if let length, length > request.limit { throw ProviderFailure.tooLarge(request.limit) }
    var count = 0
    for try await chunk in response.body {
      // The client's deadline is over once the answer has begun; a byte now and then must not hold it for ever.
      guard NIODeadline.now() < deadline else { throw ProviderFailure.timeout }
      count += chunk.readableBytes
      guard count <= request.limit else { throw ProviderFailure.tooLarge(request.limit) }
      try take(chunk)
    }
    return answer
  }

  private static func failure(_ error: any Error) -> ProviderFailure {
    if let error = error as? HTTPClientError {
      switch error {
      case .deadlineExceeded, .readTimeout, .connectTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout:
        return .timeout
      default: return .connection("it broke off")
      }
    }
    if error is CancellationError { return .timeout }
    if error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError {
      return .connection("the secure connection failed")
    }
    if error is NIOConnectionError || (error as? IOError)?.errnoCode == ECONNREFUSED {
      return .connection("it takes no connections")
    }
    if error is HTTPParserError { return .malformed("it is not well-formed HTTP") }
    if "\(type(of: error))".contains("Decompression") { return .malformed("its compression is damaged") }
    return .connection("it broke off")
  }

  /// A file, for recorded messages and for producers on this machine that write one.
  private static func file(_ request: ProviderRequest) throws(ProviderFailure) -> ProviderAnswer {
    let path = request.url.hasPrefix("file://") ? String(request.url.dropFirst(7)) : request.url
    guard let found = try? FileManager.default.attributesOfItem(atPath: path),
      let changed = (found[.modificationDate] as? Date)?.timeIntervalSince1970,
      let size = (found[.size] as? NSNumber)?.intValue
    else { throw .connection("its file is not there") }
    guard size <= request.limit else { throw .tooLarge(request.limit) }
    var answer = ProviderAnswer()
    answer.etag = "\(changed)-\(size)"
    if answer.etag == request.etag {
      answer.isUnchanged = true
      return answer
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw .connection("its file cannot be read") }
    answer.body = [UInt8](data)
    return answer
  }
}
