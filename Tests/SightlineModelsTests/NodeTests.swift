import Foundation
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineModels

@Suite struct NodeTests {
  private func near(_ a: Vector3, _ b: Vector3, within tolerance: Double = 1e-6) -> Bool {
    isNear(a.x, b.x, within: tolerance) && isNear(a.y, b.y, within: tolerance) && isNear(a.z, b.z, within: tolerance)
  }

  @Test func `translation, rotation and scale equal their matrix, whatever the order of the nodes`() throws {
    var g = SplitMix64(seed: 11)
    for _ in 0..<50 {
      let q = try #require(
        Quaternion(
          w: .random(in: -1...1, using: &g),
          x: .random(in: -1...1, using: &g),
          y: .random(in: -1...1, using: &g),
          z: .random(in: -1...1, using: &g)
        ).normalized
      )
      let t = Vector3(.random(in: -9...9, using: &g), .random(in: -9...9, using: &g), .random(in: -9...9, using: &g))
      let s = Vector3(.random(in: -2...2, using: &g), .random(in: 0.1...2, using: &g), .random(in: 0.1...2, using: &g))
      let m = Affine(translation: t, rotation: q, scale: s)
      let l = m.linear
      let columns = [
        l.row0.x, l.row1.x, l.row2.x, 0, l.row0.y, l.row1.y, l.row2.y, 0, l.row0.z, l.row1.z, l.row2.z, 0, t.x, t.y,
        t.z, 1,
      ]
      var file = GLBFile()
      let parts: [String: Any] = [
        "translation": [t.x, t.y, t.z], "rotation": [q.x, q.y, q.z, q.w], "scale": [s.x, s.y, s.z],
      ]
      // 0 hangs on 2, 1 on 3; 2 and 3 are roots: parents stand behind their children.
      _ = file.append("nodes", parts)
      _ = file.append("nodes", ["matrix": columns])
      _ = file.append("nodes", parts.merging(["children": [0]]) { $1 })
      _ = file.append("nodes", ["matrix": columns, "children": [1]])
      let model = try Model(glb: file.bytes)
      let pose = ModelPose(model)
      let point = Vector3(1, -2, 3)
      #expect(near(pose.modelFromNode[2] * point, pose.modelFromNode[3] * point))
      #expect(near(pose.modelFromNode[0] * point, pose.modelFromNode[1] * point, within: 1e-5))
      #expect(near(pose.modelFromNode[0] * point, m * (m * point), within: 1e-5))
      #expect((pose.modelFromNode[2].determinant < 0) == (s.x < 0))
    }
  }

  @Test func `the bounds follow the nodes of the scene and no others`() throws {
    var file = GLBFile.square()
    file.json["nodes"] = [
      ["mesh": 0, "scale": [2, 1, 1], "name": "großer"],
      ["children": [0, 3], "translation": [10, 0, 0], "rotation": [0, 0, 0.5.squareRoot(), 0.5.squareRoot()]],
      ["mesh": 0, "translation": [500, 0, 0]], [:],
    ]
    file.json["scenes"] = [["nodes": [2]], ["nodes": [1]]]
    file.json["scene"] = 1
    let model = try Model(glb: file.bytes)
    let bounds = try #require(model.bounds)
    #expect(near(bounds.minimum, Vector3(9, -2, 0)) && near(bounds.maximum, Vector3(11, 2, 0)))
    #expect(near(bounds.center, Vector3(10, 0, 0)) && near(bounds.size, Vector3(2, 4, 0)))
    #expect(model.drawn.map(\.node) == [0])
    #expect(model.nodes[0].name == [UInt8]("großer".utf8))
  }

  @Test func `without scenes everything is shown, and an empty one shows nothing`() throws {
    var file = GLBFile.square()
    file.json["scenes"] = nil
    #expect(try Model(glb: file.bytes).drawn.count == 1)
    file.json["scenes"] = [[:]]
    let empty = try Model(glb: file.bytes)
    #expect(empty.drawn.isEmpty && empty.bounds == nil)
  }
}

@Suite struct AnimationTests {
  private func place(_ model: Model, _ time: Double, _ point: Vector3 = .zero) -> Vector3 {
    var pose = ModelPose(model)
    pose.update(model, animation: 0, time: time)
    return pose.modelFromNode[0] * point
  }
  private func near(_ a: Vector3, _ b: Vector3) -> Bool { (a - b).length < 1e-6 }

