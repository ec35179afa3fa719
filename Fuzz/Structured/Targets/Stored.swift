import Foundation
import SightlineContent
import SightlineFormats
import SightlineTours

@testable import SightlineServer

/// Samples that are written down here because they are stored, and nowhere in files.
private func sampler(_ texts: [String]) -> Sampler {
  Sampler(
    texts.map { text in
      guard let node = SampleParser.json(Array(text.utf8)) else { preconditionFailure("no sample: \(text)") }
      return node
    },
    isJSON: true
  )
}

private let world = #"""
  {"name":"W","language":"de","translations":{"en":{"title":"T","summary":"S","text":"X"}},"summary":"s","attribution":"a",
  "radarRange":1000,"radarAvailable":true,"relativeAltitude":false,"refreshURL":"https://a.example/r","refreshIntervalSeconds":30.5,
  "refreshDistance":10,"soundURL":"/assets/s","assets":[{"id":"a","url":"/assets/1.png","format":"PNG"},{"id":"m","url":"m.glb"}],
  "overlays":[{"id":"o","x":1.5,"y":-2,"pivot":"TL","hidden":true,"action":{"kind":"webPage","url":"https://a.example"},"content":{"kind":"text","text":"t","width":10}},
  {"x":0,"y":0,"pivot":"BC","hidden":false,"content":{"kind":"html","url":"p.html","width":1,"height":2}},{"x":0,"y":0,"pivot":"BC","hidden":false,"content":{"kind":"image","assetID":"a"}}],
  "places":[{"id":"p","title":"P","summary":"s","altitudeMode":"eye","offset":{"east":1,"north":2,"up":3},"position":{"latitude":48.4,"longitude":9.9,"altitude":500},
  "visual":{"kind":"text","text":"p"},"pivot":"BC","showInRadar":true,"showOnFocus":["o"],"categories":["c"],"metadata":{"k":"v"},"visibilityRadius":100,
  "shapes":[{"kind":"line","parts":[[[9,48],[9.1,48.1,5]]]},{"kind":"area","parts":[[[9,48],[9.1,48],[9.1,48.1]],[[9.01,48.01],[9.02,48.01],[9.02,48.02]]]}],
  "shapeStyle":{"stroke":"#ff0000","strokeOpacity":0.5,"width":3,"fill":"#00ff00","fillOpacity":0.2},"link":"https://a.example","imageURL":"/assets/i","phone":"1","action":{"kind":"refresh"}},
  {"title":"M","altitudeMode":"seaLevel","offset":{"east":0,"north":0,"up":0},"visual":{"kind":"model","assetID":"m","xRotation":1,"yRotation":2,"zRotation":3,"scale":1},
  "pivot":"CC","showInRadar":false,"showOnFocus":[],"categories":[],"metadata":{},"marker":{"dictionary":"6x6-250","id":7,"length":0.1,"facing":90,"tilt":1,"roll":2}},
  {"title":"T","altitudeMode":"ground","offset":{"east":0,"north":0,"up":0},"visual":{"kind":"image","assetID":"a"},"pivot":"CC","showInRadar":false,"showOnFocus":[],"categories":[],"metadata":{},
  "target":{"assetID":"a","width":0.3},"position":{"latitude":-48.4,"longitude":-179.9},"action":{"kind":"dimension","url":"/worlds/x"}}]}
  """#

/// A world as it is stored, and what was planted in it: every writer has to bear it.
struct StoredTarget: StructuredTarget {
  static let name = "stored"
  private let samples = sampler([world])
  private let breaker: Breaker
  private let decoder = JSONDecoder()

  init() { breaker = samples.breaker }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var tree = samples.samples[0]
    if random.once(in: 2) { tree = samples.document(&random, most: 150) }
    // Most faults of structure are refused by the decoder: rather many numbers.
    let count = tree.count
    for _ in 0..<random.number(in: 1...6) {
      tree.change(random.below(count)) { node in
        if node.kind == .raw, node.value != "true", node.value != "false" {
          let value = Values.extremeDouble(&random)
          node.value = value.isFinite ? (random.once(in: 4) ? "1e\(random.number(in: -330...308))" : "\(value)") : "0"
        } else if node.kind == .text, random.once(in: 2) {
          node.value = Values.extremeText(&random)
        }
      }
    }
    if random.once(in: 4) { breaker.breakTree(&tree, &random) }
    tree.json(into: &out)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let dimension = try? decoder.decode(SightlineContent.Dimension.self, from: Data(input)) else {
      return .refused
    }
    for format in DocumentFormat.allCases {
      let written = FormatRegistry.write(dimension, as: format)
      try require(
        written.bytes.count <= 64 * input.count + 8 << 20,
        "\(format) swells when written",
        "\(written.bytes.count)"
      )
    }
    return .accepted
  }
}

/// Tours: what is stored, its border and its positions.
struct TourTarget: StructuredTarget {
  static let name = "tour"
  private let samples = sampler([
    #"""
    {"title":"Tour","summary":"s","order":"random","rounds":2,"minutes":90,"showsVerdict":true,"showsScore":false,"triesCost":2,
    "rounding":25,"keepDays":7,"border":[{"latitude":48.39,"longitude":9.98},{"latitude":48.41,"longitude":9.98},{"latitude":48.41,"longitude":10.01},{"latitude":48.39,"longitude":10.01}],
    "stations":[{"id":"a","kind":"choice","title":"A","text":"t","position":{"latitude":48.4,"longitude":9.99,"altitude":5},"radius":30,"visibleRadius":100,"picture":"/assets/1",
    "options":["x","y","z"],"correct":[0,2],"points":10,"tries":3,"hints":[{"text":"h","cost":2},{"text":"i","cost":1}],"round":1},
    {"id":"b","kind":"open","title":"B","position":{"latitude":48.401,"longitude":9.991},"accepted":["yes","Ja"],"round":2,"tries":2},
    {"id":"c","kind":"info","title":"C","position":{"latitude":48.402,"longitude":9.992}},
    {"id":"d","kind":"picture","title":"D","position":{"latitude":48.403,"longitude":9.993},"points":5}]}
    """#
  ])
  private let breaker: Breaker
  private let decoder = JSONDecoder()

  init() { breaker = samples.breaker }

  /// The first eight bytes choose what happens in it; then the tour.
  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    out.put(Int(truncatingIfNeeded: random.next()), 8)
    var tree = samples.document(&random, most: 120)
    let count = tree.count
    for _ in 0..<random.number(in: 0...3) {
      tree.change(random.below(count)) { node in
        guard node.kind == .raw, node.value != "true", node.value != "false" else { return }
        let value = Values.extremeDouble(&random)
        node.value =
          random.once(in: 2) ? String(Values.extremeInteger(&random)) : value.isFinite ? "\(value)" : "1e-320"
      }
    }
    if random.once(in: 3) { breaker.breakTree(&tree, &random) }
    tree.json(into: &out)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard input.count > 8 else { return .refused }
    var random = Random(seed: UInt64(bitPattern: Int64(input.number(at: 0, 8))), index: 0)
    guard let tour = try? decoder.decode(Tour.self, from: Data(input[8...])) else { return .refused }
    let problems = tour.problems()
    for problem in problems { try require(!problem.message.isEmpty, "a finding without words") }
    let border = TourBorder(tour.border)
    // Only a tour without errors is stored, and run.
    let isUsable = !problems.contains { $0.severity == .error }
    var schedule = TourSchedule()
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    _ = schedule.apply(.start, at: now, tour: tour)
    if isUsable, random.once(in: 3) { _ = schedule.apply(.round(random.number(in: 1...20)), at: now, tour: tour) }
    let rules = TourRules(tour: tour, schedule: schedule)
    var records: [TourRecord] = []
    for number in 0..<6 where isUsable {
      let latitude = random.once(in: 4) ? Values.extremeDouble(&random) : 48.4 + random.fraction() / 100
      let longitude = random.once(in: 4) ? Values.extremeDouble(&random) : 9.99 + random.fraction() / 100
      var fix: TourFix?
      // Routes let in only positions on the Earth.
      if abs(latitude) <= 90, abs(longitude) <= 180 {
        let accuracy = random.once(in: 2) ? Values.extremeDouble(&random) : 10
        let one = TourFix(
          position: Position(latitude: latitude, longitude: longitude),
          accuracy: accuracy.isFinite && accuracy >= 0 ? accuracy : nil
        )
        let rounded = one.rounded(to: tour.rounding)
        try require(
          abs(rounded.position.latitude) <= 90 && abs(rounded.position.longitude) <= 180,
          "rounded to no position",
          "\(rounded) from \(one) by \(tour.rounding)"
        )
        _ = border.isLeft(by: rounded)
        if let distance = border.distance(from: one.position) {
          try require(!distance.isNaN, "a distance that is none")
        }
        fix = rounded
      }
      let kinds: [TourEvent.Kind] = [
        .visit, .choice([Values.extremeInteger(&random), 0, 2]), .text(Values.extremeText(&random)),
        .hint(random.once(in: 2) ? Values.extremeInteger(&random) : number),
      ]
      let station = tour.stations.isEmpty ? "x" : tour.stations[random.below(tour.stations.count)].id
      let made = now.addingTimeInterval(random.once(in: 5) ? Values.extremeDouble(&random) : Double(number) * 60)
      let event = TourEvent(
        id: "e\(number)",
        sequence: Values.extremeInteger(&random),
        station: station,
        kind: random.pick(kinds),
        made: made.timeIntervalSince1970.isFinite ? made : now,
        fix: fix
      )
      records.append(
        rules.judge(event, received: now.addingTimeInterval(Double(number) * 60), records: records, seed: random.next())
      )
      _ = TourProgress(tour: tour, seed: 5, records: records).score
    }
    return isUsable ? .accepted : .refused
  }
}

/// Three drafts of a world, joined: base, mine and theirs, in one list.
struct MergeTarget: StructuredTarget {
  static let name = "merge"
  private let samples = sampler([world])
  private let breaker: Breaker

  init() { breaker = samples.breaker }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let base = samples.document(&random, most: 60)
    var (mine, theirs) = (base, base)
    breaker.breakTree(&mine, &random)
    breaker.breakTree(&theirs, &random)
    Node.list([base, mine, theirs]).json(into: &out)
  }

  /// What a decoder of JSON would make of a tree; it takes a hundred times as long, and is tried with every world.
  private func value(_ node: Node) -> JSONValue {
    switch node.kind {
    case .text: return .string(node.value)
    case .list: return .array(node.children.map { value($0) })
    case .object, .element:
      return .object(Dictionary(node.children.map { ($0.name, value($0)) }, uniquingKeysWith: { _, last in last }))
    case .raw:
      if node.value == "true" || node.value == "false" { return .bool(node.value == "true") }
      return Double(node.value).flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let tree = SampleParser.json(input), case .array(let all) = value(tree), all.count == 3 else {
      return .refused
    }
    let merge = DraftMerge(base: all[0], mine: all[1], theirs: all[2])
    try require(all[1] != all[0] || merge.result == all[2], "a change of theirs is lost")
    try require(all[2] != all[0] || merge.result == all[1], "a change of mine is lost")
    if all[1] == all[2] { try require(merge.conflicts.isEmpty, "a conflict of equals") }
    return .accepted
  }
}
