/// What has to hold in a database beyond its own constraints.
struct DatabaseRules {
  /// The table whose rows are looked at, as `c`.
  var table: String
  /// What is so of a row that is wrong.
  var condition: @Sendable (any SQLDialect) -> String
  /// What is wrong with it, a sentence.
  var message: String
  /// Whether something is broken; otherwise it is worth a look.
  var isError = true

  private init(
    _ table: String,
    _ message: String,
    isError: Bool = true,
    _ condition: @escaping @Sendable (any SQLDialect) -> String
  ) {
    self.table = table
    self.condition = condition
    self.message = message
    self.isError = isError
  }

  private init(_ table: String, _ message: String, isError: Bool = true, _ condition: String) {
    self.init(table, message, isError: isError) { _ in condition }
  }

  /// All of them.
  static let all: [DatabaseRules] = [
    DatabaseRules(
      "generation",
      "the counter of changes is behind those that worlds have had: caches would show what is old.",
      """
      c.value < (SELECT coalesce(max(generation), 0) FROM world)
        OR c.value < (SELECT coalesce(max(generation), 0) FROM world_version)
      """
    ),
    DatabaseRules(
      "world",
      "its present version is not there.",
      "c.removed = 0 AND NOT EXISTS (SELECT 1 FROM world_version v WHERE v.world = c.id AND v.version = c.version)"
    ),
    DatabaseRules(
      "world",
      "there is a version after its present one.",
      "EXISTS (SELECT 1 FROM world_version v WHERE v.world = c.id AND v.version > c.version)"
    ),
    DatabaseRules(
      "world",
      "it has more places in the index than its present version has.",
      """
      c.removed = 0 AND (SELECT count(*) FROM place p WHERE p.world = c.id) >
        (SELECT v.places FROM world_version v WHERE v.world = c.id AND v.version = c.version)
      """
    ),
    DatabaseRules(
      "account_asset",
      "it counts another number of bytes than the file has.",
      "EXISTS (SELECT 1 FROM asset a WHERE a.hash = c.hash AND coalesce(a.outside_bytes, length(a.bytes)) <> c.bytes)"
    ),
    DatabaseRules(
      "studio_world",
      "the room that it counts for its author is not what its versions take.",
      """
      c.bytes <> (SELECT coalesce(sum(length(dimension)), 0) FROM studio_draft d WHERE d.world = c.id)
        + (SELECT coalesce(sum(length(dimension)), 0) FROM studio_copy d WHERE d.world = c.id)
        + (SELECT coalesce(sum(length(dimension)), 0) FROM world_version d WHERE d.world = c.id)
      """
    ),
    DatabaseRules(
      "studio_world",
      "there is a draft after its latest version.",
      "EXISTS (SELECT 1 FROM studio_draft d WHERE d.world = c.id AND d.version > c.version)"
    ),
    DatabaseRules("poster", "its words are not in the index: a search does not find it.") { dialect in
      dialect is SQLiteDialect
        ? "NOT EXISTS (SELECT 1 FROM poster_words w WHERE w.rowid = c.number)"
        : "NOT EXISTS (SELECT 1 FROM poster_words w WHERE w.poster = c.number)"
    },
    DatabaseRules(
      "tour",
      "it belongs to an account that is not there.",
      isError: false,
      "c.owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM account a WHERE a.id = c.owner)"
    ),
    DatabaseRules(
      "tour_team",
      "it counts another number of events than there are: some are missing, or too many.",
      "c.events <> (SELECT count(*) FROM tour_event e WHERE e.run = c.run AND e.team = c.number)"
    ),
    DatabaseRules(
      "tour_team",
      "it counts another number of refused events than there are.",
      """
      c.refused <> (SELECT count(*) FROM tour_event e WHERE e.run = c.run AND e.team = c.number AND e.verdict = 'refused')
      """
    ),
  ]
}
