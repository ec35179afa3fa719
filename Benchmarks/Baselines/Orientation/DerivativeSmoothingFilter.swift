import SightlineFusion
import SightlineMath

/// iBetelgeuse's filter, see ``HistoricFilter/derivativeSmoothing(_:)``: a predictor that carries a smoothed angular rate
/// along, and a corrector that pulls to the mean of the last inputs, the harder the faster the turn.
///
/// Source: Stevense and van der Tak, iBetelgeuse, TU Delft 2010, section on the orientation filter, with the parameters of the
/// published program. Two of its slips are mended, as a comparison should not rest on them: repeated time stamps are
/// dropped, and a gap of more than a second starts the filter anew.
public struct DerivativeSmoothingFilter: Sendable {
  /// Share of the correction at rest.
  public var correction = 0.03
  /// What it grows by for each radian a second.
  public var correctionGain = 0.3
  /// Rate below which the device counts as still, radians a second; taken off every rate.
  public var stabiliser = Angle(degrees: 10).radians
  /// Samples in the mean of the rate.
  public var rateWindow = 33
  /// Samples in the mean of the inputs.
  public var inputWindow = 7

  private var output: Quaternion?
  private var lastInput = Quaternion.identity
  private var lastTime = 0.0
  private var rates: [(rate: Quaternion, weight: Double)] = []
  private var inputs: [Quaternion] = []

  /// A filter before its first sample.
  public init() {}

  /// Takes a sample; answers the attitude, or `nil` before the first usable one.
  public mutating func take(_ sample: MotionSample) -> Quaternion? {
    guard let look = sample.attitude else { return output }
    // The original works on the inverse rotation, from the world to the device.
    let input = look.inverse
    guard let previous = output?.inverse, sample.time - lastTime <= 1 else {
      self = Self(keepingParametersOf: self)
      (output, lastInput, lastTime) = (look, input, sample.time)
      return output
    }
    let step = sample.time - lastTime
    guard step > 0 else { return output }
    let before = lastInput.dot(input) < 0 ? lastInput * -1 : lastInput
    remember(rate: (before.inverse * (input - before)) * (2 / step), weight: step, input: input)
    (lastInput, lastTime) = (input, sample.time)
    let rate = steadiedRate()
    let estimate = (previous + (previous * rate) * (step / 2)).normalized ?? previous
    let speed = rate.dot(rate).squareRoot()
    let share = min(1, correction + correctionGain * speed)
    output = (sphericalMean(inputs).map { estimate.slerp(to: $0, share: share) } ?? estimate).inverse
    return output
  }

  private init(keepingParametersOf other: Self) {
    self.init()
    (correction, correctionGain, stabiliser) = (other.correction, other.correctionGain, other.stabiliser)
    (rateWindow, inputWindow) = (other.rateWindow, other.inputWindow)
  }

  private mutating func remember(rate: Quaternion, weight: Double, input: Quaternion) {
    if rates.count == rateWindow { rates.removeFirst() }
    rates.append((rate, weight))
    if inputs.count == inputWindow { inputs.removeFirst() }
    inputs.append(input)
  }

  /// The mean rate, shortened by the stabiliser.
  private func steadiedRate() -> Quaternion {
    var sum = Quaternion(w: 0, x: 0, y: 0, z: 0)
    var weights = 0.0
    for entry in rates {
      sum = sum + entry.rate * entry.weight
      weights += entry.weight
    }
    let mean = sum * (1 / weights)
    let speed = mean.dot(mean).squareRoot()
    return speed < stabiliser ? mean * 0 : mean * (1 - stabiliser / speed)
  }
}

extension Quaternion {
  static func + (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w + b.w, x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }
  static func - (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w - b.w, x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }
  static func * (a: Quaternion, s: Double) -> Quaternion { Quaternion(w: a.w * s, x: a.x * s, y: a.y * s, z: a.z * s) }

  /// The rotation a share of the shorter way towards another.
  func slerp(to other: Quaternion, share: Double) -> Quaternion {
    (Quaternion(rotationVector: (other * inverse).rotationVector * share) * self).normalized ?? self
  }
}
