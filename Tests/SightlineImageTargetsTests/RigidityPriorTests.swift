import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What is known of a print's shape before anything of it is looked at.
@Suite struct RigidityPriorTests {
  private let camera = Intrinsics(width: 480, height: 360, focalX: 400, focalY: 410, centerX: 238, centerY: 183)
  /// From a unit of 90 pixels around a place to the frame's pixels, as the aligner has them.
  private let frameFromUnit = Matrix3(rows: Vector3(90, 0, 210), Vector3(0, 90, 160), Vector3(0, 0, 1))

  /// The picture of a print of 300 × 200 pixels at 500 pixels' distance, turned; from the print's pixels to the unit.
  private func unitFromPrint(_ turn: Quaternion) throws -> Matrix3 {
    let (x, y) = (turn * Vector3(1, 0, 0), turn * Vector3(0, 1, 0))
    let origin = Vector3(-30, -20, 500) - x * 150 - y * 100
    let rays = Matrix3(rows: x, y, origin).transposed
    let lens = Matrix3(
      rows: Vector3(camera.focalX, 0, camera.centerX),
      Vector3(0, camera.focalY, camera.centerY),
      Vector3(0, 0, 1)
    )
    let back = try #require(Homography(frameFromUnit).inverse)
    return (back * Homography(lens * rays)).scaled.matrix
  }

  private func turned(_ degrees: Double, about axis: Vector3) throws -> Quaternion {
    Quaternion(axis: try #require(axis.normalized), angle: Angle(degrees: degrees))
  }

  private func sums(
    _ shape: RigidityPrior,
    _ correction: Matrix3,
    prior: Double
  ) -> SightlineImageTargets.NormalEquations {
    var equations = SightlineImageTargets.NormalEquations()
    for i in 0..<8 { equations.addPrior(i, value: 0, information: prior) }
    shape.add(to: &equations, correction)
    return equations
  }

  @Test func `what a camera can see is left as it is`() throws {
    for (degrees, axis) in [(0.0, Vector3(1, 0, 0)), (35, Vector3(1, 0.4, 0)), (-50, Vector3(0.2, 1, 0.7))] {
      let shape = RigidityPrior(
        camera,
        frameFromUnit: frameFromUnit,
        unitFromReference: try unitFromPrint(turned(degrees, about: axis))
      )
      var equations = sums(shape, .identity, prior: 1)
      let solution = equations.solve()
      let step = try #require(solution)
      for i in 0..<8 { #expect(abs(step[i]) < 1e-9) }
    }
  }

  @Test func `steps taken off a bent shape lead to one that a camera can see`() throws {
    let print = try unitFromPrint(turned(25, about: Vector3(1, -0.3, 0.2)))
    let shape = RigidityPrior(camera, frameFromUnit: frameFromUnit, unitFromReference: print)
    // Sheared, wider than high, and leaning: no picture of a flat rectangle.
    var correction = Matrix3(rows: Vector3(1.03, 0.02, 0.01), Vector3(-0.01, 0.98, 0), Vector3(0.02, -0.015, 1))
    func bend(_ correction: Matrix3) -> Double {
      let start = sums(shape, correction, prior: 1e-6)
      return (0..<8).reduce(0.0) { $0 + abs(start.right[$1]) }
    }
    let before = bend(correction)
    for _ in 0..<6 {
      // Least change: hardly anything else is asked for.
      var equations = sums(shape, correction, prior: 1e-6)
      let solution = equations.solve()
      let d = try #require(solution)
      let step = Matrix3(rows: Vector3(1 + d[0], d[1], d[2]), Vector3(d[3], 1 + d[4], d[5]), Vector3(d[6], d[7], 1))
      let back = try #require(Homography(step).inverse)
      correction = (Homography(correction) * back).scaled.matrix
    }
    #expect(before > 1)
    #expect(bend(correction) < 1e-6 * before)
  }

  /// Two things near one another fix where a print is, not how it leans.
  @Test func `a print with little in it is held by what a camera can see`() throws {
    var picture = GrayImage(width: 300, height: 220)
    for y in 0..<220 {
      for x in 0..<300 {
        let isDisc = (x - 90) * (x - 90) + (y - 80) * (y - 80) < 900
        picture[x, y] = isDisc ? 60 : abs(x - 170) < 30 && abs(y - 110) < 12 ? 210 : 140
      }
    }
    let reference = ReferencePyramid(picture)
    let lens = Intrinsics(width: 480, height: 360, focalX: 400, focalY: 400, centerX: 239.5, centerY: 179.5)
    let corners = Posters.quad(Vector2(240, 180), 260, 191, degrees: 4)
    let frames = FramePyramid()
    func coverage(_ intrinsics: Intrinsics?) throws -> Double {
      let aligner = Aligner()
      aligner.intrinsics = intrinsics
      var sum = 0.0
      for seed in 0..<8 {
        // The wall is as light as the print: no outline is seen.
        let frame = Posters.frame([(picture, corners)], noise: 6, seed: UInt64(seed + 1), wall: 140)
        frame.withView { frames.set($0) }
        let found = try #require(
          aligner.align(
            reference,
            frames,
            from: Posters.map(of: picture, to: corners),
            level: 0,
            count: 200,
            steps: 8,
            shapeDeviation: 0.1
          )
        )
        let error = Posters.error(
          found.frameFromReference.corners(width: reference.width, height: reference.height),
          corners
        )
        sum += error * error / 8
      }
      return sum.squareRoot()
    }
    let (known, unknown) = (try coverage(lens), try coverage(nil))
    #expect(known < 0.75 * unknown, "\(known) \(unknown)")
  }
}
