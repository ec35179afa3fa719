import SightlineContent

// Features and overlays.
extension GDDFReader {
  mutating func place(_ element: LocatedElement, path: DocumentPath) -> Place? {
    let kind = element.name
    let fields = fields(
      of: element,
      path: path,
      scalars: GDDFNames.featureScalars(kind),
      containers: kind == "featureTxt"
        ? ["location", "marker", "target", "user"] : ["location", "marker", "target", "user", "size", "attitude"],
      attributes: ["id"]
    )
    let id = identifier(of: element, path: path)
    let leftOut = "The feature is left out"
    let marker = marker(of: fields)
    let target = target(of: fields)
    let followsUser = followsUser(of: fields, isOnPrint: marker != nil || target != nil)
    // What stands on a marker or a picture, or goes along with the user, needs no place on the Earth.
    let hasLocation = fields.has("locationId") || fields.containers["location"] != nil
    let location = marker == nil && target == nil && !followsUser || hasLocation ? location(of: fields) : .found(nil)
    let visual = visual(of: kind, fields, consequence: leftOut)
    let pivot = pivot(of: fields)
    let offset = offset(of: fields)
    let action = action(of: fields)
    let showInRadar = boolean("showInRadar", of: fields, default: true)
    if kind == "featureTxt", !fields.has("showInRadar") {
      problems.add(
        .warning,
        "D032",
        line: fields.line,
        path: path.child("showInRadar"),
        "showInRadar is missing. Programs differ in whether a text feature is then on the radar; write true or false."
      )
    }
    let showOnFocus = focusOverlays(of: fields)
    if kind == "feature3d" { noteRarity(kind, line: fields.line, path: path) }

    guard case .found(let position) = location, let visual else { return nil }
    var place = Place(title: GDDFReader.title(of: visual, id: id), position: position, visual: visual)
    place.id = id
    place.altitudeMode = altitudeMode
    place.offset = offset
    place.marker = marker
    place.target = target
    // A location beside is for the clients of 2010.
    if followsUser { (place.followsUser, place.position) = (true, nil) }
    place.size = size(of: fields, isModel: kind == "feature3d")
    place.attitude = attitude(of: fields)
    place.pivot = pivot
    place.action = action
    place.showInRadar = showInRadar
    place.showOnFocus = showOnFocus
    return place
  }

  /// What lists call a feature: GDDF has no titles.
  static func title(of visual: Visual, id: String?) -> String {
    switch visual {
    case .text(let text): text
    case .image(let assetID), .model(let assetID, _, _, _, _): id ?? assetID
    }
  }

  private enum FeatureLocation {
    case found(Position?)
    case missing
  }

  private mutating func location(of fields: GDDFFields) -> FeatureLocation {
    var inline: Position?
    let containers = fields.containers["location"] ?? []
    for container in containers {
      if let position = position(container.element, path: container.path, attributes: ["id"]) { inline = position }
    }
    let reference = fields.last("locationId")
    if let reference, !containers.isEmpty {
      problems.add(
        .warning,
        "D031",
        line: reference.line,
        path: reference.path,
        "The feature has both location and locationId; programs differ in which one counts. "
          + (inline == nil ? "The location is not usable, so locationId is used" : "The location is used")
          + "; keep one."
      )
    }
    if let inline {
      // Named, even if not used.
      if let reference { locations[reference.text]?.isUsed = true }
      return .found(inline)
    }
    guard let reference else {
      if containers.isEmpty {
        reportMissing("location", of: fields, consequence: "A feature needs location or locationId; it is left out")
      } else {
        problems.add(
          .error,
          "D030",
          line: fields.line,
          path: fields.path.child("location"),
          "The feature has no usable location and is left out. Correct what is reported about its location."
        )
      }
      return .missing
    }
    guard locations[reference.text] != nil else {
      reportUnresolved(reference, "location", hidden: "The feature is kept without a position and not shown")
      return .found(nil)
    }
    locations[reference.text]?.isUsed = true
    guard let position = locations[reference.text]?.value else {
      problems.add(
        .error,
        "D021",
        line: reference.line,
        path: reference.path,
        "locationId names \(quoted(reference.text)), but that location is not usable. The feature is kept without a "
          + "position and not shown; correct the location."
      )
      return .found(nil)
    }
    return .found(position)
  }

