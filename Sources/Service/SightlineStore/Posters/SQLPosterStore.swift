import Foundation

/// The catalogue of posters in the database.
struct SQLPosterStore: PosterStore {
  let database: any SQLDatabase

  /// A poster; `nil` when there is none.
  func poster(_ id: String) async throws -> Poster? {
    try await database.read { db in
      try db.value(Data.self, sql: "SELECT document FROM poster WHERE id = ?", arguments: [id]).map(Self.poster)
    }
  }

  /// Posters with these identifiers, in this order.
  func posters(withIDs ids: [String]) async throws -> [Poster] {
    try await database.read { db in
      try ids.compactMap { id in
        try db.value(Data.self, sql: "SELECT document FROM poster WHERE id = ?", arguments: [id]).map(Self.poster)
      }
    }
  }

  /// All categories, the largest first.
  func posterCategories() async throws -> [PosterCategory] {
    try await database.read { db in
      try db.rows(
        sql: "SELECT name, COUNT(*) FROM poster_category GROUP BY name ORDER BY COUNT(*) DESC, name"
      ).map { PosterCategory(name: try $0.value(0), count: try $0.value(1)) }
    }
  }

  /// Posters that share artist or categories with one.
  func posters(similarTo poster: Poster, limit: Int) async throws -> [Poster] {
    try await database.read { db in
      // The same artist weighs as much as two categories in common.
      let marks = poster.categories.isEmpty ? "NULL" : poster.categories.map { _ in "?" }.joined(separator: ", ")
      let documents = try db.values(
        Data.self,
        sql: """
          SELECT document FROM (
            SELECT p.document, p.id, CASE WHEN p.artist = ? THEN 2 ELSE 0 END
              + (SELECT COUNT(*) FROM poster_category c WHERE c.poster = p.number AND c.name IN (\(marks))) AS weight
            FROM poster p WHERE p.id <> ?
          ) AS weighed WHERE weight > 0 ORDER BY weight DESC, id LIMIT ?
          """,
        arguments: [poster.artist] + SQLArguments(poster.categories) + [poster.id, limit]
      )
      return try documents.map(Self.poster)
    }
  }

  /// One page of the catalogue.
  func posters(_ query: PosterQuery) async throws -> PosterPage {
    let match = query.words.flatMap(PosterText.words)
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
      let filter = PosterFilter(query: query, words: match, db.dialect)
      let total =
        try db.value(
          Int.self,
          sql: "SELECT COUNT(*) FROM (\(filter.sql("p.number"))) AS found",
          arguments: filter.arguments
        ) ?? 0
      let rows = try db.rows(
        sql: """
          SELECT place, id, document FROM (\(filter.sql("\(filter.key(order)) AS place, p.id, p.document"))) AS found
          \(cursor == nil ? "" : "WHERE (place, id) > (?, ?)") ORDER BY place, id LIMIT ?
          """,
        arguments: filter.keyArguments(order) + filter.arguments + (cursor?.arguments ?? []) + [limit.saturatingAdd(1)]
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
      let known = try db.row(sql: "SELECT number, document FROM poster WHERE id = ?", arguments: [poster.id])
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
  static func write(_ poster: Poster, _ document: Data, _ db: any SQLConnection) throws -> Int64 {
    let generation = try Generation.next(db)
    let artist = poster.artist?.replacing("\0", with: "")
    let number = try db.insertedNumber(
      sql: """
        INSERT INTO poster (id, added, revision, title_key, artist, document) VALUES (?1, ?2, ?2, ?3, ?4, ?5)
        ON CONFLICT (id) DO UPDATE SET revision = ?2, title_key = ?3, artist = ?4, document = ?5
        RETURNING number
        """,
      arguments: [poster.id, generation, PosterText.key(poster.title), artist, document]
    )
    try Self.forgetWords(of: number, in: db)
    for name in Set(poster.categories) {
      try db.execute(sql: "INSERT INTO poster_category (poster, name) VALUES (?, ?)", arguments: [number, name])
    }
    try db.dialect.posterIndex.insert(poster, number: number, db)
    return generation
  }

  /// Takes a poster out of the catalogue.
  func removePoster(_ id: String) async throws -> Bool {
    try await database.write { db in
      guard let number = try db.value(Int64.self, sql: "SELECT number FROM poster WHERE id = ?", arguments: [id]) else {
        return false
      }
      _ = try Generation.next(db)
      try Self.forgetWords(of: number, in: db)
      try db.execute(sql: "DELETE FROM poster WHERE number = ?", arguments: [number])
      return true
    }
  }

  static func forgetWords(of number: Int64, in db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM poster_category WHERE poster = ?", arguments: [number])
    try db.dialect.posterIndex.remove(number, db)
  }

  static func poster(_ document: Data) throws -> Poster {
    try JSONDecoder().decode(Poster.self, from: document)
  }
}

/// The part of a query that says which posters, without order and page.
private struct PosterFilter {
  private var conditions: [String] = []
  private(set) var arguments = SQLArguments()
  private let index: any PosterIndex
  /// What is looked for, as the index writes it; `nil` without words.
  private let match: String?

  init(query: PosterQuery, words: [Substring]?, _ dialect: any SQLDialect) {
    index = dialect.posterIndex
    match = words.map(index.match)
    if let match {
      conditions.append(index.condition)
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
    "SELECT \(columns) FROM \(match == nil ? "poster p" : index.source)"
      + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
  }

  /// What the order sorts by, upwards.
  func key(_ order: PosterOrder) -> String {
    switch order {
    case .newest: "-p.added"
    case .title: "p.title_key"
    case .relevance: index.rank
    }
  }

  /// The arguments of ``key(_:)``.
  func keyArguments(_ order: PosterOrder) -> SQLArguments {
    guard order == .relevance, index.ranksByQuery, let match else { return [] }
    return [match]
  }
}

extension PosterOrder {
  fileprivate func cursor(_ row: SQLRow) throws -> PosterCursor {
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

  fileprivate var arguments: SQLArguments {
    switch self {
    case .title(let key, let id): [key, id]
    case .newest(let added, let id): [added, id]
    case .relevance(let rank, let id): [rank, id]
    }
  }
}
