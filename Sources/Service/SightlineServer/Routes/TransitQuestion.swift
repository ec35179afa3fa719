import HTTPTypes
import NIOCore
import SightlineFormats
import SightlineGeodesy
import SightlineInput
import SightlineTransit

/// The body of a question about transit.
struct TransitQuestion: Sendable {
  private enum Form {
    case flat(FlatQuestion)
    case tree(DataTree)
  }

  private let form: Form

  /// Reads the body.
  static func read(_ exchange: Exchange) async throws -> TransitQuestion {
    try TransitQuestion(exchange, body: try await exchange.body())
  }

  /// Reads the body of a request.
  init(_ exchange: Exchange, body: ByteBuffer) throws(RequestProblem) {
    if let mediaType = exchange.mediaType, mediaType != "application/json" {
      throw RequestProblem(
        .unsupportedMediaType,
        "body.media-type",
        "Send the question as application/json.",
        headers: [.acceptPost: "application/json"]
      )
    }
    try self.init(body)
  }

  init(_ body: ByteBuffer) throws(RequestProblem) {
    if let flat = FlatQuestion(body) {
      form = .flat(flat)
      return
    }
    do throws(DataTree.Failure) { form = .tree(try DataTree.json([UInt8](body.readableBytesView))) } catch {
      throw RequestProblem.badRequest("body.json", "The body is not well-formed JSON: \(error.message)")
    }
  }

  /// A number; `nil` when there is none.
  func number(_ name: String, in range: ClosedRange<Double>, _ unit: String) throws(RequestProblem) -> Double? {
    guard let value = member(name) else { return nil }
    guard let value, value.isFinite else {
      throw .badRequest("transit.malformed", "The member \(name) is not a number. Send it in \(unit).")
    }
    guard range.contains(value) else {
      throw .badRequest(
        "transit.range",
        "\(name) is out of range; it has to be \(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound)) \(unit)."
      )
    }
    return value
  }

  /// A number, or `nil` in place of something that is none; nothing when there is no such member.
  private func member(_ name: String) -> Double?? {
    switch form {
    case .flat(let flat):
      switch flat[name] {
      case .number(let value): .some(value)
      case .text(let text): .some(Double(text))
      case nil: .none
      }
    case .tree(let tree): tree[name].map { $0.members.isEmpty ? Double($0.text) : nil }
    }
  }

  private func text(_ name: String) -> String? {
    switch form {
    case .flat(let flat):
      switch flat[name] {
      case .text(let text): text
      case .number(let value): "\(value)"
      case nil: nil
      }
    case .tree(let tree): tree[name]?.text
    }
  }

  /// A whole number.
  func integer(_ name: String, in range: ClosedRange<Int>, default usual: Int) throws(RequestProblem) -> Int {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    guard let value = try number(name, in: bounds, "as a whole number") else { return usual }
    guard value == value.rounded() else {
      throw .badRequest("transit.range", "\(name) has to be a whole number.")
    }
    return Int(clamped: value).clamped(to: range)
  }

  private static func shown(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(clamped: value))" : "\(value)"
  }

  /// Where the question is asked.
  func place() throws(RequestProblem) -> Geodetic {
    guard let latitude = try number("latitude", in: -90...90, "degrees") else { throw Self.missing("latitude") }
    guard let longitude = try number("longitude", in: -180...180, "degrees") else { throw Self.missing("longitude") }
    return Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func missing(_ name: String) -> RequestProblem {
    .badRequest("transit.missing", "\(name) is missing. latitude and longitude, in degrees, are needed.")
  }

  /// Ids, at most so many.
  func list(_ name: String, limit: Int) throws(RequestProblem) -> [String] {
    let list: [String]
    switch form {
    case .flat: list = text(name).map { [$0] } ?? []
    case .tree(let tree): list = tree.all(name).map(\.text)
    }
    guard list.count <= limit else {
      throw .badRequest("transit.range", "\(name) has \(list.count) ids; send at most \(limit) at a time.")
    }
    guard list.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 512 }) else {
      throw .badRequest("transit.malformed", "\(name) has to be a list of ids such as [\"hsl:1020453\"].")
    }
    return list
  }

  /// A language code such as `sv` or `pt-BR`; `nil` without.
  func language() throws(RequestProblem) -> String? {
    guard let text = text("language"), !text.isEmpty else { return nil }
    let isCode =
      text.utf8.count <= 20
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D }
    guard isCode else {
      throw .badRequest("transit.malformed", "language is not a language code; write it like \"sv\" or \"pt-BR\".")
    }
    return text
  }

  /// Whether stops are looked for by name, and their departures with them.
  var looksForNamedBoards: Bool { text("query") != nil && member("departures") != nil }

  /// What the names of stops have to have; `nil` without.
  func query() throws(RequestProblem) -> StopQuery? {
    guard let text = text("query") else { return nil }
    guard text.utf8.count <= 200 else {
      throw .badRequest("transit.range", "query is longer than 200 bytes. Send the beginning of the name.")
    }
    guard let query = StopQuery(text) else {
      throw .badRequest("transit.malformed", "query has no letter and no digit. Send a part of the stop's name.")
    }
    return query
  }

  /// Seconds ahead.
  func window() throws(RequestProblem) -> Int { try integer("window", in: 60...86_400, default: 3600) }
}
