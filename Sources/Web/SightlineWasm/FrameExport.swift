import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// The frame as numbers. Sixty-four values first, then the tables they name; the order here is the layout, and
// `WebClient/engine/layout.js` mirrors it.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()

private let headerCount = 64
private let itemStride = 11
private let clusterStride = 12
private let arrowStride = 8
private let blipStride = 4

/// Makes the frame for a time and answers where it is.
@_expose(wasm) @c public func sl_frame(_ time: Double) -> UnsafeMutablePointer<Double> {
  session.makeFrame(at: time)
  return writeFrame()
}

/// Lets time pass without making a frame.
@_expose(wasm) @c public func sl_advance(_ time: Double) { session.advance(to: time) }

private func writeFrame() -> UnsafeMutablePointer<Double> {
  let (items, clusters, members) = (
    session.frame.items.count, session.frame.clusters.count, session.frame.clusterMembers.count
  )
  let (arrows, blips) = (session.frame.arrows.count, session.frame.radar.blips.count)
  let overlays = session.frame.overlayVisible.count
  let itemStart = headerCount
  let clusterStart = itemStart + items * itemStride
  let memberStart = clusterStart + clusters * clusterStride
  let arrowStart = memberStart + members
  let blipStart = arrowStart + arrows * arrowStride
  let overlayStart = blipStart + blips * blipStride
  output.reserve(overlayStart + overlays)
  var out = Writer(output.base)
  writePose(&out)
  writeTable(items, itemStart, &out)
  writeTable(clusters, clusterStart, &out)
  writeTable(members, memberStart, &out)
  writeTable(arrows, arrowStart, &out)
  writeTable(blips, blipStart, &out)
  writeTable(overlays, overlayStart, &out)
  writeRadarHead(&out)
  for k in 0..<16 { out.put(Double(session.frame.clipFromWorld[k])) }
  writeStatus(&out)
  while out.position < headerCount { out.put(0 as Int32) }
  writeItems(&out)
  writeClusters(&out)
  for k in 0..<members { out.put(session.frame.clusterMembers[k]) }
  writeArrows(&out)
  for k in 0..<blips {
    let blip = session.frame.radar.blips[k]
    out.put(blip.feature)
    out.put(blip.position.x)
    out.put(blip.position.y)
    out.put(blip.isSelected)
  }
  for k in 0..<overlays { out.put(session.frame.overlayVisible[k]) }
  return output.base
}

/// Values 20 … 31, two for each table.
private func writeTable(_ count: Int, _ start: Int, _ out: inout Writer) {
  out.put(count)
  out.put(start)
}

/// Values 0 … 19.
private func writePose(_ out: inout Writer) {
  out.put(session.frame.time)
  out.put(session.frame.width)
  out.put(session.frame.height)
  out.put(session.frame.isValid)
  let q = session.frame.worldFromDevice
  out.put(q.w)
  out.put(q.x)
  out.put(q.y)
  out.put(q.z)
  let eye = session.frame.eyeInWorld
  out.put(eye.x)
  out.put(eye.y)
  out.put(eye.z)
  out.put(session.frame.bearing.radians)
  out.put(session.frame.pitch.radians)
  out.put(session.frame.roll.radians)
  out.put(session.frame.horizontalFieldOfView.radians)
  out.put(session.frame.verticalFieldOfView.radians)
  out.put(session.frame.selected ?? -1)
  out.put(session.frame.focused ?? -1)
  out.put(session.frame.candidateCount)
  out.put(session.isFrozen)
}

/// Values 32 … 38.
private func writeRadarHead(_ out: inout Writer) {
  out.put(Int32(session.frame.radar.attitude.rawValue))
  out.put(session.frame.radar.range)
  out.put(session.frame.radar.north.radians)
  out.put(session.frame.radar.wedgeDirection.radians)
  out.put(session.frame.radar.wedgeOpening.radians)
  out.put(session.frame.radar.wedgeLength)
  out.put(session.frame.radar.isAvailable)
}

/// Values 55 … 62.
private func writeStatus(_ out: inout Writer) {
  out.put(Int32(session.status.content.rawValue))
  out.put(Int32(session.status.content.quality.rawValue))
  out.put(Int32(session.status.location.rawValue))
  out.put(Int32(session.status.location.quality.rawValue))
  out.put(Int32(session.status.heading.rawValue))
  out.put(Int32(session.status.heading.quality.rawValue))
  out.put(session.status.tiltBound.degrees)
  out.put(session.status.headingBound.degrees)
}

private func writeItems(_ out: inout Writer) {
  for k in 0..<session.frame.items.count {
    let item = session.frame.items[k]
    out.put(item.feature)
    out.put(item.anchor.x)
    out.put(item.anchor.y)
    out.put(item.center.x)
    out.put(item.center.y)
    out.put(item.width)
    out.put(item.height)
    out.put(item.depth)
    out.put(item.distance)
    out.put(item.opacity)
    let flags = (item.hasLeader ? 1 : 0) + (item.isSelected ? 2 : 0) + (item.isFannedOut ? 4 : 0)
    out.put(flags + (item.isNearField ? 8 : 0) + 16 * Int(item.level.rawValue))
  }
}

private func writeClusters(_ out: inout Writer) {
  for k in 0..<session.frame.clusters.count {
    let cluster = session.frame.clusters[k]
    out.put(cluster.id)
    out.put(cluster.anchor.x)
    out.put(cluster.anchor.y)
    out.put(cluster.center.x)
    out.put(cluster.center.y)
    out.put(cluster.width)
    out.put(cluster.height)
    out.put(cluster.nearestDistance)
    out.put(cluster.opacity)
    out.put(cluster.members.lowerBound)
    out.put(cluster.members.count)
    out.put((cluster.isOpen ? 1 : 0) + (cluster.hasLeader ? 2 : 0) as Int)
  }
}

private func writeArrows(_ out: inout Writer) {
  for k in 0..<session.frame.arrows.count {
    let arrow = session.frame.arrows[k]
    out.put(Int32(arrow.side.rawValue))
    out.put(arrow.position.x)
    out.put(arrow.position.y)
    out.put(arrow.direction.radians)
    out.put(arrow.count)
    out.put(arrow.nearest)
    out.put(arrow.nearestDistance)
    out.put(arrow.isForSelection)
  }
}

/// The status without a frame: eight values as from 55 on in a frame, then latitude and longitude that the world is drawn from in
/// degrees and their accuracy in metres, NaN as long as there are none.
@_expose(wasm) @c public func sl_status() -> UnsafeMutablePointer<Double> {
  var out = Writer(statusOutput)
  writeStatus(&out)
  let standpoint = session.standpoint
  out.put(standpoint?.latitudeDegrees ?? .nan)
  out.put(standpoint?.longitudeDegrees ?? .nan)
  out.put(standpoint == nil ? .nan : session.standpointAccuracy)
  return statusOutput
}

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let statusOutput = UnsafeMutablePointer<Double>.allocate(capacity: 11)
