import Foundation
import SightlineTestSupport
import SightlineWasmMemory
import Testing

@testable import SightlineWasm

/// A row of an observation, see `ObservationRow`.
struct ObservedRow {
  var kind = 0.0
  var first = 0.0
  var second = 0.0
  var state = 0.0
  /// Its middle and the length of its sides, pixels.
  var center = (x: 0.0, y: 0.0)
  var side = 40.0
  /// Metres; of the pose too.
  var width = 0.2
  var hasPose = true
  var sigma = 0.3
  var confidence = 0.9
  var track = -1.0

  /// Seen from the front by a camera of 480 × 640 pixels.
  func values(focal: Double) -> [Double] {
    let (x, y, h) = (center.x, center.y, side / 2)
    let corners = [x - h, y - h, x + h, y - h, x + h, y + h, x - h, y + h]
    let depth = focal * width / side
    let pose = [0, 1, 0, 0, (x - 239.5) / focal * depth, (y - 319.5) / focal * depth, depth, 0.1]
    return [kind, first, second, state] + corners + [sigma, confidence, width, track, 0, state == 2 ? 0.1 : 0]
      + [hasPose ? 1 : 0] + (hasPose ? pose : [Double](repeating: 0, count: 8))
  }
}

extension ParityCases {
  /// Observations that set position and north, some of which are wild; answers how often the position was set.
  func anchors(_ recorder: Recorder) -> Int {
    var g = SplitMix64(seed: 8)
    recorder.begin("anchors")
    recorder.call("sl_calendar", 0, 2026.5)
    recorder.call("sl_display", 0, 390, 844, 0)
    recorder.call("sl_camera", 0, 720, 1280, 66)
    recorder.call("sl_fix", 0, 48.3984, 9.9915, 480, 15, 8, .nan, .nan, 2)
    recorder.call("sl_orientation_angles", 0, 8, 90, 0, 0)
    // A marker, a picture and a code on walls that face south.
    let survey = [48.39845, 9.9915, 481.5, 180, 0, 0]
    let hung: [[Double]] = [[0, 11, 7], [1, 0, 31], [2, 3_735_928_559, 4_276_215_469]]
    for (k, anchor) in hung.enumerated() {
      recorder.survey(0.5, anchor + [survey[0] + Double(k) * 1e-5] + survey[1...] + [0.2])
    }
    recorder.anchors()
    recorder.call("sl_open", 0.6, 1)
    if let request = recorder.effects() { recorder.loaded(0.7, request, anchoredWorld(hung)) }
    var sets = 0.0
    var items = 0
    for step in 0..<120 {
      let time = 1 + Double(step) * 0.1
      let focal = 500.0
      recorder.call("sl_orientation_angles", time, 8 + .random(in: -1...1, using: &g), 90, 0, 0)
      var rows: [[Double]] = []
      for (k, anchor) in hung.enumerated() where (step + k) % 4 < 2 {
        var row = ObservedRow(kind: anchor[0], first: anchor[1], second: anchor[2])
        row.center = (.random(in: 180...300, using: &g), .random(in: 200...440, using: &g))
        row.side = [10, 30, 45, 60][(step + k) % 4]
        row.state = Double(step % 3)
        row.hasPose = k != 2
        row.track = Double(step % 2) - 1
        rows.append(row.values(focal: focal))
      }
      if step % 5 == 4 {
        // No kind, no state, numbers that are none or beyond all.
        let odd = [Double.nan, -1, 4, 1e300, 0.5, -1e300, 4_294_967_296, 5e-324]
        var wild = ObservedRow(kind: Double(step % 4), first: 11, second: 7, center: (240, 320)).values(focal: focal)
        wild[Int.random(in: 0..<wild.count, using: &g)] = odd[Int.random(in: 0..<odd.count, using: &g)]
        rows.append(wild)
      }
      if step % 7 < 4 {
        var moving = ObservedRow(kind: 0, first: 11, second: 9, center: (200 + Double(step), 300))
        (moving.state, moving.sigma, moving.width) = (step % 7 == 3 ? 2 : 1, step % 7 == 3 ? 12 : 0.3, 0.1)
        rows.append(moving.values(focal: focal))
        rows.append(ObservedRow(kind: 3, second: 5, center: (240, 320)).values(focal: focal))
      } else if step % 7 == 6 {
        rows.append(ObservedRow(kind: 0, first: 11, second: 9, state: 3, hasPose: false).values(focal: focal))
      }
      let lens = step % 2 == 0 ? [0.0, 0, 0, 0, 0] : [0.05, -0.01, 0.001, 0, 0]
      recorder.observations(time, head: [time - 0.05, 480, 640, focal] + lens + [.nan, 319.5], rows: rows)
      recorder.call("sl_model_bounds", time, Double(step % 3), -1, 0, -1, 1, 2, 1)
      items += Int(recorder.anchors()[1])
      if step == 30 { recorder.call("sl_select", time, 1) }
      if step % 6 == 5 {
        recorder.frame(time + 0.02)
        sets = recorder.call("sl_survey_count")
        recorder.effects()
      }
      if step == 90 { recorder.survey(time, hung[0] + [.nan] + survey[1...] + [0.2]) }
    }
    #expect(items > 300)
    for focal in [300, 500.5, .nan, 0] { recorder.call("sl_field_of_view", 480, 640, focal) }
    return Int(sets)
  }

