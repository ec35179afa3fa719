public import SightlineContent

/// Writes ARML 2.0: a feature for each place, a screen anchor for each overlay with a text.
public enum ARMLWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses, and how far the sea is from the ellipsoid.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var writer = Worker(dimension, options)
    writer.run()
    var losses = writer.losses
    losses.drop("characters that XML does not allow", writer.xml.droppedCharacters)
    return Writing(bytes: writer.xml.bytes, problems: losses.problems)
  }
}

private struct Worker {
  let dimension: Dimension
  let options: WritingOptions
  var losses = LossList(format: "ARML 2.0")
  var xml = XMLTextWriter()
  let addresses: [String: Asset]
  /// Where places with offsets are measured from; written after the features, which link to them.
  private var bases: [Position] = []
  /// Whether a place stands on a picture, so that a tracker is needed, which has this identifier.
  private var hasTrackables = false
  private static let tracker = "tracker-of-pictures"

  init(_ dimension: Dimension, _ options: WritingOptions) {
    self.dimension = dimension.withHeights(over: .ellipsoid, options, &losses)
    self.options = options
    addresses = Dictionary(dimension.assets.map { ($0.id, $0) }) { first, _ in first }
  }

  mutating func run() {
    losses.dropFields(of: dimension, except: ["assets", "overlays"])
    // Each place is written as a feature of its own.
    let groups = Dictionary(grouping: dimension.places.compactMap { $0.display?.feature }) { $0 }
    losses.drop("selections that several places share", groups.values.count { $0.count > 1 })
    xml.begin(
      "arml",
      [
        ("xmlns", ARMLReader.namespace), ("xmlns:gml", "http://www.opengis.net/gml/3.2"),
        ("xmlns:xlink", "http://www.w3.org/1999/xlink"),
      ]
    )
    xml.begin("ARElements")
    for place in dimension.places { write(place) }
    for (index, base) in bases.enumerated() {
      xml.begin("Geometry", [("id", "position-\(index + 1)")])
      xml.begin("assets")
      xml.end()
      writePosition([base], "Point", "pos")
      xml.end()
    }
    for overlay in dimension.overlays { write(overlay) }
    if hasTrackables {
      xml.begin("Tracker", [("id", Self.tracker)])
      xml.begin("uri", [("xlink:href", "http://www.opengis.net/arml/tracker/genericImageTracker")])
      xml.end()
      xml.end()
    }
    xml.end()
    xml.end()
  }

  private mutating func write(_ whole: Place) {
    let place = withoutForeignHeights(whole)
    var held: Set = ["summary", "offset", "shapes", "visibilityRadius", "display", "link", "metadata"]
    if place.link == nil, place.webAddress != nil { held.insert("action") }
    let picture = place.position == nil && place.shapes == nil ? place.target.flatMap { addresses[$0.assetID] } : nil
    if picture != nil { held.insert("target") }
    if place.position != nil || place.shapes != nil || picture != nil { held.insert("imageURL") }
    let followsUser = place.followsUser == true && picture == nil
    if followsUser { held.formUnion(["followsUser", "imageURL"]) }
    if picture == nil, place.visual.assetID != nil { held.formUnion(["attitude", "size"]) }
    losses.dropFields(of: place, except: held)
    if let style = place.shapeStyle, style != onlyFill(style) { losses.drop("colours and widths of lines") }
    let shapes = place.shapes ?? []
    if !shapes.isEmpty, place.position != place.middleOfShapes {
      losses.drop("labels apart from the middle of their lines")
    }
    if place.offset != Offset(), !shapes.isEmpty { losses.drop("offsets of lines and areas") }
    xml.begin("Feature", [("id", identifier(place.id))])
    xml.element("name", place.title.trimmed)
    if let summary = place.summary?.trimmed, !summary.isEmpty { xml.element("description", summary) }
    writeMetadata(place)
    if let target = place.target, let picture {
      xml.begin("anchors")
      writeTrackable(place, target, picture)
      xml.end()
    } else if followsUser {
      xml.begin("anchors")
      writeRelative(place, to: "user")
      xml.end()
    } else if place.position != nil || !shapes.isEmpty {
      xml.begin("anchors")
      if shapes.isEmpty { writePoint(place) } else { for shape in shapes { writeShape(shape, place) } }
      xml.end()
    }
    xml.end()
  }

  /// Without heights above the eye or the ground: as ones above the ellipsoid, which the standard has, they would be somewhere else.
  private mutating func withoutForeignHeights(_ place: Place) -> Place {
    var place = place
    let corners = (place.shapes ?? []).lazy.flatMap(\.parts).joined()
    let isHigh = place.position?.altitude != nil || corners.contains { $0.altitude != nil }
    switch place.altitudeMode {
    case .ellipsoid where !isHigh, .ground where !isHigh, .seaLevel where !isHigh:
      if place.position != nil {
        losses.drop("what places without a height stand on; they are at the height of the eye")
      }
    case .ellipsoid,
      .eye where !isHigh:
      break
    case .seaLevel: losses.drop("what altitudes are measured from; the number is written as it is")
    case .eye, .ground:
      losses.drop("heights above the eye or the ground; none is written")
      place.position?.altitude = nil
      place.shapes = place.shapes?.map { shape in
        var shape = shape
        for part in shape.parts.indices {
          for corner in shape.parts[part].indices { shape.parts[part][corner].altitude = nil }
        }
        return shape
      }
    }
    return place
  }

