import SightlineImaging

/// Makes targets from pictures.
public struct TargetBuilder {
  /// How targets are made.
  public struct Parameters: Sendable {
    /// Longer side of the reference, pixels; default 384.
    ///
    /// A larger one holds on more exactly from near, and makes larger files.
    public var longSide = 384
    /// Most features; default 450.
    ///
    /// More are found from farther and with more covered, and make larger files and slower searches.
    public var features = 450
    /// Quantisation of the stored reference, grey levels; default 12.
    ///
    /// A larger one makes smaller files with a rougher reference.
    public var quantisation = 12

    /// The defaults.
    public init() {}
  }

  /// How targets are made.
  public let parameters: Parameters

  /// A builder.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The target of a picture; the same picture gives the same target.
  ///
  /// A picture too poor to be found also becomes a target, with a rating that says so.
  ///
  /// - Parameters:
  ///   - picture: grey levels of the whole picture.
  ///   - name: UTF-8.
  ///   - printedWidth: width of the whole print, metres; 0 when unknown.
  /// - Returns: the target, as its file gives it back.
  public func build(_ picture: GrayView, name: [UInt8], printedWidth: Double = 0) -> Target {
    guard let target = try? TargetFile.decode(file(of: picture, name: name, printedWidth: printedWidth)) else {
      preconditionFailure("a target that was just written")
    }
    return target
  }

  /// The target file of a picture; the same picture gives the same bytes.
  ///
  /// - Parameters:
  ///   - picture: grey levels of the whole picture.
  ///   - name: UTF-8; at most 255 bytes of it are kept.
  ///   - printedWidth: width of the whole print, metres; 0 when unknown.
  /// - Returns: the bytes of the file, see ``TargetFile``.
  public func file(of picture: GrayView, name: [UInt8], printedWidth: Double = 0) -> [UInt8] {
    let scale = min(1, Double(parameters.longSide) / Double(max(picture.width, picture.height)))
    let width = max(1, Int((Double(picture.width) * scale).rounded()))
    let height = max(1, Int((Double(picture.height) * scale).rounded()))
    var full: GrayImage? = nil
    var source = FloatImage(width: 1, height: 1)
    // Halves first: the numbers of a huge picture would take four times its memory.
    if picture.width >= 4 * width && picture.height >= 4 * height {
      var half = GrayImage(width: 1, height: 1)
      half.setHalf(of: picture)
      while half.width >= 4 * width && half.height >= 4 * height {
        var quarter = GrayImage(width: 1, height: 1)
        half.withView { quarter.setHalf(of: $0) }
        half = quarter
      }
      full = half
    }
    source = full.map { $0.withView { FloatImage($0) } } ?? FloatImage(picture)
    let small = source.resized(width: width, height: height).rounded()
    // The reference is what a file would give back, so that a target is the same before and after.
    let code = small.withView { PictureCoder.encode($0, step: parameters.quantisation) }
    let reference = PictureCoder.decode(code[...], width: width, height: height, step: parameters.quantisation) ?? small
    let (smallWidth, smallHeight) = TargetFile.smallSize(width, height)
    let thumb = small.withView { FloatImage($0) }.resized(width: smallWidth, height: smallHeight).rounded()
    let smallCode = thumb.withView { PictureCoder.encode($0, step: parameters.quantisation) }
    var selector = FeatureSelector()
    let features = selector.select(reference, limit: parameters.features)
    let rating = TargetRating.rate(
      features: features,
      width: picture.width,
      height: picture.height,
      pyramid: ReferencePyramid(reference)
    )
    return TargetFile.encode(
      TargetFile.Parts(
        name: name,
        size: (picture.width, picture.height),
        referenceSize: (width, height),
        printedWidth: printedWidth,
        rating: rating,
        quantisation: parameters.quantisation,
        code: code,
        // A longer one than the file can tell of is left out: it is made from the reference then.
        smallCode: smallCode.count < 65536 ? smallCode : [],
        features: features
      )
    )
  }
}
