import SightlineContent
import SightlineInput

/// What IconStyle and LabelStyle say of the sign of a point.
struct KMLIcon {
  /// As the document writes it.
  var href: String?
  /// Its colour, size and turn, as far as they are not as usual.
  var sign = PlaceIcon()
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
    readSign(icon)
    if let spot = icon.child("hotSpot") {
      pivot = Self.pivot(spot)
      if pivot == nil { undrawn.insert("hotSpot") }
    }
  }

  private mutating func readSign(_ icon: LocatedElement) {
    if let text = icon.value("color") {
      let (color, opacity) = KMLReader.color(text)
      if color == nil { undrawn.insert("color") }
      (sign.color, sign.opacity) = (color, opacity)
    }
    if icon.value("colorMode")?.lowercased() == "random" { undrawn.insert("colorMode") }
    func number(_ name: String, within range: ClosedRange<Double>) -> Double? {
      guard let text = icon.value(name) else { return nil }
      guard let value = DecimalNumber.parse(text), range.contains(value) else {
        undrawn.insert(name)
        return nil
      }
      return value
    }
    sign.scale = number("scale", within: 0...PlaceIcon.scales.upperBound)
    sign.heading = number("heading", within: -360...360)
  }

  /// Its sign without what is as usual anyhow.
  var drawn: PlaceIcon? {
    var drawn = sign
    if drawn.color == "#ffffff" { drawn.color = nil }
    drawn.scale = drawn.scale.flatMap { $0 == 1 ? nil : max($0, PlaceIcon.scales.lowerBound) }
    if drawn.heading == 0 { drawn.heading = nil }
    return drawn.isEmpty ? nil : drawn
  }

  /// What a placemark's own style says on top of a shared one.
  func under(_ own: KMLIcon?) -> KMLIcon {
    guard let own else { return self }
    var icon = own
    icon.href = own.href ?? href
    if own.sign.color == nil { (icon.sign.color, icon.sign.opacity) = (sign.color, sign.opacity) }
    icon.sign.scale = own.sign.scale ?? sign.scale
    icon.sign.heading = own.sign.heading ?? sign.heading
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
  /// The sign of a placemark's point: alone it is drawn in the view, with a name it is in its label, and the picture of a place
  /// that has no other.
  mutating func icon(of element: LocatedElement, path: DocumentPath, into place: inout Place) {
    var icon = element.value("styleUrl").flatMap { icons[Self.fragment($0)] }
    if let own = element.child("Style").flatMap({ KMLIcon($0) }) { icon = icon?.under(own) ?? own }
    guard let icon else { return }
    let iconPath = path.child("Style").child("IconStyle")
    let line = max(icon.line, 1)
    for name in icon.undrawn.sorted() {
      collector.ignore("IconStyle \(name)", line: line, path: iconPath.child(name))
    }
    // A sign of size 0 is none.
    guard icon.sign.scale != 0 else { return }
    place.icon = icon.drawn
    guard let href = icon.href,
      let address = collector.address(href, isLink: false, line: line, path: iconPath.child("Icon").child("href"))
    else { return }
    let asset = collector.asset(address, format: nil, line: line, path: iconPath)
    if icon.isAlone, place.visual == .text(place.title), place.position != nil, place.shapes?.isEmpty ?? true {
      place.visual = .image(assetID: asset)
      place.pivot = icon.pivot ?? .center
      return
    }
    place.icon = place.icon ?? PlaceIcon()
    place.icon?.assetID = asset
    place.imageURL = place.imageURL ?? address
  }
}
