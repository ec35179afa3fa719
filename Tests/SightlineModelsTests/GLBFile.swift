import Foundation

/// A small GLB writer: an independent second hand at the format, for tests.
struct GLBFile {
  var json: [String: Any] = ["asset": ["version": "2.0"]]
  var binary: [UInt8] = []

  mutating func append(_ list: String, _ entry: [String: Any]) -> Int {
    var entries = json[list] as? [[String: Any]] ?? []
    entries.append(entry)
    json[list] = entries
    return entries.count - 1
  }

  /// Changes one entry of a list.
  mutating func change(_ list: String, _ index: Int, _ body: (inout [String: Any]) -> Void) {
    guard var entries = json[list] as? [[String: Any]] else { return }
    body(&entries[index])
    json[list] = entries
  }

  mutating func view(_ bytes: [UInt8], stride: Int? = nil) -> Int {
    while binary.count % 4 != 0 { binary.append(0xEE) }
    var entry: [String: Any] = ["buffer": 0, "byteOffset": binary.count, "byteLength": bytes.count]
    if let stride { entry["byteStride"] = stride }
    binary += bytes
    return append("bufferViews", entry)
  }

  mutating func accessor(
    _ bytes: [UInt8],
    type: String,
    component: Int,
    count: Int,
    more: [String: Any] = [:]
  ) -> Int {
    let view = view(bytes)
    return append(
      "accessors",
      ["bufferView": view, "componentType": component, "type": type, "count": count].merging(more) { $1 }
    )
  }

  mutating func floats(_ values: [Float], type: String) -> Int {
    let width = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4][type] ?? 1
    return accessor(littleEndian(values.map(\.bitPattern)), type: type, component: 5126, count: values.count / width)
  }

  mutating func shorts(_ values: [UInt16]) -> Int {
    accessor(littleEndian(values), type: "SCALAR", component: 5123, count: values.count)
  }

  /// A node with a mesh of one primitive, in a scene.
  mutating func show(_ primitive: [String: Any]) {
    let mesh = append("meshes", ["primitives": [primitive]])
    let node = append("nodes", ["mesh": mesh])
    json["scenes"] = [["nodes": [node]]]
  }

  var bytes: [UInt8] {
    var json = json
    if !binary.isEmpty, json["buffers"] == nil { json["buffers"] = [["byteLength": binary.count]] }
    var text = (try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys])).map { [UInt8]($0) } ?? []
    while text.count % 4 != 0 { text.append(0x20) }
    return GLBFile.container(text: text, binary: binary)
  }

  static func container(text: [UInt8], binary: [UInt8]) -> [UInt8] {
    var binary = binary
    while binary.count % 4 != 0 { binary.append(0) }
    let total = 20 + text.count + (binary.isEmpty ? 0 : 8 + binary.count)
    var out = [UInt8]("glTF".utf8) + littleEndian([UInt32(2), UInt32(total), UInt32(text.count)])
    out += [UInt8]("JSON".utf8) + text
    if !binary.isEmpty { out += littleEndian([UInt32(binary.count)]) + [0x42, 0x49, 0x4E, 0] + binary }
    return out
  }

  /// A square of two triangles in the plane z = 0 with corners ±1, normals, texture coordinates and 16-bit indices.
  static func square() -> GLBFile {
    var file = GLBFile()
    let position = file.floats([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], type: "VEC3")
    let normal = file.floats([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], type: "VEC3")
    let coordinates = file.floats([0, 1, 1, 1, 1, 0, 0, 0], type: "VEC2")
    let indices = file.shorts([0, 1, 2, 0, 2, 3])
    let material = file.append("materials", ["pbrMetallicRoughness": ["metallicFactor": 0.25]])
    file.show([
      "attributes": ["POSITION": position, "NORMAL": normal, "TEXCOORD_0": coordinates], "indices": indices,
      "material": material,
    ])
    return file
  }

  /// The square on a node that turns and moves.
  static func moving() -> GLBFile {
    var file = square()
    let times = file.floats([0, 1, 3], type: "SCALAR")
    let places = file.floats([0, 0, 0, 2, 0, 0, 2, 4, 0], type: "VEC3")
    let half = Float(0.5).squareRoot()
    let turns = file.floats([0, 0, 0, 1, 0, 0, half, half, 0, 0, 1, 0], type: "VEC4")
    _ = file.append(
      "animations",
      [
        "name": "round",
        "samplers": [["input": times, "output": places], ["input": times, "output": turns]],
        "channels": [
          ["sampler": 0, "target": ["node": 0, "path": "translation"]],
          ["sampler": 1, "target": ["node": 0, "path": "rotation"]],
        ],
      ]
    )
    return file
  }
}

func littleEndian<T: FixedWidthInteger>(_ values: [T]) -> [UInt8] {
  values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) } }
}
