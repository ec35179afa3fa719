import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import SightlineReadWorkers
import SightlineServer
import SightlineStore

/// `sightline serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the worlds, the web client and the HTTP interface.",
    discussion: """
      Prints "listening on URL" once every address answers. On SIGTERM or SIGINT it says for --drain-seconds that it \
      is not ready, and stops within five seconds then; a second signal ends it at once. An empty database is filled with the demonstration worlds. The log goes to standard error, one JSON object a line, \
      without positions and query strings.

      Settings may stand in a file (--config), called as the options are: { "port": 8080, "tls-self-signed": true }. \
      An environment variable wins over the file, an option over both. --check-config says what counts.

      Phones give camera and motion sensors only to secure pages: in a local network use --host 0.0.0.0 \
      --tls-self-signed, on the Internet a certificate (--tls-cert, --tls-key) or a proxy that has one.
      """
  )

  @Option(help: "Address to listen on (default: 127.0.0.1; 0.0.0.0 for all of the machine's).")
  var host: String?

  @Option(help: "Port to listen on; 0 for any free one (default: 8080).")
  var port: Int?

  @OptionGroup var database: DatabaseOption
  @OptionGroup var files: AssetsOption
  @Option(help: "Most connections to a PostgreSQL database (default: 8).") var databaseConnections: Int?

  @Option(help: ArgumentHelp("Certificate (PEM), with the intermediate ones.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("Private key of the certificate (PEM).", valueName: "file"))
  var tlsKey: String?

  @Flag(inversion: .prefixedNo, help: "Make a certificate for this machine's addresses and use it.")
  var tlsSelfSigned: Bool?

  @Option(
    help: ArgumentHelp("Folder of the web client (default: the one that comes with the program).", valueName: "folder")
  )
  var webClient: String?

  @Option(help: ArgumentHelp("The engine as WebAssembly (default: the one that was built last).", valueName: "file"))
  var wasm: String?

  @Option(
    help: ArgumentHelp("Map tiles: a template with {z}, {x}, {y} (default: a map without tiles).", valueName: "url")
  )
  var tiles: String?

  @Option(help: "Whom to credit for the map tiles.")
  var tilesAttribution: String?

  @Option(help: "Largest zoom level of the map tiles (default: 19).")
  var tilesMaxZoom: Int?

  @Option(
    help: ArgumentHelp(
      "Interpreter of OpenStreetMap's Overpass interface, for worlds of what is around a phone (default: none is asked).",
      valueName: "url"
    )
  )
  var overpass: String?

  @Option(
    help: ArgumentHelp(
      "Service that finds addresses by name, for the search on maps: a search of Photon (…/api) or Nominatim (…/search) "
        + "(default: none is asked).",
      valueName: "url"
    )
  )
  var geocoder: String?

  @OptionGroup var terrain: TerrainOption
  @OptionGroup var ground: GroundOption

  @Flag(
    inversion: .prefixedNo,
    help: "Fetch foreign worlds from private addresses too. Only where all users are trusted."
  )
  var allowPrivateProxy: Bool?

  @Option(help: ArgumentHelp("Ports that foreign worlds are fetched from (default: 80,443).", valueName: "ports"))
  var proxyPorts: String?

  @OptionGroup var reading: ReadingOptionGroup

  @Option(
    help: ArgumentHelp(
      "Address that other devices use, for codes and cards: where the server stands behind another one, or has a name "
        + "(default: with --host 0.0.0.0 this machine's address in the network).",
      valueName: "url"
    )
  )
  var publicURL: String?

  @Option(
    help: ArgumentHelp(
      "Servers in front whose X-Forwarded-For is believed: addresses or blocks with commas between, loopback, or none "
        + "(default: loopback with --public-url https://… on this machine's own address without TLS, else none).",
      valueName: "addresses"
    )
  )
  var trustedProxy: String?

  @Option(
    help: ArgumentHelp(
      "Other sites whose pages may read what everybody may: origins like https://example.org with commas between, * for all, or "
        + "none (default: none).",
      valueName: "origins"
    )
  )
  var allowOrigin: String?

  @Option(help: ArgumentHelp("Connections at a time, of all clients (default: 8192).", valueName: "number"))
  var connections: Int?

  @Option(
    help: ArgumentHelp(
      "Connections at a time of one network: an IPv4 address, or an IPv6 block of 64 bits (default: 256).",
      valueName: "number"
    )
  )
  var connectionsPerNetwork: Int?

  @Option(
    help: ArgumentHelp(
      "Who has to set up a second factor before anything else: operators, authors (everybody), none (default: none).",
      valueName: "who"
    )
  )
  var requireSecondFactor: String?

  @Option(help: ArgumentHelp("Folder of the demonstration worlds; \"none\" for an empty start.", valueName: "folder"))
  var demo: String?

  @OptionGroup var transit: TransitOptions

  @Flag(
    inversion: .prefixedNo,
    help: "Remove once a day what nobody needs any more; see sightline retention --dry-run (default: yes)."
  )
  var retention: Bool?

  @OptionGroup var limits: RetentionOptions

  @Option(help: "Least weight of log messages: trace, debug, info, notice, warning, error, critical (default: info).")
  var logLevel: String?

  @Option(
    help: ArgumentHelp(
      "Seconds after the signal to stop in which requests are still answered and /health/ready says 503, for balancers "
        + "to notice (default: 0).",
      valueName: "seconds"
    )
  )
  var drainSeconds: Int?

  @Flag(help: "Check all settings, say what counts and where it comes from, and end.")
  var checkConfig = false

  func run() async throws {
    if checkConfig { return try check() }
    let drain = Duration.seconds(try Setting.integer(drainSeconds, "drain-seconds", in: 0...600) ?? 0)
    let (settings, certificate) = try serverOptions()
    let log = try logger()
    var options = settings
    options.retention?.rules = try limits.rules()
    try reading.apply(to: &options.reading)
    let readers: ReadWorkers
    do { readers = try ReadWorkers(options.reading, log: log) } catch { throw Failure("\(error)") }
    if try !Setting.flag(retention, "retention", otherwise: true) { options.retention = nil }
    FileLimit.raise()
    let connections = try Setting.integer(databaseConnections, "database-connections", in: 1...1000)
    let place = try files.place()
    let file = try await database.open(mustExist: false, connections: connections)
    if file.hasNewerForm {
      log.warning("a newer version has changed the database; this one can still use it. Upgrade it soon.")
    }
    let stores = Stores(file, files: place)
    do {
      try await transit.apply(to: &options, database: database.path, stores: stores, workers: readers, log: log)
    } catch {
      try? file.close()
      throw error
    }
    let grounds = options.groundFolder
    let server: SightlineServer
    do {
      server = try SightlineServer(
        options: options,
        stores: stores,
        log: log,
        readers: readers,
        beforeReady: {
          try await Demonstration.load(from: demonstrationFolder, into: stores, ground: grounds, log: log)
        }
      )
    } catch {
      throw Failure("\(error)")
    }
    if options.webClientFolder == nil {
      Console.note("No web client was found; name its folder with --web-client. The HTTP interface works without.")
    } else if options.wasmFile == nil {
      Console.note(
        "The engine for the web client was not found. Build it with Scripts/build-wasm, or name it with --wasm."
      )
    }
    let running = RunningServer(server: server, database: file, options: options, certificate: certificate, log: log)
    // Signals are the server's own to follow: the first one drains it.
    var configuration = ServiceGroupConfiguration(services: [running], logger: log)
    configuration.maximumGracefulShutdownDuration = .seconds(4)
    let group = ServiceGroup(configuration: configuration)
    let signals = await StopSignals(drain: drain, log: log)
    let following = Task { await signals.follow(server, group) }
    defer { following.cancel() }
    do {
      try await group.run()
    } catch {
      await readers.shutdown()
      try? file.close()
      throw Failure(Serve.sentence(for: error, options))
    }
    await readers.shutdown()
    try file.close()
  }

  private var demonstrationFolder: String? {
    let given = Setting.text(demo, "demo")
    return given == "none" ? nil : given ?? Installation.demonstration()
  }

  private func logger() throws -> Logger {
    let name = Setting.text(logLevel, "log-level") ?? "info"
    guard let level = Logger.Level(rawValue: name) else {
      throw ValidationError(
        "\(Setting.name("log-level")) is \"\(name)\"; possible are \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    return Logger(label: "sightline") { JSONLogHandler(label: $0, level: level) }
  }

  private static func sentence(for error: any Error, _ options: ServerOptions) -> String {
    let text = "\(error)"
    if text.contains("errno: \(EADDRINUSE)") {
      return "Port \(options.port) is in use already. Stop the other program, or choose another port with --port."
    }
    if text.contains("errno: \(EACCES)") {
      return "Port \(options.port) may not be used by this user. Choose one above 1023 with --port."
    }
    if text.contains("errno: \(EADDRNOTAVAIL)") || text.contains("getaddrinfo") || text.contains("unknown(host") {
      return "\(options.host) is not an address of this machine. Correct --host."
    }
    return text
  }
}

extension Serve {
  /// Finds what is wrong with the settings without opening anything, and says what counts.
  private func check() throws {
    var (options, _) = try serverOptions(makesCertificate: false)
    _ = try logger()
    _ = try limits.rules()
    try reading.apply(to: &options.reading)
    try transit.apply(to: &options)
    _ = try Setting.flag(retention, "retention", otherwise: true)
    _ = try Setting.integer(databaseConnections, "database-connections", in: 1...1000)
    _ = try Setting.integer(drainSeconds, "drain-seconds", in: 0...600)
    _ = database.location
    _ = Setting.text(database.databasePasswordFile, "database-password-file")
    _ = Setting.text(demo, "demo")
    let files = ["tls-cert", "tls-key", "database-password-file", "web-client", "wasm", "demo"].compactMap { option in
      Setting.found(option).flatMap { $0.texts.first }.map { (option, $0) }
    }
    for (option, path) in files + transit.named.map({ ("transit", $0) }) where path != "none" {
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw Failure("\(Setting.name(option)) is \(path), which is not there or may not be read by this user.")
      }
    }
    for note in EffectiveSettings.strangeVariables() { Console.note(note) }
    Console.say(EffectiveSettings.table())
    Console.say("The settings are good.")
  }

  private func serverOptions(makesCertificate: Bool = true) throws -> (ServerOptions, SelfSignedCertificate?) {
    var options = ServerOptions()
    options.host = Setting.text(host, "host") ?? options.host
    options.port = try Setting.integer(port, "port", in: 0...65535) ?? options.port
    options.webClientFolder = Setting.text(webClient, "web-client") ?? Installation.webClient()
    options.wasmFile = Setting.text(wasm, "wasm") ?? Installation.wasm()
    options.publicURL = try publicAddress()
    if let text = Setting.text(trustedProxy, "trusted-proxy") {
      guard let trusted = TrustedProxies(text) else {
        throw ValidationError(
          "\(Setting.name("trusted-proxy")) is \"\(text)\"; write addresses or blocks like 10.0.0.7,192.168.0.0/16,2001:db8::/32 with "
            + "commas between, loopback, or none."
        )
      }
      options.trustedProxies = trusted
    }
    if let text = Setting.text(allowOrigin, "allow-origin") {
      guard let allowed = AllowedOrigins(text) else {
        throw ValidationError(
          "\(Setting.name("allow-origin")) is \"\(text)\"; write origins like https://example.org,http://localhost:3000 with commas "
            + "between, without a path; * for all, or none."
        )
      }
      options.allowedOrigins = allowed
    }
    options.connections = try Setting.integer(connections, "connections", in: 16...60_000) ?? options.connections
    options.connectionsPerNetwork =
      try Setting.integer(connectionsPerNetwork, "connections-per-network", in: 1...60_000)
      ?? options.connectionsPerNetwork
    options.proxy.allowsPrivateAddresses = try Setting.flag(allowPrivateProxy, "allow-private-proxy")
    if let ports = Setting.text(proxyPorts, "proxy-ports") {
      let numbers = ports.split(separator: ",").map { Int($0.filter { $0 != " " }) }
      guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { (1...65535).contains($0) } ?? false }) else {
        throw ValidationError(
          "\(Setting.name("proxy-ports")) is \"\(ports)\"; write numbers from 1 to 65535 with commas between."
        )
      }
      options.proxy.ports = Set(numbers.compactMap { $0 })
    }
    if let who = Setting.text(requireSecondFactor, "require-second-factor") {
      guard let policy = SecondFactorPolicy(rawValue: who) else {
        throw ValidationError(
          "\(Setting.name("require-second-factor")) is \"\(who)\"; possible are operators, authors, none."
        )
      }
      options.secondFactorPolicy = policy
    }
    let zoom = try Setting.integer(tilesMaxZoom, "tiles-max-zoom", in: 0...30) ?? 19
    let attribution = Setting.text(tilesAttribution, "tiles-attribution") ?? ""
    if let url = Setting.text(tiles, "tiles") {
      guard let source = TileSource(url: url, attribution: attribution, maxZoom: zoom) else {
        throw ValidationError(
          "\(Setting.name("tiles")) is \"\(url)\"; write an http or https address with {z}, {x} and {y} in it."
        )
      }
      options.tiles = source
    }
    if let url = Setting.text(overpass, "overpass") {
      guard let source = MapSourceOptions(url: url) else {
        throw ValidationError(
          "\(Setting.name("overpass")) is \"\(url)\"; write an address like https://overpass.example.org/api/interpreter."
        )
      }
      options.overpass = source
    }
    if let url = Setting.text(geocoder, "geocoder") {
      guard let source = GeocoderOptions(url: url) else {
        throw ValidationError(
          "\(Setting.name("geocoder")) is \"\(url)\"; write an address like https://photon.example.org/api or "
            + "https://nominatim.example.org/search."
        )
      }
      options.geocoder = source
    }
    options.terrainFolder = terrain.folder(database: database.path).path
    options.groundFolder = ground.folder(database: database.path).path
    let (files, certificate) = try tls(makesCertificate: makesCertificate)
    options.tls = files
    return (options, certificate)
  }

  private func publicAddress() throws -> String? {
    guard var text = Setting.text(publicURL, "public-url") else { return nil }
    while text.hasSuffix("/") { text.removeLast() }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil, url.query == nil else {
      throw ValidationError("\(Setting.name("public-url")) is \"\(text)\"; write it like https://ar.example.org.")
    }
    return text
  }

  private func tls(makesCertificate: Bool) throws -> (TLSFiles?, SelfSignedCertificate?) {
    let certificate = Setting.text(tlsCert, "tls-cert")
    let key = Setting.text(tlsKey, "tls-key")
    let isSelfSigned = try Setting.flag(tlsSelfSigned, "tls-self-signed")
    switch (certificate, key) {
    case (let certificate?, let key?):
      guard !isSelfSigned else {
        throw ValidationError("Give either --tls-cert with --tls-key, or --tls-self-signed.")
      }
      return (TLSFiles(certificate: certificate, key: key), nil)
    case (nil, nil):
      guard isSelfSigned, makesCertificate else { return (nil, nil) }
      let folder = URL(fileURLWithPath: database.path).deletingLastPathComponent().path
      do {
        let made = try SelfSignedCertificate(in: folder)
        return (made.files, made)
      } catch {
        throw Failure("The certificate could not be made: \(error)")
      }
    default: throw ValidationError("--tls-cert and --tls-key belong together; give both.")
    }
  }
}
