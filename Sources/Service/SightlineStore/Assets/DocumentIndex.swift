import Foundation

/// Which documents refer to which files.
///
/// Triggers write down which documents have changed; what those refer to is looked up here before anything is decided by
/// it (``unusedAsset``).
struct DocumentIndex {
  let database: any SQLDatabase

  /// Most rows in one transaction.
  private static let batchRows = 200
  /// Most bytes of documents in one transaction.
  private static let batchBytes = 16 * 1024 * 1024

  /// Condition that nothing refers to a file of a table `a`.
  static let unusedAsset =
    "NOT EXISTS (SELECT 1 FROM asset_reference r WHERE r.hash = substr(a.hash, 1, \(AssetReferences.keptBytes)))"

  /// Looks up what documents refer to that have changed since the last time.
  func update() async throws {
    var isDone = false
    while !isDone {
      try Task.checkCancellation()
      // Mostly there is nothing to do, and nobody who writes is kept waiting for that.
      let hasChanges = try await database.read { db in
        try db.value(Bool.self, sql: "SELECT 1 FROM document_change LIMIT 1") != nil
      }
      guard hasChanges else { return }
      isDone = try await database.write { db in try Self.update(db) }
    }
  }

  /// The same for so much as one transaction may do.
  ///
  /// - Returns: Whether all are up to date.
  static func update(_ db: any SQLConnection) throws -> Bool {
    let changed = try changed(limit: batchRows, db)
    var bytes = 0
    for (index, document) in changed.enumerated() {
      let arguments: SQLArguments = [document.kind.rawValue, db.dialect.documentKey(document.key)]
      try db.execute(sql: "DELETE FROM asset_reference WHERE kind = ? AND key = ?", arguments: arguments)
      if let content = try content(of: document, db) {
        bytes += content.count
        try db.executeEach(
          sql: "INSERT INTO asset_reference (hash, kind, key) VALUES (?, ?, ?)",
          AssetReferences.find(in: content).lazy.map { [$0] + arguments }
        )
      }
      try db.execute(sql: "DELETE FROM document_change WHERE kind = ? AND key = ?", arguments: arguments)
      if bytes >= batchBytes, index + 1 < changed.count { return false }
    }
    return changed.count < batchRows
  }

  /// Documents whose references are out of date.
  static func changed(limit: Int?, _ db: any SQLConnection) throws -> [DocumentKey] {
    try db.rows(sql: "SELECT kind, CAST(key AS TEXT) FROM document_change LIMIT ?", arguments: [limit ?? Int.max])
      .compactMap(DocumentKey.init)
  }

  /// Whether a document's references are out of date.
  static func hasChanged(_ document: DocumentKey, _ db: any SQLConnection) throws -> Bool {
    try db.value(
      Bool.self,
      sql: "SELECT 1 FROM document_change WHERE kind = ? AND key = ?",
      arguments: [document.kind.rawValue, db.dialect.documentKey(document.key)]
    ) != nil
  }

  /// A document as it is now; `nil` when it is gone.
  static func content(of document: DocumentKey, _ db: any SQLConnection) throws -> Data? {
    let kind = document.kind
    return try db.value(
      Data.self,
      sql: "SELECT \(kind.content) FROM \(kind.table) WHERE \(kind.key) = ?",
      arguments: [document.key]
    )
  }
}

/// A row with a document.
struct DocumentKey: Hashable {
  var kind: DocumentKind
  /// What names the row in its table: a number or a text.
  var key: SQLValue

  init(kind: DocumentKind, key: SQLValue) {
    self.kind = kind
    self.key = key
  }

  /// From a row of the document's own table that begins with the column that names it.
  init(kind: DocumentKind, row: SQLRow) throws {
    self.init(kind: kind, key: kind.isNumbered ? .integer(try row.value(0)) : .text(try row.value(0)))
  }

  /// From a row that begins with kind and key, the key as text.
  init?(_ row: SQLRow) throws {
    guard let kind = DocumentKind(rawValue: try row.value(0)) else { return nil }
    let text: String = try row.value(1)
    if kind.isNumbered {
      guard let number = Int64(text) else { return nil }
      self.init(kind: kind, key: .integer(number))
    } else {
      self.init(kind: kind, key: .text(text))
    }
  }
}

/// Where references to files can stand: the tables that hold documents of authors.
///
/// The number is kept in the database.
enum DocumentKind: Int, CaseIterable {
  /// A version of a published world.
  case version = 1
  /// A draft of the studio.
  case draft
  /// A draft kept beside the history.
  case copy
  /// A poster.
  case poster
  /// A tour.
  case tour
  /// A run, with the tour as it was when it began.
  case run

  var table: String {
    switch self {
    case .version: "world_version"
    case .draft: "studio_draft"
    case .copy: "studio_copy"
    case .poster: "poster"
    case .tour: "tour"
    case .run: "tour_run"
    }
  }

  /// The column that names a row.
  var key: String {
    switch self {
    case .version, .draft: "rowid"
    case .copy, .tour, .run: "id"
    case .poster: "number"
    }
  }

  /// Whether rows are named by a number.
  var isNumbered: Bool { key != "id" || self == .copy }

  /// The column with the document.
  var content: String {
    switch self {
    case .version, .draft, .copy: "dimension"
    case .poster: "document"
    case .tour, .run: "definition"
    }
  }
}