  private mutating func writePoint(_ place: Place) {
    guard let position = place.position else { return }
    guard place.offset != Offset() else {
      writeGeometry(place) { $0.writePosition([position], "Point", "pos") }
      return
    }
    // The place itself shows nothing; what is shown stands relative to it.
    bases.append(position)
    writeRelative(place, to: "#position-\(bases.count)")
  }

  private mutating func writeRelative(_ place: Place, to link: String) {
    xml.begin("RelativeTo")
    writeAssets(place)
    xml.begin("ref", [("xlink:href", link)])
    xml.end()
    xml.begin("gml:Point")
    xml.element(
      "gml:pos",
      [place.offset.east, place.offset.north, place.offset.up].map { DecimalNumber.text($0) }.joined(separator: " ")
    )
    xml.end()
    xml.end()
  }

  private mutating func writeTrackable(_ place: Place, _ target: TargetAnchor, _ picture: Asset) {
    hasTrackables = true
    xml.begin("Trackable")
    writeAssets(place)
    xml.begin("config")
    xml.begin("tracker", [("xlink:href", "#" + Self.tracker)])
    xml.end()
    xml.element("src", absolute(picture.url, options))
    xml.end()
    xml.element("size", target.width)
    xml.end()
  }

  private mutating func writeShape(_ shape: Shape, _ place: Place) {
    writeGeometry(place) { worker in
      switch shape.kind {
      case .line: worker.writePosition(shape.parts.first ?? [], "LineString", "posList")
      case .area:
        worker.xml.begin("gml:Polygon")
        for (index, ring) in shape.parts.enumerated() {
          worker.xml.begin(index == 0 ? "gml:exterior" : "gml:interior")
          worker.writePosition(ring + ring.prefix(1), "LinearRing", "posList")
          worker.xml.end()
        }
        worker.xml.end()
      }
    }
  }

  private mutating func writeGeometry(_ place: Place, _ geometry: (inout Worker) -> Void) {
    xml.begin("Geometry")
    writeAssets(place)
    geometry(&self)
    xml.end()
  }

  private mutating func writePosition(_ positions: [Position], _ name: String, _ list: String) {
    let isHigh = positions.allSatisfy { $0.altitude != nil } && !positions.isEmpty
    if !isHigh, positions.contains(where: { $0.altitude != nil }) { losses.drop("heights of single corners") }
    xml.begin("gml:\(name)", [("srsDimension", isHigh ? "3" : nil)])
    let numbers: [Double] = positions.flatMap { [$0.latitude, $0.longitude] + (isHigh ? [$0.altitude ?? 0] : []) }
    xml.element("gml:\(list)", numbers.map { DecimalNumber.text($0) }.joined(separator: " "))
    xml.end()
  }

  private mutating func writeAssets(_ place: Place) {
    xml.begin("assets")
    switch place.visual {
    case .image(let id):
      writeFile("Image", id, place) { xml in
        if let width = place.size?.width { xml.element("width", width) }
        if let height = place.size?.height { xml.element("height", height) }
        guard place.size != nil, place.target == nil, let attitude = place.attitude else { return }
        xml.element("orientationMode", "absolute")
        Self.writeOrientation(ThingValues.orientation(attitude), &xml)
      }
    case .model(let id, let x, let y, let z, let scale):
      let (attitude, isWhole) = ThingValues.whole(place.attitude, x: x, y: y, z: z)
      let isOnPrint = place.target != nil
      if !isWhole, !isOnPrint { losses.drop("turns of models about their own axes") }
      if place.size != nil { losses.drop("heights of models") }
      writeFile("Model", id, place) { xml in
        Self.writeOrientation(isOnPrint ? (-z, x, y) : ThingValues.orientation(attitude), &xml)
        xml.begin("Scale")
        for axis in ["x", "y", "z"] { xml.element(axis, scale) }
        xml.end()
      }
    case .text: break
    }
    let text: String?
    if case .text(let label) = place.visual { text = label } else { text = nil }
    if let link = place.webAddress {
      xml.begin("Label")
      writeConditions(place)
      xml.begin("href", [("xlink:href", absolute(link, options))])
      xml.end()
      xml.element("src", escaped(text ?? place.title))
      xml.end()
    } else if let text, text != place.title || place.visibilityRadius != nil || place.display != nil {
      xml.begin("Text")
      writeConditions(place)
      xml.element("src", escaped(text))
      xml.end()
    }
    if let picture = place.imageURL {
      xml.begin("Image")
      xml.begin("conditions")
      xml.begin("SelectedCondition")
      xml.element("selected", "true")
      xml.end()
      xml.end()
      xml.begin("href", [("xlink:href", absolute(picture, options))])
      xml.end()
      xml.end()
    }
    if let fill = place.shapeStyle?.fill {
      xml.begin("Fill")
      if place.visual.assetID == nil, text == nil || text == place.title { writeConditions(place) }
      xml.element("style", "color:\(fill)")
      xml.end()
    }
    xml.end()
  }

