import SightlineMath
import SightlineScene

/// What the session wants its host to do; the host answers with a ``SessionEvent``.
public enum SessionEffect: Equatable, Sendable {
  /// Fetch a world and answer with `.loaded` or `.failed`.
  case request(DimensionRequest)
  /// Forget a request that is still running; its answer would be ignored.
  case cancel(RequestID)
  /// Ask the user, then leave for a web page.
  case openWebPage(AddressID)
  /// Keep this address for the next start; `world` is the number of the world that it is of.
  case remember(RememberTarget, world: Int32 = 0)
  /// The selection changed.
  case selectionChanged(Int32?)
  /// A request ended without a world; tell the user. `automaticRefreshStopped`: the old world stays, but will not be
  /// fetched again by itself.
  case loadFailed(FailureReason, event: RequestEvent, automaticRefreshStopped: Bool, world: Int32 = 0)
  /// Other features are in place: a world came, or was closed, hidden or shown.
  case worldChanged(world: Int32 = 0)
  /// What came of pointing at something, or of comparing heading and course.
  ///
  /// When ``Alignment/done``, keep ``Session/headingCorrections``.
  case aligned(Alignment, by: Angle)
}

/// What came of an attempt to find north.
public enum Alignment: UInt8, Sendable {
  /// The heading was corrected.
  case done = 0
  /// The device's orientation is not known.
  case noOrientation = 1
  /// The user's position is not known.
  case noPosition = 2
  /// The date is not known.
  case noDate = 3
  /// The landmark is too close for the accuracy of the position.
  case tooClose = 4
  /// Too close to straight up or down: there is no direction in it.
  case tooSteep = 5
  /// The body is below the horizon.
  case notInSky = 6
  /// It should be at quite another height: something else was meant, or the place is wrong.
  case notThere = 7
  /// The heading was corrected from the way the user walks.
  case fromCourse = 8
}

/// Which address to keep for the next start.
public enum RememberTarget: Equatable, Sendable {
  /// The loaded world's refresh address.
  case refreshAddress
  /// The address that was opened.
  case address(AddressID)
}

/// What made the session ask for a world (`event` of the GDDF request).
public enum RequestEvent: UInt8, Sendable {
  /// `init`: opened, or fetched again by hand.
  case initial = 0
  /// `refreshOnTime`.
  case refreshOnTime = 1
  /// `refreshOnDistance`.
  case refreshOnDistance = 2
  /// `refreshOnPress`.
  case refreshOnPress = 3
}

/// What was pressed to cause a request (`eventSrc`), as its own world counts.
public enum RequestSource: Equatable, Sendable {
  /// Nothing, or it does not count.
  case none
  /// A feature.
  case feature(Int32)
  /// An overlay.
  case overlay(Int32)
}

/// A request for a world with the fields of the GDDF protocol, all but `uid` and `time`, which are the host's.
public struct DimensionRequest: Equatable, Sendable {
  /// Its number.
  public var id: RequestID
  /// Where: an opened address, or `nil` for the loaded world's own refresh address.
  public var address: AddressID?
  /// `event`.
  public var event: RequestEvent
  /// `eventSrc`.
  public var source: RequestSource
  /// Whether a position is known; `lat`, `lon` and `alt` are left out otherwise.
  public var hasPosition: Bool
  /// `lat`, degrees.
  public var latitudeDegrees: Double
  /// `lon`, degrees.
  public var longitudeDegrees: Double
  /// `alt`, metres; 0 when unknown.
  public var altitude: Double
  /// Whether an orientation is known; `bearing`, `pitch` and `roll` are left out otherwise.
  public var hasOrientation: Bool
  /// `bearing`, degrees −180 … 180 clockwise from true north.
  public var bearingDegrees: Double
  /// `pitch`, degrees −90 … 90, up positive.
  public var pitchDegrees: Double
  /// `roll`, degrees −180 … 180, counter-clockwise as the user sees it.
  public var rollDegrees: Double
  /// `width`, points; 0 when unknown.
  public var width: Int32
  /// `height`, points; 0 when unknown.
  public var height: Int32
  /// Number of the world that is asked for; 0 unless several are shown together.
  public var world: Int32 = 0
}
