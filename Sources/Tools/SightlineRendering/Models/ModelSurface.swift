import SightlineMath
import SightlineModels

/// A vertex before the camera, and what lies between the three of a triangle.
struct ModelVertex {
  /// Camera frame, metres.
  var point: SIMD3<Float>
  var normal: SIMD3<Float>
  /// With the handedness; zero when the file has none.
  var tangent: SIMD4<Float>
  /// First and second set.
  var coordinates: SIMD4<Float>
  /// Linear.
  var color: SIMD4<Float>

  static func between(_ a: ModelVertex, _ b: ModelVertex, _ t: Float) -> ModelVertex {
    mix(a, 1 - t, b, t, b, 0)
  }

  /// A weighted sum; weights add up to 1.
  static func mix(
    _ a: ModelVertex,
    _ wa: Float,
    _ b: ModelVertex,
    _ wb: Float,
    _ c: ModelVertex,
    _ wc: Float
  ) -> ModelVertex {
    ModelVertex(
      point: a.point * wa + b.point * wb + c.point * wc,
      normal: a.normal * wa + b.normal * wb + c.normal * wc,
      tangent: a.tangent * wa + b.tangent * wb + c.tangent * wc,
      coordinates: a.coordinates * wa + b.coordinates * wb + c.coordinates * wc,
      color: a.color * wa + b.color * wb + c.color * wc
    )
  }
}

/// A material with its textures: the colour of a place on it.
struct ModelSurface {
  let material: ModelMaterial
  let light: ModelLight
  /// Whether the node mirrors.
  let isMirrored: Bool
  private let baseColor: Coat?
  private let metallicRoughness: Coat?
  private let relief: Coat?
  private let occlusion: Coat?
  private let emission: Coat?

  /// A texture as a material uses it: KHR_texture_transform scales, then turns, then shifts.
  private struct Coat {
    let sampler: ModelSampler
    private let set: Int
    private let rows: (SIMD3<Float>, SIMD3<Float>)

    init?(_ use: ModelMaterial.TextureUse, _ textures: [ModelSampler?]) {
      guard textures.indices.contains(use.texture), let sampler = textures[use.texture] else { return nil }
      self.sampler = sampler
      set = use.set
      let (c, s) = (cos(use.rotation), sin(use.rotation))
      rows = (
        SIMD3(Vector3(c * use.scale.x, s * use.scale.y, use.offset.x)),
        SIMD3(Vector3(-s * use.scale.x, c * use.scale.y, use.offset.y))
      )
    }

    func place(_ coordinates: SIMD4<Float>) -> SIMD2<Float> {
      let uv = set == 1 ? SIMD3(coordinates.z, coordinates.w, 1) : SIMD3(coordinates.x, coordinates.y, 1)
      return SIMD2(rows.0.dot(uv), rows.1.dot(uv))
    }

    func value(_ here: Footprint) -> SIMD4<Float> {
      let at = place(here.coordinates)
      let size = SIMD2(Float(sampler.size.width), Float(sampler.size.height))
      let (a, b) = ((place(here.right) - at) * size, (place(here.below) - at) * size)
      let widest = max((a * a).sum(), (b * b).sum())
      // Half the logarithm of the square: copies that a pixel's width passes over.
      let detail = widest > 1 ? Float(0.5 * log(Double(min(widest, 1e12))) / log(2.0)) : 0
      return sampler.value(at.x, at.y, detail: detail)
    }
  }

  /// Texture coordinates of a pixel and of its neighbours to the right and below.
  struct Footprint {
    var coordinates: SIMD4<Float>
    var right: SIMD4<Float>
    var below: SIMD4<Float>
  }

  init(_ material: ModelMaterial, _ textures: [ModelSampler?], light: ModelLight, isMirrored: Bool) {
    self.material = material
    self.light = light
    self.isMirrored = isMirrored
    baseColor = Coat(material.baseColorTexture, textures)
    metallicRoughness = Coat(material.metallicRoughnessTexture, textures)
    relief = Coat(material.normalTexture, textures)
    occlusion = Coat(material.occlusionTexture, textures)
    emission = Coat(material.emissiveTexture, textures)
  }

