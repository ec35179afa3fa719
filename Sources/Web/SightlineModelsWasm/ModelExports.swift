import SightlineMath
import SightlineModels
import SightlineWasmMemory

// Models as numbers. A page loads one, copies its triangles to the graphics card, and asks where its nodes are for each
// frame; `WebClient/engine/models.js` mirrors the layout.

// One thread enters the instance, see Host.swift; so for the others below.
nonisolated(unsafe) private var models: [LoadedModel?] = []
nonisolated(unsafe) private var input = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
nonisolated(unsafe) private var failure: ModelError?
nonisolated(unsafe) private var scratch = Buffer()

private struct LoadedModel {
  var model: Model
  var pose: ModelPose
}

/// Room for a file of so many bytes; 0 when there is no memory for it.
///
/// What was there before is gone.
@_expose(wasm) @c public func sl_model_bytes(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
  input.deallocate()
  input = UnsafeMutableBufferPointer(start: nil, count: 0)
  guard count > 0, Int(count) <= ModelLimits().bytes else { return nil }
  // Out of memory the allocator answers with address 0, and writing there works silently.
  let base = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(count))
  guard UInt(bitPattern: base) != 0 else { return nil }
  input = UnsafeMutableBufferPointer(start: base, count: Int(count))
  return base
}

/// Reads the file that is in the room; answers the model's number, or −1 with the reason at `sl_model_failure`.
@_expose(wasm) @c public func sl_model_load() -> Int32 {
  defer {
    input.deallocate()
    input = UnsafeMutableBufferPointer(start: nil, count: 0)
  }
  do throws(ModelError) {
    let model = try Model(glb: UnsafeBufferPointer(input))
    let loaded = LoadedModel(model: model, pose: ModelPose(model))
    failure = nil
    if let free = models.firstIndex(where: { $0 == nil }) {
      models[free] = loaded
      return Int32(free)
    }
    models.append(loaded)
    return Int32(models.count - 1)
  } catch {
    failure = error
    return -1
  }
}

/// Why the last file was refused: code, part, index, subindex, offset in the file, address and length of the property's
/// name.
@_expose(wasm) @c public func sl_model_failure() -> UnsafeMutablePointer<Double> {
  scratch.reserve(7)
  var out = Writer(scratch.base)
  guard let failure else { return scratch.base }
  out.put(Int32(failure.code.rawValue))
  out.put(Int32(failure.part.rawValue))
  out.put(failure.index)
  out.put(failure.subindex)
  out.put(failure.offset)
  out.put(Double(UInt(bitPattern: failure.property.utf8Start)))
  out.put(failure.property.utf8CodeUnitCount)
  return scratch.base
}

/// Forgets a model.
@_expose(wasm) @c public func sl_model_release(_ index: Int32) {
  if models.indices.contains(Int(index)) { models[Int(index)] = nil }
}

/// Gives back the memory of a model's triangles, when the page has copied them.
@_expose(wasm) @c public func sl_model_shed(_ index: Int32) {
  guard models.indices.contains(Int(index)) else { return }
  models[Int(index)]?.model.shedTriangles()
}

/// Everything about a model but its triangles; 0 when there is no such model.
@_expose(wasm) @c public func sl_model_describe(_ index: Int32) -> UnsafeMutablePointer<Double>? {
  guard models.indices.contains(Int(index)), let loaded = models[Int(index)] else { return nil }
  let model = loaded.model
  scratch.reserve(
    16 + 3 * model.drawn.count + 9 * loaded.model.primitives.count + 57 * model.materials.count + 4
      * model.textures.count
      + 4 * model.images.count + model.animations.count
  )
  var out = Writer(scratch.base)
  out.put(model.bounds != nil)
  let bounds = model.bounds ?? Box(minimum: .zero, maximum: .zero)
  write(bounds.minimum, &out)
  write(bounds.maximum, &out)
  out.put(Int32(model.omissions.rawValue))
  out.put(model.drawn.count)
  out.put(loaded.model.primitives.count)
  out.put(model.materials.count)
  out.put(model.textures.count)
  out.put(model.images.count)
  out.put(model.animations.count)
  while out.position < 16 { out.put(0 as Int32) }
  for (node, mesh) in model.drawn {
    out.put(node)
    out.put(model.meshes[mesh].lowerBound)
    out.put(model.meshes[mesh].count)
  }
  for primitive in loaded.model.primitives {
    out.put(primitive.material)
    out.put(primitive.vertexCount)
    out.put(primitive.indices.count)
    for attribute: Int32 in 0..<6 { out.put(values(primitive, attribute).count > 0) }
  }
  for material in model.materials { write(material, &out) }
  for texture in model.textures {
    out.put(texture.image)
    out.put(Int32(texture.wrapU.rawValue))
    out.put(Int32(texture.wrapV.rawValue))
    out.put(texture.isNearest)
  }
  for image in model.images {
    out.put(Int32(image.encoding.rawValue))
    out.put(image.range.lowerBound)
    out.put(image.bytes.isEmpty ? image.range.count : image.bytes.count)
    out.put(!image.bytes.isEmpty)
  }
  for animation in model.animations { out.put(animation.duration) }
  return scratch.base
}

