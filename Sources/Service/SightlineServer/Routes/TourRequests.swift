import Foundation
import HTTPTypes
import Hummingbird
import SightlineContent
import SightlineTours

extension Exchange {
  /// The secret in `Authorization: Bearer …`.
  func bearer() throws(RequestProblem) -> String {
    let field = request.headers[.authorization] ?? ""
    guard field.lowercased().hasPrefix("bearer "), field.utf8.count < 200 else {
      throw RequestProblem(
        .unauthorized,
        "tour.no-secret",
        "Send the secret that joining gave, as Authorization: Bearer SECRET.",
        headers: [.wwwAuthenticate: "Bearer"]
      )
    }
    return String(field.dropFirst(7).trimming())
  }
}

/// A position in a body.
struct TeamPosition: Decodable, Described {
  var latitude: Double
  var longitude: Double
  var accuracy: Double?
  /// Whether somebody chose it, on a virtual phone.
  var isVirtual: Bool?

  static var rules: [String: JSONSchema] {
    ["latitude": .latitude, "longitude": .longitude, "accuracy": .number(in: 0...)]
  }

  /// The same, if it can be one.
  var fix: TourFix? {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    // Nothing on the Earth is farther away than half its girth.
    let accuracy = accuracy.flatMap { $0.isFinite && $0 >= 0 ? min($0, 20_100_000) : nil }
    return TourFix(
      position: Position(latitude: latitude, longitude: longitude),
      accuracy: accuracy,
      isVirtual: isVirtual ?? false
    )
  }
}

/// Events in a body.
struct TeamEvents: Decodable, Described {
  struct Event: Decodable, Described {
    var id: String
    var sequence: Int
    var station: String
    var kind: String
    var choices: [Int]?
    var text: String?
    var hint: Int?
    /// Milliseconds since it was made, by the phone's own steady clock.
    var age: Double?
    var position: TeamPosition?

    static let schemaName = "TeamEvent"
    static var rules: [String: JSONSchema] {
      [
        "id": .string(pattern: "^[A-Za-z0-9._-]{8,64}$"), "kind": .words(["choice", "text", "hint", "visit"]),
        "age": .number(in: 0...).described("milliseconds"),
      ]
    }
  }

  var events: [Event]
  /// Number of the last message the phone has.
  var after: Int64?

  static let largestCount = 100
  static var rules: [String: JSONSchema] { ["events": .list(.component(Event.schemaName), to: largestCount)] }

  /// As the rules take them.
  func checked(at time: Date) throws(RequestProblem) -> [TourEvent] {
    guard events.count <= TeamEvents.largestCount else {
      throw .badRequest(
        "tour.events",
        "At most \(TeamEvents.largestCount) events are sent at a time. Send the rest after."
      )
    }
    var result: [TourEvent] = []
    for (index, event) in events.enumerated() {
      guard TourEvent.isIdentifier(event.id), !event.id.hasPrefix("old.") else {
        throw .badRequest(
          "tour.events",
          "events/\(index)/id has to be 8 to 64 letters, digits, - _ and ., and must not begin with \"old.\"."
        )
      }
      guard event.sequence >= 1 else {
        throw .badRequest("tour.events", "events/\(index)/sequence has to be 1 or more.")
      }
      let kind: TourEvent.Kind?
      switch event.kind {
      case "choice": kind = event.choices.flatMap { $0.count <= 8 ? .choice($0) : nil }
      case "text": kind = event.text.map { .text(String($0.prefix(TourEvent.longestText + 1))) }
      case "hint": kind = event.hint.map { .hint($0) }
      case "visit": kind = .visit
      default: kind = nil
      }
      guard let kind, event.station.utf8.count <= 64 else {
        throw .badRequest(
          "tour.events",
          "events/\(index) has to be a choice with choices, a text with text, a hint with hint, or a visit."
        )
      }
      let age = min(max(event.age ?? 0, 0), 7 * 86_400_000) / 1000
      result.append(
        TourEvent(
          id: event.id,
          sequence: event.sequence,
          station: event.station,
          kind: kind,
          made: time.addingTimeInterval(age.isFinite ? -age : 0),
          fix: event.position?.fix
        )
      )
    }
    return result
  }
}
