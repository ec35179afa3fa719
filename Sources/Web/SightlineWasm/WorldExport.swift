import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory
import SightlineWorlds

// What the session knows of a world, for recordings; `WebClient/engine/world.js` mirrors the layout: counts, head, features,
// overlays, focus list.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private var shown = Buffer()

private let headCount = 8
private let featureStride = 23
private let overlayStride = 4

/// The world that a number stands for among those that are open, or for −1 the one that was compiled and not handed over yet;
/// null when there is none, or no memory for it.
@_expose(wasm) @c public func sl_world_rows(_ number: Int32) -> UnsafeMutablePointer<Double>? {
  guard let world = number < 0 ? compiledWorld : session.description(ofWorld: number) else { return nil }
  let count =
    headCount + world.features.count * featureStride + world.overlays.count * overlayStride
    + world.focusOverlays.count
  guard output.reserveExactly(count) else { return nil }
  var out = Writer(output.base)
  out.put(world.features.count)
  out.put(world.overlays.count)
  out.put(world.focusOverlays.count)
  out.put(world.radarRange)
  out.put(world.radarAvailable)
  out.put(world.refresh.intervalSeconds)
  out.put(world.refresh.distance)
  out.put(world.refreshAddress?.rawValue ?? -1)
  for feature in world.features { write(feature, to: &out) }
  for overlay in world.overlays {
    out.put(Double(overlay.key))
    out.put(overlay.hidden)
    write(overlay.action, to: &out)
  }
  for overlay in world.focusOverlays { out.put(overlay) }
  return output.base
}

/// Gives the memory of ``sl_world_rows(_:)`` back.
@_expose(wasm) @c public func sl_world_rows_end() { output.release() }

/// Where the worlds that are shown stand in the joined one: their number, then for each its number, first feature, number of
/// features, first overlay and number of overlays.
@_expose(wasm) @c public func sl_shown_worlds() -> UnsafeMutablePointer<Double> {
  let parts = session.shownWorlds
  shown.reserve(1 + 5 * parts.count)
  var out = Writer(shown.base)
  out.put(parts.count)
  for part in parts {
    out.put(part.number)
    out.put(part.features.lowerBound)
    out.put(part.features.count)
    out.put(part.overlays.lowerBound)
    out.put(part.overlays.count)
  }
  return shown.base
}

private func write(_ feature: SceneFeature, to out: inout Writer) {
  out.put(Double(feature.key))
  out.put(feature.latitudeDegrees)
  out.put(feature.longitudeDegrees)
  out.put(feature.altitude)
  out.put(feature.altitudeMode == .eye)
  out.put(feature.offset.x)
  out.put(feature.offset.y)
  out.put(feature.offset.z)
  out.put(Int(feature.kind.rawValue))
  out.put(feature.sizeMode == .trueSize)
  out.put(feature.width)
  out.put(feature.height)
  out.put(feature.pivot.x)
  out.put(feature.pivot.y)
  out.put(Int(feature.category))
  out.put(feature.showInRadar)
  out.put(feature.visibilityRadius)
  write(feature.action, to: &out)
  out.put(feature.focusOverlays.lowerBound)
  out.put(feature.focusOverlays.count)
  out.put(feature.compactWidth)
  out.put(feature.compactHeight)
}

private func write(_ action: SceneAction, to out: inout Writer) {
  let (kind, target): (Int32, Int32) =
    switch action {
    case .none: (0, -1)
    case .refresh: (1, -1)
    case .webPage(let address): (2, address.rawValue)
    case .dimension(let address): (3, address.rawValue)
    }
  out.put(kind)
  out.put(target)
}
