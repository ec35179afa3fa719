import Foundation
import Synchronization

/// The value of `Date`, written once a second.
final class AnswerDate: Sendable {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private let last = Mutex<(second: Int, text: String)>((.min, ""))

  /// The time now, as RFC 9110 section 5.6.7 has it.
  var text: String {
    let second = time(nil)
    return last.withLock { last in
      if last.second != second { last = (second, AnswerDate.text(of: second)) }
      return last.text
    }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT` of seconds since 1970.
  static func text(of second: time_t) -> String {
    var second = second
    var parts = tm()
    // Only years that do not fit into 32 bits have no parts.
    guard gmtime_r(&second, &parts) != nil else { return "Thu, 01 Jan 1970 00:00:00 GMT" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(Int(parts.tm_year) + 1900)
    let zeros = String(repeating: "0", count: max(0, 4 - year.utf8.count))
    return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(zeros)\(year) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }
}
