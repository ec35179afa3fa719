import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineMarkers

struct TemplateCorrelationTests {
  @Test(arguments: [MarkerFamily.grid4x4, .arucoOriginal, .apriltag16h5])
  func `a print looks like itself, also blurred, noisy, leaning and in uneven light`(family: MarkerFamily) throws {
    for (id, degrees) in [(3, 10.0), (17, 77), (26, 200)] {
      let corners = square(Vector2(60, 60), side: 70, degrees: degrees, lean: 0.3)
      var image = Print(family: family, id: id, corners: corners).draw(width: 120, height: 120, noise: 5)
      for y in 0..<120 {
        for x in 0..<120 { image[x, y] = UInt8(Double(image[x, y]) * (0.4 + 0.5 * Double(x) / 120)) }
      }
      #expect(share(image, corners, family, id, noise: 3) > 0.93)
      let plain = image
      plain.withView { image.setSmoothed($0) }
      #expect(share(image, corners, family, id, noise: 1) > 0.93)
      #expect(share(image, corners, family, id + 1, noise: 1) < TemplateCorrelation.least)
    }
  }

  /// Light in the middles of the cells, as pictograms are that are read as some code.
  @Test func `what only reads like a marker does not look like one`() throws {
    for (id, radius) in [(17, 0.3), (8, 0.34), (40, 0.27)] {
      let corners = square(Vector2(60, 60), side: 66, degrees: 21)
      let image = try discs(id: id, radius: radius, corners: corners)
      #expect(share(image, corners, .grid4x4, id, noise: 1) < TemplateCorrelation.least)
      #expect(markers(in: image, [.grid4x4Of50]).isEmpty)
    }
  }

  /// A lens bends the sides of a large marker away from straight lines by a good part of a cell.
  @Test func `through a wide lens a print looks like itself when the lens is known`() throws {
    let intrinsics = Intrinsics(width: 240, height: 240, focalX: 130, focalY: 130, centerX: 119.5, centerY: 119.5)
    let distortion = LensDistortion(k1: -0.3, k2: 0.08)
    let lens = MarkerLens(intrinsics: intrinsics, distortion: distortion)
    let straight = square(Vector2(105, 128), side: 190, degrees: 6)
    let print = Print(family: .grid4x4, id: 21, corners: straight)
    let map = try #require(Homography(unitSquareTo: straight)?.inverse)
    var image = GrayImage(width: 240, height: 240, level: 200)
    for y in 0..<240 {
      for x in 0..<240 {
        guard let p = lens.straightened(Vector2(Double(x), Double(y))) else { continue }
        image[x, y] = print.isLight(map, p) ? 200 : 40
      }
    }
    var seen = straight
    for i in 0..<4 { seen[i] = lens.bent(straight[i]).point }
    var likeness = TemplateCorrelation()
    let code = MarkerFamily.grid4x4.code(id: 21)
    func share(_ lens: MarkerLens?) -> Double {
      image.withView {
        likeness.share(
          $0,
          corners: seen,
          code: code,
          cells: 4,
          blur: Vector2(0.02, 0.02),
          noise: 1,
          lens: lens
        )
      }
    }
    #expect(share(lens) > 0.97)
    #expect(share(nil) < 0.9)
  }

  @Test func `outside of the frame there is nothing to compare with`() {
    let image = GrayImage(width: 40, height: 40)
    #expect(share(image, square(Vector2(38, 20), side: 30, degrees: 0), .grid4x4, 3, noise: 1) == 0)
  }

  private func share(
    _ image: GrayImage,
    _ corners: Quadrilateral,
    _ family: MarkerFamily,
    _ id: Int,
    noise: Double
  ) -> Double {
    var likeness = TemplateCorrelation()
    let code = family.code(id: id)
    return image.withView {
      var fit = EdgeRefinement()
      let blur = fit.fit($0, start: corners, code: code, cells: family.cells)?.blur ?? Vector2(0.1, 0.1)
      return likeness.share($0, corners: corners, code: code, cells: family.cells, blur: blur, noise: noise)
    }
  }

  /// A dark square with a light disc in the middle of each white cell of a code.
  private func discs(id: Int, radius: Double, corners: Quadrilateral) throws -> GrayImage {
    let map = try #require(Homography(unitSquareTo: corners)?.inverse)
    let code = MarkerFamily.grid4x4.code(id: id)
    var image = GrayImage(width: 120, height: 120)
    for y in 0..<120 {
      for x in 0..<120 {
        var light = 0
        for sample in 0..<16 {
          let p = Vector2(Double(x) + Double(sample % 4) / 4 - 0.375, Double(y) + Double(sample / 4) / 4 - 0.375)
          guard let u = map(p).map({ $0 * 6 }) else { continue }
          guard u.x > 0, u.y > 0, u.x < 6, u.y < 6 else {
            light += 1
            continue
          }
          let (column, row) = (Int(u.x), Int(u.y))
          guard (1...4).contains(column), (1...4).contains(row) else { continue }
          let isWhite = code >> UInt64(15 - (row - 1) * 4 - (column - 1)) & 1 == 1
          let off = Vector2(u.x - Double(column) - 0.5, u.y - Double(row) - 0.5).length
          if isWhite, off < radius { light += 1 }
        }
        image[x, y] = UInt8(40 + 10 * light)
      }
    }
    return image
  }
}
