/// Why something could not be stored.
public enum StoreError: Error, Equatable, CustomStringConvertible {
  /// The identifier is not one of ``WorldIdentifier``.
  case badIdentifier(String)
  /// The content holds something that JSON has no form for, such as a number that is not finite.
  case notEncodable(String)
  /// A newer program has changed the database so that this one must not use it.
  case newerDatabase(String)
  /// The database is a copy that is not finished.
  case unfinishedCopy(String)

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .badIdentifier(let id):
      "\"\(id)\" cannot be used as the identifier of a world: use 1 to \(WorldIdentifier.maximumLength) lower-case "
        + "letters, digits, hyphens, dots and underscores, beginning with a letter or digit."
    case .notEncodable(let reason): "The content cannot be stored: \(reason)"
    case .newerDatabase(let path):
      "The database \(path) was changed by a newer version of Sightline so that this one cannot use all of it. Use that version, or "
        + "another database."
    case .unfinishedCopy(let path):
      "The database \(path) is a copy that is not finished. Finish it by the same command again: sightline database copy, or "
        + "restore; or use another database."
    }
  }
}
