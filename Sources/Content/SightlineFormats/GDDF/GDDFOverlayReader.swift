import SightlineContent

/// Reads what stands on the screen itself.
///
/// In: the fields of the dimension, and the definitions, whose assets it uses. Out: the overlays in order, and the
/// identifiers that features may name. Reports what is missing (D030, D032) and what is not a number (D010).
struct GDDFOverlayReader {
  let actions: GDDFActionReader

  /// The overlays, and the identifiers of all of them, also of those that were left out.
  func read(
    _ fields: GDDFFields,
    _ elements: inout GDDFElementReader,
    _ definitions: inout GDDFDefinitions
  ) -> (items: [Overlay], ids: Set<String>) {
    var items: [Overlay] = []
    var ids: Set<String> = []
    elements.forEachItem(of: "overlays", in: fields, kinds: GDDFNames.overlayKinds) { item, elements in
      let inside = elements.fields(
        of: item,
        scalars: GDDFNames.overlayScalars(item.element.name),
        attributes: ["id"]
      )
      let id = definitions.declarations.identifier(of: item)
      if let id { ids.insert(id) }
      guard var overlay = overlay(item.element.name, inside, &elements, &definitions) else { return }
      overlay.id = id
      guard elements.problems.admit(&overlay, line: item.element.line, path: item.path) else { return }
      items.append(overlay)
    }
    return (items, ids)
  }

  private func overlay(
    _ kind: String,
    _ fields: GDDFFields,
    _ elements: inout GDDFElementReader,
    _ definitions: inout GDDFDefinitions
  ) -> Overlay? {
    let leftOut = "The overlay is left out"
    if kind == "overlayHtml" { elements.rarities.note(kind, line: fields.line, path: fields.path) }
    let x = screenNumber("x", of: fields, consequence: leftOut)
    let y = screenNumber("y", of: fields, consequence: leftOut)
    let content = content(of: kind, fields, &definitions, consequence: leftOut)
    let pivot = fields.pivot()
    if !fields.has("anchor") {
      fields.problems.add(
        .warning,
        "D032",
        line: fields.line,
        path: fields.path.child("anchor"),
        "anchor is missing. One original client then uses BC, the other TL; write it."
      )
    }
    let action = actions.action(of: fields)
    let hidden = fields.boolean("hidden", default: false)
    elements.rarities.note("hidden", in: fields)
    guard let x, let y, let content else { return nil }
    var overlay = Overlay(x: x, y: y, content: content)
    overlay.pivot = pivot
    overlay.hidden = hidden
    overlay.action = action
    return overlay
  }

  private func content(
    of kind: String,
    _ fields: GDDFFields,
    _ definitions: inout GDDFDefinitions,
    consequence: String
  ) -> OverlayContent? {
    switch kind {
    case "overlayTxt":
      let width = screenNumber("width", of: fields, least: 0, consequence: consequence)
      guard let text = fields.last("text") else {
        fields.reportMissing("text", consequence: consequence)
        return nil
      }
      return width.map { .text(text.text, width: $0) }
    case "overlayImg":
      return definitions.asset(of: fields, is3D: false, consequence: consequence).map { .image(assetID: $0) }
    default:
      let width = screenNumber("width", of: fields, least: .leastNonzeroMagnitude, consequence: consequence)
      let height = screenNumber("height", of: fields, least: .leastNonzeroMagnitude, consequence: consequence)
      guard let scalar = fields.last("url"), !scalar.text.isEmpty else {
        fields.reportMissing("url", consequence: consequence)
        return nil
      }
      let url = actions.addresses.url(scalar, .html)
      fields.reportRepeated("url", value: url)
      guard let url, let width, let height else { return nil }
      return .html(url: url, width: width, height: height)
    }
  }

  /// A required number of points on the screen; the original client keeps it in 32 bits.
  private func screenNumber(
    _ name: String,
    of fields: GDDFFields,
    least: Double = -.greatestFiniteMagnitude,
    consequence: String
  ) -> Double? {
    guard fields.has(name) else {
      fields.reportMissing(name, consequence: consequence)
      return nil
    }
    let form = least > 0 ? "a number above 0" : least == 0 ? "a number, 0 or more" : "a number"
    return fields.number(name, form: form, consequence: consequence) {
      $0 >= least && abs($0) <= Double(Float.greatestFiniteMagnitude)
    }
  }
}