/// A copy of an attribute of a primitive as 32-bit floats: 0 positions, 1 normals, 2 tangents, 3 and 4 texture coordinates,
/// 5 colours; 6 is its indices as 32-bit whole numbers.
///
/// 0 when it has none. Valid until the next call.
@_expose(wasm) @c public func sl_model_attribute(
  _ index: Int32,
  _ primitive: Int32,
  _ attribute: Int32
) -> UnsafeMutableRawPointer? {
  guard models.indices.contains(Int(index)), let loaded = models[Int(index)],
    loaded.model.primitives.indices.contains(Int(primitive))
  else { return nil }
  let source = loaded.model.primitives[Int(primitive)]
  if attribute == 6 {
    guard !source.indices.isEmpty, scratch.reserveExactly((source.indices.count + 1) / 2) else { return nil }
    let out = UnsafeMutableRawPointer(scratch.base)
    for (k, value) in source.indices.enumerated() { out.storeBytes(of: value, toByteOffset: 4 * k, as: UInt32.self) }
    return out
  }
  let numbers = values(source, attribute)
  guard !numbers.isEmpty, scratch.reserveExactly((numbers.count + 1) / 2) else { return nil }
  let out = UnsafeMutableRawPointer(scratch.base)
  for (k, value) in numbers.enumerated() { out.storeBytes(of: value, toByteOffset: 4 * k, as: Float.self) }
  return out
}

/// A copy of a picture that does not lie in the file as it is; 0 when it does.
@_expose(wasm) @c public func sl_model_image(_ index: Int32, _ image: Int32) -> UnsafeMutableRawPointer? {
  guard models.indices.contains(Int(index)), let model = models[Int(index)]?.model,
    model.images.indices.contains(Int(image)), !model.images[Int(image)].bytes.isEmpty
  else { return nil }
  let bytes = model.images[Int(image)].bytes
  guard scratch.reserveExactly((bytes.count + 7) / 8) else { return nil }
  let out = UnsafeMutableRawPointer(scratch.base)
  for (k, value) in bytes.enumerated() { out.storeBytes(of: value, toByteOffset: k, as: UInt8.self) }
  return out
}

/// Where the drawn nodes are at a time of a movement (below 0: at rest): for each a matrix of 16 numbers by columns, and
/// whether it mirrors.
@_expose(wasm) @c public func sl_model_pose(
  _ index: Int32,
  _ animation: Int32,
  _ time: Double
) -> UnsafeMutablePointer<Double>? {
  guard models.indices.contains(Int(index)), let count = models[Int(index)]?.model.drawn.count else { return nil }
  models[Int(index)]?.move(animation, time)
  scratch.reserve(17 * count)
  var out = Writer(scratch.base)
  guard let loaded = models[Int(index)] else { return nil }
  for (node, _) in loaded.model.drawn {
    let m = loaded.pose.modelFromNode[node]
    let l = m.linear
    for column in [
      Vector3(l.row0.x, l.row1.x, l.row2.x), Vector3(l.row0.y, l.row1.y, l.row2.y),
      Vector3(l.row0.z, l.row1.z, l.row2.z),
    ] {
      write(column, &out)
      out.put(0 as Int32)
    }
    write(m.translation, &out)
    out.put(1 as Int32)
    out.put(m.determinant < 0)
  }
  return scratch.base
}

extension LoadedModel {
  fileprivate mutating func move(_ animation: Int32, _ time: Double) {
    let chosen = model.animations.indices.contains(Int(animation)) ? Int(animation) : nil
    pose.update(model, animation: chosen, time: time.isFinite ? time : 0)
  }
}

private func values(_ primitive: ModelPrimitive, _ attribute: Int32) -> [Float] {
  switch attribute {
  case 0: primitive.positions
  case 1: primitive.normals
  case 2: primitive.tangents
  case 3: primitive.textureCoordinates
  case 4: primitive.secondTextureCoordinates
  case 5: primitive.colors
  default: []
  }
}

private func write(_ v: Vector3, _ out: inout Writer) {
  out.put(v.x)
  out.put(v.y)
  out.put(v.z)
}

/// Seventeen numbers, then eight for each of five textures.
private func write(_ material: ModelMaterial, _ out: inout Writer) {
  for k in 0..<4 { out.put(Double(material.baseColor[k])) }
  out.put(Double(material.metallic))
  out.put(Double(material.roughness))
  out.put(Double(material.normalScale))
  out.put(Double(material.occlusionStrength))
  for k in 0..<3 { out.put(Double(material.emissive[k])) }
  out.put(Int32(material.alphaMode.rawValue))
  out.put(Double(material.alphaCutoff))
  out.put(material.isDoubleSided)
  out.put(material.isUnlit)
  out.put(0 as Int32)
  out.put(0 as Int32)
  write(material.baseColorTexture, &out)
  write(material.metallicRoughnessTexture, &out)
  write(material.normalTexture, &out)
  write(material.occlusionTexture, &out)
  write(material.emissiveTexture, &out)
}

private func write(_ use: ModelMaterial.TextureUse, _ out: inout Writer) {
  out.put(use.texture)
  out.put(use.set)
  out.put(use.offset.x)
  out.put(use.offset.y)
  out.put(use.scale.x)
  out.put(use.scale.y)
  out.put(use.rotation)
  out.put(0 as Int32)
}
