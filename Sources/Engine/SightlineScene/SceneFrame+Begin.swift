extension SceneFrame {
  /// Takes out what the last frame had; arrays keep their room.
  mutating func clear() {
    isValid = false
    focused = nil
    items.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    clusterMembers.removeAll(keepingCapacity: true)
    arrows.removeAll(keepingCapacity: true)
    things.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
    pathPoints.removeAll(keepingCapacity: true)
    radar.blips.removeAll(keepingCapacity: true)
    radar.wedgeLength = 0
  }

  /// Says which overlays of a world are visible, those of what is ``focused`` among them.
  mutating func showOverlays(of world: borrowing WorldDescription) {
    overlayVisible.removeAll(keepingCapacity: true)
    for overlay in world.overlays { overlayVisible.append(!overlay.hidden) }
    guard let focused else { return }
    let range = world.features[Int(focused)].focusOverlays.clamped(to: world.focusOverlays.indices)
    for overlay in world.focusOverlays[range] where overlayVisible.indices.contains(Int(overlay)) {
      overlayVisible[Int(overlay)] = true
    }
  }
}
