import SightlineContent

/// What stands directly inside an element, sorted by name, and how values are read out of it.
///
/// In: the children that `GDDFElementReader` found to belong there. Out: numbers, truth values and pivots, of which the
/// last usable one counts. Reports each unusable one (D010, D034, D035), what stands more than once (D004) and what is
/// missing (D030).
struct GDDFFields {
  /// One scalar element, trimmed.
  struct Scalar {
    var text: String
    var line: Int
    var path: DocumentPath
  }

  /// One element that holds others or has attributes.
  struct Container {
    var element: LocatedElement
    var path: DocumentPath
  }

  /// The element they stand in.
  let line: Int
  let path: DocumentPath
  let problems: ProblemList
  var scalars: [String: [Scalar]] = [:]
  var containers: [String: [Container]] = [:]
  /// Where a scalar stands for the second time, by name.
  var repeated: [String: (line: Int, path: DocumentPath)] = [:]

  /// Nothing yet.
  init(of container: Container, problems: ProblemList) {
    line = container.element.line
    path = container.path
    self.problems = problems
  }

  /// The last of its name.
  func last(_ name: String) -> Scalar? { scalars[name]?.last }

  /// Whether the element is there, usable or not.
  func has(_ name: String) -> Bool { scalars[name] != nil }

  // MARK: Values

  /// Reads a number that has to fulfil a condition.
  ///
  /// `form` says for the message what is allowed ("a latitude from -90 to 90"), `consequence` what becomes of the item
  /// without the value.
  func number(
    _ name: String,
    form: String = "a decimal number",
    consequence: String = "It is ignored",
    where isAllowed: (Double) -> Bool = { _ in true }
  ) -> Double? {
    var result: Double?
    for scalar in scalars[name] ?? [] {
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
    reportRepeated(name, value: result.map { DecimalNumber.text($0) })
    return result
  }

  /// Reads `true` or `false`.
  func boolean(_ name: String, default defaultValue: Bool) -> Bool {
    var result: Bool?
    for scalar in scalars[name] ?? [] {
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
    reportRepeated(name, value: result.map { $0 ? "true" : "false" })
    return result ?? defaultValue
  }

  /// Reads `anchor`: which point of an item stands at its place.
  func pivot() -> Pivot {
    var result: Pivot?
    for scalar in scalars["anchor"] ?? [] {
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
    reportRepeated("anchor", value: result?.rawValue)
    return result ?? .bottomCenter
  }

  // MARK: Findings

  /// Says of a scalar that stands more than once which value counts; `nil` when none of them is usable.
  func reportRepeated(_ name: String, value: @autoclosure () -> String?) {
    guard let second = repeated[name] else { return }
    problems.add(
      .warning,
      "D004",
      line: second.line,
      path: second.path,
      "\(name) stands here more than once. "
        + (value().map { "The last usable one counts, \(quoted($0))" } ?? "None of them is usable")
        + "; one of the original clients takes the first. Keep one."
    )
  }

  /// Reports a required child that is not there.
  func reportMissing(_ name: String, consequence: String) {
    problems.add(
      .error,
      "D030",
      line: line,
      path: path.child(name),
      "\(name.hasPrefix("@") ? "The attribute \(name.dropFirst())" : name) is missing. \(consequence); add it."
    )
  }
}
