import SightlineCamera
import SightlineImaging
import SightlineMath

/// The features of a frame, or of an affine view of it, ready to be matched.
final class FrameFeatures {
  /// How features of frames are found.
  struct Parameters {
    /// Most keypoints, least response and share of each part, see ``KeypointDetector/Parameters``.
    ///
    /// Gravel, grass and the like around a plain print have thousands of stronger features than it has; yet a small,
    /// steep print has its own in one
    /// place.
    var keypoints: KeypointDetector.Parameters = {
      var parameters = KeypointDetector.Parameters()
      (parameters.limit, parameters.threshold, parameters.partShare) = (600, 14, 0.4)
      return parameters
    }()
    /// How far from a view's rim a feature has to lie in the frame, pixels: what a view has beyond is drawn out of the
    /// rim.
    var rim = 3.0
  }

  let parameters: Parameters
  /// The features.
  private(set) var all = FeatureSet()
  /// Their keypoints, in the same order.
  private(set) var keypoints = FixedBuffer<Keypoint>(count: 1024, filledWith: .zero)
  /// The same by cells of the picture.
  let matcher = GuidedMatcher()
  private let extractor: FeatureExtractor
  /// From the pixels of the view that is looked at to the frame's; `nil` when it is the frame itself.
  private var frameFromView: Homography?
  private var (frameWidth, frameHeight) = (0.0, 0.0)

  init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    extractor = FeatureExtractor(parameters: FeatureExtractor.Parameters(keypoints: parameters.keypoints))
  }

  /// How many features there are.
  var count: Int { all.count }

  /// Memory that nobody needs from the end of extraction to the next picture: differences have told where keypoints
  /// are.
  var scratch: FixedBuffer<Int16> { extractor.space.differences }

  /// Takes a frame, whose features ``advance(_:)`` finds.
  func begin(_ frame: GrayView) {
    extractor.begin(frame, &all)
    frameFromView = nil
  }

  /// Takes a view of a frame of that size instead.
  func begin(_ view: GrayView, frameFromView: Homography, width: Int, height: Int) {
    extractor.begin(view, &all)
    self.frameFromView = frameFromView
    (frameWidth, frameHeight) = (Double(width), Double(height))
  }

  /// Does the next step of finding the features of what was taken; answers what that cost, work units, and whether it
  /// was the last.
  func advance(_ picture: GrayView) -> (work: Int, isDone: Bool) {
    if !extractor.isDone { return (extractor.advance(picture, into: &all), false) }
    if let frameFromView {
      let rim = parameters.rim
      all.keep { feature in
        guard let p = frameFromView(Vector2(Double(feature.x), Double(feature.y))) else { return false }
        return p.x > rim && p.y > rim && p.x < frameWidth - rim - 1 && p.y < frameHeight - rim - 1
      }
    }
    if keypoints.count < all.count { keypoints = FixedBuffer(count: all.count * 2, filledWith: .zero) }
    for (i, feature) in all.features.enumerated() { keypoints.base[i] = Keypoint(feature) }
    matcher.set(all, width: picture.width, height: picture.height)
    return (WorkCost.units(all.count, WorkCost.keypointEntry), true)
  }

  /// A map to the picture that is looked at, as one to the frame.
  func inFrame(_ map: Homography) -> Homography { frameFromView.map { ($0 * map).scaled } ?? map }

  /// A place of the picture that is looked at, in the frame's pixels.
  func inFrame(_ p: SIMD2<Float>) -> SIMD2<Float> {
    guard let frameFromView, let q = frameFromView(Vector2(Double(p.x), Double(p.y))) else { return p }
    return SIMD2(Float(q.x), Float(q.y))
  }
}
