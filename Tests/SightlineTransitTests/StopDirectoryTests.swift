import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@testable import SightlineTransit

@Suite struct StopDirectoryTests {
  @Test func `lists of stops: JSON, CSV, and both Swedish grids`() throws {
    let json = """
      {"stops": [{"id": "a", "name": "Åkern", "lat": 57.7, "lon": 11.9, "platform": "B", "wheelchair": true,
       "lines": [{"id": "10", "name": "10", "mode": "tram", "color": "00FF00"}, {"id": "2", "name": "2", "mode": "bus"}]}]}
      """
    let first = try #require(try StopList.read(Array(json.utf8)).first)
    #expect(first.stop.name == "Åkern" && first.stop.platform == "B" && first.stop.wheelchair == true)
    let directory = ListDirectory([first, first], timeZone: .gmt)
    #expect(directory.count == 1)
    #expect(directory.lines(at: 0).map(\.name) == ["2", "10"])
    let csv = "\u{FEFF}name,id,lon,lat\r\n\"Big, \"\"old\"\" stop\",b,11.5,57.5\r\n"
    let second = try #require(try StopList.read(Array(csv.utf8)).first)
    #expect(second.stop.name == "Big, \"old\" stop" && second.stop.latitude == 57.5 && second.stop.longitude == 11.5)
    // Lantmäteriet's published point at 60° 9′ 33.882413″, 14° 45′ 28.167152″.
    for (grid, x, y) in [
      (StopList.Grid.rt90, "6671665.273", "1441843.186"), (.sweref99tm, "6669189.376", "486557.055"),
    ] {
      let entry = try #require(try StopList.read(Array("id,name,x,y\nc,C,\(x),\(y)\n".utf8), grid: grid).first)
      #expect(abs(entry.stop.latitude - 60.15941178) < 1e-8 && abs(entry.stop.longitude - 14.75782421) < 1e-8)
      #expect(throws: TransitImportError.self) {
        try StopList.read(Array("id,name,x,y\nc,C,\(y),\(x)\n".utf8), grid: grid)
      }
    }
    for text in [
      "", "id,name\n1,A\n", "id,name,lat,lon\n1,A,95,0\n", "id,name,lat,lon\n1,A,x,0\n",
      "{\"stops\": [{\"id\": \"1\"}]}", "{",
    ] {
      #expect(throws: (any Error).self, "\(text)") { try StopList.read(Array(text.utf8)) }
    }
  }

  @Test func `ties at the end of the list are decided by id, whatever the order of the feed`() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<50 {
      let names = ["d", "a", "c", "b", "e"].shuffled(using: &generator)
      let entries = names.map { name in
        ListDirectory.Entry(
          stop: TransitStop(id: name, name: name, latitude: name == "e" ? 57.701 : 57.7, longitude: 12)
        )
      }
      let directory = ListDirectory(entries, timeZone: .gmt)
      let place = Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 12)
      for limit in 1...5 {
        let found = directory.nearest(limit, to: place, radius: nil).map { directory.stop($0.stop, language: nil).id }
        #expect(found == Array(["a", "b", "c", "d", "e"].prefix(limit)))
      }
      #expect(directory.nearest(10, to: place, radius: 50).count == 4)
    }
  }

  @Test func `stops are found by their names, the best first and the nearest among equals`() throws {
    let names = [
      "Old bridge", "Bridge street", "Cambridge", "Åkern", "Bridge street west", "Sankt-Eriks plan",
      "Stortorget (Lund)", "中央駅",
    ]
    let entries = names.enumerated().map { number, name in
      ListDirectory.Entry(
        stop: TransitStop(id: "\(number)", name: name, latitude: 57.7 - 0.01 * Double(number), longitude: 12)
      )
    }
    let directory = ListDirectory(entries, timeZone: .gmt)
    func found(_ text: String, limit: Int = 10) throws -> [String] {
      let place = Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 12)
      return try directory.named(#require(StopQuery(text)), limit: limit, near: place)
        .map { directory.stop($0.found.stop, language: nil).name }
    }
    #expect(try found("bridge") == ["Bridge street", "Bridge street west", "Old bridge", "Cambridge"])
    #expect(try found("BRIDGE", limit: 2) == ["Bridge street", "Bridge street west"])
    #expect(try found("west bridge") == ["Bridge street west"])
    #expect(try found("akern") == ["Åkern"] && found("ÅKER") == ["Åkern"])
    #expect(try found("eriks") == ["Sankt-Eriks plan"] && found("lund") == ["Stortorget (Lund)"])
    #expect(try found("駅") == ["中央駅"] && found("nowhere") == [])
    #expect(StopQuery(" –. ") == nil)
  }

  @Test func `lines at a stop and at a station, in their order`() throws {
    let folder = try FeedFolder([
      "routes.txt": """
      route_id,agency_id,route_short_name,route_type,route_color
      R60,A,60,3,112233
      R7,A,7,3,
      RX,A,X1,0,
      R16,A,16X,3,

      """,
      "trips.txt": "route_id,service_id,trip_id\nR60,D,T1\nR7,D,T2\nRX,D,T3\nR16,D,T4\nR7,D,T5\n",
      "stop_times.txt": """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,8:00:00,8:00:00,P1,1
      T1,8:05:00,8:05:00,B,2
      T2,8:00:00,8:00:00,P2,1
      T2,8:05:00,8:05:00,C,2
      T3,8:00:00,8:00:00,P1,1
      T3,8:05:00,8:05:00,C,2
      T4,8:00:00,8:00:00,P2,1
      T4,8:05:00,8:05:00,B,2
      T5,9:00:00,9:00:00,P2,1
      T5,9:05:00,9:05:00,C,2

      """,
    ])
    let directory = try ScheduleDirectory(try folder.imported().0)
    func names(_ id: String) throws -> [String] {
      directory.lines(at: try require(directory.number(of: id))).map(\.name)
    }
    #expect(try names("ST") == ["7", "60", "16X", "X1"])
    #expect(try names("P1") == ["60", "X1"])
    #expect(try names("C") == ["7", "X1"])
    #expect(directory.lines(at: try require(directory.number(of: "ST"))).map(\.mode) == [.bus, .bus, .bus, .tram])
    // A station and two stops: platforms are folded in.
    #expect(directory.count == 3)
  }

  @Test func `paths: cut at the circle, thinned, both directions once, from stop to stop without shapes`() throws {
    // A street 3 km long to the east, there and back, with a bend of 0.3 m and one of 50 m.
    func line(_ id: String, _ offset: Double, reversed: Bool) -> String {
      var points: [(Double, Double)] = []
      for place in 0...30 {
        let bend = place == 15 ? 0.00045 : place == 7 ? 0.000003 : 0.0
        points.append((57.7 + offset + bend, 11.95 + Double(place) * 0.0016))
      }
      if reversed { points.reverse() }
      return points.enumerated().map { "\(id),\($0.element.0),\($0.element.1),\($0.offset)\n" }.joined()
    }
    let feed = [
      "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + line("there", 0, reversed: false)
        + line("back", 0.00003, reversed: true),
      "trips.txt": "route_id,service_id,trip_id,shape_id\nR,D,T1,there\nR,D,T2,back\n",
      "stop_times.txt": """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,8:00:00,8:00:00,P1,1
      T1,8:05:00,8:05:00,B,2
      T2,8:00:00,8:00:00,B,1
      T2,8:05:00,8:05:00,P1,2

      """,
    ]
    let directory = try ScheduleDirectory(try FeedFolder(feed).imported().0)
    let place = Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 11.97)
    let found = try directory.paths(around: place, radius: 500)
    #expect(found.count == 1)
    let paths = try #require(found.first)
    #expect(paths.isExact && paths.paths.count == 1)
    let points = try #require(paths.paths.first)
    // Ends on the circle; the bend of 50 m kept, the one of 0.3 m not.
    #expect(points.count == 5)
    for end in [points[0], points[points.count - 1]] {
      let distance = greatCircleDistance(
        from: place,
        to: Geodetic(latitudeDegrees: end.latitude, longitudeDegrees: end.longitude)
      )
      #expect(abs(distance - 500) < 3)
    }
    var bare = feed
    bare["shapes.txt"] = nil
    bare["trips.txt"] = "route_id,service_id,trip_id\nR,D,T1\nR,D,T2\n"
    let straight = try ScheduleDirectory(try FeedFolder(bare).imported().0).paths(around: place, radius: 5000)
    #expect(straight.map(\.isExact) == [false])
    #expect(straight.first?.paths.count == 1 && straight.first?.paths[0].count == 2)
    #expect(try directory.paths(around: Geodetic(latitudeDegrees: 0, longitudeDegrees: 0), radius: 500).isEmpty)
  }
}
