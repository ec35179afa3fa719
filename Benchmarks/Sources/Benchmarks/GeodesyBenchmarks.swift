import SightlineGeodesy
import SightlineMath

/// Geodesy: nearest places against simpler searches, the magnetic model, placing.
func benchmarkGeodesy(_ harness: Harness) {
  benchmarkNearest(harness, places: 100_000, name: "100k")
  benchmarkNearest(harness, places: 1_000_000, name: "1M")

  var random = SplitMix(state: 2025)
  let positions = (0..<1000).map { _ in
    Geodetic(
      latitudeDegrees: asin(2 * random.unit() - 1) * (180 / pi),
      longitudeDegrees: 360 * random.unit() - 180,
      altitude: 3000 * random.unit()
    )
  }
  harness.measure("Geodesy/magnetic-field/1", iterations: 1000, countingAllocations: true) {
    if let field = try? MagneticModel.wmm2025.field(at: positions[$0 % 1000], decimalYear: 2026.9) {
      consume(field.declination)
    }
  }
  harness.measure("Geodesy/great-circle-distance/1", iterations: 1000, countingAllocations: true) {
    consume(greatCircleDistance(from: positions[$0 % 1000], to: positions[($0 + 1) % 1000]))
  }
  harness.measure("Geodesy/geodetic-of-geocentric/1", iterations: 1000, countingAllocations: true) {
    consume(Geocentric(x: 4e6 + Double($0 % 1000), y: 1e6, z: 4.8e6).geodetic)
  }

  let eye = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9915, altitude: 480)
  let places = (0..<10_000).map { _ in
    Geodetic(
      latitudeDegrees: 48.3984 + 0.1 * (random.unit() - 0.5),
      longitudeDegrees: 9.9915 + 0.1 * (random.unit() - 0.5),
      altitude: 480 + 100 * random.unit()
    )
  }
  var placed = [Vector3](repeating: .zero, count: places.count)
  harness.measure("Geodesy/place-east-north-up/10k", countingAllocations: true) { _ in
    let frame = EastNorthUpFrame(origin: eye)
    for i in places.indices { placed[i] = frame.point(places[i]) }
    consume(placed[0])
  }
}

/// Nearest 10: the index, a loop that keeps the best ten, and sorting everything, over the same queries.
private func benchmarkNearest(_ harness: Harness, places: Int, name: String) {
  guard harness.includes("Geodesy/nearest/\(name)-10") || harness.includes("Geodesy/build-index/\(name)") else {
    return
  }
  let map = PlaceMap(places: places)
  var index = GeodeticIndex(latitudes: [], longitudes: [])
  harness.measure("Geodesy/build-index/\(name)", samples: 5) { _ in
    index = GeodeticIndex(latitudes: map.latitudes, longitudes: map.longitudes)
    consume(index.count)
  }
  // Building may not have been chosen; searching an empty index would be fast and mean nothing.
  if index.count == 0 { index = GeodeticIndex(latitudes: map.latitudes, longitudes: map.longitudes) }
  let queries = map.queries(20_000)
  var found: [GeodeticIndex.Neighbor] = []
  let tree = harness.measureEach("Geodesy/nearest/\(name)-10", samples: queries.count, countingAllocations: true) {
    index.nearest(10, to: queries[$0], into: &found)
    consume(found.count)
  }
  var plain = PlainSearch(map)
  let loop = harness.measureEach("Geodesy/nearest/\(name)-10/peer-loop", samples: 40) {
    plain.nearest(10, to: queries[$0])
    consume(plain.best.count)
  }
  let sorting = harness.measureEach("Geodesy/nearest/\(name)-10/peer-sort-all", samples: 4) {
    consume(plain.sortAll(queries[$0]).count)
  }
  if let tree, let loop, let sorting {
    harness.note("median \(rounded(loop / tree)) × faster than the loop, \(rounded(sorting / tree)) × than sorting all")
  }
  var wrong = 0
  for query in queries.prefix(40) {
    index.nearest(10, to: query, into: &found)
    plain.nearest(10, to: query)
    for (a, b) in zip(found, plain.best) where abs(a.distance - b.distance) > 1e-6 { wrong += 1 }
  }
  harness.note("\(wrong) of 400 distances differ from the loop's by more than a micrometre")
}

/// Places as they are in the world: towns of very different size, some countryside, duplicates, and towns at the date
/// line, in Svalbard and next to the north pole.
private struct PlaceMap {
  var latitudes: [Double] = []
  var longitudes: [Double] = []
  private var random = SplitMix(state: 7)

