import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct LocationFilterTests {
  private let home = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9915, altitude: 480)

  private func place(_ east: Double, _ north: Double, up: Double = 0) -> Geodetic {
    EastNorthUpFrame(origin: home).geodetic(Vector3(east, north, up))
  }

  private func distance(_ a: Geodetic?, _ b: Geodetic) -> Double {
    a.map { greatCircleDistance(from: $0, to: b) } ?? .infinity
  }

  private func take(
    _ filter: inout LocationFilter,
    _ position: Geodetic,
    accuracy: Double = 10,
    altitudeAccuracy: Double? = nil,
    speed: Double? = nil,
    at time: Double
  ) {
    filter.take(
      position,
      accuracy: accuracy,
      knowsAltitude: true,
      altitudeAccuracy: altitudeAccuracy,
      speed: speed,
      at: time
    )
  }

  @Test func `the first fix is shown as it is`() {
    var filter = LocationFilter()
    #expect(filter.estimate == nil && filter.shown == nil)
    take(&filter, home, accuracy: 12, at: 5)
    #expect(filter.shown == home && filter.estimate == home)
    #expect(isNear(filter.accuracy, 12, within: 1e-9))
  }

  @Test func `fixes count by their accuracy`() {
    var filter = LocationFilter()
    take(&filter, home, accuracy: 5, speed: 0, at: 0)
    take(&filter, place(40, 0), accuracy: 80, speed: 0, at: 1)
    #expect(distance(filter.estimate, home) < 3)
    take(&filter, place(40, 0), accuracy: 5, speed: 0, at: 2)
    #expect(distance(filter.estimate, home) > 15)
  }

  @Test func `a scatter of fixes becomes calmer, but not as if they were independent`() {
    var g = SplitMix64(seed: 51)
    var filter = LocationFilter()
    var sum = 0.0
    for k in 0..<200 {
      let fix = place(.random(in: -8...8, using: &g), .random(in: -8...8, using: &g))
      take(&filter, fix, accuracy: 12, speed: 0, at: Double(k))
      if k > 20 { sum += distance(filter.estimate, home) }
    }
    #expect(sum / 179 < 4)
    #expect(filter.accuracy > 12 * 0.3)
  }

  @Test func `what is shown never moves faster than it may`() {
    var g = SplitMix64(seed: 52)
    var filter = LocationFilter()
    var last: Geodetic?
    for k in 0..<1800 {
      let time = Double(k) / 30
      if k % 30 == 0 {
        take(
          &filter,
          place(.random(in: -20...20, using: &g), 1.4 * time, up: .random(in: -15...15, using: &g)),
          accuracy: 15,
          altitudeAccuracy: 20,
          speed: 1.4,
          at: time
        )
      }
      _ = filter.advance(to: time)
      if let last, let now = filter.shown {
        let step = 5.4 / 30
        #expect(distance(last, now) <= step + 1e-6)
        #expect(abs(now.altitude - last.altitude) <= 1.0 / 30 + 1e-9)
      }
      last = filter.shown
    }
    #expect(distance(filter.shown, place(0, 84)) < 15)
  }

  @Test func `what is far off jumps`() {
    var filter = LocationFilter()
    take(&filter, home, at: 0)
    take(&filter, place(500, 0), at: 1)
    let moved = filter.advance(to: 1)
    #expect(moved && distance(filter.shown, place(500, 0)) < 5)
  }

  @Test func `a poor altitude moves little, a good one counts`() {
    var filter = LocationFilter()
    take(&filter, place(0, 0), altitudeAccuracy: 3, speed: 0, at: 0)
    take(&filter, place(0, 0, up: 40), altitudeAccuracy: 100, speed: 0, at: 1)
    #expect(abs((filter.estimate?.altitude ?? 0) - 480) < 1)
    for k in 2..<40 { take(&filter, place(0, 0, up: 40), altitudeAccuracy: 3, speed: 0, at: Double(k)) }
    #expect(abs((filter.estimate?.altitude ?? 0) - 520) < 2)
  }

  @Test func `an altitude after a jump counts as it is`() {
    var filter = LocationFilter()
    for second in 0..<20 { take(&filter, place(0, 0, up: 20), accuracy: 3, at: Double(second)) }
    // Somebody stands elsewhere all at once: the ground there is another.
    take(&filter, place(50_000, 0, up: 470), accuracy: 3, at: 20)
    _ = filter.advance(to: 20.1)
    let shown = filter.shown?.altitude ?? .nan
    #expect(abs(shown - place(50_000, 0, up: 470).altitude) < 0.1)
    // A step along the street is no jump: there the altitude goes on slowly.
    var walker = LocationFilter()
    for second in 0..<20 { take(&walker, place(0, 0, up: 20), accuracy: 3, at: Double(second)) }
    take(&walker, place(30, 0, up: 60), accuracy: 3, at: 20)
    #expect((walker.estimate?.altitude ?? .nan) < place(0, 0, up: 45).altitude)
  }

  @Test func `an altitude after none counts as it is`() {
    var filter = LocationFilter()
    take(&filter, place(0, 0), altitudeAccuracy: 3, at: 0)
    filter.forgetAltitude()
    take(&filter, place(0, 0, up: 90), altitudeAccuracy: 50, at: 1)
    #expect(isNear(filter.shown?.altitude ?? 0, 570, within: 0.01))
  }

  @Test func `across the date line and beside a pole`() {
    for (a, b) in [
      (
        Geodetic(latitudeDegrees: 10, longitudeDegrees: 179.99995),
        Geodetic(latitudeDegrees: 10, longitudeDegrees: -179.99995)
      ),
      (
        Geodetic(latitudeDegrees: 89.9999, longitudeDegrees: 0),
        Geodetic(latitudeDegrees: 89.9999, longitudeDegrees: 90)
      ),
    ] {
      var filter = LocationFilter()
      take(&filter, a, at: 0)
      for k in 1...60 {
        take(&filter, b, at: Double(k))
        _ = filter.advance(to: Double(k))
      }
      #expect(distance(filter.shown, b) < 0.5)
    }
  }
}
