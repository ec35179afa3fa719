import Foundation
import SightlineGeodesy

@testable import SightlineTransit

/// GTFS-Realtime messages: fields nested as the format has them, with extreme numbers, wrong wire types, groups, missing and repeated
/// fields; read, merged with a timetable, and asked.
struct RealtimeTarget: StructuredTarget {
  static let name = "gtfs-realtime"
  private let schedule: Schedule
  private let trips: [String]
  private let stops: [String]
  private let routes: [String]

  init() {
    let path = TransitQuestions.folder("realtime") + ".schedule"
    let files = Files.list(["Fixtures/transit"]).filter { $0.hasSuffix(".zip") }
    do {
      guard let source = files.min(by: { (Files.load($0)?.count ?? .max) < (Files.load($1)?.count ?? .max) }) else {
        fatalError("no feed in Fixtures/transit; run it in the root of the repository")
      }
      _ = try ScheduleImporter().importFeed(source, into: path)
      schedule = try Schedule(path: path)
    } catch { fatalError("the fixture cannot be imported: \(error)") }
    let opened = schedule
    trips = (0..<40).compactMap { try? opened.trip($0).id }
    stops = schedule.stops.prefix(60).map(\.id)
    routes = schedule.routes.prefix(20).map(\.id)
  }

  /// A field of the format: what kind of value it has.
  private indirect enum Kind {
    case number([Int])
    case float
    case text([String])
    case message([(field: Int, kind: Kind)])
  }

  private func kinds() -> [(field: Int, kind: Kind)] {
    let times = [0, 1, 1_795_157_000, 1_795_160_000, 1_795_243_400]
    let trip = Kind.message([
      (1, .text(trips)), (2, .text(["8:00:00", "08:00:00", "25:10:00", "999:59:59", "x"])),
      (3, .text(["20261120", "20261121", "x"])),
      (4, .number([0, 1, 2, 3, 5, 6, 7, 8])), (5, .text(routes)), (6, .number([0, 1])),
    ])
    let event = Kind.message([(1, .number([-60, 0, 60, 3600])), (2, .number(times))])
    let call = Kind.message([
      (1, .number([0, 1, 2, 3, 4, 5])), (2, event), (3, event), (4, .text(stops)), (5, .number([0, 1, 2, 3])),
      (6, .message([(1, .text(stops))])),
    ])
    let text = Kind.message([(1, .message([(1, .text(["Umleitung", "Avvikelse"])), (2, .text(["de", "sv", ""]))]))])
    return [
      (1, .message([(1, .text(["2.0"])), (2, .number([0])), (3, .number(times))])),
      (
        2,
        .message([
          (1, .text(["a", "b"])),
          (
            3,
            .message([
              (1, trip), (2, call), (2, call), (2, call), (4, .number(times)),
              (6, .message([(2, .text(["20261120"])), (3, .text(["9:00:00"]))])),
            ])
          ),
        ])
      ),
      (
        2,
        .message([
          (1, .text(["v"])),
          (
            4,
            .message([
              (1, trip), (2, .message([(1, .float), (2, .float), (3, .float), (5, .float)])),
              (3, .number([1])), (4, .number([0, 1, 2])), (5, .number(times)), (7, .text(stops)),
              (8, .message([(1, .text(["x"])), (2, .text(["y"]))])),
              (9, .number([0, 5])),
            ])
          ),
        ])
      ),
      (
        2,
        .message([
          (1, .text(["n", "m"])),
          (
            5,
            .message([
              (1, .message([(1, .number(times)), (2, .number(times))])),
              (
                5,
                .message([
                  (1, .text(["A"])), (2, .text(routes)), (3, .number([0, 3])), (4, trip), (5, .text(stops)),
                  (6, .number([0, 1])),
                ])
              ),
              (6, .number([1, 5])), (7, .number([1, 5])), (8, text), (10, text), (11, text), (14, .number([2, 4])),
            ])
          ),
        ])
      ),
    ]
  }

  private func put(varint value: UInt64, into out: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      out.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    out.append(UInt8(truncatingIfNeeded: value))
  }

