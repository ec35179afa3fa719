import SightlineContent

// The parts of a dimension that are not items: refresh rules, sound, shared locations and assets.
extension GDDFReader {
  mutating func readRefreshTime(_ fields: GDDFFields, into dimension: inout Dimension) {
    guard let (inside, container) = joined("refreshTime", of: fields, scalars: ["validFor", "waitForAssets"]) else {
      return
    }
    if !hasRefreshURL {
      reportMissingRefreshURL("refreshTime has no effect", line: container.element.line, path: container.path)
    }
    let milliseconds = number(
      "validFor",
      of: inside,
      form: "a number of milliseconds, 0 or more",
      consequence: "It counts as never",
      where: { $0 >= 0 }
    )
    dimension.refreshIntervalSeconds = (milliseconds ?? 0) / 1000
    checkInterval(milliseconds, inside)
    _ = boolean("waitForAssets", of: inside, default: false)
    if !inside.has("waitForAssets") {
      problems.add(
        .warning,
        "D014",
        line: inside.line,
        path: inside.path.child("waitForAssets"),
        "waitForAssets is missing. The original Android client then counts the time from when all assets are loaded; "
          + "write <waitForAssets>false</waitForAssets>."
      )
    }
  }

  private mutating func checkInterval(_ milliseconds: Double?, _ fields: GDDFFields) {
    let scalar = fields.last("validFor")
    let finding: String
    switch milliseconds {
    case nil where scalar == nil: finding = "is missing, which some programs read as never and others as 30 seconds"
    case nil: return
    case 0?: finding = "is 0, which some programs read as never and others as always"
    case let value? where value.rounded() != value || scalar?.text.contains(where: { !$0.isNumber }) == true:
      finding = "is not a whole number; the original Android client refuses the document"
    case let value? where value < 1000: finding = "is below 1000, less than a second; programs may wait longer"
    default: return
    }
    problems.add(
      .warning,
      "D011",
      line: scalar?.line ?? fields.line,
      path: scalar?.path ?? fields.path.child("validFor"),
      "validFor \(finding). Write whole milliseconds, 1000 or more, or leave refreshTime out."
    )
  }

  mutating func readRefreshDistance(_ fields: GDDFFields, into dimension: inout Dimension) {
    guard let (inside, container) = joined("refreshDistance", of: fields, scalars: ["validWithinRange"]) else { return }
    if !hasRefreshURL {
      reportMissingRefreshURL("refreshDistance has no effect", line: container.element.line, path: container.path)
    }
    let metres = number(
      "validWithinRange",
      of: inside,
      form: "a number of metres, 0 or more",
      consequence: "It counts as never",
      where: { $0 >= 0 }
    )
    dimension.refreshDistance = metres ?? 0
    let scalar = inside.last("validWithinRange")
    guard metres == 0 || scalar == nil else { return }
    problems.add(
      .warning,
      "D012",
      line: scalar?.line ?? inside.line,
      path: scalar?.path ?? inside.path.child("validWithinRange"),
      "validWithinRange is \(scalar == nil ? "missing" : "0"), which some programs read as never and others not. Write "
        + "metres above 0, or leave refreshDistance out."
    )
  }

  mutating func sound(_ fields: GDDFFields) -> String? {
    guard let (inside, container) = joined("playSound", of: fields, scalars: ["url"]) else { return nil }
    noteRarity("playSound", line: container.element.line, path: container.path)
    guard let scalar = inside.last("url"), !scalar.text.isEmpty else {
      reportMissing("url", of: inside, consequence: "The sound is left out")
      return nil
    }
    let address = url(scalar.text, .sound, line: scalar.line, path: scalar.path)
    reportRepeated("url", of: inside, value: address)
    return address
  }

  /// The children of all containers of a name as if they stood in one.
  private mutating func joined(
    _ name: String,
    of fields: GDDFFields,
    scalars: Set<String>
  ) -> (GDDFFields, GDDFFields.Container)? {
    guard let containers = fields.containers[name], let last = containers.last else { return nil }
    var result = GDDFFields(line: last.element.line, path: last.path)
    for container in containers {
      let inside = self.fields(of: container.element, path: container.path, scalars: scalars)
      for (name, values) in inside.scalars { result.scalars[name, default: []] += values }
      result.repeated.merge(inside.repeated) { first, _ in first }
    }
    return (result, last)
  }

