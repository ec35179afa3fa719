import SightlineInput

extension RetiredStop {
  private init(_ stop: ScheduleStop, of schedule: Schedule, since: Int) {
    let parent = stop.parent.map { schedule.stops[$0] }
    self.init(
      id: stop.id,
      name: stop.name.isEmpty ? parent?.name ?? "" : stop.name,
      platform: stop.platform,
      latitude: stop.latitude ?? parent?.latitude,
      longitude: stop.longitude ?? parent?.longitude,
      since: since
    )
  }

  /// The stops that a new feed retires at a time (POSIX seconds), and those retired before that are not to be forgotten yet.
  ///
  /// `isInUse` says whether the new feed has a stop of an id.
  static func list(after old: Schedule, at time: Int, isInUse: (String) -> Bool) -> [RetiredStop] {
    var list = old.retired.values.filter { time.saturatingSubtract($0.since) < keptFor && !isInUse($0.id) }
    // Entrances and the like are nobody's favourites.
    for stop in old.stops where (stop.kind == .stop || stop.kind == .station) && !isInUse(stop.id) {
      list.append(RetiredStop(stop, of: old, since: time))
    }
    return list.sorted { $0.id < $1.id }
  }
}
