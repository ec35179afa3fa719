import Foundation
import SightlineMath
import SightlineModels
import SightlinePictures
import SightlineTestSupport
import Testing

@testable import SightlineRendering

/// A GLB file of squares with corners ±0.5 in the plane y = 0, which face up, each with a node and a material of its own.
private struct SquaresFile {
  var materials: [[String: Any]] = [["extensions": ["KHR_materials_unlit": [:]]]]
  var nodes: [[String: Any]] = [["mesh": 0]]
  var animations: [[String: Any]] = []
  /// A picture for texture 0, sampled by its nearest pixel.
  var picture: [UInt8] = []
  /// Keys of an animation: times, then quaternions x, y, z, w.
  var keys: [Float] = []

  var bytes: [UInt8] {
    var binary: [UInt8] = []
    var views: [[String: Any]] = []
    func add(_ bytes: [UInt8]) {
      while binary.count % 4 != 0 { binary.append(0) }
      views.append(["buffer": 0, "byteOffset": binary.count, "byteLength": bytes.count])
      binary += bytes
    }
    func floats(_ values: [Float]) -> [UInt8] {
      values.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    }
    add(floats([-0.5, 0, -0.5, -0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0, -0.5]))
    add(floats([0, 0, 0, 1, 1, 1, 1, 0]))
    add([0, 1, 2, 0, 2, 3].flatMap { [UInt8($0), 0] })
    var accessors: [[String: Any]] = [
      [
        "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "min": [-0.5, 0, -0.5],
        "max": [0.5, 0, 0.5],
      ],
      ["bufferView": 1, "componentType": 5126, "type": "VEC2", "count": 4],
      ["bufferView": 2, "componentType": 5123, "type": "SCALAR", "count": 6],
    ]
    if !keys.isEmpty {
      add(floats(keys))
      let count = keys.count / 5
      accessors.append(
        [
          "bufferView": 3, "componentType": 5126, "type": "SCALAR", "count": count, "min": [keys[0]],
          "max": [keys[count - 1]],
        ]
      )
      accessors.append([
        "bufferView": 3, "byteOffset": 4 * count, "componentType": 5126, "type": "VEC4", "count": count,
      ])
    }
    var json: [String: Any] = [
      "asset": ["version": "2.0"], "extensionsUsed": ["KHR_materials_unlit"], "materials": materials, "nodes": nodes,
      "scenes": [["nodes": Array(nodes.indices)]],
      "meshes": materials.indices.map { material in
        ["primitives": [["attributes": ["POSITION": 0, "TEXCOORD_0": 1], "indices": 2, "material": material]]]
      },
    ]
    if !animations.isEmpty { json["animations"] = animations }
    if !picture.isEmpty {
      add(picture)
      json["images"] = [["bufferView": views.count - 1, "mimeType": "image/png"]]
      json["samplers"] = [["magFilter": 9728, "minFilter": 9728]]
      json["textures"] = [["source": 0, "sampler": 0]]
    }
    json["accessors"] = accessors
    json["bufferViews"] = views
    json["buffers"] = [["byteLength": binary.count]]
    var text = (try? JSONSerialization.data(withJSONObject: json)).map { [UInt8]($0) } ?? []
    while text.count % 4 != 0 { text.append(0x20) }
    while binary.count % 4 != 0 { binary.append(0) }
    func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian, Array.init) }
    return [UInt8]("glTF".utf8) + number(2) + number(28 + text.count + binary.count) + number(text.count)
      + [UInt8]("JSON".utf8) + text + number(binary.count) + [0x42, 0x49, 0x4E, 0] + binary
  }

  func drawable() throws -> DrawableModel { try DrawableModel(glb: bytes) }
}

@Suite struct ModelPictureTests {
  private let lens = DisplayLens(focal: Vector2(150, 148), center: Vector2(80.3, 60.7))
  private let width = 160
  private let height = 120

  private func draw(_ models: [PlacedModel]) -> ModelPicture? {
    ModelPicture(models, lens: lens, width: width, height: height)
  }

