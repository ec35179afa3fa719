import Foundation
import SightlineImport
import SightlineInput
import SightlinePictures
import SightlineStore

/// Makes of whatever picture comes in the ones that are served.
///
/// Nothing of the file is passed on: its pixels are decoded, turned upright, made smaller and written anew, so neither
/// notes of a camera (position, serial number) nor anything hidden in the file reaches a visitor.
struct PosterPictures: Sendable {
  /// A picture in one resolution, written as JPEG.
  struct Rendition: Sendable {
    var width: Int
    var height: Int
    var bytes: Data
  }

  /// What became of a picture.
  struct Made: Sendable {
    /// From the narrowest to the widest.
    var renditions: [Rendition]
    /// Mean colour, `#rrggbb`.
    var color: String
    /// Width over height.
    var aspect: Double
  }

  /// Widths that are served, pixels; the first for lists on phones, the last for a poster seen up close.
  static let widths = [240, 480, 960, 1920]
  /// Longest side that is served.
  static let longestSide = 4096
  /// Fewest pixels along the shorter side that make a poster.
  static let shortestSide = 64
  /// Longest side over the shorter one.
  static let largestAspect = 20.0

  /// What is decoded at all: checked against the file's header before anything is decoded.
  static var limits: PictureLimits {
    var limits = PictureLimits()
    limits.pixels = 64_000_000
    limits.side = 20_000
    limits.fileBytes = ImportedDocument.largestPicture
    return limits
  }

  /// Reads a file and makes its renditions.
  ///
  /// - Throws: A ``PictureError``, or ``Unfit`` for a picture that cannot be a poster's.
  static func make(_ file: Data) throws -> Made {
    let bytes = [UInt8](file)
    // Alpha counts: what is transparent is paper.
    let picture = try Picture(decoding: bytes, as: .rgba, limits: limits)
      .oriented(byExif: ExifOrientation.ofJPEG(bytes))
      .onWhite()
    let (width, height) = (picture.width, picture.height)
    guard min(width, height) >= shortestSide else {
      throw Unfit(
        description: "The picture has \(width) × \(height) pixels; a poster needs at least \(shortestSide) each way."
      )
    }
    let aspect = Double(width) / Double(height)
    guard max(aspect, 1 / aspect) <= largestAspect else {
      throw Unfit(
        description: "The picture has \(width) × \(height) pixels, which is too long and narrow for a poster."
      )
    }
    let widest = min(width, widths.last ?? width, max(1, Self.longestSide * width / max(width, height)))
    var wanted = widths.filter { $0 < widest && Double($0) <= 0.8 * Double(widest) }
    wanted.append(widest)
    var renditions: [Rendition] = []
    var source = picture
    for newWidth in wanted.reversed() {
      source = source.scaled(toFit: max(newWidth, Int(clamped: (Double(newWidth) / aspect).rounded())))
      let written = try source.jpeg(quality: newWidth < 400 ? 80 : 86)
      renditions.append(Rendition(width: source.width, height: source.height, bytes: Data(written)))
    }
    let color = "#" + Data(mean(of: source)).hexadecimal
    return Made(renditions: renditions.reversed(), color: color, aspect: aspect)
  }

  /// A picture that can be read but is no poster.
  struct Unfit: Error, CustomStringConvertible {
    let description: String
  }

  /// Mean of red, green and blue.
  private static func mean(of picture: Picture) -> [UInt8] {
    var sums = [0, 0, 0]
    for index in picture.pixels.indices { sums[index % 3] += Int(picture.pixels[index]) }
    return sums.map { UInt8(clamped: $0 / max(1, picture.width * picture.height)) }
  }
}
