public import SightlineReadWorkers

/// Everything that an operator can decide about a server.
public struct ServerOptions: Sendable {
  /// Address or name to listen on.
  public var host = "127.0.0.1"
  /// Port to listen on; 0 for any free one.
  public var port = 8080
  /// Certificate and key, or plain HTTP.
  public var tls: TLSFiles?
  /// Folder of the web client; `nil` to serve none.
  public var webClientFolder: String?
  /// The engine, served as `engine.wasm` among the files of the web client; the other files that `Scripts/build-wasm` leaves beside
  /// it are served under their own names.
  public var wasmFile: String?
  /// Map tiles for the web client.
  public var tiles: TileSource?
  /// Where OpenStreetMap is asked for worlds of what is around a phone; `nil` not at all.
  public var overpass: MapSourceOptions?
  /// Where addresses are found by name; `nil` for coordinates and known places alone.
  public var geocoder: GeocoderOptions?
  /// Folder of the terrain (`sightline terrain`), which need not be there; `nil` for none at all.
  public var terrainFolder: String?
  /// Folder of the grounds (`sightline ground`), which need not be there; `nil` for none at all.
  public var groundFolder: String?
  /// What is fetched for clients.
  public var proxy = ProxyPolicy()
  /// Scheme, host and port by which clients know this server, when it stands behind another (`https://ar.example.org`).
  public var publicURL: String?
  /// Servers in front of this one that tell the clients' addresses (`X-Forwarded-For`); `nil` for those that have to be there.
  public var trustedProxies: TrustedProxies?
  /// Whose pages, beside the server's own, may read what everybody may: other sites with `<sightline-view>` in them.
  public var allowedOrigins = AllowedOrigins.none
  /// Connections at a time.
  public var connections = 8192
  /// Connections at a time of one network: an IPv4 address, or the first 64 bits of an IPv6 address.
  public var connectionsPerNetwork = 256
  /// Times and sizes of connections; for tests.
  var connectionLimits = ConnectionLimits()
  /// How foreign documents are read: in processes of the running program, unless decided otherwise.
  ///
  /// The program has to have a command `read-worker` that runs `ReadWorker.run` with ``ForeignReaders/handlers``.
  public var reading = ReadWorkersOptions()
  /// What one author may keep.
  public var quotas = Quotas()
  /// Binary logarithm of scrypt's cost; for tests.
  var passwordCost = PasswordHasher.usualLogCost
  /// Who has to have a second factor before he may do anything with an account.
  public var secondFactorPolicy = SecondFactorPolicy.none

  /// Public transport; `nil` without.
  public var transit: TransitService?
  /// Port for `/metrics`, 0 for any free one; `nil` without.
  public var metricsPort: Int?
  /// Address that `/metrics` is served on.
  public var metricsHost = "127.0.0.1"

  /// Where the server counts what it does.
  public var metrics = PrometheusMetrics()

  /// What the server removes by itself once a day; `nil` for nothing.
  public var retention: RetentionSettings? = RetentionSettings()

  /// The usual settings.
  public init() {}

  /// Whether clients reach the server by TLS: its own, or that of a server in front.
  var isSecure: Bool { tls != nil || publicURL?.hasPrefix("https:") == true }

  /// Whose word about the clients' addresses is taken.
  ///
  /// When nothing was said, programs on this machine are believed only where one of them must stand in front: the server listens
  /// to this machine alone, without TLS, and its clients come by TLS.
  public var believedProxies: TrustedProxies {
    if let trustedProxies { return trustedProxies }
    let isLocal = ["127.0.0.1", "::1", "localhost"].contains(host)
    return isLocal && tls == nil && isSecure ? .loopback : .none
  }
}

/// Certificate and key in PEM files.
public struct TLSFiles: Equatable, Sendable {
  /// The certificate, followed by the intermediate ones.
  public var certificate: String
  /// Its private key.
  public var key: String

  /// Both files.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// Where map tiles come from.
public struct TileSource: Equatable, Sendable {
  /// Template with `{z}`, `{x}`, `{y}`, and perhaps `{s}`.
  public var url: String
  /// Whom to credit, shown on the map.
  public var attribution: String
  /// Largest zoom level there is.
  public var maxZoom: Int

  /// A source; `nil` when the template is not an http or https address with `{z}`, `{x}` and `{y}`.
  public init?(url: String, attribution: String = "", maxZoom: Int = 19) {
    guard let origin = TileSource.origin(of: url), !origin.isEmpty,
      ["{z}", "{x}", "{y}"].allSatisfy({ url.contains($0) }), (0...30).contains(maxZoom)
    else { return nil }
    self.url = url
    self.attribution = attribution
    self.maxZoom = maxZoom
  }

  /// What the page's policy must let pictures come from; empty for this server's own tiles.
  var policySource: String { TileSource.origin(of: url) ?? "" }

  /// `https://*.tile.example.org:8443` for `https://{s}.tile.example.org:8443/{z}/{x}/{y}.png`.
  ///
  /// The text goes into a header field that decides what the page may load, so only what can be a host passes.
  private static func origin(of template: String) -> String? {
    for scheme in ["https://", "http://"] where template.hasPrefix(scheme) {
      var host = template.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      var wildcard = ""
      if host.hasPrefix("{s}.") {
        host = host.dropFirst(4)
        wildcard = "*."
      }
      let isHost =
        !host.isEmpty
        && host.utf8.allSatisfy { byte in
          byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
      return isHost ? scheme + wildcard + host : nil
    }
    return nil
  }
}
