import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@testable import SightlineTransit

/// The nearest stops against comparing all distances, and stations with their platforms.
@Suite struct StopSearchTests {
  /// Against comparing all distances, with many stops at one place, at the poles and at the date line.
  @Test func nearestIsExact() throws {
    var random = SplitMix64(seed: 8)
    func unit() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    for count in [0, 1, 9, 10, 11, 2000] {
      var stops = "stop_id,stop_name,stop_lat,stop_lon\n"
      for number in 0..<count {
        switch number % 4 {
        case 0: stops += "s\(number),x,57.7,11.97\n"
        case 1: stops += "s\(number),x,\(89.9 + unit() / 10),\(unit() * 360 - 180)\n"
        case 2: stops += "s\(number),x,\(unit() - 0.5),\(number % 8 == 2 ? 179.9 : -179.9)\n"
        default: stops += "s\(number),x,\(57 + unit()),\(11 + unit())\n"
        }
      }
      stops += "P1,a,10,10\nB,b,10,10\nC,c,10,10\n"
      let (schedule, _) = try FeedFolder(["stops.txt": stops]).imported()
      let search = StopSearch(schedule)
      for place in [
        Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 11.97), Geodetic(latitudeDegrees: 90, longitudeDegrees: 0),
        Geodetic(latitudeDegrees: 0, longitudeDegrees: 180), Geodetic(latitudeDegrees: 57.5, longitudeDegrees: 11.5),
      ] {
        let all = schedule.stops.indices.map { number -> (Double, String) in
          let stop = schedule.stops[number]
          let there = Geodetic(latitudeDegrees: stop.latitude ?? 0, longitudeDegrees: stop.longitude ?? 0)
          return (greatCircleDistance(from: place, to: there), stop.id)
        }
        let expected = all.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(10)
        let found = search.nearest(10, to: place)
        #expect(found.count == min(10, count + 3))
        for (a, b) in zip(found, expected) { #expect(abs(a.distance - b.0) < 1e-6) }
        // At equal distances the ids decide.
        for (a, b) in zip(found, found.dropFirst()) where a.distance == b.distance {
          #expect(schedule.stops[a.stop].id < schedule.stops[b.stop].id)
        }
      }
    }
  }

  @Test func stationsFoldTheirPlatformsIn() throws {
    let (schedule, _) = try FeedFolder().imported()
    let place = Geodetic(latitudeDegrees: 57.70, longitudeDegrees: 11.97)
    let found = StopSearch(schedule).nearest(10, to: place)
    #expect(found.map { schedule.stops[$0.stop].id } == ["ST", "B", "C"])
    #expect(StopSearch(schedule).nearest(10, to: place, radius: 800).count == 2)
    let station = try require(schedule.stop(id: "ST"))
    #expect(schedule.callingStops(of: station).map { schedule.stops[$0].id } == ["P1", "P2"])
  }
}
