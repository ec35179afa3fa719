import GRDB

extension Migrations {
  /// Sums of what teams did, so that a request costs the same at a team's first event and at its last.
  static func registerTourTallies(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("tours: sums for each team and station") { db in
      try db.execute(
        sql: """
          CREATE TABLE tour_tally (
            run TEXT NOT NULL,
            team INTEGER NOT NULL,
            station TEXT NOT NULL,
            wrong INTEGER NOT NULL,
            hints INTEGER NOT NULL,
            points INTEGER NOT NULL,
            pending INTEGER NOT NULL CHECK (pending IN (0, 1)),
            done_right INTEGER NOT NULL CHECK (done_right IN (0, 1)),
            PRIMARY KEY (run, team, station),
            FOREIGN KEY (run, team) REFERENCES tour_team (run, number) ON DELETE CASCADE
          ) WITHOUT ROWID;

          INSERT INTO tour_tally (run, team, station, wrong, hints, points, pending, done_right)
          SELECT run, team, station,
            sum(verdict = 'wrong'),
            sum(CASE WHEN verdict = 'hinted' AND CAST(value AS INTEGER) BETWEEN 0 AND 61
              THEN 1 << CAST(value AS INTEGER) ELSE 0 END),
            sum(CASE WHEN verdict IN ('right', 'visited', 'wrong') THEN points ELSE 0 END),
            max(verdict = 'pending'),
            max(verdict IN ('right', 'visited'))
          FROM tour_event WHERE verdict <> 'refused' GROUP BY run, team, station;

          ALTER TABLE tour_team ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE tour_team ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
          UPDATE tour_team SET
            events = (SELECT count(*) FROM tour_event e WHERE e.run = tour_team.run AND e.team = tour_team.number),
            refused = (SELECT count(*) FROM tour_event e
              WHERE e.run = tour_team.run AND e.team = tour_team.number AND e.verdict = 'refused');

          -- The latest event of a run and its positions in order of time, without reading all of them.
          CREATE INDEX tour_track_time ON tour_track (milliseconds);
          """
      )
    }
  }
}
