public import SightlineContent
import SightlineInput

extension Tour {
  /// Most stations of a tour.
  public static let maximumStations = 200
  /// Most corners of a drawn way.
  public static let maximumCorners = 500

  /// What keeps the tour from being stored, and what a teacher probably did not mean.
  ///
  /// Errors say what is wrong, where (`stations/2/radius`) and what to do; a tour without errors can be run.
  public func problems() -> [Problem] {
    var list = ProblemCollector()
    list.text(title, "title", "The title", 1...200)
    list.text(summary ?? "", "summary", "The description", 0...2000)
    list.check((1...20).contains(rounds), "rounds", "A tour has 1 to 20 rounds, not \(rounds).")
    if let minutes {
      list.check((1...10_080).contains(minutes), "minutes", "The time is 1 to 10080 minutes, not \(minutes).")
    }
    list.check((0...1000).contains(triesCost), "triesCost", "A wrong try costs 0 to 1000 points, not \(triesCost).")
    list.check(
      rounding == 0 || TourFix.roundings.contains(rounding),
      "rounding",
      "Positions are rounded to 0.01 to 1000 metres, or with 0 not at all."
    )
    list.check((0...30).contains(keepDays), "keepDays", "Data is kept for 0 to 30 days, not \(keepDays).")
    list.check(
      border.isEmpty || (3...200).contains(border.count),
      "border",
      "A border has 3 to 200 corners, not \(border.count). Add corners, or remove it."
    )
    for (index, corner) in border.prefix(200).enumerated() { list.position(corner, "border/\(index)") }
    list.check(
      route.count <= Tour.maximumCorners,
      "route",
      "A way has \(Tour.maximumCorners) corners at most, not \(route.count). Leave some out."
    )
    for (index, corner) in route.prefix(Tour.maximumCorners).enumerated() { list.position(corner, "route/\(index)") }
    if way == .drawn, route.count < 2 {
      list.warning("route", "The way is not drawn yet. Click along it on the map, or choose another way.")
    }
    list.check(
      stations.count <= Tour.maximumStations,
      "stations",
      "A tour has \(Tour.maximumStations) stations at most, not \(stations.count)."
    )
    var seen: Set<String> = []
    // Beyond the limits nothing is looked at: the tour is refused anyway.
    for (index, station) in stations.prefix(Tour.maximumStations).enumerated() {
      let path = "stations/\(index)"
      if !seen.insert(station.id).inserted {
        list.error(path + "/id", "Two stations have the identifier \"\(station.id)\". Give each its own.")
      }
      // As people count.
      check(station, number: index + 1, path, &list)
    }
    if stations.isEmpty { list.warning("stations", "The tour has no station yet.") }
    for round in 1...max(1, min(20, rounds)) where !stations.isEmpty && !stations.contains(where: { $0.round == round })
    {
      list.warning("rounds", "Round \(round) has no station.")
    }
    let area = TourBorder(Array(border.prefix(200)))
    for (index, station) in stations.prefix(Tour.maximumStations).enumerated() where !area.contains(station.position) {
      list.warning(
        "stations/\(index)/position",
        "\"\(station.title)\" lies outside the border. Move it, or the border."
      )
    }
    return list.problems
  }

