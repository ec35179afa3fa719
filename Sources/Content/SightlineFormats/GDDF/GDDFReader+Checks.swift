// Findings about the document as a whole.
extension GDDFReader {
  mutating func reportDuplicates() {
    var first: [String: Declaration] = [:]
    let ordered = declared.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
    for declaration in ordered.map(\.element) {
      guard let earlier = first[declaration.id] else {
        first[declaration.id] = declaration
        continue
      }
      problems.add(
        .error,
        "D020",
        line: declaration.line,
        path: declaration.path,
        "The id \(quoted(declaration.id)) is already that of a \(earlier.name) in line \(earlier.line). Ids must differ "
          + "across locations, assets, features and overlays; rename one."
      )
    }
  }

  mutating func reportUnused() {
    for (id, shared) in locations.sorted(by: { $0.key < $1.key }) where !shared.isUsed {
      reportUnused("location", id, line: shared.line, path: shared.path)
    }
    for (id, shared) in assets.sorted(by: { $0.key < $1.key }) where !shared.isUsed {
      reportUnused("asset", id, line: shared.line, path: shared.path)
    }
  }

  private mutating func reportUnused(_ kind: String, _ id: String, line: Int, path: DocumentPath) {
    problems.add(
      .warning,
      "D023",
      line: line,
      path: path,
      "No item uses the \(kind) \(quoted(id)). Remove it, or correct the id that was meant to name it."
    )
  }

  mutating func noteRarity(_ name: String, in fields: GDDFFields) {
    guard let scalar = fields.last(name) else { return }
    noteRarity(name, line: scalar.line, path: scalar.path)
  }

  mutating func noteRarity(_ name: String, line: Int, path: DocumentPath) {
    if let known = rarities[name], known.line <= line {
      rarities[name]?.count += 1
    } else {
      rarities[name] = ((rarities[name]?.count ?? 0) + 1, line, path)
    }
  }

  mutating func reportRarities() {
    for (name, use) in rarities.sorted(by: { $0.key < $1.key }) {
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
