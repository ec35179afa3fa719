public import Foundation

extension StoredRun {
  /// When all of it is deleted, as far as it is known now.
  ///
  /// - Parameters:
  ///   - lastEvent: When a team did something last.
  ///   - mostDays: Most days of keeping, also where the tour says more.
  /// - Returns: The time from which it may be deleted.
  public func expiry(lastEvent: Date?, mostDays: Int = 30) -> Date {
    let day = 86_400.0
    if isTrial { return created.addingTimeInterval(day) }
    let keep = Double(min(tour.keepDays, mostDays)) * day
    if let ended = schedule.ended { return ended.addingTimeInterval(keep) }
    guard let started = schedule.started else { return created.addingTimeInterval(183 * day) }
    // Nobody ended it: it counts as over a day after the last that happened.
    return max(started, lastEvent ?? started).addingTimeInterval(keep + day)
  }
}
