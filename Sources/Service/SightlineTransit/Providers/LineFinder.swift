/// Keeps the lines of a stop so that a departure finds its own at once.
struct LineFinder {
  private var byID: [String: TransitLine] = [:]
  private var byName: [String: TransitLine] = [:]

  /// Of two with one id or name the first counts.
  init(_ lines: [TransitLine]) {
    for line in lines {
      if byID[line.id] == nil { byID[line.id] = line }
      if byName[line.name] == nil { byName[line.name] = line }
    }
  }

  /// The line of an id, else of a name.
  func line(id: String, name: String) -> TransitLine? { byID[id] ?? byName[name] }

  /// The line of a name.
  func line(name: String) -> TransitLine? { byName[name] }
}

extension [TransitDeparture] {
  /// The first in the order of time, line and trip.
  func inOrder(_ limit: Int) -> [TransitDeparture] {
    // The place of a line's name costs more than the rest, and there are few lines.
    var orders: [String: LineOrder] = [:]
    let keyed = map { departure in
      let name = departure.line?.name ?? ""
      let order = orders[name] ?? LineOrder(name)
      orders[name] = order
      return (time: departure.time, order: order, departure: departure)
    }
    return keyed.sorted { ($0.time, $0.order, $0.departure.trip) < ($1.time, $1.order, $1.departure.trip) }
      .prefix(Swift.max(0, limit)).map(\.departure)
  }
}
