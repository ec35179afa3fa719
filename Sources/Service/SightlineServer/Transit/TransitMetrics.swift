import SightlineInput
import SightlineTransit

/// The state of the providers in Prometheus' text form (exposition format 0.0.4).
///
/// Labels come from the configuration and from closed lists: nobody outside can multiply them, and none holds a position.
enum TransitMetrics {
  /// All metrics.
  static func text(_ transit: TransitService?) -> String {
    var out = Exposition()
    guard let transit else { return "" }
    let now = transit.hub.clock.now
    let desks = transit.hub.desks.map { desk in
      (desk: desk, labels: "provider=\"\(desk.provider.info.id)\"", counts: desk.metrics.current)
    }
    out.head("sightline_transit_board_requests_total", "counter", "Boards asked for, by what was done for them.")
    for (_, labels, counts) in desks {
      let kinds = [
        ("fresh", counts.hits), ("stale", counts.staleHits), ("failed", counts.negativeHits),
        ("shared", counts.shared), ("fetched", counts.fetches), ("late", counts.late),
      ]
      for (kind, count) in kinds {
        out.line("sightline_transit_board_requests_total", "\(labels),result=\"\(kind)\"", count)
      }
    }
    out.head("sightline_transit_fetch_failures_total", "counter", "Tries that failed, by reason.")
    for (_, labels, counts) in desks {
      for (word, count) in counts.failures.sorted(by: { $0.key < $1.key }) {
        out.line("sightline_transit_fetch_failures_total", "\(labels),reason=\"\(word)\"", count)
      }
    }
    out.head("sightline_transit_fetch_seconds", "histogram", "Time of a try.")
    for (_, labels, counts) in desks {
      for (bound, count) in zip(ProviderMetrics.bounds, counts.buckets) {
        out.line("sightline_transit_fetch_seconds_bucket", "\(labels),le=\"\(bound)\"", count)
      }
      out.line("sightline_transit_fetch_seconds_bucket", "\(labels),le=\"+Inf\"", counts.fetches)
      out.line("sightline_transit_fetch_seconds_sum", labels, counts.seconds)
      out.line("sightline_transit_fetch_seconds_count", labels, counts.fetches)
    }
    gauges(desks.map { ($0.desk, $0.labels) }, now: now, to: &out)
    out.head("sightline_transit_timetable_checks_total", "counter", "Looks for a new timetable, by what came of them.")
    for (desk, labels, _) in desks {
      guard let timetable = desk.provider.status(at: now).timetable else { continue }
      for outcome in ProviderStatus.Timetable.Outcome.allCases {
        let count = timetable.checks[outcome] ?? 0
        out.line("sightline_transit_timetable_checks_total", "\(labels),result=\"\(outcome.rawValue)\"", count)
      }
    }
    out.head("sightline_transit_streams", "gauge", "Open streams of departures.")
    out.line("sightline_transit_streams", "", transit.streams.openCount)
    return out.text
  }

  private static func gauges(_ desks: [(desk: ProviderDesk, labels: String)], now: Int, to out: inout Exposition) {
    func gauge(_ name: String, _ help: String, _ value: (ProviderDesk) -> Double?) {
      out.head(name, "gauge", help)
      for (desk, labels) in desks { if let value = value(desk) { out.line(name, labels, value) } }
    }
    gauge("sightline_transit_breaker_open", "1 while the provider is left alone after failures.") {
      $0.isBreakerOpen ? 1 : 0
    }
    gauge("sightline_transit_breaker_openings", "Times that the breaker has opened.") { Double($0.breakerOpenings) }
    gauge("sightline_transit_fetches_waiting", "Fetches that wait for their turn.") { Double($0.waiting) }
    gauge("sightline_transit_cached_boards", "Boards in the cache.") { Double($0.cacheSize.entries) }
    gauge("sightline_transit_stops", "Stops that can be found.") { Double($0.provider.schedule.count) }
    gauge("sightline_transit_schedule_days_left", "Days of service from today on; negative after the last one.") {
      desk in
      desk.provider.schedule.days.map {
        Double($0.upperBound.number - (now + desk.provider.schedule.offset(at: now)) / 86_400)
      }
    }
    gauge("sightline_transit_schedule_ends_soon", "1 when the timetable ends within 7 days.") { desk in
      desk.provider.schedule.days.map {
        $0.upperBound.number - (now + desk.provider.schedule.offset(at: now)) / 86_400 < 7 ? 1 : 0
      }
    }
    // Of the system's clock: a demonstration's says nothing of when something was fetched.
    func timetable(_ name: String, _ help: String, _ value: (ProviderStatus.Timetable) -> Double?) {
      gauge(name, help) { $0.provider.status(at: now).timetable.flatMap(value) }
    }
    timetable("sightline_transit_timetable_age_seconds", "Time since the timetable was known to be the newest.") {
      $0.checked == 0 ? nil : Double(max(0, TransitClock.real.saturatingSubtract($0.checked)))
    }
    timetable("sightline_transit_timetable_failures", "Looks for a new timetable that failed since the last good one.")
    {
      Double($0.failuresInARow)
    }
    func realtime(_ name: String, _ help: String, _ value: (ProviderStatus.Realtime) -> Double?) {
      gauge(name, help) { $0.provider.status(at: now).realtime.flatMap(value) }
    }
    realtime("sightline_transit_realtime_age_seconds", "Age of the newest realtime message.") {
      $0.updated == 0 ? nil : Double(max(0, now.saturatingSubtract($0.updated)))
    }
    realtime("sightline_transit_realtime_matched", "Runs with predictions.") { Double($0.matched) }
    realtime("sightline_transit_realtime_unmatched", "Predictions that fit no run.") { Double($0.unmatched) }
    realtime("sightline_transit_realtime_merge_seconds", "Time of the last merge.") { $0.mergeSeconds }
    realtime("sightline_transit_realtime_failures", "Realtime fetches that failed.") { Double($0.failures) }
  }
}
