import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import SightlineContent
import SightlineReadWorkers
import SightlineStore
import Synchronization
import Testing

@testable import SightlineServer

/// A server over a database in a folder of its own, and the lines it logs.
final class ServerFixture: Sendable {
  let folder: String
  let database: SQLiteDatabase
  let stores: Stores
  let server: SightlineServer
  let logLines: LogLines

  init(
    prepared: Bool = true,
    webClient: [String: String]? = nil,
    resolver: HostResolver = .system,
    clock: FixtureClock = FixtureClock(),
    readWorkers: ReadWorkers? = nil,
    stores other: Stores? = nil,
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) async throws {
    folder = NSTemporaryDirectory() + "sightline-server-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    database = try SQLiteDatabase(path: folder + "/test.sqlite")
    stores = other ?? Stores(database)
    var options = ServerOptions()
    options.port = 0
    options.reading = TestReaders.options()
    if let webClient {
      for (path, text) in webClient {
        let file = URL(fileURLWithPath: folder + "/client/" + path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
      }
      options.webClientFolder = folder + "/client"
    }
    change(&options)
    let lines = LogLines()
    logLines = lines
    let log = Logger(label: "test") { label in
      JSONLogHandler(label: label, level: .info) { lines.append(String(buffer: $0)) }
    }
    server = try SightlineServer(
      options: options,
      stores: stores,
      log: log,
      resolver: resolver,
      readWorkers: readWorkers ?? TestReaders.shared,
      clock: clock.now
    )
    if prepared { try await server.prepare() }
  }

  /// Another server over the same database; the folder goes with the first one.
  init(over server: SightlineServer, _ other: ServerFixture) async throws {
    folder = other.folder + "/none"
    database = other.database
    stores = other.stores
    logLines = other.logLines
    self.server = server
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Saves a world of labelled places and lets the server see it.
  func add(_ id: String, _ places: [Place], name: String? = nil) async throws {
    var dimension = Dimension()
    dimension.name = name ?? id
    dimension.places = places
    _ = try await stores.worlds.save(WorldDraft(id: id, dimension: dimension, format: "gddf", source: "\(id).gddf"))
    try await server.catalog.refresh()
  }

  /// One request to the routes, without a socket.
  func request(
    _ uri: String,
    _ method: HTTPRequest.Method = .get,
    routes: RouteTable? = nil,
    metrics: RequestMetrics? = nil,
    headers: HTTPFields = [:],
    body: String? = nil,
    bytes: [UInt8]? = nil
  ) async throws -> TestResponse {
    let application = Application(
      responder: Responder(
        routes: routes ?? server.routes,
        readiness: server.readiness,
        log: server.log,
        allowedOrigins: server.options.allowedOrigins,
        webClient: server.webClient,
        metrics: metrics
      )
    )
    return try await application.test(.router) { client in
      try await client.executeRequest(
        uri: uri,
        method: method,
        headers: headers,
        body: bytes.map { ByteBuffer(bytes: $0) } ?? body.map { ByteBuffer(string: $0) }
      )
    }
  }
}

/// Workers of the built program, shared by all tests: a server of their own for each would start hundreds.
enum TestReaders {
  /// The program lies beside the test's own executable.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("sightline").path

  // swift-format-ignore: NeverUseForceTry
  static let shared = try! ReadWorkers(options(), log: Logger(label: "readers") { _ in SwiftLogNoOpLogHandler() })

  /// Two workers that are patient with a loaded machine.
  static func options() -> ReadWorkersOptions {
    var options = ReadWorkersOptions()
    options.place = .processes(program: program)
    options.workers = 2
    options.patience = 10
    options.waitLimit = .seconds(300)
    // All tests are one client.
    options.waitingOfClient = 1000
    options.waiting = 1000
    options.startLimit = .seconds(120)
    return options
  }
}

/// The time it is for a server; a type of its own, so that a trailing closure is not taken for it.
struct FixtureClock: Sendable {
  var now: @Sendable () -> Date = { Date() }
}

/// What a server logged.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }
}

/// A JSON answer, looked into.
struct JSONAnswer {
  let value: Any

  init(_ response: TestResponse) throws { try self.init(Data(response.body.readableBytesView)) }

  init(_ data: Data) throws { value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }

  subscript(name: String) -> Any? { (value as? [String: Any])?[name] }

  func objects(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }
}

/// Asserts that an answer is a problem document with this status and code, and all it has to have.
func expectProblem(
  _ response: TestResponse,
  _ status: Int,
  _ code: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = String(buffer: response.body)
  #expect(response.status.code == status, "\(text)", sourceLocation: sourceLocation)
  #expect(response.headers[.contentType] == "application/problem+json", sourceLocation: sourceLocation)
  let json = try JSONAnswer(response)
  #expect(json["code"] as? String == code, sourceLocation: sourceLocation)
  #expect(json["status"] as? Int == status, sourceLocation: sourceLocation)
  #expect(json["type"] as? String == "about:blank", sourceLocation: sourceLocation)
  let detail = try #require(json["detail"] as? String, sourceLocation: sourceLocation)
  #expect(detail.count > 20 && detail.hasSuffix("."), "a sentence, not \"\(detail)\"", sourceLocation: sourceLocation)
  let requestID = try #require(response.headers[.requestID], sourceLocation: sourceLocation)
  #expect(json["instance"] as? String == "urn:sightline:request:\(requestID)", sourceLocation: sourceLocation)
  #expect(response.headers[.xContentTypeOptions] == "nosniff", sourceLocation: sourceLocation)
}

/// A labelled place.
func place(_ title: String, _ latitude: Double, _ longitude: Double, _ altitude: Double? = nil) -> Place {
  Place(
    title: title,
    position: Position(latitude: latitude, longitude: longitude, altitude: altitude),
    visual: .text(title)
  )
}
