import SightlineMath

/// How a surface looks: metallic-roughness shading of glTF 2.0, section 3.9.
public struct ModelMaterial: Sendable {
  /// A texture on a surface.
  public struct TextureUse: Sendable {
    /// Index of the texture; −1 for none.
    public var texture = -1
    /// Which texture coordinates: 0 or 1.
    public var set = 0
    /// Shift of the coordinates (KHR_texture_transform).
    public var offset = Vector2(0, 0)
    /// Scale of the coordinates.
    public var scale = Vector2(1, 1)
    /// Turn of the coordinates about their origin, counter-clockwise in the picture, radians.
    public var rotation = 0.0

    /// No texture.
    public init() {}
  }
  /// What alpha means.
  public enum AlphaMode: UInt8, Sendable {
    /// Nothing: the surface is opaque.
    case opaque
    /// Below the cut-off there is no surface.
    case mask
    /// The surface lets through what is behind.
    case blend
  }

  /// Red, green, blue, alpha, linear; 0 … 1.
  public var baseColor: SIMD4<Float> = [1, 1, 1, 1]
  /// Colour, sRGB, and alpha.
  public var baseColorTexture = TextureUse()
  /// 1 for metal, 0 for anything else.
  public var metallic: Float = 1
  /// 0 for a mirror, 1 for chalk.
  public var roughness: Float = 1
  /// Blue is metallic, green is roughness.
  public var metallicRoughnessTexture = TextureUse()
  /// Directions in the tangent frame.
  public var normalTexture = TextureUse()
  /// Factor of the first two parts of what ``normalTexture`` says.
  public var normalScale: Float = 1
  /// Red is how much light from around arrives.
  public var occlusionTexture = TextureUse()
  /// How much of ``occlusionTexture`` is applied.
  public var occlusionStrength: Float = 1
  /// Light of its own, red, green, blue, linear; may exceed 1 with KHR_materials_emissive_strength.
  public var emissive: SIMD3<Float> = [0, 0, 0]
  /// Light of its own, sRGB.
  public var emissiveTexture = TextureUse()
  /// What alpha means.
  public var alphaMode = AlphaMode.opaque
  /// For ``AlphaMode/mask``.
  public var alphaCutoff: Float = 0.5
  /// Whether backs are drawn too.
  public var isDoubleSided = false
  /// Whether the base colour is shown as it is, without light (KHR_materials_unlit).
  public var isUnlit = false

  /// The default material.
  public init() {}
}
