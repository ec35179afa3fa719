/// The identifiers of a document; all kinds share one name space for the original Android client.
///
/// In: each element that may have an identifier, as it is read. Out: the identifier, and what a reference that finds
/// nothing of its own kind hits instead. Reports characters that are not safe (D022) and, in the end, identifiers that
/// stand twice (D020).
struct GDDFDeclarations {
  /// An identifier written in the document.
  struct Declaration {
    var id: String
    /// Of the element.
    var name: String
    var line: Int
    var path: DocumentPath
  }

  private let problems: ProblemList
  private var all: [Declaration] = []
  /// The first declaration of each identifier so far.
  private var firsts: [String: Declaration] = [:]

  init(problems: ProblemList) { self.problems = problems }

  /// What was read first with an identifier.
  func first(_ id: String) -> Declaration? { firsts[id] }

  /// Reads the identifier of an element, and checks its characters.
  mutating func identifier(of container: GDDFFields.Container) -> String? {
    let (element, path) = (container.element, container.path.child("@id"))
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
        path: path,
        "The id \(quoted(id)) \(reason). Clients that do not encode their requests send it wrongly; rename it."
      )
    }
    let declaration = Declaration(id: id, name: element.name, line: element.line, path: path)
    all.append(declaration)
    if firsts[id] == nil { firsts[id] = declaration }
    return id
  }

  /// Reports every identifier that stands further up too.
  func reportDuplicates() {
    // In order of the document, which is not that of reading.
    var firsts: [String: Declaration] = [:]
    let ordered = all.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
    for declaration in ordered.map(\.element) {
      guard let earlier = firsts[declaration.id] else {
        firsts[declaration.id] = declaration
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
}
