public import Foundation
public import SightlineTours

/// Where the teams of a run are kept, with their phones and what those send in.
public protocol TourTeamStore: Sendable {
  /// Teams of a run, by number.
  func teams(of run: String) async throws -> [TourTeam]

  /// Adds a team; `nil` when there is no such run, or it has ``TourLimits/teams``.
  func addTeam(_ draft: TeamDraft, run: String, at time: Date) async throws -> TourTeam?

  /// Changes name and colour of a team; with `newCode` its old code and all its phones lose their rights.
  func changeTeam(_ number: Int, run: String, _ draft: TeamDraft, newCode: Bool) async throws -> TourTeam?

  /// The run and team of a join code as a person wrote it; `nil` when there is none.
  func team(code: String) async throws -> TourTeam?

  /// Lets a phone in, known by the SHA-256 of its secret.
  ///
  /// - Returns: The line in the log; `nil` when the team has `limit` phones already.
  func addDevice(of team: TourTeam, token: Data, limit: Int, at time: Date) async throws -> TourLogEntry?

  /// The phone of a secret's hash; `nil` when there is none.
  func device(token: Data) async throws -> TourDevice?

  /// Judges and keeps events of one phone, in order, each once.
  func submit(_ submission: TourSubmission) async throws -> TourOutcome

  /// Forgets what was read and is kept in memory: a database that lost its last changes gives their numbers to others.
  func forgetAll()

  /// What a team has done.
  func records(run: String, team: Int) async throws -> [TourRecord]

  /// What a team has done at each station where it did something, added up.
  func tallies(run: String, team: Int) async throws -> [String: StationTally]

  /// What a phone asks for every few seconds, in one reading: what its team has done, and the latest messages to it or
  /// to all after a number.
  ///
  /// Costs as much as the tour has stations, however much the team has done.
  func standing(
    of team: TourTeam,
    after number: Int64
  ) async throws -> (
    tallies: [String: StationTally], messages: [TourLogEntry]
  )
}

/// Name and colour of a team.
public struct TeamDraft: Codable, Equatable, Sendable {
  /// Name, 1 to 40 characters.
  public var name: String
  /// Colour, `#rrggbb`.
  public var color: String

  /// A draft.
  public init(name: String, color: String) {
    self.name = name
    self.color = color
  }

  /// Whether both can be used.
  public var isValid: Bool {
    let digits = color.utf8.dropFirst()
    return (1...40).contains(name.count) && color.utf8.first == UInt8(ascii: "#") && digits.count == 6
      && digits.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
      }
      && !name.unicodeScalars.contains { $0.value < 0x20 }
  }
}

/// A team of a run.
public struct TourTeam: Equatable, Sendable {
  /// Its run.
  public var run: String
  /// Number in the run, from 1.
  public var number: Int
  /// Name.
  public var name: String
  /// Colour, `#rrggbb`.
  public var color: String
  /// Code in its QR code, 13 characters of ``TourCode``.
  public var code: String
  /// Number for a random order.
  public var seed: UInt64
}

/// A phone that has joined a team.
public struct TourDevice: Equatable, Sendable {
  /// SHA-256 of its secret.
  public var token: Data
  /// Its team.
  public var team: TourTeam

  /// A phone.
  public init(token: Data, team: TourTeam) {
    self.token = token
    self.team = team
  }
}

/// Events of one phone on their way into the store.
public struct TourSubmission: Sendable {
  /// The phone.
  public var device: TourDevice
  /// What it tells, in order.
  public var events: [TourEvent]
  /// When the server got it.
  public var received: Date

  /// A submission.
  public init(device: TourDevice, events: [TourEvent], received: Date) {
    self.device = device
    self.events = events
    self.received = received
  }
}

/// What became of a submission.
public struct TourOutcome: Sendable {
  /// One for each event up to the first out of order: the event as it is kept, and whether it is new.
  public var events: [(event: StoredEvent, isNew: Bool)]
  /// Whether an event came after one that was made later; it and those after it are not kept.
  public var isOutOfOrder: Bool
  /// Whether the team has ``TourEvent/mostOfTeam`` events; those that did not fit are not kept.
  public var isFull = false
  /// What the team has done, by station.
  public var tallies: [String: StationTally]
}
