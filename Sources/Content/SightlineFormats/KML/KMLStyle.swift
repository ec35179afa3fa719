import SightlineContent

// How lines and areas are drawn: LineStyle and PolyStyle, in the placemark or shared.
extension KMLReader {
  /// Notes the shared styles of the whole document.
  mutating func readStyles(_ element: LocatedElement) {
    var maps: [(id: String, target: String)] = []
    collectStyles(element, depth: 0, maps: &maps)
    // Of the two styles of a map the one that is not for pointing at it counts.
    for map in maps where styles[map.id] == nil {
      styles[map.id] = styles[map.target]
      icons[map.id] = icons[map.target]
    }
  }

  private mutating func collectStyles(
    _ element: LocatedElement,
    depth: Int,
    maps: inout [(id: String, target: String)]
  ) {
    for child in element.children {
      switch child.name {
      case "Document", "Folder": collectStyles(child, depth: depth + 1, maps: &maps)
      case "Style":
        guard let id = child.attribute("id")?.trimmed else { continue }
        styles[id] = Self.style(child)
        icons[id] = KMLIcon(child)
      case "StyleMap":
        guard let id = child.attribute("id")?.trimmed else { continue }
        let normal = child.children.first { $0.name == "Pair" && $0.value("key") == "normal" }
        if let target = normal?.value("styleUrl") { maps.append((id, Self.fragment(target))) }
      default: break
      }
    }
  }

  /// The style of a placemark: the one named, with what its own says on top; `nil` for none.
  mutating func style(of element: LocatedElement, path: DocumentPath) -> ShapeStyle? {
    var style = ShapeStyle()
    if let url = element.value("styleUrl") {
      if let shared = styles[Self.fragment(url)] {
        style = shared
      } else {
        collector.problems.add(
          .info,
          "reference.unknown",
          line: element.child("styleUrl")?.line ?? element.line,
          path: path.child("styleUrl"),
          "The style \(quoted(url)) is not in the document. Usual colours are shown; add the style or correct the name."
        )
      }
    }
    if let own = element.child("Style").map({ Self.style($0) }) {
      style.stroke = own.stroke ?? style.stroke
      style.strokeOpacity = own.strokeOpacity ?? style.strokeOpacity
      style.width = own.width ?? style.width
      style.fill = own.fill ?? style.fill
      style.fillOpacity = own.fillOpacity ?? style.fillOpacity
    }
    return style.isEmpty ? nil : style
  }

  static func fragment(_ url: String) -> String { String(url.drop { $0 != "#" }.dropFirst()) }

  private static func style(_ element: LocatedElement) -> ShapeStyle {
    var style = ShapeStyle()
    if let line = element.child("LineStyle") {
      (style.stroke, style.strokeOpacity) = color(line.value("color"))
      style.width = line.value("width").flatMap { DecimalNumber.parse($0) }.flatMap {
        (0...100).contains($0) ? $0 : nil
      }
    }
    if let area = element.child("PolyStyle") {
      (style.fill, style.fillOpacity) = color(area.value("color"))
      if area.value("fill") == "0" { style.fillOpacity = 0 }
      if area.value("outline") == "0" { style.strokeOpacity = 0 }
    }
    return style
  }

  /// From KML's `aabbggrr`.
  static func color(_ text: String?) -> (color: String?, opacity: Double?) {
    guard let text, text.count == 8, text.allSatisfy(\.isHexDigit) else { return (nil, nil) }
    let digits = Array(text.lowercased())
    // Opaque is as good as not said.
    let opacity = Int(String(digits[0..<2]), radix: 16).flatMap { $0 == 255 ? nil : Double($0) / 255 }
    return ("#" + String(digits[6...7] + digits[4...5] + digits[2...3]), opacity)
  }
}
