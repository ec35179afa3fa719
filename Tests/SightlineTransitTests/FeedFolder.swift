import Foundation

@testable import SightlineTransit

/// A small feed in a folder of its own, changed file by file.
struct FeedFolder {
  let path: String

  /// One line, a stop before noon on weekdays; enough to be imported.
  static let basis: [String: String] = [
    "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,http://example.org,Europe/Stockholm\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nR,A,7,Long,3\n",
    "stops.txt": """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
    ST,Central,57.70,11.97,1,
    P1,Central 1,57.70,11.97,0,ST
    P2,Central 2,57.7002,11.9702,0,ST
    B,Brunnsparken,57.7066,11.9685,0,
    C,Chalmers,57.6896,11.9735,0,

    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    W,1,1,1,1,1,0,0,20260101,20261231
    D,1,1,1,1,1,1,1,20260101,20261231

    """,
    "trips.txt": "route_id,service_id,trip_id,trip_headsign\nR,W,T1,Chalmers\n",
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence
    T1,8:00:00,8:00:00,P1,1
    T1,8:05:00,8:06:00,B,2
    T1,8:15:00,8:15:00,C,3

    """,
  ]

  init(_ changes: [String: String?] = [:]) throws {
    path = NSTemporaryDirectory() + "sightline-feed-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in Self.basis.merging(changes.mapValues { $0 ?? "\u{0}" }, uniquingKeysWith: { $1 })
    where text != "\u{0}" {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path).appendingPathComponent(name))
    }
  }

  /// Puts bytes in place of a file.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path).appendingPathComponent(name))
  }

  /// Imports the folder and clears away; the schedule keeps its file open.
  func imported() throws -> (Schedule, ImportReport) {
    let file = path + ".schedule"
    defer {
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(atPath: file)
    }
    let report = try ScheduleImporter().importFeed(path, into: file)
    return (try Schedule(path: file), report)
  }
}

extension Schedule {
  /// Departures of a local day as `HH:MM trip`, counted from local midnight by the wall clock.
  func times(_ stop: String, on text: String, zone: String = "Europe/Stockholm") throws -> [String] {
    let day = try require(ServiceDay(text))
    let start = clock.base(of: day) - 3 * 3600
    let number = try require(self.stop(id: stop))
    let formatter = DateFormatter()
    formatter.timeZone = clock.timeZone
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm"
    return try departures(at: callingStops(of: number), in: start..<(start + 31 * 3600)).compactMap {
      let shown = formatter.string(from: Date(timeIntervalSince1970: Double($0.time)))
      return shown.hasPrefix(day.description) ? "\(shown.dropFirst(11)) \(try trip($0.run.trip).id)" : nil
    }
  }
}

struct Missing: Error {}

/// The value, or a failure.
func require<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Missing() }
  return value
}
