import SightlineFormats

/// What a SIRI answer says: visits of StopMonitoring, notices of SituationExchange.
public struct SIRIDelivery: Sendable {
  /// A vehicle's call at the stop.
  package struct Visit: Equatable, Sendable {
    package var line = ""
    package var lineName = ""
    package var mode = ""
    package var direction: Int?
    package var headsign = ""
    package var stop = ""
    package var trip = ""
    package var tripName = ""
    package var platform = ""
    package var aimed: Int?
    package var expected: Int?
    package var isCancelled = false
    package var isAdded = false
    package var wheelchair: Bool?
    package var lowFloor: Bool?

    package init() {}
  }

  package var visits: [Visit] = []
  package var alerts: [TransitAlert] = []
  /// When the answer was made, POSIX seconds.
  package var updated: Int?
  /// Visits that could not be used: without a departure time, or already gone.
  package var ignored = 0

  package init() {}

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - bytes: SIRI 2.0 (CEN/TS 15531) in XML, or in the JSON of SIRI Lite.
  ///   - isXML: which of the two.
  ///   - clock: where times without an offset are meant.
  /// - Throws: ``ProviderFailure/malformed(_:)`` for what is no SIRI answer or one that reports an error;
  ///   ``ProviderFailure/unknownStop`` when that error is the stop.
  public init(_ bytes: [UInt8], isXML: Bool, clock: ServiceClock) throws(ProviderFailure) {
    var reader = SIRIReader(clock: clock)
    try reader.read(bytes, isXML: isXML)
    self = reader.delivery
  }
}

/// Reads SIRI answers leniently: names may be wrapped in `value`, single or in lists.
private struct SIRIReader {
  private(set) var delivery = SIRIDelivery()
  let clock: ServiceClock

  init(clock: ServiceClock) { self.clock = clock }

  mutating func read(_ bytes: [UInt8], isXML: Bool) throws(ProviderFailure) {
    var limits = ReadingLimits()
    limits.bytes = 16 << 20
    let tree: DataTree
    do throws(DataTree.Failure) {
      if isXML {
        let (root, inside) = try DataTree.xml(bytes, limits: limits)
        tree = root == "ServiceDelivery" ? inside : try Self.delivery(in: inside)
      } else {
        tree = try Self.delivery(in: try DataTree.json(bytes, limits: limits))
      }
    } catch { throw .malformed(String(error.message.prefix(200))) }
    try read(tree)
  }

  /// `ServiceDelivery`, wherever envelopes have put it.
  private static func delivery(in tree: DataTree, depth: Int = 0) throws(DataTree.Failure) -> DataTree {
    if let found = tree["ServiceDelivery"] { return found }
    if depth < 6 {
      for member in tree.members where !member.value.members.isEmpty {
        if let found = try? delivery(in: member.value, depth: depth + 1) { return found }
      }
    }
    throw DataTree.Failure(line: nil, message: "There is no ServiceDelivery in it.")
  }

  private mutating func read(_ tree: DataTree) throws(ProviderFailure) {
    delivery.updated = time(tree["ResponseTimestamp"])
    try check(tree)
    let deliveries = tree.all("StopMonitoringDelivery")
    let situations = tree.all("SituationExchangeDelivery")
    guard !deliveries.isEmpty || !situations.isEmpty || tree["Status"]?.string == "true" else {
      throw .malformed("There is neither a StopMonitoringDelivery nor a SituationExchangeDelivery in it.")
    }
    for part in deliveries {
      try check(part)
      delivery.updated = time(part["ResponseTimestamp"]) ?? delivery.updated
      let cancelled = Set(
        part.all("MonitoredStopVisitCancellation").compactMap { $0["ItemRef"]?.string }
      )
      for entry in part.all("MonitoredStopVisit") {
        guard delivery.visits.count < ProviderText.mostDepartures, var visit = visit(entry) else {
          delivery.ignored += 1
          continue
        }
        if let item = entry["ItemIdentifier"]?.string, cancelled.contains(item) { visit.isCancelled = true }
        delivery.visits.append(visit)
      }
    }
    for part in situations {
      for element in part["Situations"]?.all("PtSituationElement") ?? part.all("PtSituationElement") {
        guard delivery.alerts.count < ProviderText.mostAlerts else { break }
        if let alert = alert(element) { delivery.alerts.append(alert) }
      }
    }
  }

  private func check(_ tree: DataTree) throws(ProviderFailure) {
    guard let condition = tree["ErrorCondition"] else {
      if tree["Status"]?.string == "false" { throw .malformed("It reports an error without saying which.") }
      return
    }
    if condition["InvalidDataReferencesError"] != nil || condition["NoInfoForTopicError"] != nil { throw .unknownStop }
    let text =
      condition["ErrorInformation"]?["ErrorText"]?.string ?? condition["ErrorInformation"]?["ErrorDescription"]?.string
      ?? condition["Description"]?.string ?? condition["OtherError"]?["ErrorText"]?.string ?? "unnamed"
    throw .malformed("It reports an error: \(text.prefix(120))")
  }

