import SightlineContent
import SightlineInput

/// What IconStyle and LabelStyle say of the sign of a point.
struct KMLIcon {
  /// As the document writes it.
  var href: String?
  /// Which of its nine points is put on the place; `nil`: KML's usual, its middle.
  var pivot: Pivot?
  /// Whether the name is not drawn beside it.
  var isAlone = false
  /// What of its style is not drawn.
  var undrawn: Set<String> = []
  var line = 0

  /// Reads a Style element; `nil` when it says nothing of icons.
  init?(_ style: LocatedElement) {
    isAlone = style.child("LabelStyle")?.value("scale").flatMap { DecimalNumber.parse($0) } == 0
    guard let icon = style.child("IconStyle") else {
      guard isAlone else { return nil }
      return
    }
    line = icon.line
    href = icon.child("Icon")?.value("href")
    // What says what is drawn anyhow needs no word.
    if let color = icon.value("color"), color.lowercased() != "ffffffff" { undrawn.insert("color") }
    for (name, usual) in [("scale", 1.0), ("heading", 0.0)] {
      if let text = icon.value(name), DecimalNumber.parse(text) != usual { undrawn.insert(name) }
    }
    if let spot = icon.child("hotSpot") {
      pivot = Self.pivot(spot)
      if pivot == nil { undrawn.insert("hotSpot") }
    }
  }

  /// What a placemark's own style says on top of a shared one.
  func under(_ own: KMLIcon?) -> KMLIcon {
    guard let own else { return self }
    var icon = own
    icon.href = own.href ?? href
    icon.pivot = own.pivot ?? pivot
    icon.isAlone = own.isAlone || isAlone
    icon.undrawn.formUnion(undrawn)
    if icon.line == 0 { icon.line = line }
    return icon
  }

  /// The point of the nine that a hot spot is near: fractions count from the lower left corner.
  private static func pivot(_ spot: LocatedElement) -> Pivot? {
    func step(_ axis: String) -> Int? {
      guard (spot.attribute(axis + "units") ?? "fraction") == "fraction",
        let value = spot.attribute(axis).flatMap({ DecimalNumber.parse($0) }), (0...1).contains(value)
      else { return nil }
      return Int(clamped: (value * 2).rounded())
    }
    guard let across = step("x"), let up = step("y") else { return nil }
    return Pivot.at(column: across, row: 2 - up)
  }
}

extension Pivot {
  /// 0 left, 1 middle, 2 right; 0 top, 1 middle, 2 bottom.
  static func at(column: Int, row: Int) -> Pivot { allCases[(3 * row + column).clamped(to: 0...8)] }

  /// 0 left, 1 middle, 2 right.
  var column: Int { (Self.allCases.firstIndex(of: self) ?? 0) % 3 }

  /// 0 top, 1 middle, 2 bottom.
  var row: Int { (Self.allCases.firstIndex(of: self) ?? 0) / 3 }
}

extension KMLReader {
  /// The sign of a placemark's point: alone it is drawn in the view, with a name it is the picture of the place.
  mutating func icon(of element: LocatedElement, path: DocumentPath, into place: inout Place) {
    var icon = element.value("styleUrl").flatMap { icons[Self.fragment($0)] }
    if let own = element.child("Style").flatMap({ KMLIcon($0) }) { icon = icon?.under(own) ?? own }
    guard let icon, let href = icon.href else { return }
    let iconPath = path.child("Style").child("IconStyle")
    let line = max(icon.line, 1)
    guard let address = collector.address(href, isLink: false, line: line, path: iconPath.child("Icon").child("href"))
    else { return }
    for name in icon.undrawn.sorted() {
      collector.ignore("IconStyle \(name)", line: line, path: iconPath.child(name))
    }
    if icon.isAlone, place.visual == .text(place.title), place.position != nil, place.shapes?.isEmpty ?? true {
      place.visual = .image(assetID: collector.asset(address, format: nil, line: line, path: iconPath))
      place.pivot = icon.pivot ?? .center
    } else if place.imageURL == nil {
      place.imageURL = address
    }
  }
}
