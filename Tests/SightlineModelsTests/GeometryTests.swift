import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineModels

@Suite struct GeometryTests {
  @Test func `a square is read as it was written`() throws {
    let model = try Model(glb: GLBFile.square().bytes)
    #expect(model.meshes == [0..<1] && model.primitives.count == 1)
    let square = model.primitives[0]
    #expect(square.positions == [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0])
    #expect(square.normals == [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
    #expect(square.textureCoordinates == [0, 1, 1, 1, 1, 0, 0, 0])
    #expect(square.indices == [0, 1, 2, 0, 2, 3])
    #expect(square.tangents.isEmpty && square.colors.isEmpty && square.secondTextureCoordinates.isEmpty)
    #expect(square.material == 0 && model.materials[0].metallic == 0.25)
    #expect(model.bounds == Box(minimum: Vector3(-1, -1, 0), maximum: Vector3(1, 1, 0)))
    #expect(model.drawn.count == 1 && model.drawn[0].node == 0 && model.drawn[0].mesh == 0)
    #expect(model.omissions == [])
  }

  struct Stored: Sendable {
    var component: Int
    var isNormalized: Bool
    var stored: [Int]
    var expected: [Double]
  }
  /// 5120 byte, 5121 unsigned byte, 5122 short, 5123 unsigned short; expected values from glTF 2.0, section 3.11.
  static let storedNumbers: [Stored] = {
    let (bytes, shorts): ([Double], [Double]) = ([0, 255, 1, 128, 51, 7], [0, 65535, 1, 13107, 32768, 7])
    return [
      Stored(
        component: 5120,
        isNormalized: true,
        stored: [-128, -127, 0, 127, 64, 1],
        expected: [-1, -1, 0, 1, 64.0 / 127, 1.0 / 127]
      ),
      Stored(component: 5121, isNormalized: true, stored: bytes.map { Int($0) }, expected: bytes.map { $0 / 255 }),
      Stored(
        component: 5122,
        isNormalized: true,
        stored: [-32768, -32767, 0, 32767, 1, -2],
        expected: [-1, -1, 0, 1, 1.0 / 32767, -2.0 / 32767]
      ),
      Stored(component: 5123, isNormalized: true, stored: shorts.map { Int($0) }, expected: shorts.map { $0 / 65535 }),
      Stored(
        component: 5120,
        isNormalized: false,
        stored: [-128, 127, 0, 1, 2, 3],
        expected: [-128, 127, 0, 1, 2, 3]
      ),
      Stored(component: 5121, isNormalized: false, stored: bytes.map { Int($0) }, expected: bytes),
      Stored(
        component: 5122,
        isNormalized: false,
        stored: [-32768, 32767, 0, 1, 2, 3],
        expected: [-32768, 32767, 0, 1, 2, 3]
      ),
      Stored(component: 5123, isNormalized: false, stored: shorts.map { Int($0) }, expected: shorts),
    ]
  }()

