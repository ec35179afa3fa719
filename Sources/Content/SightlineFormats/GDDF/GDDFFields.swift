/// What stands directly inside an element, sorted by name.
struct GDDFFields {
  /// One scalar element, trimmed.
  struct Scalar {
    var text: String
    var line: Int
    var path: DocumentPath
  }

  /// One element that holds others.
  struct Container {
    var element: LocatedElement
    var path: DocumentPath
  }

  /// The element they stand in.
  var line: Int
  var path: DocumentPath
  var scalars: [String: [Scalar]] = [:]
  var containers: [String: [Container]] = [:]
  /// Where a scalar stands for the second time, by name.
  var repeated: [String: (line: Int, path: DocumentPath)] = [:]

  /// The last of its name.
  func last(_ name: String) -> Scalar? { scalars[name]?.last }

  /// Whether the element is there, usable or not.
  func has(_ name: String) -> Bool { scalars[name] != nil }
}

extension GDDFReader {
  /// Sorts the children of an element and reports what does not belong there (D003 to D006).
  mutating func fields(
    of element: LocatedElement,
    path: DocumentPath,
    scalars: Set<String>,
    containers: Set<String> = [],
    items: Set<String> = [],
    attributes: Set<String> = []
  ) -> GDDFFields {
    var result = GDDFFields(line: element.line, path: path)
    checkAttributes(of: element, path: path, allowed: attributes)
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
    for child in element.children {
      seen[child.name, default: 0] += 1
      let number = seen[child.name, default: 1]
      let isNumbered = items.contains(child.name) || counts[child.name, default: 1] > 1
      let childPath = isNumbered ? path.child(child.name, number) : path.child(child.name)
      notePrefix(of: child, path: childPath)
      if items.contains(child.name) || containers.contains(child.name) {
        if containers.contains(child.name), number == 2 {
          problems.add(
            .warning,
            "D004",
            line: child.line,
            path: childPath,
            "\(child.name) stands here more than once. Programs differ in what they do then; join them into one."
          )
        }
        result.containers[child.name, default: []].append(GDDFFields.Container(element: child, path: childPath))
      } else if scalars.contains(child.name) {
        if number == 2 { result.repeated[child.name] = (child.line, childPath) }
        if let scalar = scalar(child, path: childPath) { result.scalars[child.name, default: []].append(scalar) }
      } else {
        reportUnknown(child, in: element.name, path: childPath)
      }
    }
    // Of texts the last one counts; whoever reads numbers and other values knows which of them are usable.
    for name in result.repeated.keys where GDDFNames.texts.contains(name) {
      reportRepeated(name, of: result, value: result.last(name)?.text)
    }
    return result
  }

  /// Says of a scalar that stands more than once which value counts; `nil` when none of them is usable.
  mutating func reportRepeated(_ name: String, of fields: GDDFFields, value: String?) {
    guard let second = fields.repeated[name] else { return }
    problems.add(
      .warning,
      "D004",
      line: second.line,
      path: second.path,
      "\(name) stands here more than once. "
        + (value.map { "The last usable one counts, \(quoted($0))" } ?? "None of them is usable")
        + "; one of the original clients takes the first. Keep one."
    )
  }

  private mutating func scalar(_ element: LocatedElement, path: DocumentPath) -> GDDFFields.Scalar? {
    checkAttributes(of: element, path: path, allowed: [])
    guard element.children.isEmpty else {
      problems.add(
        .warning,
        "D006",
        line: element.line,
        path: path,
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
        path: path,
        "There is white space around the value of \(element.name). The original Android client refuses or misreads "
          + "such values; write \(quoted(text)) directly between the tags."
      )
    }
    return GDDFFields.Scalar(text: text, line: element.line, path: path)
  }

  private mutating func reportUnknown(_ element: LocatedElement, in parent: String, path: DocumentPath) {
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
      path: path,
      "\(element.name) is not known inside \(parent) and is ignored with its content. \(advice)"
    )
  }

  mutating func checkAttributes(of element: LocatedElement, path: DocumentPath, allowed: Set<String>) {
    for attribute in element.attributes where !attribute.declaresNamespace && !allowed.contains(attribute.name) {
      problems.add(
        .warning,
        "D003",
        line: element.line,
        path: path.child("@\(attribute.name)"),
        "The attribute \(attribute.name) is not known on \(element.name) and is ignored. Remove it."
      )
    }
  }

  /// Says once that a name has a prefix.
  mutating func notePrefix(of element: LocatedElement, path: DocumentPath) {
    guard let prefix = element.prefix, !hasNotedPrefix else { return }
    hasNotedPrefix = true
    problems.add(
      .warning,
      "D003",
      line: element.line,
      path: path,
      "The name \(prefix):\(element.name) has a prefix. It is read as \(element.name), but one of the original clients "
        + "does not know it; write names without prefix."
    )
  }
}
