import SightlineCamera
import SightlineGeodesy
import SightlineInput
import SightlineMath
import SightlineScene
import SightlineWorlds

/// The worlds of a session: opened, asked for, replaced, hidden and closed.
extension Session {
  /// State of one of the worlds that are shown together; `nil` when there is none with this number.
  ///
  /// That nothing is in range is known of all together only.
  public func contentStatus(ofWorld number: Int32) -> ContentStatus? {
    worlds.index(of: number).map { worlds.entries[$0].lifecycle.status(isNothingInRange: false) }
  }

  /// Which features of ``world`` belong to one of the worlds that are shown together: none of a hidden one.
  public func features(ofWorld number: Int32) -> Range<Int>? {
    worlds.index(of: number).map { _ in worlds.joined.part(ofWorld: number)?.features ?? 0..<0 }
  }

  /// One of the worlds that are open, as it was loaded; `nil` when nothing was loaded under this number.
  public func description(ofWorld number: Int32) -> WorldDescription? {
    worlds.index(of: number).flatMap {
      worlds.entries[$0].lifecycle.hasWorld ? worlds.entries[$0].description : nil
    }
  }

  /// Where each of the worlds that are shown stands in ``world``, by number.
  ///
  /// Changes with each effect `worldChanged`; what a host keeps by index it finds by these.
  public var shownWorlds: [JoinedWorlds.Part] { worlds.joined.parts }

  /// Whether there is a loaded world beside the one that a request is for.
  ///
  /// Categories keep their numbers then (``CategoryNumbers``); else they are counted anew.
  public func isBesideOthers(_ request: RequestID) -> Bool {
    let own = worlds.index(ofRequest: request)
    return worlds.entries.indices.contains { $0 != own && worlds.entries[$0].lifecycle.hasWorld }
  }

  // MARK: What the user does

  mutating func open(_ address: AddressID, world number: Int32) {
    guard let index = worlds.add(number) else { return }
    worlds.entries[index].lifecycle.open(address, at: now)
  }

  mutating func close(_ number: Int32) {
    guard let index = worlds.index(of: number) else { return }
    let wasShown = worlds.joined.part(ofWorld: number) != nil
    if let running = worlds.remove(index) { effects.append(.cancel(running)) }
    if wasShown { joinWorlds(number) }
  }

  mutating func hide(_ number: Int32, _ isHidden: Bool) {
    guard let index = worlds.index(of: number), worlds.entries[index].isHidden != isHidden else { return }
    worlds.hide(index, isHidden)
    if worlds.entries[index].lifecycle.hasWorld { joinWorlds(number) }
  }

  /// All that are shown.
  mutating func refreshByHand() {
    for k in worlds.entries.indices where !worlds.entries[k].isHidden {
      worlds.entries[k].lifecycle.refreshByHand(at: now)
    }
  }

  /// What a tap on a feature or an overlay does, in the world that it is of.
  mutating func perform(_ action: SceneAction, source: RequestSource, in world: Int) {
    switch action {
    case .none: break
    case .refresh: worlds.entries[world].lifecycle.refreshOnPress(source, at: now)
    case .webPage(let address): effects.append(.openWebPage(address))
    case .dimension(let address): worlds.entries[world].lifecycle.open(address, at: now)
    }
  }

  // MARK: Requests

  mutating func requestWhatIsDue(sensorsReady: Bool) {
    for k in worlds.entries.indices {
      let wanted = worlds.entries[k].lifecycle.due(
        at: now,
        position: position,
        sensorsReady: sensorsReady,
        parameters: device.parameters
      )
      if let wanted { request(wanted, for: k) }
    }
  }

  private mutating func request(_ wanted: DimensionLifecycle.Wanted, for index: Int) {
    let position = position
    let id = worlds.nextRequest()
    let cancelled = worlds.entries[index].lifecycle.started(wanted, as: id, at: now, from: position)
    if let cancelled { effects.append(.cancel(cancelled)) }
    let attitude = device.attitude.map { Attitude(eastNorthUpFromDevice: $0) }
    effects.append(
      .request(
        DimensionRequest(
          id: id,
          address: wanted.address,
          event: wanted.event,
          source: wanted.source,
          hasPosition: position != nil,
          latitudeDegrees: position?.latitudeDegrees ?? 0,
          longitudeDegrees: position?.longitudeDegrees ?? 0,
          altitude: position?.altitude ?? 0,
          hasOrientation: attitude != nil,
          bearingDegrees: attitude?.bearingDegrees ?? 0,
          pitchDegrees: attitude?.pitchDegrees ?? 0,
          rollDegrees: attitude?.rollDegrees ?? 0,
          width: Self.points(device.display?.width),
          height: Self.points(device.display?.height),
          world: worlds.entries[index].number
        )
      )
    )
  }

  private static func points(_ size: Double?) -> Int32 {
    guard let size, size > 0, size < 1e6 else { return 0 }
    return Int32(clamped: size.rounded())
  }

  mutating func loaded(_ id: RequestID, _ world: WorldDescription) {
    guard let index = worlds.index(ofRequest: id),
      let arrival = worlds.entries[index].lifecycle.loaded(id, world: world, at: now)
    else { return }
    let before = scene.selected
    // Equal keys in two different worlds mean nothing.
    if arrival.isAnother, let selected = scene.selected, worlds.index(ofFeature: selected) == index {
      scene.select(nil)
    }
    worlds.install(world, in: index)
    let number = worlds.entries[index].number
    joinWorlds(number, selectedBefore: before) { $0.append(.remember(arrival.remember, world: number)) }
  }

  mutating func failed(_ id: RequestID, _ reason: FailureReason) {
    guard let index = worlds.index(ofRequest: id), let failure = worlds.entries[index].lifecycle.failed(id) else {
      return
    }
    effects.append(
      .loadFailed(
        reason,
        event: failure.event,
        automaticRefreshStopped: failure.automaticRefreshStopped,
        world: worlds.entries[index].number
      )
    )
  }

  /// Shows the scene the worlds as they are now; `number` is the one that changed.
  private mutating func joinWorlds(
    _ number: Int32,
    selectedBefore: Int32?? = .none,
    also: (inout EffectQueue) -> Void = { _ in }
  ) {
    let before = selectedBefore ?? scene.selected
    worlds.join()
    scene.setWorld(worlds.joined.world)
    surveyed.use(scene.world)
    isCandidateCountCurrent = false
    effects.append(.worldChanged(world: number))
    also(&effects)
    // A feature that lives on under another index is still another number for the host.
    if scene.selected != before { effects.append(.selectionChanged(scene.selected)) }
  }
}
