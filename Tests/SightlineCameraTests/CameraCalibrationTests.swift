import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineCamera

/// A 7 × 5 grid of points, 3 cm apart, seen from random directions.
struct CalibrationScene {
  var camera = Intrinsics(width: 640, height: 480, focalX: 612, focalY: 608, centerX: 331, centerY: 228)
  var lens = LensDistortion(k1: -0.21, k2: 0.09, p1: 0.0011, p2: -0.0007, k3: -0.02)
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }

  mutating func pose() -> (Quaternion, Vector3) {
    let tilt =
      Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: number(-40...40)))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: number(-40...40)))
      * Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: number(-60...60)))
    return (
      tilt * Quaternion(w: 0, x: 1, y: 0, z: 0), Vector3(number(-0.08...0.08), number(-0.06...0.06), number(0.28...0.5))
    )
  }

  mutating func view(noise: Double, _ pose: (Quaternion, Vector3)? = nil) -> CalibrationView {
    let (rotation, translation) = pose ?? self.pose()
    var view = CalibrationView(points: [], pixels: [])
    for row in 0..<5 {
      for column in 0..<7 {
        let point = Vector2(Double(column - 3) * 0.03, Double(row - 2) * 0.03)
        guard
          let pixel = camera.pixel(
            ofPointInCamera: rotation * Vector3(point.x, point.y, 0) + translation,
            through: lens
          )
        else { continue }
        guard pixel.x > 0, pixel.y > 0, pixel.x < 639, pixel.y < 479 else { continue }
        view.points.append(point)
        view.pixels.append(pixel + Vector2(normal() * noise, normal() * noise))
      }
    }
    return view
  }
}

@Suite struct CameraCalibrationTests {
  private func parameters(_ c: CameraCalibration) -> [Double] { parameters(c.intrinsics, c.distortion) }
  private func parameters(_ c: Intrinsics, _ l: LensDistortion) -> [Double] {
    [c.focalX, c.focalY, c.centerX, c.centerY, l.k1, l.k2, l.p1, l.p2, l.k3]
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `exact points give the exact camera`(seed: UInt64) throws {
    var scene = CalibrationScene(seed: seed)
    let views = (0..<10).map { _ in scene.view(noise: 0) }
    let result = try CameraCalibration(views: views, width: 640, height: 480)
    #expect(result.reprojectionError < 1e-6, "\(result.reprojectionError)")
    for (found, truth) in zip(parameters(result), parameters(scene.camera, scene.lens)) {
      #expect(isNear(found, truth, within: 1e-4 * max(1, abs(truth))), "\(parameters(result))")
    }
    #expect(result.views.count == 10 && result.views.allSatisfy { $0?.isUsed.allSatisfy { $0 } == true })
  }

  @Test func `noise moves the camera by as much as is stated`() throws {
    var sums = [Double](repeating: 0, count: 9)
    let runs = 12
    for run in 0..<runs {
      var scene = CalibrationScene(seed: 100 + UInt64(run))
      let views = (0..<12).map { _ in scene.view(noise: 0.2) }
      let result = try CameraCalibration(views: views, width: 640, height: 480)
      // Two coordinates a point; the fit takes a little of the noise.
      #expect(result.reprojectionError > 0.24 && result.reprojectionError < 0.3, "\(result.reprojectionError)")
      for (i, (found, truth)) in zip(parameters(result), parameters(scene.camera, scene.lens)).enumerated() {
        let relative = (found - truth) / result.deviations[i]
        sums[i] += relative * relative
      }
    }
    // Chi-squared of twelve: 0.25 … 2.5 of its mean has more than 99 % for all nine.
    for (i, sum) in sums.enumerated() {
      #expect(sum / Double(runs) > 0.25 && sum / Double(runs) < 2.5, "parameter \(i): \(sum / Double(runs))")
    }
  }

  @Test func `points that are wrong do not count`() throws {
    var scene = CalibrationScene(seed: 9)
    var views = (0..<10).map { _ in scene.view(noise: 0.1) }
    for v in [1, 4, 7] { views[v].pixels[v] = views[v].pixels[v] + Vector2(9, -14) }
    let result = try CameraCalibration(views: views, width: 640, height: 480)
    #expect(result.reprojectionError < 0.16)
    for v in [1, 4, 7] {
      let view = try #require(result.views[v])
      #expect(!view.isUsed[v] && view.isUsed.filter { !$0 }.count <= 2 && view.largestError > 10)
    }
    #expect(isNear(result.intrinsics.focalX, 612, within: 4 * result.deviations[0]))
  }

  @Test func `terms that are not asked for stay zero`() throws {
    var scene = CalibrationScene(seed: 12)
    scene.lens = LensDistortion(k1: -0.1)
    let views = (0..<8).map { _ in scene.view(noise: 0.1) }
    let result = try CameraCalibration(views: views, width: 640, height: 480, terms: [.k1])
    #expect(
      result.distortion.k2 == 0 && result.distortion.p1 == 0 && result.distortion.p2 == 0 && result.distortion.k3 == 0
    )
    #expect(result.deviations[5] == 0 && result.deviations[4] > 0)
    #expect(isNear(result.distortion.k1, -0.1, within: 5 * result.deviations[4]))
  }

