import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct ViewPoseTests {
  private func degrees(_ a: Angle, _ b: Double) -> Bool {
    isNear(wrapToPi(a.radians - b * pi / 180), 0, within: 1e-7)
  }

  @Test(arguments: [(0.0, 0.0, 0.0), (90, 0, 0), (-135, 20, 40), (17, -60, -170), (180, 74, 5), (250, -79, 91)])
  func `bearing, pitch and roll are those of the phone`(heading: Double, pitch: Double, roll: Double) {
    var stage = Stage([])
    stage.look(heading: heading, pitch: pitch, roll: roll)
    #expect(degrees(stage.frame.bearing, heading))
    #expect(degrees(stage.frame.pitch, pitch))
    #expect(degrees(stage.frame.roll, roll))
    #expect(abs(stage.frame.bearing.radians) <= pi)
  }

  /// Flat within acos 0.999 of the vertical: the bearing runs on as that of the top edge.
  @Test(arguments: [-90.0, -88, 88, 90])
  func `flat, the bearing is that of the display's top`(pitch: Double) {
    var stage = Stage([])
    stage.look(heading: 70, pitch: 60)
    stage.look(heading: 70, pitch: pitch)
    #expect(degrees(stage.frame.bearing, 70))
  }

  /// The known case: bearing 0.2 rad, straight up, roll 0.3 rad reads as bearing 0.5, from 2.56° off the vertical.
  @Test func `flat, the roll is in the bearing`() {
    var stage = Stage([])
    for (pitch, bearing, tolerance) in [(90, 0.5, 1e-9), (87.5, 0.5, 1e-3), (87.4, 0.2, 1e-9)] {
      stage.look(heading: 0.2 * 180 / pi, pitch: pitch, roll: 0.3 * 180 / pi)
      #expect(isNear(stage.frame.bearing.radians, bearing, within: tolerance), "pitch \(pitch)")
    }
  }

  @Test func `a turned display has its own roll`() {
    var stage = Stage([])
    stage.phone.display = Display(width: 480, height: 320, screenAngleDegrees: 90)
    stage.look(heading: 40, pitch: 10, roll: 90)
    #expect(degrees(stage.frame.roll, 0))
    #expect(degrees(stage.frame.bearing, 40))
    stage.look(heading: 40, pitch: 10, roll: 75)
    #expect(degrees(stage.frame.roll, -15))
  }

  /// Held from 10° off the vertical, released at 15°.
  @Test(arguments: [-1.0, 1])
  func `the roll is held near the vertical`(sign: Double) {
    var stage = Stage([])
    let steps: [(pitch: Double, roll: Double, expected: Double)] = [
      (70, 25, 25), (79.9, 26, 26), (80.1, 80, 26), (89.9, -120, 26), (76, 3, 26), (74.9, 4, 4), (79, 5, 5),
      (81, 6, 5),
    ]
    for (pitch, roll, expected) in steps {
      stage.look(heading: 10, pitch: sign * pitch, roll: roll)
      #expect(degrees(stage.frame.roll, expected), "pitch \(pitch)")
    }
  }

  @Test func `starting flat, labels stand as the display does`() {
    var stage = Stage([])
    stage.look(heading: 120, pitch: -90, roll: 33)
    #expect(stage.frame.roll == .zero)
  }

  /// Nothing the host reads may be anything but a number in any pose.
  @Test func `every pose gives finite numbers`() {
    var random = SplitMix64(seed: 77)
    var features: [SceneFeature] = []
    for _ in 0..<60 {
      features.append(
        feature(
          east: .random(in: -900...900, using: &random),
          north: .random(in: -900...900, using: &random),
          up: .random(in: -200...200, using: &random)
        )
      )
    }
    var stage = Stage(features)
    stage.scene.select(3)
    for pitch in stride(from: -90.0, through: 90, by: 7.5) {
      for roll in stride(from: -180.0, through: 180, by: 45) {
        stage.look(heading: .random(in: -180...180, using: &random), pitch: pitch, roll: roll)
        let f = stage.frame
        #expect(f.isValid)
        #expect(f.bearing.radians.isFinite && f.pitch.radians.isFinite && f.roll.radians.isFinite)
        #expect(f.clipFromWorld.allSatisfy { $0.isFinite })
        #expect(f.items.allSatisfy { $0.anchor.x.isFinite && $0.center.y.isFinite && $0.depth >= 0.5 })
        #expect(
          f.arrows.allSatisfy { $0.position.x.isFinite && $0.position.y.isFinite && $0.direction.radians.isFinite }
        )
        #expect(f.radar.blips.allSatisfy { $0.position.length <= 1 })
        #expect(zip(f.items, f.items.dropFirst()).allSatisfy { $0.distance <= $1.distance })
        // Every candidate is drawn, in a cluster or counted by an arrow.
        let counted = f.arrows.reduce(0) { $0 + Int($1.count) }
        let fanned = Set(f.items.map(\.feature)).union(f.clusterMembers)
        #expect(fanned.count + counted == 60)
      }
    }
  }
}