  private func write(
    _ fields: [(field: Int, kind: Kind)],
    _ random: inout Random,
    into out: inout [UInt8],
    depth: Int = 0
  ) {
    var fields = fields
    if random.once(in: 12), fields.count > 1 { fields.swapAt(random.below(fields.count), random.below(fields.count)) }
    for (field, kind) in fields {
      if random.once(in: 8) { continue }
      var times = random.once(in: 10) ? random.number(in: 2...4) : 1
      if random.once(in: 4000) { times = random.number(in: 100...3000) }
      for _ in 0..<times {
        var number = field
        if random.once(in: 60) { number = random.pick([0, 1, 2, 15, 16, 99, 1 << 28, (1 << 29) - 1, 1 << 29]) }
        func key(_ type: Int) {
          put(varint: UInt64(number) << 3 | UInt64(random.once(in: 60) ? random.below(8) : type), into: &out)
        }
        switch kind {
        case .number(let usual):
          key(0)
          if random.once(in: 60) {
            out += [UInt8](repeating: 0xFF, count: random.number(in: 1...11)) + [random.pick([0, 1, 2, 0x7F])]
          } else {
            put(
              varint: UInt64(
                bitPattern: Int64(random.once(in: 4) ? Values.extremeInteger(&random) : random.pick(usual))
              ),
              into: &out
            )
          }
        case .float:
          key(5)
          let value = random.once(in: 4) ? Float(Values.extremeDouble(&random)) : Float(random.number(in: 9...58))
          out.put(Int(value.bitPattern), 4)
        case .text(let usual):
          key(2)
          let text = random.once(in: 10) || usual.isEmpty ? Values.extremeText(&random) : random.pick(usual)
          var bytes = Array(text.utf8)
          if random.once(in: 40) { bytes.append(random.pick([0xFF, 0xC3, 0x80])) }
          put(varint: UInt64(bytes.count), into: &out)
          out += bytes
        case .message(let inner):
          key(2)
          var bytes: [UInt8] = []
          if depth < 8 { write(inner, &random, into: &bytes, depth: depth + 1) }
          let length = random.once(in: 200) ? Values.extremeInteger(&random) : bytes.count
          put(varint: UInt64(bitPattern: Int64(length)), into: &out)
          out += bytes
        }
      }
    }
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var fields = kinds()
    for _ in 0..<random.below(4) { fields.append(fields[1 + random.below(3)]) }
    write(fields, &random, into: &out)
    if random.once(in: 20) { out.breakFields(&random) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let message = try? RealtimeMessage(protobuf: input) else { return .refused }
    try require(Instant64.holds(message.timestamp), "a header's time is not believed", "\(message.timestamp)")
    for vehicle in message.vehicles {
      try require(vehicle.timestamp.map(Instant64.holds) ?? true, "a vehicle's time is not believed")
      try require(abs(vehicle.latitude ?? 0) <= 90 && abs(vehicle.longitude ?? 0) <= 180, "a vehicle is nowhere")
    }
    do {
      let state = try RealtimeState([message], schedule: schedule)
      for stop in schedule.stops.indices.prefix(20) {
        let board = try schedule.board(
          at: schedule.callingStops(of: stop),
          in: TransitQuestions.now..<(TransitQuestions.now + 86_400),
          realtime: state
        )
        for departure in board {
          _ = InstantText.text(departure.time, offset: schedule.clock.offset(at: departure.time))
        }
      }
      var notices = BoardNotices(state.alerts, schedule: schedule, stops: [0])
      try require(notices.ids(route: 0, trip: "x", direction: 0).count <= BoardNotices.mostNamed, "too many notices")
      for alert in state.alerts.map(TransitAlert.init) {
        for period in alert.periods {
          _ = InstantText.text(period.lowerBound, offset: schedule.clock.offset(at: period.lowerBound))
        }
        _ = (alert.header.text(in: "sv"), alert.text.text(in: ""))
      }
    } catch let finding as Finding { throw finding } catch { throw Finding("a message cannot be merged", "\(error)") }
    return .accepted
  }

  private enum Instant64 { static func holds(_ time: Int) -> Bool { (0...(1 << 40)).contains(time) } }
}

/// What services answer that are asked stop by stop: SIRI in XML and JSON, and this program's own form.
struct ProviderAnswers {
  private final class Answer: ProviderTransport, @unchecked Sendable {
    var bytes: [UInt8] = []
    func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
      ProviderAnswer(body: bytes)
    }
  }

  private final class Box: @unchecked Sendable { var board: Result<ProviderBoard, ProviderFailure>? }

  private let answer = Answer()
  private let provider: any TransitProvider

  init(_ kind: String) {
    let info = ProviderInfo(id: "x", name: "X", kinds: [kind], attribution: "", isRemote: true)
    let stops = ListDirectory(
      [
        .init(
          stop: TransitStop(id: "A", name: "A", latitude: 48.4, longitude: 9.98),
          lines: [TransitLine(id: "4", name: "4", mode: .tram, color: nil, textColor: nil)]
        )
      ],
      timeZone: .gmt
    )
    provider =
      kind == "json"
      ? PlainProvider(info: info, stops: stops, address: "http://localhost/{stop}", transport: answer)
      : SIRIProvider(
        info: info,
        stops: stops,
        settings: .init(departures: "http://localhost/{stop}", isXML: kind == "xml"),
        transport: answer
      )
  }

