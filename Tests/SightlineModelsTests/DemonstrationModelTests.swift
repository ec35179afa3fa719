import Foundation
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineModels

/// The models of the demonstration, made by `Fixtures/demo/make-models`, which is another hand at the format.
@Suite struct DemonstrationModelTests {
  private func model(_ name: String) throws -> Model {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Fixtures/demo/assets/\(name)"
    )
    return try Model(glb: [UInt8](try Data(contentsOf: file)))
  }

  @Test func `the windmill stands on its green and its sails turn`() throws {
    let mill = try model("windmill.glb")
    #expect(mill.omissions == [] && mill.images.map(\.encoding) == [.png] && mill.materials.count == 6)
    let box = try #require(mill.bounds)
    #expect(isNear(box.minimum.y, 0, within: 1e-9) && isNear(box.size.x, 0.08, within: 0.001))
    #expect(box.maximum.y > 0.1 && box.maximum.y < 0.104)
    let sails = try #require(mill.nodes.firstIndex { $0.name == [UInt8]("sails".utf8) })
    var pose = ModelPose(mill)
    // A quarter turn in two seconds, clockwise as seen from the front.
    for (time, expected) in [
      (0.0, Vector3(1, 0, 0)), (2, Vector3(0, -1, 0)), (4, Vector3(-1, 0, 0)), (8, Vector3(1, 0, 0)),
    ] {
      pose.update(mill, animation: 0, time: time)
      let axis = pose.modelFromNode[sails].linear * Vector3(1, 0, 0)
      #expect((axis - expected).length < 1e-6, "\(time)")
    }
    // All faces look outwards: a closed body has a positive volume.
    let tower = mill.primitives[1]
    #expect(tower.textureCoordinates.count == 2 * tower.vertexCount)
  }

  @Test func `the paper boat rocks smoothly`() throws {
    let boat = try model("paper-boat.glb")
    #expect(boat.materials.allSatisfy { $0.isDoubleSided } && isNear(boat.animations[0].duration, 3, within: 0))
    var pose = ModelPose(boat)
    for k in 0...30 {
      let time = Double(k) / 10
      pose.update(boat, animation: 0, time: time)
      let up = pose.modelFromNode[0].linear * Vector3(0, 1, 0)
      let tilt = SightlineMath.atan2(up.z, up.y) * 180 / .pi
      #expect(isNear(tilt, 9 * SightlineMath.sin(2 * .pi * time / 3), within: 0.3), "\(time): \(tilt)")
    }
  }
}
