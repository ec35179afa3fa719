import SightlineGeodesy
import SightlineScene

/// The GDDF browser's rules about when a world is asked for, replaced, kept and given up.
///
/// Pure decisions: it is told what happened and when, and answers what to do.
///
/// At most one request runs. A new one cancels it, and stops both automatic triggers until it ends. A failure keeps the
/// world but ends automatic refreshing until a request succeeds that the user caused.
struct DimensionLifecycle: Sendable {
  /// A request that runs.
  struct Running: Equatable, Sendable {
    var id: RequestID
    var event: RequestEvent
    /// `nil`: the world's own refresh address.
    var address: AddressID?
  }

  /// A request that is wanted as soon as position and orientation are known.
  struct Wanted: Equatable, Sendable {
    var event: RequestEvent
    var source: RequestSource
    var address: AddressID?
    var since: Double
  }

  private(set) var running: Running?
  private(set) var wanted: Wanted?
  private(set) var hasWorld = false
  private(set) var isUpToDate = false
  private(set) var hasFailed = false
  private var rule = RefreshRule()
  private var refreshAddress: AddressID?
  /// Where the world came from, or where the last one that failed should have come from.
  private var loadAddress: AddressID?
  private var failedAddress: AddressID?
  private var dueTime: Double?
  private var lastRequestTime = -Double.infinity
  private var reference: Geodetic?
  private(set) var isSuspended = false
  /// Whether a world was once asked for without waiting for the sensors any longer: later ones do not wait at all.
  var isPatienceOver = false

  /// Whether the loaded world wants to be fetched again without the user asking.
  private var refreshesItself: Bool {
    refreshAddress != nil && (rule.intervalSeconds > 0 || rule.distance > 0)
  }

  // MARK: What the user does

  mutating func open(_ address: AddressID, at time: Double) {
    wanted = Wanted(event: .initial, source: .none, address: address, since: time)
  }

  mutating func refreshOnPress(_ source: RequestSource, at time: Double) {
    // Without an address to refresh from, the action does nothing; the validator reports the document (D013).
    guard refreshAddress != nil else { return }
    wanted = Wanted(event: .refreshOnPress, source: source, address: nil, since: time)
  }

  /// By hand: to the world's refresh address, else to where it came from, else to what failed or was wanted last.
  mutating func refreshByHand(at time: Double) {
    if !hasWorld || hasFailed, let failedAddress {
      wanted = Wanted(event: .initial, source: .none, address: failedAddress, since: time)
    } else if refreshAddress != nil {
      wanted = Wanted(event: .initial, source: .none, address: nil, since: time)
    } else if let address = loadAddress {
      wanted = Wanted(event: .initial, source: .none, address: address, since: time)
    }
  }

  mutating func suspend() { isSuspended = true }
  mutating func resume() { isSuspended = false }

  // MARK: What time and place do

  /// The request that is due now, if any: what the user wanted first, then time, then distance.
  ///
  /// The caller makes it, and calls ``started(_:as:at:from:)``.
  mutating func due(
    at time: Double,
    position: Geodetic?,
    sensorsReady: Bool,
    parameters: Session.Parameters
  ) -> Wanted? {
    if let wanted {
      if !sensorsReady, time - wanted.since >= parameters.sensorPatience { isPatienceOver = true }
      guard sensorsReady || isPatienceOver else { return nil }
      self.wanted = nil
      return wanted
    }
    guard !isSuspended, running == nil, hasWorld, isUpToDate, refreshAddress != nil,
      time - lastRequestTime >= parameters.shortestRefreshInterval
    else { return nil }
    if let dueTime, time >= dueTime {
      return Wanted(event: .refreshOnTime, source: .none, address: nil, since: time)
    }
    if rule.distance > 0, let position {
      guard let reference else {
        self.reference = position
        return nil
      }
      if greatCircleDistance(from: reference, to: position) >= rule.distance {
        return Wanted(event: .refreshOnDistance, source: .none, address: nil, since: time)
      }
    }
    return nil
  }

  /// Notes that a request was sent; answers the one that it replaces.
  mutating func started(
    _ request: Wanted,
    as id: RequestID,
    at time: Double,
    from position: Geodetic?
  ) -> RequestID? {
    let cancelled = running?.id
    running = Running(id: id, event: request.event, address: request.address)
    dueTime = nil
    lastRequestTime = time
    // Kept when nothing was sent: distance is measured from the last position that a server was told.
    if let position { reference = position }
    return cancelled
  }

  // MARK: How requests end

  /// What a world that came means.
  struct Arrival: Equatable, Sendable {
    /// Which address to remember.
    var remember: RememberTarget
    /// Whether it is another world, not a newer state of the one before.
    var isAnother: Bool
  }

  /// A world came; `nil` when it is the answer to a request that no longer counts.
  mutating func loaded(_ id: RequestID, world: borrowing WorldDescription, at time: Double) -> Arrival? {
    guard let running, running.id == id else { return nil }
    self.running = nil
    let isAnother = running.address != nil && running.address != loadAddress && running.address != refreshAddress
    // A world fetched from its refresh address came from there, if it names none any more.
    loadAddress = running.address ?? refreshAddress ?? loadAddress
    hasWorld = true
    isUpToDate = true
    hasFailed = false
    failedAddress = nil
    rule = world.refresh
    refreshAddress = world.refreshAddress
    dueTime = rule.intervalSeconds > 0 && rule.intervalSeconds.isFinite ? time + rule.intervalSeconds : nil
    // Without a refresh address the request had an address of its own, kept above.
    let remember = loadAddress.map { RememberTarget.address($0) } ?? .refreshAddress
    return Arrival(remember: refreshAddress != nil ? .refreshAddress : remember, isAnother: isAnother)
  }

  /// No world came; `nil` when the request no longer counts.
  mutating func failed(_ id: RequestID) -> (event: RequestEvent, automaticRefreshStopped: Bool)? {
    guard let running, running.id == id else { return nil }
    self.running = nil
    isUpToDate = false
    hasFailed = true
    failedAddress = running.address
    dueTime = nil
    return (running.event, hasWorld && refreshesItself)
  }

  /// State of the content.
  func status(isNothingInRange: Bool) -> ContentStatus {
    if running != nil { return hasWorld ? .refreshing : .loading }
    if wanted != nil { return hasWorld ? .refreshing : .waitingForSensors }
    if hasFailed { return hasWorld ? .outdated : .failed }
    guard hasWorld else { return .nothingOpened }
    return isNothingInRange ? .nothingInRange : .ready
  }
}
