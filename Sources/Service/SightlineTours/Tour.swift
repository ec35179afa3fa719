public import SightlineContent

/// A tour: stations on the map, where teams find questions, notes and pictures, and the rules they play by.
///
/// What a teacher designs. A ``TourRun`` is one class doing it.
public struct Tour: Codable, Equatable, Sendable {
  /// In what order a team gets the stations of a round.
  public enum Order: String, Codable, CaseIterable, Sendable {
    /// All at once.
    case free
    /// One after another, as the teacher put them.
    case ordered
    /// One after another, for each team in an order of its own.
    case random
  }

  /// How teams are led from station to station.
  public enum Way: String, Codable, CaseIterable, Sendable {
    /// They are not.
    case none
    /// By lines from one station to the next, of those that a team knows.
    case stations
    /// By the ``Tour/route`` that the teacher drew.
    case drawn
  }

  /// Title for people.
  public var title: String
  /// A sentence or two, shown before the start.
  public var summary: String?
  /// In what order the stations come.
  public var order = Order.free
  /// The stations, in the teacher's order.
  public var stations: [Station] = []
  /// Corners of the area that teams must not leave; empty for none, else at least three.
  public var border: [Position] = []
  /// How teams are led; see ``TourWay``.
  public var way = Way.none
  /// Corners of the way that the teacher drew, kept while teams are led otherwise.
  public var route: [Position] = []
  /// Number of rounds, ≥ 1; the teacher opens one after the other.
  public var rounds = 1
  /// Minutes from the start to the end, pauses not counted; `nil` for no limit.
  public var minutes: Int?
  /// Whether a team is told at once if its answer was right.
  public var showsVerdict = true
  /// Whether a team sees its score.
  public var showsScore = true
  /// Points that each wrong try takes from what a right answer brings.
  public var triesCost = 0
  /// Side of the squares that positions of teams are rounded to before they are stored or shown, metres; 0 for none.
  public var rounding = 0.0
  /// Days after the end of a run when all that teams left is deleted, 0 … 30.
  public var keepDays = 7
  /// Whether answers from a virtual phone count, whose position somebody chooses: for tours that are walked from a desk.
  ///
  /// They are marked on the board all the same. What a phone says of itself can be forged; this keeps honest people honest.
  public var allowsVirtualPhones = false

  /// A tour without stations.
  public init(title: String) { self.title = title }

  /// Corners of the way that leads by some stations, in their order; empty when teams are not led.
  public func corners(by stations: [Station]) -> [Position] {
    let corners =
      switch way {
      case .none: [Position]()
      case .stations: stations.map(\.position)
      case .drawn: route
      }
    return corners.count >= 2 ? corners : []
  }

  /// The station with an identifier.
  public func station(_ id: String) -> Station? { stations.first { $0.id == id } }
}

/// One place of a tour.
public struct Station: Codable, Equatable, Sendable {
  /// What is found there.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// A question with answers to choose from.
    case choice
    /// A question that is answered in words.
    case open
    /// Something to read.
    case info
    /// A picture with a few words.
    case picture
  }

  /// A help that costs points.
  public struct Hint: Codable, Equatable, Sendable {
    /// What it says.
    public var text: String
    /// Points it takes from what a right answer brings.
    public var cost: Int

    /// A hint.
    public init(text: String, cost: Int) {
      self.text = text
      self.cost = cost
    }
  }

  /// Identifier inside the tour: 1 to 32 letters, digits, `-` and `_`.
  public var id: String
  /// What is found there.
  public var kind: Kind
  /// Title, on the label in the view.
  public var title: String
  /// Question or text.
  public var text = ""
  /// Where it is.
  public var position: Position
  /// Metres within which it can be read and answered.
  public var radius = 30.0
  /// Metres within which its label is seen, at least ``radius``; `nil` for everywhere.
  public var visibleRadius: Double?
  /// Hash of a stored picture; see the server's `/assets/{hash}`.
  public var picture: String?
  /// Answers to choose from.
  public var options: [String] = []
  /// Numbers of the right ones among ``options``, from 0; more than one means that all of them have to be chosen.
  public var correct: [Int] = []
  /// Answers in words that are right without the teacher's marking.
  public var accepted: [String] = []
  /// What a right answer brings, or a visit to a place without a question.
  public var points = 10
  /// How often a team may answer; 0 for any number of times.
  public var tries = 1
  /// Helps, in the order they are given.
  public var hints: [Hint] = []
  /// The round it belongs to, from 1.
  public var round = 1

  /// A station with the defaults above.
  public init(id: String, kind: Kind, title: String, position: Position) {
    self.id = id
    self.kind = kind
    self.title = title
    self.position = position
  }

  /// Whether it asks something.
  public var isQuestion: Bool { kind == .choice || kind == .open }
}

