import SightlineCamera
import SightlineMath

extension PoseMemory {
  /// Fills the radar for a pose.
  ///
  /// `blips` have north up (``Candidates/blips``).
  ///
  /// With β the azimuth of the view and ρ the direction of the sky on the display, a feature at azimuth A is drawn at
  /// A − β + ρ clockwise from the display's top: straight ahead is where the sky is on the screen, however the phone is
  /// held. From 15° off the vertical (until 20°) the phone is flat: the disc then turns like a compass by the azimuth of
  /// the display's top. Screen down there is no sensible map, so no blips.
  mutating func updateRadar(
    _ radar: inout RadarFrame,
    pose: ViewPose,
    projection: borrowing DisplayProjection,
    blips: borrowing [RadarBlip]
  ) {
    let steepness = abs(pose.forward.z)
    isFlat = steepness > (isFlat ? cosine20 : cosine15)
    let top = pose.displayFromEastNorthUp.row1
    if !isFlat {
      radar.attitude = .upright
      radar.north = Angle(radians: wrapToPi(pose.trueRoll.radians - atan2(pose.forward.x, pose.forward.y)))
    } else if pose.forward.z < 0 {
      radar.attitude = .flat
      radar.north = Angle(radians: wrapToPi(-atan2(top.x, top.y)))
    } else {
      radar.attitude = .upsideDown
      radar.north = Angle(radians: wrapToPi(-atan2(-top.x, -top.y)))
    }
    radar.wedgeDirection = isFlat ? .zero : pose.trueRoll
    radar.wedgeOpening = openingAngle(pose, projection)
    radar.wedgeLength = isFlat ? 0 : clamp((pose.upInScreen - sine20) / (1 - sine20), 0, 1)
    radar.blips.removeAll(keepingCapacity: true)
    guard radar.attitude != .upsideDown else { return }
    let (sine, cosine) = (sin(radar.north.radians), cos(radar.north.radians))
    for i in 0..<blips.count {
      var blip = blips[i]
      blip.position = blip.position.rotated(cosine: cosine, sine: sine)
      radar.blips.append(blip)
    }
  }

  /// The horizontal angle that the display really shows, as it is turned against the horizon: what is inside the wedge is
  /// on the screen. (The original drew the camera's largest angle in every position.)
  private func openingAngle(_ pose: ViewPose, _ projection: borrowing DisplayProjection) -> Angle {
    let (sine, cosine) = (abs(sin(pose.trueRoll.radians)), abs(cos(pose.trueRoll.radians)))
    let half =
      cosine * tan(projection.horizontalFieldOfView.radians / 2)
      + sine * tan(projection.verticalFieldOfView.radians / 2)
    return Angle(radians: 2 * atan(half))
  }
}

// Literals, not calls: a global that has to be computed costs a check at every use.
private let cosine15 = 0.965_925_826_289_068_3
private let cosine20 = 0.939_692_620_785_908_4
private let sine20 = 0.342_020_143_325_668_73
