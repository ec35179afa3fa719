import SightlineMath
import SightlineModels

/// How surfaces look: metallic-roughness shading after glTF 2.0, appendix B, lit by a sun over the viewer's shoulder and a sky
/// that is brighter above than below.
///
/// The same light as in the web client (`WebClient/app/models/shaders.js`), so that a replay shows what the phone showed.
struct ModelLight {
  /// What is above for the model, camera frame, unit length.
  let up: SIMD3<Float>
  private let towardsSun: SIMD3<Float>

  init(up: SIMD3<Float>) {
    self.up = up
    towardsSun = (up + SIMD3(-0.45, 0, -0.75)).unit
  }

  /// A place on a surface.
  struct Surface {
    /// Camera frame.
    var point: SIMD3<Float>
    /// Unit length, towards the viewer's side.
    var normal: SIMD3<Float>
    /// Linear.
    var color: SIMD3<Float>
    var metallic: Float
    var roughness: Float
    /// How much of the light from around arrives, 0 … 1.
    var openness: Float
  }

  /// The light that comes from a surface, linear.
  func light(of s: Surface) -> SIMD3<Float> {
    let roughness = min(max(s.roughness, 0.045), 1)
    let (n, v) = (s.normal, (-s.point).unit)
    let f0 = SIMD3<Float>(repeating: 0.04) * (1 - s.metallic) + s.color * s.metallic
    let diffuse = s.color * (1 - s.metallic)
    let nv = max(n.dot(v), 0)
    let smooth = SIMD3<Float>(repeating: 1 - roughness)
    let mirror = f0 + (pointwiseMax(smooth, f0) - f0) * power5(1 - nv)
    let reflected = n * (2 * n.dot(v)) - v
    let around =
      diffuse * (surroundings(n, 1) * 0.48) + mirror * (surroundings(reflected, roughness) * 0.7)
    return sun(n, v, diffuse, f0, roughness) * 1.9 + around * s.openness
  }

  /// The sun's light: GGX with Smith's masking, and Lambert.
  private func sun(
    _ n: SIMD3<Float>,
    _ v: SIMD3<Float>,
    _ diffuse: SIMD3<Float>,
    _ f0: SIMD3<Float>,
    _ roughness: Float
  ) -> SIMD3<Float> {
    let l = towardsSun
    let h = (v + l).unit
    let (nl, nv) = (max(n.dot(l), 0), max(n.dot(v), 1e-3))
    let (nh, vh) = (max(n.dot(h), 0), max(v.dot(h), 0))
    let a2 = roughness * roughness * roughness * roughness
    let d = nh * nh * (a2 - 1) + 1
    let distribution = a2 / (Float(pi) * d * d)
    let masking =
      0.5 / (nl * (nv * nv * (1 - a2) + a2).squareRoot() + nv * (nl * nl * (1 - a2) + a2).squareRoot() + 1e-5)
    let fresnel = f0 + (1 - f0) * power5(1 - vh)
    return ((1 - fresnel) * diffuse / Float(pi) + fresnel * (distribution * masking)) * nl
  }

  /// How bright the surroundings are in a direction, blurred by roughness.
  private func surroundings(_ direction: SIMD3<Float>, _ roughness: Float) -> Float {
    let edge = 0.3 + roughness
    let t = min(max((direction.dot(up) + edge) / (2 * edge), 0), 1)
    return 0.45 + 0.6 * (t * t * (3 - 2 * t))
  }

  private func power5(_ x: Float) -> Float { x * x * x * x * x }

  /// From sRGB's curve to linear light.
  static func linear(_ c: SIMD3<Float>) -> SIMD3<Float> { SIMD3(linear(c.x), linear(c.y), linear(c.z)) }
  /// From linear light to sRGB's curve; what is brighter than 1 is 1.
  static func display(_ c: SIMD3<Float>) -> SIMD3<Float> { SIMD3(display(c.x), display(c.y), display(c.z)) }

  private static func linear(_ c: Float) -> Float {
    c < 0.04045 ? c / 12.92 : Float(pow((Double(c) + 0.055) / 1.055, 2.4))
  }
  private static func display(_ light: Float) -> Float {
    let c = min(max(light, 0), 1)
    return c < 0.0031308 ? c * 12.92 : Float(1.055 * pow(Double(c), 1 / 2.4) - 0.055)
  }
}

extension SIMD3<Float> {
  func dot(_ other: Self) -> Float { (self * other).sum() }
  func cross(_ b: Self) -> Self { Self(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x) }
  /// The same direction with length 1; zero stays.
  var unit: Self {
    let length = dot(self).squareRoot()
    return length > 0 ? self / length : self
  }
  init(_ v: Vector3) { self.init(Float(v.x), Float(v.y), Float(v.z)) }
}
