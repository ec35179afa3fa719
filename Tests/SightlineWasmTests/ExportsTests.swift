import SightlineScene
import SightlineTestSupport
import Testing

@testable import SightlineWasm

/// The exported functions, called natively: what crosses, and what may not.
extension ParityCases {
  /// A session with position, orientation and display, and a request under way.
  private func start() -> Double? {
    sl_reset()
    sl_display(0, 390, 844, 0)
    sl_fix(0, 48.4, 10, 500, 5, .nan, .nan, .nan, 0)
    sl_orientation_quaternion(0, 0.5.squareRoot(), 0.5.squareRoot(), 0, 0, 0)
    sl_open(0, 3)
    return Recorder().effects()
  }

  /// A marker in the middle of the camera's picture.
  private func show(marker: Double, at time: Double) throws {
    let base = try #require(sl_observations_in(1))
    let row = ObservedRow(kind: 0, first: 11, second: marker, center: (240, 320)).values(focal: 500)
    for (k, value) in ([time, 480, 640, 500, 0, 0, 0, 0, 0, .nan, .nan] + row).enumerated() { base[k] = value }
    sl_observations(time, 1)
    let table = sl_anchors()
    #expect(table[0] <= 1 && table[1] <= 1)
  }

  /// Writes a world, as the answer to a request.
  private func hand(_ world: WrittenWorld, _ request: Double, _ numbers: [Double]? = nil) throws {
    try #require(world.write(numbers))
    #expect(sl_world_compile(Int32(request)) != nil)
    sl_world_loaded(1, Int32(request))
  }

  @Test func `a request has its fields where the page looks for them`() throws {
    sl_reset()
    sl_display(1, 390.4, 844, 0)
    sl_fix(1, 48.4, 10, .nan, 5, .nan, .nan, .nan, 0)
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
    try hand(WrittenWorld(places: [.init()]), request)
    #expect(session.world.features.count == 1 && session.world.features[0].key == 4_411_662_363_566_288)
    sl_press(1, 0)
    var kinds: [Int32] = []
    while case let kind = sl_next_effect(), kind != 0 { kinds.append(kind) }
    #expect(kinds == [7, 4, 5, 3])
    #expect(sl_effect_values()[0] == 6)
  }

  @Test(arguments: 0..<6, [Int32.min, -1, 12_000_001, .max])
  func `counts that make no sense get no room, and no world`(position: Int, count: Int32) throws {
    let request = try #require(start())
    var counts = [Int32](repeating: 1, count: 6)
    counts[position] = count
    #expect(sl_world_begin(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]) == nil)
    #expect(sl_world_compile(Int32(request)) == nil)
    sl_world_loaded(1, Int32(request))
    #expect(sl_next_effect() == 0)
  }

  @Test func `counts of texts that lie cut the texts off`() throws {
    let request = try #require(start())
    var world = WrittenWorld(places: [.init(id: "abc", category: "c"), .init(id: "d", names: ["x"])])
    world.overlays = [.init(id: "x")]
    for odd in [1e9, -1, 2_147_483_647, 0] {
      for position in [6, 10, 11, 12, 42, 43, 44, world.numbers.count - 1] {
        var numbers = world.numbers
        numbers[position] = odd
        try hand(world, request, numbers)
      }
    }
  }

