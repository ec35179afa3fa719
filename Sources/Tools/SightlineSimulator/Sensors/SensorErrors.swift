import SightlineMath

/// How a sensor of three axes is wrong, in its own unit.
public struct SensorErrors: Equatable, Sendable {
  /// Standard deviation of each reading.
  public var noise = 0.0
  /// Share of a reading's noise that is left in the next one, 0 … 1 (excluded).
  public var noiseCorrelation = 0.0
  /// Standard deviation of the constant offset of each axis.
  public var bias = 0.0
  /// A known offset, added to the random one.
  public var fixedBias = Vector3.zero
  /// Standard deviation of what wanders about the offset within minutes.
  public var drift = 0.0
  /// Seconds in which the drift forgets.
  public var driftTime = 120.0
  /// Standard deviation of each axis' scale.
  public var scale = 0.0
  /// Standard deviation of the turn of the axes, radians, and of their angles with each other.
  public var misalignment = 0.0
  /// Step of the numbers; 0 for none.
  public var resolution = 0.0
  /// Largest number; larger ones are cut.
  public var range = Double.infinity

  /// No errors.
  public init() {}
}

/// One sensor of one phone: its errors drawn once, its noise drawn for each reading.
struct SimulatedSensor: Sendable {
  let errors: SensorErrors
  private let matrix: Matrix3
  private let bias: Vector3
  private var drift: [CorrelatedNoise]
  private var noise = Vector3.zero
  /// What was wrong with the newest reading besides noise, steps and range: offset, drift, scale, crooked axes.
  private(set) var systematicError = Vector3.zero
  private var random: SeededGenerator

  init(_ errors: SensorErrors, seed: UInt64, purpose: String) {
    var random = SeededGenerator(seed: seed, purpose: purpose)
    self.errors = errors
    bias = random.normalVector(errors.bias) + errors.fixedBias
    let scale = random.normalVector(errors.scale)
    let (a, b) = (random.normalVector(errors.misalignment), random.normalVector(errors.misalignment))
    matrix = Matrix3(
      rows: Vector3(1 + scale.x, a.x, a.y),
      Vector3(a.z, 1 + scale.y, b.x),
      Vector3(b.y, b.z, 1 + scale.z)
    )
    drift = []
    for _ in 0..<3 {
      drift.append(CorrelatedNoise(deviation: errors.drift, correlationTime: errors.driftTime, from: &random))
    }
    self.random = random
  }

  /// What the sensor says, the time since its reading before being given.
  mutating func read(_ truth: Vector3, after seconds: Double) -> Vector3 {
    let fresh = (1 - errors.noiseCorrelation * errors.noiseCorrelation).squareRoot()
    noise = noise * errors.noiseCorrelation + random.normalVector(errors.noise) * fresh
    let wandered = Vector3(
      drift[0].advance(by: seconds, from: &random),
      drift[1].advance(by: seconds, from: &random),
      drift[2].advance(by: seconds, from: &random)
    )
    let value = matrix * truth + bias + noise + wandered
    systematicError = value - noise - truth
    return quantised(value)
  }

  private func quantised(_ value: Vector3) -> Vector3 {
    func one(_ x: Double) -> Double {
      let cut = clamp(x, -errors.range, errors.range)
      return errors.resolution > 0 ? (cut / errors.resolution).rounded() * errors.resolution : cut
    }
    return Vector3(one(value.x), one(value.y), one(value.z))
  }
}
