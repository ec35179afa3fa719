import SightlineMath

/// From light to grey levels: darker corners, automatic exposure that wanders, point spread, noise, tone curve.
struct Film {
  private let settings: CameraSettings
  private let seed: UInt64
  private let shade: [Float]
  private let curve: [UInt8]
  private var random: SeededGenerator
  private var logGain: Double?
  private var mood = 0.0
  private var moodUntil = -Double.infinity
  private var lastTime = 0.0

  /// Steps of the tone curve's table.
  private static let steps = 8192

  init(_ settings: CameraSettings, rig: Rig, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    random = SeededGenerator(seed: seed, purpose: "film")
    let corner = (rig.center.x * rig.center.x + rig.center.y * rig.center.y)
    var shade: [Float] = []
    for y in 0..<rig.height {
      for x in 0..<rig.width {
        let (dx, dy) = (Double(x) - rig.center.x, Double(y) - rig.center.y)
        shade.append(Float(1 - rig.vignette * (dx * dx + dy * dy) / corner))
      }
    }
    self.shade = shade
    curve = (0..<Self.steps).map { step in
      let tone = ToneCurve.tone(of: SIMD3(repeating: Float(step) / Float(Self.steps - 1))).x
      return UInt8(min(255, max(0, tone.rounded())))
    }
  }

  /// The grey levels of a frame; frames have to come in their order.
  mutating func develop(_ light: [Float], rig: Rig, number: Int, at time: Double, isCovered: Bool) -> [UInt8] {
    var light = light
    var sum = 0.0
    for k in light.indices {
      light[k] *= shade[k]
      if k % 97 == 0 { sum += Double(light[k]) }
    }
    let mean = sum / Double(max(1, light.count / 97)) + 1e-3
    let wanted = log(clamp(0.24 / mean, 0.3, 4))
    if time > moodUntil {
      // Metering changes its mind now and then.
      moodUntil = time + random.uniform(2, 8)
      mood = random.normal() * 0.12
    }
    if let gain = logGain {
      // A covered lens is not what it adapts to, within seconds.
      if !isCovered { logGain = gain + (wanted + mood - gain) * (1 - exp(-max(0, time - lastTime) / 0.6)) }
    } else {
      logGain = wanted
    }
    lastTime = time
    let gain = Float(exp(logGain ?? 0))
    for k in light.indices { light[k] = isCovered ? 0.0015 : light[k] * gain }
    if settings.blur > 0 { light = Self.blurred(light, rig.width, rig.height, deviation: settings.blur) }
    var noise = SeededGenerator(seed: seed, purpose: "frame \(number)")
    let deviation = Float(settings.noise)
    var levels = [UInt8](repeating: 0, count: light.count)
    for k in light.indices {
      let step = min(Float(Self.steps - 1), max(0, light[k] * Float(Self.steps - 1)))
      let level = curve[Int(step)]
      guard deviation > 0 else {
        levels[k] = level
        continue
      }
      // Four even numbers of 16 bits have a normal sum, near enough.
      let bits = noise.next()
      let four = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
      let normal = (Float(four) / 65536 - 2) * 1.7320508
      levels[k] = UInt8(min(255, max(0, (Float(level) + deviation * normal).rounded())))
    }
    return levels
  }

  /// A Gaussian blur, first along the rows, then along the columns; edges repeat.
  private static func blurred(_ light: [Float], _ width: Int, _ height: Int, deviation: Double) -> [Float] {
    let radius = max(1, Int((2.5 * deviation).rounded(.up)))
    var weights = (-radius...radius).map { Float(exp(-Double($0 * $0) / (2 * deviation * deviation))) }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    var rows = light
    for y in 0..<height {
      for x in 0..<width {
        var value: Float = 0
        for (j, weight) in weights.enumerated() {
          value += light[y * width + min(width - 1, max(0, x + j - radius))] * weight
        }
        rows[y * width + x] = value
      }
    }
    var result = [Float](repeating: 0, count: light.count)
    for y in 0..<height {
      for (j, weight) in weights.enumerated() {
        let from = min(height - 1, max(0, y + j - radius)) * width
        for x in 0..<width { result[y * width + x] += rows[from + x] * weight }
      }
    }
    return result
  }
}
