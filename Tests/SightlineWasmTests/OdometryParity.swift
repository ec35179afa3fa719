import Foundation
import SightlineOdometryWasm
import SightlineTestSupport
import SightlineWasmPictures
import Testing

/// World tracking through its exports, natively, on drawn frames; what came back is written down for the other build.
extension ParityCases {
  /// Frames a second, and how many.
  private static let (rate, count) = (20.0, 70)

  /// Writes `.build-wasm/odometry.json` and `odometry.gray`, the frames one after the other, which `Tests/Wasm/odometry.test.mjs` compares
  /// with the other build.
  @Test func `a walk with something set down is written down`() throws {
    let room = DrawnRoom(.walk)
    let (width, height) = (Int32(DrawnRoom.width), Int32(DrawnRoom.height))
    #expect(sl_odometry_begin(width, height, 275, 0, 1) == 1)
    sl_odometry_display(390, 520)
    sl_odometry_preview(0, 0)
    var (frames, pixels): ([[String: Any]], [UInt8]) = ([], [])
    var sample = 1
    var placedRows = 0
    for frame in 0..<Self.count {
      let time = 0.6 + Double(frame) / Self.rate
      let stamp = time + room.timeOffset
      var readings: [[Double]] = []
      while Double(sample) / 60 <= stamp {
        let end = Double(sample) / 60
        sample += 1
        let (rate, force) = room.reading(from: end - 1.0 / 60, to: end)
        let degrees = rate * (180 / Double.pi)
        readings.append([end, degrees.x, degrees.y, degrees.z, force.x, force.y, force.z])
        sl_odometry_motion(end, degrees.x, degrees.y, degrees.z, force.x, force.y, force.z)
      }
      let picture = room.picture(at: time)
      pixels += picture
      let base = try #require(sl_picture(Int32(picture.count)))
      for (k, pixel) in picture.enumerated() { base[k] = pixel }
      let values = Int(sl_odometry_frame(0, width, height, 0, width, 0, stamp))
      #expect(values >= 25)
      let row = (0..<max(0, values)).map { sl_odometry_values()[$0] }
      // Twice in the middle of the walk something is set down, and later moved and turned.
      var hit: [Double]?
      if frame == 40 { hit = hits(sl_odometry_place(1, 195, 330, 1, 0.5)) }
      if frame == 50 {
        #expect(sl_odometry_nearest(195, 330) == 1 || sl_odometry_nearest(195, 330) == -1)
        sl_odometry_hold(1, 195, 330)
        hit = hits(sl_odometry_drag(150, 340))
        sl_odometry_twist(1, 100, 100, 200, 100, 100, 100, 200, 140)
      }
      if frame > 41, row[1].isFinite { placedRows += row.count > 60 ? 1 : 0 }
      frames.append(["stamp": stamp, "readings": readings, "row": row, "hit": hit ?? []])
    }
    #expect(frames.count == Self.count && placedRows > 20, "\(placedRows)")
    let record: [String: Any] = ["width": Int(width), "height": Int(height), "focal": 275, "frames": frames]
    try JSONSerialization.data(withJSONObject: record).write(to: Self.file("odometry.json"))
    try Data(pixels).write(to: Self.file("odometry.gray"))
  }

  private func hits(_ base: UnsafeMutablePointer<Double>?) -> [Double]? {
    base.map { base in (0..<9).map { base[$0] } }
  }

  @Test func `what cannot be tracked is refused`() throws {
    for (width, height, focal): (Int32, Int32, Double) in [
      (0, 0, 100), (63, 480, 400), (9000, 480, 400), (640, 480, .nan), (640, 480, 1e9),
    ] {
      #expect(sl_odometry_begin(width, height, focal, 0, -1) == 0)
    }
    #expect(sl_odometry_begin(8192, 70, 4000, 90, -1) == 0, "its smaller picture has too few rows")
    #expect(sl_odometry_begin(640, 480, 500, 0, 7) == 0)
    // Without tracking everything is answered by nothing.
    sl_odometry_motion(1, 0, 0, 0, 0, 9.8, 0)
    sl_odometry_tilt(1, 0, 0)
    sl_odometry_display(100, 100)
    #expect(sl_odometry_frame(0, 640, 480, 0, 640, 0, 1) == -1)
    #expect(sl_odometry_hit(5, 5) == nil && sl_odometry_place(1, 5, 5, 1, 1) == nil && sl_odometry_nearest(5, 5) == -1)
    #expect(sl_odometry_begin(640, 480, 500, 12345, -1) == 1)
    for bad in [Double.nan, .infinity, 1e300, -1e300] {
      // Left out.
      sl_odometry_learned(1, bad, bad, bad, bad)
      #expect(sl_odometry_begin(640, 480, 500, 0, -1) == 1)
      sl_odometry_learned(0, bad, bad, bad, bad)
      sl_odometry_motion(bad, bad, bad, bad, bad, bad, bad)
      sl_odometry_motion(1, bad, 0, 0, 0, 9.8, 0)
      sl_odometry_tilt(bad, bad, bad)
      sl_odometry_display(bad, bad)
      #expect(sl_odometry_hit(bad, bad) == nil && sl_odometry_place(3, bad, bad, 1, bad) == nil)
      sl_odometry_turn(3, bad)
      sl_odometry_twist(3, bad, bad, bad, bad, bad, bad, bad, bad)
      #expect(sl_odometry_frame(0, 640, 480, 0, 640, 0, bad) == -1)
    }
    #expect(sl_odometry_frame(0, 640, 480, -5, 640, 0, 2) == -1)
    #expect(sl_odometry_frame(0, 320, 240, 0, 320, 0, 2) == -1)
  }
}
