import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct PoseRefinementTests {
  private let width = 360
  private let height = 270

  /// A picture with two bumps: seen from aside, what is on them is displaced by some pixels.
  private func bumpy(_ picture: GrayImage, _ most: Double) -> GrayImage {
    var image = picture
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        var (u, v) = (Double(x), Double(y))
        for (center, way) in [(Vector2(95, 80), Vector2(1, 0)), (Vector2(270, 190), Vector2(0.6, -0.8))] {
          let d = Vector2(Double(x), Double(y)) - center
          let by = most * exp(-d.dot(d) / (2 * 38 * 38))
          (u, v) = (u + way.x * by, v + way.y * by)
        }
        let (inside, below) = (clamp(u, 0, Double(picture.width - 1)), clamp(v, 0, Double(picture.height - 1)))
        image[x, y] = UInt8(picture.withView { $0.level(x: inside, y: below) ?? 0 }.rounded())
      }
    }
    return image
  }

  /// Mean errors of the corners before and after polishing, over some posters, and of what a recogniser says.
  private func errors(bumps: Double) -> (found: Double, refined: Double, told: Double) {
    var sums = (found: 0.0, refined: 0.0, told: 0.0)
    let seeds: [UInt64] = [71, 72, 73]
    for seed in seeds {
      let picture = Posters.rich(width: width, height: height, seed: seed, shapes: 140)
      let target = picture.withView { TargetBuilder().build($0, name: Array("a".utf8)) }
      let quad = Posters.quad(Vector2(240, 180), 360, 270, degrees: 9, lean: 0.12)
      let frame = Posters.frame([(bumps > 0 ? bumpy(picture, bumps) : picture, quad)], noise: 6, seed: seed)
      let detector = TargetDetector(models: [TargetModel(target)], aligner: Aligner())
      var detections: [Detection] = []
      frame.withView { detector.detect($0, isWanted: [true], effort: .init(), into: &detections) }
      guard let found = detections.first else { return (.infinity, .infinity, .infinity) }
      let reference = detector.models[0].pyramid
      func error(_ alignment: Alignment) -> Double {
        Posters.error(
          alignment.frameFromReference.corners(width: reference.width, height: reference.height),
          quad
        )
      }
      let refined = detector.refined(found)
      sums.found += error(found.alignment) / Double(seeds.count)
      sums.refined += error(refined) / Double(seeds.count)
      #expect(refined.cornerSigma < 1 && refined.inlierRatio == found.alignment.inlierRatio)
      var sightings: [TargetSighting] = []
      frame.withView { TargetRecognizer(targets: [target]).recognize($0, into: &sightings) }
      sums.told +=
        Posters.error(sightings.first?.corners(width: width, height: height), quad) / Double(seeds.count)
    }
    return sums
  }

  @Test func `a recogniser tells the refined pose, which is nearer to where a flat poster is`() {
    let errors = errors(bumps: 0)
    #expect(errors.refined < 0.8 * errors.found)
    #expect(abs(errors.told - errors.refined) < 1e-6)
  }

  @Test func `a poster with bumps is put where its flat part says`() {
    let errors = errors(bumps: 2)
    #expect(errors.refined < 0.8 * errors.found)
  }

  private struct Patch {
    var x: Double
    var y: Double
    var information: Double
    var shift: Vector2
  }

  /// Patches on a grid that are off by a tenth of a pixel; those in one quarter by half a pixel, of which they are very
  /// sure.
  private func grid(hasStep: Bool) -> [Patch] {
    var random = SplitMix64(seed: 9)
    var all: [Patch] = []
    for row in -7...7 {
      for column in -7...7 {
        let isOff = hasStep && row < 0 && column < -1
        let dx = Double.random(in: -0.17...0.17, using: &random)
        let dy = Double.random(in: -0.17...0.17, using: &random)
        all.append(
          Patch(
            x: Double(column) / 7,
            y: Double(row) / 7,
            information: isOff ? 10_000 : 100,
            shift: Vector2(dx + (isOff ? 0.5 : 0), dy)
          )
        )
      }
    }
    return all
  }

  private func displacements(_ patches: [Patch]) -> PatchDisplacements {
    var all = PatchDisplacements()
    for p in patches {
      let information = p.information
      all.add(
        x: p.x,
        y: p.y,
        xx: information,
        xy: 0,
        yy: information,
        bx: information * p.shift.x,
        by: information * p.shift.y
      )
    }
    return all
  }

  @Test func `how far patches are off the plane is told by their displacements`() {
    var patches = grid(hasStep: false)
    #expect(displacements(patches).offPlane.squareRoot() < 0.08)
    // The same, but they pretend to be sure to a hundredth of a pixel.
    for i in patches.indices { patches[i].information = 10_000 }
    #expect((0.07..<0.13).contains(displacements(patches).offPlane.squareRoot()))
  }

  @Test func `few patches that are sure, and off, do not draw the pose to them`() throws {
    let patches = grid(hasStep: true)
    func corner(_ equations: SightlineImageTargets.NormalEquations) throws -> Double {
      var equations = equations
      let solution = equations.solve()
      let delta = try #require(solution)
      // The corner in the quarter that is off, to first order.
      let x = -delta[0] - delta[1] + delta[2] - delta[6] - delta[7]
      let y = -delta[3] - delta[4] + delta[5] - delta[6] - delta[7]
      return Vector2(x, y).length * 100
    }
    let all = displacements(patches)
    var (robust, plain) = (SightlineImageTargets.NormalEquations(), SightlineImageTargets.NormalEquations())
    all.gather(&robust, size: 100, variance: all.offPlane)
    for p in patches {
      let w = p.information * 10_000
      plain.add(x: p.x, y: p.y, xx: w, xy: 0, yy: w, bx: p.shift.x * w / 100, by: p.shift.y * w / 100)
    }
    #expect(try corner(plain) > 0.4)
    #expect(try corner(robust) < 0.2)
  }

  @Test func `an edge alone says nothing`() {
    var all = PatchDisplacements()
    all.add(x: 0, y: 0, xx: 100, xy: 0, yy: 0, bx: 1, by: 0)
    #expect(all.isEmpty)
  }
}
