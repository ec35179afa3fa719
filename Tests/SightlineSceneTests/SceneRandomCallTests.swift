import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// Everything a host can call, in any order and with any number: the scene neither traps nor shows what is no number.
@Suite struct SceneRandomCallTests {
  private static let oddities: [Double] = [
    .nan, .infinity, -.infinity, 0, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    1e-300, 1e300, -1, 90, -90, 180, -180, 360, 1e9,
  ]

  private func number(_ range: ClosedRange<Double>, _ random: inout SplitMix64) -> Double {
    if UInt8.random(in: 0..<6, using: &random) > 0 { return .random(in: range, using: &random) }
    return Self.oddities.randomElement(using: &random) ?? 0
  }

  private func world(_ random: inout SplitMix64) -> WorldDescription {
    var world = WorldDescription()
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      var one = SceneFeature(
        latitudeDegrees: ulm.latitudeDegrees + number(-0.02...0.02, &random),
        longitudeDegrees: ulm.longitudeDegrees + number(-0.02...0.02, &random)
      )
      one.altitude = number(0...1000, &random)
      one.altitudeDatum = HeightDatum.allCases.randomElement(using: &random) ?? .eye
      one.offset = Vector3(number(-50...50, &random), number(-50...50, &random), number(-50...50, &random))
      one.sizeMode = Bool.random(using: &random) ? .constant : .trueSize
      one.width = number(0...200, &random)
      one.height = number(0...60, &random)
      one.pivot = Vector2(number(0...1, &random), number(0...1, &random))
      one.key = UInt64.random(in: 0...20, using: &random)
      one.category = UInt8.random(in: 0...255, using: &random)
      one.visibilityRadius = number(0...3000, &random)
      let start = Int.random(in: 0...8, using: &random)
      one.focusOverlays = start..<(start + Int.random(in: 0...8, using: &random))
      world.features.append(one)
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) { world.overlays.append(SceneOverlay()) }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      var rule = DisplayRule(feature: Int32.random(in: -2...42, using: &random))
      rule.nearest = number(-10...500, &random)
      rule.scaling = DistanceScaling(
        near: number(-1...100, &random),
        far: number(0...900, &random),
        factor: number(0...3, &random)
      )
      rule.selection = [.any, .selected, .unselected].randomElement(using: &random) ?? .any
      rule.group = Int32.random(in: -1...1, using: &random)
      world.rules.append(rule)
    }
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      world.focusOverlays.append(Int32.random(in: -2...6, using: &random))
    }
    world.radarRange = number(0...5000, &random)
    return world
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `random calls give valid frames`(seed: UInt64) {
    var random = SplitMix64(seed: 1000 + seed)
    var scene = Scene()
    var frame = SceneFrame()
    var phone = Phone()
    var valid = 0
    for step in 0..<400 {
      switch UInt8.random(in: 0..<9, using: &random) {
      case 0: scene.setWorld(world(&random))
      case 1:
        scene.setEye(
          Geodetic(
            latitudeDegrees: ulm.latitudeDegrees + number(-0.2...0.2, &random),
            longitudeDegrees: ulm.longitudeDegrees + number(-0.2...0.2, &random),
            altitude: number(0...1000, &random)
          ),
          datum: Bool.random(using: &random) ? HeightDatum.allCases.randomElement(using: &random) : nil,
          geoidHeight: Bool.random(using: &random) ? number(-100...100, &random) : nil,
          ground: Bool.random(using: &random) ? number(0...1000, &random) : nil
        )
      case 2: scene.setRadius(number(100...20_000, &random))
      case 3: scene.setCategories(.random(in: 0 ... .max, using: &random))
      case 4: scene.select(Int32.random(in: -3...45, using: &random))
      case 5: scene.toggleCluster(frame.clusters.randomElement(using: &random)?.id ?? 3)
      case 6:
        scene.setLabelSize(
          feature: .random(in: -3...45, using: &random),
          width: number(0...200, &random),
          height: number(0...60, &random)
        )
      case 7:
        phone.display = Display(
          width: number(1...900, &random),
          height: number(1...900, &random),
          screenAngleDegrees: [0, 90, 180, 270, 45, -90].randomElement(using: &random) ?? 0
        )
      default:
        phone = Phone(
          heading: number(-180...180, &random),
          pitch: number(-90...90, &random),
          roll: number(-180...180, &random)
        )
      }
      scene.update(
        time: Double(step) / 30,
        eastNorthUpFromDevice: phone.eastNorthUpFromDevice,
        projection: phone.projection,
        into: &frame
      )
      if frame.isValid { valid += 1 }
      let touch = Vector2(number(0...400, &random), number(0...400, &random))
      if case .feature(let feature) = scene.hit(touch, in: frame) {
        #expect(scene.world.features.indices.contains(Int(feature)))
      }
      check(frame, scene, "seed \(seed), step \(step)")
    }
    #expect(valid > 100)
  }

  private func check(_ frame: SceneFrame, _ scene: Scene, _ comment: Comment) {
    let count = scene.world.features.count
    #expect(frame.overlayVisible.count == scene.world.overlays.count, comment)
    #expect(frame.candidateCount <= count, comment)
    var shown: Set<Int32> = []
    for item in frame.items {
      let numbers = [
        item.anchor.x, item.anchor.y, item.center.x, item.center.y, item.width, item.height, item.depth, item.distance,
      ]
      #expect(numbers.allSatisfy { $0.isFinite }, comment)
      #expect(item.opacity >= 0 && item.opacity <= 1, comment)
      #expect(item.isSelected == (item.feature == frame.selected), comment)
      #expect(Int(item.feature) < count && shown.insert(item.feature).inserted, comment)
    }
    for arrow in frame.arrows {
      #expect(arrow.position.x.isFinite && arrow.position.y.isFinite && arrow.direction.radians.isFinite, comment)
      #expect(arrow.count > 0 && Int(arrow.nearest) < count, comment)
    }
    for blip in frame.radar.blips {
      #expect(blip.position.length <= 1 + 1e-9, comment)
    }
    #expect(!frame.isValid || frame.clipFromWorld.allSatisfy { $0.isFinite }, comment)
    if !frame.isValid {
      #expect(frame.items.isEmpty && frame.arrows.isEmpty && frame.radar.blips.isEmpty, comment)
    }
  }
}
