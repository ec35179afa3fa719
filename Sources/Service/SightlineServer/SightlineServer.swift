import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import SightlineGround
import SightlineImport
import SightlineInput
public import SightlineReadWorkers
public import SightlineStore
import SightlineTerrain

/// The HTTP server: routes over a store, the web client, and the guarded proxy.
///
/// ```swift
/// let server = try SightlineServer(options: ServerOptions(), stores: Stores(database), log: log)
/// try await server.run { url in print("listening on \(url)") }
/// ```
public struct SightlineServer: Sendable {
  /// What the operator decided.
  public let options: ServerOptions
  let stores: Stores
  let catalog: Catalog
  let fetcher: GuardedFetcher
  /// Archives that foreign worlds came in, for all routes.
  private let archives = ForeignArchives()
  let maps: MapSource?
  let geocoder: Geocoder?
  let terrain: TerrainHeights?
  let ground: GroundLibrary?
  let readiness = Readiness()
  let metrics: ServerMetrics
  let listeningPort: ListeningPort
  let tours: TourService
  /// Wrong codes of teams.
  let guesses: GuessLimiter
  /// What requests may cost.
  let gate = WorkGate()
  /// What other servers of the same database do.
  let changes: ChangeFeed
  /// The open boards of tours.
  let boards = TourBoards()
  let webClient: WebClientFiles?
  private let document: WorldDocument
  let accounts: Accounts
  /// Puts answers together of what is stored: worlds in all formats, codes.
  private let renderWorker = BackgroundWorker(
    label: "sightline.render",
    limit: 256,
    width: max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
  )
  /// Where foreign documents are read: worlds, pictures, models, archives.
  let readers: ReadWorkers
  /// Whether they end with this server.
  private let ownsReaders: Bool
  let log: Logger
  private let beforeReady: @Sendable () async throws -> Void

  /// A server that does not listen yet.
  ///
  /// Reads the web client's files.
  ///
  /// - Parameters:
  ///   - options: What the operator decided.
  ///   - stores: Where everything is kept.
  ///   - log: Where messages go.
  ///   - readers: Who reads foreign documents, for a program that uses them beside the server and ends them itself; `nil`
  ///     for workers of the server's own, by ``ServerOptions/reading``.
  ///   - beforeReady: Work that has to be done before the server calls itself ready.
  /// - Throws: A sentence for the operator when a folder or file cannot be read.
  public init(
    options: ServerOptions,
    stores: Stores,
    log: Logger,
    readers: ReadWorkers? = nil,
    beforeReady: @escaping @Sendable () async throws -> Void = {}
  ) throws {
    try self.init(
      options: options,
      stores: stores,
      log: log,
      beforeReady: beforeReady,
      resolver: .system,
      trustRoots: .default,
      readWorkers: readers
    )
  }

  init(
    options: ServerOptions,
    stores: Stores,
    log: Logger,
    beforeReady: @escaping @Sendable () async throws -> Void = {},
    resolver: HostResolver,
    trustRoots: NIOSSLTrustRoots = .default,
    readWorkers: ReadWorkers? = nil,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    self.options = options
    self.beforeReady = beforeReady
    self.stores = stores
    self.log = log
    readers = try readWorkers ?? ReadWorkers(options.reading, log: log)
    ownsReaders = readWorkers == nil
    let documents = ForeignDocuments(workers: readers)
    catalog = Catalog(store: stores.worlds)
    listeningPort = ListeningPort(options.port)
    let metrics = ServerMetrics(options.metrics)
    self.metrics = metrics
    accounts = Accounts(
      store: stores.accounts,
      sessions: stores.sessions,
      invitations: stores.invitations,
      secondFactors: stores.secondFactors,
      securityLog: stores.securityLog,
      signInFailures: stores.signInFailures,
      isSecure: options.isSecure,
      publicURL: options.publicURL,
      hasher: PasswordHasher(logCost: options.passwordCost),
      secondFactorPolicy: options.secondFactorPolicy,
      onEvent: { metrics.count($0) },
      clock: clock
    )
    guesses = GuessLimiter(clock: clock)
    tours = TourService(
      store: stores.tours,
      runs: stores.tourRuns,
      teams: stores.tourTeams,
      audience: boards,
      clock: clock
    )
    changes = ChangeFeed(
      store: stores.changes,
      tours: tours,
      catalog: catalog,
      timetables: options.transit?.timetables ?? [],
      log: log
    )
    fetcher = GuardedFetcher(policy: options.proxy, resolver: resolver, trustRoots: trustRoots)
    maps = options.overpass.map {
      MapSource(options: $0, documents: documents, resolver: resolver, log: log, clock: clock)
    }
    geocoder = options.geocoder.map { Geocoder(options: $0, resolver: resolver, log: log, clock: clock) }
    terrain = options.terrainFolder.map { TerrainHeights(TerrainFolder(path: $0)) }
    ground = options.groundFolder.map { GroundLibrary(GroundFolder(path: $0)) }
    document = WorldDocument(sea: options.webClientFolder.flatMap { SeaLevel(geoidFile: $0 + "/data/egm96.geoid") })
    webClient = try options.webClientFolder.map { folder in
      try WebClientFiles(folder: folder, extraFiles: options.engineFiles)
    }
  }

