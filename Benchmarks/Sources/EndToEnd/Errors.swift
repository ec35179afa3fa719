import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineSimulator

/// The errors of one estimator, over all its runs.
struct Errors {
  /// Distance between drawn and true place of each landmark in each frame, pixels: with the lens and the heights that are believed.
  var all: [Double] = []
  /// The same with the true lens and heights: what attitude and position do.
  var pose: [Double] = []
  /// As ``pose`` with the true position: what the attitude does.
  var attitude: [Double] = []
  /// As ``pose`` with the true attitude: what the position does.
  var position: [Double] = []
  /// As ``pose`` with each run's mean heading error taken out: what is left when north is right.
  var withNorth: [Double] = []
  /// The same with the true position too.
  var withNorthAndPosition: [Double] = []
  /// With the true attitude and position, and the lens and the heights that are believed: what is left when the pose is right.
  var belief: [Double] = []
  /// Mean heading error of each run, degrees.
  var headingBias: [Double] = []
  /// Heading error about that mean, degrees, one a frame.
  var headingWander: [Double] = []
  /// Motion of a label against the picture from one frame to the next, at the picture's centre, pixels, one a frame.
  var jitter: [Double] = []
  /// Seconds that the heading trails, of each run with turns.
  var lag: [Double] = []
  /// Stated bound of the heading, degrees, one a frame.
  var bound: [Double] = []
  /// Frames in which the error of the heading was inside its stated bound.
  var covered = 0
  /// Frames in which the heading was called good and was wrong by more than 45°.
  var misleading = 0
  /// Frames in which nothing could be drawn.
  var missing = 0

  static func + (a: Errors, b: Errors) -> Errors {
    Errors(
      all: a.all + b.all,
      pose: a.pose + b.pose,
      attitude: a.attitude + b.attitude,
      position: a.position + b.position,
      withNorth: a.withNorth + b.withNorth,
      withNorthAndPosition: a.withNorthAndPosition + b.withNorthAndPosition,
      belief: a.belief + b.belief,
      headingBias: a.headingBias + b.headingBias,
      headingWander: a.headingWander + b.headingWander,
      jitter: a.jitter + b.jitter,
      lag: a.lag + b.lag,
      bound: a.bound + b.bound,
      covered: a.covered + b.covered,
      misleading: a.misleading + b.misleading,
      missing: a.missing + b.missing
    )
  }
}

/// Draws the landmarks by estimates and by the truth, and compares.
struct Comparison {
  private let simulation: Simulation
  private let projection: DisplayProjection
  private let belief: Belief
  private let focal: Double
  private var errors = Errors()
  private var headings: [(error: Double, rate: Double)] = []
  private var frames: [(truth: SimulatedTruth, estimate: Estimate)] = []
  private var last: (horizontal: Double, vertical: Double)?
  /// Seconds at the start that are not counted: position, north and offset are being found.
  private let settling = 6.0

  init(_ simulation: Simulation) {
    self.simulation = simulation
    belief = Belief(simulation)
    let script = simulation.script
    guard let lens = script.camera?.intrinsics else { preconditionFailure("a camera is needed") }
    projection = DisplayProjection(display: script.display, picture: CameraPicture(intrinsics: lens))
    focal = projection.focalPoints.x
  }

  /// Display points of landmarks, seen from an eye, with the true lens and heights.
  func points(_ eastNorthUpFromDevice: Quaternion, _ eye: Geodetic) -> [Int: Vector2] {
    let displayFromWorld = (eastNorthUpFromDevice * projection.deviceFromDisplay).inverse
    let frame = EastNorthUpFrame(origin: eye)
    var points: [Int: Vector2] = [:]
    for index in simulation.script.scenery.landmarks.indices {
      var place = simulation.position(ofLandmark: index)
      // Its height counts from the eye.
      place.altitude = eye.altitude + simulation.heightAboveEye(ofLandmark: index)
      if let point = projection.project(pointInDisplay: displayFromWorld * frame.point(place)) { points[index] = point }
    }
    return points
  }

  /// The same from the true pose with the lens and the heights that are believed.
  private func believedPoints(_ truth: SimulatedTruth) -> [Int: Vector2] {
    let displayFromWorld = (truth.state.worldFromDevice * belief.projection.deviceFromDisplay).inverse
    let frame = EastNorthUpFrame(origin: truth.position)
    var points: [Int: Vector2] = [:]
    for (index, height) in belief.heights.enumerated() {
      var place = simulation.position(ofLandmark: index)
      // Who states none stands at eye level.
      let above = height.map {
        $0 + simulation.script.seaHeight - place.altitude + simulation.heightAboveEye(ofLandmark: index)
      }
      place.altitude = truth.position.altitude + (above ?? 0)
      if let point = belief.projection.project(pointInDisplay: displayFromWorld * frame.point(place)) {
        points[index] = point
      }
    }
    return points
  }

