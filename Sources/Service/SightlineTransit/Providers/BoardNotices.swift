/// Which notices belong to a stop and to its departures.
struct BoardNotices {
  /// Notices named at one departure, and at one stop, at most.
  static let mostNamed = 20
  static let mostOfStop = 100

  /// About the stop as a whole, or everything.
  private(set) var ofStop: [String] = []
  /// In the order of the notices.
  private var ofDepartures: [(id: String, selector: RealtimeMessage.Alert.Selector)] = []
  /// Places in ``ofDepartures`` by the trip, else the route that they are about, and those about neither.
  private var ofTrips: [String: [Int]] = [:]
  private var ofRoutes: [String: [Int]] = [:]
  private var ofOthers: [Int] = []
  /// What was found for departures of a line and direction of whose trips nothing is said.
  private var known: [LineDirection: [String]] = [:]
  private let schedule: Schedule

  private struct LineDirection: Hashable {
    let route: Int?
    let direction: Int?
  }

  /// Sorts out notices that apply now, for a stop and its platforms.
  init(_ alerts: [RealtimeMessage.Alert], schedule: Schedule, stops: [Int]) {
    self.schedule = schedule
    if alerts.isEmpty { return }
    var ids = Set(stops.map { schedule.stops[$0].id })
    for stop in stops { if let parent = schedule.stops[stop].parent { ids.insert(schedule.stops[parent].id) } }
    let agencies = Set(schedule.agencies.map(\.id))
    for alert in alerts {
      for selector in alert.selectors where selector.stop.isEmpty || ids.contains(selector.stop) {
        let isNarrow =
          !selector.route.isEmpty || selector.routeType != nil || selector.direction != nil || selector.trip != nil
        if isNarrow {
          note(alert.id, selector)
        } else if ofStop.last != alert.id, ofStop.count < Self.mostOfStop,
          selector.agency.isEmpty || agencies.contains(selector.agency)
        {
          ofStop.append(alert.id)
        }
      }
    }
  }

  private mutating func note(_ id: String, _ selector: RealtimeMessage.Alert.Selector) {
    let place = ofDepartures.count
    ofDepartures.append((id, selector))
    if let trip = selector.trip, !trip.id.isEmpty {
      ofTrips[trip.id, default: []].append(place)
    } else if !selector.route.isEmpty {
      ofRoutes[selector.route, default: []].append(place)
    } else {
      ofOthers.append(place)
    }
  }

  /// Notices about a departure, at most ``mostNamed``.
  mutating func ids(route: Int?, trip: String, direction: Int?) -> [String] {
    if ofDepartures.isEmpty { return [] }
    if ofTrips[trip] != nil { return found(route: route, trip: trip, direction: direction) }
    let key = LineDirection(route: route, direction: direction)
    if let known = known[key] { return known }
    let found = found(route: route, trip: trip, direction: direction)
    known[key] = found
    return found
  }

  private func found(route: Int?, trip: String, direction: Int?) -> [String] {
    let row = route.map { schedule.routes[$0] }
    var places = ofTrips[trip] ?? []
    if let row { places += ofRoutes[row.id] ?? [] }
    places += ofOthers
    if places.isEmpty { return [] }
    places.sort()
    var found: [String] = []
    for (id, selector) in places.lazy.map({ ofDepartures[$0] }) where found.last != id {
      guard selector.route.isEmpty || selector.route == row?.id,
        selector.routeType == nil || selector.routeType == row?.type,
        selector.direction == nil || selector.direction == direction,
        selector.agency.isEmpty || row.map({ schedule.agencies[$0.agency].id == selector.agency }) ?? false
      else { continue }
      found.append(id)
      if found.count == Self.mostNamed { break }
    }
    return found
  }
}

/// Words for the numbers of GTFS-Realtime, in small letters.
enum RealtimeWords {
  static func cause(_ number: Int?) -> String? {
    word(
      number,
      [
        "", "unknown_cause", "other_cause", "technical_problem", "strike", "demonstration", "accident", "holiday",
        "weather", "maintenance", "construction", "police_activity", "medical_emergency",
      ]
    )
  }

  static func effect(_ number: Int?) -> String? {
    word(
      number,
      [
        "", "no_service", "reduced_service", "significant_delays", "detour", "additional_service", "modified_service",
        "other_effect", "unknown_effect", "stop_moved", "no_effect", "accessibility_issue",
      ]
    )
  }

  static func severity(_ number: Int?) -> String? { word(number, ["", "", "info", "warning", "severe"]) }

  static func occupancy(_ number: Int?) -> String? {
    word(
      number,
      [
        "empty", "many_seats_available", "few_seats_available", "standing_room_only",
        "crushed_standing_room_only", "full", "not_accepting_passengers", "", "not_boardable",
      ]
    )
  }

  private static func word(_ number: Int?, _ words: [String]) -> String? {
    guard let number, words.indices.contains(number), !words[number].isEmpty else { return nil }
    return words[number]
  }
}

extension TransitAlert {
  /// From a realtime message.
  init(_ alert: RealtimeMessage.Alert) {
    self.init(id: alert.id)
    header = alert.header
    text = alert.body
    url = alert.url
    cause = RealtimeWords.cause(alert.cause)
    effect = RealtimeWords.effect(alert.effect)
    severity = RealtimeWords.severity(alert.severity)
    periods = alert.periods
    var known: Set<String> = []
    for selector in alert.selectors {
      if !selector.route.isEmpty, lines.count < Self.mostNamed, known.insert("l" + selector.route).inserted {
        lines.append(selector.route)
      }
      if !selector.stop.isEmpty, stops.count < Self.mostNamed, known.insert("s" + selector.stop).inserted {
        stops.append(selector.stop)
      }
    }
  }
}