  init(places: Int) {
    var towns: [Geodetic] = (0..<2000).map { _ in
      Geodetic(latitudeDegrees: 130 * random.unit() - 60, longitudeDegrees: 360 * random.unit() - 180)
    }
    towns += [
      Geodetic(latitudeDegrees: -16.8, longitudeDegrees: 179.99),
      Geodetic(latitudeDegrees: 78.2, longitudeDegrees: 15.6), Geodetic(latitudeDegrees: 89.9, longitudeDegrees: 40),
    ]
    while latitudes.count < places {
      let kind = random.unit()
      if kind < 0.04, !latitudes.isEmpty {
        let i = Int(random.unit() * Double(latitudes.count))
        add(latitudes[i], longitudes[i])
      } else if kind < 0.11 {
        add(asin(2 * random.unit() - 1) * (180 / pi), 360 * random.unit() - 180)
      } else {
        // The square of a uniform number makes the first towns much larger than the last.
        let share = random.unit()
        let town = towns[Int(share * share * Double(towns.count))]
        let place = near(town, within: 8000)
        add(place.latitudeDegrees, place.longitudeDegrees)
      }
    }
  }

  private mutating func add(_ latitude: Double, _ longitude: Double) {
    latitudes.append(latitude)
    longitudes.append(longitude)
  }

  private mutating func near(_ place: Geodetic, within radius: Double) -> Geodetic {
    let distance = radius * random.unit() * random.unit()
    let azimuth = 2 * pi * random.unit()
    return EastNorthUpFrame(origin: place).geodetic(Vector3(distance * sin(azimuth), distance * cos(azimuth), 0))
  }

  /// 70 % in town, 20 % in the country, 5 % anywhere, 4 % exactly on a place, 1 % at the poles or the date line.
  func queries(_ count: Int) -> [Geodetic] {
    var copy = self
    return (0..<count).map { _ in copy.query() }
  }

  private mutating func query() -> Geodetic {
    let kind = random.unit()
    let i = Int(random.unit() * Double(latitudes.count))
    let place = Geodetic(latitudeDegrees: latitudes[i], longitudeDegrees: longitudes[i])
    switch kind {
    case ..<0.7: return near(place, within: 300)
    case ..<0.9: return near(place, within: 20_000)
    case ..<0.95:
      return Geodetic(
        latitudeDegrees: asin(2 * random.unit() - 1) * (180 / pi),
        longitudeDegrees: 360 * random.unit() - 180
      )
    case ..<0.99: return place
    default:
      return random.unit() < 0.5
        ? Geodetic(latitudeDegrees: random.unit() < 0.5 ? 90 : -90, longitudeDegrees: 0)
        : Geodetic(latitudeDegrees: 140 * random.unit() - 70, longitudeDegrees: 180)
    }
  }
}

/// The searches that need no index, over unit vectors in one array.
private struct PlainSearch {
  private var points: [Vector3] = []
  private(set) var best: [GeodeticIndex.Neighbor] = []

  init(_ map: PlaceMap) {
    points = map.latitudes.indices.map { Self.unit(map.latitudes[$0], map.longitudes[$0]) }
  }

  private static func unit(_ latitude: Double, _ longitude: Double) -> Vector3 {
    let (s, c) = sineCosine(degrees: latitude)
    let (sineLongitude, cosineLongitude) = sineCosine(degrees: longitude)
    return Vector3(c * cosineLongitude, c * sineLongitude, s)
  }

  /// Keeps the best in order, by insertion.
  mutating func nearest(_ n: Int, to place: Geodetic) {
    let query = Self.unit(place.latitudeDegrees, place.longitudeDegrees)
    best.removeAll(keepingCapacity: true)
    var worst = Double.infinity
    points.withUnsafeBufferPointer { p in
      for i in 0..<p.count {
        let d = p[i] - query
        let chord2 = d.dot(d)
        guard chord2 < worst else { continue }
        var at = best.count
        while at > 0, best[at - 1].distance > chord2 { at -= 1 }
        best.insert(GeodeticIndex.Neighbor(index: Int32(i), distance: chord2), at: at)
        if best.count > n { best.removeLast() }
        if best.count == n { worst = best[n - 1].distance }
      }
    }
    for i in best.indices { best[i].distance = 2 * WGS84.meanRadius * asin(best[i].distance.squareRoot() / 2) }
  }

  /// Every distance, sorted.
  func sortAll(_ place: Geodetic) -> ArraySlice<GeodeticIndex.Neighbor> {
    let query = Self.unit(place.latitudeDegrees, place.longitudeDegrees)
    var all = points.indices.map {
      GeodeticIndex.Neighbor(index: Int32($0), distance: (points[$0] - query).length)
    }
    all.sort { $0.distance < $1.distance }
    return all.prefix(10)
  }
}