  mutating func readLocations(_ fields: GDDFFields) {
    _ = items(of: "locations", in: fields, kinds: ["location"]) { reader, element, path -> Bool? in
      let position = reader.position(element, path: path, attributes: ["id"])
      guard let id = reader.identifier(of: element, path: path) else {
        reader.reportMissing(
          "@id",
          of: GDDFFields(line: element.line, path: path),
          consequence: "Nothing can refer to this location, so it is left out"
        )
        return nil
      }
      // The last of equal identifiers wins, but a usable one is not lost to an unusable one.
      if position != nil || reader.locations[id] == nil {
        reader.locations[id] = Shared(value: position, line: element.line, path: path)
      }
      return true
    }
  }

  mutating func position(_ element: LocatedElement, path: DocumentPath, attributes: Set<String>) -> Position? {
    let fields = fields(of: element, path: path, scalars: ["lat", "lon", "alt"], attributes: attributes)
    let consequence = "The location cannot be used"
    let latitude = number(
      "lat",
      of: fields,
      form: "a latitude from -90 to 90 degrees",
      consequence: consequence,
      where: { abs($0) <= 90 }
    )
    let longitude = number(
      "lon",
      of: fields,
      form: "a longitude from -180 to 180 degrees",
      consequence: consequence,
      where: { abs($0) <= 180 }
    )
    let altitude = number("alt", of: fields, form: "a number of metres", consequence: "0 is used")
    if !fields.has("lat") { reportMissing("lat", of: fields, consequence: consequence) }
    if !fields.has("lon") { reportMissing("lon", of: fields, consequence: consequence) }
    guard let latitude, let longitude else { return nil }
    // 0 is the format's default, not "unknown": both original clients use it.
    return Position(latitude: latitude, longitude: longitude, altitude: altitude ?? 0)
  }

  mutating func readAssets(_ fields: GDDFFields) -> [Asset] {
    var order: [String] = []
    _ = items(of: "assets", in: fields, kinds: ["asset"]) { reader, element, path -> Bool? in
      let inside = reader.fields(of: element, path: path, scalars: ["url", "format"], attributes: ["id"])
      let id = reader.identifier(of: element, path: path)
      if id == nil {
        reader.reportMissing("@id", of: inside, consequence: "Nothing can refer to this asset, so it is left out")
      }
      let format = reader.format(inside)
      var url: String?
      for scalar in inside.scalars["url"] ?? [] where !scalar.text.isEmpty {
        if let usable = reader.url(scalar.text, .asset, line: scalar.line, path: scalar.path) { url = usable }
      }
      reader.reportRepeated("url", of: inside, value: url)
      if inside.scalars["url"]?.contains(where: { !$0.text.isEmpty }) != true {
        reader.reportMissing("url", of: inside, consequence: "The asset is left out")
      }
      guard let id else { return nil }
      let asset = url.map { Asset(id: id, url: $0, format: format) }
      if let asset, !reader.problems.admit(asset, line: element.line, path: path) { return nil }
      if asset != nil || reader.assets[id] == nil {
        if asset != nil { order.append(id) }
        reader.assets[id] = Shared(value: asset, line: element.line, path: path)
      }
      return true
    }
    // Of equal identifiers the last one stands, and there.
    var seen: Set<String> = []
    let last = order.reversed().filter { seen.insert($0).inserted }
    return last.reversed().compactMap { assets[$0]?.value }
  }

  private mutating func format(_ fields: GDDFFields) -> String? {
    guard let scalar = fields.last("format"), !scalar.text.isEmpty else {
      reportMissing("format", of: fields, consequence: "The original Android client refuses the document")
      return nil
    }
    if !["PNG", "JPG", "GAMA3D"].contains(scalar.text) {
      problems.add(
        .error,
        "D036",
        line: scalar.line,
        path: scalar.path,
        "format is \(quoted(scalar.text)), but must be PNG, JPG or GAMA3D in capitals; the original Android client "
          + "refuses the document. The kind is decided from the data here; correct it for other programs."
      )
    }
    return scalar.text
  }
}
