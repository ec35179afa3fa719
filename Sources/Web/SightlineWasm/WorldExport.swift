import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory
import SightlineWorlds

// What the session knows of a world, for recordings; `WebClient/engine/world.js` mirrors the layout: counts, head, features,
// overlays, focus list.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private var shown = Buffer()

private let headCount = 9
private let featureStride = 29
private let anchorStride = 22
private let overlayStride = 4

/// The world that a number stands for among those that are open, or for −1 the one that was compiled and not handed over yet;
/// null when there is none, or no memory for it.
@_expose(wasm) @c public func sl_world_rows(_ number: Int32) -> UnsafeMutablePointer<Double>? {
  guard let world = number < 0 ? compiledWorld : session.description(ofWorld: number) else { return nil }
  let count =
    headCount + world.features.count * featureStride + world.overlays.count * overlayStride
    + world.focusOverlays.count + world.anchors.count * anchorStride
  guard output.reserveExactly(count) else { return nil }
  var out = Writer(output.base)
  out.put(world.features.count)
  out.put(world.overlays.count)
  out.put(world.focusOverlays.count)
  out.put(world.anchors.count)
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
  for anchor in world.anchors { write(anchor, to: &out) }
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
  out.put(feature.anchor)
  out.put(feature.model != nil)
  let model = feature.model ?? ModelPlacement()
  for angle in [model.xRotation, model.yRotation, model.zRotation] { out.put(angle.radians) }
  out.put(model.scale ?? .nan)
}

/// Kind and two numbers of what it is, width; whether it is surveyed, and its survey (radians); what it is related to (0 nothing, 1 an
/// anchor, 2 the user), which, and how.
private func write(_ anchor: WorldAnchor, to out: inout Writer) {
  ObservationRow.write(anchor.id, to: &out)
  out.put(anchor.width)
  out.put(anchor.survey != nil)
  let survey = anchor.survey
  for value in [
    survey?.place.latitudeDegrees, survey?.place.longitudeDegrees, survey?.place.altitude, survey?.facing.radians,
    survey?.elevation.radians, survey?.roll.radians, survey?.width,
  ] {
    out.put(value ?? 0)
  }
  let (kind, index): (Int32, Int32) =
    switch anchor.reference {
    case .none: (0, -1)
    case .anchor(let index): (1, index)
    case .user: (2, -1)
    }
  out.put(kind)
  out.put(index)
  let transform = anchor.referenceFromAnchor
  for value in [transform.rotation.w, transform.rotation.x, transform.rotation.y, transform.rotation.z] {
    out.put(value)
  }
  for value in [transform.translation.x, transform.translation.y, transform.translation.z] { out.put(value) }
  out.put(transform.scale)
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
