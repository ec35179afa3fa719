import SightlineTestSupport
import Testing

@testable import SightlineWasm

/// The exported functions, called natively: what crosses, and what may not.
extension ParityCases {
  /// A session with position, orientation and display, and a request under way.
  private func start() -> Double? {
    sl_reset()
    sl_display(0, 390, 844, 0)
    sl_fix(0, 48.4, 10, 500, 5, .nan, .nan, .nan)
    sl_orientation_quaternion(0, 0.5.squareRoot(), 0.5.squareRoot(), 0, 0, 0)
    sl_open(0, 3)
    return Recorder().effects()
  }

  private func write(_ values: [Double], _ features: Int32, _ overlays: Int32 = 0, _ focus: Int32 = 0) throws {
    let base = try #require(sl_world_begin(features, overlays, focus))
    for (k, value) in values.enumerated() { base[k] = value }
  }

  private static let feature: [Double] = [
    5, 48.41, 10, 0, 1, 0, 0, 0, 0, 0, 100, 30, 0.5, 1, 2, 1, 0, 2, 6, 0, 0, 80, 26,
  ]

  @Test func `a request has its fields where the page looks for them`() throws {
    sl_reset()
    sl_display(1, 390.4, 844, 0)
    sl_fix(1, 48.4, 10, .nan, 5, .nan, .nan, .nan)
    sl_orientation_angles(1, 270, 90, 0, 0)
    sl_open(1, 3)
    #expect(sl_next_effect() == 1)
    let values = (0..<15).map { sl_effect_values()[$0] }
    #expect(Array(values[0...4]) == [1, 3, 0, 0, -1])
    #expect(Array(values[5...8]) == [1, 48.4, 10, 0])
    #expect(values[9] == 1 && isNear(values[10], 90, within: 1e-9) && isNear(values[11], 0, within: 1e-6))
    #expect(isNear(values[12], 0, within: 1e-9))
    #expect(Array(values[13...14]) == [390, 844])
    #expect(sl_next_effect() == 0)
  }

  @Test func `a world that was written arrives, and a tap does what it says`() throws {
    let request = try #require(start())
    try write([1000, 1, 0, 0, -1] + Self.feature, 1)
    sl_world_loaded(1, Int32(request))
    #expect(session.world.features.count == 1 && session.world.features[0].key == 5)
    sl_press(1, 0)
    var kinds: [Int32] = []
    while case let kind = sl_next_effect(), kind != 0 { kinds.append(kind) }
    #expect(kinds == [7, 4, 5, 3])
    #expect(sl_effect_values()[0] == 6)
  }

  @Test(arguments: [(-1, 0, 0), (0, -1, 0), (0, 0, -5), (250_001, 0, 0), (0, .max, 0), (.min, .min, .min)])
  func `counts that make no sense get no room, and no world`(_ counts: (Int32, Int32, Int32)) throws {
    let request = try #require(start())
    #expect(sl_world_begin(counts.0, counts.1, counts.2) == nil)
    sl_world_loaded(1, Int32(request))
    #expect(sl_next_effect() == 0)
  }

  @Test func `a world is read once`() throws {
    let request = try #require(start())
    try write([1000, 1, 0, 0, -1] + Self.feature, 1)
    sl_world_loaded(1, Int32(request))
    sl_refresh_by_hand(2)
    let again = try #require(Recorder().effects())
    sl_world_loaded(3, Int32(again))
    #expect(sl_next_effect() == 0, "nothing was written since")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, 0.5, 4_294_967_296, -1e300])
  func `numbers that are none leave a world that can be drawn`(odd: Double) throws {
    for position in 0..<(5 + 23 + 4 + 1) {
      let request = try #require(start())
      var values = [1000, 1, 10, 100, 9] + Self.feature + [1, 0, 1, -1] + [0]
      values[5 + 20] = 1
      values[position] = odd
      try write(values, 1, 1, 1)
      sl_world_loaded(1, Int32(request))
      let frame = sl_frame(1)
      #expect((0..<63).allSatisfy { frame[$0].isFinite }, "value \(position)")
      sl_press(1, 0)
      sl_press_overlay(1, 0)
      Recorder().effects()
    }
  }

  @Test func `enumerations out of range mean the most cautious case`() {
    for odd in [Int32.min, -1, 9, 300, .max] {
      sl_reset()
      sl_fix(0, 48.4, 10, 500, 5, 3, .nan, .nan)
      sl_orientation_unavailable(0, odd)
      #expect(session.status.heading == .missing)
      sl_location_unavailable(0, odd)
      sl_orientation_quaternion(0, 1, 0, 0, 0, odd)
      #expect(session.status.heading == .noNorth)
      sl_failed(0, odd, odd, odd)
      sl_select(0, odd)
      sl_toggle_cluster(0, odd)
      sl_label_size(0, odd, 5, 5)
      sl_camera(0, .nan, 3, 60)
      sl_camera(0, 640, 480, 0)
      sl_display(0, 300, 300, odd)
      #expect(sl_frame(0)[3] == 1)
    }
  }

  @Test func `a frame says how long its tables are`() throws {
    let request = try #require(start())
    let features = (0..<500).flatMap { k -> [Double] in
      var feature = Self.feature
      feature[0] = Double(k + 1)
      feature[1] = 48.4 + Double(k % 25) * 1e-4
      feature[2] = 10 + Double(k / 25) * 1e-4
      return feature
    }
    try write([5000, 1, 0, 0, -1] + features, 500)
    sl_world_loaded(1, Int32(request))
    let frame = sl_frame(1)
    // Tables follow one another without gaps: items, clusters, members, arrows, blips, overlays.
    let strides = [11.0, 12, 1, 8, 4, 1]
    var next = 64.0
    for (table, stride) in strides.enumerated() {
      #expect(frame[20 + 2 * table + 1] == next, "table \(table)")
      next += frame[20 + 2 * table] * stride
    }
    #expect(frame[28] == 500, "all are blips")
    let status = sl_status()
    for k in 0..<8 { #expect(status[k] == frame[55 + k]) }
    let standpoint = try #require(session.standpoint)
    #expect(status[8] == standpoint.latitudeDegrees && status[9] == standpoint.longitudeDegrees)
    #expect(status[10] == session.standpointAccuracy)
  }

  @Test func `paths come with the world they were written for, and counts that make no sense are refused`() throws {
    let request = try #require(start())
    #expect(sl_world_paths(1, 2) == nil)
    try write([1000, 1, 0, 0, -1] + Self.feature, 1)
    #expect(sl_world_paths(-1, 2) == nil && sl_world_paths(1, 10_000_000) == nil)
    let base = try #require(sl_world_paths(1, 2))
    for (k, value) in [0, 5, 0, 2, 48.401, 10, .nan, 48.402, 10.001, 510.0].enumerated() { base[k] = value }
    sl_world_loaded(1, Int32(request))
    #expect(session.world.paths.count == 1 && session.world.paths[0].vertices == 0..<2)
    #expect(session.world.pathVertices[1].altitude == 510 && session.world.pathVertices[0].altitude.isNaN)
    _ = sl_frame(1)
    let runs = sl_frame_paths()
    #expect(runs[0] == 1 && runs[1] == 0 && runs[2] == 5 && runs[4] == 2)
  }
}