  @Test func `straight lines and arcs between keys, the ends beyond them`() throws {
    let model = try Model(glb: GLBFile.moving().bytes)
    #expect(model.animations[0].duration == 3 && model.animations[0].name == [UInt8]("round".utf8))
    #expect(near(place(model, -1), .zero) && near(place(model, 0), .zero))
    #expect(near(place(model, 0.5), Vector3(1, 0, 0)))
    #expect(near(place(model, 1), Vector3(2, 0, 0)))
    #expect(near(place(model, 1.5), Vector3(2, 1, 0)))
    #expect(near(place(model, 99), Vector3(2, 4, 0)))
    // The turn about z is 90° at one second and 180° at three.
    let x = Vector3(1, 0, 0)
    #expect(near(place(model, 1, x) - place(model, 1), Vector3(0, 1, 0)))
    let r = 0.5.squareRoot()
    #expect(near(place(model, 0.5, x) - place(model, 0.5), Vector3(r, r, 0)))
    #expect(near(place(model, 2, x) - place(model, 2), Vector3(-r, r, 0)))
    #expect(near(place(model, 3, x) - place(model, 3), Vector3(-1, 0, 0)))
    let atRest = ModelPose(model)
    #expect(near(atRest.modelFromNode[0] * x, x))
  }

  @Test func `steps hold the earlier key`() throws {
    var file = GLBFile.moving()
    file.change("animations", 0) {
      var samplers = $0["samplers"] as? [[String: Any]] ?? []
      for k in samplers.indices { samplers[k]["interpolation"] = "STEP" }
      $0["samplers"] = samplers
    }
    let model = try Model(glb: file.bytes)
    #expect(near(place(model, 0.999), .zero) && near(place(model, 1), Vector3(2, 0, 0)))
    #expect(near(place(model, 2.999), Vector3(2, 0, 0)) && near(place(model, 3), Vector3(2, 4, 0)))
  }

  @Test func `a cubic spline with the tangents of a cubic is that cubic`() throws {
    var file = GLBFile.square()
    // x = t³, y = 1 − t², z = t over 1 … 3; tangents are their derivatives.
    let times = file.floats([1, 3], type: "SCALAR")
    let values = file.floats([0, 0, 0, 1, 0, 1, 3, -2, 1, 27, -6, 1, 27, -8, 3, 0, 0, 0], type: "VEC3")
    _ = file.append(
      "animations",
      [
        "samplers": [["input": times, "output": values, "interpolation": "CUBICSPLINE"]],
        "channels": [["sampler": 0, "target": ["node": 0, "path": "translation"]]],
      ]
    )
    let model = try Model(glb: file.bytes)
    for t in stride(from: 1.0, through: 3, by: 0.125) {
      #expect(near(place(model, t), Vector3(t * t * t, 1 - t * t, t)))
    }
  }

  @Test func `rotations stored as whole numbers, the shorter way round, and scale`() throws {
    var file = GLBFile.square()
    let times = file.floats([0, 1], type: "SCALAR")
    // No turn, then minus the quaternion of a quarter turn about x.
    let half = Int16((0.5.squareRoot() * 32767).rounded())
    let turns = file.accessor(
      littleEndian([0, 0, 0, 32767, -half, 0, 0, -half].map { UInt16(bitPattern: $0) }),
      type: "VEC4",
      component: 5122,
      count: 2,
      more: ["normalized": true]
    )
    let scales = file.floats([1, 1, 1, 3, 5, 7], type: "VEC3")
    _ = file.append(
      "animations",
      [
        "samplers": [["input": times, "output": turns], ["input": times, "output": scales]],
        "channels": [
          ["sampler": 0, "target": ["node": 0, "path": "rotation"]],
          ["sampler": 1, "target": ["node": 0, "path": "scale"]], ["sampler": 1, "target": ["path": "scale"]],
        ],
      ]
    )
    let model = try Model(glb: file.bytes)
    #expect(model.animations[0].channels.count == 2, "a channel without a node is not ours")
    let y = place(model, 0.5, Vector3(0, 1, 0))
    let r = 3 * 0.5.squareRoot()
    #expect((y - Vector3(0, r, r)).length < 1e-3)
    #expect((place(model, 1, Vector3(1, 1, 1)) - Vector3(3, -7, 5)).length < 1e-3)
  }
}
