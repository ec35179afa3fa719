import Foundation
import SightlineMarkers
import SightlineQR
import SightlineTestSupport
import SightlineWasmPictures
import Testing

@testable import SightlineVisionWasm

extension ParityCases {
  /// Markers found and followed, each dictionary alone; answers how many were seen.
  func markers(_ recorder: Recorder) -> Int {
    recorder.begin("markers")
    recorder.call("sl_vision_reset")
    let (width, height) = (120, 90)
    let dictionaries: [MarkerDictionary] = [.grid6x6Of250, .apriltag36h11, .grid4x4Of50]
    recorder.call("sl_vision_markers", Double(dictionaries.reduce(0) { $0 | 1 << Int($1.rawValue) }))
    recorder.call("sl_vision_marker_side", 0, -1, 0.05)
    recorder.call("sl_vision_marker_side", Double(MarkerDictionary.grid6x6Of250.rawValue), 7, 0.1)
    var sightings = 0
    for (index, dictionary) in dictionaries.enumerated() {
      let marker = DrawnPicture.marker(dictionary.family, id: 7)
      // Its black border is 44 pixels wide.
      let scale = 44 / Double((dictionary.family.cells + 2) * 8)
      for lens in [0, 0.1] {
        recorder.call("sl_vision_lens", lens, -lens / 3, 0, 0, 0)
        for frame in 0..<6 {
          let step = Double(frame)
          let time = step / 30 + 10 * lens + 2 * Double(index)
          var picture = DrawnPicture(width, height, level: 200)
          picture.draw(marker, at: (40 + 3 * step, 38 + step), scale: scale, turn: 0.2 + 0.1 * step)
          picture.addNoise(4, seed: UInt64(frame + 10 * index))
          recorder.picture(picture.pixels)
          for k in 0..<3 { recorder.call("sl_vision_motion", time - 0.02 + 0.01 * Double(k), 0, 10 + step, 0, 0) }
          sightings += recorder.look(width, height, time, focal: 150, isLimited: frame == 5).count { $0[3] < 2 }
        }
      }
    }
    // A picture larger than the room, a time that is past, and one of noise.
    recorder.look(1000, 1000, 20, focal: 150)
    recorder.look(width, height, 1, focal: 150)
    var noise = DrawnPicture(width, height, level: 128)
    noise.addNoise(127, seed: 77)
    recorder.picture(noise.pixels)
    recorder.look(width, height, 21, focal: 150)
    return sightings
  }

  /// What was seen in a session with everything at once.
  struct Sights {
    /// By kind (marker, picture, code, wall) and state (found, tracked, carried, lost).
    var counts = [[Int]](repeating: [Int](repeating: 0, count: 4), count: 4)
    var resting = 0
    var poses = 0
    var codesRead = 0.0

    mutating func note(_ rows: [[Double]]) {
      for row in rows {
        counts[Int(row[0])][Int(row[3])] += 1
        if row[16] == 1 { resting += 1 }
        if row[18] == 1 { poses += 1 }
      }
    }
  }

  /// Two markers, a picture, a code and two walls at once: still, moving, covered, back again.
  func everything(_ recorder: Recorder, file: [UInt8], code: DrawnPicture) -> Sights {
    recorder.begin("vision")
    recorder.call("sl_vision_reset")
    let (width, height) = (400, 300)
    let family = MarkerDictionary.grid6x6Of250
    recorder.call("sl_vision_markers", Double(1 << Int(family.rawValue)))
    recorder.call("sl_vision_marker_side", 0, -1, 0.05)
    recorder.call("sl_vision_codes", 1)
    recorder.picture(file)
    recorder.call("sl_vision_add_picture", 31, Double(file.count), 0)
    recorder.call("sl_vision_add_picture", 32, Double(file.count - 1), 0)
    // One wall by a marker, one by the picture.
    let dictionary = Double(family.rawValue)
    recorder.walls(2, members: 3, [4, 1, 2, 0, dictionary, 7, 0.2, -0.1, 1, 0, 31, 0, 0, 5, 2, 1, 1, 0, 31, 0.1, 0.1])
    let (first, second) = (DrawnPicture.marker(family.family, id: 7), DrawnPicture.marker(family.family, id: 9))
    let poster = DrawnPicture.poster()
    var seen = Sights()
    for frame in 0..<72 {
      let time = Double(frame) / 25
      // Still, then moving, then covered for three quarters of a second, then back elsewhere.
      let step = frame < 20 ? 0 : frame < 32 ? Double(frame - 20) : 9
      let isCovered = frame >= 32 && frame < 51
      var picture = DrawnPicture(width, height, level: 150)
      if !isCovered {
        picture.draw(poster, at: (120 + 3 * step, 130 + 2 * step), scale: 1 + 0.01 * step, turn: 0.05 + 0.01 * step)
        picture.draw(first, at: (290 + 3 * step, 70 + 2 * step), scale: 0.9, turn: 0.02 * step)
        picture.draw(second, at: (250 + 2 * step, 245), scale: 0.8, turn: -0.1)
        picture.draw(code, at: (335 - step, 190), scale: 1, turn: 0.03 * step)
      }
      picture.addNoise(3, seed: UInt64(500 + frame))
      recorder.picture(picture.pixels)
      // The gyroscope falls silent in the middle of the dark.
      for k in 0..<4 where frame < 38 || frame >= 50 {
        recorder.call("sl_vision_motion", time - 0.03 + 0.01 * Double(k), 0, isCovered ? 6 : 0.2, 0.1, 90)
      }
      seen.note(recorder.look(width, height, time, focal: 380))
      let codes = recorder.call("sl_vision_read_codes")
      seen.codesRead += max(0, codes)
      if frame == 55 { recorder.call("sl_vision_remove_picture", 31) }
      if frame == 57 { recorder.call("sl_vision_codes", 0) }
    }
    for fieldOfView in [1, 40, 66.5, 179, .nan] { recorder.call("sl_vision_focal", 640, 480, fieldOfView) }
    return seen
  }

