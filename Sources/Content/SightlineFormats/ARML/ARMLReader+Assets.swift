import SightlineContent
import SightlineInput

/// What the assets of an anchor come to.
struct ARMLVisual {
  var visual: Visual?
  var text: String?
  var link: String?
  var fill: String?
  /// What is shown only while the place is selected: the card has it.
  var selectedText: String?
  /// Address of a picture that is shown only while the place is selected.
  var selectedPicture: String?
  /// When that which is shown of it is shown, and how large.
  var display = ARMLDisplay()
  /// Of a picture at a place.
  var size: TrueSize?
  /// Of a model or picture at a place.
  var attitude: Attitude?

  var isEmpty: Bool { visual == nil && text == nil && fill == nil }
}

extension ARMLReader {
  private static let assetNames: Set = ["Label", "Text", "Fill", "Image", "Model"]

  /// Gathers what an anchor shows: a model before a picture before a text.
  mutating func visual(
    of anchor: LocatedElement,
    _ feature: ARMLFeature,
    isPoint: Bool,
    path: DocumentPath
  ) -> ARMLVisual {
    var result = ARMLVisual()
    guard let list = anchor.child("assets") else {
      collector.problems.add(
        .warning,
        "field.missing",
        line: anchor.line,
        path: path,
        "The \(anchor.name) has no assets element, which may be empty but has to be there. Its name is shown; add it."
      )
      return result
    }
    let assets = path.child("assets")
    var references = 0
    for (index, child) in list.children.enumerated() {
      guard collector.goesOn else { break }
      let assetPath = assets.child(child.name, index + 1)
      if child.name == "assetRef" {
        references += 1
        guard references <= ContentLimits.references else {
          if references == ContentLimits.references + 1 {
            collector.problems.note(.references, line: child.line, path: assets)
          }
          continue
        }
      }
      let asset = child.name == "assetRef" ? resolve(child, Self.assetNames, path: assetPath) : child
      guard let asset, isEnabled(asset, path: assetPath) else { continue }
      let display = display(asset, path: assetPath)
      if display.isNever {
        report(
          asset,
          assetPath.child("conditions"),
          "field.type",
          "Two conditions want it selected and not selected, so that it would never be shown. It is left out; repeat it for either."
        )
        continue
      }
      if display.selection == .selected, selected(asset, feature, path: assetPath, into: &result) { continue }
      // A place that nobody sees cannot be selected: what is shown without that comes first.
      if display.selection == .selected, result.visual != nil {
        collector.ignore("A second \(asset.name) that is shown while selected", line: asset.line, path: assetPath)
        continue
      }
      let before = (visual: result.visual, text: result.text, fill: result.fill)
      switch asset.name {
      case "Label", "Text": text(asset, feature, path: assetPath, into: &result)
      case "Image":
        guard let address = address(asset, path: assetPath) else { continue }
        if result.visual == nil {
          result.visual = .image(assetID: assetID(address, format: nil, line: asset.line, path: assetPath))
          extent(asset, path: assetPath, into: &result)
        }
      case "Model": model(asset, isPoint: isPoint, path: assetPath, into: &result)
      case "Fill":
        result.fill =
          ["color", "fill"].compactMap { property($0, of: asset) }.compactMap { ShapeStyle.color($0) }.first
      default: collector.ignore(asset.name, line: asset.line, path: assetPath)
      }
      // A model or a picture is shown before a text, and that before a colour; what is shown says when.
      let isShown =
        result.visual != before.visual || (before.visual == nil && result.text != before.text)
        || (before.visual == nil && before.text == nil && result.fill != before.fill)
      if isShown { result.display = display }
    }
    return result
  }

  private mutating func text(
    _ asset: LocatedElement,
    _ feature: ARMLFeature,
    path: DocumentPath,
    into result: inout ARMLVisual
  ) {
    let source = asset.value("src")
    let address = asset.child("href").flatMap { $0.link }
    guard source != nil || address != nil else {
      report(asset, path, "field.missing", "The \(asset.name) has neither src nor href. It is left out; add one.")
      return
    }
    if let address { result.link = collector.address(address, isLink: true, line: asset.line, path: path) }
    if let source, result.text == nil {
      let plain = feature.filled(ARMLText.plain(source))
      if !plain.isBlank { result.text = plain }
    }
  }

