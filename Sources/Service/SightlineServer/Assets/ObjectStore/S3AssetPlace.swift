import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import SightlineInput
import SightlineStore

/// How an S3-compatible store is asked.
struct S3Patience: Sendable {
  /// How long a try may take, beside what its bytes take.
  var seconds = 20.0
  /// Bytes a second that are waited for.
  var bytesPerSecond = 200_000.0
  /// Most tries of what may pass.
  var tries = 4
  /// Wait before the second try; each next one is twice as long.
  ///
  /// A part of it is drawn, so that many do not come at once.
  var wait = 0.2
}

/// Files in an S3-compatible store (Amazon S3, MinIO, Garage, Ceph …), addressed by path.
///
/// What fails for a while (a status from 500, 429, a connection that breaks off, an answer that does not come) is tried again, a few
/// times; redirects are not followed. Nothing of the credentials is in an error or a log.
public final class S3AssetPlace: AssetPlace {
  private let address: S3Address
  private let credentials: S3Credentials
  private let patience: S3Patience
  private let client: HTTPClient

  /// The bucket and the prefix.
  public var description: String { address.description }

  /// A store.
  public convenience init(_ address: S3Address, credentials: S3Credentials) {
    self.init(address, credentials: credentials, patience: S3Patience())
  }

  init(_ address: S3Address, credentials: S3Credentials, patience: S3Patience) {
    self.address = address
    self.credentials = credentials
    self.patience = patience
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(5), read: .seconds(Int64(clamped: patience.seconds.rounded(.up)))),
      decompression: .disabled
    )
    configuration.httpVersion = .http1Only
    configuration.connectionPool.idleTimeout = .seconds(30)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
    configuration.connectionPool.retryConnectionEstablishment = false
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

  /// Keeps bytes.
  public func write(_ bytes: Data, name: String) async throws {
    let answer = try await ask("PUT", name, body: bytes, limit: 0)
    guard (200...299).contains(answer.status) else { throw refusal(answer) }
  }

  /// The bytes of a name.
  public func read(_ name: String, size: Int) async throws -> Data? {
    let answer = try await ask("GET", name, body: Data(), limit: size)
    // There is no such bucket: then nothing is there, and that is no lost file.
    if answer.status == 404, answer.code != "NoSuchBucket" { return nil }
    guard answer.status == 200 else { throw refusal(answer) }
    return answer.body
  }

  /// Removes bytes.
  public func remove(_ name: String) async throws {
    let answer = try await ask("DELETE", name, body: Data(), limit: 0)
    guard (200...299).contains(answer.status) || (answer.status == 404 && answer.code != "NoSuchBucket") else {
      throw refusal(answer)
    }
  }

  // MARK: Requests

  private struct Answer {
    var status: Int
    var body: Data
    /// What the store calls its refusal.
    var code: String
  }

  /// Most bytes of an answer that is none of a file's.
  private static let longestRefusal = 16 * 1024

  private func ask(_ method: String, _ name: String, body: Data, limit: Int) async throws -> Answer {
    // Names come from a database, which somebody may have written to.
    guard name.utf8.count <= 200, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !name.contains("..") else {
      throw AssetPlaceError.refused(description, reason: "a name in the database is none of a file's.")
    }
    let payload = S3Signature.digest(body)
    var reason = ""
    for attempt in 0..<patience.tries {
      if attempt > 0 {
        let longest = patience.wait * Double(1 << min(attempt - 1, 10))
        try await Task.sleep(for: .seconds(longest * Double.random(in: 0.5...1)))
      }
      do {
        let answer = try await exchange(method, name, body, payload, limit)
        guard answer.status >= 500 || answer.status == 429 || answer.code == "RequestTimeout" else { return answer }
        reason = "It answers with status \(answer.status)\(answer.code.isEmpty ? "" : " (\(answer.code))")."
      } catch let error as AssetPlaceError {
        throw error
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        try Task.checkCancellation()
        reason = Self.reason(error)
      }
    }
    throw AssetPlaceError.unreachable(description, reason: reason)
  }

  private func exchange(
    _ method: String,
    _ name: String,
    _ body: Data,
    _ payload: String,
    _ limit: Int
  ) async throws -> Answer {
    let path = "/\(address.bucket)/\(address.prefix)\(name)"
    var request = HTTPClientRequest(url: address.endpoint + S3Signature.encode(path, keepsSlash: true))
    request.method = HTTPMethod(rawValue: method)
    let host = address.endpoint.range(of: "://").map { String(address.endpoint[$0.upperBound...]) } ?? ""
    let signature = S3Signature(credentials: credentials, region: address.region, time: Date())
    for (name, value) in signature.headers(method: method, path: path, headers: ["host": host], payload: payload) {
      request.headers.replaceOrAdd(name: name, value: value)
    }
    if method == "PUT" {
      request.headers.replaceOrAdd(name: "content-type", value: "application/octet-stream")
      request.body = .bytes(ByteBuffer(data: body))
    }
    let time = patience.seconds + Double(max(body.count, limit)) / patience.bytesPerSecond
    let deadline = NIODeadline.now() + .milliseconds(Int64(clamped: (time * 1000).clamped(to: 1...3_600_000)))
    let response = try await client.execute(request, deadline: deadline)
    let status = Int(clamping: response.status.code)
    let isFile = method == "GET" && status == 200
    let most = isFile ? limit : Self.longestRefusal
    var received = Data()
    for try await chunk in response.body {
      guard NIODeadline.now() < deadline else { throw HTTPClientError.deadlineExceeded }
      guard received.count + chunk.readableBytes <= most else {
        guard isFile else { break }
        // Its hash would say the same, but who reads on?
        throw AssetPlaceError.refused(description, reason: "\(name) has more bytes than the \(limit) that were sent.")
      }
      received.append(contentsOf: chunk.readableBytesView)
    }
    return Answer(status: status, body: isFile ? received : Data(), code: isFile ? "" : Self.code(received))
  }

  /// What stands in `<Code>`, if it is a word.
  private static func code(_ body: Data) -> String {
    let text = String(decoding: body, as: UTF8.self)
    guard let start = text.range(of: "<Code>"),
      let end = text.range(of: "</Code>", range: start.upperBound..<text.endIndex)
    else { return "" }
    let code = text[start.upperBound..<end.lowerBound]
    return code.count <= 60 && code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? String(code) : ""
  }

  private func refusal(_ answer: Answer) -> AssetPlaceError {
    let words =
      switch answer.code {
      case "NoSuchBucket": "there is no bucket \(address.bucket). Make it first."
      case "SignatureDoesNotMatch", "InvalidAccessKeyId": "it does not take the credentials. Correct them."
      case "AccessDenied", "AllAccessDisabled":
        "these credentials may not do it. Allow reading, writing and removing there."
      case "RequestTimeTooSkewed": "this machine's clock is wrong. Set it."
      case "AuthorizationHeaderMalformed": "its region is another one. Name it after the ? as region=NAME."
      default: "it answers with status \(answer.status)\(answer.code.isEmpty ? "" : " (\(answer.code))")."
      }
    return .refused(description, reason: words)
  }

  private static func reason(_ error: any Error) -> String {
    if let error = error as? HTTPClientError {
      switch error {
      case .deadlineExceeded, .readTimeout, .connectTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout:
        return "It does not answer in time."
      default: return "The connection broke off."
      }
    }
    if error is NIOConnectionError || (error as? IOError)?.errnoCode == ECONNREFUSED {
      return "It takes no connections."
    }
    return "The connection broke off."
  }
}
