import SightlineMath

/// Finds the nearest of many places, and all within a radius, exactly: by great-circle distance, right across the date
/// line and at the poles. Places are kept as unit vectors, where the chord grows with the distance and there are no
/// seams.
public struct GeodeticIndex: Sendable {
  /// One answer.
  public struct Neighbor: Equatable, Sendable {
    /// Index of the place in the arrays the index was made from.
    public var index: Int32
    /// Metres along the ground.
    public var distance: Double

    /// An answer.
    public init(index: Int32, distance: Double) {
      self.index = index
      self.distance = distance
    }
  }

  private var points: [Vector3] = []
  private var indices: [Int32] = []

  /// An index over places in degrees; places whose coordinates are not finite are left out.
  public init(latitudes: [Double], longitudes: [Double]) {
    for i in 0..<min(latitudes.count, longitudes.count) where latitudes[i].isFinite && longitudes[i].isFinite {
      points.append(Self.unit(latitudes[i], longitudes[i]))
      indices.append(Int32(i))
    }
  }

  private static func unit(_ latitude: Double, _ longitude: Double) -> Vector3 {
    let φ = Angle(degrees: latitude).radians
    let λ = Angle(degrees: longitude).radians
    return Vector3(cos(φ) * cos(λ), cos(φ) * sin(λ), sin(φ))
  }

  private static func distance(_ a: Vector3, _ b: Vector3) -> Double {
    2 * WGS84.meanRadius * asin((a - b).length / 2)
  }

  /// The nearest places, by distance and then by index, into a caller's buffer (emptied first).
  public func nearest(
    _ count: Int, to center: Geodetic, within radius: Double = .infinity, into result: inout [Neighbor]
  ) {
    self.within(radius, of: center, into: &result)
    result.sort { $0.distance < $1.distance || ($0.distance == $1.distance && $0.index < $1.index) }
    if result.count > count { result.removeLast(result.count - count) }
  }

  /// All places within a radius (inclusive), in no order, into a caller's buffer (emptied first).
  public func within(_ radius: Double, of center: Geodetic, into result: inout [Neighbor]) {
    result.removeAll(keepingCapacity: true)
    let c = Self.unit(center.latitudeDegrees, center.longitudeDegrees)
    for i in 0..<points.count {
      let d = Self.distance(points[i], c)
      if d <= radius { result.append(Neighbor(index: indices[i], distance: d)) }
    }
  }
}
