import Crypto
import Foundation
import SightlineImageTargets
import SightlineImaging
import SightlinePictures
import SightlineStore

/// Makes a poster's picture a target that cameras find, as `sightline target build` does.
struct PosterTarget: Sendable {
  let assets: any AssetStore

  /// Longer side from which a rendition is large enough: a target's own reference is half as large.
  static let enough = 768

  /// The target file of a poster, built apart; its printed width is that of the poster's first size.
  ///
  /// - Throws: ``PosterError`` when the poster has no picture here, or none that can be read.
  func file(_ poster: Poster, documents: ForeignDocuments, client: String) async throws -> [UInt8] {
    guard let picture = PosterTarget.rendition(poster), let hash = PosterTarget.hash(picture),
      let asset = try await assets.asset(hash)
    else {
      throw PosterError.noTarget(poster.id)
    }
    let width = poster.sizes.first.map { Double($0.width) / 1000 } ?? 0
    switch try await documents.target(asset.bytes, name: poster.id, width: width, client: client) {
    case .success(let file): return file
    case .failure(let reason): throw PosterError.unreadableTarget(poster.id, reason: "\(reason)")
    }
  }

  /// Makes a picture a target with a name that is `width` metres wide in print; 0 for not known.
  ///
  /// - Throws: ``PosterPictures/Unfit`` when it cannot be decoded, or is no picture that can be one.
  static func build(_ picture: [UInt8], name: String, width: Double) throws(PosterPictures.Unfit) -> [UInt8] {
    do {
      let gray = try Picture(decoding: picture, as: .gray, limits: PosterPictures.limits)
      return try gray.pixels.withUnsafeBufferPointer { pixels in
        let view = try GrayView(pixels, width: gray.width, height: gray.height, stride: gray.width)
        return TargetBuilder().file(of: view, name: Array(name.utf8), printedWidth: width)
      }
    } catch {
      throw PosterPictures.Unfit(description: "\(error)")
    }
  }

  /// What a target file of a poster depends on, beside its name: the same text, the same bytes.
  static func tag(_ poster: Poster) -> String {
    let width = poster.sizes.first.map { "\($0.width)" } ?? "none"
    return "target-\(builder)-\(rendition(poster).flatMap(hash)?.prefix(24) ?? "none")-\(width)"
  }

  /// What names the builder: the hash of what it makes of one picture.
  ///
  /// A builder that makes other files of the same pictures has another name without anybody having to think of it.
  static let builder: String = {
    let (width, height) = (480, 360)
    var pixels = [UInt8](repeating: 190, count: width * height)
    var state: UInt32 = 7
    func next(_ limit: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % limit
    }
    for _ in 0..<120 {
      let (x0, y0, level) = (next(width - 50), next(height - 50), UInt8(clamping: next(256)))
      for y in y0..<y0 + 4 + next(46) { for x in x0..<x0 + 4 + next(46) { pixels[y * width + x] = level } }
    }
    let file = pixels.withUnsafeBufferPointer { pixels in
      (try? GrayView(pixels, width: width, height: height, stride: width)).map {
        TargetBuilder().file(of: $0, name: [])
      }
    }
    return Data(SHA256.hash(data: Data(file ?? []))).hexadecimal.prefix(8).lowercased()
  }()

  /// The smallest rendition that is large enough, or the largest there is.
  static func rendition(_ poster: Poster) -> PosterPicture? {
    let sorted = poster.pictures.sorted { $0.width < $1.width }
    return sorted.first { max($0.width, $0.height) >= enough } ?? sorted.last
  }

  private static func hash(_ picture: PosterPicture) -> String? {
    let start = "/assets/"
    return picture.url.hasPrefix(start) ? String(picture.url.dropFirst(start.count)) : nil
  }
}