  private func load(_ bytes: [UInt8]) throws {
    let room = try #require(sl_picture(Int32(bytes.count)))
    for (k, byte) in bytes.enumerated() { room[k] = byte }
  }

  /// The file of the poster, 0.5 m wide.
  func posterFile(name: String = "") throws -> [UInt8] {
    let (name, poster) = (Array(name.utf8), DrawnPicture.poster())
    try load(name + poster.pixels)
    let count = Int32(name.count)
    let length = sl_target_build(
      count,
      0,
      Int32(poster.width),
      Int32(poster.height),
      count,
      Int32(poster.width),
      0,
      0.5
    )
    #expect(length > 2000)
    let file = try #require(sl_target_file())
    return (0..<Int(length)).map { file[$0] }
  }

  /// A code with its quiet zone, three pixels a module.
  func codePicture(_ text: String) throws -> DrawnPicture {
    let modules = try code(text, .medium)
    let size = modules.size
    var picture = DrawnPicture((size + 8) * 3, (size + 8) * 3, level: 220)
    for y in 0..<(3 * size) {
      for x in 0..<(3 * size) where modules[x / 3, y / 3] { picture[x + 12, y + 12] = 20 }
    }
    return picture
  }

  private func code(_ text: String, _ level: QRLevel) throws -> QRMatrix {
    let characters = text.unicodeScalars.map { scalar in
      let bytes = Array(String(scalar).utf8)
      let packed = bytes.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
      return QRCharacter(bytes: packed, byteCount: bytes.count, shiftJIS: nil)
    }
    var encoder = QREncoder()
    encoder.level = level
    return try encoder.encode(characters, characterSet: 26).matrix
  }

  /// Writes `.build-wasm/codes.json`, which `Tests/Wasm/codes.test.mjs` draws and reads.
  @Test func `codes of texts of all kinds are written down`() throws {
    let texts = [
      "https://example.org/#/world/ulm", "0123456789012345678901234567890", "HELLO WORLD $%*+-./:", "Straße, Köln",
      "漢字とかな", "emoji 🦦 ok", String(repeating: "x", count: 700), "sightline:tour/otter", "the other",
    ]
    var codes: [[String: Any]] = []
    for text in texts {
      for (name, level) in zip("LMQH", [QRLevel.low, .medium, .quartile, .high]) {
        let matrix = try code(text, level)
        let rows = (0..<matrix.size).map { y in (0..<matrix.size).map { x in matrix[x, y] ? "#" : "." }.joined() }
        codes.append(["text": text, "level": String(name), "rows": rows])
      }
    }
    #expect(codes.count == 36)
    try JSONSerialization.data(withJSONObject: codes).write(to: Self.file("codes.json"), options: .atomic)
  }

