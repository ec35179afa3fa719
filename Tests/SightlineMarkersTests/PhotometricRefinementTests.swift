import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineMarkers

struct PhotometricRefinementTests {
  /// Cells of two and a half pixels, blurred by a third of that, noise, and a camera's tone curve: edges lie in each other's blur.
  @Test(arguments: [
    (MarkerFamily.grid7x7, 23.0, 1.0), (.grid6x6, 20, 1.0), (.apriltag36h11, 22, 2.2),
  ])
  func `corners of small cells`(family: MarkerFamily, side: Double, gamma: Double) throws {
    for (id, degrees) in [(3, 10.0), (17, 77), (26, 200)] {
      let corners = square(Vector2(30.3, 29.8), side: side, degrees: degrees, lean: 0.2)
      let image = picture(family, id, corners, gamma: gamma, noise: 4)
      let code = family.code(id: id)
      // A start that is off by half a pixel.
      var start = corners
      for i in 0..<4 { start[i] = start[i] + Vector2(i & 1 == 0 ? 0.4 : -0.3, 0.2) }
      var fit = EdgeRefinement()
      let found = try #require(image.withView { fit.fit($0, start: start, code: code, cells: family.cells) })
      for i in 0..<4 { #expect((found.corners[i] - corners[i]).length < 0.12) }
      // What is stated is what is so: off by no more than five times as much, and known to a tenth of a pixel.
      let covariance = try #require(found.covariance)
      #expect(covariance.deviation < 0.1)
      for i in 0..<4 { #expect((found.corners[i] - corners[i]).length < 5 * covariance.deviation) }
    }
  }

  /// Where edges are too near each other to be measured one by one, all pixels together still tell the corners.
  @Test func `corners of cells that are hardly wider than blur`() throws {
    let corners = square(Vector2(30.3, 29.8), side: 14, degrees: 12)
    let family = MarkerFamily.grid5x5
    let image = picture(family, 11, corners, gamma: 1, noise: 1)
    let center = Vector2(30.3, 29.8)
    var relative = corners
    for i in 0..<4 { relative[i] = relative[i] - center + Vector2(0.3, -0.2) }
    let start = try #require(Homography(unitSquareTo: relative)?.matrix)
    let levels = try #require(image.withView { PhotometricRefinement.levels($0, start, center, nil, cells: 5) })
    var terms = PhotometricRefinement.Terms()
    (terms.dark, terms.contrast) = (Float(levels.dark), Float(levels.light - levels.dark))
    var whole = PhotometricRefinement()
    let found = try #require(
      image.withView {
        whole.fit(
          $0,
          start: start,
          center: center,
          lens: nil,
          code: family.code(id: 11),
          cells: 5,
          terms: terms,
          noise: 20,
          rounds: 4
        )
      }
    )
    #expect(found.share > 0.95)
    for i in 0..<4 {
      let corner = Vector2(i == 1 || i == 2 ? 0.5 : -0.5, i < 2 ? -0.5 : 0.5)
      let p = try #require(Homography(found.map)(corner))
      #expect((p + center - corners[i]).length < 0.15)
    }
    // The pattern of another marker explains less.
    let other = image.withView {
      whole.fit(
        $0,
        start: start,
        center: center,
        lens: nil,
        code: family.code(id: 40),
        cells: 5,
        terms: terms,
        noise: 20,
        rounds: 4
      )
    }
    #expect((other?.share ?? 0) < 0.9)
  }

  @Test func `a quadrilateral that is off by half a cell is pulled to the pattern`() throws {
    let corners = square(Vector2(70, 70), side: 98, degrees: 15)
    let image = Print(family: .grid5x5, id: 33, corners: corners).draw(width: 140, height: 140, noise: 2)
    var start = corners
    start[0] = start[0] + Vector2(-4.2, -3.6)
    start[3] = start[3] + Vector2(-3, 2)
    var fit = EdgeRefinement()
    let code = MarkerFamily.grid5x5.code(id: 33)
    let found = try #require(image.withView { fit.fit($0, start: start, code: code, cells: 5) })
    for i in 0..<4 { #expect((found.corners[i] - corners[i]).length < 0.1) }
  }

  /// Each edge alone knows its place half as well as with the levels of all.
  @Test func `levels of other edges count like pixels`() throws {
    var shades = IlluminationModel()
    for i in 0..<40 {
      var edge = EdgeSums.Result()
      let x = Double(i % 8) / 8
      let y = Double(i / 8) / 5
      (edge.dark, edge.contrast) = (30 + 20 * x, 120 - 10 * y)
      (edge.darkVariance, edge.lightVariance) = (0.3, 0.3)
      shades.add(edge, x, y)
    }
    shades.solve(noise: 2)
    var here = EdgeSums.Result()
    (here.dark, here.contrast) = (40, 115)
    (here.darkVariance, here.lightVariance) = (0.3, 0.3)
    let levels = try #require(shades.levels(0.5, 0.5, here))
    #expect(abs(levels.dark - 40) < 1 && abs(levels.light - 155) < 1)
    #expect(levels.darkWeight > 1 && levels.lightWeight > 1)
    // A piece of something else that covers the marker is not told its levels.
    here.dark = 90
    #expect(shades.levels(0.5, 0.5, here) == nil)
  }

  private func picture(
    _ family: MarkerFamily,
    _ id: Int,
    _ corners: Quadrilateral,
    gamma: Double,
    noise: Double
  ) -> GrayImage {
    var print = Print(family: family, id: id, corners: corners)
    (print.dark, print.light) = (14, 220)
    var blurred = GrayImage(width: 1, height: 1)
    print.draw(width: 60, height: 60).withView { blurred.setGaussianBlur(of: $0, sigma: 0.8) }
    var random = SplitMix64(seed: UInt64(id))
    for y in 0..<60 {
      for x in 0..<60 {
        let level = 255 * exp(log(Double(blurred[x, y]) / 255 + 1e-9) / gamma)
        let error = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * noise / 2
        blurred[x, y] = UInt8(max(0, min(255, (level + error).rounded())))
      }
    }
    return blurred
  }
}
