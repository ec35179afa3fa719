import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineWasm

/// The cases that the native engine and its WebAssembly build must answer alike.
///
/// Running them natively checks that they
/// test something, and writes `.build-wasm/parity.jsonl`, which `Tests/Wasm/parity.test.mjs` plays to the other build.
@Suite(.serialized) struct ParityCases {
  /// A file beside the build of the WebAssembly side, which its tests read.
  static func file(_ name: String) throws -> URL {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build-wasm").standardized
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: name)
  }

  @Test func `the cases run natively and are written down`() throws {
    let recorder = Recorder()
    geodesy(recorder)
    declination(recorder)
    let walk = walk(recorder)
    #expect(walk.requests >= 4 && walk.items > 300 && walk.clusters > 0 && walk.arrows > 100, "\(walk)")
    compass(recorder)
    motion(recorder)
    #expect(random(recorder) > 20)
    #expect(markers(recorder) > 30)
    let code = try codePicture("https://sightline.example/w")
    let seen = try everything(recorder, file: posterFile(), code: code)
    for kind in 0..<4 { #expect(seen.counts[kind][0] >= 2 && seen.counts[kind][1] > 5, "\(seen)") }
    #expect(seen.counts[0][2] > 5 && seen.counts[1][2] > 5 && seen.resting > 10 && seen.poses > 100, "\(seen)")
    #expect((0..<4).allSatisfy { seen.counts[$0][3] >= 1 } && seen.codesRead > 5, "\(seen)")
    #expect(anchors(recorder) > 0)
    planes(recorder)
    let text = recorder.lines.joined(separator: "\n") + "\n"
    try text.write(to: Self.file("parity.jsonl"), atomically: true, encoding: .utf8)
  }

  private func geodesy(_ recorder: Recorder) {
    recorder.begin("geodesy")
    var pairs: [(Double, Double, Double, Double)] = [
      (90, 0, 90, 0), (90, 0, -90, 0), (0, 0, 0, 180), (10, 179.999, 10, -179.999), (0, 0, 0, 0),
      (48.4, 10, 48.4, 10), (48.4, 10, 48.4 + 1e-9, 10), (89.999999, 5, 89.999999, -175), (-90, 3, 0, 0),
    ]
    var g = SplitMix64(seed: 1)
    for _ in 0..<300 {
      pairs.append(
        (
          .random(in: -90...90, using: &g), .random(in: -180...180, using: &g), .random(in: -90...90, using: &g),
          .random(in: -180...180, using: &g)
        )
      )
    }
    for _ in 0..<100 {
      let (a, b) = (Double.random(in: -60...60, using: &g), Double.random(in: -180...180, using: &g))
      pairs.append((a, b, a + .random(in: -0.01...0.01, using: &g), b + .random(in: -0.01...0.01, using: &g)))
    }
    for (a, b, c, d) in pairs {
      recorder.call("sl_distance", a, b, c, d)
      recorder.call("sl_bearing", a, b, c, d)
    }
  }

  private func declination(_ recorder: Recorder) {
    recorder.begin("declination")
    var g = SplitMix64(seed: 2)
    for year in [2024.99, 2025, 2027.5, 2030, 2030.01, .nan] { recorder.call("sl_declination", 48.4, 10, 500, year) }
    for _ in 0..<300 {
      recorder.call(
        "sl_declination",
        .random(in: -90...90, using: &g),
        .random(in: -180...180, using: &g),
        .random(in: -100...9000, using: &g),
        .random(in: 2025...2030, using: &g)
      )
    }
  }

  /// A place at a bearing and distance.
  private func place(
    _ g: inout SplitMix64,
    key: Int,
    latitude: Double,
    longitude: Double,
    within metres: Double,
    names: [String]
  ) -> WrittenWorld.Place {
    let bearing = Double.random(in: 0..<(2 * .pi), using: &g)
    let distance = metres * Double.random(in: 0.001...1, using: &g)
    let isEye = Bool.random(using: &g)
    let isCompact = key % 3 == 0
    let numbers: [Double] = [
      latitude + distance * cos(bearing) / 111_195,
      longitude + distance * sin(bearing) / 111_195 / cos(latitude * .pi / 180),
      isEye ? .random(in: -10...40, using: &g) : .random(in: 400...700, using: &g),
      isEye ? .random(in: 0..<1, using: &g) < 0.5 ? 3 : 1 : 0,
      .random(in: -5...5, using: &g), .random(in: -5...5, using: &g), .random(in: 0...20, using: &g),
      Double(Int.random(in: 0...2, using: &g)), .random(in: 60...180, using: &g).rounded(), 34, isCompact ? 50 : 0,
      isCompact ? 26 : 0, Bool.random(using: &g) ? 7 : 4,
      Bool.random(using: &g) ? 1 : 0, Bool.random(using: &g) ? 0 : .random(in: 300...9000, using: &g),
      Double(Int.random(in: 0...3, using: &g)), Double(Int.random(in: 0...5, using: &g)),
    ]
    let category = Int.random(in: 0...9, using: &g)
    let isOnPrint = Int.random(in: 0...20, using: &g) == 0
    let facing = Bool.random(using: &g) ? Double.nan : .random(in: 0...360, using: &g)
    return WrittenWorld.Place(
      id: key % 7 == 0 ? nil : "place-\(key)",
      title: "Platz \(key) – Ü",
      category: category == 0 ? nil : "category \(category)",
      numbers: numbers,
      print: isOnPrint ? WrittenWorld.Place.marker(Double(key % 50), facing: facing) : WrittenWorld.Place.noPrint,
      names: names
    )
  }

  private struct Seen {
    var requests = 0
    var items = 0
    var clusters = 0
    var arrows = 0

    mutating func note(_ frame: [Double]) {
      items += Int(frame[20])
      clusters += Int(frame[22])
      arrows += Int(frame[26])
    }
  }

  /// A walk of ten seconds through 300 places with a magnetic compass; labels, clusters, touches, refreshes.
  private func walk(_ recorder: Recorder) -> Seen {
    var g = SplitMix64(seed: 3)
    var seen = Seen()
    recorder.begin("walk")
    recorder.call("sl_calendar", 0, 2026.5)
    recorder.call("sl_display", 0, 390, 844, 0)
    recorder.call("sl_camera", 0, 1280, 720, 66)
    recorder.call("sl_open", 0, 1)
    recorder.call("sl_set_radius", 0, 3000)
    recorder.call("sl_fix", 0, 48.3984, 9.9915, 480, 5, 3, .nan, .nan, 0)
    func answer(_ time: Double) {
      guard let request = recorder.effects() else { return }
      seen.requests += 1
      var places = (0..<300).map {
        let names = ["one", "two", "three"].suffix($0 % 3)
        return place(&g, key: $0 + 1, latitude: 48.3984, longitude: 9.9915, within: 4000, names: Array(names))
      }
      places[7].numbers[0] = .nan
      recorder.loaded(
        time,
        request,
        WrittenWorld(
          head: [2000, 1, 3, 40, 9, 1],
          places: places,
          overlays: [
            .init(id: "one", action: [1, -1]), .init(id: "two", isHidden: true, action: [2, 4]),
            .init(id: "three", isHidden: true, action: [3, 5]),
          ]
        )
      )
    }
    for k in 0..<200 {
      let time = 0.1 + Double(k) * 0.05
      let alpha = 360 - Double(k) * 1.3
      recorder.call(
        "sl_orientation_angles",
        time,
        alpha < 0 ? alpha + 360 : alpha,
        90 + 20 * sin(Double(k) / 20),
        8 * sin(Double(k) / 13),
        1
      )
      if k % 20 == 3 { recorder.call("sl_fix", time, 48.3984 + Double(k) * 4e-6, 9.9915, 481, 5, 3, 2, 1.2, 2) }
      if k == 20 || k == 130 {
        recorder.occupied(
          time,
          rectangles: [[0, 0, 390, 60], [0, 700, 390, 144], [12, 560, 112, 130], [60, 90, Double(k), 58]],
          arrows: [[96, 44], [120, 44], [96, 44], [96, 44], [104, 44]]
        )
      }
      if k == 90 { recorder.occupied(time, rectangles: [], arrows: []) }
      if k == 60 { recorder.call("sl_display", time, 844, 390, 90) }
      if k == 90 { recorder.call("sl_display", time, 390, 844, 0) }
      if k == 100 { recorder.call("sl_set_frozen", time, 1) }
      if k == 115 { recorder.call("sl_set_frozen", time, 0) }
      if k == 120 { recorder.call("sl_set_categories", time, 0x2AB, -1) }
      if k == 140 { recorder.call("sl_set_categories", time, -1, -1) }
      if k % 7 == 0 { recorder.call("sl_label_size", time, Double(k), 90, 50) }
      if k % 11 == 5 {
        recorder.call("sl_touch", time, .random(in: 0...390, using: &g), .random(in: 0...844, using: &g))
      }
      answer(time)
      // The layout's memory makes every frame count, but not every one needs to be compared in full.
      let frame = recorder.frame(time)
      seen.note(frame)
      if frame[22] > 0, k % 25 == 24 { recorder.call("sl_toggle_cluster", time, frame[Int(frame[23])]) }
      answer(time)
    }
    return seen
  }

  /// The angles and the noisy compass of iOS.
  private func compass(_ recorder: Recorder) {
    var g = SplitMix64(seed: 4)
    recorder.begin("compass")
    recorder.call("sl_calendar", 0, 2028.25)
    recorder.call("sl_display", 0, 390, 844, 0)
    recorder.call("sl_fix", 0, 64.1, -21.9, 20, 12, 8, .nan, .nan, 0)
    for k in 0..<120 {
      let time = Double(k) / 60
      recorder.call(
        "sl_orientation_compass",
        time,
        77 + .random(in: -1...1, using: &g),
        50 + Double(k) / 3,
        2,
        120 + .random(in: -15...15, using: &g),
        12
      )
      if k % 6 == 0 { recorder.frame(time) }
    }
  }

  /// Motion sensors: with a magnetometer, then with the platform's north instead, then without a gyroscope.
  private func motion(_ recorder: Recorder) {
    var g = SplitMix64(seed: 6)
    recorder.begin("motion")
    recorder.call("sl_calendar", 0, 2027.75)
    recorder.call("sl_display", 0, 390, 844, 0)
    recorder.call("sl_fix", 0, 48.3984, 9.9915, 480, 5, 3, .nan, .nan, 0)
    for k in 0..<900 {
      let time = Double(k) / 60
      // About the axis of the upright phone, to and fro.
      let (turn, rate) = (0.8 * sin(0.9 * time), 0.72 * cos(0.9 * time))
      let (hasGyroscope, hasField) = (k < 600, k < 300 || k >= 600)
      func noise(_ size: Double) -> Double { .random(in: -size...size, using: &g) }
      recorder.call(
        "sl_motion",
        time,
        hasGyroscope ? noise(0.01) : .nan,
        hasGyroscope ? rate + noise(0.01) : .nan,
        hasGyroscope ? noise(0.01) : .nan,
        noise(0.1),
        9.8 + noise(0.1),
        noise(0.1),
        hasField ? 20 * sin(turn) + noise(0.5) : .nan,
        hasField ? -43 + noise(0.5) : .nan,
        hasField ? -20 * cos(turn) + noise(0.5) : .nan
      )
      if k >= 300, k < 600, k % 2 == 0 { recorder.call("sl_orientation_angles", time, turn * 180 / .pi, 90, 0, 1) }
      if k == 200 { recorder.call("sl_drag_world", time, 100, 400, 130, 402) }
      if k == 220 { recorder.call("sl_point_at_place", time, 48.42, 9.9915, .nan, 200, 400) }
      if k == 240 { recorder.call("sl_point_at_body", time, 0, .nan, .nan) }
      if k == 250 { recorder.call("sl_point_at_body", time, 1, 10, 800) }
      if k == 260 { recorder.call("sl_point_at_feature", time, 3, .nan, .nan) }
      if k == 270 { recorder.call("sl_restore_heading_correction", time, 12, 3, 48.3984, 9.9915, 2027.7499) }
      if k == 350 { recorder.call("sl_picture_age", time, 0.05) }
      if k == 700 { recorder.call("sl_forget_heading_corrections", time) }
      if k % 50 == 0 { recorder.effects() }
      if k % 10 == 9 { recorder.frame(time + 0.004) }
    }
  }

  /// Anything in any order.
  private func random(_ recorder: Recorder) -> Int {
    var g = SplitMix64(seed: 5)
    var time = 0.0
    var request = 0.0
    var loads = 0
    recorder.begin("random")
    recorder.call("sl_display", 0, 360, 740, 0)
    for _ in 0..<700 {
      time += .random(in: 0...0.4, using: &g)
      switch Int.random(in: 0..<16, using: &g) {
      case 0...2:
        recorder.call(
          "sl_orientation_quaternion",
          time,
          .random(in: -1...1, using: &g),
          .random(in: -1...1, using: &g),
          .random(in: -1...1, using: &g),
          .random(in: -1...1, using: &g),
          0
        )
      case 3...5:
        recorder.call(
          "sl_fix",
          time,
          71 + .random(in: -0.01...0.01, using: &g),
          179.999 + .random(in: -0.001...0.001, using: &g),
          Bool.random(using: &g) ? .nan : 100,
          .random(in: 3...40, using: &g),
          .nan,
          Bool.random(using: &g) ? .nan : .random(in: 0...360, using: &g),
          .random(in: 0...3, using: &g),
          Double(Int.random(in: 0...3, using: &g))
        )
        recorder.call("sl_ground", time, 71, 179.999, Bool.random(using: &g) ? .nan : 90)
        recorder.call(
          "sl_feature_ground",
          time,
          Double(Int.random(in: -1...60, using: &g)),
          .random(in: 0...200, using: &g)
        )
      case 6: recorder.call("sl_open", time, Double(Int.random(in: 0...3, using: &g)))
      case 7, 8:
        let count = Int.random(in: 0...60, using: &g)
        let places = (0..<count).map {
          let names = ["one", "nobody", "one"].suffix($0 % 3)
          return place(&g, key: $0 % 40, latitude: 71, longitude: 179.999, within: 3000, names: Array(names))
        }
        recorder.loaded(
          time,
          request,
          WrittenWorld(
            head: [1500, 1, .random(in: 0...4, using: &g), .random(in: 0...300, using: &g), 9, 0],
            places: places,
            overlays: [.init(id: nil, isHidden: true, action: [1, -1]), .init(id: "one", isHidden: true)]
          )
        )
        loads += 1
      case 9: recorder.call("sl_failed", time, request, 2, 503)
      case 10: recorder.call("sl_touch", time, .random(in: 0...360, using: &g), .random(in: 0...740, using: &g))
      case 11: recorder.call("sl_press", time, Double(Int.random(in: 0...60, using: &g)))
      case 12: recorder.call("sl_select", time, Double(Int.random(in: -1...60, using: &g)))
      case 13: recorder.call(Bool.random(using: &g) ? "sl_suspend" : "sl_resume", time)
      case 14: recorder.call("sl_refresh_by_hand", time)
      default: recorder.call("sl_set_radius", time, .random(in: 200...4000, using: &g))
      }
      request = recorder.effects() ?? request
      recorder.frame(time)
    }
    return loads
  }
}
