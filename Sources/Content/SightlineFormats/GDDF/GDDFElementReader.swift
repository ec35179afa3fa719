/// Takes elements apart: what stands inside, and what does not belong there.
///
/// In: an element and the names that it may hold. Out: its `GDDFFields`, or one by one the items of a list. Reports
/// unknown and repeated elements and attributes, white space and stray text (D003 to D006). Every stage reads through
/// the one of the document, which keeps what is said once for all of it: that a name has a prefix, and what not every
/// client supports.
struct GDDFElementReader {
  let problems: ProblemList
  var rarities = GDDFRarities()
  private var hasNotedPrefix = false

  init(problems: ProblemList) { self.problems = problems }

  /// Sorts the children of an element and reports what does not belong there (D003 to D006).
  mutating func fields(
    of container: GDDFFields.Container,
    scalars: Set<String>,
    containers: Set<String> = [],
    items: Set<String> = [],
    attributes: Set<String> = []
  ) -> GDDFFields {
    let (element, path) = (container.element, container.path)
    var result = GDDFFields(of: container, problems: problems)
    checkAttributes(of: container, allowed: attributes)
    if !element.text.isBlank {
      problems.add(
        .warning,
        "D006",
        line: element.line,
        path: path,
        "There is text (\(quoted(element.text.trimmed))) between the elements of \(element.name). It is ignored; "
          + "remove it."
      )
    }
    guard problems.take(element.children.count, of: .steps, line: element.line, path: path) else { return result }
    var counts: [String: Int] = [:]
    for child in element.children { counts[child.name, default: 0] += 1 }
    var seen: [String: Int] = [:]
    for element in element.children {
      seen[element.name, default: 0] += 1
      let number = seen[element.name, default: 1]
      let isNumbered = items.contains(element.name) || counts[element.name, default: 1] > 1
      let child = GDDFFields.Container(
        element: element,
        path: isNumbered ? path.child(element.name, number) : path.child(element.name)
      )
      notePrefix(of: child)
      if items.contains(element.name) || containers.contains(element.name) {
        if containers.contains(element.name), number == 2 {
          problems.add(
            .warning,
            "D004",
            line: element.line,
            path: child.path,
            "\(element.name) stands here more than once. Programs differ in what they do then; join them into one."
          )
        }
        result.containers[element.name, default: []].append(child)
      } else if scalars.contains(element.name) {
        if number == 2 { result.repeated[element.name] = (element.line, child.path) }
        if let scalar = scalar(child) { result.scalars[element.name, default: []].append(scalar) }
      } else {
        reportUnknown(child, in: container.element.name)
      }
    }
    // Of texts the last one counts; whoever reads numbers and other values knows which of them are usable.
    for name in result.repeated.keys.sorted() where GDDFNames.texts.contains(name) {
      result.reportRepeated(name, value: result.last(name)?.text)
    }
    return result
  }

  /// The children of all containers of a name as if they stood in one, and the last of those.
  mutating func joined(
    _ name: String,
    of fields: GDDFFields,
    scalars: Set<String>
  ) -> (GDDFFields, GDDFFields.Container)? {
    guard let containers = fields.containers[name], let last = containers.last else { return nil }
    var result = GDDFFields(of: last, problems: problems)
    for container in containers {
      let inside = self.fields(of: container, scalars: scalars)
      for (name, values) in inside.scalars { result.scalars[name, default: []] += values }
      result.repeated.merge(inside.repeated) { first, _ in first }
    }
    return (result, last)
  }

  /// Hands on the items of all lists of a name, in order of the document, as long as the budget lasts.
  mutating func forEachItem(
    of list: String,
    in fields: GDDFFields,
    kinds: Set<String>,
    read: (GDDFFields.Container, inout GDDFElementReader) -> Void
  ) {
    for part in fields.containers[list] ?? [] {
      let inside = self.fields(of: part, scalars: [], items: kinds)
      // The fields are grouped by kind; drawing order is the document's.
      let ordered = inside.containers.values.joined().sorted {
        ($0.element.line, $0.element.column) < ($1.element.line, $1.element.column)
      }
      for item in ordered {
        guard problems.goesOn else { return }
        read(item, &self)
      }
    }
  }

  /// The last element of a name that is our own addition to the format: all its values are attributes, and the original clients
  /// ignore it (D050).
  mutating func addition(_ name: String, in fields: GDDFFields, attributes: Set<String>) -> GDDFFields.Container? {
    guard let container = fields.containers[name]?.last else { return nil }
    checkAttributes(of: container, allowed: attributes)
    rarities.note(name, line: container.element.line, path: container.path)
    return container
  }

  /// Says once that a name has a prefix.
  mutating func notePrefix(of container: GDDFFields.Container) {
    guard let prefix = container.element.prefix, !hasNotedPrefix else { return }
    hasNotedPrefix = true
    let name = container.element.name
    problems.add(
      .warning,
      "D003",
      line: container.element.line,
      path: container.path,
      "The name \(prefix):\(name) has a prefix. It is read as \(name), but one of the original clients "
        + "does not know it; write names without prefix."
    )
  }

  private func checkAttributes(of container: GDDFFields.Container, allowed: Set<String>) {
    let element = container.element
    for attribute in element.attributes where !attribute.declaresNamespace && !allowed.contains(attribute.name) {
      problems.add(
        .warning,
        "D003",
        line: element.line,
        path: container.path.child("@\(attribute.name)"),
        "The attribute \(attribute.name) is not known on \(element.name) and is ignored. Remove it."
      )
    }
  }

  private func scalar(_ container: GDDFFields.Container) -> GDDFFields.Scalar? {
    let element = container.element
    checkAttributes(of: container, allowed: [])
    guard element.children.isEmpty else {
      problems.add(
        .warning,
        "D006",
        line: element.line,
        path: container.path,
        "\(element.name) must hold text only, but there is an element <\(element.children[0].name)> in it. The value "
          + "is ignored; remove the markup."
      )
      return nil
    }
    let text = element.text.trimmed
    if text != element.text {
      problems.add(
        .error,
        "D005",
        line: element.line,
        path: container.path,
        "There is white space around the value of \(element.name). The original Android client refuses or misreads "
          + "such values; write \(quoted(text)) directly between the tags."
      )
    }
    return GDDFFields.Scalar(text: text, line: element.line, path: container.path)
  }

  private func reportUnknown(_ container: GDDFFields.Container, in parent: String) {
    let element = container.element
    let advice: String
    if element.name == "showOnRadar" {
      advice = "The name is showInRadar."
    } else if let home = GDDFNames.homes[element.name] {
      advice = "It belongs in \(home); move it there."
    } else {
      advice = "GDDF has no such element (names are case-sensitive); remove it or correct its name."
    }
    problems.add(
      .warning,
      "D003",
      line: element.line,
      path: container.path,
      "\(element.name) is not known inside \(parent) and is ignored with its content. \(advice)"
    )
  }
}
