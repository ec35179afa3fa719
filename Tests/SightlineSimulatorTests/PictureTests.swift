import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineSimulator

@Suite struct PictureTests {
  /// The area of a convex polygon inside a pixel, by clipping at its four sides.
  private func coverage(_ polygon: [Vector2], x: Double, y: Double) -> Double {
    var points = polygon
    let sides: [(Vector2, Double)] = [
      (Vector2(1, 0), x - 0.5), (Vector2(-1, 0), -(x + 0.5)), (Vector2(0, 1), y - 0.5), (Vector2(0, -1), -(y + 0.5)),
    ]
    for (normal, limit) in sides {
      var kept: [Vector2] = []
      for k in points.indices {
        let (a, b) = (points[k], points[(k + 1) % points.count])
        let (da, db) = (a.dot(normal) - limit, b.dot(normal) - limit)
        if da >= 0 { kept.append(a) }
        if (da >= 0) != (db >= 0) { kept.append(a + (b - a) * (da / (da - db))) }
      }
      points = kept
      if points.isEmpty { return 0 }
    }
    var area = 0.0
    for k in points.indices {
      let (a, b) = (points[k], points[(k + 1) % points.count])
      area += a.x * b.y - b.x * a.y
    }
    return abs(area) / 2
  }

  @Test func `edges on a surface lie where the homography says`() throws {
    var random = SplitMix64(seed: 21)
    let lens = Intrinsics(width: 44, height: 40, focalX: 42, focalY: 43, centerX: 21, centerY: 19.5)
    // A black square on white, a quarter of the board's side from each edge.
    var cells = [UInt8](repeating: 255, count: 16)
    for k in [5, 6, 9, 10] { cells[k] = 0 }
    let texture = Texture(width: 4, height: 4, bytes: cells, channels: 1, isSmooth: false)
    var (worst, square, count) = (0.0, 0.0, 0)
    for trial in 0..<24 {
      func random1(_ range: Double) -> Double { Double.random(in: -range...range, using: &random) }
      // Every fourth one is parallel to the picture's sides, where samples in rows would fail most.
      let lean = trial % 4 == 0 ? 0 : 0.7
      let turn =
        Quaternion(turn: Vector3(random1(lean), random1(lean), trial % 4 == 0 ? 0 : random1(pi)))
      let (across, down) = (turn * Vector3(1, 0, 0), turn * Vector3(0, 1, 0))
      let center = Vector3(random1(0.1), random1(0.1), 2.2)
      let corner = center - across * 0.5 - down * 0.5
      let surface = Surface(corner: corner, across: across, down: down, material: .texture(texture))
      let renderer = SceneRenderer(surfaces: [surface], samples: 144)
      let tones = renderer.draw(cameraFromWorld: .identity, eye: .zero, intrinsics: lens, mixesLight: false)
      let polygon = try [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)].map { u, v in
        try #require(lens.pixel(ofPointInCamera: corner + across * u + down * v))
      }
      let outline = try [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { u, v in
        try #require(lens.pixel(ofPointInCamera: corner + across * u + down * v))
      }
      var (mass, sum, trueMass, trueSum) = (0.0, Vector2.zero, 0.0, Vector2.zero)
      for y in 0..<40 {
        for x in 0..<44 where coverage(outline, x: Double(x), y: Double(y)) > 0.9999 {
          let dark = 1 - Double(tones[y * 44 + x].x) / 255
          let exact = coverage(polygon, x: Double(x), y: Double(y))
          mass += dark
          sum = sum + Vector2(Double(x), Double(y)) * dark
          trueMass += exact
          trueSum = trueSum + Vector2(Double(x), Double(y)) * exact
          if exact > 0, exact < 1 {
            worst = max(worst, abs(dark - exact))
            square += (dark - exact) * (dark - exact)
            count += 1
          }
        }
      }
      let error = (sum * (1 / mass) - trueSum * (1 / trueMass)).length
      #expect(error < 0.008, "trial \(trial): centre off by \(error) px")
      #expect(abs(mass / trueMass - 1) < 0.008)
    }
    // A share of a pixel is how far an edge through it is moved.
    #expect(count > 700)
    #expect((square / Double(count)).squareRoot() < 0.015)
    #expect(worst < 0.08)
  }

  @Test func `what is nearer hides what is farther`() {
    func plate(_ depth: Double, _ tone: Float) -> Surface {
      Surface(
        corner: Vector3(-depth, -depth, depth),
        across: Vector3(2 * depth, 0, 0),
        down: Vector3(0, 2 * depth, 0),
        material: .plain(SIMD3(repeating: tone))
      )
    }
    let lens = Intrinsics(width: 20, height: 20, longSideFieldOfView: Angle(degrees: 60))
    for surfaces in [[plate(2, 50), plate(3, 200)], [plate(3, 200), plate(2, 50)]] {
      let renderer = SceneRenderer(surfaces: surfaces, samples: 8)
      let tones = renderer.draw(cameraFromWorld: .identity, eye: .zero, intrinsics: lens, mixesLight: false)
      #expect(tones.allSatisfy { $0.x == 50 })
    }
  }

  private let street = """
    camera 96 72 fov 60 samples 8
    street length 80 width 14
    landmark A 3 25 height 3 colour 255 0 0
    start 0 -20 heading 0
    tremor 0

    """

  private func picture(_ text: String, _ number: Int = 0, at time: Double = 0.5) throws -> ColourImage {
    let simulation = try Simulation(SimulationScript(text))
    return try #require(VirtualCamera(simulation)).picture(number, at: time)
  }

