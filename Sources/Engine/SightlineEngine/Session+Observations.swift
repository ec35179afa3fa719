import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// What the camera saw: anchors that content stands on, and among them those that tell where the user is.
extension Session {
  mutating func observe(_ observations: Observations) {
    guard observations.camera.isUsable else { return }
    var observations = observations
    if !(abs(observations.time) <= 1e12) { observations.time = clamp(now, -1e12, 1e12) }
    let age = clamp(now - observations.time, 0, 2)
    let attitude =
      heldOrientation ?? device.attitude(at: now - age) ?? device.attitude
    settle(observations, attitude)
    guard let display = device.display else { return }
    let cameraFromEastNorthUp = attitude.flatMap { attitude in
      projection.map { $0.cameraFromDisplay * ((attitude * $0.deviceFromDisplay).inverse) }
    }
    scene.observe(observations, display: display, cameraFromEastNorthUp: cameraFromEastNorthUp)
    // A host that draws the picture these were made in does so at once.
    scene.writeAnchors(into: &frame, time: now)
  }

  /// Position and heading from a surveyed anchor.
  private mutating func settle(_ observations: Observations, _ attitude: Quaternion?) {
    let finding = surveyed.settle(
      observations,
      attitude: attitude,
      projection: projection,
      parameters: device.parameters,
      at: now
    )
    switch finding {
    case nil: break
    case .refused(let reason): align(reason)
    case .placed(let fix, let turn):
      if device.take(fix, happened: now) { moved() }
      guard let turn else { return align(.noOrientation) }
      correct(by: turn.angle, deviation: turn.deviation)
      if turn.isNews { align(.done, by: turn.angle) }
    }
  }
}

extension FrameCamera {
  /// Whether it has an extent and a lens.
  fileprivate var isUsable: Bool {
    let i = intrinsics
    return [i.width, i.height, i.focalX, i.focalY].allSatisfy { 1...1e6 ~= $0 }
      && abs(i.centerX) <= 1e6 && abs(i.centerY) <= 1e6
  }
}
