public import Foundation

/// Something that a team did at a station, as its phone tells it.
public struct TourEvent: Equatable, Sendable {
  /// What was done.
  public enum Kind: Equatable, Sendable {
    /// Answers chosen, by number.
    case choice([Int])
    /// An answer in words.
    case text(String)
    /// A hint was opened, by number.
    case hint(Int)
    /// A place without a question was read.
    case visit

    /// The word for it.
    public var name: String {
      switch self {
      case .choice: "choice"
      case .text: "text"
      case .hint: "hint"
      case .visit: "visit"
      }
    }
  }

  /// Made by the phone, once: the same event sent again has the same identifier, and counts once.
  public var id: String
  /// Number among the events of its phone, from 1, growing; keeps the order.
  ///
  /// 0 for clients that number nothing.
  public var sequence: Int
  /// Identifier of the station.
  public var station: String
  /// What was done.
  public var kind: Kind
  /// When it was done, as far as the server can tell: the time of arrival less the age that the phone gives.
  public var made: Date
  /// Where.
  public var fix: TourFix?

  /// Most events of a team that are kept, and most of those among them that were refused.
  ///
  /// A class that answers two hundred stations with all hints and tries stays far below; only a program comes here.
  public static let mostOfTeam = 5000
  /// See ``mostOfTeam``; refused ones beyond are answered, not kept.
  public static let mostRefusedOfTeam = 500

  /// Longest answer in words, characters.
  public static let longestText = 2000

  /// An event.
  public init(id: String, sequence: Int, station: String, kind: Kind, made: Date, fix: TourFix?) {
    self.id = id
    self.sequence = sequence
    self.station = station
    self.kind = kind
    self.made = made
    self.fix = fix
  }

  /// Whether a text can be an event's identifier: 8 to 64 letters, digits, `-`, `_` and `.`.
  public static func isIdentifier(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }
}

/// What became of an event.
public enum TourVerdict: String, Codable, Sendable {
  /// A right answer.
  case right
  /// A wrong answer.
  case wrong
  /// An answer in words that the teacher has to mark.
  case pending
  /// A place was visited.
  case visited
  /// A hint was given.
  case hinted
  /// It does not count; see ``TourRefusal``.
  case refused
}

/// Why an event does not count.
public enum TourRefusal: String, Codable, CaseIterable, Sendable {
  /// The tour has not begun.
  case notStarted
  /// The teacher has paused it.
  case paused
  /// It is over.
  case ended
  /// There is no such station.
  case unknownStation
  /// The station's round is not open.
  case otherRound
  /// Another station comes first.
  case notNext
  /// The phone gave no position.
  case noPosition
  /// The team is too far away.
  case tooFar
  /// The position was chosen on a virtual phone, and the tour wants teams to go there.
  case virtualPhone
  /// The station is answered already.
  case done
  /// Such an answer does not fit the station.
  case unfit
}

/// Where a team was when it did something, seen from the station.
public enum TourPlace: String, Codable, Sendable {
  /// Within the radius.
  case inside
  /// Outside by less than the position's accuracy: it counts, and is noted.
  case near
  /// Too far away.
  case outside
  /// No position.
  case unknown
  /// A position that somebody chose on a virtual phone.
  case virtual
}

/// An event with what became of it; the row that is kept.
public struct TourRecord: Equatable, Sendable {
  /// The event's identifier.
  public var id: String
  /// The station.
  public var station: String
  /// What was done.
  public var kind: TourEvent.Kind
  /// What became of it.
  public var verdict: TourVerdict
  /// Why it does not count.
  public var refusal: TourRefusal?
  /// Points it brought.
  public var points: Int
  /// Where the team was.
  public var place: TourPlace
  /// Metres to the station.
  public var distance: Double?
  /// Whether it was made in time and arrived after the end.
  public var isLate: Bool

  /// A record with every member given.
  public init(
    id: String,
    station: String,
    kind: TourEvent.Kind,
    verdict: TourVerdict,
    refusal: TourRefusal? = nil,
    points: Int = 0,
    place: TourPlace,
    distance: Double?,
    isLate: Bool = false
  ) {
    self.id = id
    self.station = station
    self.kind = kind
    self.verdict = verdict
    self.refusal = refusal
    self.points = points
    self.place = place
    self.distance = distance
    self.isLate = isLate
  }
}
