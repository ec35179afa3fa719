import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineStore
import SightlineTestSupport
import SightlineTransit
import Testing

@testable import SightlineServer

/// Asks a server what its own description says can be asked, right and wrong, and holds its answers against the description.
@Suite struct APIConformanceTests {
  /// Requests of each operation.
  private static let count = 14

  /// A server with something of everything, and whoever asks it.
  private final class Stage: Sendable {
    let fixture: ServerFixture
    let author: SignedIn
    let chief: SignedIn
    let team: String
    /// Values that name something, by the variable of a path.
    let known: [String: [String]]

    init() async throws {
      fixture = try await ServerFixture(webClient: ["index.html": "<html><head></head></html>", "app.js": "let a"]) {
        options in
        options.passwordCost = 4
        options.transit = StubProvider().service()
      }
      try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916), place("Station", 48.3995, 9.9830)])
      author = try await fixture.signedIn("olga")
      chief = try await fixture.signedIn("chief", .operator)
      let made = try JSONAnswer(try await author.request("/api/v1/studio/worlds", .post, #"{"title":"Object"}"#))
      let world = try #require((made["world"] as? [String: Any])?["id"] as? String)
      let poster = Poster(
        id: "poster",
        title: "Object",
        sizes: [PosterSize(name: "A3", width: 297, height: 420)],
        pictures: [PosterPicture(url: "/assets/00", width: 240, height: 340)]
      )
      _ = try await fixture.stores.posters.addPoster(poster, owner: author.account.id, limit: 100)
      let tour = try #require(
        try JSONAnswer(try await author.request("/api/v1/tours", .post, TourTests.tour))["id"] as? String
      )
      let run = try JSONAnswer(
        try await author.request("/api/v1/tours/\(tour)/runs", .post, ##"{"teams":[{"name":"T","color":"#112233"}]}"##)
      )
      let runID = try #require((run["run"] as? [String: Any])?["id"] as? String)
      let code = try #require(run.objects("teams").first?["code"] as? String)
      _ = try await author.request("/api/v1/tour-runs/\(runID)/command", .post, #"{"command":"start"}"#)
      let joined = try JSONAnswer(
        try await fixture.request(
          "/api/v1/tour-team/join",
          .post,
          headers: [.contentType: "application/json"],
          body: #"{"code":"\#(code)"}"#
        )
      )
      team = try #require(joined["secret"] as? String)
      known = [
        "id": ["ulm", world, "poster", String(author.account.id), "1"], "tour": [tour], "run": [runID], "code": [code],
        "secret": [team], "number": ["1"], "version": ["1"], "topic": ["food", "amenity=bench"],
        "table": ["results.csv", "all.json", "log.json"], "build": ["dev"], "path": ["app.js"],
        "hash": [String(repeating: "0", count: 64)],
      ]
      // A board's stream would not end; a server that stops refuses it.
      fixture.server.boards.hub.close()
    }
  }

  /// An operation as the description has it.
  private struct Operation {
    let method: String
    let path: String
    let parts: [String: Any]

    var responses: [String: [String: Any]] { parts["responses"] as? [String: [String: Any]] ?? [:] }
    var parameters: [[String: Any]] { parts["parameters"] as? [[String: Any]] ?? [] }
    var bodies: [String: [String: Any]] {
      (parts["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]] ?? [:]
    }
    var scheme: String? { (parts["security"] as? [[String: Any]])?.first?.keys.first }
    var isStream: Bool {
      (responses["200"]?["content"] as? [String: Any])?.keys.contains("text/event-stream") ?? false
    }
  }

  private static func operations(_ document: [String: Any]) -> [Operation] {
    var found: [Operation] = []
    for (path, item) in document["paths"] as? [String: [String: [String: Any]]] ?? [:] {
      for (method, parts) in item { found.append(Operation(method: method.uppercased(), path: path, parts: parts)) }
    }
    return found.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `every operation answers as it is described`(seed: UInt64) async throws {
    var stage = try await Stage()
    let description = try await stage.fixture.request("/api/v1/openapi.json")
    let document = try #require(try JSONAnswer(description).value as? [String: Any])
    let check = SchemaCheck(document: document)
    var generator = RequestGenerator(seed: seed, document: document)
    var answered: Set<String> = []
    for operation in Self.operations(document) {
      for round in 0..<Self.count {
        let uri = generator.uri(operation.path, operation.parameters, known: stage.known, isStream: operation.isStream)
        let body = generator.body(operation.bodies)
        var headers: HTTPFields = [:]
        headers[.contentType] = body?.type
        if operation.method == "GET", generator.chance(0.1) { headers[.ifNoneMatch] = "*" }
        if operation.method == "PUT", generator.chance(0.8) {
          headers[.ifMatch] = generator.pick(["\"v1\"", "\"1\"", "\"p1\"", "\"p2\"", "\"v99\"", "x"])
        }
        let isAllowed = generator.chance(0.85)
        if operation.scheme == "team", isAllowed { headers[.authorization] = "Bearer \(stage.team)" }
        if operation.scheme == "session", isAllowed {
          let caller = generator.chance(0.5) ? stage.author : stage.chief
          headers[.cookie] = caller.cookie
          headers[.csrfToken] = caller.csrf
        }
        let method = try #require(HTTPRequest.Method(rawValue: operation.method))
        let response = try await stage.fixture.request(uri, method, headers: headers, bytes: body?.bytes)
        let sent = String(decoding: (body?.bytes ?? []).prefix(400), as: UTF8.self)
        let name = "\(operation.method) \(uri) \(sent)"
        let faults = Self.faults(response, operation, document, check)
        #expect(faults == [], "seed \(seed), round \(round): \(name)")
        if response.status.code < 400 { answered.insert("\(operation.method) \(operation.path)") }
        // What signs out, removes and closes leaves nothing to ask the next one.
        if operation.method != "GET", response.status.code < 300, operation.scheme != nil { stage = try await Stage() }
      }
    }
    // Most are asked so that they do what they are for.
    #expect(answered.count > 70, "\(answered.count)")
  }

  /// What contradicts the description in an answer.
  private static func faults(
    _ response: TestResponse,
    _ operation: Operation,
    _ document: [String: Any],
    _ check: SchemaCheck
  ) -> [String] {
    let status = "\(response.status.code)"
    guard var described = operation.responses[status] else {
      return ["status \(status) is not described: \(String(buffer: response.body).prefix(300))"]
    }
    if let reference = described["$ref"] as? String, let name = reference.split(separator: "/").last {
      let components = document["components"] as? [String: Any]
      described = (components?["responses"] as? [String: [String: Any]])?[String(name)] ?? [:]
    }
    guard let content = described["content"] as? [String: [String: Any]] else {
      return response.body.readableBytes == 0 ? [] : ["\(status) has a body, which is not described"]
    }
    let type = String((response.headers[.contentType] ?? "").prefix { $0 != ";" })
    guard let media = content[type] ?? content["*/*"] else { return ["\(status) is \(type), not \(content.keys)"] }
    guard let schema = media["schema"] as? [String: Any] else { return [] }
    guard let answer = try? JSONAnswer(response) else { return ["\(status) is no JSON"] }
    return check.faults(answer.value, schema, "answer")
  }
}

/// Makes requests of schemas: most as they should be, some broken in one place.
private struct RequestGenerator {
  private var random: SplitMix64
  private let schemas: [String: [String: Any]]

  private static let words = [
    "Ulm", "a", "b-1", "Café", "#123456", "author", "en", "stub:A", "x y", "48.4", "48.4,9.99",
  ]
  private static var odd: [Any] {
    [
      "", "\u{0}", "\u{202E}", "../..", "%2f", "-1", "1e400", "NaN", "http://127.0.0.1:1/", "file:///etc/passwd", -1, 0,
      1e300,
      9_007_199_254_740_993 as Int, true, NSNull(), [Any](), [String: Any](), String(repeating: "x", count: 3000),
    ]
  }

  init(seed: UInt64, document: [String: Any]) {
    random = SplitMix64(seed: seed)
    let components = document["components"] as? [String: Any]
    schemas = components?["schemas"] as? [String: [String: Any]] ?? [:]
  }

  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices.lowerBound..<values.indices.upperBound, using: &random)]
  }

  mutating func uri(
    _ path: String,
    _ parameters: [[String: Any]],
    known: [String: [String]],
    isStream: Bool
  ) -> String {
    var path = path
    var fields: [String] = []
    for parameter in parameters {
      guard let name = parameter["name"] as? String else { continue }
      if parameter["in"] as? String == "path" {
        // Streams that begin would not end.
        let isKnown = chance(0.8) && (!isStream || path.hasPrefix("/api/v1/tour-runs"))
        let value = isKnown ? pick(known[name] ?? ["none"]) : pick(["none", "Ä", "..", "9999999999999999999", "a.b"])
        path = path.replacing("{\(name)}", with: FormFields.encode(value))
      } else if chance(0.6) {
        let schema = parameter["schema"] as? [String: Any] ?? [:]
        let value = chance(0.85) ? self.value(schema, name, 0) : pick(Self.odd)
        fields.append("\(FormFields.encode(name))=\(FormFields.encode("\(value)"))")
      }
    }
    return fields.isEmpty ? path : "\(path)?\(fields.joined(separator: "&"))"
  }

  mutating func body(_ bodies: [String: [String: Any]]) -> (type: String?, bytes: [UInt8])? {
    guard !bodies.isEmpty else { return nil }
    let type = pick(bodies.keys.sorted())
    let told = chance(0.95) ? type : pick([nil, "text/plain", "application/json"])
    guard let schema = bodies[type]?["schema"] as? [String: Any] else {
      return (told, (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    var value = self.value(schema, "", 0)
    if chance(0.4) { value = broken(value) }
    if type == "application/x-www-form-urlencoded" {
      let pairs = (value as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
      let text = pairs.map { "\(FormFields.encode($0.key))=\(FormFields.encode("\($0.value)"))" }.joined(separator: "&")
      return (told, Array(text.utf8))
    }
    let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    return (told, data.map { [UInt8]($0) } ?? Array("{".utf8))
  }

  /// A value that fits a schema, as far as a schema says.
  private mutating func value(_ schema: [String: Any], _ name: String, _ depth: Int) -> Any {
    if let reference = (schema["$ref"] as? String)?.split(separator: "/").last {
      return value(schemas[String(reference)] ?? [:], name, depth)
    }
    if let words = schema["enum"] as? [Any] { return pick(words.filter { !($0 is NSNull) }) }
    switch (schema["type"] as? [String])?.first ?? schema["type"] as? String ?? "string" {
    case "object":
      var object: [String: Any] = [:]
      let required = schema["required"] as? [String] ?? []
      for (member, inner) in (schema["properties"] as? [String: [String: Any]] ?? [:]).sorted(by: { $0.key < $1.key })
      where required.contains(member) || chance(depth < 3 ? 0.5 : 0.1) {
        object[member] = value(inner, member, depth + 1)
      }
      return object
    case "array":
      let items = schema["items"] as? [String: Any] ?? [:]
      let fewest = schema["minItems"] as? Int ?? 0
      return (0..<Int.random(in: fewest...max(fewest, 2), using: &random)).map { _ in value(items, name, depth + 1) }
    case "boolean": return chance(0.5)
    case "integer", "number":
      let low = (schema["minimum"] as? NSNumber)?.doubleValue ?? 0
      let high = min((schema["maximum"] as? NSNumber)?.doubleValue ?? 100, low + 1000)
      let number = Double.random(in: low...max(low, high), using: &random)
      return schema["type"] as? String == "integer" ? Int(number) : (number * 1000).rounded() / 1000
    default:
      if schema["pattern"] as? String == "^#[0-9a-f]{6}$" { return "#1a2b3c" }
      if name == "id" { return "identifier-\(Int.random(in: 0..<1000, using: &random))" }
      return name == "password" || name == "current" ? ServerFixture.password : pick(Self.words)
    }
  }

  /// The same with one place changed.
  private mutating func broken(_ value: Any) -> Any {
    if var object = value as? [String: Any], !object.isEmpty, chance(0.9) {
      let name = pick(object.keys.sorted())
      if chance(0.3) {
        object[name] = nil
      } else {
        object[name] = chance(0.5) ? pick(Self.odd) : broken(object[name] ?? "")
      }
      return object
    }
    if var list = value as? [Any], !list.isEmpty, chance(0.8) {
      let index = Int.random(in: list.indices.lowerBound..<list.indices.upperBound, using: &random)
      list[index] = broken(list[index])
      return list
    }
    return pick(Self.odd)
  }
}
