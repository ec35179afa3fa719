/// How providers fetch; the server's goes by HTTP, tests have their own.
public protocol ProviderTransport: Sendable {
  /// Fetches an address.
  ///
  /// - Returns: any answer of status 200 to 299, or 304.
  /// - Throws: what kept it from coming; other statuses as ``ProviderFailure/status(_:retryAfter:)``.
  func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer
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
