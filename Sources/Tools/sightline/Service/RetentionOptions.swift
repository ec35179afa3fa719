import ArgumentParser
import Foundation
import SightlineServer
import SightlineStore

/// How long what nobody needs any more is kept: the same for `sightline serve` and `sightline retention`.
struct RetentionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Days that an uploaded file stays to which nothing refers (default: 7).", valueName: "days")
  )
  var keepUploads: Int?

  @Option(help: ArgumentHelp("Days that a removed world stays in the database (default: 30).", valueName: "days"))
  var keepRemovedWorlds: Int?

  @Option(help: ArgumentHelp("Versions of a world that stay however old they are (default: 50).", valueName: "number"))
  var keepVersions: Int?

  @Option(help: ArgumentHelp("Days that every version of a world stays (default: 30).", valueName: "days"))
  var keepVersionDays: Int?

  @Option(help: ArgumentHelp("Days that positions of teams stay (default: 30).", valueName: "days"))
  var keepPositions: Int?

  @Option(
    help: ArgumentHelp(
      "Most days that a run of a tour stays after its end, also where the tour says more (default: 30).",
      valueName: "days"
    )
  )
  var keepRuns: Int?

  @Option(help: ArgumentHelp("Days that the lines of the security log stay (default: 180).", valueName: "days"))
  var keepSecurityLog: Int?

  @Option(
    help: ArgumentHelp("Days that a timetable file stays that no configuration names (default: 30).", valueName: "days")
  )
  var keepTimetables: Int?

  /// The rules they make.
  func rules() throws -> RetentionRules {
    var rules = RetentionRules.server
    func set(
      _ given: Int?,
      _ option: String,
      from least: Int = 0,
      _ member: WritableKeyPath<RetentionRules, Int>
    ) throws {
      let range = least...RetentionRules.days.upperBound
      if let value = try Setting.integer(given, option, in: range) { rules[keyPath: member] = value }
    }
    // A file has to live from its upload until its world is saved.
    try set(keepUploads, "keep-uploads", from: 1, \.uploadDays)
    try set(keepRemovedWorlds, "keep-removed-worlds", \.removedWorldDays)
    try set(keepVersions, "keep-versions", from: 1, \.versions)
    try set(keepVersionDays, "keep-version-days", \.versionDays)
    try set(keepPositions, "keep-positions", \.positionDays)
    try set(keepRuns, "keep-runs", \.runDays)
    try set(keepSecurityLog, "keep-security-log", from: 1, \.securityLogDays)
    try set(keepTimetables, "keep-timetables", from: 1, \.timetableDays)
    return rules
  }
}