  mutating func take(_ truth: SimulatedTruth, _ estimate: Estimate?, _ drawn: [Int: Vector2]) {
    guard truth.time > settling else { return }
    guard let estimate else {
      errors.missing += 1
      return
    }
    let trueAttitude = truth.state.worldFromDevice
    let attitudeOnly = points(estimate.eastNorthUpFromDevice, truth.position)
    let positionOnly = points(trueAttitude, estimate.eye)
    let poseOnly = points(estimate.eastNorthUpFromDevice, estimate.eye)
    let right = points(trueAttitude, truth.position)
    let believed = believedPoints(truth)
    frames.append((truth, estimate))
    for sight in truth.sights where sight.isInPicture {
      guard let point = right[sight.landmark] else { continue }
      errors.all.append(distance(drawn, sight.landmark, point))
      errors.pose.append(distance(poseOnly, sight.landmark, point))
      errors.attitude.append(distance(attitudeOnly, sight.landmark, point))
      errors.belief.append(distance(believed, sight.landmark, point))
      errors.position.append(distance(positionOnly, sight.landmark, point))
    }
    // The turn from the true to the estimated device, world axes: about the vertical, and about the horizontal across.
    let turn = estimate.eastNorthUpFromDevice * trueAttitude.inverse
    let heading = -2 * atan2(turn.z, turn.w)
    let rate = -(trueAttitude * truth.state.angularVelocity).z
    headings.append((wrapToPi(heading), rate))
    if let claim = estimate.claim {
      let error = abs(Angle(radians: wrapToPi(heading)).degrees)
      errors.bound.append(claim.bound)
      if error <= claim.bound { errors.covered += 1 }
      if error > 45, claim.isGood { errors.misleading += 1 }
    }
    let inDevice = trueAttitude.inverse * estimate.eastNorthUpFromDevice
    let sign: Double = inDevice.w < 0 ? -1 : 1
    let shift = (horizontal: 2 * sign * inDevice.y * focal, vertical: 2 * sign * inDevice.x * focal)
    if let last { errors.jitter.append(hypot(shift.horizontal - last.horizontal, shift.vertical - last.vertical)) }
    last = shift
  }

  /// Between where a landmark is drawn and where it is.
  private func distance(_ points: [Int: Vector2], _ index: Int, _ to: Vector2) -> Double {
    let display = simulation.script.display
    // Half a turn away a label is nowhere near: count it as the display's diagonal.
    let worst = hypot(display.width, display.height)
    return points[index].map { min(worst, ($0 - to).length) } ?? worst
  }

  /// Errors of all frames with the estimated heading turned by an angle, counter-clockwise.
  private func errors(turnedBy angle: Angle, fromTrueEye: Bool) -> [Double] {
    let turn = Quaternion(axis: Vector3(0, 0, 1), angle: angle)
    var all: [Double] = []
    for (truth, estimate) in frames {
      let drawn = points(turn * estimate.eastNorthUpFromDevice, fromTrueEye ? truth.position : estimate.eye)
      let right = points(truth.state.worldFromDevice, truth.position)
      for sight in truth.sights where sight.isInPicture {
        if let point = right[sight.landmark] { all.append(distance(drawn, sight.landmark, point)) }
      }
    }
    return all
  }

  /// All errors, the run being over.
  func finished() -> Errors {
    var errors = errors
    guard !headings.isEmpty else { return errors }
    let count = Double(headings.count)
    // A circular mean: errors may be anything.
    let mean = atan2(
      headings.reduce(0) { $0 + sin($1.error) } / count,
      headings.reduce(0) { $0 + cos($1.error) } / count
    )
    errors.headingBias.append(Angle(radians: mean).degrees)
    errors.withNorth = self.errors(turnedBy: Angle(radians: mean), fromTrueEye: false)
    errors.withNorthAndPosition = self.errors(turnedBy: Angle(radians: mean), fromTrueEye: true)
    let about = headings.map { (error: wrapToPi($0.error - mean), rate: $0.rate) }
    errors.headingWander += about.map { abs(Angle(radians: $0.error).degrees) }
    // What trails by τ is wrong by −τ · rate; of runs that turn by more than a trembling hand.
    let square = about.reduce(0) { $0 + $1.rate * $1.rate }
    if (square / count).squareRoot() > Angle(degrees: 10).radians {
      errors.lag.append(-about.reduce(0) { $0 + $1.error * $1.rate } / square)
    }
    return errors
  }
}
