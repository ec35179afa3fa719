import SightlineContent

/// Reads the files that pictures and models are made of.
///
/// In: the fields of the dimension. Out: its assets in order, and the definitions with every asset that has an
/// identifier, usable or not. Reports what is missing (D030), unknown formats (D036) and unusable addresses (D040,
/// D041).
struct GDDFAssetReader {
  let addresses: GDDFAddressReader

  func read(
    _ fields: GDDFFields,
    _ elements: inout GDDFElementReader,
    into definitions: inout GDDFDefinitions
  ) -> [Asset] {
    var order: [String] = []
    elements.forEachItem(of: "assets", in: fields, kinds: ["asset"]) { item, elements in
      let inside = elements.fields(of: item, scalars: ["url", "format"], attributes: ["id"])
      let id = definitions.declarations.identifier(of: item)
      if id == nil {
        inside.reportMissing("@id", consequence: "Nothing can refer to this asset, so it is left out")
      }
      let format = format(inside)
      let url = url(inside)
      guard let id else { return }
      let asset = url.map { Asset(id: id, url: $0, format: format) }
      if let asset {
        guard elements.problems.admit(asset, line: item.element.line, path: item.path) else { return }
        order.append(id)
      }
      definitions.define(asset, id: id, at: item)
    }
    // Of equal identifiers the last one stands, and there.
    var seen: Set<String> = []
    let last = order.reversed().filter { seen.insert($0).inserted }
    return last.reversed().compactMap { definitions.asset($0) }
  }

  private func url(_ fields: GDDFFields) -> String? {
    let written = fields.scalars["url"]?.filter { !$0.text.isEmpty } ?? []
    var result: String?
    for scalar in written {
      if let usable = addresses.url(scalar, .asset) { result = usable }
    }
    fields.reportRepeated("url", value: result)
    if written.isEmpty { fields.reportMissing("url", consequence: "The asset is left out") }
    return result
  }

  private func format(_ fields: GDDFFields) -> String? {
    guard let scalar = fields.last("format"), !scalar.text.isEmpty else {
      fields.reportMissing("format", consequence: "The original Android client refuses the document")
      return nil
    }
    if !GDDFNames.formats.contains(scalar.text) {
      fields.problems.add(
        .error,
        "D036",
        line: scalar.line,
        path: scalar.path,
        "format is \(quoted(scalar.text)), but must be PNG, JPG or GAMA3D in capitals; the original Android client "
          + "refuses the document. The kind is decided from the data here; correct it for other programs."
      )
    }
    return scalar.text
  }
}