  /// The colour of a place.
  ///
  /// - Parameters:
  ///   - here: the place.
  ///   - footprint: of the pixel.
  ///   - isBack: whether its back is seen.
  ///   - triangle: edges of the triangle with their texture coordinates, for reliefs without tangents.
  /// - Returns: red, green and blue as a display wants them, multiplied by alpha, and alpha; `nil` where there is no surface.
  func color(
    _ here: ModelVertex,
    _ footprint: Footprint,
    isBack: Bool,
    _ triangle: (ModelVertex, ModelVertex, ModelVertex)
  ) -> SIMD4<Float>? {
    var color = material.baseColor * here.color
    if let texel = baseColor?.value(footprint) {
      color *= SIMD4(ModelLight.linear(SIMD3(texel.x, texel.y, texel.z)), texel.w)
    }
    if material.alphaMode == .mask, color.w < material.alphaCutoff { return nil }
    let alpha = material.alphaMode == .blend ? color.w : 1
    let plain = SIMD3(color.x, color.y, color.z)
    var sum = plain
    if !material.isUnlit {
      var surface = ModelLight.Surface(
        point: here.point,
        normal: normal(here, footprint, isBack, triangle),
        color: plain,
        metallic: material.metallic,
        roughness: material.roughness,
        openness: 1
      )
      if let texel = metallicRoughness?.value(footprint) {
        surface.metallic *= texel.z
        surface.roughness *= texel.y
      }
      if let texel = occlusion?.value(footprint) { surface.openness = 1 + (texel.x - 1) * material.occlusionStrength }
      sum = light.light(of: surface)
    }
    var own = material.emissive
    if let texel = emission?.value(footprint) { own *= ModelLight.linear(SIMD3(texel.x, texel.y, texel.z)) }
    return SIMD4(ModelLight.display(sum + own) * alpha, alpha)
  }

  /// The normal with the texture's relief, from the file's tangents or from how the coordinates run over the triangle.
  private func normal(
    _ here: ModelVertex,
    _ footprint: Footprint,
    _ isBack: Bool,
    _ triangle: (ModelVertex, ModelVertex, ModelVertex)
  ) -> SIMD3<Float> {
    var n = here.normal.unit
    if isBack { n = -n }
    guard let relief else { return n }
    let texel = relief.value(footprint)
    var bump = SIMD3(texel.x, texel.y, texel.z) * 2 - 1
    bump.x *= material.normalScale
    bump.y *= material.normalScale
    var (t, b) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
    let given = SIMD3(here.tangent.x, here.tangent.y, here.tangent.z)
    if given != .zero {
      t = (given - n * n.dot(given)).unit
      b = n.cross(t) * (here.tangent.w * (isMirrored ? -1 : 1))
    } else {
      // Source: Schüler 2013, "Followup: Normal mapping without precomputed tangents"; the triangle's edges in place of steps
      // on the screen, which gives the same.
      let (p1, p2) = (triangle.1.point - triangle.0.point, triangle.2.point - triangle.0.point)
      let start = relief.place(triangle.0.coordinates)
      let (u1, u2) = (relief.place(triangle.1.coordinates) - start, relief.place(triangle.2.coordinates) - start)
      let side: Float = p1.cross(p2).dot(n) < 0 ? -1 : 1
      let (q1, q2) = (p2.cross(n), n.cross(p1))
      t = (q1 * u1.x + q2 * u2.x) * side
      b = (q1 * u1.y + q2 * u2.y) * -side
      let longest = max(t.dot(t), b.dot(b))
      guard longest > 0 else { return n }
      let scale = 1 / longest.squareRoot()
      t *= scale
      b *= scale
    }
    return (t * bump.x + b * bump.y + n * bump.z).unit
  }
}
