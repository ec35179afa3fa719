import SightlineCamera
import SightlineFusion
import SightlineMath
import SightlineScene

/// World tracking beside sensors and fixes.
extension Session {
  /// Takes where world tracking says that the camera was.
  mutating func follow(_ reading: PathReading) {
    // One of the future would be later than all that come.
    guard let reading = reading.believable, let projection, -0.1...2 ~= now - reading.time,
      let attitude = sensedAttitudes.attitude(at: reading.time)
    else { return }
    let compass = PathFollower.Compass(
      eastNorthUpFromDevice: attitude,
      shown: shownAttitudes.attitude(at: reading.time),
      deviation: Angle(radians: orientation.sensedBounds.heading.radians / 2),
      isDisturbed: orientation.isNorthDisturbed
    )
    let step = path.take(
      reading,
      deviceFromCamera: projection.deviceFromDisplay * projection.cameraFromDisplay.inverse,
      compass: compass,
      at: now
    )
    orientation.follow(path)
    guard let step else { return }
    location.move(east: step.east, north: step.north, duration: step.duration, at: now)
    placeEye()
  }
}
