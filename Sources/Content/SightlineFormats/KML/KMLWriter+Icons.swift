import SightlineContent

// The signs of points.
extension KMLWriter {
  /// Writes the picture that stands at a place as the sign of its point, without a name beside it.
  static func writeIcon(_ place: Place, at address: String, _ xml: inout XMLTextWriter) {
    xml.begin("Style")
    let pivot = place.pivot
    writeStyle(place.icon ?? PlaceIcon(), at: address, &xml) { xml in
      xml.begin("hotSpot", point((Double(pivot.column) / 2, "fraction"), (Double(2 - pivot.row) / 2, "fraction")))
      xml.end()
    }
    xml.begin("LabelStyle")
    xml.element("scale", 0)
    xml.end()
    xml.end()
  }

  /// Writes the sign beside a place's name.
  static func writeSign(_ icon: PlaceIcon, at address: String?, _ xml: inout XMLTextWriter) {
    xml.begin("Style")
    writeStyle(icon, at: address, &xml) { _ in }
    xml.end()
  }

  /// In the order of the schema.
  private static func writeStyle(
    _ icon: PlaceIcon,
    at address: String?,
    _ xml: inout XMLTextWriter,
    _ more: (inout XMLTextWriter) -> Void
  ) {
    xml.begin("IconStyle")
    if icon.color != nil || icon.opacity != nil { xml.element("color", color(icon.color ?? "#ffffff", icon.opacity)) }
    if let scale = icon.scale { xml.element("scale", scale) }
    if let heading = icon.heading { xml.element("heading", heading) }
    if let address {
      xml.begin("Icon")
      xml.element("href", address)
      xml.end()
    }
    more(&xml)
    xml.end()
  }

  /// The picture that is the sign of a place's point.
  static func icon(of place: Place) -> String? {
    guard case .image(let id) = place.visual, isPoint(place), place.size == nil else { return nil }
    return id
  }

  /// The sign beside a place's name, with the address of its picture; `nil` when it is as usual, or its picture is not known.
  static func sign(of place: Place, _ pictures: inout Pictures) -> (icon: PlaceIcon, address: String?)? {
    guard let icon = place.icon, !icon.isEmpty, case .text = place.visual, isPoint(place) else { return nil }
    guard let id = icon.assetID else { return (icon, nil) }
    return pictures.take(id).map { (icon, $0) }
  }

  private static func isPoint(_ place: Place) -> Bool {
    place.position != nil && place.target == nil && place.marker == nil && place.shapes?.isEmpty ?? true
  }
}