  /// Reports a reference to nothing, or to something of another kind.
  mutating func reportUnresolved(_ reference: GDDFFields.Scalar, _ kind: String, hidden: String) {
    let other = declaredByID[reference.text]
    let reason =
      other.map { "that is the id of a \($0.name) (line \($0.line))" }
      ?? "no \(kind) in \(kind)s has this id"
    problems.add(
      .error,
      "D021",
      line: reference.line,
      path: reference.path,
      "\(kind)Id names \(quoted(reference.text)), but \(reason). \(hidden); correct the id or add the \(kind)."
    )
  }

  private mutating func visual(of kind: String, _ fields: GDDFFields, consequence: String) -> Visual? {
    switch kind {
    case "featureTxt":
      guard let text = fields.last("text") else {
        reportMissing("text", of: fields, consequence: consequence)
        return nil
      }
      return .text(text.text)
    case "featureImg":
      return asset(of: fields, is3D: false, consequence: consequence).map { .image(assetID: $0) }
    default:
      let id = asset(of: fields, is3D: true, consequence: consequence)
      let rotations = ["xRot", "yRot", "zRot"].map { name in
        number(name, of: fields, form: "a number of degrees", consequence: "0 is used") ?? 0
      }
      let scale = number("scale", of: fields, consequence: "1 is used") ?? 1
      guard let id else { return nil }
      return .model(
        assetID: id,
        xRotation: rotations[0],
        yRotation: rotations[1],
        zRotation: rotations[2],
        scale: scale
      )
    }
  }

  /// The asset an item names; an unresolved name is kept, so that the item shows as failed.
  mutating func asset(of fields: GDDFFields, is3D: Bool, consequence: String) -> String? {
    guard let reference = fields.last("assetId"), !reference.text.isEmpty else {
      reportMissing("assetId", of: fields, consequence: consequence)
      return nil
    }
    guard let shared = assets[reference.text] else {
      reportUnresolved(reference, "asset", hidden: "A sign for a failed picture is shown")
      return reference.text
    }
    assets[reference.text]?.isUsed = true
    guard let asset = shared.value else {
      problems.add(
        .error,
        "D021",
        line: reference.line,
        path: reference.path,
        "assetId names \(quoted(reference.text)), but that asset is not usable. A sign for a failed picture is shown; "
          + "correct the asset."
      )
      return reference.text
    }
    if let format = asset.format, ["PNG", "JPG", "GAMA3D"].contains(format), (format == "GAMA3D") != is3D {
      problems.add(
        .error,
        "D036",
        line: reference.line,
        path: reference.path,
        "The asset \(quoted(reference.text)) is declared as \(format), but this item needs "
          + (is3D ? "GAMA3D" : "PNG or JPG") + ". Name another asset or correct its format."
      )
    }
    return reference.text
  }

  private mutating func offset(of fields: GDDFFields) -> Offset {
    var values: [Double] = []
    for name in ["xLoc", "yLoc", "zLoc"] {
      let value = number(name, of: fields, form: "a number of metres", consequence: "0 is used") ?? 0
      values.append(value)
      if name != "xLoc", value != 0, let scalar = fields.last(name) {
        problems.add(
          .warning,
          "D033",
          line: scalar.line,
          path: scalar.path,
          "\(name) is not 0. The original clients disagree about its direction; put the offset into lat, lon and alt, "
            + "or say with the axes option which client the document was written for."
        )
      }
    }
    return switch options.axes {
    case .enu: Offset(east: values[0], north: values[1], up: values[2])
    case .gamaray: Offset(east: values[0], north: values[2] == 0 ? 0 : -values[2], up: values[1])
    }
  }

