import SightlineContent

// Scalar values: the last usable one counts, and each unusable one is reported.
extension GDDFReader {
  /// Reads a number that has to fulfil a condition.
  ///
  /// `form` says for the message what is allowed ("a latitude from -90 to 90"), `consequence` what becomes of the item
  /// without the value.
  mutating func number(
    _ name: String,
    of fields: GDDFFields,
    form: String = "a decimal number",
    consequence: String = "It is ignored",
    where isAllowed: (Double) -> Bool = { _ in true }
  ) -> Double? {
    var result: Double?
    for scalar in fields.scalars[name] ?? [] {
      if let value = DecimalNumber.parse(scalar.text), isAllowed(value) {
        result = value
        continue
      }
      problems.add(
        .error,
        "D010",
        line: scalar.line,
        path: scalar.path,
        "\(name) is \(quoted(scalar.text)), but must be \(form), written with a full stop and nothing else. "
          + "\(consequence); correct the value."
      )
    }
    reportRepeated(name, of: fields, value: result.map { DecimalNumber.text($0) })
    return result
  }

  mutating func boolean(_ name: String, of fields: GDDFFields, default defaultValue: Bool) -> Bool {
    var result: Bool?
    for scalar in fields.scalars[name] ?? [] {
      switch scalar.text.lowercased() {
      case "true": result = true
      case "false": result = false
      default:
        if scalar.text == "0" { result = false }
        problems.add(
          .warning,
          "D035",
          line: scalar.line,
          path: scalar.path,
          "\(name) is \(quoted(scalar.text)), but must be true or false. "
            + (scalar.text == "0" ? "It is read as false" : "The default \(defaultValue) is used")
            + "; write true or false."
        )
      }
    }
    reportRepeated(name, of: fields, value: result.map { $0 ? "true" : "false" })
    return result ?? defaultValue
  }

  mutating func pivot(of fields: GDDFFields) -> Pivot {
    var result: Pivot?
    for scalar in fields.scalars["anchor"] ?? [] {
      let pivot = Pivot(rawValue: scalar.text.uppercased())
      if let pivot { result = pivot }
      guard pivot == nil || scalar.text != scalar.text.uppercased() else { continue }
      problems.add(
        .error,
        "D034",
        line: scalar.line,
        path: scalar.path,
        "anchor is \(quoted(scalar.text)), but must be one of TL TC TR CL CC CR BL BC BR: first the row, then the "
          + "column, in capitals. " + (pivot == nil ? "BC is used." : "It is read as \(pivot?.rawValue ?? "BC").")
      )
    }
    reportRepeated("anchor", of: fields, value: result?.rawValue)
    return result ?? .bottomCenter
  }

  /// The identifier of an element, with the checks of its characters; it is put into the joint name space.
  mutating func identifier(of element: LocatedElement, path: DocumentPath) -> String? {
    guard let id = element.attribute("id") else { return nil }
    let isPlain =
      !id.isEmpty && id != "NULL"
      && id.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x2E
          || byte == 0x2D
      }
    if !isPlain {
      let reason =
        id == "NULL"
        ? "is the word that requests use for \"none\"" : "has other characters than letters, digits, _ . and -"
      problems.add(
        .warning,
        "D022",
        line: element.line,
        path: path.child("@id"),
        "The id \(quoted(id)) \(reason). Clients that do not encode their requests send it wrongly; rename it."
      )
    }
    let declaration = Declaration(id: id, name: element.name, line: element.line, path: path.child("@id"))
    declared.append(declaration)
    if declaredByID[id] == nil { declaredByID[id] = declaration }
    return id
  }

  /// The action; an unusable one also takes back an earlier one, as in the iPhone client.
  mutating func action(of fields: GDDFFields) -> Action? {
    var result: Action?
    for scalar in fields.scalars["onPress"] ?? [] { result = action(scalar) }
    reportRepeated("onPress", of: fields, value: result == nil ? nil : fields.last("onPress")?.text)
    return result
  }

  private mutating func action(_ scalar: GDDFFields.Scalar) -> Action? {
    let parts = scalar.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts[0])
    switch word {
    case "refresh":
      if !hasRefreshURL {
        reportMissingRefreshURL("The action refresh does nothing", line: scalar.line, path: scalar.path)
      }
      return .refresh
    case "webpage", "dimension":
      let text = parts.count == 2 ? String(parts[1]).trimmed : ""
      guard !text.isEmpty else {
        reportAction(scalar, "has no address. Write \(word): http://…")
        return nil
      }
      let purpose: GDDFURLPurpose = word == "webpage" ? .webPage : .dimension
      guard let url = url(text, purpose, line: scalar.line, path: scalar.path) else { return nil }
      return word == "webpage" ? .webPage(url) : .dimension(url)
    default:
      reportAction(scalar, "is none of the three forms refresh, webpage: URL and dimension: URL (in small letters)")
      return nil
    }
  }

  private mutating func reportAction(_ scalar: GDDFFields.Scalar, _ reason: String) {
    problems.add(
      .error,
      "D040",
      line: scalar.line,
      path: scalar.path,
      "The action \(quoted(scalar.text)) \(reason). The item does not react to a tap; correct it."
    )
  }

  mutating func reportMissingRefreshURL(_ effect: String, line: Int, path: DocumentPath) {
    problems.add(
      .error,
      "D013",
      line: line,
      path: path,
      "\(effect), because the dimension has no usable refreshUrl. Add one, or remove this."
    )
  }

  /// Reports a required child that is not there.
  mutating func reportMissing(_ name: String, of fields: GDDFFields, consequence: String) {
    problems.add(
      .error,
      "D030",
      line: fields.line,
      path: fields.path.child(name),
      "\(name.hasPrefix("@") ? "The attribute \(name.dropFirst())" : name) is missing. \(consequence); add it."
    )
  }
}
