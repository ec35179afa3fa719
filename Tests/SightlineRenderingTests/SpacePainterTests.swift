import SightlineMath
import SightlinePictures
import Testing

@testable import SightlineRendering

@Suite struct SpacePainterTests {
  private let gray = Picture(width: 320, height: 320, layout: .gray, pixels: [UInt8](repeating: 90, count: 320 * 320))

  private func colour(_ picture: Picture, _ x: Int, _ y: Int) -> [Int] {
    let k = 3 * (y * picture.width + x)
    return picture.pixels[k..<(k + 3)].map(Int.init)
  }

  @Test func `surfaces, points and the way lie where they are seen, and nothing elsewhere`() throws {
    var space = RenderedSpace(picture: gray)
    let outline = [Vector2(20, 100), Vector2(100, 100), Vector2(100, 180), Vector2(20, 180)]
    space.planes = [.init(outline: outline, surface: .floor)]
    space.points = [.init(pixel: Vector2(150, 60), distance: 0.4), .init(pixel: Vector2(170, 60), distance: 20)]
    space.path = [[Vector2(140, 120), Vector2(180, 120)], [Vector2(140, 160), Vector2(180, 160)]]
    let picture = try SpacePainter(scale: 1).paint(space)
    #expect(picture.width == 320 && picture.height == 320)
    let floor = colour(picture, 60, 140)
    #expect(floor[1] > floor[0] + 20 && floor[0] > 40, "the picture shows through")
    #expect(colour(picture, 20, 140)[1] > 180, "its edge")
    let (near, far) = (colour(picture, 150, 60), colour(picture, 170, 60))
    #expect(near[0] > near[2] + 100 && far[2] > far[0] + 100, "red near, blue far")
    #expect(colour(picture, 160, 120)[0] > 200 && colour(picture, 160, 160)[0] > 200)
    #expect(colour(picture, 160, 140) == [90, 90, 90], "pieces of the way are not joined")
    #expect(colour(picture, 10, 10) == [90, 90, 90] && colour(picture, 300, 300) == [90, 90, 90])
  }

  @Test func `the plan shows the way from above, whatever its size`() throws {
    for way in [0.01, 3, 4000] {
      var space = RenderedSpace(picture: gray)
      var plan = RenderedSpace.Plan()
      plan.path = [[Vector2(0, 0), Vector2(way, 0), Vector2(way, way)]]
      (plan.place, plan.direction) = (Vector2(way, way), Vector2(0, 1))
      space.plan = plan
      let picture = try SpacePainter(scale: 1).paint(space)
      // The lens is drawn, and nothing outside of the plan.
      let accent = (0..<(320 * 320)).filter { colour(picture, $0 % 320, $0 / 320) == [0x6E, 0xE7, 0xC7] }
      #expect(accent.count > 5)
      #expect(accent.allSatisfy { $0 % 320 > 190 && $0 / 320 > 190 })
      #expect(colour(picture, 100, 100) == [90, 90, 90])
    }
    var space = RenderedSpace(picture: gray)
    var plan = RenderedSpace.Plan()
    plan.path = [[Vector2(.nan, 0), Vector2(.infinity, 1)]]
    space.plan = plan
    space.points = [.init(pixel: Vector2(1e30, -1e30), distance: .nan)]
    _ = try SpacePainter(scale: 1).paint(space)
  }
}
