public import SightlineContent
import SightlineInput

/// Writes KML 2.2: one placemark for each place; what KML has no element for goes into its extended data.
public enum KMLWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses, and how far the sea is from the ellipsoid.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var assets: Set<String> = []
    return write(dimension, options: options, assets: &assets)
  }

  /// The same, with the identifiers of the assets that the document names.
  package static func write(
    _ dimension: Dimension,
    options: WritingOptions = .init(),
    assets: inout Set<String>
  ) -> Writing {
    var losses = LossList(format: "KML")
    let dimension = dimension.withHeights(over: .seaLevel, options, &losses)
    losses.dropFields(of: dimension, except: ["name", "summary", "attribution", "assets", "overlays"])
    var xml = XMLTextWriter()
    xml.begin("kml", [("xmlns", KMLReader.current), ("xmlns:atom", "http://www.w3.org/2005/Atom")])
    xml.begin("Document")
    if let name = dimension.name?.trimmed, !name.isEmpty { xml.element("name", name) }
    if let credit = dimension.attribution?.trimmed, !credit.isEmpty {
      xml.begin("atom:author")
      xml.element("atom:name", credit)
      xml.end()
    }
    if let summary = dimension.summary?.trimmed, !summary.isEmpty { xml.element("description", summary) }
    var pictures = Pictures(dimension.addresses(options))
    for place in dimension.places { write(place, options, &pictures, &xml, &losses) }
    write(dimension.overlays, &pictures, &xml, &losses)
    xml.end()
    xml.end()
    losses.drop("assets", dimension.assets.count { !pictures.used.contains($0.id) })
    losses.drop("characters that XML does not allow", xml.droppedCharacters)
    assets = pictures.used
    return Writing(bytes: xml.bytes, problems: losses.problems)
  }

  /// Names of extended data that the reader takes for fields of its own.
  private static let reserved: Set = [
    "category", "image", "sound", "visibilityRadius", "altitudeMode", "address", "visibility", "provider",
  ]

  private static func write(
    _ place: Place,
    _ options: WritingOptions,
    _ pictures: inout Pictures,
    _ xml: inout XMLTextWriter,
    _ losses: inout LossList
  ) {
    if writeGroundOverlay(place, &pictures, &xml, &losses) { return }
    var held: Set = [
      "summary", "categories", "visibilityRadius", "link", "imageURL", "soundURL", "phone", "shapes", "metadata",
    ]
    if place.link == nil, place.webAddress != nil { held.insert("action") }
    let model = modelAddress(of: place, pictures.addresses)
    let picture = icon(of: place).flatMap { pictures.take($0) }
    let sign = picture == nil ? sign(of: place, &pictures) : nil
    if model != nil {
      held.formUnion(["size", "attitude"])
      _ = place.visual.assetID.map { pictures.take($0) }
    }
    if picture != nil { held.formUnion(["pivot", "icon"]) }
    if sign != nil { held.insert("icon") }
    losses.dropFields(of: place, except: held)
    if isForeign(place.altitudeMode), place.position?.altitude != nil || place.hasHighCorners {
      losses.drop(
        "heights above the eye, or above the ellipsoid where it is not known how far the sea is from that; other programs put these places on "
          + "the ground",
        severity: .info
      )
    }
    if model == nil, picture == nil, place.visual != .text(place.title) {
      losses.drop("pictures, models and labels unlike the title")
    }
    // In the order of the schema.
    xml.begin("Placemark", [("id", place.id)])
    xml.element("name", place.title.trimmed)
    if let visibility = place.metadata["visibility"] { xml.element("visibility", visibility == "0" ? "0" : "1") }
    if let link = place.webAddress {
      xml.begin("atom:link", [("href", absolute(link, options))])
      xml.end()
    }
    if let address = place.metadata["address"] { xml.element("address", address.trimmed) }
    if let phone = place.phone { xml.element("phoneNumber", phone.trimmed) }
    if let summary = place.summary?.trimmed, !summary.isEmpty { xml.element("description", summary) }
    let shapes = place.shapes ?? []
    if !shapes.isEmpty, let style = place.shapeStyle { write(style, &xml) }
    if let picture { writeIcon(place, at: picture, &xml) }
    if let sign { writeSign(sign.icon, at: sign.address, &xml) }
    writeData(place, options, &xml, &losses)
    if let model { writeModel(place, at: model, &xml, &losses) } else { writeGeometry(place, &xml) }
    xml.end()
  }

  private static func writeData(
    _ place: Place,
    _ options: WritingOptions,
    _ xml: inout XMLTextWriter,
    _ losses: inout LossList
  ) {
    var data: [(name: String, value: String)] = place.categories.filter { !$0.isBlank }.map { ("category", $0) }
    if let image = place.imageURL { data.append(("image", absolute(image, options))) }
    if let sound = place.soundURL { data.append(("sound", absolute(sound, options))) }
    if let radius = place.visibilityRadius { data.append(("visibilityRadius", DecimalNumber.text(radius))) }
    let altitude = place.position?.altitude
    // What altitudeMode of KML cannot say.
    let isPlain = place.position == nil ? place.altitudeMode == .eye : place.altitudeMode == .ground
    let isForeign = isForeign(place.altitudeMode) && (altitude != nil || place.hasHighCorners)
    if isForeign || !isPlain && !(place.altitudeMode == .seaLevel && altitude != nil) {
      data.append(("altitudeMode", place.altitudeMode.rawValue))
    }
    for (name, value) in place.metadata.sorted(by: { $0.key < $1.key }) {
      if name == "address" || name == "visibility" { continue }
      if reserved.contains(name) || name.isBlank {
        losses.drop("further fields whose names have a meaning in KML")
      } else {
        data.append((name, value))
      }
    }
    guard !data.isEmpty else { return }
    xml.begin("ExtendedData")
    for item in data {
      xml.begin("Data", [("name", item.name)])
      xml.element("value", item.value)
      xml.end()
    }
    xml.end()
  }

  /// A point; or the shapes, with the point when that is not in their middle.
  private static func writeGeometry(_ place: Place, _ xml: inout XMLTextWriter) {
    let shapes = place.shapes ?? []
    let isApart = place.position != nil && (shapes.isEmpty || place.position != place.middleOfShapes)
    let isSeveral = shapes.count + (isApart ? 1 : 0) > 1
    if isSeveral { xml.begin("MultiGeometry") }
    if isApart, let position = place.position { write("Point", [position], place.altitudeMode, &xml) }
    for shape in shapes {
      switch shape.kind {
      case .line: write("LineString", shape.parts.first ?? [], place.altitudeMode, &xml)
      case .area:
        xml.begin("Polygon")
        writeMode(shape.parts.flatMap { $0 }, place.altitudeMode, &xml)
        for (index, ring) in shape.parts.enumerated() {
          xml.begin(index == 0 ? "outerBoundaryIs" : "innerBoundaryIs")
          xml.begin("LinearRing")
          writeCoordinates(ring + ring.prefix(1), &xml)
          xml.end()
          xml.end()
        }
        xml.end()
      }
    }
    if isSeveral { xml.end() }
  }

  private static func write(_ name: String, _ positions: [Position], _ mode: AltitudeMode, _ xml: inout XMLTextWriter) {
    xml.begin(name)
    writeMode(positions, mode, &xml)
    writeCoordinates(positions, &xml)
    xml.end()
  }

  private static func writeMode(_ positions: [Position], _ mode: AltitudeMode, _ xml: inout XMLTextWriter) {
    guard positions.contains(where: { $0.altitude != nil }) else { return }
    xml.element("altitudeMode", altitudeMode(mode))
  }

  /// What other programs are told of heights: those that KML cannot count they pass over, and the reader has them from the extended data.
  static func altitudeMode(_ mode: AltitudeMode) -> String {
    isForeign(mode) ? "clampToGround" : mode == .ground ? "relativeToGround" : "absolute"
  }

  /// Whether KML has no such heights: its own are over the sea or over the ground.
  private static func isForeign(_ mode: AltitudeMode) -> Bool { mode == .eye || mode == .ellipsoid }

  private static func writeCoordinates(_ positions: [Position], _ xml: inout XMLTextWriter) {
    let tuples = positions.map { $0.numbers.map { DecimalNumber.text($0) }.joined(separator: ",") }
    xml.element("coordinates", tuples.joined(separator: " "))
  }

  private static func write(_ style: ShapeStyle, _ xml: inout XMLTextWriter) {
    xml.begin("Style")
    if style.stroke != nil || style.width != nil {
      xml.begin("LineStyle")
      if let stroke = style.stroke { xml.element("color", color(stroke, style.strokeOpacity)) }
      if let width = style.width { xml.element("width", DecimalNumber.text(width)) }
      xml.end()
    }
    if let fill = style.fill {
      xml.begin("PolyStyle")
      xml.element("color", color(fill, style.fillOpacity))
      xml.end()
    }
    xml.end()
  }

  /// KML's `aabbggrr` of `#rrggbb`.
  static func color(_ text: String, _ opacity: Double?) -> String {
    guard let color = ShapeStyle.color(text) else { return "ffffffff" }
    let digits = Array(color.dropFirst())
    let alpha = String(UInt8(clamped: ((opacity ?? 1) * 255).rounded(), notANumber: 255), radix: 16)
    return (alpha.count < 2 ? "0" : "") + alpha + String(digits[4...5] + digits[2...3] + digits[0...1])
  }
}

extension Place {
  /// Whether a corner of its lines and areas has a height.
  fileprivate var hasHighCorners: Bool {
    shapes?.contains { $0.parts.contains { $0.contains { $0.altitude != nil } } } ?? false
  }
}