  private mutating func focusOverlays(of fields: GDDFFields) -> [String] {
    guard let scalar = fields.last("showOnFocus") else { return [] }
    noteRarity("showOnFocus", in: fields)
    var seen: Set<String> = [""]
    let names = scalar.text.split(separator: ",").map { String($0).trimmed }.filter { seen.insert($0).inserted }
    guard problems.take(names.count, of: .steps, line: scalar.line, path: scalar.path) else { return [] }
    for name in names where !overlayIDs.contains(name) {
      problems.add(
        .warning,
        "D021",
        line: scalar.line,
        path: scalar.path,
        "showOnFocus names \(quoted(name)), but no overlay has this id. Correct it or add the overlay."
      )
    }
    return names
  }

  mutating func overlay(_ element: LocatedElement, path: DocumentPath) -> Overlay? {
    let kind = element.name
    let fields = fields(of: element, path: path, scalars: GDDFNames.overlayScalars(kind), attributes: ["id"])
    let id = identifier(of: element, path: path)
    if let id { overlayIDs.insert(id) }
    let leftOut = "The overlay is left out"
    if kind == "overlayHtml" { noteRarity(kind, line: fields.line, path: path) }
    let x = screenNumber("x", of: fields, consequence: leftOut)
    let y = screenNumber("y", of: fields, consequence: leftOut)
    let content = content(of: kind, fields, consequence: leftOut)
    let pivot = pivot(of: fields)
    if !fields.has("anchor") {
      problems.add(
        .warning,
        "D032",
        line: fields.line,
        path: path.child("anchor"),
        "anchor is missing. One original client then uses BC, the other TL; write it."
      )
    }
    let action = action(of: fields)
    let hidden = boolean("hidden", of: fields, default: false)
    noteRarity("hidden", in: fields)
    guard let x, let y, let content else { return nil }
    var overlay = Overlay(x: x, y: y, content: content)
    overlay.id = id
    overlay.pivot = pivot
    overlay.hidden = hidden
    overlay.action = action
    return overlay
  }

  private mutating func content(of kind: String, _ fields: GDDFFields, consequence: String) -> OverlayContent? {
    switch kind {
    case "overlayTxt":
      let width = screenNumber("width", of: fields, least: 0, consequence: consequence)
      guard let text = fields.last("text") else {
        reportMissing("text", of: fields, consequence: consequence)
        return nil
      }
      return width.map { .text(text.text, width: $0) }
    case "overlayImg":
      return asset(of: fields, is3D: false, consequence: consequence).map { .image(assetID: $0) }
    default:
      let width = screenNumber("width", of: fields, least: .leastNonzeroMagnitude, consequence: consequence)
      let height = screenNumber("height", of: fields, least: .leastNonzeroMagnitude, consequence: consequence)
      guard let scalar = fields.last("url"), !scalar.text.isEmpty else {
        reportMissing("url", of: fields, consequence: consequence)
        return nil
      }
      let url = url(scalar.text, .html, line: scalar.line, path: scalar.path)
      reportRepeated("url", of: fields, value: url)
      guard let url, let width, let height else { return nil }
      return .html(url: url, width: width, height: height)
    }
  }

  /// A required number of points on the screen; the original client keeps it in 32 bits.
  private mutating func screenNumber(
    _ name: String,
    of fields: GDDFFields,
    least: Double = -.greatestFiniteMagnitude,
    consequence: String
  ) -> Double? {
    guard fields.has(name) else {
      reportMissing(name, of: fields, consequence: consequence)
      return nil
    }
    let form = least > 0 ? "a number above 0" : least == 0 ? "a number, 0 or more" : "a number"
    return number(name, of: fields, form: form, consequence: consequence) {
      $0 >= least && abs($0) <= Double(Float.greatestFiniteMagnitude)
    }
  }
}