  /// The colour of a pixel of the canvas; nothing outside of what was drawn.
  private func color(_ picture: ModelPicture?, _ x: Int, _ y: Int) -> SIMD4<Float> {
    guard let picture, x >= picture.left, y >= picture.top, x < picture.left + picture.width,
      y < picture.top + picture.height
    else { return .zero }
    return picture[x - picture.left, y - picture.top]
  }

  private func pixel(_ p: Vector3) -> Vector2 {
    lens.center + Vector2(lens.focal.x * p.x / p.z, lens.focal.y * p.y / p.z)
  }

  /// A pose before the camera, leaning by less than 60°, its top towards the viewer.
  private func pose(_ random: inout SplitMix64) -> Affine {
    func spread() -> Double { Double.random(in: -1...1, using: &random) }
    let (x, y) = (0.1 * spread(), 0.08 * spread())
    // The model's up towards the viewer, then leaning, after a turn about its own up.
    let lean = leaning(Vector3(0.7 * spread(), 0.7 * spread(), 0))
    let facing = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: -90))
    let turn = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(radians: 3 * spread()))
    return Affine(
      translation: Vector3(x, y, 1.8 + 0.4 * spread()),
      rotation: lean * facing * turn,
      scale: Vector3(1, 1, 1)
    )
  }

  /// A turn about a vector by its length.
  private func leaning(_ turn: Vector3) -> Quaternion {
    turn.normalized.map { Quaternion(axis: $0, angle: Angle(radians: turn.length)) } ?? .identity
  }

  private let corners = [Vector3(-0.5, 0, -0.5), Vector3(-0.5, 0, 0.5), Vector3(0.5, 0, 0.5), Vector3(0.5, 0, -0.5)]

  @Test func `a square covers the pixels between its projected corners`() throws {
    let model = try SquaresFile().drawable()
    var random = SplitMix64(seed: 41)
    var whole = 0
    for trial in 0..<20 {
      let place = pose(&random)
      let polygon = corners.map { pixel(place * $0) }
      let picture = try #require(draw([PlacedModel(model, cameraFromModel: place)]))
      var covered = 0.0
      // Counted, since an expectation for each pixel takes minutes.
      var wrong: [String] = []
      for y in 0..<height {
        for x in 0..<width {
          let alpha = color(picture, x, y).w
          covered += Double(alpha)
          // Distance of the pixel's middle from the nearest side, positive inside.
          let middle = Vector2(Double(x) + 0.5, Double(y) + 0.5)
          var inside = Double.infinity
          for k in 0..<4 {
            let way = polygon[(k + 1) % 4] - polygon[k]
            inside = min(inside, (way.y * (middle.x - polygon[k].x) - way.x * (middle.y - polygon[k].y)) / way.length)
          }
          if inside > 0.75 && alpha != 1 || inside < -0.75 && alpha != 0 { wrong.append("\(x) \(y)") }
        }
      }
      #expect(wrong.isEmpty, "trial \(trial), pixels \(wrong.prefix(5))")
      // What lies outside of the picture cannot be counted.
      guard polygon.allSatisfy({ $0.x > 0 && $0.y > 0 && $0.x < Double(width) && $0.y < Double(height) }) else {
        continue
      }
      whole += 1
      var area = 0.0
      for k in 0..<4 { area += polygon[k].x * polygon[(k + 1) % 4].y - polygon[(k + 1) % 4].x * polygon[k].y }
      #expect(abs(covered / (abs(area) / 2) - 1) < 0.01, "trial \(trial): \(covered) of \(abs(area) / 2) pixels")
    }
    #expect(whole >= 8)
  }

  @Test func `a picture lies on a surface in perspective`() throws {
    // Four pixels: red, green, blue, white.
    let pixels: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
    var file = SquaresFile()
    file.picture = try Picture(width: 2, height: 2, layout: .rgb, pixels: pixels).png()
    file.materials = [
      ["extensions": ["KHR_materials_unlit": [:]], "pbrMetallicRoughness": ["baseColorTexture": ["index": 0]]]
    ]
    let model = try file.drawable()
    var random = SplitMix64(seed: 42)
    var compared = 0
    var wrong: [String] = []
    for _ in 0..<12 {
      let place = pose(&random)
      let picture = draw([PlacedModel(model, cameraFromModel: place)])
      let turn = place.linear
      let up = Vector3(turn.row0.y, turn.row1.y, turn.row2.y)
      for y in 0..<height {
        for x in 0..<width {
          // Where the ray through the pixel meets the plane, in the model's own axes.
          let ray = Vector3(
            (Double(x) + 0.5 - lens.center.x) / lens.focal.x,
            (Double(y) + 0.5 - lens.center.y) / lens.focal.y,
            1
          )
          let there = ray * (up.dot(place.translation) / up.dot(ray)) - place.translation
          let across = there.dot(Vector3(turn.row0.x, turn.row1.x, turn.row2.x))
          let front = there.dot(Vector3(turn.row0.z, turn.row1.z, turn.row2.z))
          // Far enough from the lines between the four and from the sides.
          guard abs(across) > 0.03, abs(front) > 0.03, abs(across) < 0.47, abs(front) < 0.47 else { continue }
          let k = 3 * ((front < 0 ? 0 : 2) + (across < 0 ? 0 : 1))
          let wanted = SIMD4(Float(pixels[k]), Float(pixels[k + 1]), Float(pixels[k + 2]), 255) / 255
          let d = color(picture, x, y) - wanted
          if (d * d).sum() > 1e-4 { wrong.append("pixel \(x) \(y): \(color(picture, x, y)), not \(wanted)") }
          compared += 1
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(compared), such as \(wrong.prefix(3))")
    #expect(compared > 20_000)
  }

  @Test func `what is nearer hides what is farther, and glass is laid over it`() throws {
    func plain(_ r: Double, _ g: Double, _ b: Double, _ a: Double = 1) -> [String: Any] {
      [
        "extensions": ["KHR_materials_unlit": [:]], "alphaMode": a < 1 ? "BLEND" : "OPAQUE",
        "pbrMetallicRoughness": ["baseColorFactor": [r, g, b, a]],
      ]
    }
    let facing = Affine(
      translation: Vector3(0, 0, 2),
      rotation: Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: -90)),
      scale: Vector3(1, 1, 1)
    )
    // The model's up is towards the viewer: what is higher is nearer.
    for heights in [[0.0, 0.1, 0.2], [0.2, 0.0, 0.1], [0.1, 0.2, 0.0]] {
      var file = SquaresFile()
      file.materials = [plain(1, 0, 0), plain(0, 1, 0), plain(0, 0, 1, 0.25)]
      file.nodes = heights.enumerated().map { ["mesh": $0.offset, "translation": [0, $0.element, 0]] }
      let picture = draw([PlacedModel(try file.drawable(), cameraFromModel: facing)])
      var wanted: SIMD4<Float> = heights[0] > heights[1] ? [1, 0, 0, 1] : [0, 1, 0, 1]
      if heights[2] > max(heights[0], heights[1]) { wanted = wanted * 0.75 + SIMD4(0, 0, 0.25, 0.25) }
      let d = color(picture, 80, 60) - wanted
      #expect((d * d).sum() < 1e-5, "\(heights): \(color(picture, 80, 60))")
    }
  }

  @Test func `a back is drawn when the material has two sides, and a mirrored node turns over`() throws {
    let away = Affine(
      translation: Vector3(0, 0, 2),
      rotation: Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90)),
      scale: Vector3(1, 1, 1)
    )
    for (isDoubleSided, scale, isDrawn) in [(false, 1.0, false), (true, 1, true), (false, -1, true)] {
      var file = SquaresFile()
      file.materials[0]["doubleSided"] = isDoubleSided
      file.nodes[0]["scale"] = [1, scale, 1]
      let picture = draw([PlacedModel(try file.drawable(), cameraFromModel: away)])
      // Mirrored along its normal the triangles run the other way round, and face the viewer.
      #expect((color(picture, 80, 60).w == 1) == isDrawn, "\(isDoubleSided) \(scale)")
    }
  }

  @Test func `a floor that reaches behind the eye is cut at the eye`() throws {
    var file = SquaresFile()
    file.nodes[0]["scale"] = [40, 1, 40]
    // The model's up against the camera's y, a metre and a half below the eye.
    let floor = Affine(
      translation: Vector3(0, 1.5, 0),
      rotation: Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 180)),
      scale: Vector3(1, 1, 1)
    )
    let picture = draw([PlacedModel(try file.drawable(), cameraFromModel: floor)])
    // The far edge is 20 m away: 1.5 / 20 · 148 pixels below the middle.
    for x in [2, 80, 157] {
      #expect(color(picture, x, 70).w == 0 && color(picture, x, 74).w == 1 && color(picture, x, 118).w == 1)
    }
  }

  @Test func `movements run and begin again`() throws {
    var file = SquaresFile()
    let half = Float(0.5).squareRoot()
    // A quarter turn about the front in a second, from lying to standing on its edge.
    file.keys = [0, 1, 0, 0, 0, 1, 0, 0, half, half]
    file.animations = [
      [
        "channels": [["sampler": 0, "target": ["node": 0, "path": "rotation"]]],
        "samplers": [["input": 3, "output": 4]],
      ]
    ]
    let model = try file.drawable()
    let facing = Affine(
      translation: Vector3(0, 0, 2),
      rotation: Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: -90)),
      scale: Vector3(1, 1, 1)
    )
    func width(at time: Double) -> Double {
      let picture = draw([PlacedModel(model, cameraFromModel: facing, time: time)])
      return (0..<self.width).reduce(0) { $0 + Double(color(picture, $1, 60).w) }
    }
    // Turned by 60° the square is half as wide, but for perspective.
    #expect(abs(width(at: 0) - 75) < 1.5 && abs(width(at: 2.0 / 3) - 37.5) < 3 && width(at: 0.99) < 3)
    #expect(abs(width(at: 3) - 75) < 1.5)
  }

  @Test func `light comes from above and over the left shoulder`() throws {
    var file = SquaresFile()
    file.materials = [["pbrMetallicRoughness": ["baseColorFactor": [0.5, 0.5, 0.5, 1], "metallicFactor": 0]]]
    let model = try file.drawable()
    func brightness(_ turn: Vector3) -> Float {
      let facing = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: -90))
      let place = Affine(
        translation: Vector3(0, 0, 2),
        rotation: leaning(turn) * facing,
        scale: Vector3(1, 1, 1)
      )
      return color(draw([PlacedModel(model, cameraFromModel: place)]), 80, 60).y
    }
    // The light's "above" is the model's own, towards the viewer here: leaning to the left shows more of the sun.
    let (straight, left, right) = (brightness(.zero), brightness(Vector3(0, 0.5, 0)), brightness(Vector3(0, -0.5, 0)))
    #expect(straight > 0.4 && straight < 1)
    #expect(left != right)
  }

  @Test func `a model is fitted onto a square with its foot on it`() throws {
    var file = SquaresFile()
    file.nodes = [["mesh": 0, "translation": [3, 0.5, 1], "scale": [4, 1, 2]]]
    let map = try file.drawable().fitted(onSquare: 0.2)
    // The model's own box: 1 … 5, 0.5, 0 … 2; its longest side becomes 0.2, x stays, up becomes z, the front −y.
    let low = map * Vector3(1, 0.5, 0)
    let high = map * Vector3(5, 0.5, 2)
    #expect((low - Vector3(-0.1, 0.05, 0)).length < 1e-6, "\(low)")
    #expect((high - Vector3(0.1, -0.05, 0)).length < 1e-6, "\(high)")
  }

  @Test func `a file that is no model is refused`() {
    #expect(throws: ModelError.self) { try DrawableModel(glb: [1, 2, 3]) }
  }
}
