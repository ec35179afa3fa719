import Foundation
import SightlineModels
import SightlinePictures

/// Makes of an uploaded file what is stored: a picture decoded and written anew, turned upright, no larger than needed,
/// without anything that a camera or program noted in it; or a model, checked.
enum PictureIntake {
  /// What is stored.
  struct Result: Sendable {
    var bytes: Data
    var mediaType: String
    /// Pixels; `nil` for a model.
    var size: (width: Int, height: Int)?
  }

  /// Most pixels of an uploaded picture, looked at before it is decoded.
  static let largestPixels = 50_000_000
  /// Longest side of a stored picture, unless another is asked for.
  static let usualSide = 2048
  /// Longest side that can be asked for.
  static let largestSide = 4096

  /// Why a file is not taken.
  enum Refusal: Error, Equatable, Sendable {
    /// Neither a picture nor a model of a kind that is taken.
    case unknownType
    /// A damaged or too large picture, in words.
    case unreadable(String)
    /// A model that cannot be shown, in words.
    case model(String)

    /// A number and the words, for the way between processes.
    var parts: (number: UInt8, reason: String) {
      switch self {
      case .unknownType: (1, "")
      case .unreadable(let reason): (2, reason)
      case .model(let reason): (3, reason)
      }
    }

    /// The refusal that has these parts.
    init?(_ number: UInt8, _ reason: String) {
      switch number {
      case 1: self = .unknownType
      case 2: self = .unreadable(reason)
      case 3: self = .model(reason)
      default: return nil
      }
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: PNG, JPEG, WebP, or a model in GLB.
  ///   - side: Longest side of what is stored, pixels.
  /// - Returns: What is stored.
  /// - Throws: Why it is not taken.
  static func read(_ bytes: [UInt8], side: Int) throws(Refusal) -> Result {
    if bytes.prefix(4).elementsEqual("glTF".utf8) { return try model(bytes) }
    var limits = PictureLimits()
    limits.pixels = largestPixels
    let picture: Picture
    let header: PictureHeader
    do throws(PictureError) {
      header = try bytes.withUnsafeBufferPointer { buffer throws(PictureError) in try PictureHeader(buffer) }
      picture = try Picture(decoding: bytes, as: .rgba, limits: limits)
    } catch {
      throw error.kind == .unknownFormat ? .unknownType : .unreadable(error.description)
    }
    let orientation = header.format == .jpeg ? ExifOrientation.ofJPEG(bytes) : 1
    let small = picture.scaled(toFit: side).oriented(byExif: orientation)
    let isOpaque = header.format == .jpeg || !hasTransparency(small)
    do throws(PictureError) {
      // Drawings stay sharp as PNG; photographs, and what came compressed, would be many times larger.
      let png = header.format == .png || !isOpaque ? try (isOpaque ? small.converted(to: .rgb) : small).png() : nil
      if let png, !isOpaque || png.count <= small.width * small.height {
        return Result(bytes: Data(png), mediaType: "image/png", size: (small.width, small.height))
      }
      let jpeg = try small.converted(to: .rgb).jpeg(quality: 88)
      return Result(bytes: Data(jpeg), mediaType: "image/jpeg", size: (small.width, small.height))
    } catch {
      throw .unreadable(error.description)
    }
  }

  private static func hasTransparency(_ picture: Picture) -> Bool {
    var index = 3
    while index < picture.pixels.count {
      if picture.pixels[index] != 255 { return true }
      index += 4
    }
    return false
  }

  private static func model(_ bytes: [UInt8]) throws(Refusal) -> Result {
    do {
      _ = try Model(glb: bytes)
    } catch {
      throw .model("\(error)")
    }
    return Result(bytes: Data(withoutNotes(bytes)), mediaType: "model/gltf-binary", size: nil)
  }

  /// A model whose textures' Exif notes are blanked: photographs as textures say where they were taken, too.
  ///
  /// The length of everything stays, so that the offsets in the file stay right.
  static func withoutNotes(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    let name = Array("Exif\0\0".utf8)
    var index = 0
    while index + 10 <= result.count {
      guard result[index] == 0xFF, result[index + 1] == 0xE1, result[(index + 4)..<(index + 10)].elementsEqual(name)
      else {
        index += 1
        continue
      }
      let length = Int(result[index + 2]) << 8 | Int(result[index + 3])
      let end = min(result.count, index + 2 + max(2, length))
      for position in (index + 4)..<max(index + 4, end) { result[position] = 0 }
      index = end
    }
    return result
  }
}
