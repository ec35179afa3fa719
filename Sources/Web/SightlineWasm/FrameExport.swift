import SightlineEngine
import SightlineGeodesy
import SightlineScene
import SightlineWasmMemory

// The frame as numbers: its head, then the tables that this names. What stands where: Bindings+Rows.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private let statusOutput = UnsafeMutablePointer<Double>.allocate(
  capacity: StatusRow.length + StandpointRow.length
)

/// Makes the frame for a time and answers where it is.
@_expose(wasm) @c public func sl_frame(_ time: Double) -> UnsafeMutablePointer<Double> {
  session.makeFrame(at: time)
  return writeFrame()
}

/// Lets time pass without making a frame.
@_expose(wasm) @c public func sl_advance(_ time: Double) { session.advance(to: time) }

/// Numbers of rows of a frame's tables, and where they begin.
struct FrameTables {
  private(set) var items = (count: 0, start: 0)
  private(set) var clusters = (count: 0, start: 0)
  private(set) var members = (count: 0, start: 0)
  private(set) var arrows = (count: 0, start: 0)
  private(set) var blips = (count: 0, start: 0)
  private(set) var overlays = (count: 0, start: 0)
  private(set) var end = FrameRow.length

  /// Those of the session's frame.
  init() {
    items = table(session.frame.items.count, SceneItemRow.length)
    clusters = table(session.frame.clusters.count, SceneClusterRow.length)
    members = table(session.frame.clusterMembers.count, 1)
    arrows = table(session.frame.arrows.count, EdgeArrowRow.length)
    blips = table(session.frame.radar.blips.count, RadarBlipRow.length)
    overlays = table(session.frame.overlayVisible.count, 1)
  }

  private mutating func table(_ count: Int, _ length: Int) -> (count: Int, start: Int) {
    defer { end += count * length }
    return (count, end)
  }
}

private func writeFrame() -> UnsafeMutablePointer<Double> {
  let tables = FrameTables()
  output.reserve(tables.end)
  var out = Writer(output.base)
  tables.write(to: &out)
  for k in 0..<tables.items.count { session.frame.items[k].write(to: &out) }
  for k in 0..<tables.clusters.count { session.frame.clusters[k].write(to: &out) }
  for k in 0..<tables.members.count { out.put(session.frame.clusterMembers[k]) }
  for k in 0..<tables.arrows.count { session.frame.arrows[k].write(to: &out) }
  for k in 0..<tables.blips.count { session.frame.radar.blips[k].write(to: &out) }
  for k in 0..<tables.overlays.count { out.put(session.frame.overlayVisible[k]) }
  return output.base
}

/// The status without a frame, and where the world is drawn from.
@_expose(wasm) @c public func sl_status() -> UnsafeMutablePointer<Double> {
  var out = Writer(statusOutput)
  session.status.write(to: &out)
  let standpoint = session.standpoint
  out.put(standpoint?.latitudeDegrees ?? .nan)
  out.put(standpoint?.longitudeDegrees ?? .nan)
  out.put(standpoint == nil ? .nan : session.standpointAccuracy)
  return statusOutput
}

/// State of one of the worlds as in the status; −1 when there is none.
@_expose(wasm) @c public func sl_world_status(_ world: Int32) -> Int32 {
  askSession { $0.contentStatus(ofWorld: world) }.map { Int32($0.rawValue) } ?? -1
}

extension RememberTarget {
  /// The address that was opened; `nil` for the world's refresh address.
  var address: AddressID? {
    switch self {
    case .refreshAddress: nil
    case .address(let address): address
    }
  }
}
