import SightlineInput

/// What a GTFS-Realtime message may hold at most.
///
/// A producer of a country has some 50,000 updates with a million calls, 30,000 vehicles and 2,000 notices. The limits are a few times
/// that, so that a message of 64 MiB, in which a call may take two bytes, makes no gigabytes. An entity over a limit is left out and
/// counted in ``RealtimeMessage/ignored``; the others stay.
package enum RealtimeLimits {
  /// Bytes of a message.
  package static let bytes = 64 << 20
  /// Entities of a message.
  package static let entities = 500_000
  /// Calls of one update.
  package static let callsOfUpdate = 2000
  /// Calls of a message.
  package static let calls = 2_000_000
  /// Vehicles of all messages of a feed together.
  static let vehicles = 50_000
  /// Notices of all messages of a feed together.
  static let alerts = 10_000
  /// Periods, selectors and translations of a message.
  package static let partsOfAlerts = 200_000
  /// Periods of a notice.
  package static let periods = 100
  /// Selectors of a notice.
  package static let selectors = 5000
  /// Translations of a text.
  package static let translations = 50
  /// Bytes of an id, a label or a language.
  package static let idBytes = 512
  /// Bytes of a notice's text; what is longer is cut.
  package static let textBytes = 16_384
  /// Predicted calls of all runs of a state together, those to which a delay is carried included.
  static let predictedCalls = 4_000_000
  /// Lateness that is believed, seconds: what is later is a mistake.
  package static let longestDelay = 7 * 86_400

  /// A budget for one message: its calls are counted as positions, the parts of its notices as places.
  static func budget() -> ReadingBudget {
    ReadingBudget(
      ReadingBudget.Limits(text: .max, positions: calls, places: partsOfAlerts, findings: .max, steps: .max)
    )
  }
}
