import SightlineContent

/// Where a hotspot is: at a position, on a picture, or around the user; none of them on a picture that is not known.
struct LayarAnchor {
  var position: Position?
  var target: TargetAnchor?
  var followsUser = false
}

extension LayarReader {
  /// The pictures of a picture layer by their keys.
  ///
  /// Layar keeps the pictures at its publishing site, and a response has only their keys. `url` and `width` (metres) of an entry are our
  /// own addition: they say what is looked for.
  static func referenceImages(_ root: JSONNode, _ collector: inout PlaceCollector) -> [String: TargetAnchor] {
    guard let node = root["referenceImages"], node.value != .null else { return [:] }
    let list = DocumentPath(root: "/referenceImages")
    guard case .array(let entries) = node.value else {
      collector.problems.refuse("referenceImages", node.kind, "an array", line: node.line, path: list)
      return [:]
    }
    var pictures: [String: TargetAnchor] = [:]
    for (index, entry) in entries.enumerated() {
      guard collector.problems.take(of: .steps, line: entry.line, path: list) else { break }
      let path = list.item(index)
      guard case .object = entry.value, let key = collector.text("key", of: entry) else {
        collector.problems.refuse("key", nil, "the name that hotspots give the picture", line: entry.line, path: path)
        continue
      }
      guard pictures[key] == nil else {
        collector.problems.add(
          .error,
          "id.duplicate",
          line: entry.line,
          path: path.child("key"),
          "The key \(quoted(key)) stands there twice. The first picture is meant; make keys differ."
        )
        continue
      }
      // How it lies among other pictures is not followed.
      if let transform = entry["transform"] {
        collector.ignore("transform of a reference image", line: transform.line, path: path.child("transform"))
      }
      guard let text = collector.text("url", of: entry) else { continue }
      guard let width = entry["width"]?.decimal, TargetAnchor.widths.contains(width) else {
        collector.problems.refuse(
          "The picture's width",
          entry["width"]?.text(limit: 100),
          "that of the whole picture in metres, 0.01 to 200",
          line: entry.line,
          path: path.child("width")
        )
        continue
      }
      guard let url = collector.address(text, isLink: false, line: entry.line, path: path.child("url")) else {
        continue
      }
      pictures[key] = TargetAnchor(
        assetID: collector.asset(url, format: nil, line: entry.line, path: path),
        width: width
      )
    }
    return pictures
  }

  /// Where a hotspot is; `nil` after a report.
  static func anchor(
    _ hotspot: JSONNode,
    _ pictures: [String: TargetAnchor],
    path: DocumentPath,
    _ collector: inout PlaceCollector
  ) -> LayarAnchor? {
    let anchorPath = path.child("anchor")
    func refuse(_ code: String, _ line: Int, _ message: String) {
      collector.problems.add(
        .error,
        code,
        line: line,
        path: anchorPath,
        "\(message) The hotspot is left out; correct it."
      )
    }
    guard let anchor = hotspot["anchor"] else {
      return oldPosition(hotspot, path: path, &collector).map { LayarAnchor(position: $0) }
    }
    if case .string(let text) = anchor.value {
      guard text.hasPrefix("geo:") else {
        refuse("field.type", anchor.line, "The anchor is \(quoted(text)), but must begin with geo: or be an object.")
        return nil
      }
      let numbers = text.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false).map {
        DecimalNumber.parse(String($0).trimmed)
      }
      guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
        numbers.count == 2 || numbers[2] != nil
      else {
        refuse(
          "field.type",
          anchor.line,
          "The anchor \(quoted(text)) must be geo:LATITUDE,LONGITUDE, with a height if known."
        )
        return nil
      }
      let altitude = numbers.count == 3 ? numbers[2] : nil
      return collector.position(
        latitude: latitude,
        longitude: longitude,
        altitude: altitude,
        line: anchor.line,
        path: anchorPath
      ).map { LayarAnchor(position: $0) }
    }
    let place = anchor["geolocation"]
    if place != nil, anchor["referenceImage"] != nil {
      refuse("field.type", anchor.line, "The anchor has a place and a picture; it must have one of them.")
      return nil
    }
    guard let place else {
      guard let image = anchor["referenceImage"] else {
        refuse("field.missing", anchor.line, "The anchor has neither geolocation nor referenceImage.")
        return nil
      }
      guard let key = image.plain else {
        refuse("field.type", image.line, "referenceImage is \(image.kind), but must be the key of a picture.")
        return nil
      }
      if let target = pictures[key] { return LayarAnchor(target: target) }
      collector.problems.add(
        .warning,
        "anchor.unsupported",
        line: image.line,
        path: anchorPath.child("referenceImage"),
        "What the picture \(quoted(key)) is lies at Layar's publishing site alone, so it is not looked for, and the place is in lists only. Add "
          + "{\"key\", \"url\", \"width\"} to referenceImages."
      )
      return LayarAnchor()
    }
    if place.plainText == "user" { return LayarAnchor(followsUser: true) }
    let geolocation = anchorPath.child("geolocation")
    let lost = "The hotspot is left out"
    guard let latitude = collector.number("lat", of: place, path: geolocation, consequence: lost),
      let longitude = collector.number("lon", of: place, path: geolocation, consequence: lost)
    else { return nil }
    return collector.position(
      latitude: latitude,
      longitude: longitude,
      altitude: place["alt"]?.decimal,
      line: place.line,
      path: geolocation
    ).map { LayarAnchor(position: $0) }
  }

  /// Versions before 6 put millionths of a degree into the hotspot.
  private static func oldPosition(
    _ hotspot: JSONNode,
    path: DocumentPath,
    _ collector: inout PlaceCollector
  ) -> Position? {
    guard let latitude = hotspot["lat"]?.decimal, let longitude = hotspot["lon"]?.decimal,
      abs(latitude) > 1000 || abs(longitude) > 1000
    else {
      collector.problems.add(
        .error,
        "field.missing",
        line: hotspot.line,
        path: path.child("anchor"),
        "anchor is missing. The hotspot is left out; add {\"geolocation\": {\"lat\", \"lon\"}}."
      )
      return nil
    }
    collector.problems.add(
      .warning,
      "format.old",
      line: hotspot.line,
      path: path,
      "lat and lon are taken for millionths of a degree, as before version 6. Write an anchor."
    )
    return collector.position(
      latitude: latitude / 1e6,
      longitude: longitude / 1e6,
      altitude: hotspot["alt"]?.decimal,
      line: hotspot.line,
      path: path
    )
  }
}