  /// Labels, pictures and models on markers, a picture, a code, a wall, one that hangs somewhere and one that there is not.
  private func anchoredWorld(_ hung: [[Double]]) -> WrittenWorld {
    func place(_ id: String, _ print: [Double], visual: Double, _ offset: [Double] = [0, 0, 0]) -> WrittenWorld.Place {
      var place = WrittenWorld.Place(id: id)
      place.numbers[0] = .nan
      for k in 0..<3 { place.numbers[4 + k] = offset[k] }
      place.numbers[7] = visual
      place.print = print
      return place
    }
    var places = hung.enumerated().map { place("hung \($0)", $1 + [0.2, .nan, 0, 0], visual: Double($0 % 2)) }
    for (k, scale) in [0.01, .nan].enumerated() {
      var model = place("model \(k)", WrittenWorld.Place.marker(9), visual: 2, [0.1, 0, 0.05])
      model.model = [10, 20, 30, scale]
      places.append(model)
    }
    places.append(place("on the wall", [3, 0, 5, 1, .nan, 0, 0], visual: 0, [0.3, 0.4, 0]))
    places.append(place("on nothing", [9, 0, 5, 1, .nan, 0, 0], visual: 0))
    var surveyed = place("surveyed", WrittenWorld.Place.marker(12, facing: 180), visual: 0)
    surveyed.numbers.replaceSubrange(0..<4, with: [48.3985, 9.9915, 481, 0])
    places.append(surveyed)
    return WrittenWorld(places: places)
  }