extension Tour {
  private enum CodingKeys: String, CodingKey {
    case title, summary, order, stations, border, way, route, rounds, minutes, showsVerdict, showsScore, triesCost,
      rounding
    case keepDays, allowsVirtualPhones
  }

  /// Reads a tour; members with a default may be left out.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(title: try members.decode(String.self, forKey: .title))
    summary = try members.decodeIfPresent(String.self, forKey: .summary)
    order = try members.decodeIfPresent(Order.self, forKey: .order) ?? order
    stations = try members.decodeIfPresent([Station].self, forKey: .stations) ?? []
    border = try members.decodeIfPresent([Position].self, forKey: .border) ?? []
    way = try members.decodeIfPresent(Way.self, forKey: .way) ?? way
    route = try members.decodeIfPresent([Position].self, forKey: .route) ?? []
    rounds = try members.decodeIfPresent(Int.self, forKey: .rounds) ?? rounds
    minutes = try members.decodeIfPresent(Int.self, forKey: .minutes)
    showsVerdict = try members.decodeIfPresent(Bool.self, forKey: .showsVerdict) ?? showsVerdict
    showsScore = try members.decodeIfPresent(Bool.self, forKey: .showsScore) ?? showsScore
    triesCost = try members.decodeIfPresent(Int.self, forKey: .triesCost) ?? triesCost
    rounding = try members.decodeIfPresent(Double.self, forKey: .rounding) ?? rounding
    keepDays = try members.decodeIfPresent(Int.self, forKey: .keepDays) ?? keepDays
    allowsVirtualPhones =
      try members.decodeIfPresent(Bool.self, forKey: .allowsVirtualPhones) ?? allowsVirtualPhones
  }
}

extension Station {
  private enum CodingKeys: String, CodingKey {
    case id, kind, title, text, position, radius, visibleRadius, picture, options, correct, accepted, points, tries
    case hints, round
  }

  /// Reads a station; members with a default may be left out.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(String.self, forKey: .id),
      kind: try members.decode(Kind.self, forKey: .kind),
      title: try members.decode(String.self, forKey: .title),
      position: try members.decode(Position.self, forKey: .position)
    )
    text = try members.decodeIfPresent(String.self, forKey: .text) ?? ""
    radius = try members.decodeIfPresent(Double.self, forKey: .radius) ?? radius
    visibleRadius = try members.decodeIfPresent(Double.self, forKey: .visibleRadius)
    picture = try members.decodeIfPresent(String.self, forKey: .picture)
    options = try members.decodeIfPresent([String].self, forKey: .options) ?? []
    correct = try members.decodeIfPresent([Int].self, forKey: .correct) ?? []
    accepted = try members.decodeIfPresent([String].self, forKey: .accepted) ?? []
    points = try members.decodeIfPresent(Int.self, forKey: .points) ?? points
    tries = try members.decodeIfPresent(Int.self, forKey: .tries) ?? tries
    hints = try members.decodeIfPresent([Hint].self, forKey: .hints) ?? []
    round = try members.decodeIfPresent(Int.self, forKey: .round) ?? round
  }
}
