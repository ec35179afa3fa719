import SightlineMath

/// An eye of which is known where it is but for an error: points where it may be, each with its weight.
///
/// Made by ``OcclusionIndex/eye(at:sigma:parameters:)`` once for a position.
public struct UncertainEye: Sendable {
  /// Most points.
  static let most = 16

  /// How an uncertain position is spread.
  public struct Parameters: Equatable, Sendable {
    /// At how many points the eye is tried, 1 … 16; more makes the answer finer and costs as much more time.
    public var samples = 6
    /// Weight of a point inside a building against one outside.
    ///
    /// Somebody who looks around in a town stands in the street more often than a fix that is some metres off says.
    /// Smaller trusts the fix less.
    public var indoors = 0.1
    /// Largest standard deviation that is believed, metres; beyond it, it counts as this.
    public var mostSigma: Double = 50

    /// The defaults.
    public init() {}
  }

  /// The middle, metres: east, north, up over the ground.
  public let point: Vector3
  /// Where it may be, the middle of it first; none for an eye that is nowhere.
  var samples: [Sample] = []

  /// Whether every point where it may be lies in a building.
  public var isIndoors: Bool { !samples.isEmpty && samples.allSatisfy { !$0.around.isEmpty } }

  /// A point where the eye may be.
  struct Sample: Sendable {
    var point: Vector2
    /// Of all points together 1.
    var weight: Double
    /// The buildings around it: what one stands in hides nothing.
    var around: FewBuildings
  }
}

extension OcclusionIndex {
  /// Spreads an eye over where it may be.
  ///
  /// The points are those of a sunflower (Vogel 1979, doi:10.1016/0025-5564(79)90080-4), with radii at equal steps of
  /// the Rayleigh distribution, so that each stands for the same share of a normal distribution.
  ///
  /// - Parameters:
  ///   - point: east, north, and up over the ground, metres.
  ///   - sigma: standard deviation of the position along east and along north, metres; what is not above 0 counts as 0, what is
  ///     not a number as unknown: the largest.
  ///   - parameters: how it is spread.
  /// - Returns: an eye to which everything is seen when the position is none.
  public func eye(
    at point: Vector3,
    sigma: Double,
    parameters: UncertainEye.Parameters = UncertainEye.Parameters()
  ) -> UncertainEye {
    var eye = UncertainEye(point: point)
    guard abs(point.x) <= 1e6, abs(point.y) <= 1e6, abs(point.z) <= 1e6 else { return eye }
    let spread = sigma.isNaN ? parameters.mostSigma : clamp(sigma, 0, parameters.mostSigma)
    let count = spread > 0 ? min(max(parameters.samples, 1), UncertainEye.most) : 1
    // A share too small for a number would make all weights 0.
    let indoors = clamp(parameters.indoors, 1e-6, 1)
    var sum = 0.0
    for k in 0..<count {
      var sample = Vector2(point.x, point.y)
      if count > 1 {
        let rank = (Double(k) + 0.5) / Double(count)
        let radius = spread * (-2 * log(1 - rank)).squareRoot()
        // The golden angle.
        let angle = 2.399_963_229_728_653 * Double(k)
        sample = sample + Vector2(radius * cos(angle), radius * sin(angle))
      }
      let around = buildings(over: sample, beginningBelow: point.z)
      let weight = around.isEmpty ? 1 : indoors
      eye.samples.append(UncertainEye.Sample(point: sample, weight: weight, around: around))
      sum += weight
    }
    for k in eye.samples.indices { eye.samples[k].weight /= sum }
    return eye
  }
}
