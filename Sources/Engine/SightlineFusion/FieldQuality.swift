import SightlineMath

/// Judges whether the field that a device measures is the Earth's: its strength and dip against what the magnetic model says
/// for the place, and how much its direction surprises.
struct FieldQuality: Sendable {
  /// Whether north is disturbed at the moment.
  private(set) var isDisturbed = false
  /// Seconds for which the other state has been seen.
  private var doubt = 0.0

  /// Takes a look.
  ///
  /// - Parameters:
  ///   - field: in the level frame, the device's own field taken off, microtesla; `nil` when north comes from elsewhere.
  ///   - reference: the Earth's, microtesla and radians below the horizon; `nil` when the place is unknown.
  ///   - surprise: by how much north has surprised lately, radians.
  ///   - interval: seconds since the last look.
  ///   - parameters: what is called a disturbance.
  mutating func take(
    field: Vector3?,
    reference: (strength: Double, dip: Double)?,
    surprise: Double,
    interval: Double,
    parameters: OrientationFusion.Parameters
  ) {
    var worst = surprise / Angle(degrees: parameters.disturbedDegrees).radians
    if let field, let reference, reference.strength > 1 {
      worst = max(worst, abs(field.length / reference.strength - 1) / parameters.disturbedStrength)
      let dip = atan2(-field.z, hypot(field.x, field.y))
      worst = max(worst, abs(dip - reference.dip) / Angle(degrees: parameters.disturbedDipDegrees).radians)
    }
    // Some slack both ways, so that the words on the screen do not flicker.
    let other = isDisturbed ? worst < 0.75 : worst > 1
    doubt = other ? doubt + clamp(interval, 0, 0.2) : 0
    if doubt > parameters.disturbedTime {
      isDisturbed.toggle()
      doubt = 0
    }
  }
}
