extension Dimension {
  /// What keeps a world from being stored: numbers that nothing can be drawn with, addresses that lead nowhere or too far, texts
  /// and lists without measure.
  ///
  /// The model holds whatever its JSON form says. What is stored, however, is written in every format, for everybody, again and
  /// again; so it is judged once, where it comes in. A world without faults can be written in all formats.
  ///
  /// - Parameter limit: The most findings that are made.
  /// - Returns: Errors, with paths such as `places/ID/link`; none for a world that may be stored.
  public func faults(limit: Int = 20) -> [Problem] {
    var check = DimensionCheck(limit: limit)
    check.judge(self)
    return check.problems
  }
}

/// Which addresses may stand in a stored world.
public enum ContentAddress {
  /// Schemes that lead somewhere harmless when somebody follows them.
  public static let linkSchemes: Set<String> = [
    "http", "https", "gamaray", "tel", "mailto", "sms", "geo", "sightline",
  ]
  /// Schemes of what is fetched without anybody following it.
  public static let fetchedSchemes: Set<String> = ["http", "https", "gamaray", "sightline"]

  /// Whether an address is relative, and so on the same server, or has one of the schemes.
  public static func isUsable(_ url: String, schemes: Set<String> = linkSchemes) -> Bool {
    // Behind a slash, a question mark or a number sign a colon ends no scheme.
    guard let colon = url.firstIndex(of: ":"), !url[..<colon].contains(where: { "/?#".contains($0) }) else {
      return true
    }
    return schemes.contains(url[..<colon].lowercased())
  }
}

/// Gathers the faults of a world.
private struct DimensionCheck {
  let limit: Int
  var problems: [Problem] = []
  /// The largest number that means anything: a quarter of the way to the Moon in metres, three years in seconds.
  private static let largest = 1e8

  init(limit: Int) { self.limit = limit }

  private var isFull: Bool { problems.count >= limit }

  mutating func judge(_ dimension: Dimension) {
    text(dimension.name, "name", ContentLimits.name)
    text(dimension.language, "language", ContentLimits.category)
    text(dimension.summary, "summary")
    text(dimension.attribution, "attribution")
    translations(dimension.translations, "translations")
    if let range = dimension.radarRange, !(range > 0 && range <= Self.largest) {
      note("range", "radarRange", "The radar's radius has to be more than 0 metres, and not more than 100,000 km.")
    }
    number(dimension.refreshIntervalSeconds, "refreshIntervalSeconds", least: 0)
    number(dimension.refreshDistance, "refreshDistance", least: 0)
    address(dimension.refreshURL, "refreshURL", ContentAddress.fetchedSchemes)
    address(dimension.soundURL, "soundURL", ContentAddress.fetchedSchemes)
    for place in dimension.places where !isFull { judge(place, "places/\(shown(place.id ?? ""))") }
    for overlay in dimension.overlays where !isFull { judge(overlay, "overlays/\(shown(overlay.id ?? ""))") }
    for asset in dimension.assets where !isFull {
      let path = "assets/\(shown(asset.id))"
      text(asset.id, path + "/id", ContentLimits.name)
      text(asset.format, path + "/format", ContentLimits.name)
      address(asset.url, path)
    }
  }

  private mutating func judge(_ place: Place, _ path: String) {
    text(place.id, path + "/id", ContentLimits.name)
    text(place.title, path + "/title", ContentLimits.name)
    text(place.summary, path + "/summary")
    text(place.phone, path + "/phone", ContentLimits.name)
    if let position = place.position, !isOnEarth(position) {
      note("position.range", path, "\"\(shown(place.title))\" is nowhere on Earth. Put it on the map again.")
    }
    for number in [place.offset.east, place.offset.north, place.offset.up] { self.number(number, path + "/offset") }
    if let radius = place.visibilityRadius, !(radius > 0 && radius <= Self.largest) {
      note(
        "range",
        path,
        "The radius of \"\(shown(place.title))\" has to be more than 0 metres, and not more than 100,000 km."
      )
    }
    if let marker = place.marker, !marker.isUsable {
      note(
        "marker",
        path,
        "There is no marker \(marker.id) of \(shown(marker.dictionary)) with this size. Choose another."
      )
    }
    if let target = place.target {
      text(target.assetID, path + "/target", ContentLimits.name)
      if !TargetAnchor.widths.contains(target.width) {
        note("range", path + "/target", "The picture's width has to be from 0.01 to 200 metres. Correct it.")
      }
    }
    switch place.visual {
    case .text(let label): text(label, path + "/visual")
    case .image(let id): text(id, path + "/visual", ContentLimits.name)
    case .model(let id, let xRotation, let yRotation, let zRotation, let scale):
      text(id, path + "/visual", ContentLimits.name)
      for number in [xRotation, yRotation, zRotation, scale] { self.number(number, path + "/visual") }
    }
    if place.size?.isUsable == false {
      note("range", path + "/size", "Width and height have to be from 0.001 to 10,000 metres. Correct them.")
    }
    if place.attitude?.isUsable == false {
      note("range", path + "/attitude", "Heading, pitch and roll have to be from -360 to 360 degrees. Correct them.")
    }
    text(place.display?.feature, path + "/display/feature", ContentLimits.name)
    if place.display?.isUsable == false {
      note(
        "range",
        path + "/display",
        "Distances have to be from 0 to 100,000,000 metres, scaling has to go from near, above 0, to a larger far, by a factor of 0.001 "
          + "to 1000. Correct them."
      )
    }
    if let icon = place.icon {
      text(icon.assetID, path + "/icon", ContentLimits.name)
      if !icon.isUsable {
        note(
          "style",
          path + "/icon",
          "A sign has a colour such as #2060ff, an opacity from 0 to 1, a scale from 0.1 to 10 and a heading from -360 to 360. Correct it."
        )
      }
    }
    shapes(of: place, path)
    count(place.categories.count, path + "/categories", ContentLimits.categories, "categories")
    for category in place.categories { text(category, path + "/categories", ContentLimits.category) }
    count(place.showOnFocus.count, path + "/showOnFocus", ContentLimits.references, "overlays shown on focus")
    for id in place.showOnFocus { text(id, path + "/showOnFocus", ContentLimits.name) }
    for (name, value) in place.metadata.sorted(by: { $0.key < $1.key }) {
      text(name, path + "/metadata", ContentLimits.name)
      text(value, path + "/metadata/\(shown(name))")
    }
    translations(place.translations, path + "/translations")
    address(place.link, path + "/link")
    address(place.imageURL, path + "/imageURL")
    address(place.soundURL, path + "/soundURL")
    action(place.action, path + "/action")
  }

