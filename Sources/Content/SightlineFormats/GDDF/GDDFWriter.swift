public import SightlineContent

/// Writes GDDF in the portable profile as far as the world allows: every value without white space, explicit altitude,
/// anchor, `showInRadar` and `format`, so that both original clients read the document alike.
public enum GDDFWriter {
  /// Writes a world.
  ///
  /// Reading the document again gives the same world, but for what the findings name.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var state = State(dimension, options: options)
    state.write()
    return Writing(bytes: state.xml.bytes, problems: state.losses.problems)
  }

  fileprivate struct State {
    let dimension: Dimension
    let options: WritingOptions
    var xml = XMLTextWriter()
    var losses = LossList(format: "GDDF")
    let isRelative: Bool
    /// Stands in for a missing absolute altitude: the middle one of the others.
    let usualAltitude: Double

    init(_ dimension: Dimension, options: WritingOptions) {
      self.dimension = dimension
      self.options = options
      let placed = dimension.places.filter { $0.position != nil }
      let absolute = placed.filter { !State.isRelative($0) }
      // The document has one setting for all; the one that suits more places wins.
      isRelative = placed.isEmpty ? dimension.relativeAltitude : placed.count - absolute.count > absolute.count
      let altitudes = absolute.compactMap { $0.position?.altitude }.sorted()
      usualAltitude = altitudes.isEmpty ? 0 : altitudes[altitudes.count / 2]
    }

    static func isRelative(_ place: Place) -> Bool {
      place.altitudeMode == .eye || place.altitudeMode == .ground || place.position?.altitude == nil
    }
  }
}

extension GDDFWriter.State {
  fileprivate mutating func write() {
    losses.dropFields(of: dimension, except: ["name", "radar", "refresh", "sound", "assets", "overlays"])
    xml.begin("dimension", [("version", "1.0")])
    if let name = dimension.name { text("name", name) }
    xml.element("radarRange", dimension.radarRange)
    // The default is left out: not every client knows the element.
    if !dimension.radarAvailable { xml.element("radarAvailable", false) }
    xml.element("relativeAltitude", isRelative)
    if let url = dimension.soundURL {
      xml.begin("playSound")
      text("url", absolute(url, options))
      xml.end()
    }
    if let url = dimension.refreshURL { text("refreshUrl", absolute(url, options)) }
    refreshRules()
    container("assets", dimension.assets) { $0.asset($1) }
    container("features", dimension.places) { $0.place($1) }
    container("overlays", dimension.overlays) { $0.overlay($1) }
    xml.end()
    losses.drop("characters that XML does not allow", xml.droppedCharacters)
  }

  private mutating func container<Item>(_ name: String, _ items: [Item], _ write: (inout Self, Item) -> Void) {
    guard !items.isEmpty else { return }
    xml.begin(name)
    for item in items { write(&self, item) }
    xml.end()
  }

  /// A text without the white space at its ends, which readers trim.
  private mutating func text(_ name: String, _ value: String) {
    if value != value.trimmed { losses.drop("white space at the ends of texts") }
    xml.element(name, value.trimmed)
  }

  private mutating func refreshRules() {
    if dimension.refreshIntervalSeconds > 0 {
      let milliseconds = dimension.refreshIntervalSeconds * 1000
      let whole = max(1, milliseconds.rounded())
      // Only whole milliseconds are portable.
      if whole / 1000 != dimension.refreshIntervalSeconds { losses.drop("parts of a millisecond") }
      xml.begin("refreshTime")
      xml.element("validFor", whole)
      xml.element("waitForAssets", false)
      xml.end()
    }
    if dimension.refreshDistance > 0 {
      xml.begin("refreshDistance")
      xml.element("validWithinRange", dimension.refreshDistance)
      xml.end()
    }
  }

  private mutating func asset(_ asset: Asset) {
    xml.begin("asset", [("id", asset.id)])
    // The original Android client demands the format.
    if let format = asset.format ?? formatByEnding(asset.url) { text("format", format) }
    text("url", absolute(asset.url, options))
    xml.end()
  }

  private func formatByEnding(_ url: String) -> String? {
    let path = URLReference(url).path.lowercased()
    if path.hasSuffix(".png") { return "PNG" }
    return path.hasSuffix(".jpg") || path.hasSuffix(".jpeg") ? "JPG" : nil
  }

