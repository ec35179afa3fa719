import SightlineMath

/// A camera's intrinsics and distortion from several views of a flat board.
///
/// Goals, in this order: the least squares of the reprojection over all views; a stated uncertainty for every number; no
/// picture that is wrong spoils the rest.
///
/// Start in closed form (two equations a view for the focal lengths, the principal point in the middle), then Levenberg's
/// and Marquardt's method over the camera and all poses, the poses eliminated view by view (Schur's complement). Points that
/// are farther off than five times the robust spread are left out, and the rest is solved again until that changes nothing.
///
/// Source: Zhang 2000, doi:10.1109/34.888718, sections 3 and 4; for the elimination Triggs et al. 2000,
/// doi:10.1007/3-540-44480-7_21, section 6.
public struct CameraCalibration: Sendable {
  /// Intrinsics, pixels.
  public internal(set) var intrinsics: Intrinsics
  /// Distortion of the lens.
  public internal(set) var distortion = LensDistortion.none
  /// Standard deviations of fx, fy, cx, cy (pixels), k1, k2, p1, p2, k3; 0 for terms that were not estimated.
  public internal(set) var deviations = InlineArray<9, Double>(repeating: 0)
  /// Root mean square distance of the points that count, pixels.
  public internal(set) var reprojectionError = 0.0
  /// One for each view, in the given order; `nil` where a view had too few points.
  public internal(set) var views: [CalibratedView?] = []

  /// Least number of points of a view.
  public static let leastPoints = 6

  /// Calibrates a camera.
  ///
  /// - Parameters:
  ///   - given: three views or more, from different directions.
  ///   - width: of the pictures, pixels.
  ///   - height: of the pictures, pixels.
  ///   - terms: distortion that is estimated.
  /// - Throws: ``CalibrationError``.
  public init(
    views given: [CalibrationView],
    width: Int,
    height: Int,
    terms: DistortionTerms = .all
  ) throws(CalibrationError) {
    let usable = given.indices.filter { given[$0].points.count >= Self.leastPoints }
    guard usable.count >= 3 else { throw .tooFewViews(usable: usable.count) }
    guard let start = CalibrationStart(usable.map { given[$0] }, width: width, height: height) else {
      throw .undetermined
    }
    var problem = CalibrationProblem(usable.map { given[$0] }, start)
    // The focal lengths and the strongest term first: with all at once a poor start can end in a wrong minimum.
    var isFree = [Bool](repeating: false, count: PixelDerivatives.cameraCount)
    (isFree[0], isFree[1], isFree[4]) = (true, true, terms.contains(.k1))
    problem.solve(isFree)
    for i in 0..<4 { isFree[i] = true }
    for i in 0..<5 { isFree[4 + i] = terms.contains(DistortionTerms(rawValue: 1 << UInt8(i))) }
    problem.solve(isFree)
    var round = 0
    while round < 5, problem.chooseInliers() {
      problem.solve(isFree)
      round += 1
    }
    guard let deviations = problem.deviations(isFree), problem.isPlausible else { throw .undetermined }

    intrinsics = problem.camera
    distortion = problem.lens
    self.deviations = deviations
    reprojectionError = problem.rootMeanSquare
    self.views = [CalibratedView?](repeating: nil, count: given.count)
    for (index, view) in usable.enumerated() { self.views[view] = problem.result(index) }
  }
}

/// What a calibration says about one of its views.
public struct CalibratedView: Sendable {
  /// Where the board lay; its error is that of the points that count, pixels.
  public var cameraFromBoard: PlanarPose
  /// For each point whether it counts: the others were too far off.
  public var isUsed: [Bool]
  /// Largest distance of a point, of all points, pixels.
  public var largestError: Double
}
