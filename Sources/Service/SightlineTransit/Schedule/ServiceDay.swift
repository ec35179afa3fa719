import Foundation
import SightlineInput

/// A day of service: a date without a time zone, counted in days since 1970-01-01.
public struct ServiceDay: Hashable, Strideable, Sendable, Codable {
  /// Days since 1970-01-01.
  public let number: Int

  /// The numbers that a day can have: some thousand years before and after, so that arithmetic on them, in seconds too, never overflows.
  public static let numbers = -1_000_000...(1 << 24)

  /// The day with this number, or the nearest of ``numbers``.
  public init(number: Int) { self.number = number.clamped(to: Self.numbers) }

  /// Reads the number.
  public init(from decoder: any Decoder) throws {
    self.init(number: try decoder.singleValueContainer().decode(Int.self))
  }

  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  /// A date of the Gregorian calendar; `nil` when there is no such date from the year 1900 to 2199.
  public init?(year: Int, month: Int, day: Int) {
    guard 1900...2199 ~= year, 1...12 ~= month, day >= 1, day <= Self.length(ofMonth: month, year: year) else {
      return nil
    }
    // Days of a year that begins in March, so that the leap day is its last.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
  }

  /// `YYYYMMDD` or `YYYY-MM-DD`.
  public init?(_ text: String) {
    let digits = text.utf8.filter { $0 != 0x2D }
    guard digits.count == 8, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let value = digits.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) }
    self.init(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Year, month and day.
  public var date: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Day of the week, 0 for Monday.
  public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  /// `YYYY-MM-DD`.
  public var description: String {
    let (year, month, day) = date
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(day))"
  }

  /// Days until another.
  public func distance(to other: ServiceDay) -> Int { other.number - number }

  /// The day so many days later.
  public func advanced(by days: Int) -> ServiceDay { ServiceDay(number: number.saturatingAdd(days)) }
}

/// Where a feed's times count from.
///
/// GTFS counts seconds from noon minus twelve hours of the service day: midnight, except on days when clocks change.
public struct ServiceClock: Sendable {
  /// The feed's time zone.
  public let timeZone: TimeZone

  /// A clock in a zone.
  public init(timeZone: TimeZone) { self.timeZone = timeZone }

  /// The instant, POSIX seconds, from which the times of a day count.
  public func base(of day: ServiceDay) -> Int {
    let noonAsIfUTC = day.number * 86_400 + 43_200
    // The offset at local noon: that of the guess, corrected once (zones shift by less than half a day).
    let guess = noonAsIfUTC - offset(at: noonAsIfUTC)
    return noonAsIfUTC - offset(at: guess) - 43_200
  }

  /// The date that the calendar on the wall shows at an instant.
  public func day(at instant: Int) -> ServiceDay {
    let local = instant.saturatingAdd(offset(at: instant))
    let (days, rest) = local.quotientAndRemainder(dividingBy: 86_400)
    return ServiceDay(number: rest < 0 ? days - 1 : days)
  }

  /// Seconds east of UTC at an instant; beyond the times that are believed that of the nearest one.
  public func offset(at instant: Int) -> Int { Self.offset(of: timeZone, at: instant) }

  /// Seconds east of UTC in a zone at an instant.
  static func offset(of zone: TimeZone, at instant: Int) -> Int {
    let believed = instant.clamped(to: -Instant.range.upperBound...Instant.range.upperBound)
    return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(believed)))
  }
}
