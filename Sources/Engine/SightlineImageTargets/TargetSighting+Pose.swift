import SightlineCamera
import SightlineMath

extension TargetSighting {
  /// How the picture lies before the camera, in the frame that everything flat has: see `PlanarPose`.
  ///
  /// Its error is what the homography and the rigid pose disagree about, see `PlanarPose.init(pictureFromPlane:…)`; how surely
  /// the homography itself is known says ``cornerSigma``.
  ///
  /// - Parameters:
  ///   - intrinsics: of the frame, pixels.
  ///   - distortion: of its lens.
  ///   - width: of the picture the target was made from, pixels.
  ///   - height: of the same picture, pixels.
  ///   - printedWidth: width of the whole print, metres, more than 0; the translation is in the same unit.
  /// - Returns: `nil` when the homography is none that a camera could have made, or when the picture lies where the terms of the
  ///   distortion describe no lens.
  public func cameraFromPicture(
    intrinsics: Intrinsics,
    distortion: LensDistortion = .none,
    width: Int,
    height: Int,
    printedWidth: Double
  ) -> PlanarPose? {
    var straightFromPicture = frameFromPicture
    if distortion != .none {
      guard
        let straightFromFrame = Homography(
          straightening: frameFromPicture,
          width: Double(width),
          height: Double(height),
          intrinsics: intrinsics,
          distortion: distortion
        )
      else { return nil }
      straightFromPicture = straightFromFrame * frameFromPicture
    }
    let pictureFromPlane = Homography(pictureFromPlane: printedWidth, width: width, height: height)
    return PlanarPose(
      pictureFromPlane: straightFromPicture * pictureFromPlane,
      width: printedWidth,
      height: printedWidth * Double(height) / Double(width),
      intrinsics: intrinsics
    )
  }
}