  private var documents: ForeignDocuments { ForeignDocuments(workers: readers) }

  var isSecure: Bool { options.isSecure }

  /// Every address the server answers.
  var routes: RouteTable {
    var routes = RouteTable()
    NearbyRoutes(catalog: catalog, readiness: readiness).add(to: &routes)
    SearchRoutes(catalog: catalog, readiness: readiness).add(to: &routes)
    GeocodeRoutes(geocoder: geocoder).add(to: &routes)
    GroundRoutes(terrain: terrain).add(to: &routes)
    GroundTileRoutes(ground: ground).add(to: &routes)
    FootRoutes(ground: ground).add(to: &routes)
    WorldRoutes(
      worlds: stores.worlds,
      catalog: catalog,
      cache: BodyCache(limit: 64 * 1024 * 1024, worker: renderWorker, metrics: metrics.cache("worlds")),
      worker: renderWorker,
      readiness: readiness,
      isSecure: isSecure,
      publicURL: options.publicURL,
      document: document
    ).add(to: &routes)
    OpenRoutes(fetcher: fetcher, documents: documents).add(to: &routes)
    FrameRoutes().add(to: &routes)
    MapRoutes(source: maps, isSecure: isSecure, publicURL: options.publicURL).add(to: &routes)
    AssetRoutes(
      assets: stores.assets,
      fetcher: fetcher,
      documents: documents,
      shared: BodyCache(limit: 96 * 1024 * 1024, metrics: metrics.cache("files")),
      archives: archives
    ).add(to: &routes)
    let removal = AccountRemoval(accounts: accounts, tours: tours, catalog: catalog)
    AccountRoutes(accounts: accounts, assets: stores.assets, quotas: options.quotas, removal: removal).add(to: &routes)
    SessionRoutes(accounts: accounts, removal: removal).add(to: &routes)
    UploadRoutes(assets: stores.assets, accounts: accounts, quotas: options.quotas, documents: documents)
      .add(to: &routes)
    StudioRoutes(
      service: StudioService(studio: stores.studio, worlds: stores.worlds, catalog: catalog, quotas: options.quotas),
      accounts: accounts,
      assets: stores.assets,
      quotas: options.quotas,
      documents: documents,
      document: document
    ).add(to: &routes)
    CodeRoutes(catalog: catalog, isSecure: isSecure, publicURL: options.publicURL, worker: renderWorker).add(
      to: &routes
    )
    PosterRoutes(
      posters: stores.posters,
      assets: stores.assets,
      documents: documents,
      targets: BodyCache(limit: 32 * 1024 * 1024, metrics: metrics.cache("posters"))
    ).add(to: &routes)
    PosterDeskRoutes(
      desk: PosterDesk(posters: stores.posters, assets: stores.assets, quotas: options.quotas, documents: documents),
      accounts: accounts
    ).add(to: &routes)
    TourRoutes(tours: tours, accounts: accounts).add(to: &routes)
    TourRunRoutes(tours: tours, boards: boards, accounts: accounts, isSecure: isSecure, publicURL: options.publicURL)
      .add(to: &routes)
    let rankings = TourRankings(teams: stores.tourTeams)
    TourTeamRoutes(tours: tours, rankings: rankings, limiter: guesses, isSecure: isSecure, publicURL: options.publicURL)
      .add(to: &routes)
    SettingsRoutes(
      tiles: options.tiles,
      transit: options.transit,
      hasMaps: maps != nil,
      hasGeocoder: geocoder != nil,
      terrain: terrain,
      ground: ground,
      publicAddress: PublicAddress(
        configured: options.publicURL,
        host: options.host,
        isEncrypted: options.tls != nil,
        port: listeningPort
      ),
      webClient: webClient
    ).add(to: &routes)
    TransitRoutes(transit: options.transit, readiness: readiness).add(to: &routes)
    HealthRoutes(readiness: readiness, checks: ReadinessChecks(readinessChecks)).add(to: &routes)
    ClientRoutes(
      files: webClient,
      pagePolicy: SecurityHeaders.pagePolicy(tileOrigin: options.tiles?.policySource),
      tileOrigin: options.tiles?.policySource
    ).add(to: &routes)
    DescriptionOfRoutes.add(to: &routes)
    return routes
  }

