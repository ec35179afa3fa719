import SightlineInput
import SightlineOpenStreetMap

/// How a line goes up and down.
struct ClimbProfile {
  /// Parts of it: metres along the ground and metres up.
  private(set) var parts: [(length: Double, rise: Double)] = []

  /// Metres up from the start to the end.
  var ascent: Double { parts.reduce(0) { $0 + max($1.rise, 0) } }
  /// Metres down from the start to the end.
  var descent: Double { parts.reduce(0) { $0 + max(-$1.rise, 0) } }

  /// Asks for heights at equal intervals; `nil` where one is not known.
  ///
  /// - Parameters:
  ///   - points: the line.
  ///   - along: metres from its start to each point.
  ///   - spans: whether it leaves the ground between its ends.
  ///   - heights: asked for heights; without it none is known.
  init?(_ points: [OSMPosition], along: [Double], spans: Bool, heights: WalkingGraph.Heights?) {
    guard let heights, let length = along.last else { return nil }
    let count = spans ? 1 : min(10_000, max(1, Int(clamped: (length / GraphAssembly.heightInterval).rounded(.up))))
    var before: Double?
    var segment = 0
    for index in 0...count {
      let distance = length * Double(index) / Double(count)
      while segment + 2 < points.count, along[segment + 1] < distance { segment += 1 }
      let (a, b) = (points[segment], points[min(segment + 1, points.count - 1)])
      let span = along[min(segment + 1, points.count - 1)] - along[segment]
      let t = span > 0 ? min(max((distance - along[segment]) / span, 0), 1) : 0
      let latitude = a.latitudeDegrees + t * (b.latitudeDegrees - a.latitudeDegrees)
      let longitude = a.longitudeDegrees + t * Double(GroundMetric.eastUnits(a.longitude, b.longitude)) * 1e-7
      guard let height = heights(latitude, longitude), height.isFinite else { return nil }
      if let before { parts.append((length / Double(count), height - before)) }
      before = height
    }
  }
}

extension WalkingSpeed {
  /// Seconds from the first node of an edge to its last, and back.
  ///
  /// - Parameters:
  ///   - length: metres along the ground.
  ///   - flags: kind of way and direction of steps.
  ///   - steps: number of steps, for steps.
  ///   - climb: heights, where they are known.
  /// - Returns: both times, also of a direction that must not be walked.
  static func seconds(
    length: Double,
    flags: EdgeFlags,
    steps: Double,
    climb: ClimbProfile?
  ) -> (forward: Double, backward: Double) {
    switch flags.kind {
    case .steps:
      let treads = flags.has(EdgeFlags.stepsKnown) ? steps * tread : length
      let (up, down) = (treads / stepsUp, treads / stepsDown)
      if flags.has(EdgeFlags.stepsUp) { return (up, down) }
      if flags.has(EdgeFlags.stepsDown) { return (down, up) }
      return ((up + down) / 2, (up + down) / 2)
    case .escalator: return (length / escalator, length / escalator)
    case .elevator: return (length / flat + elevatorSeconds, length / flat + elevatorSeconds)
    default: break
    }
    guard let climb else { return (length / flat, length / flat) }
    var (forward, backward) = (0.0, 0.0)
    for (length, rise) in climb.parts where length > 0 {
      forward += length / (flat * slopeFactor(rise / length))
      backward += length / (flat * slopeFactor(-rise / length))
    }
    return (forward, backward)
  }
}
