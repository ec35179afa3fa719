/// Which notices belong to a stop and to its departures.
struct BoardNotices {
  /// About the stop as a whole, or everything.
  private(set) var ofStop: [String] = []
  private var ofDepartures: [(id: String, selector: RealtimeMessage.Alert.Selector)] = []
  private let schedule: Schedule

  /// Sorts out notices that apply now, for a stop and its platforms.
  init(_ alerts: [RealtimeMessage.Alert], schedule: Schedule, stops: [Int]) {
    self.schedule = schedule
    if alerts.isEmpty { return }
    var ids = Set(stops.map { schedule.stops[$0].id })
    for stop in stops { if let parent = schedule.stops[stop].parent { ids.insert(schedule.stops[parent].id) } }
    for alert in alerts {
      for selector in alert.selectors where selector.stop.isEmpty || ids.contains(selector.stop) {
        let isNarrow =
          !selector.route.isEmpty || selector.routeType != nil || selector.direction != nil || selector.trip != nil
        if isNarrow {
          ofDepartures.append((alert.id, selector))
        } else if ofStop.last != alert.id, Self.isAgency(selector, of: schedule) {
          ofStop.append(alert.id)
        }
      }
    }
  }

  private static func isAgency(_ selector: RealtimeMessage.Alert.Selector, of schedule: Schedule) -> Bool {
    selector.agency.isEmpty || schedule.agencies.contains { $0.id == selector.agency }
  }

  /// Notices about a departure.
  func ids(route: Int?, trip: String, direction: Int?) -> [String] {
    if ofDepartures.isEmpty { return [] }
    var found: [String] = []
    for (id, selector) in ofDepartures where found.last != id {
      let row = route.map { schedule.routes[$0] }
      let wanted = selector.trip.flatMap { $0.id.isEmpty ? nil : $0.id }
      guard wanted == nil || wanted == trip, selector.route.isEmpty || selector.route == row?.id,
        selector.routeType == nil || selector.routeType == row?.type,
        selector.direction == nil || selector.direction == direction,
        selector.agency.isEmpty || row.map({ schedule.agencies[$0.agency].id == selector.agency }) ?? false
      else { continue }
      found.append(id)
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
    for selector in alert.selectors {
      if !selector.route.isEmpty, !lines.contains(selector.route) { lines.append(selector.route) }
      if !selector.stop.isEmpty, !stops.contains(selector.stop) { stops.append(selector.stop) }
    }
  }
}
