import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory
import SightlineWorlds

// What the session knows of a world, for recordings: head, features, overlays, focus list, anchors, things, lines and areas with their corners, rules.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private var shown = Buffer()

/// The world that a number stands for among those that are open, or for −1 the one that was compiled and not handed over yet;
/// null when there is none, or no memory for it.
@_expose(wasm) @c public func sl_world_rows(_ number: Int32) -> UnsafeMutablePointer<Double>? {
  guard let world = number < 0 ? compiledWorld : askSession({ $0.description(ofWorld: number) }) else { return nil }
  let count =
    WorldHeadRow.length + world.features.count * FeatureRow.length + world.overlays.count * OverlayRow.length
    + world.focusOverlays.count + world.anchors.count * WorldAnchorRow.length
    + world.things.count * WorldThingRow.length + world.paths.count * WorldPathRow.length
    + world.pathVertices.count * WorldCornerRow.length + world.rules.count * WorldRuleRow.length
  guard output.reserveExactly(count) else { return nil }
  var out = Writer(output.base)
  world.write(to: &out)
  for feature in world.features { feature.write(to: &out) }
  for overlay in world.overlays { overlay.write(to: &out) }
  for overlay in world.focusOverlays { out.put(overlay) }
  for anchor in world.anchors { anchor.write(to: &out) }
  for thing in world.things { thing.write(to: &out) }
  for path in world.paths { path.write(to: &out) }
  for corner in world.pathVertices { corner.write(to: &out) }
  for rule in world.rules { rule.write(to: &out) }
  return output.base
}

/// Gives the memory of ``sl_world_rows(_:)`` back.
@_expose(wasm) @c public func sl_world_rows_end() { output.release() }

/// Where the worlds that are shown stand in the joined one: their number, then a row for each.
@_expose(wasm) @c public func sl_shown_worlds() -> UnsafeMutablePointer<Double> {
  let parts = session.shownWorlds
  shown.reserve(1 + ShownWorldRow.length * parts.count)
  var out = Writer(shown.base)
  out.put(parts.count)
  for part in parts { part.write(to: &out) }
  return shown.base
}
