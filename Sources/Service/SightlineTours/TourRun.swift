public import Foundation

/// The times of one class doing a tour: when it began, paused, ended, and which round is open.
public struct TourSchedule: Codable, Equatable, Sendable {
  /// A time without answering.
  public struct Pause: Codable, Equatable, Sendable {
    /// When it began.
    public var from: Date
    /// When it ended; `nil` while it lasts.
    public var until: Date?

    /// A pause.
    public init(from: Date, until: Date?) {
      self.from = from
      self.until = until
    }
  }

  /// What can be done now.
  public enum Phase: String, Codable, Sendable {
    /// Not yet begun: teams can join and see where they are.
    case prepared
    /// Answers count.
    case running
    /// Stopped for a while.
    case paused
    /// Over, by the teacher or by the clock.
    case ended
  }

  /// When it began.
  public var started: Date?
  /// Times without answering, in order.
  public var pauses: [Pause] = []
  /// When the teacher ended it.
  public var ended: Date?
  /// The open round, from 1.
  public var round = 1
  /// When the open round was opened.
  public var roundOpened: Date?

  /// A run that has not begun.
  public init() {}

  /// Answers that were made in time but arrive late, for want of a network, count this long, seconds.
  public static let grace: TimeInterval = 15 * 60

  /// What could be done at a time.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - minutes: The tour's limit, pauses not counted.
  /// - Returns: What could be done.
  public func phase(at time: Date, minutes: Int?) -> Phase {
    guard let started, time >= started else { return .prepared }
    if let ended, time >= ended { return .ended }
    if let end = deadline(at: time, minutes: minutes), time >= end { return .ended }
    let isPaused = pauses.contains { time >= $0.from && time < ($0.until ?? .distantFuture) }
    return isPaused ? .paused : .running
  }

  /// When the time is over, as far as it is known at a time; a pause that lasts moves it on.
  public func deadline(at time: Date, minutes: Int?) -> Date? {
    guard let started, let minutes else { return nil }
    let paused = pauses.reduce(0.0) { sum, pause in
      sum + max(0, min(time, pause.until ?? time).timeIntervalSince(pause.from))
    }
    return started.addingTimeInterval(Double(minutes) * 60 + paused)
  }

  /// When answering stopped: the end, or the beginning of the pause; `nil` while it goes on or before the start.
  public func stopped(at time: Date, minutes: Int?) -> Date? {
    switch phase(at: time, minutes: minutes) {
    case .prepared, .running: nil
    case .paused: pauses.last { $0.from <= time }?.from
    case .ended: [ended, deadline(at: time, minutes: minutes)].compactMap { $0 }.min()
    }
  }
}

/// What the teacher does to a run.
public enum TourCommand: Equatable, Sendable {
  /// Begins it.
  case start
  /// Stops answering for a while.
  case pause
  /// Goes on.
  case resume
  /// Ends it for good.
  case end
  /// Opens a round.
  case round(Int)
}

extension TourSchedule {
  /// Carries out a command.
  ///
  /// - Returns: Whether it was possible now; if not, nothing has changed.
  public mutating func apply(_ command: TourCommand, at time: Date, tour: Tour) -> Bool {
    let phase = phase(at: time, minutes: tour.minutes)
    switch command {
    case .start:
      guard phase == .prepared, started == nil else { return false }
      started = time
      roundOpened = time
    case .pause:
      guard phase == .running else { return false }
      pauses.append(Pause(from: time, until: nil))
    case .resume:
      guard phase == .paused, !pauses.isEmpty else { return false }
      pauses[pauses.count - 1].until = time
    case .end:
      guard phase == .running || phase == .paused else { return false }
      ended = time
    case .round(let number):
      guard phase != .ended, (1...tour.rounds).contains(number), number != round else { return false }
      round = number
      roundOpened = time
    }
    return true
  }
}
