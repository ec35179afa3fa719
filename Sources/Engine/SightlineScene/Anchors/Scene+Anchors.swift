import SightlineCamera
import SightlineMath

/// What the newest picture of the camera shows of the world's anchors.
extension Scene {
  /// Takes what was seen in a picture: where the anchors are in it, and what stands on them.
  ///
  /// The next frame has it, see ``SceneFrame/anchors``.
  ///
  /// - Parameters:
  ///   - observations: of the picture.
  ///   - display: the picture is shown on, covering it.
  ///   - cameraFromEastNorthUp: how the camera was turned when the picture was taken; `nil` when it is not known: nothing that is
  ///     related to the user is then shown.
  public mutating func observe(
    _ observations: Observations,
    display: Display,
    cameraFromEastNorthUp: Quaternion? = nil
  ) {
    anchors.take(observations, world.anchors, cameraFromEastNorthUp: cameraFromEastNorthUp)
    guard display.width > 0, display.height > 0, display.width <= 1e6, display.height <= 1e6 else { return }
    let features = anchorPass.features(on: anchors.active)
    anchorPass.run(
      anchors,
      world,
      display: display,
      selected: selected,
      features: features,
      sizes: features.map { Vector2(placed.places[Int($0)].width, placed.places[Int($0)].height) },
      heldBack: features.filter { placed.isHeldBack($0, selected: selected) },
      obstacles: occupied?.rectangles ?? []
    )
  }

  /// Writes what the newest picture shows of the anchors; ``update(time:eastNorthUpFromDevice:projection:into:)`` does too.
  public func writeAnchors(into frame: inout SceneFrame, time: Double) { anchorPass.write(into: &frame, time: time) }

  /// Takes over the box around a feature's model, in the model's units, once the host has read it.
  ///
  /// An empty box (its corners are one) says that there is nothing to be drawn, such as of a file that cannot be had: the feature keeps
  /// its label, and is not asked for again. Ignored for a box that is none.
  public mutating func setModelBounds(feature: Int32, _ bounds: ModelPlacement.Bounds) {
    let (low, high) = (bounds.low, bounds.high)
    let isSound = [low.x, low.y, low.z, high.x, high.y, high.z].allSatisfy { abs($0) <= 1e9 }
    guard isSound, world.features.indices.contains(Int(feature)) else { return }
    if !setThingBounds(feature: feature, bounds) { anchorPass.setBounds(bounds, of: feature) }
  }
}
