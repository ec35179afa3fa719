import SightlineGeodesy

/// A way on foot.
public struct WalkingRoute: Equatable, Sendable {
  /// Where it goes, from the start that was asked for to the destination.
  ///
  /// Altitudes are 0: they are not known.
  public var positions: [Geodetic]
  /// Length along the ground, metres, with the straight lines to the first and from the last way.
  public var metres: Double
  /// Walking time, seconds.
  public var seconds: Double
  /// Length of its steps and escalators, metres.
  public var stepsMetres: Double
  /// Number of steps; where the map does not say, estimated from the length (0.3 m a step).
  public var stepCount: Int
  /// Whether the map gives the number of all steps on the way; true where there are none.
  public var isStepCountKnown: Bool
  /// Metres up; `nil` where no heights were known when the graph was built.
  public var ascentMetres: Double?
  /// Metres down; `nil` where no heights were known when the graph was built.
  public var descentMetres: Double?
  /// What it was searched for.
  public var profile: WalkingProfile
  /// What to do, in order: the first is to depart, the last to arrive.
  public var instructions: [WalkingInstruction]
  /// Nodes that the search settled: its work.
  public var settledNodes: Int

  /// Whether there are steps or escalators, also where they were to be avoided: then there is no way without.
  public var hasSteps: Bool { stepsMetres > 0 }
}

/// Length and time of a way, without the way.
public struct WalkingDistance: Equatable, Sendable {
  /// Length along the ground, metres.
  public var metres: Double
  /// Walking time, seconds.
  public var seconds: Double
  /// Whether there are steps or escalators.
  public var hasSteps: Bool
}

/// Which way to turn, by the angle between the directions before and after.
public enum WalkingTurn: String, CaseIterable, Sendable {
  /// Less than 20°.
  case straight
  /// 20° to 55°.
  case slightRight
  /// 55° to 125°.
  case right
  /// 125° to 165°.
  case sharpRight
  /// More than 165°.
  case back
  /// 125° to 165°.
  case sharpLeft
  /// 55° to 125°.
  case left
  /// 20° to 55°.
  case slightLeft
}

/// One thing to do on a way, and what follows until the next.
public struct WalkingInstruction: Equatable, Sendable {
  /// What to do.
  public enum Action: String, CaseIterable, Sendable {
    /// Set out.
    case depart
    /// Go on, turning as ``WalkingInstruction/turn`` says.
    case walk
    /// Climb steps.
    case stepsUp
    /// Go down steps.
    case stepsDown
    /// Take steps of which the map does not say whether they go up.
    case steps
    /// Take the escalator.
    case escalator
    /// Take the lift.
    case elevator
    /// Cross a road.
    case cross
    /// Cross a road at traffic lights.
    case crossWithSignals
    /// The destination.
    case arrive
  }

  /// What to do.
  public var action: Action
  /// The turn onto this part; `nil` when setting out, and where a direction is not known.
  public var turn: WalkingTurn?
  /// The name of the street.
  public var name: String?
  /// What one walks on.
  public var kind: WalkingWayKind
  /// Metres until the next instruction.
  public var metres: Double
  /// Seconds until the next instruction.
  public var seconds: Double
  /// Number of steps until the next instruction.
  public var stepCount: Int
  /// The direction in which this part sets out, degrees clockwise from north, 0 ..< 360; `nil` where it has no length.
  public var bearingDegrees: Double?
  /// Where it begins: an index into ``WalkingRoute/positions``.
  public var position: Int
}
