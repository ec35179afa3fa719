import SightlineGeodesy

/// Finds the stops nearest to a place.
///
/// A station is found once, with its platforms folded in; stops without a station are found as they are. Exact: the same as
/// comparing all distances, at the poles and the date line too.
public struct StopSearch: Sendable {
  /// A stop found.
  public struct Found: Equatable, Sendable {
    /// Number of the stop or station.
    public let stop: Int
    /// Metres along the ground.
    public let distance: Double
  }

  private let schedule: Schedule
  private let index: GeodeticIndex
  /// Numbers of the stops and stations that can be found.
  let numbers: [Int]

  /// Indexes a schedule's stops.
  public init(_ schedule: Schedule) {
    self.schedule = schedule
    numbers = schedule.stops.indices.filter { number in
      let stop = schedule.stops[number]
      guard stop.latitude != nil else { return false }
      switch stop.kind {
      case .station: return true
      case .stop: return stop.parent.map { schedule.stops[$0].kind != .station } ?? true
      default: return false
      }
    }
    index = GeodeticIndex(
      latitudes: numbers.map { schedule.stops[$0].latitude ?? .nan },
      longitudes: numbers.map { schedule.stops[$0].longitude ?? .nan }
    )
  }

  /// The nearest stops, nearest first; at one distance by their ids.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - place: where from.
  ///   - radius: metres; `nil` for no limit.
  /// - Returns: the stops with their distances.
  public func nearest(_ limit: Int, to place: Geodetic, radius: Double? = nil) -> [Found] {
    index.nearest(limit, to: place, radius: radius) { schedule.stops[numbers[$0]].id }
      .map { Found(stop: numbers[$0.stop], distance: $0.distance) }
  }

  /// How many stops and stations can be found.
  public var count: Int { numbers.count }

  /// Numbers of all stops and stations within a radius in metres, in no particular order.
  func within(_ radius: Double, of place: Geodetic) -> [Int] {
    var neighbors: [GeodeticIndex.Neighbor] = []
    index.within(radius, of: place, into: &neighbors)
    return neighbors.map { numbers[Int($0.index)] }
  }
}
