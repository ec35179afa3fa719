/// Why a database was not copied, saved or brought back.
public enum TransferError: Error, Equatable, CustomStringConvertible {
  /// There is no such file.
  case missing(String)
  /// The source is not in the form that this program needs.
  case outdated(String)
  /// The target holds something already.
  case notEmpty(String, table: String)
  /// The target is an unfinished copy of something else.
  case otherCopy(String, of: String)
  /// The source is itself an unfinished copy.
  case unfinishedSource(String, of: String)
  /// Another process copies into the same target.
  case contended(String)
  /// A row that the other side cannot hold, or that is damaged.
  case row(table: String, key: String, reason: String)
  /// Rows of the copy are not those of the source.
  case different(String, source: String, count: Int, examples: [String])
  /// What was written is not whole.
  case damaged(String, findings: [String])
  /// A file that is in the way.
  case inTheWay(String)

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .missing(let path): "There is no database \(path). Check the path."
    case .outdated(let name):
      "The database \(name) is not in the form that this program needs. Bring it there first: "
        + "sightline database migrate --database …"
    case .notEmpty(let name, let table):
      "The database \(name) is not empty: there are rows in the table \(table). Name a new one; what is there is never overwritten."
    case .otherCopy(let name, let source):
      "The database \(name) is an unfinished copy of \(source). Finish that one with: sightline database copy, or name a new database."
    case .unfinishedSource(let name, let source):
      "The database \(name) is itself an unfinished copy of \(source). Finish it first, by the same command as before."
    case .contended(let name): "Another process copies into \(name) at the same time. Let one of them end."
    case .row(let table, let key, let reason):
      "The row \(key) of the table \(table) cannot be copied: \(reason) Correct or remove it in the source, and start the copy again; it goes on there."
    case .different(let name, let source, let count, let examples):
      "\(count) \(count == 1 ? "row" : "rows") of \(name) and \(source) differ: \(examples.joined(separator: "; "))"
        + "\(count > examples.count ? "; …" : "") "
        + "Something was written meanwhile. End all servers on both, and copy into a new database."
    case .damaged(let name, let findings):
      "What was read from \(name) is not whole: \(findings.joined(separator: "; ")) See: sightline database check"
    case .inTheWay(let path): "There is a file \(path) already. Name another one; a file is never overwritten."
    }
  }
}