  @Test func `what the page has to know of a world: categories, and places that lost their position`() throws {
    let request = try #require(start())
    func place(_ category: String?, on print: [Double] = WrittenWorld.Place.noPrint) -> WrittenWorld.Place {
      var place = WrittenWorld.Place(category: category)
      place.print = print
      return place
    }
    var nowhere = place("b")
    nowhere.numbers[0] = .nan
    let world = WrittenWorld(
      places: [
        place("b"), place(nil), place("a", on: WrittenWorld.Place.marker(1)),
        place("b", on: WrittenWorld.Place.marker(2, facing: 90)), nowhere, place("a"),
      ]
    )
    try #require(world.write())
    let answer = try #require(sl_world_compile(Int32(request)))
    let expected: [Double] = [3, 1, 0, 3, 2, 2, 2, 0, 1, 1, 1, 2]
    #expect(expected.indices.map { answer[$0] } == expected)
    // When visuals are shown; rules of no place are none, and a selection that is none is any.
    sl_world_rule(1, 5, 10, .infinity, 0.5, 2, -1)
    sl_world_rule(2, .nan, .nan, 3, 4, 300, 7)
    for odd in [Int32.min, -1, 6, .max] { sl_world_rule(odd, 0, 1, 2, 3, 0, 0) }
    sl_world_loaded(1, Int32(request))
    sl_world_rule(1, 5, 10, .infinity, 0.5, 2, -1)
    #expect(
      session.world.rules.map(\.feature) == [1, 2] && session.world.rules.map(\.selection) == [.unselected, .any]
    )
    #expect(session.world.rules[0].scaling == DistanceScaling(near: 10, far: .infinity, factor: 0.5))
    #expect(session.world.rules[1].scaling == nil && session.world.rules[1].group == 7)
    // Rows of what is open, and where it stands.
    let rows = try #require(sl_world_rows(0))
    #expect(rows[0] == 6 && rows[5] == 0 && rows[7] == 2 && rows[8] == 1000)
    #expect(rows[13] == Double(session.world.features[0].key))
    #expect(sl_world_rows(1) == nil && sl_world_rows(-1) == nil)
    sl_world_rows_end()
    #expect((0..<6).map { sl_shown_worlds()[$0] } == [1, 0, 0, 6, 0, 0])
  }

  @Test func `a world beside another goes on with its categories, alone it begins anew`() throws {
    let request = try #require(start())
    try hand(WrittenWorld(places: [.init(category: "a"), .init(category: "b")]), request)
    sl_open_beside(1, 3, 7)
    let beside = try #require(Recorder().effects())
    try hand(WrittenWorld(places: [.init(category: "c"), .init(category: "b")]), beside)
    #expect(session.world.features.map(\.category) == [1, 2, 3, 2])
    #expect((0..<11).map { sl_shown_worlds()[$0] } == [2, 0, 0, 2, 0, 0, 3, 2, 2, 0, 0])
    sl_close_world(1, 3)
    sl_open(2, 9)
    let alone = try #require(Recorder().effects())
    try hand(WrittenWorld(places: [.init(category: "c")]), alone)
    #expect(session.world.features.map(\.category) == [1])
  }

  @Test func `a world is read once`() throws {
    let request = try #require(start())
    try hand(WrittenWorld(places: [.init()]), request)
    sl_refresh_by_hand(2)
    let again = try #require(Recorder().effects())
    sl_world_loaded(3, Int32(again))
    #expect(sl_next_effect() == 0, "nothing was written since")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, 0.5, 4_294_967_296, -1e300])
  func `numbers that are none leave a world that can be drawn`(odd: Double) throws {
    let world = WrittenWorld(
      head: [1000, 1, 10, 100, 9, 1],
      places: [
        .init(category: "c", print: WrittenWorld.Place.marker(7, facing: 180), model: [0, 90, 0, .nan], names: ["x"])
      ],
      overlays: [.init(id: "x", isHidden: false, action: [1, -1])],
      parts: [.init(isArea: true, corners: [[48.41, 10, 500], [48.42, 10, .nan]])]
    )
    for position in world.numbers.indices {
      let request = try #require(start())
      var numbers = world.numbers
      numbers[position] = odd
      try hand(world, request, numbers)
      let frame = sl_frame(1)
      #expect((0..<63).allSatisfy { frame[$0].isFinite }, "value \(position)")
      try show(marker: 7, at: 1)
      sl_model_bounds(1, 0, -1, 0, -1, 1, 2, 1)
      sl_press(1, 0)
      sl_press_overlay(1, 0)
      Recorder().effects()
    }
  }

  @Test func `enumerations out of range mean the most cautious case`() {
    for odd in [Int32.min, -1, 9, 300, .max] {
      sl_reset()
      sl_fix(0, 48.4, 10, 500, 5, 3, .nan, .nan, 0)
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
    let places = (0..<500).map { k in
      var place = WrittenWorld.Place(id: "\(k)")
      place.numbers[0] = 48.4 + Double(k % 25) * 1e-4
      place.numbers[1] = 10 + Double(k / 25) * 1e-4
      return place
    }
    try hand(WrittenWorld(head: [5000, 1, 0, 0, -1, 0], places: places), request)
    let frame = sl_frame(1)
    // Tables follow one another without gaps: items, clusters, members, arrows, blips, overlays.
    let strides = [12.0, 12, 1, 8, 4, 1]
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

  @Test func `shapes come with their places`() throws {
    let request = try #require(start())
    var ground = WrittenWorld.Place()
    ground.numbers[3] = 0
    let world = WrittenWorld(
      places: [ground],
      parts: [.init(corners: [[48.401, 10, .nan], [48.402, 10.001, 510]]), .init(place: 9, corners: [[1, 2, 3]])]
    )
    try hand(world, request)
    #expect(session.world.paths.count == 1 && session.world.paths[0].vertices == 0..<2)
    #expect(session.world.pathVertices[1].altitude == 510 && session.world.pathVertices[0].altitude.isNaN)
    _ = sl_frame(1)
    let runs = sl_frame_paths()
    #expect(runs[0] == 1 && runs[1] == 0 && runs[2] == 0 && runs[4] == 2)
  }
}
