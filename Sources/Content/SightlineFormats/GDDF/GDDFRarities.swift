/// What the document uses and not every client supports (D050).
///
/// In: each use, by name. Out: one finding for each name, with the number of uses, at the first of them.
struct GDDFRarities {
  private var uses: [String: (count: Int, line: Int, path: DocumentPath)] = [:]

  /// Notes a scalar, if it is there.
  mutating func note(_ name: String, in fields: GDDFFields) {
    guard let scalar = fields.last(name) else { return }
    note(name, line: scalar.line, path: scalar.path)
  }

  /// Notes a use.
  mutating func note(_ name: String, line: Int, path: DocumentPath) {
    if let known = uses[name], known.line <= line {
      uses[name]?.count += 1
    } else {
      uses[name] = ((uses[name]?.count ?? 0) + 1, line, path)
    }
  }

  /// Adds the findings.
  func report(to problems: ProblemList) {
    for (name, use) in uses.sorted(by: { $0.key < $1.key }) {
      let times = use.count == 1 ? "" : " (\(use.count) times, first here)"
      problems.add(
        .info,
        "D050",
        line: use.line,
        path: use.path,
        "The document uses \(name)\(times), which not every client supports. Make sure it is also useful without."
      )
    }
  }
}
