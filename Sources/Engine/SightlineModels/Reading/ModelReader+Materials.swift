import SightlineMath

extension ModelReader {
  mutating func readMaterials() throws(ModelError) {
    for entry in try entries(.material, "materials") {
      var material = ModelMaterial()
      if let surface = try object(entry, "pbrMetallicRoughness") { try readSurface(surface, &material) }
      (material.normalTexture, material.normalScale) = try texture(entry, "normalTexture", factor: "scale")
      (material.occlusionTexture, material.occlusionStrength) =
        try texture(entry, "occlusionTexture", factor: "strength")
      material.emissiveTexture = try texture(entry, "emissiveTexture").use
      if let color = try numbers(entry, "emissiveFactor", count: 3) {
        for value in color where value < 0 { throw error(.value, entry, "emissiveFactor") }
        material.emissive = SIMD3(Float(color[0]), Float(color[1]), Float(color[2]))
      }
      if json.member(entry.value, "alphaMode") != nil {
        if says(entry, "alphaMode", "MASK") {
          material.alphaMode = .mask
        } else if says(entry, "alphaMode", "BLEND") {
          material.alphaMode = .blend
        } else if !says(entry, "alphaMode", "OPAQUE") {
          throw error(.value, entry, "alphaMode")
        }
      }
      material.alphaCutoff = Float(try number(entry, "alphaCutoff") ?? 0.5)
      material.isDoubleSided = try flag(entry, "doubleSided")
      if let extensions = try object(entry, "extensions") {
        material.isUnlit = try object(extensions, "KHR_materials_unlit") != nil
        if let strength = try object(extensions, "KHR_materials_emissive_strength") {
          let factor = try number(strength, "emissiveStrength") ?? 1
          guard factor >= 0 else { throw error(.value, strength, "emissiveStrength") }
          material.emissive *= Float(factor)
          for k in 0..<3 where !material.emissive[k].isFinite { throw error(.value, strength, "emissiveStrength") }
        }
      }
      model.materials.append(material)
    }
  }

  private mutating func readSurface(_ entry: Entry, _ material: inout ModelMaterial) throws(ModelError) {
    if let color = try numbers(entry, "baseColorFactor", count: 4) {
      for (k, value) in color.enumerated() {
        guard value >= 0, value <= 1 else { throw error(.value, entry, "baseColorFactor") }
        material.baseColor[k] = Float(value)
      }
    }
    material.metallic = try share(entry, "metallicFactor") ?? 1
    material.roughness = try share(entry, "roughnessFactor") ?? 1
    material.baseColorTexture = try texture(entry, "baseColorTexture").use
    material.metallicRoughnessTexture = try texture(entry, "metallicRoughnessTexture").use
  }

  private mutating func texture(
    _ entry: Entry,
    _ property: StaticString,
    factor: StaticString = ""
  ) throws(ModelError) -> (use: ModelMaterial.TextureUse, factor: Float) {
    var use = ModelMaterial.TextureUse()
    guard let info = try object(entry, property) else { return (use, 1) }
    guard let index = try reference(info, "index", into: model.textures.count) else {
      throw error(.missing, info, "index")
    }
    use.texture = index
    use.set = try count(info, "texCoord") ?? 0
    if let extensions = try object(info, "extensions"),
      let transform = try object(extensions, "KHR_texture_transform")
    {
      if let offset = try numbers(transform, "offset", count: 2) { use.offset = Vector2(offset[0], offset[1]) }
      if let scale = try numbers(transform, "scale", count: 2) { use.scale = Vector2(scale[0], scale[1]) }
      use.rotation = try number(transform, "rotation") ?? 0
      use.set = try count(transform, "texCoord") ?? use.set
    }
    if use.set > 1 {
      model.omissions.insert(.furtherTextureCoordinates)
      use.texture = -1
    }
    let value = factor.utf8CodeUnitCount == 0 ? nil : try number(info, factor)
    return (use, Float(value ?? 1))
  }
}
