import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMath
import SightlineVision

/// Target files: fields at the ends of their ranges, lengths that do not add up, the checksum right.
struct TargetFileTarget: StructuredTarget {
  static let name = "target"
  private let whole: [UInt8]

  init() {
    var image = GrayImage(width: 40, height: 32, level: 90)
    var random = Random(seed: 7, index: 0)
    for _ in 0..<14 {
      let (x, y, level) = (random.below(34), random.below(26), UInt8(random.below(256)))
      for j in y..<(y + 6) { for i in x..<(x + 6) { image[i, j] = level } }
    }
    whole = image.withView { TargetBuilder().file(of: $0, name: Array("fuzz".utf8), printedWidth: 0.2) }
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    out = whole
    // Version, small code, width, height, reference, printed width, stars, reasons, quantisation, name, features, code.
    let fields = [
      (4, 2), (6, 2), (8, 4), (12, 4), (16, 2), (18, 2), (20, 4), (24, 1), (25, 1), (26, 1), (27, 1), (28, 2), (30, 4),
    ]
    for _ in 0..<random.number(in: 0...3) {
      let (at, width) = random.pick(fields)
      let value: Int
      switch random.below(4) {
      case 0: value = Values.extremeInteger(&random)
      case 1 where at == 20: value = Int(Float(Values.extremeDouble(&random)).bitPattern)
      default: value = out.number(at: at, width) &+ random.number(in: -2...2)
      }
      out.set(value, at: at, width)
    }
    if random.once(in: 3) { out.breakFields(&random, from: 34) }
    // So that it is as long as it says it is, now and then: more or fewer features.
    if random.once(in: 4) {
      let needed =
        38 + Int(out[27]) + out.number(at: 30, 4) + (out[4] == 1 ? 0 : out.number(at: 6, 2)) + out.number(at: 28, 2)
        * 40
      if needed > 38, needed < 40_000 {
        let filling = UInt8(truncatingIfNeeded: random.next())
        while out.count < needed { out.append(filling) }
        out.removeLast(out.count - needed)
      }
    }
    guard out.count >= 8 else { return }
    var hash: UInt32 = 2_166_136_261
    for byte in out.dropLast(4) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    out.set(Int(hash), at: out.count - 4, 4)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let target = try? TargetFile.decode(input) else { return .refused }
    try require(target.width > 0 && target.height > 0 && target.rating.stars <= 5, "a size that is none")
    let set = target.features()
    try require(set.count == target.featureCount, "another number of features")
    for feature in set.features {
      try require(
        feature.x.isFinite && feature.y.isFinite && feature.scale > 0 && abs(feature.angle) < 4,
        "a feature that is none"
      )
    }
    // The search is costly: of one in 16, and of small ones.
    guard input.count % 16 == 0 || (input.last ?? 0) & 15 == 0 else { return .accepted }
    let reference = target.reference()
    try require(
      reference.width == target.referenceWidth && reference.height == target.referenceHeight,
      "another size of the picture"
    )
    guard reference.width <= 128, reference.height <= 128 else { return .accepted }
    let pipeline = VisionPipeline()
    pipeline.addPicture(1, target, width: 0)
    let camera = FrameCamera(
      intrinsics: Intrinsics(
        width: Double(reference.width),
        height: Double(reference.height),
        longSideFieldOfView: Angle(degrees: 60)
      )
    )
    var observations: [Observation] = []
    for time in [0, 0.03] {
      reference.withView { pipeline.process($0, time: time, camera: camera, into: &observations) }
      for seen in observations {
        try require(seen.isFinite && seen.anchor == .picture(1), "an observation that is none")
      }
    }
    return .accepted
  }
}
