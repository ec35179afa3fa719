import Foundation
import SightlineGeodesy
import SightlineOpenStreetMap

/// Interface first; the bodies follow.
public struct WalkingGraph: Sendable {
  /// Heights of the ground, metres, at a latitude and longitude in degrees; `nil` where none is known.
  public typealias Heights = (_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> Double?

  /// The graph of an extract, without hierarchy: see ``prepared()``.
  public init(_ extract: OSMExtract, heights: Heights? = nil) throws(WalkingProblem) { fatalError("follows") }
  /// A stored graph, from bytes that are copied.
  public init(reading bytes: [UInt8]) throws(WalkingProblem) { fatalError("follows") }
  /// A stored graph in place: the data stays where it is, mapped if it is.
  public init(mapping data: Data) throws(WalkingProblem) { fatalError("follows") }
  /// The stored form, see Documentation/formats/walking.md.
  public func encode() -> [UInt8] { fatalError("follows") }
  /// The same graph with hierarchies for the fast search.
  public func prepared() -> WalkingGraph { fatalError("follows") }

  /// The way from a position to another.
  public func route(
    from start: Geodetic,
    to destination: Geodetic,
    profile: WalkingProfile = .quickest,
    search: WalkingSearch = .fast
  ) throws(WalkingProblem) -> WalkingRoute { fatalError("follows") }
  /// The quickest way, then the way that avoids steps where it is another.
  public func alternatives(from start: Geodetic, to destination: Geodetic) throws(WalkingProblem) -> [WalkingRoute] {
    fatalError("follows")
  }
  /// Lengths and times from one position to many; `nil` where there is no way.
  public func distances(
    from start: Geodetic,
    to destinations: [Geodetic],
    profile: WalkingProfile = .quickest
  ) throws(WalkingProblem) -> [WalkingDistance?] { fatalError("follows") }
}
