import SightlineContent

/// Reads when a dimension is to be fetched again.
///
/// In: the fields of the dimension. Out: its interval and its distance. Reports what programs understand differently
/// (D011, D012, D014), and a rule without an address to refresh from (D013).
struct GDDFRefreshReader {
  let hasRefreshURL: Bool

  func readTime(_ fields: GDDFFields, _ elements: inout GDDFElementReader, into dimension: inout Dimension) {
    guard
      let (inside, container) = elements.joined("refreshTime", of: fields, scalars: ["validFor", "waitForAssets"])
    else { return }
    checkAddress("refreshTime", container, fields.problems)
    let milliseconds = inside.number(
      "validFor",
      form: "a number of milliseconds, 0 or more",
      consequence: "It counts as never",
      where: { $0 >= 0 }
    )
    dimension.refreshIntervalSeconds = (milliseconds ?? 0) / 1000
    checkInterval(milliseconds, inside)
    _ = inside.boolean("waitForAssets", default: false)
    if !inside.has("waitForAssets") {
      inside.problems.add(
        .warning,
        "D014",
        line: inside.line,
        path: inside.path.child("waitForAssets"),
        "waitForAssets is missing. The original Android client then counts the time from when all assets are loaded; "
          + "write <waitForAssets>false</waitForAssets>."
      )
    }
  }

  private func checkInterval(_ milliseconds: Double?, _ fields: GDDFFields) {
    let scalar = fields.last("validFor")
    let finding: String
    switch milliseconds {
    case nil where scalar == nil: finding = "is missing, which some programs read as never and others as 30 seconds"
    case nil: return
    case 0?: finding = "is 0, which some programs read as never and others as always"
    case let value? where value.rounded() != value || scalar?.text.contains(where: { !$0.isNumber }) == true:
      finding = "is not a whole number; the original Android client refuses the document"
    case let value? where value < 1000: finding = "is below 1000, less than a second; programs may wait longer"
    default: return
    }
    fields.problems.add(
      .warning,
      "D011",
      line: scalar?.line ?? fields.line,
      path: scalar?.path ?? fields.path.child("validFor"),
      "validFor \(finding). Write whole milliseconds, 1000 or more, or leave refreshTime out."
    )
  }

  func readDistance(_ fields: GDDFFields, _ elements: inout GDDFElementReader, into dimension: inout Dimension) {
    guard let (inside, container) = elements.joined("refreshDistance", of: fields, scalars: ["validWithinRange"])
    else { return }
    checkAddress("refreshDistance", container, fields.problems)
    let metres = inside.number(
      "validWithinRange",
      form: "a number of metres, 0 or more",
      consequence: "It counts as never",
      where: { $0 >= 0 }
    )
    dimension.refreshDistance = metres ?? 0
    let scalar = inside.last("validWithinRange")
    guard metres == 0 || scalar == nil else { return }
    inside.problems.add(
      .warning,
      "D012",
      line: scalar?.line ?? inside.line,
      path: scalar?.path ?? inside.path.child("validWithinRange"),
      "validWithinRange is \(scalar == nil ? "missing" : "0"), which some programs read as never and others not. Write "
        + "metres above 0, or leave refreshDistance out."
    )
  }

  private func checkAddress(_ rule: String, _ container: GDDFFields.Container, _ problems: ProblemList) {
    guard !hasRefreshURL else { return }
    problems.reportMissingRefreshURL("\(rule) has no effect", line: container.element.line, path: container.path)
  }
}

extension ProblemList {
  /// Reports what does nothing in a dimension that cannot be fetched again.
  func reportMissingRefreshURL(_ effect: String, line: Int, path: DocumentPath) {
    add(
      .error,
      "D013",
      line: line,
      path: path,
      "\(effect), because the dimension has no usable refreshUrl. Add one, or remove this."
    )
  }
}
