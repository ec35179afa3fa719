import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct LineFitTests {
  @Test(arguments: 0..<36)
  func `a line in any direction is found, with its normal to the left of the walk`(tens: Int) throws {
    let along = Vector2(cos(Angle(degrees: Double(10 * tens)).radians), sin(Angle(degrees: Double(10 * tens)).radians))
    let origin = Vector2(320, 240)
    var fit = LineFit()
    for step in 0..<20 {
      let p = along * Double(step)
      fit.add(p.x, p.y)
    }
    fit.solve()
    let line = fit.line(origin: origin, towards: along)
    #expect((line.normal - Vector2(along.y, -along.x)).length < 1e-9)
    #expect(abs(line.distance(to: origin + along * 7)) < 1e-9)
    // With y down, what is to the left of a walk to the right lies above.
    #expect(abs(line.distance(to: origin + Vector2(along.y, -along.x) * 3) - 3) < 1e-9)
    #expect(fit.meanSquare < 1e-9)
  }

  @Test func `squares across the line are least, and told`() {
    var fit = LineFit()
    for x in 0..<10 {
      fit.add(Double(x), 1)
      fit.add(Double(x), -1)
    }
    fit.solve()
    #expect(abs(fit.direction.y) < 1e-12 && abs(fit.meanSquare - 1) < 1e-12)
    #expect(abs(fit.center.x - 4.5) < 1e-12 && abs(fit.center.y) < 1e-12)
    #expect(abs(abs(fit.distance(3, 2)) - 2) < 1e-12)
  }

  @Test func `lines meet in one point, or nowhere when they are side by side`() throws {
    let flat = Line2(normal: Vector2(0, 1), offset: 3)
    let steep = Line2(normal: Vector2(0.6, 0.8), offset: 5)
    let p = try #require(flat.crossing(steep))
    #expect(abs(flat.distance(to: p)) < 1e-12 && abs(steep.distance(to: p)) < 1e-12)
    #expect(flat.crossing(flat) == nil)
    #expect(flat.crossing(steep, leastSine: 0.7) == nil && flat.crossing(steep, leastSine: 0.5) != nil)
  }
}
