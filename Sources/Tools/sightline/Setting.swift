import ArgumentParser
import Foundation

/// Options and the environment variables that mirror them.
///
/// Precedence: option, then variable, then default. An empty variable counts as not set.
enum Setting {
  /// Name of the variable that mirrors an option: `tls-cert` is `SIGHTLINE_TLS_CERT`.
  static func variable(_ option: String) -> String {
    "SIGHTLINE_" + option.uppercased().replacingOccurrences(of: "-", with: "_")
  }

  private static func environment(_ option: String) -> String? {
    ProcessInfo.processInfo.environment[variable(option)].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A text.
  static func text(_ given: String?, _ option: String) -> String? { given ?? environment(option) }

  /// A whole number in a range.
  static func integer(_ given: Int?, _ option: String, in range: ClosedRange<Int>) throws -> Int? {
    let value: Int
    if let given {
      value = given
    } else if let text = environment(option) {
      guard let number = Int(text) else {
        throw ValidationError("\(variable(option)) is \"\(text)\", which is not a whole number.")
      }
      value = number
    } else {
      return nil
    }
    guard range.contains(value) else {
      throw ValidationError("--\(option) is \(value); it has to be \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Yes or no.
  static func flag(_ given: Bool?, _ option: String, otherwise usual: Bool = false) throws -> Bool {
    if let given { return given }
    guard let text = environment(option)?.lowercased() else { return usual }
    if ["1", "true", "yes", "on"].contains(text) { return true }
    if ["0", "false", "no", "off"].contains(text) { return false }
    throw ValidationError("\(variable(option)) is \"\(text)\"; write 1 or 0.")
  }

  /// The database: a file or an address.
  static func database(_ given: String?) -> String { text(given, "database") ?? "sightline.sqlite" }
}

/// The option that several commands share.
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

  /// A path, or an address, which may have a password in it.
  var location: String { Setting.database(database) }
}
