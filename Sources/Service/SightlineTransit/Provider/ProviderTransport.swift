import Foundation

/// How providers fetch; the server's goes by HTTP, tests have their own.
public protocol ProviderTransport: Sendable {
  /// Fetches an address.
  ///
  /// - Returns: any answer of status 200 to 299, or 304.
  /// - Throws: what kept it from coming; other statuses as ``ProviderFailure/status(_:retryAfter:)``.
  func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer

  /// Fetches an address into a file, which is replaced: for what is too large for memory.
  ///
  /// - Parameters:
  ///   - request: what is fetched; its limit is that of the file.
  ///   - path: the file; after a failure it may hold a part.
  /// - Returns: the answer, its body empty.
  /// - Throws: as ``fetch(_:)``.
  func download(_ request: ProviderRequest, to path: String) async throws(ProviderFailure) -> ProviderAnswer
}

extension ProviderTransport {
  /// Fetches, and writes what came.
  public func download(_ request: ProviderRequest, to path: String) async throws(ProviderFailure) -> ProviderAnswer {
    var answer = try await fetch(request)
    guard !answer.isUnchanged else { return answer }
    guard FileManager.default.createFile(atPath: path, contents: Data(answer.body)) else {
      throw .broken("\(path) cannot be written")
    }
    answer.body = []
    return answer
  }
}

/// What is fetched.
public struct ProviderRequest: Sendable, Equatable {
  /// Address.
  public var url: String
  /// Header fields, keys among them.
  public var headers: [String: String]
  /// Media types that are taken.
  public var accept: String
  /// Entity tag of what is held; empty without.
  public var etag = ""
  /// Last-Modified of what is held; empty without.
  public var lastModified = ""
  /// Most bytes, unpacked.
  public var limit = 16 << 20
  /// Seconds.
  public var timeLimit = 10.0

  /// A request.
  public init(url: String, headers: [String: String] = [:], accept: String) {
    self.url = url
    self.headers = headers
    self.accept = accept
  }
}

/// What came.
public struct ProviderAnswer: Sendable {
  /// Whether what is held is still the newest.
  public var isUnchanged = false
  /// Media type without parameters, small letters; empty when none was given.
  public var mediaType = ""
  /// Entity tag.
  public var etag = ""
  /// Last-Modified.
  public var lastModified = ""
  /// Content.
  public var body: [UInt8] = []

  /// An answer.
  public init(body: [UInt8] = [], mediaType: String = "") {
    self.body = body
    self.mediaType = mediaType
  }
}