  func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    answer.bytes = input
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    let provider = provider
    Task.detached {
      do throws(ProviderFailure) {
        box.board = .success(
          try await provider.departures(at: "A", BoardQuestion(from: 1_772_434_800, window: 86_400, limit: 128))
        )
      } catch { box.board = .failure(error) }
      done.signal()
    }
    done.wait()
    switch box.board {
    case .success(let board):
      try require(board.departures.count <= 128, "more departures than asked for")
      try require(
        zip(board.departures, board.departures.dropFirst()).allSatisfy { $0.time <= $1.time },
        "departures are in no order"
      )
      for departure in board.departures {
        try require(departure.headsign.utf8.count <= ProviderText.nameBytes, "a text is too long")
        _ = InstantText.text(departure.time, offset: 0)
      }
      return .accepted
    case .failure(let failure):
      try require(!failure.detail.isEmpty, "refused without a reason")
      return .refused
    case nil: throw Finding("no answer")
    }
  }

  static let visit: [(String, String)] = [
    ("LineRef", "4"), ("PublishedLineName", "4"), ("VehicleMode", "tram"), ("DirectionRef", "outbound"),
    ("DestinationName", "Hafen"),
    ("Monitored", "true"), ("ExtraJourney", "false"), ("VehicleFeatureRef", "lowFloor"),
  ]
  static let call: [(String, String)] = [
    ("AimedDepartureTime", "2026-03-02T07:05:00Z"), ("ExpectedDepartureTime", "2026-03-02T07:06:00+00:00"),
    ("StopPointRef", "A"),
    ("DeparturePlatformName", "1"), ("DepartureStatus", "onTime"),
  ]
  static let values = [
    "2026-03-02T07:05:00Z", "2026-03-02T25:61:00Z", "9999-12-31T23:59:59Z", "true", "false", "cancelled", "4", "A",
  ]

  /// A delivery as a tree of elements, which is written as XML or as JSON.
  static func delivery(_ random: inout Random) -> Node {
    let visits = (0..<random.number(in: 0...4)).map { _ in
      Node.element(
        "MonitoredStopVisit",
        [],
        [
          .element("ItemIdentifier", "i"),
          .element(
            "MonitoredVehicleJourney",
            [],
            visit.map { .element($0.0, $0.1) } + [.element("MonitoredCall", [], call.map { .element($0.0, $0.1) })]
          ),
        ]
      )
    }
    let situation = Node.element(
      "PtSituationElement",
      [],
      [
        .element("SituationNumber", "s"), .element("Summary", "Umleitung"), .element("Severity", "severe"),
        .element(
          "ValidityPeriod",
          [],
          [.element("StartTime", "2026-03-02T00:00:00Z"), .element("EndTime", "2026-03-03T00:00:00Z")]
        ),
        .element("Affects", [], [.element("LineRef", "4"), .element("StopPointRef", "A")]),
      ]
    )
    return .element(
      "Siri",
      [],
      [
        .element(
          "ServiceDelivery",
          [],
          [
            .element("ResponseTimestamp", "2026-03-02T07:00:10Z"),
            .element(
              "StopMonitoringDelivery",
              [],
              visits + [.element("MonitoredStopVisitCancellation", [], [.element("ItemRef", "i")])]
            ),
            .element("SituationExchangeDelivery", [], [.element("Situations", [], [situation])]),
          ]
        )
      ]
    )
  }

  static let names =
    (visit + call).map(\.0) + [
      "Siri", "ServiceDelivery", "StopMonitoringDelivery", "MonitoredStopVisit", "MonitoredVehicleJourney",
      "MonitoredCall", "Summary",
      "SituationExchangeDelivery", "Situations", "PtSituationElement", "Affects", "ErrorCondition", "Status", "value",
    ]
}

/// SIRI in XML.
struct SIRIXMLTarget: StructuredTarget {
  static let name = "siri-xml"
  private let answers = ProviderAnswers("xml")
  private let breaker = Breaker(
    names: ProviderAnswers.names,
    attributes: ["lang", "xml:lang"],
    values: ProviderAnswers.values
  )

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var tree = ProviderAnswers.delivery(&random)
    breaker.breakTree(&tree, &random)
    tree.xml(into: &out)
    if random.once(in: 20) { breaker.breakBytes(&out, &random) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome { try answers.check(input) }
}

/// SIRI Lite in JSON.
struct SIRIJSONTarget: StructuredTarget {
  static let name = "siri-json"
  private let answers = ProviderAnswers("siri")
  private var breaker = Breaker(names: ProviderAnswers.names, values: ProviderAnswers.values)

