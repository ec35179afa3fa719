import SightlineMath

extension Homography {
  /// The map from a picture to where a lens that keeps straight lines straight would have put its points, good around one
  /// flat thing in it.
  ///
  /// What a lens does is no homography; over a part of the picture the nearest one, by least squares over points that are spread
  /// over the thing, leaves little. Applied to a map that was itself fitted to the bent thing, what either leaves cancels.
  /// `nil` where the thing is not before the camera, or lies where the terms describe no lens.
  ///
  /// - Parameters:
  ///   - pictureFromPlane: from the thing to the picture.
  ///   - width: of the thing, whose corner is at (−0.5, −0.5).
  ///   - height: of the thing.
  ///   - intrinsics: of the picture.
  ///   - distortion: of its lens.
  public init?(
    straightening pictureFromPlane: Homography,
    width: Double,
    height: Double,
    intrinsics: Intrinsics,
    distortion: LensDistortion
  ) {
    let side = 5
    var (seen, straight): ([Vector2], [Vector2]) = ([], [])
    var isInside: [Bool] = []
    for row in 0..<side {
      for column in 0..<side {
        let share = Vector2(Double(column) + 0.5, Double(row) + 0.5) * (1 / Double(side))
        guard let pixel = pictureFromPlane(Vector2(share.x * width - 0.5, share.y * height - 0.5)) else { continue }
        let ray = Vector2(
          (pixel.x - intrinsics.centerX) / intrinsics.focalX,
          (pixel.y - intrinsics.centerY) / intrinsics.focalY
        )
        guard let there = distortion.undistorted(ray) else { continue }
        seen.append(pixel)
        straight.append(
          Vector2(intrinsics.centerX + intrinsics.focalX * there.x, intrinsics.centerY + intrinsics.focalY * there.y)
        )
        isInside.append(
          pixel.x > -0.5 && pixel.y > -0.5 && pixel.x < intrinsics.width - 0.5 && pixel.y < intrinsics.height - 0.5
        )
      }
    }
    let least = 8
    // Outside the picture nothing was measured, neither of the thing nor of the lens.
    if isInside.count(where: { $0 }) >= least {
      seen = zip(seen, isInside).compactMap { $1 ? $0 : nil }
      straight = zip(straight, isInside).compactMap { $1 ? $0 : nil }
    }
    guard seen.count >= least else { return nil }
    self.init(from: seen, to: straight)
  }
}
