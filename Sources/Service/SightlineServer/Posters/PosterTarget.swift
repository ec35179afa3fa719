import Foundation
import SightlineImaging
import SightlinePictures
import SightlineStore
import SightlineTargets

/// Makes a poster's picture a target that cameras find, as `sightline target build` does.
struct PosterTarget: Sendable {
  let store: any ServerStore

  /// Longer side from which a rendition is large enough: a target's own reference is half as large.
  static let enough = 768

  /// The target file of a poster; its printed width is that of the poster's first size.
  ///
  /// - Throws: ``RequestProblem`` when the poster has no picture here.
  func file(_ poster: Poster) async throws -> [UInt8] {
    guard let picture = PosterTarget.rendition(poster), let hash = PosterTarget.hash(picture),
      let asset = try await store.asset(hash)
    else {
      throw RequestProblem.notFound(
        "poster.picture",
        "The poster \"\(poster.id)\" has no picture here that a target could be made of. Send it with one."
      )
    }
    let gray: Picture
    do throws(PictureError) {
      gray = try Picture(decoding: [UInt8](asset.bytes), as: .gray, limits: PosterPictures.limits)
    } catch {
      throw RequestProblem.notFound(
        "poster.picture",
        "The picture of the poster \"\(poster.id)\" cannot be read: \(error)"
      )
    }
    let width = poster.sizes.first.map { Double($0.width) / 1000 } ?? 0
    return try gray.pixels.withUnsafeBufferPointer { pixels in
      let view = try GrayView(pixels, width: gray.width, height: gray.height, stride: gray.width)
      return TargetBuilder().file(of: view, name: Array(poster.id.utf8), printedWidth: width)
    }
  }

  /// What a target file of a poster depends on: the same text, the same bytes.
  static func tag(_ poster: Poster) -> String {
    let width = poster.sizes.first.map { "\($0.width)" } ?? "none"
    return "target\(TargetFile.version)-\(rendition(poster).flatMap(hash)?.prefix(24) ?? "none")-\(width)"
  }

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