  private static func writeOrientation(
    _ turn: (heading: Double, tilt: Double, roll: Double),
    _ xml: inout XMLTextWriter
  ) {
    xml.begin("Orientation")
    xml.element("roll", turn.roll)
    xml.element("tilt", turn.tilt)
    xml.element("heading", turn.heading)
    xml.end()
  }

  /// Texts are read as HTML when they look like it.
  private func escaped(_ text: String) -> String {
    guard text.contains("<") || text.contains("&") else { return text }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private mutating func writeFile(
    _ name: String,
    _ id: String,
    _ place: Place,
    _ more: (inout XMLTextWriter) -> Void = { _ in }
  ) {
    guard let asset = addresses[id] else { return losses.drop("pictures and models without an address") }
    xml.begin(name)
    writeConditions(place)
    more(&xml)
    xml.begin("href", [("xlink:href", absolute(asset.url, options))])
    xml.end()
    xml.end()
  }

  /// When an asset is shown, and how large.
  private mutating func writeConditions(_ place: Place) {
    let display = place.display ?? PlaceDisplay()
    let hasDistances = place.visibilityRadius != nil || display.visibleFrom != nil
    if hasDistances || display.shownWhile != nil {
      xml.begin("conditions")
      if hasDistances {
        xml.begin("DistanceCondition")
        if let radius = place.visibilityRadius { xml.element("max", radius) }
        if let nearest = display.visibleFrom { xml.element("min", nearest) }
        xml.end()
      }
      if let selection = display.shownWhile {
        xml.begin("SelectedCondition")
        if display.feature != nil { xml.element("listener", "feature") }
        xml.element("selected", selection == .selected ? "true" : "false")
        xml.end()
      }
      xml.end()
    }
    guard let scaling = display.scaling else { return }
    xml.begin("ScalingMode", [("type", "custom")])
    xml.element("minScalingDistance", scaling.near)
    if let far = scaling.far { xml.element("maxScalingDistance", far) }
    xml.element("scalingFactor", scaling.factor)
    xml.end()
  }

  private mutating func writeMetadata(_ place: Place) {
    let fields = place.metadata.filter { isName($0.key) && !$0.value.isBlank && $0.value == $0.value.trimmed }
    losses.drop("further fields whose names XML does not allow", place.metadata.count - fields.count)
    guard !fields.isEmpty else { return }
    xml.begin("metadata")
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { xml.element(name, value) }
    xml.end()
  }

  private mutating func write(_ overlay: Overlay) {
    let corner = overlay.anchor ?? .topLeft
    guard case .text(let text, let width) = overlay.content, overlay.pivot == corner, !overlay.hidden,
      [.topLeft, .topRight, .bottomLeft, .bottomRight].contains(corner)
    else {
      return losses.drop("overlays but for visible texts placed by a corner from that corner of the screen")
    }
    if overlay.anchor == nil {
      losses.drop("overlays placed from the edge of the screen, bars or not", severity: .info)
    }
    var link: String?
    if case .webPage(let url)? = overlay.action {
      link = url
    } else if overlay.action != nil {
      losses.drop("actions of overlays")
    }
    xml.begin("ScreenAnchor", [("id", identifier(overlay.id))])
    let (across, down) = (
      corner.rawValue.hasSuffix("R") ? "right" : "left", corner.rawValue.hasPrefix("B") ? "bottom" : "top"
    )
    var style = "\(across):\(DecimalNumber.text(overlay.x));\(down):\(DecimalNumber.text(overlay.y))"
    if width > 0 { style += ";width:\(DecimalNumber.text(width))" }
    xml.element("style", style)
    xml.begin("assets")
    xml.begin("Label")
    if let link {
      xml.begin("href", [("xlink:href", absolute(link, options))])
      xml.end()
    }
    xml.element("src", escaped(text))
    xml.end()
    xml.end()
    xml.end()
  }

  private func onlyFill(_ style: ShapeStyle) -> ShapeStyle {
    var only = ShapeStyle()
    only.fill = style.fill
    return only
  }

  /// An identifier as XML wants it, or none.
  private mutating func identifier(_ id: String?) -> String? {
    guard let id else { return nil }
    if isName(id), id != "user" { return id }
    losses.drop("identifiers that XML does not allow", severity: .info)
    return nil
  }

  private func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0)
    }
  }
}
