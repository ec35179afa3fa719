/// A table of both databases: what copying, checking and comparing know of it.
///
/// The one description of all that is kept. A test compares it with what the migrations make, so that no table and no
/// column is forgotten.
struct StoredTable: Sendable {
  /// A column that has to name a row of another table.
  struct Reference: Hashable, Sendable {
    var columns: [String]
    var table: String
    var parents: [String]
  }

  var name: String
  var columns: [(name: String, type: SQLType)]
  /// Columns that together name a row, in the order in which rows are read.
  ///
  /// Texts that people write stand last: two
  /// databases may order such ones differently (``grouping``).
  var key: [String]
  /// How many columns of the key order rows alike in all databases.
  ///
  /// Rows that agree in them are compared as a set: they are
  /// few (the categories of one poster, the stations of one team).
  var grouping: Int
  /// The column whose numbers the database gives.
  var numbered: String?
  var references: [Reference]
  /// Columns that triggers change while other tables are filled: they are set once more at the end.
  var settled: [String]
  /// Whether a new database has a row already.
  var isSeeded: Bool

  /// - Parameters:
  ///   - name: Its name.
  ///   - columns: Names and types, as in `id:integer title:text`.
  ///   - key: Names of the columns that name a row.
  ///   - grouping: How many of them order rows alike everywhere; all of them without.
  ///   - numbered: The column whose numbers the database gives.
  ///   - references: As in `account -> account.id`, several columns with commas between.
  ///   - settled: Columns that are set at the end.
  ///   - isSeeded: Whether a new database has a row already.
  private init(
    _ name: String,
    _ columns: String,
    key: [String],
    grouping: Int? = nil,
    numbered: String? = nil,
    references: [String] = [],
    settled: [String] = [],
    isSeeded: Bool = false
  ) {
    self.name = name
    self.columns = columns.split(whereSeparator: \.isWhitespace).map { pair in
      let sides = pair.split(separator: ":").map(String.init)
      return (sides[0], Self.types[sides[1]] ?? .text)
    }
    self.key = key
    self.grouping = grouping ?? key.count
    self.numbered = numbered
    self.references = references.map { text in
      let sides = text.split(separator: " ").map(String.init)
      let parent = sides[2].split(separator: ".").map(String.init)
      func names(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
      return Reference(columns: names(sides[0]), table: parent[0], parents: names(parent[1]))
    }
    self.settled = settled
    self.isSeeded = isSeeded
  }

  private static let types: [String: SQLType] = ["integer": .integer, "real": .real, "text": .text, "blob": .blob]

  /// Places of the key's columns among the columns.
  var keyPlaces: [Int] { key.compactMap { name in columns.firstIndex { $0.name == name } } }

  /// Names of columns that can be large.
  var largeColumns: [String] { columns.filter { $0.type == .blob && !key.contains($0.name) }.map(\.name) }
}

extension StoredTable {
  /// All tables that are copied, each after those that it refers to.
  static let all: [StoredTable] = [
    StoredTable("generation", "id:integer value:integer", key: ["id"], isSeeded: true),
    StoredTable(
      "account",
      "id:integer name:text role:text active:integer password:text created_milliseconds:integer signed_in_milliseconds:integer",
      key: ["id"],
      numbered: "id"
    ),
    StoredTable(
      "account_session",
      """
      id:integer account:integer token:blob previous_token:blob csrf:text created_milliseconds:integer
      used_milliseconds:integer rotated_milliseconds:integer device:text network:text
      """,
      key: ["id"],
      numbered: "id",
      references: ["account -> account.id"]
    ),
    StoredTable(
      "one_time_link",
      """
      id:integer token:blob role:text account:integer creator:integer made_milliseconds:integer
      expires_milliseconds:integer
      """,
      key: ["id"],
      numbered: "id",
      references: ["account -> account.id", "creator -> account.id"]
    ),
    StoredTable(
      "second_factor",
      """
      account:integer secret:blob begun_milliseconds:integer confirmed_milliseconds:integer last_step:integer
      failures:integer blocked_milliseconds:integer
      """,
      key: ["account"],
      references: ["account -> account.id"]
    ),
    StoredTable(
      "recovery_code",
      "account:integer digest:blob",
      key: ["account", "digest"],
      references: ["account -> second_factor.account"]
    ),
    StoredTable(
      "security_event",
      """
      id:integer milliseconds:integer kind:text failure:integer account:integer actor:integer device:text network:text
      detail:text
      """,
      key: ["id"],
      numbered: "id"
    ),
    StoredTable(
      "world",
      "id:text version:integer generation:integer removed:integer removed_milliseconds:integer",
      key: ["id"]
    ),
    StoredTable(
      "world_version",
      """
      rowid:integer world:text version:integer generation:integer title:text summary:text places:integer overlays:integer
      format:text source:text saved_milliseconds:integer latitude:real longitude:real content_hash:blob dimension:blob
      problems:blob
      """,
      key: ["rowid"],
      numbered: "rowid",
      references: ["world -> world.id"]
    ),
    StoredTable(
      "place",
      "world:text position:integer id:text title:text latitude:real longitude:real altitude:real",
      key: ["world", "position"],
      references: ["world -> world.id"]
    ),
    StoredTable(
      "asset",
      "hash:blob media_type:text saved_milliseconds:integer bytes:blob outside:text outside_bytes:integer",
      key: ["hash"]
    ),
    StoredTable("asset_leftover", "name:text milliseconds:integer", key: ["name"]),
    StoredTable(
      "account_asset",
      "account:integer hash:blob bytes:integer",
      key: ["account", "hash"],
      references: ["account -> account.id", "hash -> asset.hash"]
    ),
    StoredTable("asset_touch", "hash:blob milliseconds:integer", key: ["hash"]),
    StoredTable(
      "studio_world",
      """
      id:text owner:integer version:integer published:integer removed:integer removed_milliseconds:integer bytes:integer
      """,
      key: ["id"],
      references: ["owner -> account.id"],
      settled: ["bytes"]
    ),
    StoredTable(
      "studio_draft",
      """
      rowid:integer world:text version:integer saved_milliseconds:integer author:integer title:text places:integer
      was_published:integer dimension:blob
      """,
      key: ["rowid"],
      numbered: "rowid",
      references: ["world -> studio_world.id", "author -> account.id"]
    ),
    StoredTable(
      "studio_member",
      "world:text account:integer",
      key: ["world", "account"],
      references: ["world -> studio_world.id", "account -> account.id"]
    ),
    StoredTable(
      "studio_copy",
      """
      id:integer world:text base:integer saved_milliseconds:integer author:integer places:integer dimension:blob
      """,
      key: ["id"],
      numbered: "id",
      references: ["world -> studio_world.id", "author -> account.id"]
    ),
    StoredTable(
      "poster",
      """
      number:integer id:text added:integer title_key:text artist:text document:blob owner:integer revision:integer
      """,
      key: ["number"],
      numbered: "number",
      references: ["owner -> account.id"]
    ),
    StoredTable(
      "poster_category",
      "poster:integer name:text",
      key: ["poster", "name"],
      grouping: 1,
      references: ["poster -> poster.number"]
    ),
    StoredTable(
      "tour",
      """
      id:text owner:integer version:integer title:text stations:integer created_milliseconds:integer
      saved_milliseconds:integer definition:blob
      """,
      key: ["id"]
    ),
    StoredTable(
      "tour_run",
      """
      id:text tour:text trial:integer created_milliseconds:integer revision:integer schedule:blob definition:blob
      """,
      key: ["id"],
      references: ["tour -> tour.id"]
    ),
    StoredTable(
      "tour_team",
      """
      run:text number:integer name:text color:text code:text seed:integer events:integer refused:integer
      """,
      key: ["run", "number"],
      references: ["run -> tour_run.id"]
    ),
    StoredTable(
      "tour_device",
      "token:blob run:text team:integer joined_milliseconds:integer sequence:integer",
      key: ["token"],
      references: ["run,team -> tour_team.run,number"]
    ),
    StoredTable(
      "tour_event",
      """
      number:integer run:text team:integer id:text station:text kind:text value:text received_milliseconds:integer
      made_milliseconds:integer latitude:real longitude:real accuracy:real distance:real place:text verdict:text
      refusal:text points:integer late:integer marked_milliseconds:integer
      """,
      key: ["number"],
      numbered: "number",
      references: ["run,team -> tour_team.run,number"]
    ),
    StoredTable(
      "tour_log",
      "number:integer run:text team:integer milliseconds:integer kind:text text:text",
      key: ["number"],
      numbered: "number",
      references: ["run -> tour_run.id"]
    ),
    StoredTable(
      "tour_track",
      """
      number:integer run:text team:integer milliseconds:integer latitude:real longitude:real accuracy:real
      """,
      key: ["number"],
      numbered: "number",
      references: ["run,team -> tour_team.run,number"]
    ),
    StoredTable(
      "tour_tally",
      """
      run:text team:integer station:text wrong:integer hints:integer points:integer pending:integer done_right:integer
      """,
      key: ["run", "team", "station"],
      grouping: 2,
      references: ["run,team -> tour_team.run,number"]
    ),
    StoredTable(
      "timetable",
      """
      provider:text hash:blob bytes:integer previous_hash:blob previous_bytes:integer saved_milliseconds:integer
      feed_hash:blob feed_milliseconds:integer note:blob
      """,
      key: ["provider"]
    ),
    StoredTable(
      "timetable_part",
      "hash:blob number:integer milliseconds:integer bytes:blob",
      key: ["hash", "number"]
    ),
  ]

  /// Tables that are not copied: they are made anew from others.
  ///
  /// The words of posters (FTS5 or `tsvector`), and which document refers to which file, whose keys the databases write
  /// differently.
  static let rebuilt = ["poster_words", "asset_reference", "document_change"]

  /// Tables that are not copied: what servers tell each other at the moment, which is worth nothing elsewhere.
  static let passing = [
    "change", "lease", "tour_position", "sign_in_failure", "sign_in_network",
    "transit_subscription", "realtime_message", "limit_use",
  ]

  /// Tables of a database's own: which migrations it has been through.
  static let own = ["grdb_migrations", "sightline_migration", CompatibleMigration.table]
}