  /// What has to be well for the server to be ready, beside its own start.
  private var readinessChecks: [any ReadinessCheck] {
    [DatabaseCheck(worlds: stores.worlds), ChangesCheck(changes: changes)]
  }

  /// Reads the store and becomes ready.
  func prepare() async throws {
    try await beforeReady()
    try await catalog.refresh()
    readiness.become(.ready)
  }

  /// The framework's application, with the service that keeps the catalog up to date.
  func application(onReady: @escaping @Sendable (_ url: String) -> Void) throws -> some ApplicationProtocol {
    let (ports, portSource) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let keeper = CatalogKeeper(server: self, ports: ports, onReady: onReady)
    // Connections that are idle or slow are ended by their guards.
    var configuration = HTTP1Channel.Configuration()
    configuration.httpDecoder = .init(
      maxHeaderFieldSize: ConnectionLimits.headerBytes,
      maxHeaderListSize: ConnectionLimits.headerBytes,
      maxHeaderFieldCount: ConnectionLimits.headerCount
    )
    let http = configuration
    let all = SightlineServer.connections(options.connections)
    let register = ConnectionRegister(connections: all, perNetwork: min(all, options.connectionsPerNetwork))
    let trusted = options.believedProxies
    let (limits, isEncrypted) = (options.connectionLimits, options.tls != nil)
    let routes = routes
    let requests = metrics.requests(of: routes)
    let responder = Responder(
      routes: routes,
      readiness: readiness,
      log: log,
      trusted: trusted,
      register: register,
      gate: gate,
      allowedOrigins: options.allowedOrigins,
      isSecure: options.isSecure,
      webClient: webClient,
      metrics: requests
    )
    var builder = HTTPServerBuilder { respond in
      LoopChannel(
        base: HTTP1Channel(responder: respond, configuration: http),
        responder: responder,
        limits: limits,
        register: register,
        trusted: trusted,
        isEncrypted: isEncrypted
      )
    }
    if let tls = options.tls { builder = try .tls(builder, tlsConfiguration: try tls.configuration()) }
    return Application(
      responder: responder,
      server: builder,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port),
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(all + SightlineServer.refusedConnections)
      ),
      services: [
        keeper, changes, TourKeeper(tours: tours, leases: stores.leases, log: log),
        StoreKeeper(stores: stores, accounts: accounts, log: log),
      ] + retentionServices + transitServices + limitServices
        + metricsServices(requests, register),
      onServerRunning: { channel in
        listeningPort.become(channel.localAddress?.port ?? options.port)
        portSource.yield(channel.localAddress?.port ?? options.port)
        portSource.finish()
      },
      logger: log
    )
  }

  /// Connections that may be open beside those that are let in, to be refused.
  private static let refusedConnections = 256

  /// The connections that this process has files for.
  private static func connections(_ wanted: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    // The database, worker processes and fetches need some too.
    let files = Int(clamped: limit.rlim_cur)
    return max(16, min(wanted, files - refusedConnections - 256))
  }

  /// What removes, beside the requests, what nobody needs any more.
  private var retentionServices: [any Service] {
    options.retention.map { settings in
      [RetentionKeeper(retention: stores.retention, leases: stores.leases, tours: tours, settings: settings, log: log)]
    } ?? []
  }

  /// What runs beside the requests: providers that are kept up to date.
  private var transitServices: [any Service] {
    options.transit.map { [TransitKeeper(transit: $0)] } ?? []
  }

  /// Limits that count over all servers of a database; by names that all of them know.
  var limits: [String: CommonBuckets] {
    let named: [String: CommonBuckets?] = [
      "guess": guesses.buckets, "heavy": gate.heavyRate.buckets, "transit": options.transit?.limiter.buckets,
      "geocode": geocoder?.limiter.buckets, "geocode-all": geocoder?.budget, "map-all": maps?.budget,
      "call": tours.calls,
    ]
    return named.compactMapValues { $0 }
  }

  /// What makes limits count over all servers; nothing on a database of one.
  private var limitServices: [any Service] {
    stores.changes.isShared ? [LimitSharing(store: stores.limitUse, limits: limits, log: log)] : []
  }

  /// The port for metrics.
  private func metricsServices(_ requests: RequestMetrics, _ register: ConnectionRegister) -> [any Service] {
    guard let port = options.metricsPort else { return [] }
    let (boards, changes) = (boards, changes)
    let responder = MetricsResponder(
      transit: options.transit,
      readers: readers.metrics,
      readiness: readiness,
      metrics: options.metrics,
      store: stores.metrics
    ) {
      [
        ("sightline_connections", "Connections that are open.", register.count),
        ("sightline_http_requests_running", "Requests that are being answered.", requests.running),
        ("sightline_tour_boards", "Open streams of tours' boards.", boards.hub.subscriberCount),
        ("sightline_changes_listening", "Whether the database tells of others' changes.", changes.isListening ? 1 : 0),
        ("sightline_changes_behind", "Whether others' changes were not read for 5 s.", changes.isBehind ? 1 : 0),
      ]
    }
    return [
      Application(
        responder: responder,
        configuration: ApplicationConfiguration(address: .hostname(options.metricsHost, port: port)),
        onServerRunning: { channel in
          log.notice("metrics", metadata: ["port": .stringConvertible(channel.localAddress?.port ?? port)])
        },
        logger: log
      )
    ]
  }

  /// Says that the server is not ready any more, and goes on to answer for so long: whoever balances requests over several
  /// servers has time to notice.
  ///
  /// At once for a server that was not ready yet, which nobody sends requests to.
  public func drain(for duration: Duration) async {
    let wasReady = readiness.state == .ready
    guard wasReady, duration > .zero else { return }
    readiness.become(.draining)
    log.notice("draining", metadata: ["seconds": .stringConvertible(duration.milliseconds / 1000)])
    try? await Task.sleep(for: duration)
  }

  /// Listens and answers until the task is told to stop gracefully, by a `ServiceGroup` or its signals.
  ///
  /// - Parameter onReady: Called once, when every route answers, with the address of the start page.
  /// - Throws: What kept the server from listening or from reading the store.
  public func run(onReady: @escaping @Sendable (_ url: String) -> Void) async throws {
    let application = try application(onReady: onReady)
    readers.start()
    do {
      try await withGracefulShutdownHandler {
        try await application.run()
      } onGracefulShutdown: {
        readiness.become(.stopping)
        boards.hub.close()
      }
    } catch {
      await shutdownFetchers()
      throw error
    }
    await shutdownFetchers()
  }

  private func shutdownFetchers() async {
    if ownsReaders { await readers.shutdown() }
    await fetcher.shutdown()
    await maps?.shutdown()
    await geocoder?.shutdown()
  }

  func url(port: Int) -> String {
    let scheme = options.tls == nil ? "http" : "https"
    let host = options.host.contains(":") ? "[\(options.host)]" : options.host
    return "\(scheme)://\(host):\(port)"
  }
}

/// Reads the store at the start and looks once a second whether another process has changed it.
private struct CatalogKeeper: Service {
  let server: SightlineServer
  let ports: AsyncStream<Int>
  let onReady: @Sendable (String) -> Void

  func run() async throws {
    try await server.prepare()
    await cancelWhenGracefulShutdown {
      for await port in ports { onReady(server.url(port: port)) }
      // Searching begins a little after everything else.
      try? await server.catalog.digest()
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        do {
          try await server.catalog.refresh()
          try await server.catalog.digest()
        } catch is CancellationError {
          return
        } catch {
          server.log.error("the store could not be read", metadata: ["reason": .string("\(error)")])
        }
      }
    }
  }
}
