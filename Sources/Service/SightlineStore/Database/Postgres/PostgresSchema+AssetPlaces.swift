extension PostgresSchema {
  /// Files whose bytes lie outside the database.
  static let assetPlaces = """
    -- Its name there, and how many bytes it has; here it has none then.
    ALTER TABLE asset ADD COLUMN outside TEXT COLLATE "C";
    ALTER TABLE asset ADD COLUMN outside_bytes BIGINT;
    CREATE INDEX asset_outside ON asset (outside) WHERE outside IS NOT NULL;

    -- Names of bytes that no row has yet, or not any more.
    CREATE TABLE asset_leftover (
      name TEXT COLLATE "C" PRIMARY KEY,
      milliseconds BIGINT NOT NULL
    );
    """
}