  @Test(arguments: storedNumbers) func `whole numbers are brought to their range`(row: Stored) throws {
    let (component, stored) = (row.component, row.stored)
    var file = GLBFile()
    let position = file.floats([0, 0, 0, 1, 0, 0, 0, 1, 0], type: "VEC3")
    let bytes =
      component < 5122
      ? stored.map { UInt8(truncatingIfNeeded: $0) } : littleEndian(stored.map { UInt16(truncatingIfNeeded: $0) })
    let more = ["normalized": row.isNormalized]
    let coordinates = file.accessor(bytes, type: "VEC2", component: component, count: 3, more: more)
    let normal = file.floats([0, 0, 1, 0, 0, 1, 0, 0, 1], type: "VEC3")
    file.show(["attributes": ["POSITION": position, "TEXCOORD_1": coordinates, "NORMAL": normal]])
    let read = try Model(glb: file.bytes).primitives[0].secondTextureCoordinates
    #expect(read.count == 6)
    for (a, b) in zip(read, row.expected) { #expect(isNear(Double(a), b, within: 1e-7)) }
  }

  @Test func `interleaved attributes are taken apart`() throws {
    var file = GLBFile()
    // x y z, red green blue alpha as bytes, normal: 28 bytes a vertex, behind 8 bytes of something else.
    var bytes: [UInt8] = [9, 9, 9, 9, 9, 9, 9, 9]
    for k in 0..<3 {
      bytes += littleEndian([Float(k), Float(k * k), 1].map(\.bitPattern)) + [255, 0, UInt8(51 * k), 102]
      bytes += littleEndian([Float(0), 0, -1].map(\.bitPattern))
    }
    let view = file.view(bytes, stride: 28)
    func accessor(_ offset: Int, _ component: Int, _ type: String, _ more: [String: Any] = [:]) -> Int {
      let entry: [String: Any] = [
        "bufferView": view, "byteOffset": 8 + offset, "componentType": component, "type": type, "count": 3,
      ]
      return file.append("accessors", entry.merging(more) { $1 })
    }
    let attributes = [
      "POSITION": accessor(0, 5126, "VEC3"), "COLOR_0": accessor(12, 5121, "VEC4", ["normalized": true]),
      "NORMAL": accessor(16, 5126, "VEC3"),
    ]
    file.show(["attributes": attributes])
    let read = try Model(glb: file.bytes).primitives[0]
    #expect(read.positions == [0, 0, 1, 1, 1, 1, 2, 4, 1])
    #expect(read.colors == [1, 0, 0, 0.4, 1, 0, 0.2, 0.4, 1, 0, 0.4, 0.4])
    #expect(read.normals == [0, 0, -1, 0, 0, -1, 0, 0, -1])
    #expect(read.indices == [0, 1, 2])
  }

  @Test(arguments: [5121, 5123, 5125]) func `a sparse accessor replaces elements, with and without a base`(
    places: Int
  ) throws {
    for hasBase in [false, true] {
      var file = GLBFile()
      let base = file.floats([1, 1, 1, 2, 2, 2, 3, 3, 3], type: "VEC3")
      let indexBytes =
        places == 5121
        ? [UInt8(1), 2] : places == 5123 ? littleEndian([UInt16(1), 2]) : littleEndian([UInt32(1), 2])
      let indices = file.view(indexBytes)
      let values = file.view(littleEndian([Float(5), 6, 7, 8, 9, 10].map(\.bitPattern)))
      file.change("accessors", base) {
        if !hasBase { $0["bufferView"] = nil }
        $0["sparse"] = [
          "count": 2, "indices": ["bufferView": indices, "componentType": places], "values": ["bufferView": values],
        ]
      }
      let normal = file.floats([0, 0, 1, 0, 0, 1, 0, 0, 1], type: "VEC3")
      file.show(["attributes": ["POSITION": base, "NORMAL": normal]])
      let first: [Float] = hasBase ? [1, 1, 1] : [0, 0, 0]
      #expect(try Model(glb: file.bytes).primitives[0].positions == first + [5, 6, 7, 8, 9, 10])
    }
  }

  @Test func `strips and fans become the triangles of the specification`() throws {
    for (mode, expected) in [
      (4, [0, 1, 2, 3, 4, 5]), (5, [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4]), (6, [1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0]),
    ] as [(Int, [UInt32])] {
      for component in [nil, 5121, 5123, 5125] as [Int?] {
        var file = GLBFile()
        let zero = [Float](repeating: 0, count: 18)
        let position = file.floats(zero, type: "VEC3")
        let normal = file.floats(zero.map { $0 + 1 }, type: "VEC3")
        var primitive: [String: Any] = ["attributes": ["POSITION": position, "NORMAL": normal], "mode": mode]
        if let component {
          let bytes =
            component == 5121
            ? [UInt8](0..<6) : component == 5123 ? littleEndian([UInt16](0..<6)) : littleEndian([UInt32](0..<6))
          primitive["indices"] = file.accessor(bytes, type: "SCALAR", component: component, count: 6)
        }
        file.show(primitive)
        #expect(try Model(glb: file.bytes).primitives[0].indices == expected)
      }
    }
  }

  @Test func `without normals every triangle gets its own`() throws {
    var file = GLBFile()
    let position = file.floats([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], type: "VEC3")
    let color = file.floats([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1], type: "VEC3")
    let indices = file.shorts([0, 1, 2, 0, 2, 3, 0, 3, 3])
    file.show(["attributes": ["POSITION": position, "COLOR_0": color], "indices": indices])
    let read = try Model(glb: file.bytes).primitives[0]
    #expect(read.vertexCount == 9 && read.indices == [UInt32](0..<9))
    #expect(read.positions == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1])
    #expect(read.normals[0..<9] == [0, 0, 1, 0, 0, 1, 0, 0, 1] && read.normals[9..<12] == [1, 0, 0])
    #expect(read.normals[18..<21] == [0, 0, 1], "a triangle without area gets some direction")
    #expect(read.colors[4..<8] == [0, 1, 0, 1], "three numbers of colour mean an opaque one")
  }

  @Test func `what is not drawn is named`() throws {
    var file = GLBFile.square()
    file.change("meshes", 0) {
      let triangles = ($0["primitives"] as? [[String: Any]] ?? [[:]])[0]
      $0["primitives"] = [triangles, triangles.merging(["mode": 1]) { $1 }, triangles.merging(["mode": 0]) { $1 }]
    }
    file.json["cameras"] = [["type": "perspective"]]
    file.json["skins"] = [["joints": [0]]]
    file.json["extensionsUsed"] = ["KHR_materials_unlit", "EXT_something"]
    let model = try Model(glb: file.bytes)
    #expect(model.primitives.count == 1)
    #expect(model.omissions == [.pointsAndLines, .cameras, .skins, .extensions])
  }
}