  /// Puts words and pictures for the selected place where its card has them; answers whether they could be.
  private mutating func selected(
    _ asset: LocatedElement,
    _ feature: ARMLFeature,
    path: DocumentPath,
    into result: inout ARMLVisual
  ) -> Bool {
    var own = ARMLVisual()
    switch asset.name {
    case "Label", "Text":
      text(asset, feature, path: path, into: &own)
      // Behind the longest text that is kept nothing more is put.
      if let words = own.text, (result.selectedText?.utf8.count ?? 0) <= ContentLimits.text * 4 {
        if result.selectedText == nil { result.selectedText = words } else { result.selectedText? += "\n\n" + words }
      }
      result.link = result.link ?? own.link
    case "Image":
      guard let address = address(asset, path: path) else { return true }
      result.selectedPicture = result.selectedPicture ?? address
    default: return false
    }
    return true
  }

  private mutating func model(_ asset: LocatedElement, isPoint: Bool, path: DocumentPath, into result: inout ARMLVisual)
  {
    guard isPoint else {
      collector.problems.add(
        .warning,
        "anchor.unsupported",
        line: asset.line,
        path: path,
        "A Model on a line or an area is ignored by the standard's rule. Put it on a point."
      )
      return
    }
    guard let address = address(asset, path: path) else { return }
    guard ThingValues.isModel(address) else {
      collector.problems.add(
        .warning,
        "anchor.unsupported",
        line: asset.line,
        path: path,
        "Models are drawn from GLB files (binary glTF 2.0); \(quoted(address, limit: 80)) is not one. It is ignored; convert it."
      )
      return
    }
    func number(_ element: LocatedElement?, _ name: String, _ usual: Double) -> Double {
      element?.value(name).flatMap { DecimalNumber.parse($0) } ?? usual
    }
    let turn = asset.child("Orientation")
    result.attitude = orientation(asset, path: path)
    result.visual = .model(
      assetID: assetID(address, format: "GAMA3D", line: asset.line, path: path),
      xRotation: number(turn, "tilt", 0),
      yRotation: number(turn, "roll", 0),
      // Headings turn clockwise seen from above, rotations about z counter-clockwise.
      zRotation: -number(turn, "heading", 0),
      scale: scale(of: asset, path: path.child("Scale"))
    )
  }

  private func scale(of asset: LocatedElement, path: DocumentPath) -> Double {
    guard let scale = asset.child("Scale") else { return 1 }
    let scales = ["x", "y", "z"].map { axis in
      guard let text = scale.value(axis) else { return 1.0 }
      if let value = DecimalNumber.parse(text), ThingValues.scales.contains(value) { return value }
      collector.problems.refuse(axis, text, ThingValues.formOfScales, line: scale.line, path: path.child(axis))
      return 1.0
    }
    return collector.problems.evenScale(scales, line: scale.line, path: path)
  }

  /// Width and height of a picture in metres, and how it is turned unless it faces the user.
  private mutating func extent(_ asset: LocatedElement, path: DocumentPath, into result: inout ARMLVisual) {
    func side(_ name: String) -> Double? {
      guard let text = asset.value(name) else { return nil }
      if let value = DecimalNumber.parse(text), TrueSize.sides.contains(value) { return value }
      if text.hasSuffix("%") {
        collector.ignore("\(name) in percent", line: asset.line, path: path.child(name))
      } else {
        collector.problems.refuse(name, text, "metres, 0.001 to 10,000", line: asset.line, path: path.child(name))
      }
      return nil
    }
    let size = TrueSize(width: side("width"), height: side("height"))
    guard size.isUsable else { return }
    result.size = size
    if asset.value("orientationMode") == "absolute" { result.attitude = orientation(asset, path: path) }
  }

  /// Heading, tilt and roll of something at a place.
  private mutating func orientation(_ asset: LocatedElement, path: DocumentPath) -> Attitude {
    let turn = asset.child("Orientation")
    func degrees(_ name: String) -> Double {
      guard let text = turn?.value(name) else { return 0 }
      if let value = DecimalNumber.parse(text), abs(value) <= 360 { return value }
      let place = path.child("Orientation").child(name)
      collector.problems.refuse(name, text, "degrees, -360 to 360", line: turn?.line ?? asset.line, path: place)
      return 0
    }
    return ThingValues.attitude(heading: degrees("heading"), tilt: degrees("tilt"), roll: degrees("roll"))
  }

