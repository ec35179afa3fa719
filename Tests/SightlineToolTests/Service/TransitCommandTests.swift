import Foundation
import Testing

/// `sightline transit` as it is used: import, validate, near, departures with realtime, roll back, and what is refused.
@Suite(.timeLimit(.minutes(10))) struct TransitCommandTests {
  private static let feed = [
    "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,http://example.org,Europe/Stockholm\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nR,A,7,Long,3\n",
    "stops.txt": """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone
    ST,Central,57.70,11.97,1,,
    P1,Central 1,57.70,11.97,0,ST,
    B,Brunnsparken,57.7066,11.9685,0,,
    C,Chalmers,57.6896,11.9735,0,,America/New_York

    """,
    "calendar_dates.txt": "service_id,date,exception_type\nW,20260302,1\n",
    "trips.txt": "route_id,service_id,trip_id,trip_headsign\nR,W,T1,Chalmers\nR,W,T2,Back\nR,W,T3,Often\n",
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence
    T1,8:00:00,8:00:00,P1,1
    T1,8:05:00,8:06:00,B,2
    T1,8:15:00,8:15:00,C,3
    T2,24:10:00,24:10:00,C,1
    T2,24:20:00,24:20:00,B,2
    T3,0:00:00,0:00:00,B,1
    T3,0:05:00,0:05:00,C,2

    """,
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nT3,9:00:00,9:20:00,600,1\n",
  ]
  private static let eight = 1_772_434_800  // 2026-03-02T08:00+01:00

  private static func write(_ files: [String: String], _ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
  }

  private static func list(_ outcome: Tool.Outcome) throws -> [[String: Any]] {
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
  }

  @Test func `lines at intervals are listed after the departures`() async throws {
    try await Tool.inFolder { folder in
      var feed = Self.feed
      // Two trips at one headway are one line of the list; one at stated times is none.
      feed["frequencies.txt"] = """
        trip_id,start_time,end_time,headway_secs,exact_times
        T3,8:00:00,9:30:00,300,0
        T4,8:00:00,9:30:00,300,0

        """
      feed["trips.txt", default: ""] += "R,W,T4,Often\n"
      feed["stop_times.txt", default: ""] =
        feed["stop_times.txt", default: ""].trimmingCharacters(in: .newlines)
        + "\nT4,0:00:00,0:00:00,B,1\nT4,0:05:00,0:05:00,C,2\n"
      try Self.write(feed, folder + "/feed")
      #expect(try await Tool.run("transit", "import", "feed", "--into", "city.schedule", in: folder).status == 0)
      let question = [
        "transit", "departures", "--schedule", "city.schedule", "--stop", "B", "--at",
      ]
      let text = try await Tool.run(question + ["\(Self.eight)"], in: folder)
      #expect(text.output == "08:06        7  Chalmers\nevery 5 min  7  Often (08:00 to 09:30)\n")
      let rows = try Self.list(try await Tool.run(question + ["\(Self.eight)", "--format", "json"], in: folder))
      #expect(rows.map { $0["state"] as? String } == ["scheduled", "interval"])
      let row = try #require(rows.last)
      #expect(row["headway"] as? Int == 300 && row["line"] as? String == "7" && row["headsign"] as? String == "Often")
      #expect(row["from"] as? Int == Self.eight && row["until"] as? Int == Self.eight + 5400)
      // Outside of the hours there is nothing to say.
      let later = try await Tool.run(question + ["\(Self.eight + 7200)"], in: folder)
      #expect(!later.output.contains("every"))
    }
  }

  @Test func `from a feed to departures`() async throws {
    try await Tool.inFolder { folder in
      try Self.write(Self.feed, folder + "/feed")
      let made = try await Tool.run("transit", "import", "feed", "--into", "city.schedule", in: folder)
      #expect(made.status == 0 && made.output.isEmpty)
      #expect(made.errors == "feed: 4 stops, 1 route, 3 trips, 7 stop times\n")
      let checked = try await Tool.run("transit", "validate", "feed", in: folder)
      #expect(checked.status == 0 && checked.errors == made.errors)

      let near = try Self.list(
        try await Tool.run(
          "transit",
          "near",
          "--schedule",
          "city.schedule",
          "--at",
          "57.7,11.97",
          "--limit",
          "2",
          "--format",
          "json",
          in: folder
        )
      )
      #expect(near.map { $0["id"] as? String } == ["ST", "B"])
      #expect(near[0]["distance"] as? Double == 0)

      func departures(_ more: String...) async throws -> Tool.Outcome {
        try await Tool.run(["transit", "departures", "--schedule", "city.schedule"] + more, in: folder)
      }
      let rows = try Self.list(
        try await departures("--stop", "ST,B", "--at", "\(Self.eight)", "--horizon", "7200", "--format", "json")
      )
      #expect(rows.map { $0["time"] as? Int } == [0, 360, 3600, 4200].map { Self.eight + $0 })
      #expect(rows.map { $0["stop"] as? String } == ["P1", "B", "B", "B"])
      #expect(rows.map { $0["start"] as? Int } == [nil, nil, 32_400, 33_000])
      #expect(
        rows.allSatisfy {
          $0["predicted"] is NSNull && $0["source"] as? String == "none" && $0["line"] as? String == "7"
            && $0["serviceDate"] as? String == "2026-03-02"
        }
      )
      #expect(rows.map { $0["sequence"] as? Int } == [1, 2, 1, 1])

      // Two minutes late from the first stop on.
      let message = try #require(
        Data(base64Encoded: "CgsKAzIuMBjw6pTNBhIdCgFlGhgKDgoCVDEaCDIwMjYwMzAyEgYIARoCCHg=")
      )
      try message.write(to: URL(fileURLWithPath: folder + "/delays.pb"))
      let live = try await departures(
        "--stop",
        "B",
        "--at",
        "\(Self.eight + 400)",
        "--realtime",
        "delays.pb",
        "--format",
        "json"
      )
      let row = try #require(try Self.list(live).first)
      #expect(row["predicted"] as? Int == Self.eight + 480 && row["source"] as? String == "propagated")
      #expect(row["time"] as? Int == Self.eight + 360 && row["state"] as? String == "live")

      // After midnight, in the time of the stop, which is another one than the feed's.
      let text = try await departures("--stop", "C", "--at", "\(Self.eight + 16 * 3600)")
      #expect(text.output == "18:10        7  Back\n")
      let outside = try await departures("--stop", "C", "--at", "\(Self.eight + 30 * 86_400)")
      #expect(outside.output.isEmpty && outside.errors.contains("2026-03-02"))
      for (arguments, words) in [
        (["--stop", "X"], "no stop \"X\""), (["--stop", "B", "--horizon", "0"], "--horizon"),
        (["--stop", "B", "--realtime", "feed/stops.txt"], "no GTFS-Realtime message"),
        (["--stop", "B", "--realtime", "none.pb"], "none.pb cannot be read"),
      ] {
        let all = ["transit", "departures", "--schedule", "city.schedule"] + arguments
        let refused = try await Tool.run(all, in: folder)
        #expect(refused.status != 0 && refused.errors.contains(words), "\(refused.errors)")
      }
    }
  }

  @Test func `an import is taken back, and a faulty one changes nothing`() async throws {
    try await Tool.inFolder { folder in
      try Self.write(Self.feed, folder + "/feed")
      func run(_ command: String, _ arguments: String) async throws -> Tool.Outcome {
        try await Tool.run("transit", command, arguments, in: folder)
      }
      func stops() async throws -> Int {
        try Self.list(
          try await Tool.run(
            "transit",
            "near",
            "--schedule",
            "city.schedule",
            "--at=57.7,11.97",
            "--format",
            "json",
            in: folder
          )
        ).count
      }
      let nothing = try await run("rollback", "city.schedule")
      #expect(nothing.status != 0)
      #expect(try await Tool.run("transit", "import", "feed", "--into", "city.schedule", in: folder).status == 0)
      #expect(try await stops() == 3)
      var changed = Self.feed
      changed["stops.txt", default: ""] += "D,Domkyrkan,57.7045,11.9635,0,,\n"
      try Self.write(changed, folder + "/feed")
      #expect(try await Tool.run("transit", "import", "feed", "--into", "city.schedule", in: folder).status == 0)
      #expect(try await stops() == 4)
      #expect(try await run("rollback", "city.schedule").status == 0)
      #expect(try await stops() == 3)
      #expect(try await run("rollback", "city.schedule").status == 0)
      #expect(try await stops() == 4)

      // More than a fifth of the stops gone: refused with the way to do it all the same.
      var lost = Self.feed
      lost["stops.txt"] = Self.feed["stops.txt"]?.replacingOccurrences(of: "ST,Central,57.70,11.97,1,,\n", with: "")
      try Self.write(lost, folder + "/feed")
      let refused = try await Tool.run("transit", "import", "feed", "--into", "city.schedule", in: folder)
      #expect(refused.status != 0 && refused.errors.contains("--force"), "\(refused.errors)")
      #expect(try await stops() == 4)
      // A broken row is named with its file and line; validate says so by its status.
      var broken = Self.feed
      broken["stop_times.txt", default: ""] += (0..<200).map {
        "T1,9:\(10 + $0 / 20):00,9:\(10 + $0 / 20):00,B,\(10 + $0)\n"
      }.joined()
      broken["stop_times.txt", default: ""] += "T1,8:61:00,8:20:00,B,999\n"
      try Self.write(broken, folder + "/feed")
      let checked = try await run("validate", "feed")
      #expect(checked.status == 1)
      #expect(checked.errors.contains("stop_times.txt:209: error: \"8:61:00\" is no time"), "\(checked.errors)")
      try FileManager.default.removeItem(atPath: folder + "/feed/stop_times.txt")
      let without = try await run("validate", "feed")
      #expect(without.status == 1 && without.errors.contains("no stop_times.txt"), "\(without.errors)")
      let none = try await run("validate", "nowhere.zip")
      #expect(none.status == 1 && none.errors.contains("nowhere.zip is not there"))
      let small = try await Tool.run("transit", "validate", "feed", "--largest-archive", "0", in: folder)
      #expect(small.status == 64 && small.errors.contains("--largest-archive"))
    }
  }
}
