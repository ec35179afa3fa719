import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// Codes as anchors: one glance at a code whose place is known tells where the user stands and where north is.
extension Session {
  mutating func seeCode(_ sighting: CodeSighting) {
    guard let picture, let projection, let corners = sighting.corners(in: picture.intrinsics) else {
      return align(.noOrientation)
    }
    let code = sighting.code
    guard code.place.latitudeDegrees.magnitude <= 90, code.place.longitudeDegrees.magnitude <= 180, code.side > 0,
      code.side <= 100, code.facing.radians.isFinite, code.elevation.radians.isFinite, code.roll.radians.isFinite
    else { return align(.notThere) }
    var placed = code
    let knowsAltitude = code.place.altitude.isFinite
    if !knowsAltitude { placed.place.altitude = 0 }
    guard let poses = SquarePoses(corners: corners, side: code.side, intrinsics: picture.intrinsics) else {
      return align(.notThere)
    }
    let age = sighting.age.isFinite ? clamp(sighting.age, 0, 2) : 0
    let attitude =
      heldOrientation ?? attitudes.attitude(at: now - age) ?? orientation.eastNorthUpFromDevice(declination)
    guard let found = choose(poses, of: placed, picture.intrinsics, projection, attitude) else {
      return align(.notThere)
    }
    var fix = found.sighting.fix
    if !knowsAltitude {
      fix.altitude = nil
      fix.verticalAccuracy = nil
    }
    if location.take(fix, happened: now, at: now, parameters: parameters) { moved() }
    guard let attitude else { return align(.noOrientation) }
    // The turn about "up" in what leads from the sensors' attitude to the code's; headings run the other way.
    let turn = found.attitude * attitude.inverse
    let angle = Angle(radians: -2 * atan2(turn.z, turn.w)).wrapped
    let deviation = max(found.sighting.uncertainty.orientation, parameters.codeDeviation)
    correct(by: angle, deviation: deviation)
    // A code that stays in sight is told of once.
    if now - lastCodeTime > parameters.codeSilence { align(.done, by: angle) }
    lastCodeTime = now
  }

  private struct Found {
    var sighting: MarkerSighting
    /// The device's turn by the code.
    var attitude: Quaternion
  }

  /// Of the two poses that explain four corners, the one whose horizon is that of the sensors; `nil` when neither's is, as when
  /// the code hangs elsewhere or otherwise than it says.
  private func choose(
    _ poses: SquarePoses,
    of code: SurveyedMarker,
    _ intrinsics: Intrinsics,
    _ projection: DisplayProjection,
    _ attitude: Quaternion?
  ) -> Found? {
    var best: (tilt: Double, found: Found)?
    for pose in [poses.best, poses.alternative] {
      guard let pose, pose.reprojectionError <= 2 * poses.best.reprojectionError + 1,
        let sighting = code.sighting(pose, intrinsics: intrinsics, noise: parameters.codeNoise),
        case .quaternion(let turned, _) = sighting.orientation(projection)
      else { continue }
      let found = Found(sighting: sighting, attitude: turned)
      guard let attitude else {
        // Without sensors only a view that leaves no doubt counts.
        let isClear =
          poses.alternative.map { $0.reprojectionError > 2 * poses.best.reprojectionError + 1 } ?? true
        return isClear ? found : nil
      }
      let up = Vector3(0, 0, 1)
      let cosine = (attitude.inverse * up).dot(turned.inverse * up)
      let tilt = acos(clamp(cosine, -1, 1))
      if tilt < best?.tilt ?? parameters.pointingTolerance.radians { best = (tilt, found) }
    }
    return best?.found
  }
}
