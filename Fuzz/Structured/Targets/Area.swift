import SightlineContent
import SightlineFormats

/// AREA XML: the worked example of a target.
struct AreaTarget: StructuredTarget {
  static let name = "area"

  private let breaker = Breaker(
    names: ["locations", "location", "latitude", "longitude", "altitude", "name", "information", "category", "phone"],
    attributes: ["xmlns", "xmlns:a", "id", "xsi:schemaLocation"],
    values: ["http://www.area.com", "museum", "48.4"]
  )

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var tree = document(&random)
    breaker.breakTree(&tree, &random)
    if random.once(in: 3) { out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8 }
    tree.xml(into: &out)
    breaker.breakBytes(&out, &random)
  }

  /// A valid document: each field of the schema, in any order, the optional ones now and then.
  private func document(_ random: inout Random) -> Node {
    let isInNamespace = random.once(in: 3)
    var root = Node.element("locations", isInNamespace ? [("xmlns", "http://www.area.com")] : [])
    for _ in 0..<random.count(upTo: 12) {
      var place = Node.element("location")
      place.children = [
        .element("latitude", Values.latitude(&random)), .element("longitude", Values.longitude(&random)),
        .element("altitude", Values.decimal(&random, -10...900)), .element("name", Values.word(&random)),
        .element("information", Values.word(&random)),
      ]
      for _ in 0..<random.count(upTo: 5) { place.children.append(.element("category", Values.word(&random))) }
      if random.once(in: 3) { place.children.append(.element("phone", Values.word(&random))) }
      root.children.append(place)
    }
    return root
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    try DocumentChecks.check(
      input,
      AREAReader.read(input),
      write: { AREAWriter.write($0) },
      read: { AREAReader.read($0) }
    )
  }
}
