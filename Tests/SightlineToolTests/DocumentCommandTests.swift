import Foundation
import Testing

/// `validate`, `convert` and `geo` as a user runs them.
@Suite struct DocumentCommandTests {
  private static let good = """
    <dimension version="1.0"><features><featureTxt id="a"><text>Pier</text>
    <location><lat>57.5</lat><lon>11.5</lon><alt>0</alt></location>
    <anchor>BC</anchor><showInRadar>true</showInRadar></featureTxt></features></dimension>
    """
  private static let warned = good.replacingOccurrences(of: "<showInRadar>true</showInRadar>", with: "")
  private static let wrong = good.replacingOccurrences(of: "57.5", with: "97.5")

  private func write(_ text: String, _ name: String, _ folder: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  @Test func `validate tells good from bad by exit status and says where`() async throws {
    try await Tool.inFolder { folder in
      try write(Self.good, "good.gddf", folder)
      try write(Self.wrong, "wrong.gddf", folder)
      let good = try await Tool.run("validate", "good.gddf", in: folder)
      #expect(good.status == 0)
      #expect(good.output == "good.gddf: valid (gddf, 1 place, 0 overlays), 0 errors, 0 warnings\n")
      let both = try await Tool.run("validate", "good.gddf", "wrong.gddf", in: folder)
      #expect(both.status == 1)
      #expect(both.output.contains("\nwrong.gddf:2: error D010 lat is \"97.5\", but must be a latitude"))
      #expect(both.errors.isEmpty)
    }
  }

  @Test func `strict counts warnings too`() async throws {
    try await Tool.inFolder { folder in
      try write(Self.warned, "a.gddf", folder)
      #expect(try await Tool.run("validate", "a.gddf", in: folder).status == 0)
      #expect(try await Tool.run("validate", "--strict", "a.gddf", in: folder).status == 1)
    }
  }

  @Test func `validate as JSON gives one object a file, one a line, whatever the file is`() async throws {
    try await Tool.inFolder { folder in
      try write(Self.good, "good.gddf", folder)
      try write("", "empty.xml", folder)
      let files = ["good.gddf", "empty.xml", "missing.gddf", "."]
      let outcome = try await Tool.run(
        "validate",
        "--format",
        "json",
        files[0],
        files[1],
        files[2],
        files[3],
        in: folder
      )
      #expect(outcome.status == 1)
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 4)
      for (line, file) in zip(lines, files) {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(object.keys) == ["file", "format", "valid", "problems", "dimension"])
        #expect(object["file"] as? String == file)
        #expect(object["valid"] as? Bool == (file == "good.gddf"))
      }
      #expect(lines[2].contains("\"code\":\"file.unreadable\""))
    }
  }

  @Test func `the axes option and its variable turn the offsets`() async throws {
    try await Tool.inFolder { folder in
      try write(Self.good.replacingOccurrences(of: "<anchor>", with: "<yLoc>7</yLoc><anchor>"), "a.gddf", folder)
      func offset(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> String {
        let first = arguments.first ?? "--format=json"
        let outcome = try await Tool.run("validate", first, "--format", "json", "a.gddf", in: folder, variables)
        let start = try #require(outcome.output.range(of: "\"offset\":"))
        return String(outcome.output[start.upperBound...].prefix { $0 != "}" })
      }
      #expect(try await offset([]) == "{\"east\":0,\"north\":7,\"up\":0")
      #expect(try await offset(["--axes=gamaray"]) == "{\"east\":0,\"north\":0,\"up\":7")
      #expect(try await offset([], ["SIGHTLINE_AXES": "gamaray"]) == "{\"east\":0,\"north\":0,\"up\":7")
      #expect(try await offset(["--axes=enu"], ["SIGHTLINE_AXES": "gamaray"]) == "{\"east\":0,\"north\":7,\"up\":0")
      let wrong = try await Tool.run("validate", "a.gddf", in: folder, ["SIGHTLINE_AXES": "xyz"])
      #expect(wrong.status == 64 && wrong.errors.contains("SIGHTLINE_AXES"))
    }
  }

  @Test func `convert writes what validate accepts, and names what is lost`() async throws {
    try await Tool.inFolder { folder in
      try write(Self.good, "a.gddf", folder)
      for name in ["b.geojson", "c.area.xml", "d.gddf"] {
        let outcome = try await Tool.run("convert", "a.gddf", "-o", name, in: folder)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.contains("\(name): 1 place, 0 overlays"))
        #expect(try await Tool.run("validate", name, in: folder).status == 0)
      }
      let piped = try await Tool.run("convert", "a.gddf", "--to", "geojson", in: folder)
      #expect(piped.output.contains("\"coordinates\": [11.5, 57.5, 0]"))
      try write(
        Self.good.replacingOccurrences(of: "<anchor>", with: "<onPress>refresh</onPress><anchor>"),
        "e.gddf",
        folder
      )
      let lossy = try await Tool.run("convert", "e.gddf", "--to", "area", in: folder)
      #expect(lossy.status == 0 && lossy.errors.contains("[writer.dropped]"))
    }
  }

  @Test func `convert writes heights over what the format counts from, and says what old clients do not take`()
    async throws
  {
    try await Tool.inFolder { folder in
      try write(
        """
        {"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [9.9912, 48.3984, 530]},
        "properties": {"title": "Minster", "model": {"url": "https://e.org/minster.glb"}}}
        """,
        "a.geojson",
        folder
      )
      let outcome = try await Tool.run("convert", "a.geojson", "--to", "gddf", in: folder)
      // EGM96 has the sea 47.3 m over the ellipsoid there.
      let altitude = outcome.output.firstMatch(of: /<alt>([0-9.]+)<\/alt>/).flatMap { Double($0.1) }
      #expect(abs((altitude ?? 0) - 482.7) < 0.3, "\(outcome.output)")
      #expect(outcome.errors.contains("written over the sea (1)") && outcome.errors.contains("[writer.portable]"))
      let kmz = try await Tool.run("convert", "a.geojson", "-o", "a.kmz", in: folder)
      #expect(kmz.status == 0 && kmz.errors.contains("written over the sea (1)"), "\(kmz.errors)")
    }
  }

  @Test func `convert packs a world with its files, and what is packed is read again`() async throws {
    try await Tool.inFolder { folder in
      let pictures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/pictures")
      try FileManager.default.createDirectory(atPath: folder + "/more pictures", withIntermediateDirectories: true)
      for (from, to) in [("colors.png", "pier.png"), ("baseline.jpg", "more pictures/mill.jpg")] {
        try FileManager.default.copyItem(
          at: pictures.appendingPathComponent(from),
          to: URL(fileURLWithPath: folder + "/" + to)
        )
      }
      let placemarks = [
        ("Pier", "pier.png"), ("Mill", "more%20pictures/mill.jpg"), ("Again", "pier.png"), ("Gone", "gone.png"),
        ("Text", "a.kml"), ("Out", "../secret.png"), ("Far", "https://example.org/far.png"),
      ].enumerated().map { number, place in
        "<Placemark><name>\(place.0)</name><ExtendedData><Data name=\"image\"><value>\(place.1)</value></Data></ExtendedData>"
          + "<Point><coordinates>11.\(number),57.5</coordinates></Point></Placemark>"
      }
      try write(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\(placemarks.joined())</Document></kml>",
        "a.kml",
        folder
      )
      let packed = try await Tool.run("convert", "a.kml", "--output", "world.kmz", in: folder)
      #expect(packed.status == 0, "\(packed.errors)")
      #expect(packed.errors.contains("gone.png") && packed.errors.contains("a.kml is left out"), "\(packed.errors)")
      #expect(packed.errors.contains("world.kmz: 7 places, 0 overlays (kmz)"))
      let bytes = try #require(FileManager.default.contents(atPath: folder + "/world.kmz"))
      #expect(bytes.prefix(2) == Data("PK".utf8))
      #expect(
        try await Tool.run("validate", "world.kmz", in: folder).output.contains("world.kmz: valid (kml, 7 places")
      )
      // The same file gives the same archive, on standard output too.
      let piped = try await Tool.run("convert", "a.kml", "--to", "kmz", "-o", "again.kmz", in: folder)
      #expect(piped.status == 0 && FileManager.default.contents(atPath: folder + "/again.kmz") == bytes)
      // Elsewhere, with nothing beside it but itself: packed anew it has the same files.
      try FileManager.default.createDirectory(atPath: folder + "/elsewhere", withIntermediateDirectories: true)
      try bytes.write(to: URL(fileURLWithPath: folder + "/elsewhere/world.kmz"))
      let anew = try await Tool.run("convert", "elsewhere/world.kmz", "-o", "elsewhere/anew.kmz", in: folder)
      #expect(anew.status == 0 && !anew.errors.contains("left out: pier.png"), "\(anew.errors)")
      #expect(FileManager.default.contents(atPath: folder + "/elsewhere/anew.kmz") == bytes)
    }
  }

  @Test func `convert refuses what it cannot read or place`() async throws {
    try await Tool.inFolder { folder in
      try write("<other/>", "a.xml", folder)
      let unknown = try await Tool.run("convert", "a.xml", "--to", "gddf", in: folder)
      #expect(unknown.status == 1 && unknown.errors.contains("format.unknown") && unknown.output.isEmpty)
      #expect(try await Tool.run("convert", "missing", "--to", "gddf", in: folder).errors.contains("does not exist"))
      #expect(try await Tool.run("convert", "a.xml", in: folder).status == 64)
      try write(Self.good, "b.gddf", folder)
      let nowhere = try await Tool.run("convert", "b.gddf", "-o", "no/such/folder.geojson", in: folder)
      #expect(nowhere.status == 1 && nowhere.errors.contains("cannot be written"))
    }
  }

  /// Two rows of the World Magnetic Model's published test values, rounded there to 0.01°.
  @Test(arguments: [
    (["--lat=80", "--lon=0", "--alt=0", "--date=2025.0"], 1.28),
    (["--lat", "-80", "--lon=-120", "--alt", "0", "--date=2025"], 68.78),
  ])
  func `geo declination prints degrees`(arguments: [String], degrees: Double) async throws {
    try await Tool.inFolder { folder in
      let all = ["geo", "declination"] + arguments
      let process = Tool.process(all, in: folder)
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let value = try #require(Double(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)))
      #expect(abs(value - degrees) < 0.0051, "\(value)")
    }
  }

  @Test func `geo computes distance, bearing and east-north-up`() async throws {
    try await Tool.inFolder { folder in
      // A hundredth of a degree along the equator: 6371008.8 m · π / 18000.
      let distance = try await Tool.run("geo", "distance", "--from", "0,0", "--to=0,0.01", in: folder)
      #expect(distance.output == "1111.951\n")
      #expect(try await Tool.run("geo", "bearing", "--from", "0,0", "--to=0,-1", in: folder).output == "270.000000\n")
      #expect(try await Tool.run("geo", "bearing", "--from", "-5,7", "--to=5,7", in: folder).output == "0.000000\n")
      let up = try await Tool.run("geo", "enu", "--from", "-33,151,5", "--to", "-33,151,12.5", in: folder)
      #expect(up.output == "0.0000 0.0000 7.5000\n")
    }
  }

  @Test func `geo says what is wrong with positions and dates`() async throws {
    try await Tool.inFolder { folder in
      let same = try await Tool.run("geo", "bearing", "--from", "1,1", "--to=1,1", in: folder)
      #expect(same.status == 1 && same.errors.contains("no bearing"))
      for position in ["91,0", "0,400", "1", "1,2,3,4", "a,b", "48,4,9,9,1"] {
        let outcome = try await Tool.run("geo", "distance", "--from", position, "--to=1,1", in: folder)
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(position)")
      }
      let late = try await Tool.run("geo", "declination", "--lat=1", "--lon=2", "--date=2031", in: folder)
      #expect(late.status == 1 && late.errors.contains("2025.0 to 2030.0"), "\(late.errors)")
    }
  }
}
