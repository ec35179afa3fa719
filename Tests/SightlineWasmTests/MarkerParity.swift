import SightlineMarkers
import SightlineTestSupport
import Testing

@testable import SightlineVisionWasm

extension ParityCases {
  /// Markers found and followed; answers how many sightings there were.
  func markers(_ recorder: Recorder) -> Int {
    recorder.begin("markers")
    let (width, height) = (120, 90)
    let dictionaries: [MarkerDictionary] = [.grid6x6Of250, .apriltag36h11, .grid4x4Of50]
    recorder.call("sl_marker_dictionaries", Double(dictionaries.reduce(0) { $0 | 1 << Int($1.rawValue) }))
    recorder.call("sl_marker_side", 0, -1, 0.05)
    recorder.call("sl_marker_side", Double(MarkerDictionary.grid6x6Of250.rawValue), 7, 0.1)
    let layout = (Double(width), Double(height))
    var sightings = 0
    for (index, dictionary) in dictionaries.enumerated() {
      for lens in [0, 0.1] {
        recorder.call("sl_marker_lens", lens, -lens / 3, 0, 0, 0)
        for frame in 0..<6 {
          let step = Double(frame)
          recorder.picture(
            print(
              dictionary.family,
              7,
              (40 + 3 * step, 38 + step),
              0.2 + 0.1 * step,
              width,
              height,
              UInt64(frame + 10 * index)
            )
          )
          for isLimited in [0.0, 1] where frame == 0 {
            let values = recorder.markers(
              "sl_marker_detect",
              0,
              layout.0,
              layout.1,
              0,
              layout.0,
              isLimited,
              150
            )
            sightings += values.count / 23
          }
          let turn = 0.01 * step
          let values = recorder.markers(
            "sl_marker_track",
            0,
            layout.0,
            layout.1,
            0,
            layout.0,
            0,
            150,
            step / 30 + 10 * lens + Double(index),
            1,
            0,
            turn,
            0
          )
          sightings += values.count / 23
        }
      }
    }
    // A picture larger than the room, and one of noise.
    recorder.markers("sl_marker_detect", 0, 1000, 1000, 0, 1000, 0, 150)
    var g = SplitMix64(seed: 77)
    recorder.picture((0..<(width * height)).map { _ in UInt8.random(in: 0...255, using: &g) })
    recorder.markers("sl_marker_detect", 0, layout.0, layout.1, 0, layout.0, 0, 150)
    return sightings
  }

  /// A marker of 44 pixels with noise, each pixel the mean of four points.
  private func print(
    _ family: MarkerFamily,
    _ id: Int,
    _ center: (x: Double, y: Double),
    _ turn: Double,
    _ width: Int,
    _ height: Int,
    _ seed: UInt64
  ) -> [UInt8] {
    var g = SplitMix64(seed: seed)
    // Rational numbers in place of sine and cosine, so that the picture is the same everywhere.
    let (c, s) = ((1 - turn * turn) / (1 + turn * turn), 2 * turn / (1 + turn * turn))
    let n = family.cells
    let code = family.code(id: id)
    return (0..<(width * height)).map { index in
      var sum = 0.0
      for k in 0..<4 {
        let dx = Double(index % width) + (k % 2 == 0 ? -0.25 : 0.25) - center.x
        let dy = Double(index / width) + (k < 2 ? -0.25 : 0.25) - center.y
        let column = Int(((c * dx + s * dy) / 44 + 0.5) * Double(n + 2) + 10) - 11
        let row = Int(((c * dy - s * dx) / 44 + 0.5) * Double(n + 2) + 10) - 11
        if row < -1 || column < -1 || row > n || column > n {
          sum += 200
        } else if row < 0 || column < 0 || row == n || column == n {
          sum += 40
        } else {
          sum += (code >> UInt64(n * n - 1 - row * n - column)) & 1 == 1 ? 200 : 40
        }
      }
      return UInt8(sum / 4 + .random(in: -4...4, using: &g))
    }
  }
}