  /// Writes `.build-wasm/targets.json`, which `Tests/Wasm/targets.test.mjs` compares with the other build.
  @Test func `a target and a walk past it are written down`() throws {
    let poster = DrawnPicture.poster()
    let file = try posterFile(name: "Vår affisch")
    try load(file)
    let length = Int32(file.count)
    #expect(sl_target_describe(length) == 0)
    func values(_ count: Int) -> [Double] { (0..<count).map { sl_target_values()[$0] } }
    let description = values(10)
    #expect(description[0] == 200 && description[4] == 0.5 && description[5] > 2)
    #expect(Double(sl_target_features(length)) == description[7])
    let features = values(50)
    sl_vision_reset()
    #expect(sl_vision_add_picture(7, length, 0) == 1)
    var frames: [[String: Any]] = []
    var states: [Double] = []
    let recorder = Recorder()
    for k in 0..<10 {
      // Two frames of nothing, then it is back.
      let t = Double(k)
      var picture = DrawnPicture(320, 240, level: 70)
      if k != 6, k != 7 {
        picture.draw(poster, at: (150 + 3 * t, 118 + 2 * t), scale: 0.95 + 0.01 * t, turn: 0.1 + 0.01 * t)
      }
      picture.addNoise(3, seed: UInt64(900 + k))
      recorder.picture(picture.pixels)
      let rows = recorder.look(320, 240, t / 30, focal: 300)
      states.append(rows.first?[3] ?? -1)
      frames.append(["pixels": Data(picture.pixels).base64EncodedString(), "rows": rows.flatMap { $0 }])
    }
    #expect(states.starts(with: [0, 1, 1, 1, 1, 1, 2]), "\(states)")
    #expect(states.last.map { $0 == 0 || $0 == 1 } == true, "\(states)")
    sl_vision_remove_picture(7)
    #expect(recorder.look(320, 240, 0.4, focal: 300).isEmpty)
    let record: [String: Any] = [
      "poster": Data(poster.pixels).base64EncodedString(), "name": "Vår affisch",
      "file": Data(file).base64EncodedString(), "description": description, "features": features, "frames": frames,
    ]
    try JSONSerialization.data(withJSONObject: record).write(to: Self.file("targets.json"))
  }

  @Test func `what is no picture and no target is refused`() throws {
    sl_vision_reset()
    try load([UInt8](repeating: 7, count: 100))
    // The room keeps the size of the largest picture so far, so these are larger than any.
    #expect(sl_target_build(0, 0, 3000, 3000, 0, 3000, 0, 0) == -1)
    #expect(sl_target_build(-1, 0, 5, 5, 0, 5, 0, 0) == -1)
    #expect(sl_target_build(9_000_000, 0, 5, 5, 0, 5, 0, 0) == -1)
    #expect(sl_vision_frame(0, 3000, 3000, 0, 3000, 0, 0, 100) == -1)
    #expect(sl_vision_frame(0, 5, 5, 0, 5, 0, .nan, 100) == -1)
    #expect(sl_vision_frame(0, 5, 5, -1, 5, 0, 0, 100) == -1)
    #expect(sl_target_describe(100) == 1)
    #expect(sl_vision_add_picture(1, 100, 0) == 0)
    #expect(sl_vision_add_picture(1, -1, 0) == 0)
    #expect(sl_target_features(100) == -1)
    #expect(sl_vision_read_codes() == -1)
  }

  @Test(arguments: [(-1, 0), (65, 0), (0, -1), (1, 1025), (.max, .max), (.min, .min)])
  func `walls beyond count get no room`(_ counts: (Int32, Int32)) {
    #expect(sl_vision_walls_in(counts.0, counts.1) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, 0.5, 4_294_967_296, -1e300, 1025])
  func `numbers that are none make no walls that trap`(odd: Double) throws {
    sl_vision_reset()
    sl_vision_markers(1 << 11)
    sl_vision_marker_side(0, -1, 0.1)
    let usual = [4.0, 1, 2, 0, 11, 7, 0.2, -0.1, 1, 0, 31, 0, 0]
    let picture: DrawnPicture = {
      var picture = DrawnPicture(160, 120, level: 200)
      picture.draw(.marker(MarkerDictionary.grid6x6Of250.family, id: 7), at: (80, 60), scale: 1, turn: 0)
      return picture
    }()
    try load(picture.pixels)
    for position in usual.indices {
      var values = usual
      values[position] = odd
      let base = try #require(sl_vision_walls_in(1, 2))
      for (k, value) in values.enumerated() { base[k] = value }
      // More than were written, too.
      for count in [1, 64, .max, -1] as [Int32] { sl_vision_walls(count) }
      sl_vision_walls(1)
      #expect(sl_vision_frame(0, 160, 120, 0, 160, 0, Double(position + 1), 150) >= 1, "value \(position)")
    }
  }
}
