import SightlineImaging
import SightlineMath

/// Finds the features of a picture, stage by stage: scale space, keypoints, orientations, descriptors.
///
/// Can be interrupted between any two levels and batches of descriptors: ``begin(_:_:)`` takes a picture,
/// ``advance(_:into:)`` does the next step.
public final class FeatureExtractor {
  /// Which features are made.
  struct Parameters {
    /// Which keypoints are kept.
    var keypoints = KeypointDetector.Parameters()
    /// Whether a keypoint with two strong directions becomes two features; for building targets only, where a feature
    /// more costs nothing later.
    var allowsTwoDirections = false
  }

  /// What comes next of a picture, and with which level or feature.
  private enum Step { case smoothing(Int), detection(Int), choice, description(Int), done }

  /// Keypoints described in one step.
  private static let batch = 60

  var parameters: Parameters { didSet { detector.parameters = parameters.keypoints } }
  /// The picture at all sizes.
  let space = ScaleSpace()
  private let detector: KeypointDetector
  private let orientations = OrientationAssigner()
  private let descriptors = DescriptorExtractor()
  private var step = Step.done

  /// An extractor of the strongest features, as evenly over the picture as there are some.
  ///
  /// - Parameter limit: most features of a picture.
  public convenience init(limit: Int) {
    var parameters = Parameters()
    parameters.keypoints.limit = limit
    parameters.keypoints.partShare = 1
    self.init(parameters: parameters)
  }

  init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    detector = KeypointDetector(parameters: parameters.keypoints)
  }

  /// The features of a picture; of each of its parts the strongest first.
  func extract(_ image: GrayView, into set: inout FeatureSet) {
    begin(image, &set)
    while !isDone { _ = advance(image, into: &set) }
  }

  /// Whether the features of the picture are complete.
  public var isDone: Bool {
    if case .done = step { return true }
    return false
  }

  /// Takes a picture, of which ``advance(_:into:)`` finds the features step by step.
  ///
  /// - Parameters:
  ///   - image: the picture; its pixels are read by the steps that follow.
  ///   - set: is emptied.
  public func begin(_ image: GrayView, _ set: inout FeatureSet) {
    set.features.removeAll(keepingCapacity: true)
    set.descriptors.removeAll(keepingCapacity: true)
    detector.removeAll()
    space.fit(image.width, image.height)
    step = .smoothing(0)
  }

  /// Does the next step on a picture.
  ///
  /// - Parameters:
  ///   - image: the picture that was begun with.
  ///   - set: gets the features.
  /// - Returns: what that cost, work units.
  @discardableResult
  public func advance(_ image: GrayView, into set: inout FeatureSet) -> Int {
    switch step {
    case .smoothing(let level):
      guard level < space.levels.count else {
        step = .detection(0)
        return 0
      }
      space.fill(level, image)
      step = .smoothing(level + 1)
      let cost = level == 0 ? WorkCost.firstLevel : level == 1 ? WorkCost.secondLevel : WorkCost.halvedLevel
      return WorkCost.units(pixels(level), perThousand: cost)
    case .detection(let level):
      guard level < space.levels.count else {
        step = .choice
        return 0
      }
      let found = detector.detect(in: space, level: level)
      step = .detection(level + 1)
      let scan = level == 0 ? WorkCost.scan : WorkCost.halvedScan
      return (pixels(level) * scan / 1000 + found * WorkCost.keypoint) / WorkCost.unit
    case .choice:
      let count = detector.count
      detector.choose(width: image.width, height: image.height, in: space)
      step = .description(0)
      return WorkCost.units(count, WorkCost.keypointChoice)
    case .description(let first):
      let end = min(detector.count, first + Self.batch)
      for index in first..<end { describe(detector[index], &set) }
      step = end < detector.count ? .description(end) : .done
      return WorkCost.units(end - first, WorkCost.descriptor)
    case .done: return 0
    }
  }

  private func pixels(_ level: Int) -> Int { space.levels[level].width * space.levels[level].height }

  /// Adds the features at a keypoint: one for each of its directions.
  private func describe(_ keypoint: KeypointDetector.Extremum, _ set: inout FeatureSet) {
    let level = space.levels[Int(keypoint.level)]
    let spacing = powerOfHalfStep(keypoint.offset)
    let angles = orientations.directions(
      in: level,
      x: keypoint.x,
      y: keypoint.y,
      hasSecond: parameters.allowsTwoDirections
    )
    append(keypoint, level, spacing, angles.0, &set)
    if let second = angles.1 { append(keypoint, level, spacing, second, &set) }
  }

  private func append(
    _ keypoint: KeypointDetector.Extremum,
    _ level: ScaleSpace.Level,
    _ spacing: Float,
    _ angle: Float,
    _ set: inout FeatureSet
  ) {
    set.features.append(
      Feature(
        x: (keypoint.x + 0.5) * level.scale - 0.5,
        y: (keypoint.y + 0.5) * level.scale - 0.5,
        scale: level.scale * spacing,
        angle: angle,
        response: keypoint.response
      )
    )
    descriptors.describe(level, x: keypoint.x, y: keypoint.y, angle: angle, spacing: spacing, into: &set.descriptors)
  }

  /// √2 to a power of −0.5 … 0.5: the first terms of its series.
  private func powerOfHalfStep(_ offset: Float) -> Float { 1 + offset * (0.346_57 + offset * 0.060_06) }
}