  /// A label in front of everything becomes an overlay.
  mutating func screenAnchor(_ element: LocatedElement, _ feature: ARMLFeature, path: DocumentPath) {
    func length(_ name: String) -> Double? {
      property(name, of: element).flatMap { text in
        DecimalNumber.parse(text.hasSuffix("px") ? String(text.dropLast(2)).trimmed : text)
      }
    }
    for side in ["left", "top", "right", "bottom"] where length(side) == nil {
      guard let text = property(side, of: element) else { continue }
      collector.problems.add(
        .warning,
        "anchor.unsupported",
        line: element.line,
        path: path,
        "\(side) is \(quoted(text)), but overlays are placed by pixels. It is ignored; state \(side) as a number with px."
      )
    }
    // As in CSS, left and top win.
    let isFromRight = length("left") == nil && length("right") != nil
    let isFromBottom = length("top") == nil && length("bottom") != nil
    let visual = visual(of: element, feature, isPoint: true, path: path)
    if visual.display.display(feature: "") != nil || visual.display.farthest != nil {
      collector.ignore("conditions and scaling of a ScreenAnchor", line: element.line, path: path)
    }
    let content: OverlayContent
    if let text = visual.text {
      content = .text(text, width: max(0, length("width") ?? 0))
    } else if let link = visual.link {
      content = .html(url: link, width: length("width") ?? 256, height: length("height") ?? 128)
    } else {
      report(
        element,
        path,
        "field.missing",
        "The ScreenAnchor shows no Label. It is left out; add one with src or href."
      )
      return
    }
    var overlay = Overlay(
      x: (isFromRight ? length("right") : length("left")) ?? 0,
      y: (isFromBottom ? length("bottom") : length("top")) ?? 0,
      content: content
    )
    overlay.pivot =
      switch (isFromBottom, isFromRight) {
      case (false, false): .topLeft
      case (false, true): .topRight
      case (true, false): .bottomLeft
      case (true, true): .bottomRight
      }
    overlay.anchor = overlay.pivot
    overlay.id = element.attribute("id")?.trimmed
    if case .text = content, let link = visual.link { overlay.action = .webPage(link) }
    if collector.problems.admit(&overlay, line: element.line, path: path) { dimension.overlays.append(overlay) }
  }

  /// A property of an element's `style`, as in CSS.
  private func property(_ name: String, of element: LocatedElement) -> String? {
    for part in (element.value("style") ?? "").split(separator: ";") {
      let pair = part.split(separator: ":", maxSplits: 1)
      if pair.count == 2, String(pair[0]).trimmed.lowercased() == name { return String(pair[1]).trimmed }
    }
    return nil
  }

  private mutating func address(_ asset: LocatedElement, path: DocumentPath) -> String? {
    guard let link = asset.child("href")?.link else {
      report(asset, path, "field.missing", "The \(asset.name) has no href. It is left out; add one.")
      return nil
    }
    return collector.address(link, isLink: false, line: asset.line, path: path)
  }

  mutating func assetID(_ address: String, format: String?, line: Int, path: DocumentPath) -> String {
    if let id = assets[address] { return id }
    let asset = Asset(id: "asset-\(assets.count + 1)", url: address, format: format)
    if collector.problems.admit(asset, line: line, path: path) { dimension.assets.append(asset) }
    assets[address] = asset.id
    return asset.id
  }
}

/// Texts out of HTML.
enum ARMLText {
  /// What is left of HTML without tags, scripts and styles; breaks are kept.
  static func plain(_ html: String) -> String {
    guard html.contains("<") || html.contains("&") else { return html.trimmed }
    var result = ""
    var skipped: String?
    var rest = Substring(html)
    while let open = rest.firstIndex(of: "<") {
      if skipped == nil { result += rest[..<open] }
      guard let close = rest[open...].firstIndex(of: ">") else {
        rest = ""
        break
      }
      let tag = rest[rest.index(after: open)..<close].lowercased()
      let name = String(tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber })
      if let inside = skipped {
        if tag.hasPrefix("/"), name == inside { skipped = nil }
      } else if name == "script" || name == "style" {
        if !tag.hasPrefix("/"), !tag.hasSuffix("/") { skipped = name }
      } else if ["br", "p", "div", "li", "tr", "h1", "h2", "h3"].contains(name), !result.hasSuffix("\n") {
        result += "\n"
      }
      rest = rest[rest.index(after: close)...]
    }
    if skipped == nil { result += rest }
    for (name, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&#39;", "'"), ("&amp;", "&"),
    ] {
      if result.contains(name) { result = result.replacing(name, with: character) }
    }
    return result.trimmed
  }
}