  @Test func `a landmark is drawn where the truth says`() throws {
    for (heading, angle) in [(0.0, 0), (5, 0), (-8, 90)] {
      let display = angle == 0 ? "display 390 844" : "display 844 390 angle \(angle)"
      let text =
        "\(display)\ncamera 320 240 fov 50 samples 13\nlandmark A 2 20 height 2 colour 255 0 0\n"
        + "start 0 0 heading \(heading) roll \(angle)\narm 0\ntremor 0\nhold 1\n"
      let simulation = try Simulation(SimulationScript(text))
      let sight = try #require(simulation.truth(at: 0.5).sights.first)
      let image = try #require(VirtualCamera(simulation)).picture(0, at: 0.5)
      var (mass, sum) = (0.0, Vector2.zero)
      for k in 0..<(320 * 240) {
        let red = Double(image.bytes[3 * k]) - Double(image.bytes[3 * k + 1])
        guard red > 60, image.bytes[3 * k + 1] < 60 else { continue }
        mass += 1
        sum = sum + Vector2(Double(k % 320), Double(k / 320))
      }
      #expect(mass > 30)
      // The cube shows two sides, and its near side is larger.
      #expect((sum * (1 / mass) - sight.pixel).length < 0.6, "\(sum * (1 / mass)) \(sight.pixel)")
    }
  }

  @Test func `the same number gives the same picture, noise and all`() throws {
    let noisy = street.replacing("samples 8", with: "samples 8 noise 4 blur 0.7 exposure 0.01") + "hold 1\n"
    let first = try picture(noisy, 3)
    #expect(try picture(noisy, 3) == first)
    #expect(try picture(noisy, 4) != first)
    #expect(try picture("seed 2\n" + noisy, 3) != first)
    let grey = try picture(street.replacing("fov 60", with: "fov 60 grey noise 4") + "hold 1\n")
    #expect(stride(from: 0, to: grey.bytes.count, by: 3).allSatisfy { grey.bytes[$0] == grey.bytes[$0 + 2] })
  }

  @Test func `a blur keeps the light, an exposure smears a pan`() throws {
    func mean(_ image: ColourImage) -> Double {
      Double(image.bytes.reduce(0) { $0 + Int($1) }) / Double(image.bytes.count)
    }
    func edges(_ image: ColourImage) -> Int {
      (1..<image.width * image.height).reduce(0) { $0 + abs(Int(image.bytes[3 * $1]) - Int(image.bytes[3 * $1 - 3])) }
    }
    let sharp = try picture(street + "hold 1\n")
    let soft = try picture(street.replacing("samples 8", with: "samples 8 blur 1.5") + "hold 1\n")
    #expect(abs(mean(sharp) - mean(soft)) < 2)
    #expect(edges(soft) < edges(sharp) * 3 / 4)
    let pan = "pan 90 at 60\n"
    let frozen = try picture(street + pan, at: 1)
    let smeared = try picture(street.replacing("samples 8", with: "samples 8 exposure 0.05") + pan, at: 1)
    #expect(edges(smeared) < edges(frozen) * 3 / 4)
  }

  @Test func `light is mixed in linear intensity`() throws {
    let board = Texture(width: 2, height: 1, bytes: [0, 255], channels: 1, isSmooth: false)
    let surface = Surface(
      corner: Vector3(-1, -1, 2),
      across: Vector3(2, 0, 0),
      down: Vector3(0, 2, 0),
      material: .texture(board)
    )
    // The middle pixel is half black, half white.
    let lens = Intrinsics(width: 3, height: 3, focalX: 6, focalY: 6, centerX: 1, centerY: 1)
    func middle(_ mixesLight: Bool) -> Float {
      SceneRenderer(surfaces: [surface], samples: 8)
        .draw(cameraFromWorld: .identity, eye: .zero, intrinsics: lens, mixesLight: mixesLight)[4].x
    }
    #expect(abs(middle(false) - 127.5) < 0.01)
    #expect(abs(middle(true) - 187.5) < 0.5)
  }

  @Test func `a picture in the scenery hangs the right way round`() throws {
    let text = """
      camera 64 64 fov 60
      board x.png 0 4 1.6 width 2 facing 180
      board y.png 0 0 0.5 width 1 facing 180 tilt 90
      arm 0
      tremor 0
      hold 1
      look pitch -60
      hold 1
      """
    let simulation = try Simulation(SimulationScript(text))
    let corners = try #require(simulation.corners(ofPicture: 0, aspect: 1, at: 0.5))
    #expect(corners[0].x < 31 && corners[0].y < 31 && corners[1].x > 32 && corners[1].y < 31)
    #expect(corners[2].x > 32 && corners[2].y > 32 && corners[3].x < 31 && corners[3].y > 32)
    // On the table the upper edge points away from the viewer.
    let lying = simulation.script.scenery.pictures[1].corners(aspect: 1)
    #expect(isNear(lying[0].y, 0.5, within: 1e-9) && isNear(lying[0].z, 0.5, within: 1e-9) && lying[3].y < 0)
    let bytes: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]
    let texture = Texture(width: 2, height: 2, bytes: bytes, channels: 3, isSmooth: false)
    let image = try #require(VirtualCamera(simulation, textures: [texture, texture])).picture(0, at: 0.5)
    let place = 3 * (26 * 64 + 26)
    #expect(Array(image.bytes[place..<(place + 3)]) == [255, 0, 0])
  }

  @Test func `a house hides a landmark`() throws {
    let text =
      "camera 64 48\nstreet length 60 width 10\nlandmark A 0 25 height 3\nlandmark B 15 28 height 3\narm 0\ntremor 0\n"
    let sights = try Simulation(SimulationScript(text + "start 0 -10\nhold 1\n")).truth(at: 0.5).sights
    #expect(sights.map(\.isHidden) == [false, true])
  }
}
