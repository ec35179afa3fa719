public import Foundation
public import SightlineTours

/// Where tours are kept.
///
/// When a call that writes has returned, what it wrote survives the end of the process and of the machine.
public protocol TourStore: Sendable {
  /// Tours of an author, or of everybody, the latest first.
  func tours(owner: Int64?) async throws -> [TourListing]

  /// A tour; `nil` when there is none.
  func tour(_ id: String) async throws -> StoredTour?

  /// Keeps a new tour; `nil` when its author has `limit` tours already, counted in the same transaction.
  func addTour(_ tour: Tour, owner: Int64?, limit: Int, at time: Date) async throws -> StoredTour?

  /// Replaces a tour's content if it still has the expected version.
  func saveTour(_ id: String, _ tour: Tour, expecting version: Int, at time: Date) async throws -> TourSaveOutcome

  /// Removes a tour with all its runs.
  ///
  /// - Returns: Whether there was one.
  func removeTour(_ id: String) async throws -> Bool
}

extension TourStore {
  /// Keeps a new tour, however many there are.
  public func addTour(_ tour: Tour, owner: Int64?, at time: Date) async throws -> StoredTour {
    guard let stored = try await addTour(tour, owner: owner, limit: .max, at: time) else {
      throw StoreError.notEncodable("there are too many tours.")
    }
    return stored
  }
}

/// A tour in a list.
public struct TourListing: Equatable, Sendable {
  /// Identifier.
  public var id: String
  /// Account of its author.
  public var owner: Int64?
  /// Title.
  public var title: String
  /// Number of stations.
  public var stations: Int
  /// Number of the content, from 1.
  public var version: Int
  /// When it was changed last.
  public var saved: Date
}

/// A tour as it is kept.
public struct StoredTour: Equatable, Sendable {
  /// Identifier.
  public var id: String
  /// Account of its author.
  public var owner: Int64?
  /// Number of the content, from 1.
  public var version: Int
  /// When it was changed last.
  public var saved: Date
  /// The content.
  public var tour: Tour
}

/// What became of a change.
public enum TourSaveOutcome: Equatable, Sendable {
  /// It is kept.
  case saved(StoredTour)
  /// Somebody else has changed the tour meanwhile; what is there now.
  case conflict(StoredTour)
  /// There is no such tour.
  case unknown
}

/// How much is kept of tours.
public enum TourLimits {
  /// Most runs of a tour.
  public static let runs = 200
  /// Most teams of a run.
  public static let teams = 2000
  /// Most messages that a phone gets at a time, the latest.
  public static let messages = 200
}

/// Why something of a tour could not be kept.
public enum TourStoreError: Error, Equatable {
  /// The run, the team or the phone's right to play is gone.
  case gone
  /// Another team has an event with the same identifier.
  case foreignEvent
  /// The tour has as many runs as one may have.
  case tooManyRuns
}
