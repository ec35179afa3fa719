import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineGeodesy

@Suite struct GeodeticIndexTests {
  typealias Neighbor = GeodeticIndex.Neighbor

  private static func place(_ latitude: Double, _ longitude: Double) -> Geodetic {
    Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// A mean world: towns, countryside, duplicates, poles with all longitudes, both sides of the date line.
  private static func world(_ count: Int, _ g: inout SplitMix64) -> (latitudes: [Double], longitudes: [Double]) {
    var latitudes: [Double] = []
    var longitudes: [Double] = []
    for _ in 0..<count {
      switch Int.random(in: 0..<10, using: &g) {
      case 0 where !latitudes.isEmpty:
        let i = Int.random(in: latitudes.indices, using: &g)
        latitudes.append(latitudes[i])
        longitudes.append(longitudes[i])
      case 1:
        latitudes.append(Bool.random(using: &g) ? 90 : -90)
        longitudes.append(.random(in: -180...180, using: &g))
      case 2:
        latitudes.append(.random(in: -17.1 ... -17, using: &g))
        longitudes.append((Bool.random(using: &g) ? 1 : -1) * (180 - .random(in: 0...0.1, using: &g)))
      case 3, 4:
        latitudes.append(asin(.random(in: -1...1, using: &g)) * (180 / pi))
        longitudes.append(.random(in: -180...180, using: &g))
      default:
        latitudes.append(48.4 + .random(in: -0.05...0.05, using: &g))
        longitudes.append(10 + .random(in: -0.05...0.05, using: &g))
      }
    }
    return (latitudes, longitudes)
  }

  private static func query(_ g: inout SplitMix64, _ world: (latitudes: [Double], longitudes: [Double])) -> Geodetic {
    switch Int.random(in: 0..<6, using: &g) {
    case 0: place(Bool.random(using: &g) ? 90 : -90, .random(in: -180...180, using: &g))
    case 1: place(-17.05, Bool.random(using: &g) ? 180 : -180)
    case 2:
      place(asin(.random(in: -1...1, using: &g)) * (180 / pi), .random(in: -180...180, using: &g))
    case 3 where !world.latitudes.isEmpty:
      // Exactly on a place.
      {
        let i = Int.random(in: world.latitudes.indices, using: &g)
        return place(world.latitudes[i], world.longitudes[i])
      }()
    default: place(48.4 + .random(in: -0.06...0.06, using: &g), 10 + .random(in: -0.06...0.06, using: &g))
    }
  }

  /// The answer by the distance function and a full sort: another formula and no tree.
  private static func brute(
    _ world: (latitudes: [Double], longitudes: [Double]),
    _ query: Geodetic
  ) -> [Neighbor] {
    world.latitudes.indices
      .map {
        Neighbor(
          index: Int32($0),
          distance: greatCircleDistance(from: query, to: place(world.latitudes[$0], world.longitudes[$0]))
        )
      }
      .sorted { $0.distance < $1.distance || ($0.distance == $1.distance && $0.index < $1.index) }
  }

  /// What the doc comment promises: the rounding of a chord, which grows with the tangent of half the angle.
  private static func tolerance(_ distance: Double) -> Double {
    5e-9 + min(0.2, 5e-9 * abs(tan(distance / (2 * WGS84.meanRadius))))
  }

  @Test(arguments: [0, 1, 2, 15, 16, 17, 33, 100, 1000, 5000])
  func `the nearest are those of a full sort`(count: Int) {
    var g = SplitMix64(seed: 51)
    let world = Self.world(count, &g)
    let index = GeodeticIndex(latitudes: world.latitudes, longitudes: world.longitudes)
    #expect(index.count == count)
    var found: [Neighbor] = []
    for i in 0..<(count > 500 ? 30 : 100) {
      let query = Self.query(&g, world)
      let expected = Self.brute(world, query)
      let n = [1, 2, 10, 64, count, count + 7][Int.random(in: 0..<6, using: &g)]
      index.nearest(n, to: query, into: &found)
      #expect(found.count == min(n, count), "seed 51, query \(i), n \(n)")
      for (k, neighbor) in found.enumerated() {
        let difference = abs(neighbor.distance - expected[k].distance)
        #expect(difference <= Self.tolerance(expected[k].distance), "seed 51, query \(i), n \(n), rank \(k)")
        let j = Int(neighbor.index)
        let own = greatCircleDistance(from: query, to: Self.place(world.latitudes[j], world.longitudes[j]))
        #expect(abs(neighbor.distance - own) <= Self.tolerance(own), "seed 51, query \(i), rank \(k)")
      }
      #expect(Set(found.map { $0.index }).count == found.count, "seed 51, query \(i): one place twice")
      for (a, b) in zip(found, found.dropFirst()) {
        #expect(a.distance < b.distance || (a.distance == b.distance && a.index < b.index), "seed 51, query \(i)")
      }
    }
  }

  @Test func `all within a radius are those of a full scan`() {
    var g = SplitMix64(seed: 52)
    let world = Self.world(2000, &g)
    let index = GeodeticIndex(latitudes: world.latitudes, longitudes: world.longitudes)
    var found: [Neighbor] = []
    var nearest: [Neighbor] = []
    for i in 0..<150 {
      let query = Self.query(&g, world)
      let radius = i % 10 == 0 ? 0 : pow(10, .random(in: 0...7.31, using: &g))
      let expected = Self.brute(world, query)
      index.within(radius, of: query, into: &found)
      // A place at the very edge may fall to either side by a rounding error.
      let surely = expected.filter { $0.distance <= radius - Self.tolerance(radius) }
      let possibly = expected.filter { $0.distance <= radius + Self.tolerance(radius) }
      let indices = Set(found.map { $0.index })
      #expect(indices.count == found.count, "seed 52, query \(i)")
      #expect(indices.isSuperset(of: surely.map { $0.index }), "seed 52, query \(i), radius \(radius)")
      #expect(indices.isSubset(of: possibly.map { $0.index }), "seed 52, query \(i), radius \(radius)")
      #expect(found.allSatisfy { $0.distance <= radius })
      // Two ways to one answer.
      index.nearest(3000, to: query, within: radius, into: &nearest)
      found.sort { $0.distance < $1.distance || ($0.distance == $1.distance && $0.index < $1.index) }
      #expect(nearest == found, "seed 52, query \(i), radius \(radius)")
    }
  }

  @Test func `thousands of places at one spot are answered in the order of their numbers`() {
    let index = GeodeticIndex(
      latitudes: [Double](repeating: 48.4, count: 5000),
      longitudes: [Double](repeating: 10, count: 5000)
    )
    var found: [Neighbor] = []
    index.nearest(100, to: Self.place(48.3, 10), into: &found)
    #expect(found.map { $0.index } == Array(0..<100))
    index.nearest(3, to: Self.place(48.4, 10), within: 0, into: &found)
    #expect(found == [0, 1, 2].map { Neighbor(index: $0, distance: 0) })
  }

  /// Two ways to one tree: by splitting, and by sorting when there have been too many splits.
  @Test(arguments: [0, 1, 3]) func `a tree built by sorting gives the same answers`(splitLimit: Int) {
    var g = SplitMix64(seed: 54)
    let world = Self.world(3000, &g)
    let usual = GeodeticIndex(latitudes: world.latitudes, longitudes: world.longitudes)
    let sorted = GeodeticIndex(latitudes: world.latitudes, longitudes: world.longitudes, splitLimit: splitLimit)
    var (a, b): ([Neighbor], [Neighbor]) = ([], [])
    for i in 0..<100 {
      let query = Self.query(&g, world)
      usual.nearest(20, to: query, into: &a)
      sorted.nearest(20, to: query, into: &b)
      #expect(a == b, "seed 54, query \(i)")
    }
  }

  @Test func `the date line and the poles are no seams`() {
    let index = GeodeticIndex(latitudes: [0, 0, 0, 90, 89.999], longitudes: [179.999, -179.999, 170, 55, -180])
    var found: [Neighbor] = []
    index.nearest(3, to: Self.place(0, 180), into: &found)
    #expect(found.map { $0.index } == [0, 1, 2])
    index.nearest(2, to: Self.place(90, -123), into: &found)
    #expect(found.map { $0.index } == [3, 4])
    #expect(found[0].distance == 0)
    index.within(200, of: Self.place(89.9995, 0), into: &found)
    #expect(found.map { $0.index }.sorted() == [3, 4])
  }

  @Test func `positions that are not finite are never found, the indices of the others stay`() {
    let index = GeodeticIndex(
      latitudes: [.nan, 10, 20, .infinity, 30],
      longitudes: [0, .nan, 20, 0, 30]
    )
    #expect(index.count == 2)
    var found: [Neighbor] = []
    index.nearest(10, to: Self.place(29, 29), into: &found)
    #expect(found.map { $0.index } == [4, 2])
    index.nearest(10, to: Self.place(.nan, 29), into: &found)
    #expect(found.isEmpty)
    index.within(1e6, of: Self.place(0, .infinity), into: &found)
    #expect(found.isEmpty)
  }

  @Test func `nothing is asked for, nothing is there`() {
    var found = [Neighbor(index: 7, distance: 7)]
    GeodeticIndex(latitudes: [], longitudes: []).nearest(5, to: Self.place(0, 0), into: &found)
    #expect(found.isEmpty)
    let index = GeodeticIndex(latitudes: [1], longitudes: [1])
    for n in [0, -3, Int.min] {
      found = [Neighbor(index: 7, distance: 7)]
      index.nearest(n, to: Self.place(0, 0), into: &found)
      #expect(found.isEmpty)
    }
    for radius in [-1.0, .nan, -.infinity] {
      found = [Neighbor(index: 7, distance: 7)]
      index.within(radius, of: Self.place(1, 1), into: &found)
      #expect(found.isEmpty)
      index.nearest(4, to: Self.place(1, 1), within: radius, into: &found)
      #expect(found.isEmpty)
    }
    index.within(.infinity, of: Self.place(-1, -179), into: &found)
    #expect(found.count == 1)
    index.nearest(.max, to: Self.place(1, 1), into: &found)
    #expect(found == [Neighbor(index: 0, distance: 0)])
  }

  @Test func `the example of the documentation holds`() {
    let index = GeodeticIndex(latitudes: [48.3984, 48.3951], longitudes: [9.9916, 10.0027])
    var found: [Neighbor] = []
    index.nearest(1, to: Self.place(48.398, 9.992), into: &found)
    #expect(found.count == 1 && found[0].index == 0)
    #expect(isNear(found[0].distance, 53.5, within: 0.5))
  }

  @Test func `a buffer that was large enough once is not allocated again`() {
    var g = SplitMix64(seed: 53)
    let world = Self.world(3000, &g)
    let index = GeodeticIndex(latitudes: world.latitudes, longitudes: world.longitudes)
    var found: [Neighbor] = []
    index.within(.infinity, of: Self.place(0, 0), into: &found)
    let before = found.withUnsafeBufferPointer { $0.baseAddress }
    for _ in 0..<50 {
      index.nearest(100, to: Self.query(&g, world), into: &found)
      index.within(5000, of: Self.query(&g, world), into: &found)
    }
    index.nearest(1, to: Self.place(0, 0), into: &found)
    #expect(found.withUnsafeBufferPointer { $0.baseAddress } == before)
  }

  @Test func `latitudes and longitudes of different counts trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = GeodeticIndex(latitudes: [1, 2], longitudes: [1])
    }
  }
}
