public import SightlineContent

/// Writes GDDF in the portable profile: every value without white space, explicit altitude, anchor, `showInRadar` and `format`,
/// identifiers and names that lead somewhere, so that both original clients read the document, and alike.
public enum GDDFWriter {
  /// Writes a world.
  ///
  /// Reading the document again gives the same world, but for what the findings name.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses, and how far the sea is from the ellipsoid.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var losses = LossList(format: "GDDF")
    let dimension = dimension.withHeights(over: .seaLevel, options, &losses)
    var state = State(dimension, options: options, losses: losses)
    state.write()
    return Writing(bytes: state.xml.bytes, problems: state.losses.problems)
  }

  fileprivate struct State {
    let dimension: Dimension
    var xml = XMLTextWriter()
    var losses: LossList
    var addresses: GDDFAddresses
    let plan: GDDFPlan
    /// Where the document is fetched again.
    let refreshURL: String?
    let isRelative: Bool
    /// Stands in for a missing absolute altitude: the middle one of the others.
    let usualAltitude: Double

    init(_ dimension: Dimension, options: WritingOptions, losses: LossList) {
      self.dimension = dimension
      var (addresses, losses) = (GDDFAddresses(options), losses)
      plan = GDDFPlan(dimension, addresses: &addresses, losses: &losses)
      refreshURL = dimension.refreshURL.flatMap { addresses.usable($0, .refresh) }
      (self.addresses, self.losses) = (addresses, losses)
      let placed = dimension.places.filter { $0.position?.isOnEarth == true }
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
    if let range = dimension.radarRange, range > 0, range.isFinite { xml.element("radarRange", range) }
    // The default is left out: not every client knows the element.
    if !dimension.radarAvailable { xml.element("radarAvailable", false) }
    xml.element("relativeAltitude", isRelative)
    if let sound = dimension.soundURL {
      if let url = addresses.usable(sound, .sound) {
        xml.begin("playSound")
        text("url", url)
        xml.end()
      } else {
        losses.drop("a sound whose address leads nowhere")
      }
    }
    refreshRules()
    container("assets", plan.files) { $0.asset($1) }
    container("features", Array(zip(dimension.places, plan.placeIDs))) { $0.place($1.0, id: $1.1) }
    container("overlays", Array(zip(dimension.overlays, plan.overlayIDs))) { $0.overlay($1.0, id: $1.1) }
    xml.end()
    losses.note(
      "The original clients cannot load addresses without a server in them",
      "Say with --base where they are",
      addresses.relative
    )
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
    let (seconds, metres) = (dimension.refreshIntervalSeconds, dimension.refreshDistance)
    guard let refreshURL else {
      // The original Android client shows an empty world once it has asked in vain.
      if dimension.refreshURL != nil { losses.drop("a refresh address that leads nowhere") }
      losses.drop("refresh rules without an address", (seconds > 0 ? 1 : 0) + (metres > 0 ? 1 : 0))
      return
    }
    text("refreshUrl", refreshURL)
    if seconds > 0, seconds.isFinite {
      let milliseconds = seconds * 1000
      // Only whole milliseconds, a second or more, are portable.
      let whole = max(1000, milliseconds.rounded())
      if milliseconds < 1000 {
        losses.drop("refreshing more often than once a second")
      } else if whole / 1000 != seconds {
        losses.drop("parts of a millisecond")
      }
      xml.begin("refreshTime")
      xml.element("validFor", whole)
      xml.element("waitForAssets", false)
      xml.end()
    }
    if metres > 0, metres.isFinite {
      xml.begin("refreshDistance")
      xml.element("validWithinRange", metres)
      xml.end()
    }
  }

  private mutating func asset(_ file: GDDFPlan.File) {
    xml.begin("asset", [("id", file.id)])
    // The original Android client demands the format.
    text("format", file.format)
    text("url", file.url)
    xml.end()
  }

  private mutating func place(_ place: Place, id: String?) {
    let marker = place.marker.flatMap { $0.isUsable ? $0 : nil }
    let target = place.target.flatMap { target in
      TargetAnchor.widths.contains(target.width)
        ? plan.picture(target.assetID).map { TargetAnchor(assetID: $0, width: target.width) } : nil
    }
    if marker == nil, place.marker != nil { losses.drop("markers that do not exist") }
    if target == nil, place.target != nil { losses.drop("pictures to stand on, without a usable file or width") }
    let (position, offset, raised) = place.withPortableOffset
    let isPlaced = position?.isOnEarth == true
    let followsUser = place.followsUser == true && marker == nil && target == nil
    guard isPlaced || marker != nil || target != nil || followsUser else {
      return losses.drop("places without a position")
    }
    if !isPlaced {
      losses.note(
        "The original Android client refuses a document with places that stand on a marker or a picture alone, or go along with the user",
        "Give them positions too"
      )
    }
    var held: Set = ["marker", "target", "followsUser", "offset", "pivot", "action", "showInRadar", "showOnFocus"]
    let isThing = isThing(place.visual)
    if isThing { held.formUnion(["size", "attitude"]) }
    var action = place.action
    if action == nil, let link = place.link {
      // A tap on the label is the nearest thing to a link.
      action = .webPage(link)
      held.insert("link")
    }
    losses.dropFields(of: place, except: held)
    let title = begin(place, id: id)
    if place.title != title { losses.drop("titles unlike the label") }
    if isPlaced, let position {
      xml.begin("location")
      xml.element("lat", position.latitude)
      xml.element("lon", position.longitude)
      xml.element("alt", altitude(of: place, position) + raised)
      xml.end()
    }
    if let marker {
      let id = String(marker.id)
      let length = DecimalNumber.text(marker.length)
      var attributes = [("dictionary", marker.dictionary), ("id", id), ("length", length)]
      for (name, value) in [("facing", marker.facing), ("tilt", marker.tilt), ("roll", marker.roll)] {
        if let value { attributes.append((name, DecimalNumber.text(value))) }
      }
      xml.begin("marker", attributes)
      xml.end()
    }
    if let target {
      xml.begin("target", [("assetId", target.assetID), ("width", DecimalNumber.text(target.width))])
      xml.end()
    }
    if followsUser {
      xml.begin("user")
      xml.end()
    }
    if isThing { standing(place) }
    if raised != 0 || offset.north != place.offset.north {
      losses.drop("offsets apart from the position; they are in the position that is written", severity: .info)
    }
    number("xLoc", offset.east)
    number("yLoc", offset.north)
    number("zLoc", offset.up)
    if case .model = place.visual {
      if place.pivot != .bottomCenter { losses.drop("pivots of models") }
    } else {
      xml.element("anchor", place.pivot.rawValue)
    }
    self.action(action)
    xml.element("showInRadar", place.showInRadar)
    if !place.showOnFocus.isEmpty { text("showOnFocus", plan.overlays(place.showOnFocus).joined(separator: ",")) }
    xml.end()
  }

  /// Whether a picture or a model is written, not a text in its stead.
  private func isThing(_ visual: Visual) -> Bool {
    switch visual {
    case .text: false
    case .image(let assetID): plan.picture(assetID) != nil
    case .model(let assetID, _, _, _, _): plan.model(assetID) != nil
    }
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

  /// Begins the element of a place and writes how it looks; returns what lists call it.
  private mutating func begin(_ place: Place, id: String?) -> String {
    switch place.visual {
    case .image(let assetID):
      guard let file = plan.picture(assetID) else { break }
      xml.begin("featureImg", [("id", id)])
      text("assetId", file)
      return id ?? file
    case .model(let assetID, let xRotation, let yRotation, let zRotation, let scale):
      guard let file = plan.model(assetID) else { break }
      xml.begin("feature3d", [("id", id)])
      text("assetId", file)
      xml.element("xRot", xRotation.isFinite ? xRotation : 0)
      xml.element("yRot", yRotation.isFinite ? yRotation : 0)
      xml.element("zRot", zRotation.isFinite ? zRotation : 0)
      xml.element("scale", scale.isFinite ? scale : 1)
      return id ?? file
    case .text(let label):
      xml.begin("featureTxt", [("id", id)])
      text("text", label)
      return label
    }
    // A name that leads nowhere refuses the document.
    losses.drop("pictures and models without a usable file; their titles are written")
    xml.begin("featureTxt", [("id", id)])
    text("text", place.title)
    return place.title
  }

  private mutating func number(_ name: String, _ value: Double) {
    if value != 0, value.isFinite { xml.element(name, value) }
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
      return position.altitude.map { $0.isFinite ? $0 : 0 } ?? 0
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
    case .refresh?:
      if refreshURL == nil {
        losses.drop("refresh actions without an address")
      } else {
        xml.element("onPress", "refresh")
      }
    case .webPage(let url)?: onPress("webpage", addresses.usable(url, .webPage))
    case .dimension(let url)?: onPress("dimension", addresses.usable(url, .dimension))
    }
  }

  private mutating func onPress(_ word: String, _ url: String?) {
    guard let url else { return losses.drop("actions whose address leads nowhere") }
    text("onPress", "\(word):\(url)")
  }

  private mutating func overlay(_ overlay: Overlay, id: String?) {
    // The original Android client refuses a document with parts of a point.
    let place = overlay.onWholeScreen
    if overlay.anchor != nil {
      losses.drop("overlays placed within the free part of the screen; 320 by 320 points are assumed")
    }
    let (x, y) = (place.x.rounded(), place.y.rounded())
    let whole = -2_147_483_648.0...2_147_483_647.0
    guard whole.contains(x), whole.contains(y) else { return losses.drop("overlays that are on no screen") }
    var isWhole = x == place.x && y == place.y
    switch overlay.content {
    case .text(let label, let width):
      let written = width.rounded(.up)
      guard (0...whole.upperBound).contains(written) else { return losses.drop("overlays without a size") }
      isWhole = isWhole && written == width
      begin("overlayTxt", overlay, id, x, y)
      text("text", label)
      xml.element("width", written)
    case .image(let assetID):
      guard let file = plan.picture(assetID) else { return losses.drop("overlays without a usable picture") }
      begin("overlayImg", overlay, id, x, y)
      text("assetId", file)
    case .html(let page, let width, let height):
      guard width > 0, height > 0, max(width, height) <= whole.upperBound else {
        return losses.drop("overlays without a size")
      }
      guard let url = addresses.usable(page, .html) else { return losses.drop("overlays whose address leads nowhere") }
      begin("overlayHtml", overlay, id, x, y)
      text("url", url)
      xml.element("width", width)
      xml.element("height", height)
    }
    xml.end()
    if !isWhole { losses.drop("parts of a point on the screen", severity: .info) }
  }

  private mutating func begin(_ name: String, _ overlay: Overlay, _ id: String?, _ x: Double, _ y: Double) {
    xml.begin(name, [("id", id)])
    xml.element("x", x)
    xml.element("y", y)
    xml.element("anchor", overlay.pivot.rawValue)
    if overlay.hidden { xml.element("hidden", true) }
    action(overlay.action)
  }
}

extension Overlay {
  /// Points from the top left corner of the whole screen.
  ///
  /// How large a screen is no document knows: what is placed from another side stands in the square that the first phones had
  /// however they were held.
  fileprivate var onWholeScreen: (x: Double, y: Double) {
    guard let letters = anchor?.rawValue else { return (x, y) }
    let side = 320.0
    let across = letters.hasSuffix("L") ? x : letters.hasSuffix("C") ? side / 2 + x : side - x
    let down = letters.hasPrefix("T") ? y : letters.hasPrefix("C") ? side / 2 + y : side - y
    return (across, down)
  }
}

extension Position {
  /// Whether latitude and longitude are in their ranges.
  fileprivate var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}
