import SightlineContent

/// Reads the head of a dimension.
///
/// In: the root element. Out: a dimension with its own values (name, radar, refresh rules, sound), and the fields in
/// which the later stages find their lists. Of the dimension those need whether it has an address to refresh from, and
/// what altitudes are measured from.
struct GDDFHeadReader {
  let addresses: GDDFAddressReader

  func read(_ root: GDDFFields.Container, _ elements: inout GDDFElementReader) -> (Dimension, GDDFFields) {
    elements.notePrefix(of: root)
    checkVersion(root)
    let fields = elements.fields(
      of: root,
      scalars: GDDFNames.dimensionScalars,
      containers: GDDFNames.dimensionContainers,
      attributes: ["version"]
    )
    var dimension = Dimension()
    dimension.name = fields.last("name")?.text
    dimension.radarRange = fields.number(
      "radarRange",
      form: "a number of metres above 0",
      consequence: "the user's radius is used",
      where: { $0 > 0 }
    )
    dimension.relativeAltitude = fields.boolean("relativeAltitude", default: false)
    dimension.radarAvailable = fields.boolean("radarAvailable", default: true)
    elements.rarities.note("radarAvailable", in: fields)
    dimension.refreshURL = refreshURL(fields)
    let rules = GDDFRefreshReader(hasRefreshURL: dimension.refreshURL != nil)
    rules.readTime(fields, &elements, into: &dimension)
    rules.readDistance(fields, &elements, into: &dimension)
    dimension.soundURL = sound(fields, &elements)
    return (dimension, fields)
  }

  private func checkVersion(_ root: GDDFFields.Container) {
    let version = root.element.attribute("version")
    guard version != "1.0" else { return }
    addresses.problems.add(
      .error,
      "D002",
      line: root.element.line,
      path: root.path.child("@version"),
      (version.map { "The version is \(quoted($0))" } ?? "The attribute version is missing")
        + "; the original Android client refuses the document. Write <dimension version=\"1.0\">."
    )
  }

  private func refreshURL(_ fields: GDDFFields) -> String? {
    var result: String?
    for scalar in fields.scalars["refreshUrl"] ?? [] {
      if scalar.text.isEmpty {
        fields.problems.add(
          .error,
          "D040",
          line: scalar.line,
          path: scalar.path,
          "refreshUrl is empty and counts as absent. Write an address, or remove the element."
        )
      } else if let url = addresses.url(scalar, .refresh) {
        result = url
      }
    }
    fields.reportRepeated("refreshUrl", value: result)
    return result
  }

  private func sound(_ fields: GDDFFields, _ elements: inout GDDFElementReader) -> String? {
    guard let (inside, container) = elements.joined("playSound", of: fields, scalars: ["url"]) else { return nil }
    elements.rarities.note("playSound", line: container.element.line, path: container.path)
    guard let scalar = inside.last("url"), !scalar.text.isEmpty else {
      inside.reportMissing("url", consequence: "The sound is left out")
      return nil
    }
    let address = addresses.url(scalar, .sound)
    inside.reportRepeated("url", value: address)
    return address
  }
}