  @Test func `what does not fix a camera is refused`() throws {
    var scene = CalibrationScene(seed: 20)
    #expect(throws: CalibrationError.tooFewViews(usable: 0)) {
      try CameraCalibration(views: [], width: 640, height: 480)
    }
    let two = (0..<2).map { _ in scene.view(noise: 0) }
    #expect(throws: CalibrationError.tooFewViews(usable: 2)) {
      try CameraCalibration(views: two + [CalibrationView(points: [], pixels: [])], width: 640, height: 480)
    }
    // One view three times: distance and focal length cannot be told apart.
    let frontal = (Quaternion(w: 0, x: 1, y: 0, z: 0), Vector3(0, 0, 0.4))
    scene.lens = .none
    let same = (0..<3).map { _ in scene.view(noise: 0, frontal) }
    let unclear = try? CameraCalibration(views: same, width: 640, height: 480)
    #expect(unclear == nil || (unclear?.deviations[0] ?? 0) > 0)
    let line = CalibrationView(
      points: (0..<8).map { Vector2(Double($0), 0) },
      pixels: (0..<8).map { Vector2(Double($0) * 10, 5) }
    )
    #expect(throws: CalibrationError.self) {
      try CameraCalibration(views: [line, line, line], width: 640, height: 480)
    }
  }

  @Test func `derivatives agree with differences`() throws {
    var scene = CalibrationScene(seed: 31)
    for _ in 0..<50 {
      let p = Vector3(scene.number(-0.3...0.3), scene.number(-0.3...0.3), scene.number(0.5...2))
      let exact = try #require(PixelDerivatives(p, scene.camera, scene.lens))
      let h = 1e-6
      for axis in 0..<3 {
        let step = Vector3(axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0)
        let a = try #require(PixelDerivatives(p + step, scene.camera, scene.lens)).pixel
        let b = try #require(PixelDerivatives(p - step, scene.camera, scene.lens)).pixel
        let slope = (a - b) * (1 / (2 * h))
        let u = [exact.uByPoint.x, exact.uByPoint.y, exact.uByPoint.z][axis]
        let v = [exact.vByPoint.x, exact.vByPoint.y, exact.vByPoint.z][axis]
        #expect(isNear(slope.x, u, within: 1e-4 * max(1, abs(u))) && isNear(slope.y, v, within: 1e-4 * max(1, abs(v))))
      }
      for parameter in 0..<9 {
        func moved(_ by: Double) -> Vector2? {
          var (c, l) = (scene.camera, scene.lens)
          switch parameter {
          case 0: c.focalX += by
          case 1: c.focalY += by
          case 2: c.centerX += by
          case 3: c.centerY += by
          case 4: l.k1 += by
          case 5: l.k2 += by
          case 6: l.p1 += by
          case 7: l.p2 += by
          default: l.k3 += by
          }
          return PixelDerivatives(p, c, l)?.pixel
        }
        let slope = try (#require(moved(1e-5)) - #require(moved(-1e-5))) * (1 / 2e-5)
        #expect(
          isNear(slope.x, exact.uByCamera[parameter], within: 1e-4)
            && isNear(slope.y, exact.vByCamera[parameter], within: 1e-4)
        )
      }
    }
  }
}

@Suite struct PointHomographyTests {
  @Test func `points of a known map give the map`() throws {
    var random = SplitMix64(seed: 2)
    for count in [4, 5, 30] {
      let map = Homography(
        Matrix3(rows: Vector3(300, 40, 320), Vector3(-20, 280, 240), Vector3(0.1, -0.2, 1))
      )
      let plane = (0..<count).map { i in
        i < 4
          ? Vector2(i & 1 == 0 ? -1 : 1, i < 2 ? -1 : 1)
          : Vector2(Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random))
      }
      let image = try plane.map { try #require(map($0)) }
      let found = try #require(Homography(from: plane, to: image))
      for p in [Vector2(0, 0), Vector2(0.5, -0.9), Vector2(-0.3, 0.3)] {
        let (a, b) = try (#require(map(p)), #require(found(p)))
        #expect((a - b).length < 1e-6)
      }
    }
    #expect(Homography(from: [.zero, .zero, .zero, .zero], to: [.zero, .zero, .zero, .zero]) == nil)
    #expect(Homography(from: [Vector2(0, 0)], to: [Vector2(0, 0)]) == nil)
  }
}
