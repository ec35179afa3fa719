import SightlineInput

/// What of a feed is held in memory while it is read: all but the stop times, which are packed as they come.
struct FeedTables {
  struct Agency {
    var id: String
    var name: String
    var url: String
    var timeZone: String
    var language: String
  }

  struct Stop {
    var id: String
    var code: String
    var name: String
    var latitude: Double
    var longitude: Double
    /// location_type.
    var kind: Int
    /// Id of the parent, then its number.
    var parentID: String
    var parent = -1
    var timeZone: String
    var wheelchair: Int
    var platform: String
    var line: Int
  }

  struct Route {
    var id: String
    var agency: Int
    var shortName: String
    var longName: String
    var kind: Int
    var color: Int32?
    var textColor: Int32?
    var sortOrder: Int?
  }

  /// Trips by column; numbers of texts and shapes are -1 when there is none.
  struct Trips {
    var ids = ByteTable(expecting: 1024)
    var route: [Int32] = []
    var service: [Int32] = []
    var headsign: [Int32] = []
    var shortName: [Int32] = []
    var block: [Int32] = []
    var shape: [Int32] = []
    /// direction_id (two bits, 3 for none), wheelchair_accessible (two bits), bikes_allowed (two bits).
    var flags: [UInt8] = []
  }

  struct Frequency {
    var trip: Int32
    var start: Int32
    var end: Int32
    var headway: Int32
    var isExact: Bool
  }

  struct Transfer {
    var from: Int
    var to: Int
    var kind: Int
    var seconds: Int?
  }

  struct Translation {
    var table: String
    var field: String
    var language: String
    var record: String
    var subRecord: String
    var value: String
    var text: String
  }

  var agencies: [Agency] = []
  var agencyNumbers: [String: Int] = [:]
  var stops: [Stop] = []
  var stopIDs = ByteTable(expecting: 1024)
  var routes: [Route] = []
  var routeNumbers: [String: Int] = [:]
  var services = ServiceCalendarBuilder()
  var trips = Trips()
  var texts = ByteTable(expecting: 1024)
  var shapes = ByteTable(expecting: 256)
  var frequencies: [Frequency] = []
  var transfers: [Transfer] = []
  var translations: [Translation] = []
  /// Rows of feed_info and of attributions, as the pairs that go into the schedule's notes.
  var notes: [(key: String, value: String)] = []
  var credits: [(name: String, url: String)] = []
  /// Not of this feed but of earlier ones.
  var retired: [RetiredStop] = []
}

/// Collects calendar and calendar_dates, and expands them to a set of days for each service.
struct ServiceCalendarBuilder {
  /// Longest span of days that is expanded: real feeds cover weeks or months.
  static let longestSpan = 366 * 20

  private struct Week {
    var days: [Bool]
    var first: ServiceDay
    var last: ServiceDay
  }

  private(set) var ids: [String] = []
  private(set) var numbers: [String: Int] = [:]
  private var weeks: [Week?] = []
  /// Days times two, odd where service is added: a feed of a country has millions.
  private var exceptions: [[Int32]] = []
  private var exceptionSpan: ClosedRange<ServiceDay>?

  /// The service's number, new when it was not known.
  mutating func number(of id: String) -> Int {
    if let number = numbers[id] { return number }
    numbers[id] = ids.count
    ids.append(id)
    weeks.append(nil)
    exceptions.append([])
    return ids.count - 1
  }

  mutating func setWeek(_ number: Int, days: [Bool], first: ServiceDay, last: ServiceDay) -> Bool {
    guard weeks[number] == nil else { return false }
    weeks[number] = Week(days: days, first: first, last: last)
    return true
  }

  mutating func addException(_ number: Int, day: ServiceDay, isAdded: Bool) {
    exceptions[number].append(Int32(clamped: day.number * 2 + (isAdded ? 1 : 0)))
    let span = exceptionSpan ?? day...day
    exceptionSpan = min(span.lowerBound, day)...max(span.upperBound, day)
  }

  /// First and last day on which anything runs or is said not to; `nil` for a feed without days.
  var span: ClosedRange<ServiceDay>? {
    var span = exceptionSpan
    for week in weeks {
      guard let week, week.first <= week.last else { continue }
      let known = span ?? week.first...week.last
      span = min(known.lowerBound, week.first)...max(known.upperBound, week.last)
    }
    return span
  }

  /// The days of every service as bits from `first`, lowest bit first.
  func expand(from first: ServiceDay, count: Int) -> [[UInt8]] {
    zip(weeks, exceptions).map { week, exceptions in
      var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
      if let week, week.first <= week.last {
        for number in stride(from: max(week.first, first).number, through: week.last.number, by: 1) {
          let index = number - first.number
          guard index < count else { break }
          if week.days[ServiceDay(number: number).weekday] { bits[index >> 3] |= 1 << (index & 7) }
        }
      }
      for exception in exceptions {
        let index = Int(exception >> 1) - first.number
        guard index >= 0, index < count else { continue }
        let bit: UInt8 = 1 << (index & 7)
        if exception & 1 == 1 { bits[index >> 3] |= bit } else { bits[index >> 3] &= ~bit }
      }
      return bits
    }
  }
}
