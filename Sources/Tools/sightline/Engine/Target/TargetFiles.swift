import Foundation
import SightlineImageTargets
import SightlineImaging
import SightlinePictures

/// Targets as files, and pictures as the engine wants them.
enum TargetFiles {
  /// Reads a target file.
  static func read(_ path: String) throws -> Target {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure("\(path): cannot be read; is it there, and a file?")
    }
    do throws(TargetFileError) {
      return try TargetFile.decode([UInt8](data))
    } catch {
      throw Failure("\(path): \(explain(error))")
    }
  }

  /// A target's name as text.
  static func name(_ target: Target) -> String { String(decoding: target.name, as: UTF8.self) }

  /// Reads a picture's grey levels.
  static func picture(_ path: String) throws -> Picture {
    do throws(PictureError) {
      return try Picture(contentsOfFile: path, as: .gray)
    } catch {
      throw Failure("\(path): \(error)")
    }
  }

  /// Reads the grey levels of what a target is made of: a picture, or the print of a marker pattern.
  static func print(_ path: String, patternRatio: Double = MarkerPattern.usualRatio) throws -> Picture {
    guard MarkerPattern.isNamed(path) else { return try picture(path) }
    do throws(PictureError) {
      return try MarkerPattern(contentsOfFile: path).picture(ratio: patternRatio).converted(to: .gray)
    } catch {
      throw Failure("\(path): \(error)")
    }
  }

  /// Lends a grey picture to the engine.
  static func withView<Result>(_ picture: Picture, _ body: (GrayView) throws -> Result) throws -> Result {
    try picture.pixels.withUnsafeBufferPointer { pixels in
      try body(try GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width))
    }
  }

  /// Writes an encoded picture.
  static func write(_ path: String, _ encode: () throws(PictureError) -> [UInt8]) throws {
    let bytes: [UInt8]
    do throws(PictureError) {
      bytes = try encode()
    } catch {
      throw Failure("\(path): \(error)")
    }
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
      throw Failure("\(path): cannot be written; does its folder exist?")
    }
  }

  private static func explain(_ error: TargetFileError) -> String {
    switch error {
    case .notATarget: "this is no target file; make one with sightline target build"
    case .version(let version):
      "target files of version \(version) are not known here, only up to \(TargetFile.version); build the target again"
    case .length(let needed, let given): "\(given) bytes where \(needed) should be; copy the file again"
    case .checksum: "the bytes have been changed; copy the file again or build the target again"
    case .value(let at): "the number at byte \(at) cannot be; build the target again"
    }
  }

  /// What keeps a picture from being a better target, in words.
  static func reasons(_ rating: TargetRating) -> [String] {
    var result: [String] = []
    if rating.reasons.contains(.tooSmall) { result.append("the picture has few pixels: give a larger one") }
    if rating.reasons.contains(.littleTexture) {
      result.append("large parts are smooth: more detail would give more to hold on to")
    }
    if rating.reasons.contains(.lowContrast) { result.append("light and dark hardly differ") }
    if rating.reasons.contains(.repeatsItself) { result.append("the same things stand in several places") }
    if rating.reasons.contains(.unevenlySpread) { result.append("what there is lies in a small part of the picture") }
    return result
  }

  /// Machine-readable names of the reasons.
  static func codes(_ rating: TargetRating) -> [String] {
    var result: [String] = []
    if rating.reasons.contains(.tooSmall) { result.append("too-small") }
    if rating.reasons.contains(.littleTexture) { result.append("little-texture") }
    if rating.reasons.contains(.lowContrast) { result.append("low-contrast") }
    if rating.reasons.contains(.repeatsItself) { result.append("repeats-itself") }
    if rating.reasons.contains(.unevenlySpread) { result.append("unevenly-spread") }
    return result
  }
}

extension TargetFiles {
  /// What to know of targets made of marker patterns; the figures are in Documentation/formats/patt.md.
  static let patternAdvice = """
      a pattern of so few numbers is found when its print is 60 pixels wide or more and tilted by 45° at most; a marker of Sightline's own \
    is found smaller and more steeply: sightline markers make --dictionary 6x6-250 --id 0 --length 0.08 -o marker.pdf
    """
}
