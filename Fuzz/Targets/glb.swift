import SightlineModels

/// GLB: what is read can be drawn and moved.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var limits = ModelLimits()
  limits.vertices = 20_000
  limits.indices = 60_000
  limits.keys = 20_000
  guard let model = try? Model(glb: UnsafeBufferPointer(start: data, count: count), limits: limits) else { return 0 }
  for primitive in model.primitives {
    precondition(primitive.indices.count % 3 == 0 && primitive.normals.count == primitive.positions.count)
    for index in primitive.indices { precondition(Int(index) < primitive.vertexCount) }
    for value in primitive.positions { precondition(value.isFinite) }
    precondition(primitive.material < model.materials.count)
  }
  for image in model.images { precondition(image.range.upperBound <= count) }
  for (node, mesh) in model.drawn { precondition(node < model.nodes.count && mesh < model.meshes.count) }
  var pose = ModelPose(model)
  for animation in model.animations.indices {
    for time in [-1, 0, 0.7, model.animations[animation].duration, 1e30] {
      pose.update(model, animation: animation, time: time)
    }
  }
  return 0
}
