import SightlineCamera
import SightlineMath

/// Takes the pictures of a run.
public struct VirtualCamera: Sendable {
  private let settings: CameraSettings
  private let renderer: SceneRenderer
  private let simulation: Simulation

  /// The camera of a run; `nil` when its script has none.
  ///
  /// - Parameters:
  ///   - simulation: the run.
  ///   - textures: of the scenery's pictures, in their order.
  /// - Precondition: as many textures as pictures.
  public init?(_ simulation: Simulation, textures: [Texture] = []) {
    guard let settings = simulation.script.camera else { return nil }
    precondition(textures.count == simulation.script.scenery.pictures.count)
    self.simulation = simulation
    self.settings = settings
    let isBlurred = settings.exposure > 0
    renderer = SceneRenderer(
      surfaces: simulation.surfaces(textures: textures),
      samples: isBlurred ? max(3, settings.samples / 3) : settings.samples
    )
  }

  /// The picture of a number whose exposure ends at a time: upright on the display, as browsers deliver it.
  public func picture(_ number: Int, at time: Double) -> ColourImage {
    let count = settings.exposure > 0 ? 5 : 1
    var sum: [SIMD3<Float>] = []
    for k in 0..<count {
      let moment = time - settings.exposure * (Double(k) + 0.5) / Double(count)
      let state = simulation.script.trajectory.state(at: count == 1 ? time : moment)
      let tones = renderer.draw(
        cameraFromWorld: simulation.view.cameraFromWorld(state),
        eye: state.position,
        intrinsics: settings.intrinsics,
        mixesLight: settings.hasToneCurve
      )
      if sum.isEmpty { sum = tones } else { for i in sum.indices { sum[i] += tones[i] } }
    }
    if count > 1 { for i in sum.indices { sum[i] /= Float(count) } }
    let (width, height) = (Int(settings.intrinsics.width), Int(settings.intrinsics.height))
    if settings.blur > 0 { sum = Self.blurred(sum, width, height, deviation: settings.blur) }
    return developed(sum, width, height, number)
  }

  /// Noise, grey and rounding to bytes.
  private func developed(_ tones: [SIMD3<Float>], _ width: Int, _ height: Int, _ number: Int) -> ColourImage {
    var image = ColourImage(width: width, height: height)
    var random = SeededGenerator(seed: simulation.script.seed, purpose: "picture \(number)")
    let noise = settings.noise
    for (k, tone) in tones.enumerated() {
      var tone = tone
      if !settings.isColour {
        tone = SIMD3(repeating: 0.299 * tone.x + 0.587 * tone.y + 0.114 * tone.z)
        if noise > 0 { tone += SIMD3(repeating: Float(noise * random.normal())) }
      } else if noise > 0 {
        tone += SIMD3(Float(noise * random.normal()), Float(noise * random.normal()), Float(noise * random.normal()))
      }
      for channel in 0..<3 { image.bytes[3 * k + channel] = UInt8(min(255, max(0, tone[channel].rounded()))) }
    }
    return image
  }

  /// A Gaussian blur, first along the rows, then along the columns; edges repeat.
  private static func blurred(
    _ tones: [SIMD3<Float>],
    _ width: Int,
    _ height: Int,
    deviation: Double
  ) -> [SIMD3<Float>] {
    let radius = max(1, Int((3 * deviation).rounded(.up)))
    var weights = (-radius...radius).map { Float(exp(-Double($0 * $0) / (2 * deviation * deviation))) }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    func pass(_ source: [SIMD3<Float>], _ count: Int, _ lines: Int, _ step: Int, _ stride: Int) -> [SIMD3<Float>] {
      var result = source
      for line in 0..<lines {
        for k in 0..<count {
          var value = SIMD3<Float>.zero
          for (j, weight) in weights.enumerated() {
            let index: Int = min(count - 1, max(0, k + j - radius))
            let tone: SIMD3<Float> = source[line * stride + index * step]
            value += tone * weight
          }
          result[line * stride + k * step] = value
        }
      }
      return result
    }
    return pass(pass(tones, width, height, 1, width), height, width, width, 1)
  }
}

extension Simulation {
  /// Where the corners of a picture of the scenery are in the camera picture.
  ///
  /// - Parameters:
  ///   - index: among the scenery's pictures.
  ///   - aspect: height over width of its file.
  ///   - time: end of the exposure.
  /// - Returns: pixels, clockwise from its top left; `nil` when a corner is behind the camera or the script has none.
  public func corners(ofPicture index: Int, aspect: Double, at time: Double) -> [Vector2]? {
    pixels(of: script.scenery.pictures[index].corners(aspect: aspect), at: time)
  }

  func pixels(of points: [Vector3], at time: Double) -> [Vector2]? {
    guard let settings = script.camera else { return nil }
    let state = script.trajectory.state(at: time - settings.exposure / 2)
    let turn = view.cameraFromWorld(state)
    var pixels: [Vector2] = []
    for corner in points {
      guard let pixel = settings.intrinsics.pixel(ofPointInCamera: turn * (corner - state.position)) else { return nil }
      pixels.append(pixel)
    }
    return pixels
  }
}
