import SightlineCamera
import SightlineImaging
import SightlineMath

/// A target with all that recognising and following it needs; made from ``Target`` once, then kept.
final class TargetModel {
  let target: Target
  /// The map from the pixels of the picture the target was made from to those of the reference.
  var referenceFromPicture: Homography {
    Self.scaling(
      Double(target.referenceWidth) / Double(target.width),
      Double(target.referenceHeight) / Double(target.height)
    )
  }
  /// The map from the pixels of the small picture to those of the reference.
  var referenceFromThumbnail: Homography {
    let small = TargetFile.smallSize(target.referenceWidth, target.referenceHeight)
    return Self.scaling(
      Double(target.referenceWidth) / Double(small.width),
      Double(target.referenceHeight) / Double(small.height)
    )
  }
  private var reference: GrayImage?
  private var kept: ReferencePyramid?
  /// The reference at falling sizes; made when it is first asked for, see ``TargetModel/evict()``.
  var pyramid: ReferencePyramid {
    if let kept { return kept }
    let picture = reference ?? target.reference()
    let made = ReferencePyramid(picture)
    (reference, kept) = (picture, made)
    return made
  }
  /// Whether ``pyramid`` is there without being decoded.
  var isDecoded: Bool { reference != nil }
  /// Whether it is there at all the sizes that were asked for.
  var hasPyramid: Bool { kept != nil }
  /// Size of the reference, pixels.
  var extent: SIMD2<Float> { SIMD2(Float(target.referenceWidth), Float(target.referenceHeight)) }
  /// Longer side of the reference, pixels.
  var longSide: Float { extent.max() }

  private var thumbnail: GrayImage?
  private var keptThumbnailPyramid: ReferencePyramid?
  /// The small picture at falling sizes, for a first look; made when it is first asked for, see
  /// ``TargetModel/evictThumbnail()``.
  var thumbnailPyramid: ReferencePyramid {
    if let keptThumbnailPyramid { return keptThumbnailPyramid }
    let picture = thumbnail ?? target.thumbnail()
    let made = ReferencePyramid(picture)
    (thumbnail, keptThumbnailPyramid) = (picture, made)
    return made
  }
  /// Whether ``thumbnailPyramid`` is there without being decoded.
  var isThumbnailDecoded: Bool { thumbnail != nil }

  /// Gives the memory of the small picture back until it is needed again.
  func evictThumbnail() { (thumbnail, keptThumbnailPyramid) = (nil, nil) }

  /// Gives that of its sizes back alone: seven times as much as the picture that they are made of.
  func evictThumbnailPyramid() { keptThumbnailPyramid = nil }

  /// Gives the memory of the reference back until it is needed again: a thousand of them would take half a gigabyte.
  func evict() { (reference, kept) = (nil, nil) }

  /// Gives that of its sizes back alone: seven times as much as the picture that they are made of.
  func evictPyramid() { kept = nil }

  init(_ target: Target) { self.target = target }

  /// The map from a picture's pixels to those of the same picture so many times as large.
  private static func scaling(_ kx: Double, _ ky: Double) -> Homography {
    Homography(
      Matrix3(rows: Vector3(kx, 0, 0.5 * kx - 0.5), Vector3(0, ky, 0.5 * ky - 0.5), Vector3(0, 0, 1))
    )
  }
}
