import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineVisionWasm

// Inside the other cases' suite: all of them enter the one instance, so none may run beside another.
extension ParityCases {
  /// A target and a walk past it that the native engine and its WebAssembly build must answer alike.
  ///
  /// Running it natively checks that it tests something and writes `.build-wasm/targets.json`, which
  /// `Tests/Wasm/targets.test.mjs` plays to the other build.
  @Suite(.serialized) struct TargetParityCases {
    private let width = 320
    private let height = 240
    private let poster = TargetParityCases.makePoster(200, 150)

    /// Discs and bars of many sizes.
    private static func makePoster(_ width: Int, _ height: Int) -> [UInt8] {
      var g = SplitMix64(seed: 41)
      var pixels = (0..<(width * height)).map { UInt8(80 + ($0 % width) / 3) }
      for k in 0..<90 {
        let (cx, cy) = (Int.random(in: 0..<width, using: &g), Int.random(in: 0..<height, using: &g))
        let (rx, ry) = (Int.random(in: 2...14, using: &g), Int.random(in: 2...14, using: &g))
        let level = UInt8.random(in: 10...245, using: &g)
        for y in max(0, cy - ry)..<min(height, cy + ry) {
          for x in max(0, cx - rx)..<min(width, cx + rx) {
            let (dx, dy) = (x - cx, y - cy)
            if k % 2 == 0 || dx * dx * ry * ry + dy * dy * rx * rx < rx * rx * ry * ry { pixels[y * width + x] = level }
          }
        }
      }
      return pixels
    }

    /// The poster turned, scaled and shifted on a grey wall with noise; without a poster when `isEmpty`.
    private func frame(_ k: Int, isEmpty: Bool) -> [UInt8] {
      var g = SplitMix64(seed: UInt64(900 + k))
      let t = Double(k)
      let (scale, angle) = (0.95 + 0.01 * t, 0.2 + 0.02 * t)
      let (c, s) = (cos(angle) / scale, sin(angle) / scale)
      var pixels = [UInt8](repeating: 0, count: width * height)
      for y in 0..<height {
        for x in 0..<width {
          let (dx, dy) = (Double(x) - 150 - 3 * t, Double(y) - 118 - 2 * t)
          let (u, v) = (c * dx + s * dy + 99.5, c * dy - s * dx + 74.5)
          var level = 70.0
          if !isEmpty, u > 0, v > 0, u < 198.9, v < 148.9 {
            let (i, j) = (Int(u), Int(v))
            let (fu, fv) = (u - Double(i), v - Double(j))
            func at(_ i: Int, _ j: Int) -> Double { Double(poster[j * 200 + i]) }
            level = (at(i, j) * (1 - fu) + at(i + 1, j) * fu) * (1 - fv)
            level += (at(i, j + 1) * (1 - fu) + at(i + 1, j + 1) * fu) * fv
          }
          pixels[y * width + x] = UInt8(max(0, min(255, level + Double(Int.random(in: -3...3, using: &g)))))
        }
      }
      return pixels
    }

    private func load(_ bytes: [UInt8]) throws {
      let room = try #require(sl_picture(Int32(bytes.count)))
      for (k, byte) in bytes.enumerated() { room[k] = byte }
    }

    private func values(_ count: Int) -> [Double] { (0..<count).map { sl_target_values()[$0] } }

    @Test func `a target and a walk past it are written down`() throws {
      let name = Array("Vår affisch".utf8)
      try load(name + poster)
      let length = sl_target_build(Int32(name.count), 0, 200, 150, Int32(name.count), 200, 0, 0.5)
      #expect(length > 2000)
      let file = try #require(sl_target_file())
      let bytes = (0..<Int(length)).map { file[$0] }
      try load(bytes)
      #expect(sl_target_describe(length) == 0)
      let description = values(10)
      #expect(description[0] == 200 && description[4] == 0.5 && description[5] > 2)
      let features = sl_target_features(length)
      #expect(Double(features) == description[7])
      let firstFeatures = values(50)
      let id = sl_target_add(length, 0)
      #expect(id >= 0)
      sl_target_camera(300, 300, 159.5, 119.5)
      var frames: [[String: Any]] = []
      var states: [Double] = []
      for k in 0..<10 {
        // Two frames of nothing, then it is back.
        let pixels = frame(k, isEmpty: k == 6 || k == 7)
        try load(pixels)
        let turn = k % 2 == 0 ? [] : [cos(0.005), 0, sin(0.005), 0]
        let count = sl_target_frame(
          0,
          320,
          240,
          0,
          320,
          0,
          Double(k) / 30,
          turn.isEmpty ? 0 : 1,
          turn.first ?? 1,
          0,
          turn.isEmpty ? 0 : turn[2],
          0
        )
        #expect(count == 1)
        let row = values(32)
        states.append(row[1])
        frames.append(["pixels": Data(pixels).base64EncodedString(), "turn": turn, "values": row])
      }
      #expect(states.starts(with: [1, 2, 2, 2, 2, 2, 3]), "\(states)")
      #expect(states.last.map { $0 == 1 || $0 == 2 } == true, "\(states)")
      sl_target_remove(id)
      try load(frame(9, isEmpty: false))
      #expect(sl_target_frame(0, 320, 240, 0, 320, 0, 1, 0, 1, 0, 0, 0) == 0)
      let record: [String: Any] = [
        "poster": Data(poster).base64EncodedString(), "name": "Vår affisch", "file": Data(bytes).base64EncodedString(),
        "description": description, "features": firstFeatures, "frames": frames,
      ]
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build-wasm")
        .standardized
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try JSONSerialization.data(withJSONObject: record).write(to: folder.appending(path: "targets.json"))
    }

    @Test func `what is no picture and no target is refused`() throws {
      try load([UInt8](repeating: 7, count: 100))
      // The room keeps the size of the largest picture so far, so these are larger than any.
      #expect(sl_target_build(0, 0, 3000, 3000, 0, 3000, 0, 0) == -1)
      #expect(sl_target_build(-1, 0, 5, 5, 0, 5, 0, 0) == -1)
      #expect(sl_target_build(9_000_000, 0, 5, 5, 0, 5, 0, 0) == -1)
      #expect(sl_target_frame(0, 3000, 3000, 0, 3000, 0, 0, 0, 1, 0, 0, 0) == -1)
      #expect(sl_target_frame(0, 5, 5, 0, 5, 0, .nan, 0, 1, 0, 0, 0) == -1)
      #expect(sl_target_describe(100) == 1)
      #expect(sl_target_add(100, 0) == -1)
      #expect(sl_target_features(100) == -1)
    }
  }
}
