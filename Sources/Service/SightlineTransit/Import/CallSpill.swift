import Foundation
import SightlineInput

/// Rows that wait on the disk, in portions by trip, because a trip's rows did not come together.
final class CallSpill {
  /// A row with its trip.
  struct Row {
    var trip: Int32
    var call: Call
  }

  private static let portions = 64
  private static let rowsInMemory = 2048

  private let folder: URL
  private let tripCount: Int
  private var buffers: [[Row]] = Array(repeating: [], count: portions)
  private var files: [FileHandle] = []
  /// Rows in each portion, which is sorted in memory.
  private var counts = [Int](repeating: 0, count: portions)

  /// Makes the files, beside `path`.
  init(beside path: String, tripCount: Int) throws {
    self.tripCount = max(1, tripCount)
    folder = URL(fileURLWithPath: path + ".rows-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<Self.portions {
      let file = folder.appendingPathComponent("\(number)")
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      files.append(try FileHandle(forUpdating: file))
    }
  }

  deinit {
    for file in files { try? file.close() }
    try? FileManager.default.removeItem(at: folder)
  }

  func append(trip: Int, _ call: Call) throws {
    let portion = min(trip * Self.portions / tripCount, Self.portions - 1)
    counts[portion] += 1
    guard counts[portion] <= FeedLimits.scatteredCalls else {
      throw TransitImportError("The rows of stop_times.txt lie too far apart. Sort them by trip_id and stop_sequence.")
    }
    buffers[portion].append(Row(trip: Int32(clamped: trip), call: call))
    if buffers[portion].count == Self.rowsInMemory { try flush(portion) }
  }

  private func flush(_ portion: Int) throws {
    try buffers[portion].withUnsafeBytes { try files[portion].write(contentsOf: Data($0)) }
    buffers[portion].removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each trip's rows.
  func forEachTrip(_ body: (Int, [Call]) -> Void) throws {
    for portion in 0..<Self.portions {
      try flush(portion)
      try files[portion].seek(toOffset: 0)
      let data = try files[portion].readToEnd() ?? Data()
      var rows = data.withUnsafeBytes { Array($0.bindMemory(to: Row.self)) }
      // The order of equal keys does not matter: a sequence number used twice is refused either way.
      rows.sort { ($0.trip, $0.call.sequence) < ($1.trip, $1.call.sequence) }
      var start = 0
      for index in rows.indices where index + 1 == rows.count || rows[index + 1].trip != rows[index].trip {
        body(Int(rows[index].trip), rows[start...index].map(\.call))
        start = index + 1
      }
    }
  }
}