  private func check(_ station: Station, number: Int, _ path: String, _ list: inout ProblemCollector) {
    let name = station.title.isEmpty ? "Station \(number)" : "\"\(station.title.prefix(40))\""
    let isIdentifier =
      (1...32).contains(station.id.utf8.count)
      && station.id.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
    list.check(isIdentifier, path + "/id", "\(name): an identifier has 1 to 32 letters, digits, - and _.")
    list.text(station.title, path + "/title", "The title of \(name)", 1...120)
    list.text(station.text, path + "/text", "The text of \(name)", 0...4000)
    list.position(station.position, path + "/position")
    list.number(station.radius, path + "/radius", "\(name): the radius is", 3...1000)
    if let visible = station.visibleRadius {
      list.number(visible, path + "/visibleRadius", "\(name): the radius of visibility is", 3...100_000)
      list.check(
        visible >= station.radius,
        path + "/visibleRadius",
        "\(name) would be answered from farther away than it is seen. Make the radius of visibility larger."
      )
    }
    if let picture = station.picture {
      let isHash =
        picture.utf8.count == 64
        && picture.utf8.allSatisfy {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
      list.check(isHash, path + "/picture", "\(name): the picture is no hash of a stored file. Upload it again.")
    }
    list.check((0...1000).contains(station.points), path + "/points", "\(name): points are 0 to 1000.")
    list.check((0...20).contains(station.tries), path + "/tries", "\(name): tries are 0 (any number) to 20.")
    list.check(
      (1...max(1, rounds)).contains(station.round),
      path + "/round",
      "\(name) is in round \(station.round), but the tour has \(rounds)."
    )
    list.check(station.hints.count <= 5, path + "/hints", "\(name): 5 hints at most.")
    for (index, hint) in station.hints.prefix(5).enumerated() {
      list.text(hint.text, path + "/hints/\(index)/text", "A hint of \(name)", 1...500)
      list.check((0...1000).contains(hint.cost), path + "/hints/\(index)/cost", "\(name): a hint costs 0 to 1000.")
    }
    question(station, name, path, &list)
    // What another kind of station would ask is kept with it, and so is held to the same numbers.
    list.check(station.options.count <= 8, path + "/options", "\(name): 8 answers to choose from at most.")
    list.check(station.correct.count <= 8, path + "/correct", "\(name): 8 right answers at most.")
    list.check(station.accepted.count <= 20, path + "/accepted", "\(name): 20 accepted answers at most.")
  }

  private func question(_ station: Station, _ name: String, _ path: String, _ list: inout ProblemCollector) {
    switch station.kind {
    case .choice:
      list.check(
        (2...8).contains(station.options.count),
        path + "/options",
        "\(name) needs 2 to 8 answers to choose from, not \(station.options.count)."
      )
      for (index, option) in station.options.prefix(8).enumerated() {
        list.text(option, path + "/options/\(index)", "An answer of \(name)", 1...300)
      }
      list.check(
        (1...8).contains(station.correct.count) && Set(station.correct).count == station.correct.count
          && station.correct.allSatisfy { station.options.indices.contains($0) },
        path + "/correct",
        "\(name): say which of its answers is right."
      )
    case .open:
      for (index, answer) in station.accepted.prefix(20).enumerated() {
        list.text(answer, path + "/accepted/\(index)", "An accepted answer of \(name)", 1...300)
      }
    case .picture:
      if station.picture == nil { list.warning(path + "/picture", "\(name) has no picture yet.") }
    case .info: break
    }
  }
}

private struct ProblemCollector {
  var problems: [Problem] = []

  /// Most errors that are told, and most warnings: who has corrected a hundred asks again.
  private static let mostTold = 100

  mutating func error(_ path: String, _ message: String) {
    guard problems.count < 2 * ProblemCollector.mostTold else { return }
    problems.append(Problem(.error, "tour.content", line: nil, path: path, message: message))
  }

  mutating func warning(_ path: String, _ message: String) {
    guard problems.count < ProblemCollector.mostTold else { return }
    problems.append(Problem(.warning, "tour.content", line: nil, path: path, message: message))
  }

  mutating func check(_ isRight: Bool, _ path: String, _ message: String) {
    if !isRight { error(path, message) }
  }

  mutating func text(_ text: String, _ path: String, _ what: String, _ length: ClosedRange<Int>) {
    let count = text.count
    if count < length.lowerBound { error(path, "\(what) is empty. Write something.") }
    if count > length.upperBound {
      error(path, "\(what) has \(count) characters; \(length.upperBound) are possible. Shorten it.")
    }
    if text.unicodeScalars.contains(where: { $0.value == 0 }) { error(path, "\(what) has a zero character.") }
  }

  mutating func number(_ value: Double, _ path: String, _ what: String, _ range: ClosedRange<Double>) {
    check(
      range.contains(value),
      path,
      "\(what) \(Int(clamped: range.lowerBound)) to \(Int(clamped: range.upperBound)) metres."
    )
  }

  mutating func position(_ position: Position, _ path: String) {
    check(
      abs(position.latitude) <= 90 && abs(position.longitude) <= 180,
      path,
      "Latitude has to be -90 to 90 and longitude -180 to 180 degrees."
    )
    if let altitude = position.altitude {
      check(abs(altitude) <= 100_000, path, "The altitude has to be -100000 to 100000 metres.")
    }
  }
}