  init() { breaker.isJSON = true }

  /// Elements as members; those with text alone as strings.
  private func json(_ node: Node) -> Node {
    if node.children.count == 1, node.children[0].kind == .text { return .text(node.children[0].value, as: node.name) }
    let members = node.children.map(json)
    guard let repeated = members.first(where: { member in members.count { $0.name == member.name } > 1 })?.name else {
      return .object(members, as: node.name)
    }
    let list = members.filter { $0.name == repeated }
    return .object(members.filter { $0.name != repeated } + [.list(list, as: repeated)], as: node.name)
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var tree = Node.object([json(ProviderAnswers.delivery(&random))])
    breaker.breakTree(&tree, &random)
    tree.json(into: &out)
    if random.once(in: 20) { breaker.breakBytes(&out, &random) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome { try answers.check(input) }
}

/// This program's own form of departures.
struct PlainProviderTarget: StructuredTarget {
  static let name = "provider-json"
  private let answers = ProviderAnswers("json")
  private var breaker = Breaker(
    names: [
      "updated", "departures", "line", "headsign", "scheduled", "expected", "cancelled", "platform", "color", "mode",
      "trip",
    ],
    values: ProviderAnswers.values + ["ff0000", "-1", "7fffffffffffffff"]
  )

  init() { breaker.isJSON = true }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let departures = (0..<random.below(6)).map { minute in
      Node.object([
        .text("4", as: "line"), .text("Hafen", as: "headsign"), .text("2026-03-02T07:0\(minute):00Z", as: "scheduled"),
        .text("2026-03-02T07:0\(minute):30Z", as: "expected"), .raw("false", as: "cancelled"),
        .text("00ff00", as: "color"),
      ])
    }
    var tree = Node.object([.text("2026-03-02T07:00:00Z", as: "updated"), .list(departures, as: "departures")])
    breaker.breakTree(&tree, &random)
    tree.json(into: &out)
    if random.once(in: 20) { breaker.breakBytes(&out, &random) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome { try answers.check(input) }
}

/// Lists of stops, as JSON and as a table, in all grids.
struct StopListTarget: StructuredTarget {
  static let name = "stop-list"
  private var breaker = Breaker(
    names: [
      "stops", "id", "name", "lat", "lon", "x", "y", "code", "platform", "wheelchair", "lines", "color", "mode",
      "textColor",
    ],
    values: ["6400000", "1300000", "500000", "48.4", "9.98", "true", "tram", "ff0000"]
  )

  init() { breaker.isJSON = true }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let isTable = random.once(in: 2)
    let grid = random.below(3)
    let rows = (0..<random.below(5)).map { number in
      var members = [Node.text("\(number)", as: "id"), .text("Stop", as: "name")]
      switch grid {
      case 0: members += [.text(Values.latitude(&random), as: "lat"), .text(Values.longitude(&random), as: "lon")]
      default: members += [.text("6400000", as: "x"), .text(grid == 1 ? "1300000" : "500000", as: "y")]
      }
      members += [.text("c", as: "code"), .text("true", as: "wheelchair")]
      if !isTable {
        members.append(
          .list(
            [.object([.text("4", as: "name"), .text("ff0000", as: "color"), .text("tram", as: "mode")])],
            as: "lines"
          )
        )
      }
      return Node.object(members)
    }
    out.append(UInt8(grid))
    var tree = isTable ? Node.list(rows) : .object([.list(rows, as: "stops")])
    breaker.breakTree(&tree, &random)
    var content: [UInt8] = []
    if isTable { tree.csv(into: &content) } else { tree.json(into: &content) }
    if random.once(in: 20) { breaker.breakBytes(&content, &random) }
    out += content
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let grid = StopList.Grid.allCases[Int(input.first ?? 0) % StopList.Grid.allCases.count]
    let entries: [ListDirectory.Entry]
    do { entries = try StopList.read(Array(input.dropFirst()), grid: grid) } catch {
      try require(error is TransitImportError && !"\(error)".isEmpty, "refused without a sentence", "\(error)")
      return .refused
    }
    let directory = ListDirectory(entries, timeZone: .gmt)
    let found = directory.nearest(10, to: Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 9.98), radius: nil)
    for stop in found {
      try require(abs(directory.stop(stop.stop, language: nil).latitude) <= 90, "a stop is nowhere")
      _ = directory.lines(at: stop.stop)
    }
    return entries.isEmpty ? .refused : .accepted
  }
}