  /// Walls, and what hangs on them.
  func planes(_ recorder: Recorder) {
    var g = SplitMix64(seed: 9)
    recorder.begin("planes")
    func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &g) }
    for k in 0..<120 {
      var plane = [
        any(-0.3...0.3), 1, any(-0.3...0.3), any(-0.3...0.3), any(-0.5...0.5), any(-0.5...0.5), any(0.5...4),
      ]
      plane += [960, 540, any(500...900)]
      // Planes that lie behind or edge-on, and some that are none.
      if k % 10 == 7 { plane[6] = -1 }
      if k % 10 == 8 { (plane[0], plane[2]) = (1, 1) }
      if k % 10 == 9 { plane[k / 10 % 10] = k % 20 == 9 ? .nan : 0 }
      let isOne = recorder.plane(plane)
      if recorder.call("sl_plane_pixel", any(-1...1), any(-1...1)) == 1 { recorder.planeValues(2) }
      if recorder.call("sl_plane_point", any(0...960), any(0...540)) == 1 { recorder.planeValues(2) }
      recorder.call("sl_plane_upright", any(-180...180), any(-90...90), Double(k % 4 * 90))
      let (x, y, turn, width) = (any(-1...1), any(-1...1), any(-400...400), any(0.1...2))
      recorder.call("sl_plane_corners", x, y, turn, width, width / 2)
      recorder.planeValues(8)
      recorder.call("sl_plane_is_on", x, y, turn, width, width / 2, x + any(-0.5...0.5), y + any(-0.5...0.5))
      if isOne {
        recorder.call("sl_plane_matrix", x, y, turn, width, 0.01)
        recorder.planeValues(16)
      }
      recorder.call("sl_plane_clip", 960, 540, 700)
      recorder.planeValues(16)
    }
  }

  /// A session that looks north, and rows of a marker that hangs to the north of it.
  private func start() {
    sl_reset()
    sl_display(0, 390, 844, 0)
    sl_fix(0, 48.3984, 9.9915, 480, 15, 8, .nan, .nan, 0)
    sl_orientation_angles(0, 0, 90, 0, 0)
  }

  private func hand(_ time: Double, _ head: [Double], _ rows: [Double]) throws {
    let count = Int32(rows.count / ObservationRow.length)
    let base = try #require(sl_observations_in(count))
    for (k, value) in (head + rows).enumerated() { base[k] = value }
    sl_observations(time, count)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, 0.5, 4_294_967_296, -1e300, 5e-324, 0])
  func `observations with numbers that are none leave a session that goes on`(odd: Double) throws {
    start()
    for (k, value) in [0, 11, 7, 48.3985, 9.9915, 481, 180, 0, 0, 0.2].enumerated() { sl_survey_in()[k] = value }
    sl_survey(0)
    let head = [0, 480, 640, 500.0, 0, 0, 0, 0, 0, .nan, .nan]
    let row = ObservedRow(kind: 0, first: 11, second: 7, center: (240, 320)).values(focal: 500)
    for position in 0..<(head.count + row.count) {
      var values = head + row
      values[position] = odd
      let time = Double(position + 1)
      values[0] = position == 0 ? odd : time
      try hand(time, Array(values[..<head.count]), Array(values[head.count...]))
      #expect(sl_anchors()[0] == 0)
      let frame = sl_frame(time)
      #expect((0..<63).allSatisfy { frame[$0].isFinite }, "value \(position)")
      sl_model_bounds(time, Int32(truncatingIfNeeded: position), odd, 0, odd, 1, odd, 1)
    }
    for position in 0..<10 {
      for (k, value) in [0, 11, 7, 48.3985, 9.9915, 481, 180, 0, 0, 0.2].enumerated() { sl_survey_in()[k] = value }
      sl_survey_in()[position] = odd
      sl_survey(100)
      try hand(101 + Double(position), head, row)
    }
    // Sound ones still count.
    for (k, value) in [0, 11, 7, 48.3985, 9.9915, 481, 180, 0, 0, 0.2].enumerated() { sl_survey_in()[k] = value }
    sl_survey(200)
    let before = sl_survey_count()
    try hand(201, [201] + head[1...], row)
    #expect(sl_survey_count() == before + 1)
    let standpoint = sl_status()
    #expect(abs(standpoint[8] - (48.3985 - 2.5 / 111_200)) < 1e-6, "\(standpoint[8])")
  }

  @Test(arguments: [-1, 4097, Int32.max, .min])
  func `more observations than fit get no room and are not taken`(count: Int32) {
    start()
    #expect(sl_observations_in(count) == nil)
    sl_observations(1, count)
    #expect(sl_anchors()[2] == -.infinity)
  }

  @Test func `observations are taken only from room that was made for them`() throws {
    start()
    _ = try #require(sl_observations_in(0))
    sl_observations(1, 4096)
    #expect(sl_anchors()[0] == 0)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0])
  func `planes with numbers that are none answer without a trap`(odd: Double) {
    let usual = [0, 1, 0, 0, 0.1, 0, 1.5, 960, 540, 750]
    for position in usual.indices {
      for (k, value) in usual.enumerated() { sl_plane_values()[k] = k == position ? odd : value }
      _ = sl_plane_set()
      for (x, y) in [(0.1, 0.1), (odd, 1), (1, odd)] {
        _ = sl_plane_pixel(x, y)
        _ = sl_plane_point(x, y)
        _ = sl_plane_upright(x, y, .min)
        _ = sl_plane_matrix(x, y, odd, odd, odd)
        sl_plane_corners(x, y, odd, odd, odd)
        _ = sl_plane_is_on(x, y, odd, odd, odd, odd, odd)
        sl_plane_clip(x, y, odd)
      }
    }
  }
}