  private func time(_ tree: DataTree?) -> Int? { tree?.string.flatMap { InstantText.seconds($0, zone: clock) } }

  private func visit(_ entry: DataTree) -> SIRIDelivery.Visit? {
    guard let journey = entry["MonitoredVehicleJourney"], let call = journey["MonitoredCall"] else { return nil }
    var visit = SIRIDelivery.Visit()
    visit.aimed = time(call["AimedDepartureTime"])
    visit.expected = time(call["ExpectedDepartureTime"])
    // Without a departure time the journey ends here; gone is gone.
    let status = call["DepartureStatus"]?.string?.lowercased() ?? ""
    guard visit.aimed ?? visit.expected != nil, status != "departed", call["ActualDepartureTime"] == nil else {
      return nil
    }
    visit.line = ProviderText.cut(journey["LineRef"]) ?? ""
    visit.lineName = ProviderText.cut(journey["PublishedLineName"]) ?? visit.line
    visit.mode = ProviderText.cut(journey["VehicleMode"])?.lowercased() ?? ""
    switch journey["DirectionRef"]?.string?.lowercased() {
    case "0", "outbound", "aller": visit.direction = 0
    case "1", "inbound", "retour": visit.direction = 1
    default: break
    }
    visit.headsign =
      ProviderText.cut(call["DestinationDisplay"]) ?? ProviderText.cut(journey["DestinationDisplay"])
      ?? ProviderText.cut(journey["DestinationName"]) ?? ProviderText.cut(journey["DirectionName"]) ?? ""
    visit.stop = ProviderText.cut(call["StopPointRef"]) ?? ProviderText.cut(entry["MonitoringRef"]) ?? ""
    visit.trip = ProviderText.cut(journey["FramedVehicleJourneyRef"]?["DatedVehicleJourneyRef"]) ?? ""
    visit.tripName = ProviderText.cut(journey["TrainNumbers"]?["TrainNumberRef"]) ?? ""
    visit.platform =
      ProviderText.cut(call["DeparturePlatformName"]) ?? ProviderText.cut(call["ArrivalPlatformName"]) ?? ""
    visit.isCancelled = status == "cancelled" || journey["Cancellation"]?.string == "true"
    visit.isAdded = journey["ExtraJourney"]?.string == "true" || call["ExtraCall"]?.string == "true"
    // What is not monitored repeats the timetable; that is no prediction.
    if journey["Monitored"]?.string == "false", visit.aimed != nil { visit.expected = nil }
    for feature in journey.all("VehicleFeatureRef").compactMap({ $0.string?.lowercased() }) {
      if feature.contains("lowfloor") { visit.lowFloor = true }
      if feature.contains("wheelchair") { visit.wheelchair = true }
    }
    return visit
  }

  private func alert(_ element: DataTree) -> TransitAlert? {
    guard let id = ProviderText.cut(element["SituationNumber"]) else { return nil }
    var alert = TransitAlert(id: id)
    alert.header = Self.texts(element.all("Summary"))
    alert.text = Self.texts(element.all("Description") + element.all("Detail"))
    if alert.header.translations.isEmpty { swap(&alert.header, &alert.text) }
    guard !alert.header.translations.isEmpty else { return nil }
    alert.periods = element.all("ValidityPeriod").prefix(ProviderText.mostPeriods).compactMap { period in
      guard let start = time(period["StartTime"]) else { return nil }
      let end = time(period["EndTime"]) ?? .max
      return start < end ? start..<end : nil
    }
    switch element["Severity"]?.string?.lowercased() {
    case "severe", "verysevere": alert.severity = "severe"
    case "normal", "slight": alert.severity = "warning"
    case "noimpact", "veryslight": alert.severity = "info"
    default: break
    }
    if let link = element["InfoLinks"]?["InfoLink"]?["Uri"]?.string {
      alert.url.translations = [("", ProviderText.cut(link, 2048))]
    }
    if let affects = element["Affects"] {
      var known: Set<String> = []
      Self.collect("LineRef", in: affects, into: &alert.lines, &known)
      known = []
      Self.collect("StopPointRef", in: affects, into: &alert.stops, &known)
    }
    return alert
  }

  private static func texts(_ list: [DataTree]) -> RealtimeMessage.Text {
    var text = RealtimeMessage.Text()
    for tree in list where text.translations.count < ProviderText.mostTranslations {
      guard let value = tree.string else { continue }
      let language = ProviderText.cut(tree["@lang"] ?? tree["lang"])?.lowercased() ?? ""
      if !text.translations.contains(where: { $0.language == language }) {
        text.translations.append((language, ProviderText.cut(value, ProviderText.noticeBytes)))
      }
    }
    return text
  }

  /// Members of a name anywhere in a tree, which is no deeper than its reader allows; each text once.
  private static func collect(
    _ name: String,
    in tree: DataTree,
    into list: inout [String],
    _ known: inout Set<String>
  ) {
    for member in tree.members where list.count < TransitAlert.mostNamed {
      if member.name == name, let value = ProviderText.cut(member.value), known.insert(value).inserted {
        list.append(value)
      }
      collect(name, in: member.value, into: &list, &known)
    }
  }
}
