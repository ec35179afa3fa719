import SightlineContent

/// Reads features: texts, pictures and models in the world.
///
/// In: the fields of the dimension; the definitions, whose locations and assets it uses; the parameters below. Out: the
/// places in order. Where a feature stands is found by `GDDFAnchors` and `GDDFFeatureLocation`, how large and which way
/// by `GDDFStance`.
struct GDDFFeatureReader {
  let actions: GDDFActionReader
  /// Which way the offsets of the document point.
  let axes: OffsetAxes
  /// What the document's altitudes are measured from.
  let altitudeMode: AltitudeMode
  /// What `showOnFocus` may name.
  let overlayIDs: Set<String>

  func read(
    _ fields: GDDFFields,
    _ elements: inout GDDFElementReader,
    _ definitions: inout GDDFDefinitions
  ) -> [Place] {
    var places: [Place] = []
    elements.forEachItem(of: "features", in: fields, kinds: GDDFNames.featureKinds) { item, elements in
      guard var place = place(item, &elements, &definitions),
        elements.problems.admit(&place, line: item.element.line, path: item.path)
      else { return }
      places.append(place)
    }
    return places
  }

  private func place(
    _ item: GDDFFields.Container,
    _ elements: inout GDDFElementReader,
    _ definitions: inout GDDFDefinitions
  ) -> Place? {
    let kind = item.element.name
    let fields = elements.fields(
      of: item,
      scalars: GDDFNames.featureScalars(kind),
      containers: GDDFNames.featureContainers(kind),
      attributes: ["id"]
    )
    let id = definitions.declarations.identifier(of: item)
    let anchors = GDDFAnchors(of: fields, &elements, &definitions)
    let location = GDDFFeatureLocation(of: fields, isNeeded: anchors.needsLocation, &elements, &definitions)
    let visual = visual(of: kind, fields, &definitions)
    let pivot = fields.pivot()
    let offset = offset(of: fields)
    let action = actions.action(of: fields)
    let showInRadar = fields.boolean("showInRadar", default: true)
    if kind == "featureTxt", !fields.has("showInRadar") {
      fields.problems.add(
        .warning,
        "D032",
        line: fields.line,
        path: fields.path.child("showInRadar"),
        "showInRadar is missing. Programs differ in whether a text feature is then on the radar; write true or false."
      )
    }
    let showOnFocus = focusOverlays(of: fields, &elements)
    if kind == "feature3d" { elements.rarities.note(kind, line: fields.line, path: fields.path) }

    guard case .found(let position) = location, let visual else { return nil }
    let stance = GDDFStance(of: fields, isModel: kind == "feature3d", &elements)
    var place = Place(title: title(of: visual, id: id), position: position, visual: visual)
    place.id = id
    place.altitudeMode = altitudeMode
    place.offset = offset
    place.marker = anchors.marker
    place.target = anchors.target
    // A location beside is for the clients of 2010.
    if anchors.followsUser { (place.followsUser, place.position) = (true, nil) }
    place.size = stance.size
    place.attitude = stance.attitude
    place.pivot = pivot
    place.action = action
    place.showInRadar = showInRadar
    place.showOnFocus = showOnFocus
    return place
  }

  /// What lists call a feature: GDDF has no titles.
  private func title(of visual: Visual, id: String?) -> String {
    switch visual {
    case .text(let text): text
    case .image(let assetID), .model(let assetID, _, _, _, _): id ?? assetID
    }
  }

  private func visual(of kind: String, _ fields: GDDFFields, _ definitions: inout GDDFDefinitions) -> Visual? {
    let leftOut = "The feature is left out"
    switch kind {
    case "featureTxt":
      guard let text = fields.last("text") else {
        fields.reportMissing("text", consequence: leftOut)
        return nil
      }
      return .text(text.text)
    case "featureImg":
      return definitions.asset(of: fields, is3D: false, consequence: leftOut).map { .image(assetID: $0) }
    default:
      let id = definitions.asset(of: fields, is3D: true, consequence: leftOut)
      let rotations = ["xRot", "yRot", "zRot"].map { name in
        fields.number(name, form: "a number of degrees", consequence: "0 is used") ?? 0
      }
      let scale = fields.number("scale", consequence: "1 is used") ?? 1
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

  private func offset(of fields: GDDFFields) -> Offset {
    var values: [Double] = []
    for name in ["xLoc", "yLoc", "zLoc"] {
      let value = fields.number(name, form: "a number of metres", consequence: "0 is used") ?? 0
      values.append(value)
      if name != "xLoc", value != 0, let scalar = fields.last(name) {
        fields.problems.add(
          .warning,
          "D033",
          line: scalar.line,
          path: scalar.path,
          "\(name) is not 0. The original clients disagree about its direction; put the offset into lat, lon and alt, "
            + "or say with the axes option which client the document was written for."
        )
      }
    }
    return switch axes {
    case .enu: Offset(east: values[0], north: values[1], up: values[2])
    case .gamaray: Offset(east: values[0], north: values[2] == 0 ? 0 : -values[2], up: values[1])
    }
  }

  private func focusOverlays(of fields: GDDFFields, _ elements: inout GDDFElementReader) -> [String] {
    guard let scalar = fields.last("showOnFocus") else { return [] }
    elements.rarities.note("showOnFocus", in: fields)
    var seen: Set<String> = [""]
    let names = scalar.text.split(separator: ",").map { String($0).trimmed }.filter { seen.insert($0).inserted }
    guard fields.problems.take(names.count, of: .steps, line: scalar.line, path: scalar.path) else { return [] }
    for name in names where !overlayIDs.contains(name) {
      fields.problems.add(
        .warning,
        "D021",
        line: scalar.line,
        path: scalar.path,
        "showOnFocus names \(quoted(name)), but no overlay has this id. Correct it or add the overlay."
      )
    }
    return names
  }
}
