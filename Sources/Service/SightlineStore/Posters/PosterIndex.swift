import Foundation

/// How a database finds posters by their words.
///
/// A word of the title counts more than one of the artist, that more than one of the categories or the text.
protocol PosterIndex: Sendable {
  /// Keeps a poster's words.
  func insert(_ poster: Poster, number: Int64, _ db: any SQLConnection) throws

  /// Forgets them.
  func remove(_ number: Int64, _ db: any SQLConnection) throws

  /// Words of a query in the notation of ``condition``'s argument: every word has to begin some word of the poster.
  func match(_ words: [Substring]) -> String

  /// The tables that are searched, with posters as `p`.
  var source: String { get }

  /// What holds for posters that are found; has one argument.
  var condition: String { get }

  /// How well a poster fits; smaller is better.
  var rank: String { get }

  /// Whether ``rank`` has ``condition``'s argument, too.
  var ranksByQuery: Bool { get }
}

/// SQLite's full-text index, FTS5.
struct SQLitePosterIndex: PosterIndex {
  func insert(_ poster: Poster, number: Int64, _ db: any SQLConnection) throws {
    try db.execute(
      sql: "INSERT INTO poster_words (rowid, title, artist, categories, text) VALUES (?, ?, ?, ?, ?)",
      arguments: [
        number, poster.title, poster.artist ?? "", poster.categories.joined(separator: ", "), poster.text ?? "",
      ]
    )
  }

  func remove(_ number: Int64, _ db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM poster_words WHERE rowid = ?", arguments: [number])
  }

  /// Words are quoted, so nothing in them is taken for an operator.
  func match(_ words: [Substring]) -> String { words.map { "\"\($0)\"*" }.joined(separator: " ") }

  var source: String { "poster_words JOIN poster p ON p.number = poster_words.rowid" }
  var condition: String { "poster_words MATCH ?" }
  var rank: String { "bm25(poster_words, 8.0, 5.0, 3.0, 1.0)" }
  var ranksByQuery: Bool { false }
}

/// PostgreSQL's `tsvector`.
///
/// Words are taken apart and folded here and not by the server, whose parser depends on the locale it was set up with.
struct PostgresPosterIndex: PosterIndex {
  /// Most places of words that a `tsvector` tells apart.
  private static let lastPlace = 16_383
  /// Most characters of a word, and bytes of a poster's words: a `tsvector` takes a megabyte at most.
  private static let (longestWord, mostBytes) = (100, 250_000)

  func insert(_ poster: Poster, number: Int64, _ db: any SQLConnection) throws {
    let parts = [
      ("A", poster.title), ("B", poster.artist ?? ""), ("C", poster.categories.joined(separator: ", ")),
      ("D", poster.text ?? ""),
    ]
    var lexemes: [String] = []
    var bytes = 0
    for (weight, text) in parts {
      for word in PosterText.key(text).split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
        let word = word.prefix(Self.longestWord)
        // A letter can have any number of marks.
        guard word.utf8.count <= Self.longestWord * 4 else { continue }
        bytes += word.utf8.count
        guard bytes <= Self.mostBytes else { break }
        let place = min(lexemes.count + 1, Self.lastPlace)
        lexemes.append("'\(word)':\(place)\(weight)")
      }
    }
    try db.execute(
      sql: "INSERT INTO poster_words (poster, words) VALUES (?, CAST(? AS tsvector))",
      arguments: [number, lexemes.joined(separator: " ")]
    )
  }

  func remove(_ number: Int64, _ db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM poster_words WHERE poster = ?", arguments: [number])
  }

  /// Words are letters and digits alone, and quoted, so nothing in them is taken for an operator.
  func match(_ words: [Substring]) -> String {
    PosterText.words(PosterText.key(words.joined(separator: " ")))?.map { "'\($0)':*" }.joined(separator: " & ") ?? ""
  }

  var source: String { "poster_words JOIN poster p ON p.number = poster_words.poster" }
  var condition: String { "poster_words.words @@ CAST(? AS tsquery)" }
  var rank: String {
    "CAST(-ts_rank('{0.125, 0.375, 0.625, 1}', poster_words.words, CAST(? AS tsquery)) AS DOUBLE PRECISION)"
  }
  var ranksByQuery: Bool { true }
}
