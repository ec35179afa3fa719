import ArgumentParser
import Foundation
import Synchronization

/// Options, the environment variables that mirror them, and the file with settings.
///
/// Precedence: option, then variable, then file, then default. An empty variable counts as not set. The file counts for
/// commands that work on a server's database (``DatabaseOption``).
enum Setting {
  /// What was found for an option.
  struct Found: Sendable {
    /// The value as text; several where an option takes several.
    var texts: [String]
    /// Where it was found.
    var origin: Origin
  }

  /// Where a value comes from.
  enum Origin: Sendable, Equatable {
    /// The command line.
    case option
    /// The environment.
    case variable
    /// A file with settings.
    case file(path: String, line: Int)
  }

  /// Where values are looked for that the command line does not have; the environment alone, until a file was read.
  private static let source = Mutex<(any SettingSource)?>(nil)
  /// What the command line had.
  private static let given = Mutex<[String: [String]]>([:])

  /// From now on values come from there.
  static func use(_ new: any SettingSource) { source.withLock { $0 = new } }

  /// Name of the variable that mirrors an option: `tls-cert` is `SIGHTLINE_TLS_CERT`.
  static func variable(_ option: String) -> String {
    "SIGHTLINE_" + option.uppercased().replacingOccurrences(of: "-", with: "_")
  }

  /// What counts for an option, as far as is known by now; `nil` when its default does.
  static func found(_ option: String) -> Found? {
    if let texts = given.withLock({ $0[option] }) { return Found(texts: texts, origin: .option) }
    if let source = source.withLock({ $0 }) { return source.find(option) }
    let text = ProcessInfo.processInfo.environment[variable(option)] ?? ""
    return text.isEmpty ? nil : Found(texts: [text], origin: .variable)
  }

  /// How a message names an option: as whoever set it wrote it.
  static func name(_ option: String) -> String {
    switch found(option)?.origin {
    case .option, nil: "--\(option)"
    case .variable: variable(option)
    case .file(let path, let line): "\(path), line \(line): \(option)"
    }
  }

  private static func find(_ given: String?, _ option: String) -> Found? {
    if let given { Self.given.withLock { $0[option] = [given] } }
    return found(option)
  }

  /// A text.
  static func text(_ given: String?, _ option: String) -> String? { find(given, option)?.texts.first }

  /// Several texts; `given` is empty when there are none on the command line.
  static func texts(_ given: [String], _ option: String) -> [String] {
    if !given.isEmpty { Self.given.withLock { $0[option] = given } }
    return found(option)?.texts ?? []
  }

  /// A whole number in a range.
  static func integer(_ given: Int?, _ option: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let found = find(given.map { String($0) }, option), let text = found.texts.first else { return nil }
    guard let value = Int(text) else {
      throw ValidationError(
        "\(name(option)) is \"\(text)\", which is not a whole number. Write one from \(range.lowerBound) to "
          + "\(range.upperBound)."
      )
    }
    guard range.contains(value) else {
      throw ValidationError("\(name(option)) is \(value); it has to be \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Yes or no.
  static func flag(_ given: Bool?, _ option: String, otherwise usual: Bool = false) throws -> Bool {
    guard let text = find(given.map { $0 ? "true" : "false" }, option)?.texts.first else { return usual }
    if ["1", "true", "yes", "on"].contains(text.lowercased()) { return true }
    if ["0", "false", "no", "off"].contains(text.lowercased()) { return false }
    throw ValidationError("\(name(option)) is \"\(text)\"; write 1 or 0.")
  }

  /// The database: a file or an address.
  static func database(_ given: String?) -> String { text(given, "database") ?? "sightline.sqlite" }
}

/// Where values of options are found that the command line does not have.
protocol SettingSource: Sendable {
  /// What counts for an option; `nil` when nothing was said.
  func find(_ option: String) -> Setting.Found?
}

/// The options that commands on a server's database share.
struct DatabaseOption: ParsableArguments {
  @Option(
    help: """
      Database file, made when there is none (default: sightline.sqlite), or the address of a PostgreSQL database: \
      postgresql://USER@HOST/DATABASE.
      """
  )
  var database: String?

  @Option(
    help: """
      File whose first line is the password of the PostgreSQL database. Without, it is in SIGHTLINE_DATABASE_PASSWORD, \
      PGPASSWORD or ~/.pgpass.
      """
  )
  var databasePasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "File with settings, called as the options of `sightline serve` are; \"none\" for none (default: "
        + "/etc/sightline/sightline.json, where it is).",
      valueName: "file"
    )
  )
  var config: String?

  /// Reads the file with settings.
  mutating func validate() throws {
    #if !SIGHTLINE_CORE_ONLY
    try SettingsFile.use(named: config)
    #endif
  }

  /// A path, or an address, which may have a password in it.
  var location: String { Setting.database(database) }
}
