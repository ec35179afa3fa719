import SightlineMath

/// How far something can be relied on.
public enum Quality: UInt8, Sendable {
  /// Not there.
  case none = 0
  /// There, with a known shortcoming.
  case poor = 1
  /// There and good.
  case good = 2
}

/// The three lights of the view, each with its reason.
///
/// The host words and translates them.
public struct SessionStatus: Equatable, Sendable {
  /// The loaded world.
  public var content = ContentStatus.nothingOpened
  /// The position.
  public var location = LocationStatus.waiting
  /// The orientation.
  public var heading = HeadingStatus.waiting

  /// Below this the error of the horizon is 95 % of the time; half a turn while nothing is known.
  public var tiltBound = Angle(radians: pi)
  /// Below this the error of the heading is 95 % of the time; half a turn while no north is known.
  public var headingBound = Angle(radians: pi)

  /// The status before anything is known.
  public init() {}
}

/// State of the loaded world.
public enum ContentStatus: UInt8, Sendable {
  /// No world was opened.
  case nothingOpened = 0
  /// A world is wanted but position or orientation are not known yet.
  case waitingForSensors = 1
  /// The first request is running.
  case loading = 2
  /// Loaded and up to date.
  case ready = 3
  /// Loaded, and being fetched again.
  case refreshing = 4
  /// The last request failed; an older world is shown, not refreshed by itself.
  case outdated = 5
  /// The last request failed and there is nothing to show.
  case failed = 6
  /// Loaded, but no feature is inside the radius and filter.
  case nothingInRange = 7

  /// How far it can be relied on.
  public var quality: Quality {
    switch self {
    case .ready, .refreshing: .good
    case .outdated, .nothingInRange: .poor
    case .nothingOpened, .waitingForSensors, .loading, .failed: .none
    }
  }
}

/// State of the position.
public enum LocationStatus: UInt8, Sendable {
  /// No fix yet.
  case waiting = 0
  /// The user or a policy said no.
  case denied = 1
  /// No positioning here.
  case missing = 2
  /// The fix is accurate and recent.
  case good = 3
  /// The accuracy circle is large.
  case inaccurate = 4
  /// The last fix is old.
  case stale = 5

  /// How far it can be relied on.
  public var quality: Quality {
    switch self {
    case .good: .good
    case .inaccurate, .stale: .poor
    case .waiting, .denied, .missing: .none
    }
  }
}

/// State of the orientation.
public enum HeadingStatus: UInt8, Sendable {
  /// No orientation yet.
  case waiting = 0
  /// The user or a policy said no.
  case denied = 1
  /// No orientation sensor here.
  case missing = 2
  /// Recent and referred to north.
  case good = 3
  /// Recent, but its north is arbitrary.
  case noNorth = 4
  /// Recent, but the compass states a large error.
  case inaccurate = 5
  /// The last orientation is old.
  case stale = 6
  /// Close to a magnetic pole, a compass tells nothing.
  case noMagneticNorth = 7
  /// Recent and magnetic, but the declination is not known: no position or date yet, or a date outside the magnetic
  /// model's years.
  case noDeclination = 8
  /// Recent, but the field is not the Earth's, or its direction keeps changing: move away from metal, or align by hand.
  case disturbed = 9
  /// Recent, and the user showed where north is.
  case aligned = 10
  /// Recent, but north is only roughly known: an iPhone that was never held flat.
  case uncertain = 11

  /// How far it can be relied on.
  public var quality: Quality {
    switch self {
    case .good, .aligned: .good
    case .noNorth, .inaccurate, .stale, .noMagneticNorth, .noDeclination, .disturbed, .uncertain: .poor
    case .waiting, .denied, .missing: .none
    }
  }
}
