import SightlineContent

// `<marker dictionary="6x6-250" id="7" length="0.08"/>` in a feature: our own addition to the format. The original clients
// ignore it; to them the feature stands where its location says, and one without a location is left out.
extension GDDFReader {
  mutating func marker(of fields: GDDFFields) -> MarkerAnchor? {
    guard let container = fields.containers["marker"]?.last else { return nil }
    let (element, path) = (container.element, container.path)
    checkAttributes(of: element, path: path, allowed: ["dictionary", "id", "length"])
    noteRarity("marker", line: element.line, path: path)
    func fault(_ name: String, _ form: String) {
      let value = element.attribute(name)
      problems.add(
        .error,
        value == nil ? "D030" : "D010",
        line: element.line,
        path: "\(path)/@\(name)",
        "The marker's \(name) \(value.map { "is \(quoted($0))" } ?? "is missing"); it must be \(form). The marker is "
          + "ignored; correct it."
      )
    }
    guard let dictionary = element.attribute("dictionary"), let count = MarkerAnchor.dictionaries[dictionary] else {
      fault("dictionary", "the name of a dictionary, such as 6x6-250 or apriltag-36h11")
      return nil
    }
    guard let id = element.attribute("id").flatMap({ Int($0) }), id >= 0, id < count else {
      fault("id", "a whole number from 0 to \(count - 1)")
      return nil
    }
    guard let length = element.attribute("length").flatMap({ DecimalNumber.parse($0) }), length >= 0.005, length <= 10
    else {
      fault("length", "the outer edge of the black border in metres, 0.005 to 10")
      return nil
    }
    return MarkerAnchor(dictionary: dictionary, id: id, length: length)
  }
}
