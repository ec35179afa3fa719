import SightlineInput
import SightlineMath

extension ModelReader {
  mutating func readMeshes() throws(ModelError) {
    for entry in try entries(.mesh, "meshes") {
      let first = model.primitives.count
      let values = try list(entry, "primitives")
      guard !values.isEmpty else { throw error(.missing, entry, "primitives") }
      for (index, value) in values.enumerated() {
        let primitive = Entry(value: value, part: .mesh, index: entry.index, subindex: index)
        try expect(.object, value, primitive, "")
        try readPrimitive(primitive)
      }
      model.meshes.append(first..<model.primitives.count)
    }
  }

  private mutating func readPrimitive(_ entry: Entry) throws(ModelError) {
    let mode = try count(entry, "mode") ?? 4
    guard mode <= 6 else { throw error(.value, entry, "mode") }
    guard let attributes = try object(entry, "attributes") else { throw error(.missing, entry, "attributes") }
    if !(try list(entry, "targets")).isEmpty { model.omissions.insert(.morphTargets) }
    guard mode >= 4 else {
      model.omissions.insert(.pointsAndLines)
      return
    }
    // Without places there is nothing to draw; glTF allows that for extensions which bring their own.
    guard try reference(attributes, "POSITION", into: accessors.count) != nil else { return }

    var primitive = ModelPrimitive()
    primitive.material = try reference(entry, "material", into: model.materials.count) ?? -1
    primitive.positions = try attribute(attributes, "POSITION", 3...3)
    let vertices = primitive.vertexCount
    primitive.normals = try attribute(attributes, "NORMAL", 3...3, vertices)
    primitive.tangents = try attribute(attributes, "TANGENT", 4...4, vertices)
    primitive.textureCoordinates = try attribute(attributes, "TEXCOORD_0", 2...2, vertices)
    primitive.secondTextureCoordinates = try attribute(attributes, "TEXCOORD_1", 2...2, vertices)
    primitive.colors = try attribute(attributes, "COLOR_0", 3...4, vertices)
    if primitive.colors.count == 3 * vertices, vertices > 0 { primitive.colors = withAlpha(primitive.colors) }
    try readIndices(entry, mode, &primitive)
    vertexCount += vertices
    indexCount += primitive.indices.count
    if primitive.normals.isEmpty {
      // Flat shading gives each triangle its own vertices.
      vertexCount += primitive.indices.count - vertices
      guard vertexCount <= limits.vertices else { throw error(.limit, entry) }
      primitive.makeFlat()
    }
    guard vertexCount <= limits.vertices, indexCount <= limits.indices else { throw error(.limit, entry) }
    primitive.measure()
    model.primitives.append(primitive)
  }

  /// The numbers of an attribute; none when the primitive has not got it.
  private func attribute(
    _ attributes: Entry,
    _ property: StaticString,
    _ widths: ClosedRange<Int>,
    _ vertices: Int? = nil
  ) throws(ModelError) -> [Float] {
    guard let index = try reference(attributes, property, into: accessors.count) else { return [] }
    let accessor = try accessor(index, widths: widths, user: attributes, property)
    guard accessor.component != .unsignedInt else { throw error(.format, attributes, property) }
    if let vertices, accessor.count != vertices { throw error(.count, attributes, property) }
    guard vertexCount + accessor.count <= limits.vertices else { throw error(.limit, attributes, property) }
    return try floats(accessor)
  }

  private func withAlpha(_ colors: [Float]) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(colors.count / 3 * 4)
    for k in 0..<colors.count / 3 {
      result.append(colors[3 * k])
      result.append(colors[3 * k + 1])
      result.append(colors[3 * k + 2])
      result.append(1)
    }
    return result
  }

  /// The corners of triangles: glTF 2.0, section 3.7.2.1.
  private func readIndices(_ entry: Entry, _ mode: Int, _ primitive: inout ModelPrimitive) throws(ModelError) {
    let vertices = primitive.vertexCount
    var corners: [UInt32] = []
    if let index = try reference(entry, "indices", into: accessors.count) {
      let accessor = try accessor(index, widths: 1...1, user: entry, "indices")
      switch accessor.component {
      case .unsignedByte, .unsignedShort, .unsignedInt: break
      default: throw error(.format, entry, "indices")
      }
      guard indexCount + accessor.count <= limits.indices else { throw error(.limit, entry, "indices") }
      corners = try integers(accessor)
      for corner in corners where Int64(corner) >= Int64(vertices) { throw error(.vertexIndex, entry, "indices") }
    } else {
      corners.reserveCapacity(vertices)
      for k in 0..<vertices { corners.append(UInt32(clamping: k)) }
    }
    if mode == 4 {
      guard corners.count % 3 == 0 else { throw error(.count, entry, "indices") }
      primitive.indices = corners
      return
    }
    guard corners.count >= 3 else { throw error(.count, entry, "indices") }
    guard indexCount + (corners.count - 2) * 3 <= limits.indices else { throw error(.limit, entry, "indices") }
    primitive.indices.reserveCapacity((corners.count - 2) * 3)
    for k in 0..<corners.count - 2 {
      if mode == 5 {
        // Every other triangle of a strip runs the other way round.
        primitive.indices.append(corners[k])
        primitive.indices.append(corners[k + 1 + k % 2])
        primitive.indices.append(corners[k + 2 - k % 2])
      } else {
        primitive.indices.append(corners[k + 1])
        primitive.indices.append(corners[k + 2])
        primitive.indices.append(corners[0])
      }
    }
  }
}

extension ModelPrimitive {
  fileprivate func position(_ vertex: Int) -> Vector3 {
    Vector3(Double(positions[3 * vertex]), Double(positions[3 * vertex + 1]), Double(positions[3 * vertex + 2]))
  }

  fileprivate mutating func measure() {
    bounds = Box(minimum: position(0), maximum: position(0))
    for vertex in 0..<vertexCount { bounds.include(position(vertex)) }
  }

  /// Gives each triangle its own vertices and its own normal.
  fileprivate mutating func makeFlat() {
    func unshared(_ values: [Float], _ width: Int) -> [Float] {
      guard !values.isEmpty else { return [] }
      var result: [Float] = []
      result.reserveCapacity(indices.count * width)
      for index in indices { for k in 0..<width { result.append(values[Int(clamping: index) * width + k]) } }
      return result
    }
    positions = unshared(positions, 3)
    textureCoordinates = unshared(textureCoordinates, 2)
    secondTextureCoordinates = unshared(secondTextureCoordinates, 2)
    colors = unshared(colors, 4)
    // Tangents without normals have no meaning.
    tangents = []
    normals.reserveCapacity(positions.count)
    for triangle in 0..<indices.count / 3 {
      let (a, b, c) = (position(3 * triangle), position(3 * triangle + 1), position(3 * triangle + 2))
      let normal = (b - a).cross(c - a).normalized ?? Vector3(0, 0, 1)
      for _ in 0..<3 {
        normals.append(Float(normal.x))
        normals.append(Float(normal.y))
        normals.append(Float(normal.z))
      }
    }
    for k in 0..<indices.count { indices[k] = UInt32(clamping: k) }
  }
}
