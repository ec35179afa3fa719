import Foundation
import HTTPTypes
import Testing

@testable import SightlineServer

@Suite struct APIDescriptionTests {
  private static let methods: Set = ["get", "post", "put", "patch", "delete"]

  /// The described operations by method and path: what each says.
  private func operations() async throws -> [String: [String: Any]] {
    let fixture = try await ServerFixture.withAccounts()
    let answer = try JSONAnswer(try await fixture.request("/api/v1/openapi.json"))
    #expect(answer["openapi"] as? String == "3.1.0")
    var found: [String: [String: Any]] = [:]
    for (path, item) in try #require(answer["paths"] as? [String: [String: Any]]) {
      for (method, operation) in item where Self.methods.contains(method) {
        found["\(method.uppercased()) \(path)"] = operation as? [String: Any]
      }
    }
    return found
  }

  /// As the description writes a pattern: without the dots of one that takes all the rest.
  private func described(_ method: HTTPRequest.Method, _ pattern: String) -> String {
    "\(method.rawValue) \(pattern.replacing("...}", with: "}"))"
  }

  @Test func `every route is described, with its methods, and no other`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    var served: Set<String> = []
    for route in fixture.server.routes.routes {
      for method in route.handlers.keys { served.insert(described(method, route.pattern)) }
    }
    let operations = Set(try await operations().keys)
    #expect(served.subtracting(operations) == [], "served, but not described")
    #expect(operations.subtracting(served) == [])
  }

  @Test func `who may use a route is described as it is`() async throws {
    let operations = try await operations()
    for (method, pattern, access) in accessTable {
      guard let operation = operations[described(method, pattern)] else { continue }
      let schemes = (operation["security"] as? [[String: Any]] ?? []).flatMap(\.keys)
      let isTeam = pattern.hasPrefix("/api/v1/tour-team") && !pattern.hasSuffix("/join")
      let expected = access != .everyone ? ["session"] : isTeam ? ["team"] : []
      #expect(schemes == expected, "\(method) \(pattern)")
    }
  }

  @Test func `every reference leads to something, and every variable of a path is a parameter`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let answer = try JSONAnswer(try await fixture.request("/api/v1/openapi.json"))
    let components = try #require(answer["components"] as? [String: [String: Any]])
    var references: Set<String> = []
    func visit(_ value: Any) {
      if let object = value as? [String: Any] {
        if let reference = object["$ref"] as? String { references.insert(reference) }
        for inner in object.values { visit(inner) }
      } else if let list = value as? [Any] {
        for inner in list { visit(inner) }
      }
    }
    visit(answer.value)
    #expect(references.count > 40)
    for reference in references {
      let parts = reference.split(separator: "/").map(String.init)
      #expect(parts.count == 4 && components[parts[2]]?[parts[3]] != nil, "\(reference)")
    }
    for (name, operation) in try await operations() {
      let parameters = operation["parameters"] as? [[String: Any]] ?? []
      let inPath = Set(parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String })
      let wanted = Set(
        name.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }.map(String.init)
      )
      #expect(inPath == wanted, "\(name)")
      let responses = try #require(operation["responses"] as? [String: Any])
      #expect(responses.keys.contains { $0.hasPrefix("2") || $0.hasPrefix("3") }, "\(name)")
    }
  }

  private struct Sample: Codable, Described {
    enum Kind: String, Codable, CaseIterable {
      case one, two
    }

    struct Inner: Codable {
      var number: Int
    }

    struct Named: Codable, Described {
      var text: String

      static let schemaName = "SampleNamed"
    }

    var kind: Kind
    var inner: Inner?
    var list: [Named]
    var byName: [String: Double]
    var flag: Bool?
    var when: Date
    @OrNull var nothing: String?
    var ranged: Double

    static var rules: [String: JSONSchema] { ["ranged": .number(in: 0...1), "added": .boolean] }
  }

  @Test func `a schema is read off its type`() throws {
    let components = SchemaComponents()
    #expect(components.reference(to: Sample.self) == .component("Sample"))
    let expected = JSONSchema.object([
      "kind": .words(["one", "two"]), "list": .list(.component("SampleNamed")), "byName": .map(.number), "when": .date,
      "nothing": .string.orNull, "ranged": .number(in: 0...1), "added": .boolean,
    ])
    let schema = try #require(components.schemas["Sample"])
    let members = Dictionary(uniqueKeysWithValues: (schema.members ?? []).map { ($0.name, $0) })
    for member in expected.members ?? [] { #expect(members[member.name] == member) }
    #expect(members["inner"] == .init(name: "inner", schema: .object(["number": .integer]), isRequired: false))
    #expect(members["flag"] == .init(name: "flag", schema: .boolean, isRequired: false))
    #expect(members.count == 9)
    #expect(components.schemas["SampleNamed"] == .object(["text": .string]))
  }

  @Test func `null stands for none where a member is always there`() throws {
    let sample = Sample(
      kind: .two,
      inner: nil,
      list: [],
      byName: [:],
      flag: nil,
      when: Date(timeIntervalSince1970: 0),
      nothing: nil,
      ranged: 0.5
    )
    let text = String(buffer: try JSONBytes.encode(sample, adding: ["added": Data("true".utf8)]))
    #expect(
      text
        == #"{"byName":{},"kind":"two","list":[],"nothing":null,"ranged":0.5,"when":"1970-01-01T00:00:00.000Z","added":true}"#
    )
    #expect(try JSONAnswer(Data(text.utf8)).value is [String: Any])
    #expect(String(buffer: try JSONBytes.encode(StudioEarlier(), adding: ["a": Data("1".utf8)])) == #"{"a":1}"#)
  }
}