  private mutating func shapes(of place: Place, _ path: String) {
    for (index, shape) in (place.shapes ?? []).enumerated() where !isFull {
      let least = shape.kind == .line ? 2 : 3
      let isWhole = !shape.parts.isEmpty && shape.parts.allSatisfy { $0.count >= least }
      if !isWhole || (shape.kind == .line && shape.parts.count > 1) {
        note(
          "shape",
          path + "/shapes/\(index)",
          shape.kind == .line
            ? "A line is one part of two positions or more. Draw it again."
            : "The rings of an area have three positions or more. Draw it again."
        )
      }
      if !shape.parts.allSatisfy({ $0.allSatisfy(isOnEarth) }) {
        note("position.range", path + "/shapes/\(index)", "A corner is nowhere on Earth. Draw it again.")
      }
    }
    guard let style = place.shapeStyle else { return }
    for color in [style.stroke, style.fill] {
      if let color, ShapeStyle.color(color) == nil {
        note("style", path + "/shapeStyle", "\"\(shown(color))\" is no colour. Write one such as #2060ff.")
      }
    }
    for opacity in [style.strokeOpacity, style.fillOpacity] {
      if let opacity, !(0...1).contains(opacity) {
        note("style", path + "/shapeStyle", "An opacity has to be from 0 to 1. Correct it.")
      }
    }
    if let width = style.width, !(0...100).contains(width) {
      note("style", path + "/shapeStyle", "The width of lines has to be from 0 to 100 points. Correct it.")
    }
  }

  private mutating func judge(_ overlay: Overlay, _ path: String) {
    text(overlay.id, path + "/id", ContentLimits.name)
    number(overlay.x, path + "/x")
    number(overlay.y, path + "/y")
    action(overlay.action, path + "/action")
    translations(overlay.translations, path + "/translations")
    switch overlay.content {
    case .text(let words, let width):
      text(words, path + "/content")
      number(width, path + "/content", least: 0)
    case .image(let id): text(id, path + "/content", ContentLimits.name)
    case .html(let url, let width, let height):
      address(url, path + "/content")
      number(width, path + "/content", least: 0)
      number(height, path + "/content", least: 0)
    }
  }

  // MARK: Values

  private mutating func note(_ code: String, _ path: String, _ message: String) {
    if !isFull { problems.append(Problem(.error, code, line: nil, path: path, message: message)) }
  }

  private func isOnEarth(_ position: Position) -> Bool {
    (-90...90).contains(position.latitude) && (-180...180).contains(position.longitude)
      && (-Self.largest...Self.largest).contains(position.altitude ?? 0)
  }

  private mutating func number(_ value: Double, _ path: String, least: Double = -largest) {
    if !(value >= least && value <= Self.largest) {
      note(
        "range",
        path,
        "A number here has to be from \(least == 0 ? "0" : "-100,000,000") to 100,000,000. Correct it."
      )
    }
  }

  private mutating func text(_ value: String?, _ path: String, _ limit: Int = ContentLimits.text) {
    if let value, ContentLimits.cut(value, to: limit) != nil {
      note("text.long", path, "The text is longer than \(limit) characters. Shorten it.")
    }
  }

  private mutating func count(_ count: Int, _ path: String, _ limit: Int, _ what: String) {
    if count > limit { note("list.long", path, "There are \(count) \(what); \(limit) are possible. Use fewer.") }
  }

  private mutating func translations(_ texts: [String: Wording]?, _ path: String) {
    guard let texts else { return }
    count(texts.count, path, ContentLimits.languages, "languages")
    for (language, wording) in texts.sorted(by: { $0.key < $1.key }) where !isFull {
      text(language, path, ContentLimits.category)
      text(wording.title, path + "/\(shown(language))", ContentLimits.name)
      text(wording.summary, path + "/\(shown(language))")
      text(wording.text, path + "/\(shown(language))")
    }
  }

  private mutating func address(_ url: String?, _ path: String, _ schemes: Set<String> = ContentAddress.linkSchemes) {
    guard let url, !url.isEmpty else { return }
    text(url, path)
    if !ContentAddress.isUsable(url, schemes: schemes) {
      note("url.scheme", path, "\"\(shown(url))\" is no address that can be opened. Begin it with https://.")
    }
  }

  private mutating func action(_ action: Action?, _ path: String) {
    switch action {
    case .webPage(let url), .dimension(let url): address(url, path)
    case .refresh, nil: break
    }
  }

  /// The beginning of a text, for a message or a path.
  private func shown(_ text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))) }
}
