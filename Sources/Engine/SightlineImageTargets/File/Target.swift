import SightlineImaging

/// A flat picture that can be recognised and followed: what ``TargetBuilder`` made of it, or a file brought back.
///
/// Holds the bytes of its file; pictures and features are decoded when they are asked for, so that a thousand targets
/// fit
/// into a phone's memory. Coordinates inside are those of the reference, the picture at ``referenceWidth`` ×
/// ``referenceHeight``
/// pixels; results are given in the pixels of the picture it was made from.
public struct Target: Equatable, Sendable {
  /// The target file.
  public let bytes: [UInt8]
  /// Its name, UTF-8: the engine hands it on and does not read it.
  public var name: [UInt8] { Array(bytes[TargetFile.nameOffset..<code.lowerBound]) }
  /// Size of the picture it was made from, pixels.
  public let width: Int
  /// Size of the picture it was made from, pixels.
  public let height: Int
  /// Pixels of the reference in a row.
  public let referenceWidth: Int
  /// Rows of the reference.
  public let referenceHeight: Int
  /// Width of the whole printed picture, metres; 0 when it is not known.
  public let printedWidth: Double
  /// How well it will be found, and why not better.
  public let rating: TargetRating
  /// How many features it has.
  public let featureCount: Int
  let quantisation: Int
  let code: Range<Int>
  let smallCode: Range<Int>

  /// What it can be found by, in pixels of the reference; the strongest first.
  ///
  /// Decoded anew at each call.
  public func features() -> FeatureSet { TargetFile.features(bytes, at: smallCode.upperBound, count: featureCount) }

  /// The picture as the tracker keeps it.
  ///
  /// Decoded anew at each call.
  public func reference() -> GrayImage {
    // A code that ends too early has been refused when the file was read, unless its checksum was forged.
    PictureCoder.decode(bytes[code], width: referenceWidth, height: referenceHeight, step: quantisation)
      ?? GrayImage(width: referenceWidth, height: referenceHeight, level: 128)
  }

  /// The reference at ``TargetFile/smallSide`` pixels, for a first look; of an old file made from the reference.
  ///
  /// Decoded anew at each call.
  func thumbnail() -> GrayImage {
    let (width, height) = TargetFile.smallSize(referenceWidth, referenceHeight)
    if !smallCode.isEmpty,
      let picture = PictureCoder.decode(bytes[smallCode], width: width, height: height, step: quantisation)
    {
      return picture
    }
    return reference().withView { FloatImage($0) }.resized(width: width, height: height).rounded()
  }
}

/// How well a target can be expected to be found and followed.
public struct TargetRating: Equatable, Sendable {
  /// What keeps a picture from being a better target.
  public struct Reasons: OptionSet, Equatable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Reasons from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Large parts are smooth: there is little to hold on to.
    public static let littleTexture = Reasons(rawValue: 1)
    /// The same things stand in several places.
    public static let repeatsItself = Reasons(rawValue: 2)
    /// Light and dark hardly differ.
    public static let lowContrast = Reasons(rawValue: 4)
    /// What there is lies in a small part of the picture.
    public static let unevenlySpread = Reasons(rawValue: 8)
    /// The picture has few pixels.
    public static let tooSmall = Reasons(rawValue: 16)
  }

  /// 0 (will not be found) … 5 (found far away, tilted and blurred).
  public var stars: Double
  /// Why it is not better.
  public var reasons: Reasons

  /// A rating.
  public init(stars: Double, reasons: Reasons) {
    self.stars = stars
    self.reasons = reasons
  }
}
