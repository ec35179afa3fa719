import Foundation
import GRDB
import SightlineInput

/// Writes the shapes that trips use: latitude and longitude in millionths of a degree, each as the step from the one before.
///
/// Producers write a shape's points together, so each is written when its rows have ended, whatever the size of the file. Shapes whose
/// rows lie apart are gathered in a second pass.
struct ShapeWriter {
  private struct Point {
    var sequence: Int32
    var latitude: Int32
    var longitude: Int32
  }

  private struct Columns {
    let id, latitude, longitude, sequence: Int

    init(_ reader: CSVReader) {
      id = reader.column("shape_id")
      latitude = reader.column("shape_pt_lat")
      longitude = reader.column("shape_pt_lon")
      sequence = reader.column("shape_pt_sequence")
    }
  }

  private enum State: UInt8 {
    case unseen
    case written
    case scattered
  }

  let feed: FeedReader
  private var shapes: ByteTable { feed.tables.shapes }

  init(feed: FeedReader) { self.feed = feed }

  func write(to db: Database) throws {
    guard shapes.count > 0 else { return }
    var states = [State](repeating: .unseen, count: shapes.count)
    let insert = try db.makeStatement(sql: "INSERT OR REPLACE INTO shapes VALUES (?, ?, ?)")
    var points: [Point] = []
    var current = -1
    func end() throws {
      // A way of more points than any has is none: its line is drawn from stop to stop.
      if current >= 0, !points.isEmpty, points.count <= FeedLimits.pointsOfShape { try write(current, &points, insert) }
      points.removeAll(keepingCapacity: true)
    }
    try forEachPoint { shape, point in
      if shape != current {
        try end()
        current = shape
        if states[shape] != .unseen { states[shape] = .scattered } else { states[shape] = .written }
      }
      if states[shape] != .scattered, points.count <= FeedLimits.pointsOfShape { points.append(point) }
    }
    try end()
    guard states.contains(.scattered) else { return }
    var lists: [Int: [Point]] = [:]
    var count = 0
    try forEachPoint { shape, point in
      guard states[shape] == .scattered, lists[shape, default: []].count < FeedLimits.pointsOfShape else { return }
      count += 1
      guard count <= FeedLimits.scatteredPoints else {
        throw TransitImportError(
          "The rows of shapes.txt lie too far apart. Sort them by shape_id and shape_pt_sequence."
        )
      }
      lists[shape, default: []].append(point)
    }
    for shape in lists.keys.sorted() {
      var list = lists.removeValue(forKey: shape) ?? []
      try write(shape, &list, insert)
    }
  }

  private func forEachPoint(_ body: (Int, Point) throws -> Void) throws {
    let names = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
    guard let reader = try feed.open("shapes.txt", columns: names) else { return }
    let columns = Columns(reader)
    var current = -1
    var currentID: [UInt8] = []
    do {
      var rows = 0
      let most = FeedLimits.rows["shapes.txt"] ?? .max
      while try reader.next() {
        rows += 1
        guard rows <= most else { throw TransitImportError("shapes.txt has more than \(most) rows. Split the feed.") }
        let id = reader[columns.id]
        if current < 0 || !id.isEqual(to: currentID) {
          current = shapes.find(id) ?? -1
          currentID.removeAll(keepingCapacity: true)
          currentID.append(contentsOf: id)
        }
        guard current >= 0, let sequence = reader[columns.sequence].digits,
          let latitude = reader[columns.latitude].decimal, let longitude = reader[columns.longitude].decimal,
          abs(latitude) <= 90, abs(longitude) <= 180
        else { continue }
        try body(
          current,
          Point(
            sequence: Int32(clamped: sequence),
            latitude: Int32(clamped: (latitude * 1e6).rounded()),
            longitude: Int32(clamped: (longitude * 1e6).rounded())
          )
        )
      }
    } catch let error as CSVError { throw TransitImportError(error) }
  }

  private func write(_ shape: Int, _ points: inout [Point], _ insert: Statement) throws {
    if !zip(points, points.dropFirst()).allSatisfy({ $0.sequence < $1.sequence }) {
      points.sort { $0.sequence < $1.sequence }
    }
    var packed: [UInt8] = []
    packed.reserveCapacity(points.count * 8)
    var last: (latitude: Int32, longitude: Int32) = (0, 0)
    for point in points {
      packed.append(integer: point.latitude &- last.latitude)
      packed.append(integer: point.longitude &- last.longitude)
      last = (point.latitude, point.longitude)
    }
    try insert.execute(arguments: [shape, shapes.text(shape), Data(packed)])
  }
}
