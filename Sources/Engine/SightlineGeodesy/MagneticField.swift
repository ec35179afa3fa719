import SightlineMath

/// The Earth's magnetic field at a place and time, in East-North-Up's horizontal plane and downwards as the published
/// model has it; nanotesla, and its change a year.
public struct MagneticField: Equatable, Sendable {
  /// Towards true north, nanotesla.
  public var north: Double
  /// Towards east, nanotesla.
  public var east: Double
  /// Downwards, nanotesla.
  public var down: Double
  /// Change of ``north``, nanotesla a year.
  public var northPerYear: Double
  /// Change of ``east``, nanotesla a year.
  public var eastPerYear: Double
  /// Change of ``down``, nanotesla a year.
  public var downPerYear: Double

  /// Horizontal strength, nanotesla.
  public var horizontal: Double { hypot(north, east) }
  /// Total strength, nanotesla.
  public var total: Double { hypot(horizontal, down) }
  /// Direction of magnetic north, clockwise from true north: positive is east.
  public var declination: Angle { Angle(radians: atan2(east, north)) }
  /// Dip below the horizontal plane: positive is down, as in the northern hemisphere.
  public var inclination: Angle { Angle(radians: atan2(down, horizontal)) }

  /// Change of ``horizontal``, nanotesla a year.
  public var horizontalPerYear: Double { (north * northPerYear + east * eastPerYear) / horizontal }
  /// Change of ``total``, nanotesla a year.
  public var totalPerYear: Double { (north * northPerYear + east * eastPerYear + down * downPerYear) / total }
  /// Change of ``declination`` in a year.
  public var declinationPerYear: Angle {
    Angle(radians: (north * eastPerYear - east * northPerYear) / (horizontal * horizontal))
  }
  /// Change of ``inclination`` in a year.
  public var inclinationPerYear: Angle {
    Angle(radians: (horizontal * downPerYear - down * horizontalPerYear) / (total * total))
  }

  /// What a compass is worth here.
  public var compass: CompassUse {
    horizontal >= 6000 ? .usable : (horizontal >= 2000 ? .caution : .unreliable)
  }

  /// What a compass is worth where the field is nearly vertical.
  ///
  /// The limits are those of the model's publishers: below 2000 nT of horizontal field is the blackout zone, below
  /// 6000 nT the caution zone.
  public enum CompassUse: UInt8, Sendable {
    /// No north here.
    case unreliable = 0
    /// Large errors.
    case caution = 1
    /// As good as elsewhere.
    case usable = 2
  }
}

/// Why a magnetic model has no answer.
public enum MagneticModelError: Error, Equatable, Sendable {
  /// The date is outside the years that the model is valid for, first and last included.
  case dateOutOfRange(first: Double, last: Double)
  /// A coordinate is not finite, the latitude is beyond a pole, or the altitude is below −100 km.
  case invalidPosition
}
