import Foundation
import Testing

@Suite struct ModelCommandTests {
  private var mill: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/demo/assets/windmill.glb")
  }

  @Test func `a model is told in one line, a broken one with its place`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var bytes = try Data(contentsOf: mill)
    try bytes.write(to: URL(filePath: folder + "/mill.glb"))
    let good = try await Tool.run("model", "mill.glb", in: folder)
    #expect(good.status == 0, "\(good.errors)")
    #expect(
      good.output == "mill.glb: 0.079 × 0.102 × 0.079 m, 180 triangles, 6 materials, 1 picture, 1 movement\n",
      "\(good.output)"
    )

    let word = try #require(bytes.range(of: Data("\"path\":\"rotation\"".utf8)))
    bytes.replaceSubrange(word, with: Data("\"path\":\"rotatiom\"".utf8))
    try bytes.write(to: URL(filePath: folder + "/broken.glb"))
    let broken = try await Tool.run("model", "broken.glb", "none.glb", "mill.glb", in: folder)
    #expect(broken.status == 1 && broken.output.hasPrefix("mill.glb: "))
    let lines = broken.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("broken.glb: error: This is none of the values allowed."), "\(broken.errors)")
    // Where the text within the quotes begins.
    #expect(lines[0].hasSuffix("(animation 0.0 path, byte \(word.lowerBound + 8))"), "\(broken.errors)")
    #expect(lines[1] == "none.glb: error: cannot be read. Check the path.")
  }
}
