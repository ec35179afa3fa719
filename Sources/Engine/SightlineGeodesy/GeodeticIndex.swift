// A k-d tree on unit vectors, so that neither poles nor the date line are special. Goals, in this order: exact answers,
// no allocation per query, speed.
//
// Shape: points lie in one array, leaf after leaf; an inner node of the balanced tree halves its range of that array,
// so ranges follow from the node's number and are not stored. Nodes hold only axis and plane and stand in heap order.
// Exactness: the bound of a box is summed from the same products in the same order as the distance of a point, and
// rounding is monotone, so the bound can never exceed the distance of a point inside, not even in the last bit.
import SightlineMath

/// Places on the Earth that can be searched for the nearest ones and for those within a radius.
///
/// Distances are those of ``greatCircleDistance(from:to:)`` to within 1e-8 m for the nearer half of the Earth; towards
/// the antipode, where the chord hardly grows any more, the difference rises to 0.2 m. Altitudes are ignored.
///
/// ```swift
/// let index = GeodeticIndex(latitudes: [48.3984, 48.3951], longitudes: [9.9916, 10.0027])
/// var found: [GeodeticIndex.Neighbor] = []
/// index.nearest(1, to: Geodetic(latitudeDegrees: 48.398, longitudeDegrees: 9.992), into: &found)
/// // found[0].index is 0, found[0].distance about 54 m
/// ```
public struct GeodeticIndex: Sendable {
  /// A place found.
  public struct Neighbor: Equatable, Sendable {
    /// The place's number in the arrays given to ``GeodeticIndex/init(latitudes:longitudes:)``.
    public var index: Int32
    /// Metres along the ground.
    public var distance: Double

    /// A place found.
    @inlinable public init(index: Int32, distance: Double) {
      self.index = index
      self.distance = distance
    }
  }

  /// A place as a unit vector.
  ///
  /// 32 bytes: half a cache line.
  struct Point {
    var x: Double
    var y: Double
    var z: Double
    var index: Int32
  }

  /// A plane that halves a box.
  struct Node {
    var plane: Double
    var axis: Int32
  }

  static let leafSize = 16

  private let points: [Point]
  private let nodes: [Node]

  /// How many places can be found.
  public var count: Int { points.count }

  /// Builds the index.
  ///
  /// - Parameters:
  ///   - latitudes: degrees. Places of which a coordinate is not finite are left out and never found.
  ///   - longitudes: degrees, as many as latitudes, any turn.
  /// - Precondition: `latitudes.count == longitudes.count`, at most `Int32.max`.
  /// - Complexity: O(*n* log *n*), whatever the places; 0.25 s for a million.
  public init(latitudes: [Double], longitudes: [Double]) {
    self.init(latitudes: latitudes, longitudes: longitudes, splitLimit: 64)
  }

  init(latitudes: [Double], longitudes: [Double], splitLimit: Int) {
    precondition(latitudes.count == longitudes.count && latitudes.count <= Int(Int32.max))
    var points: [Point] = []
    points.reserveCapacity(latitudes.count)
    for i in 0..<latitudes.count where latitudes[i].isFinite && longitudes[i].isFinite {
      let v = unitVector(latitudeDegrees: latitudes[i], longitudeDegrees: longitudes[i])
      points.append(Point(x: v.x, y: v.y, z: v.z, index: Int32(truncatingIfNeeded: i)))
    }
    var inner = 0
    while points.count > (inner + 1) * Self.leafSize { inner = 2 * inner + 1 }
    var nodes = [Node](repeating: Node(plane: 0, axis: 0), count: inner)
    points.withUnsafeMutableBufferPointer { p in
      nodes.withUnsafeMutableBufferPointer { n in
        KDTreeBuilder(points: p, nodes: n, splitLimit: splitLimit).build()
      }
    }
    self.points = points
    self.nodes = nodes
  }

  /// Finds the nearest places, nearest first; equally near ones in the order of their numbers.
  ///
  /// - Parameters:
  ///   - n: how many, if there are so many.
  ///   - position: from where; nothing is found when a coordinate is not finite.
  ///   - radius: metres; only places at most that far.
  ///   - neighbors: replaced by the answer; its storage is reused, so a buffer that has once held *n* places costs no
  ///     allocation.
  public func nearest(
    _ n: Int,
    to position: Geodetic,
    within radius: Double = .infinity,
    into neighbors: inout [Neighbor]
  ) {
    neighbors.removeAll(keepingCapacity: true)
    let capacity = min(n, points.count)
    guard capacity > 0, let (query, limit) = Self.search(position, radius) else { return }
    for _ in 0..<capacity { neighbors.append(Neighbor(index: .max, distance: limit)) }
    let found = neighbors.withUnsafeMutableBufferPointer { heap in
      points.withUnsafeBufferPointer { p in
        nodes.withUnsafeBufferPointer { n in
          var search = NearestSearch(points: p, nodes: n, query: query, heap: heap)
          search.visit(node: 0, low: 0, high: p.count, x2: 0, y2: 0, z2: 0)
          return search.finish(radius: radius)
        }
      }
    }
    neighbors.removeLast(capacity - found)
  }

  /// Finds all places at most a radius away, in no particular order.
  ///
  /// - Parameters:
  ///   - radius: metres.
  ///   - position: from where; nothing is found when a coordinate is not finite.
  ///   - neighbors: replaced by the answer; its storage is reused.
  public func within(_ radius: Double, of position: Geodetic, into neighbors: inout [Neighbor]) {
    neighbors.removeAll(keepingCapacity: true)
    guard !points.isEmpty, let (query, limit) = Self.search(position, radius) else { return }
    points.withUnsafeBufferPointer { p in
      nodes.withUnsafeBufferPointer { n in
        RadiusSearch(points: p, nodes: n, query: query, limit: limit, radius: radius)
          .visit(node: 0, low: 0, high: p.count, x2: 0, y2: 0, z2: 0, into: &neighbors)
      }
    }
  }

  /// The unit vector of the place asked for and the square of the longest chord to look at.
  private static func search(_ position: Geodetic, _ radius: Double) -> (query: Vector3, limit: Double)? {
    guard position.latitudeDegrees.isFinite, position.longitudeDegrees.isFinite, radius >= 0 else { return nil }
    let query = unitVector(
      latitudeDegrees: position.latitudeDegrees,
      longitudeDegrees: position.longitudeDegrees
    )
    let half = radius / (2 * WGS84.meanRadius)
    guard half < 1.57 else { return (query, .infinity) }
    // A little more than the radius: what counts is the distance reported, which is compared at the end.
    let chord = 2 * sin(half) + 4e-16
    return (query, chord * chord * (1 + 1e-14))
  }
}

/// The unit vector from the Earth's centre whose geocentric latitude is the latitude given.
func unitVector(latitudeDegrees: Double, longitudeDegrees: Double) -> Vector3 {
  let (sineLatitude, cosineLatitude) = sineCosine(degrees: latitudeDegrees)
  let (sineLongitude, cosineLongitude) = sineCosine(degrees: longitudeDegrees)
  return Vector3(cosineLatitude * cosineLongitude, cosineLatitude * sineLongitude, sineLatitude)
}
