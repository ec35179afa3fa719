import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineModels

@Suite struct MalformedTests {
  private func failure(_ bytes: [UInt8], limits: ModelLimits = ModelLimits()) -> ModelError? {
    do throws(ModelError) {
      _ = try Model(glb: bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// What is wrong and where, as one line.
  private func told(_ error: ModelError?) -> String {
    guard let error else { return "read" }
    let index = error.index < 0 ? "" : " \(error.index)"
    let subindex = error.subindex < 0 ? "" : ".\(error.subindex)"
    let property = "\(error.property)"
    return "\(error.code) \(error.part)\(index)\(subindex)" + (property.isEmpty ? "" : " \(property)")
  }

  @Test func `faults of the container`() {
    let good = GLBFile.square().bytes
    func changed(_ body: (inout [UInt8]) -> Void) -> String {
      var bytes = good
      body(&bytes)
      return told(failure(bytes))
    }
    #expect(told(failure([])) == "notGLB file")
    #expect(told(failure([UInt8]("{\"asset\":{}}".utf8))) == "notGLB file")
    #expect(changed { $0.removeLast($0.count - 8) } == "truncated file")
    #expect(changed { $0[4] = 1 } == "version file")
    #expect(changed { $0.removeLast(4) } == "truncated file")
    #expect(
      changed {
        $0[8] = 4; $0[9] = 0
      } == "truncated file"
    )
    #expect(changed { $0[15] = 0x7F } == "truncated chunk 0")
    #expect(changed { $0[16] = 0x42 } == "noJSON chunk 0")
    #expect(told(failure(GLBFile.container(text: [], binary: []))) == "syntax root")
    #expect(told(failure([UInt8]("glTF".utf8) + littleEndian([UInt32(2), 12]))) == "noJSON file")
    #expect(changed { $0 += [1, 2, 3] } == "read", "what follows the file is not part of it")
    let syntax = failure(GLBFile.container(text: [UInt8]("{\"a\":]}".utf8), binary: []))
    #expect(told(syntax) == "syntax root" && syntax?.offset == 25)
    #expect(told(failure(GLBFile.container(text: [UInt8]("[]".utf8), binary: []))) == "type root")
  }

  private typealias Fault = (String, @Sendable (inout GLBFile) -> Void)

  private static func primitive(_ file: inout GLBFile, _ body: (inout [String: Any]) -> Void) {
    file.change("meshes", 0) {
      var primitives = $0["primitives"] as? [[String: Any]] ?? [[:]]
      body(&primitives[0])
      $0["primitives"] = primitives
    }
  }
  private static func sampler(_ file: inout GLBFile, _ index: Int, _ body: (inout [String: Any]) -> Void) {
    file.change("animations", 0) {
      var samplers = $0["samplers"] as? [[String: Any]] ?? []
      body(&samplers[index])
      $0["samplers"] = samplers
    }
  }

  // Accessors of `moving`: 0 positions, 1 normals, 2 coordinates, 3 indices, 4 times, 5 places, 6 turns.
  private static let faults: [Fault] = [
    ("missing root asset", { $0.json["asset"] = nil }), ("type root asset", { $0.json["asset"] = 5 }),
    ("missing asset version", { $0.json["asset"] = ["x": 1] }),
    ("version asset version", { $0.json["asset"] = ["version": "1.0"] }),
    ("type asset version", { $0.json["asset"] = ["version": 2] }),
    ("extension root extensionsRequired", { $0.json["extensionsRequired"] = ["KHR_draco_mesh_compression"] }),
    ("type root nodes", { $0.json["nodes"] = ["a": 1] }), ("type node 0", { $0.json["nodes"] = [7] }),
    ("missing buffer 0 byteLength", { $0.json["buffers"] = [["x": 1]] }),
    ("outside buffer 0 byteLength", { $0.json["buffers"] = [["byteLength": 100_000]] }),
    ("external buffer 0 uri", { $0.json["buffers"] = [["byteLength": 4, "uri": "cube.bin"]] }),
    ("dataURI buffer 0 uri", { $0.json["buffers"] = [["byteLength": 4, "uri": "data:;base64,%%%"]] }),
    ("dataURI buffer 0 uri", { $0.json["buffers"] = [["byteLength": 4, "uri": "data:text/plain,hello"]] }),
    ("outside bufferView 1 byteLength", { $0.change("bufferViews", 1) { $0["byteLength"] = 2_147_483_647 } }),
    ("value bufferView 1 byteLength", { $0.change("bufferViews", 1) { $0["byteLength"] = 2_147_483_648 } }),
    ("value bufferView 1 byteOffset", { $0.change("bufferViews", 1) { $0["byteOffset"] = -4 } }),
    ("value bufferView 1 byteOffset", { $0.change("bufferViews", 1) { $0["byteOffset"] = 0.5 } }),
    ("reference bufferView 0 buffer", { $0.change("bufferViews", 0) { $0["buffer"] = 1 } }),
    ("value bufferView 0 byteStride", { $0.change("bufferViews", 0) { $0["byteStride"] = 3 } }),
    ("outside accessor 0 bufferView", { $0.change("bufferViews", 0) { $0["byteStride"] = 4 } }),
    ("outside accessor 0 byteOffset", { $0.change("accessors", 0) { $0["byteOffset"] = 4 } }),
    ("outside accessor 0 byteOffset", { $0.change("accessors", 0) { $0["count"] = 400_000 } }),
    ("limit mesh 0.0 POSITION", { $0.change("accessors", 0) { $0["count"] = 2_000_000_000 } }),
    ("value accessor 0 count", { $0.change("accessors", 0) { $0["count"] = 0 } }),
    ("value accessor 0 componentType", { $0.change("accessors", 0) { $0["componentType"] = 5124 } }),
    ("value accessor 0 type", { $0.change("accessors", 0) { $0["type"] = "VEC5" } }),
    ("missing accessor 0 type", { $0.change("accessors", 0) { $0["type"] = nil } }),
    ("format mesh 0.0 POSITION", { $0.change("accessors", 0) { $0["type"] = "VEC2" } }),
    ("format mesh 0.0 POSITION", { $0.change("accessors", 0) { $0["type"] = "MAT3" } }),
    ("count mesh 0.0 NORMAL", { $0.change("accessors", 1) { $0["count"] = 3 } }),
    ("reference accessor 1 bufferView", { $0.change("accessors", 1) { $0["bufferView"] = 77 } }),
    (
      "notFinite accessor 0",
      {
        $0.binary[3] = 0x7F; $0.binary[2] = 0x80
      }
    ),
    ("vertexIndex mesh 0.0 indices", { $0.binary[128] = 4 }),
    ("outside accessor 3 byteOffset", { $0.change("accessors", 3) { $0["componentType"] = 5125 } }),
    ("format mesh 0.0 indices", { $0.change("accessors", 3) { $0["componentType"] = 5122 } }),
    ("count mesh 0.0 indices", { $0.change("accessors", 3) { $0["count"] = 5 } }),
    (
      "value accessor 0 count",
      { $0.change("accessors", 0) { $0["sparse"] = ["count": 5, "indices": [:], "values": [:]] } }
    ), ("missing accessor 0 indices", { $0.change("accessors", 0) { $0["sparse"] = ["count": 1] } }),
    (
      "reference accessor 0 bufferView",
      {
        let view = $0.view([9])
        let values = $0.view([UInt8](repeating: 0, count: 12))
        $0.change("accessors", 0) {
          $0["sparse"] = [
            "count": 1, "indices": ["bufferView": view, "componentType": 5121], "values": ["bufferView": values],
          ]
        }
      }
    ), ("reference mesh 0.0 POSITION", { primitive(&$0) { $0["attributes"] = ["POSITION": 7] } }),
    ("missing mesh 0.0 attributes", { primitive(&$0) { $0["attributes"] = nil } }),
    ("value mesh 0.0 mode", { primitive(&$0) { $0["mode"] = 7 } }),
    ("reference mesh 0.0 material", { primitive(&$0) { $0["material"] = 1 } }),
    ("reference mesh 0.0 indices", { primitive(&$0) { $0["indices"] = 70 } }),
    ("missing mesh 0 primitives", { $0.change("meshes", 0) { $0["primitives"] = nil } }),
    ("missing image 0 bufferView", { $0.json["images"] = [[:]] }),
    ("external image 0 uri", { $0.json["images"] = [["uri": "http://example.org/a.png"]] }),
    ("reference texture 0 source", { $0.json["textures"] = [["source": 0]] }),
    (
      "value sampler 0 wrapS",
      {
        $0.json["samplers"] = [["wrapS": 1]]; $0.json["textures"] = [["sampler": 0]]
      }
    ), ("reference material 0 index", { $0.json["materials"] = [["normalTexture": ["index": 0]]] }),
    ("value material 0 alphaMode", { $0.json["materials"] = [["alphaMode": "GLASS"]] }),
    ("type material 0 doubleSided", { $0.json["materials"] = [["doubleSided": 1]] }),
    ("value material 0 metallicFactor", { $0.json["materials"] = [["pbrMetallicRoughness": ["metallicFactor": 2]]] }),
    ("count material 0 emissiveFactor", { $0.json["materials"] = [["emissiveFactor": [1, 1]]] }),
    ("value material 0 emissiveFactor", { $0.json["materials"] = [["emissiveFactor": [1, -1, 0]]] }),
    ("reference node 0 mesh", { $0.json["nodes"] = [["mesh": 3]] }),
    ("reference node 0 children", { $0.json["nodes"] = [["children": [4]]] }),
    ("hierarchy node 0 children", { $0.json["nodes"] = [["children": [0]]] }),
    ("hierarchy node 0 children", { $0.json["nodes"] = [["children": [1]], ["children": [0]]] }),
    ("hierarchy node 1 children", { $0.json["nodes"] = [["children": [2]], ["children": [2]], [:]] }),
    ("count node 0 matrix", { $0.json["nodes"] = [["matrix": [1, 2, 3]]] }),
    (
      "value node 0 matrix",
      { $0.json["nodes"] = [["matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]]] }
    ), ("value node 0 rotation", { $0.json["nodes"] = [["rotation": [0, 0, 0, 0]]] }),
    ("type node 0 scale", { $0.json["nodes"] = [["scale": [1, "a", 1]]] }),
    ("reference scene 0 nodes", { $0.json["scenes"] = [["nodes": [9]]] }),
    (
      "hierarchy scene 0 nodes",
      {
        $0.json["nodes"] = [["children": [1]], [:]]; $0.json["scenes"] = [["nodes": [1]]]
      }
    ), ("reference root scene", { $0.json["scene"] = 5 }),
    ("missing animation 0.1 output", { sampler(&$0, 1) { $0["output"] = nil } }),
    ("reference animation 0.1 input", { sampler(&$0, 1) { $0["input"] = 50 } }),
    ("value animation 0.0 interpolation", { sampler(&$0, 0) { $0["interpolation"] = "CUBIC" } }),
    ("count animation 0.0 output", { sampler(&$0, 0) { $0["interpolation"] = "CUBICSPLINE" } }),
    ("format animation 0.0 output", { sampler(&$0, 0) { $0["output"] = 6 } }),
    (
      "order animation 0.0 input",
      {
        $0.change("accessors", 4) {
          $0["bufferView"] = 5; $0["byteOffset"] = 16
        }
      }
    ),
    (
      "value animation 0.0 path",
      { $0.change("animations", 0) { $0["channels"] = [["sampler": 0, "target": ["node": 0, "path": "colour"]]] } }
    ),
    (
      "reference animation 0.0 node",
      { $0.change("animations", 0) { $0["channels"] = [["sampler": 0, "target": ["node": 8, "path": "scale"]]] } }
    ), ("missing animation 0.0 sampler", { $0.change("animations", 0) { $0["channels"] = [["target": ["node": 0]]] } }),
    (
      "format animation 0.0 node",
      { $0.change("nodes", 0) { $0["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] } }
    ),
  ]

  @Test func `every fault is named with its place`() throws {
    #expect(failure(GLBFile.moving().bytes) == nil)
    for (expected, spoil) in Self.faults {
      var file = GLBFile.moving()
      spoil(&file)
      let bytes = file.bytes
      let error = failure(bytes)
      #expect(told(error) == expected)
      if let error {
        #expect(error.offset >= 0 && error.offset <= bytes.count)
        // The offset leads to the property's value, of which the key stands just before.
        if "\(error.property)" != "", error.code != .missing, error.part != .asset {
          let before = String(decoding: bytes[max(0, error.offset - 60)..<error.offset], as: UTF8.self)
          // Of one that has its default, the object that it would stand in.
          let isObject = bytes[error.offset] == UInt8(ascii: "{")
          #expect(isObject || before.contains("\"\(error.property)\":"), "\(expected): \(before)")
        }
      }
    }
  }

  @Test func `limits are kept`() {
    func refused(_ body: (inout ModelLimits) -> Void) -> String {
      var limits = ModelLimits()
      body(&limits)
      return told(failure(GLBFile.moving().bytes, limits: limits))
    }
    #expect(refused { $0.bytes = 100 } == "limit file")
    #expect(refused { $0.values = 10 } == "limit root")
    #expect(refused { $0.nodes = 0 } == "limit root nodes")
    #expect(refused { $0.vertices = 3 } == "limit mesh 0.0 POSITION" && refused { $0.vertices = 4 } == "read")
    #expect(refused { $0.indices = 5 } == "limit mesh 0.0 indices" && refused { $0.indices = 6 } == "read")
    #expect(refused { $0.keys = 10 } == "limit animation 0.0 output")
  }

  @Test func `pictures that name the same bytes of a data address are not copied without end`() {
    var file = GLBFile.square()
    let data = Data(repeating: 7, count: 1 << 20).base64EncodedString()
    var buffers = [["byteLength": file.binary.count] as [String: Any]]
    buffers.append(["byteLength": 1 << 20, "uri": "data:application/octet-stream;base64,\(data)"])
    file.json["buffers"] = buffers
    let view = file.append("bufferViews", ["buffer": 1, "byteOffset": 0, "byteLength": 1 << 20])
    for _ in 0..<40 { _ = file.append("images", ["bufferView": view, "mimeType": "image/png"]) }
    #expect(told(failure(file.bytes)) == "limit image 32")
    file.json["images"] = Array(repeating: ["bufferView": view, "mimeType": "image/png"] as [String: Any], count: 32)
    #expect(failure(file.bytes) == nil)
    // Stretches of the binary part are named, not copied: any number of them costs nothing.
    var named = GLBFile.square()
    let own = named.view([UInt8](repeating: 1, count: 1 << 20))
    named.json["images"] = Array(repeating: ["bufferView": own, "mimeType": "image/png"] as [String: Any], count: 500)
    #expect(failure(named.bytes) == nil)
  }

  @Test func `many members asked by many primitives do not take for ever`() {
    var file = GLBFile.square()
    let position = file.floats([0, 0, 0, 1, 0, 0, 0, 1, 0], type: "VEC3")
    file.change("accessors", position) { accessor in for k in 0..<20_000 { accessor["x\(k)"] = 0 } }
    let primitive: [String: Any] = ["attributes": ["POSITION": position]]
    file.change("meshes", 0) { $0["primitives"] = Array(repeating: primitive, count: 20_000) }
    #expect(told(failure(file.bytes)) == "limit root")
  }

  @Test func `nodes that all show the same many primitives are refused`() {
    var file = GLBFile.square()
    let position = file.floats([0, 0, 0, 1, 0, 0, 0, 1, 0], type: "VEC3")
    let primitive: [String: Any] = ["attributes": ["POSITION": position]]
    file.change("meshes", 0) { $0["primitives"] = Array(repeating: primitive, count: 1000) }
    file.json["nodes"] = Array(repeating: ["mesh": 0], count: 200)
    file.json["scenes"] = nil
    #expect(told(failure(file.bytes)) == "limit node 100")
    file.json["nodes"] = Array(repeating: ["mesh": 0], count: 100)
    #expect(failure(file.bytes) == nil)
  }

  @Test func `a file cut anywhere is refused`() {
    let bytes = GLBFile.moving().bytes
    for count in 0..<bytes.count { #expect(failure([UInt8](bytes[..<count])) != nil) }
  }

  @Test func `whatever is changed, it is refused or can be drawn`() throws {
    var g = SplitMix64(seed: 31)
    let files = [GLBFile.moving().bytes, GLBFile.square().bytes]
    var read = 0
    for round in 0..<6000 {
      var bytes = files[round % 2]
      for _ in 0..<Int.random(in: 1...6, using: &g) {
        let place = Int.random(in: 12..<bytes.count, using: &g)
        bytes[place] = Bool.random(using: &g) ? .random(in: 0...255, using: &g) : [0x30, 0x39, 0x2D, 0x5D][place % 4]
      }
      guard let model = try? Model(glb: bytes) else { continue }
      read += 1
      for primitive in model.primitives {
        #expect(primitive.indices.allSatisfy { $0 < primitive.vertexCount } && primitive.indices.count % 3 == 0)
        #expect(primitive.normals.count == primitive.positions.count && primitive.material < model.materials.count)
        #expect(primitive.positions.allSatisfy { $0.isFinite })
      }
      var pose = ModelPose(model)
      for animation in model.animations.indices {
        for time in [-1, 0, 0.5, 2.9, 1e9] { pose.update(model, animation: animation, time: time) }
      }
    }
    #expect(read > 200 && read < 5500, "\(read)")
  }
}
