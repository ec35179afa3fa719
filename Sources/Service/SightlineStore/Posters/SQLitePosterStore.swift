import Foundation
import GRDB

/// The catalogue of posters in SQLite.
struct SQLitePosterStore: PosterStore {
  let database: SQLiteDatabase

  /// A poster; `nil` when there is none.
  func poster(_ id: String) async throws -> Poster? {
    try await database.read { db in
      try Data.fetchOne(db, sql: "SELECT document FROM poster WHERE id = ?", arguments: [id]).map(Self.poster)
    }
  }

  /// Posters with these identifiers, in this order.
  func posters(withIDs ids: [String]) async throws -> [Poster] {
    try await database.read { db in
      let find = try db.makeStatement(sql: "SELECT document FROM poster WHERE id = ?")
      return try ids.compactMap { id in try Data.fetchOne(find, arguments: [id]).map(Self.poster) }
    }
  }

  /// All categories, the largest first.
  func posterCategories() async throws -> [PosterCategory] {
    try await database.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT name, COUNT(*) FROM poster_category GROUP BY name ORDER BY COUNT(*) DESC, name"
      ).map { PosterCategory(name: try $0.value(0), count: try $0.value(1)) }
    }
  }

  /// Posters that share artist or categories with one.
  func posters(similarTo poster: Poster, limit: Int) async throws -> [Poster] {
    try await database.read { db in
      // The same artist weighs as much as two categories in common.
      let marks = databaseQuestionMarks(count: poster.categories.count)
      let documents = try Data.fetchAll(
        db,
        sql: """
          SELECT document FROM (
            SELECT p.document, p.id, (p.artist IS NOT NULL AND p.artist = ?) * 2
              + (SELECT COUNT(*) FROM poster_category c WHERE c.poster = p.number AND c.name IN (\(marks))) AS weight
            FROM poster p WHERE p.id <> ?
          ) WHERE weight > 0 ORDER BY weight DESC, id LIMIT ?
          """,
        arguments: [poster.artist] + StatementArguments(poster.categories) + [poster.id, limit]
      )
      return try documents.map(Self.poster)
    }
  }

  /// One page of the catalogue.
  func posters(_ query: PosterQuery) async throws -> PosterPage {
    let match = query.words.flatMap(PosterText.match)
    // Words without a letter or digit find nothing, rather than everything.
    if match == nil, let words = query.words, words.contains(where: { !$0.isWhitespace }) {
      return PosterPage(posters: [], total: 0, next: nil)
    }
    let order = query.order == .relevance && match == nil ? .newest : query.order
    let cursor = try query.after.map { text in
      guard let cursor = PosterCursor(text), cursor.order == order else { throw PosterStoreError.badCursor }
      return cursor
    }
    let limit = max(1, query.limit)
    return try await database.read { db in
      let filter = PosterFilter(query: query, match: match)
      let total =
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(filter.sql("p.number")))", arguments: filter.arguments) ?? 0
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT place, id, document FROM (\(filter.sql("\(order.key) AS place, p.id, p.document")))
          \(cursor == nil ? "" : "WHERE (place, id) > (?, ?)") ORDER BY place, id LIMIT ?
          """,
        arguments: filter.arguments + (cursor?.arguments ?? []) + [limit + 1]
      )
      let page = rows.prefix(limit)
      return PosterPage(
        posters: try page.map { try Self.poster($0.value(2)) },
        total: total,
        next: rows.count > limit ? try page.last.map { try order.cursor($0).text } : nil
      )
    }
  }

  /// Saves a poster under its identifier.
  func savePoster(_ poster: Poster) async throws -> PosterOutcome {
    let document = try Self.document(poster)
    return try await database.write { db in
      let known = try Row.fetchOne(db, sql: "SELECT number, document FROM poster WHERE id = ?", arguments: [poster.id])
      if let known, try known.value(1) == document { return .unchanged }
      _ = try Self.write(poster, document, db)
      return known == nil ? .added : .changed
    }
  }

  /// A poster's JSON form.
  static func document(_ poster: Poster) throws -> Data {
    guard WorldIdentifier.isValid(poster.id) else { throw StoreError.badIdentifier(poster.id) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(poster)
    } catch {
      throw StoreError.notEncodable("\(error)")
    }
  }

  /// Writes a poster with its categories and words; whose it is stays.
  ///
  /// - Returns: The store's number of this change.
  static func write(_ poster: Poster, _ document: Data, _ db: Database) throws -> Int64 {
    let generation = try SQLiteDatabase.nextGeneration(db)
    let artist = poster.artist?.replacing("\0", with: "")
    try db.execute(
      sql: """
        INSERT INTO poster (id, added, revision, title_key, artist, document) VALUES (?1, ?2, ?2, ?3, ?4, ?5)
        ON CONFLICT (id) DO UPDATE SET revision = ?2, title_key = ?3, artist = ?4, document = ?5
        """,
      arguments: [poster.id, generation, PosterText.key(poster.title), artist, document]
    )
    let number = try Int64.fetchOne(db, sql: "SELECT number FROM poster WHERE id = ?", arguments: [poster.id]) ?? 0
    try Self.forgetWords(of: number, in: db)
    for name in Set(poster.categories) {
      try db.execute(sql: "INSERT INTO poster_category (poster, name) VALUES (?, ?)", arguments: [number, name])
    }
    try db.execute(
      sql: "INSERT INTO poster_words (rowid, title, artist, categories, text) VALUES (?, ?, ?, ?, ?)",
      arguments: [
        number, poster.title, poster.artist ?? "", poster.categories.joined(separator: ", "), poster.text ?? "",
      ]
    )
    return generation
  }

  /// Takes a poster out of the catalogue.
  func removePoster(_ id: String) async throws -> Bool {
    try await database.write { db in
      guard let number = try Int64.fetchOne(db, sql: "SELECT number FROM poster WHERE id = ?", arguments: [id]) else {
        return false
      }
      _ = try SQLiteDatabase.nextGeneration(db)
      try Self.forgetWords(of: number, in: db)
      try db.execute(sql: "DELETE FROM poster WHERE number = ?", arguments: [number])
      return true
    }
  }

  static func forgetWords(of number: Int64, in db: Database) throws {
    try db.execute(sql: "DELETE FROM poster_category WHERE poster = ?", arguments: [number])
    try db.execute(sql: "DELETE FROM poster_words WHERE rowid = ?", arguments: [number])
  }

  static func poster(_ document: Data) throws -> Poster {
    try JSONDecoder().decode(Poster.self, from: document)
  }
}

/// The part of a query that says which posters, without order and page.
private struct PosterFilter {
  private(set) var conditions: [String] = []
  private(set) var arguments: StatementArguments = []
  private let isSearch: Bool

  init(query: PosterQuery, match: String?) {
    isSearch = match != nil
    if let match {
      conditions.append("poster_words MATCH ?")
      arguments += [match]
    }
    if let category = query.category {
      conditions.append("p.number IN (SELECT poster FROM poster_category WHERE name = ?)")
      arguments += [category]
    }
    if let artist = query.artist {
      conditions.append("p.artist = ?")
      arguments += [artist]
    }
  }

  func sql(_ columns: String) -> String {
    let source = isSearch ? "poster_words JOIN poster p ON p.number = poster_words.rowid" : "poster p"
    return "SELECT \(columns) FROM \(source)"
      + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
  }
}

extension PosterOrder {
  /// What the order sorts by, upwards.
  fileprivate var key: String {
    switch self {
    case .newest: "-p.added"
    case .title: "p.title_key"
    // A word of the title counts more than one of the artist, that more than one of the text; smaller is better.
    case .relevance: "bm25(poster_words, 8.0, 5.0, 3.0, 1.0)"
    }
  }

  fileprivate func cursor(_ row: Row) throws -> PosterCursor {
    switch self {
    case .newest: try .newest(row.value(0), id: row.value(1))
    case .title: try .title(row.value(0), id: row.value(1))
    case .relevance: try .relevance(row.value(0), id: row.value(1))
    }
  }
}

extension PosterCursor {
  fileprivate var order: PosterOrder {
    switch self {
    case .title: .title
    case .newest: .newest
    case .relevance: .relevance
    }
  }

  fileprivate var arguments: StatementArguments {
    switch self {
    case .title(let key, let id): [key, id]
    case .newest(let added, let id): [added, id]
    case .relevance(let rank, let id): [rank, id]
    }
  }
}