  private mutating func place(_ place: Place) {
    guard place.position != nil || place.marker != nil || place.target != nil else {
      return losses.drop("places without a position")
    }
    var held: Set = ["marker", "target", "offset", "pivot", "action", "showInRadar", "showOnFocus"]
    if case .text = place.visual {} else { held.formUnion(["size", "attitude"]) }
    var action = place.action
    if action == nil, let link = place.link {
      // A tap on the label is the nearest thing to a link.
      action = .webPage(link)
      held.insert("link")
    }
    losses.dropFields(of: place, except: held)
    switch place.visual {
    case .text: xml.begin("featureTxt", [("id", place.id)])
    case .image: xml.begin("featureImg", [("id", place.id)])
    case .model: xml.begin("feature3d", [("id", place.id)])
    }
    if place.title != GDDFReader.title(of: place.visual, id: place.id) { losses.drop("titles unlike the label") }
    switch place.visual {
    case .text(let label): text("text", label)
    case .image(let assetID): text("assetId", assetID)
    case .model(let assetID, let xRotation, let yRotation, let zRotation, let scale):
      text("assetId", assetID)
      xml.element("xRot", xRotation)
      xml.element("yRot", yRotation)
      xml.element("zRot", zRotation)
      xml.element("scale", scale)
    }
    if let position = place.position {
      xml.begin("location")
      xml.element("lat", position.latitude)
      xml.element("lon", position.longitude)
      xml.element("alt", altitude(of: place, position))
      xml.end()
    }
    if let marker = place.marker {
      let id = String(marker.id)
      let length = DecimalNumber.text(marker.length)
      var attributes = [("dictionary", marker.dictionary), ("id", id), ("length", length)]
      for (name, value) in [("facing", marker.facing), ("tilt", marker.tilt), ("roll", marker.roll)] {
        if let value { attributes.append((name, DecimalNumber.text(value))) }
      }
      xml.begin("marker", attributes)
      xml.end()
    }
    if let target = place.target {
      xml.begin("target", [("assetId", target.assetID), ("width", DecimalNumber.text(target.width))])
      xml.end()
    }
    if case .text = place.visual {} else { standing(place) }
    offset("xLoc", place.offset.east)
    offset("yLoc", place.offset.north)
    offset("zLoc", place.offset.up)
    if case .model = place.visual {
      if place.pivot != .bottomCenter { losses.drop("pivots of models") }
    } else {
      xml.element("anchor", place.pivot.rawValue)
    }
    self.action(action)
    xml.element("showInRadar", place.showInRadar)
    if !place.showOnFocus.isEmpty { text("showOnFocus", place.showOnFocus.joined(separator: ",")) }
    xml.end()
  }

  /// Size and attitude, where there are some.
  private mutating func standing(_ place: Place) {
    func write(_ name: String, _ values: [(String, Double?)]) {
      xml.begin(name, values.compactMap { key, value in value.map { (key, DecimalNumber.text($0)) } })
      xml.end()
    }
    if let size = place.size {
      if case .model = place.visual {
        if size.width != nil { losses.drop("widths of models") }
        if size.height != nil { write("size", [("height", size.height)]) }
      } else {
        write("size", [("width", size.width), ("height", size.height)])
      }
    }
    if let attitude = place.attitude {
      write("attitude", [("heading", attitude.heading), ("pitch", attitude.pitch), ("roll", attitude.roll)])
    }
  }

  private mutating func offset(_ name: String, _ value: Double) {
    if value != 0 { xml.element(name, value) }
  }

  private mutating func altitude(of place: Place, _ position: Position) -> Double {
    if Self.isRelative(place) == isRelative {
      if place.altitudeMode == .ground { losses.drop("altitudes above the ground; written as above the eye") }
      if position.altitude == nil, place.altitudeMode != .eye {
        losses.drop("that an altitude is not known; eye height is written", severity: .info)
      }
      if place.altitudeMode == .ellipsoid {
        losses.drop("what altitudes are measured from; the number is written as it is", severity: .info)
      }
      return position.altitude ?? 0
    }
    if isRelative {
      losses.drop("absolute altitudes beside heights above the eye; eye height is written")
      return 0
    }
    losses.drop("heights above the eye beside absolute altitudes; the middle altitude of the others is written")
    return usualAltitude
  }

  private mutating func action(_ action: Action?) {
    switch action {
    case nil: break
    case .refresh?: xml.element("onPress", "refresh")
    case .webPage(let url)?: text("onPress", "webpage:\(absolute(url, options))")
    case .dimension(let url)?: text("onPress", "dimension:\(absolute(url, options))")
    }
  }

  private mutating func overlay(_ overlay: Overlay) {
    switch overlay.content {
    case .text: xml.begin("overlayTxt", [("id", overlay.id)])
    case .image: xml.begin("overlayImg", [("id", overlay.id)])
    case .html: xml.begin("overlayHtml", [("id", overlay.id)])
    }
    xml.element("x", overlay.x)
    xml.element("y", overlay.y)
    xml.element("anchor", overlay.pivot.rawValue)
    if overlay.hidden { xml.element("hidden", true) }
    action(overlay.action)
    switch overlay.content {
    case .text(let label, let width):
      text("text", label)
      xml.element("width", width)
    case .image(let assetID): text("assetId", assetID)
    case .html(let url, let width, let height):
      text("url", absolute(url, options))
      xml.element("width", width)
      xml.element("height", height)
    }
    xml.end()
  }
}
