import SightlineMath

extension ModelReader {
  mutating func readNodes() throws(ModelError) {
    let entries = try entries(.node, "nodes")
    guard entries.count <= limits.nodes else { throw error(.limit, root, "nodes") }
    model.nodes = [Model.Node](repeating: Model.Node(), count: entries.count)
    for entry in entries {
      model.nodes[entry.index].name = json.member(entry.value, "name").flatMap { json.string($0) } ?? []
      model.nodes[entry.index].mesh = try reference(entry, "mesh", into: model.meshes.count) ?? -1
      try readPlace(entry)
      for value in try list(entry, "children") {
        guard let number = json.number(value) else { throw error(.type, entry, "children") }
        guard let child = Int32(exactly: number), child >= 0, child < entries.count else {
          throw error(.reference, entry, "children")
        }
        guard model.nodes[Int(child)].parent < 0, Int(child) != entry.index else {
          throw error(.hierarchy, entry, "children")
        }
        model.nodes[Int(child)].parent = entry.index
      }
    }
    try orderNodes(entries)
  }

  private mutating func readPlace(_ entry: Entry) throws(ModelError) {
    let index = entry.index
    if let m = try numbers(entry, "matrix", count: 16) {
      // Stored by columns; the last row has to be that of an affine map.
      guard m[3] == 0, m[7] == 0, m[11] == 0, m[15] == 1 else { throw error(.value, entry, "matrix") }
      model.nodes[index].hasMatrix = true
      model.nodes[index].matrix = Affine(
        linear: Matrix3(rows: Vector3(m[0], m[4], m[8]), Vector3(m[1], m[5], m[9]), Vector3(m[2], m[6], m[10])),
        translation: Vector3(m[12], m[13], m[14])
      )
    }
    if let t = try numbers(entry, "translation", count: 3) {
      model.nodes[index].translation = Vector3(t[0], t[1], t[2])
    }
    if let q = try numbers(entry, "rotation", count: 4) {
      guard let rotation = Quaternion(w: q[3], x: q[0], y: q[1], z: q[2]).normalized else {
        throw error(.value, entry, "rotation")
      }
      model.nodes[index].rotation = rotation
    }
    if let s = try numbers(entry, "scale", count: 3) { model.nodes[index].scale = Vector3(s[0], s[1], s[2]) }
  }

  /// Parents before children; what cannot be ordered goes round in a circle.
  private mutating func orderNodes(_ entries: [Entry]) throws(ModelError) {
    let count = model.nodes.count
    var children = [Int](repeating: 0, count: count + 1)
    for node in model.nodes where node.parent >= 0 { children[node.parent + 1] += 1 }
    for k in 0..<count { children[k + 1] += children[k] }
    var next = children
    var sorted = [Int](repeating: 0, count: children[count])
    for index in 0..<count where model.nodes[index].parent >= 0 {
      let parent = model.nodes[index].parent
      sorted[next[parent]] = index
      next[parent] += 1
    }
    var order: [Int] = []
    order.reserveCapacity(count)
    for index in 0..<count where model.nodes[index].parent < 0 { order.append(index) }
    var position = 0
    while position < order.count {
      let node = order[position]
      for k in children[node]..<children[node + 1] { order.append(sorted[k]) }
      position += 1
    }
    if order.count < count {
      var isOrdered = [Bool](repeating: false, count: count)
      for node in order { isOrdered[node] = true }
      for entry in entries where !isOrdered[entry.index] { throw error(.hierarchy, entry, "children") }
    }
    model.order = order
  }

  /// Which nodes are shown, and how large the whole is.
  mutating func readScene() throws(ModelError) {
    let scenes = try entries(.scene, "scenes")
    let chosen = try reference(root, "scene", into: scenes.count) ?? 0
    var isShown = [Bool](repeating: scenes.isEmpty, count: model.nodes.count)
    if !scenes.isEmpty {
      for value in try list(scenes[chosen], "nodes") {
        guard let number = json.number(value) else { throw error(.type, scenes[chosen], "nodes") }
        guard let node = Int32(exactly: number), node >= 0, node < model.nodes.count else {
          throw error(.reference, scenes[chosen], "nodes")
        }
        guard model.nodes[Int(node)].parent < 0 else { throw error(.hierarchy, scenes[chosen], "nodes") }
        isShown[Int(node)] = true
      }
    }
    for index in model.order {
      let parent = model.nodes[index].parent
      if parent >= 0 { isShown[index] = isShown[parent] }
    }
    var draws = 0
    for index in 0..<model.nodes.count where isShown[index] && model.nodes[index].mesh >= 0 {
      // A few nodes that each show the same many primitives are little text and much to draw.
      draws += model.meshes[model.nodes[index].mesh].count
      guard draws <= limits.draws else { throw ModelError(.limit, .node, index, offset: jsonStart) }
      model.drawn.append((index, model.nodes[index].mesh))
    }
    let pose = ModelPose(model)
    var bounds: Box?
    for (node, mesh) in model.drawn {
      for primitive in model.meshes[mesh] {
        let box = model.primitives[primitive].bounds
        for corner in 0..<8 {
          let p = Vector3(
            corner & 1 == 0 ? box.minimum.x : box.maximum.x,
            corner & 2 == 0 ? box.minimum.y : box.maximum.y,
            corner & 4 == 0 ? box.minimum.z : box.maximum.z
          )
          let q = pose.modelFromNode[node] * p
          guard q.x.isFinite, q.y.isFinite, q.z.isFinite else {
            throw ModelError(.notFinite, .node, node, offset: jsonStart)
          }
          if bounds == nil { bounds = Box(minimum: q, maximum: q) } else { bounds?.include(q) }
        }
      }
    }
    model.bounds = bounds
  }
}
