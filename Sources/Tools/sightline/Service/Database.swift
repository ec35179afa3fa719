import Foundation
import SightlineStore

extension DatabaseOption {
  /// The database's name for people: never a password.
  var name: String {
    guard PostgresLocation.isLocation(location) else { return location }
    return (try? PostgresLocation(location).description) ?? "postgresql://…"
  }

  /// The file beside which other files of the server lie: the database's, or with PostgreSQL one in the working folder.
  var path: String { PostgresLocation.isLocation(location) ? "sightline.sqlite" : location }

  /// Opens the database, with errors in words.
  ///
  /// With `mustExist` a missing one is an error: commands that only read would otherwise leave an empty database behind for
  /// a mistyped name.
  func open(mustExist: Bool, connections: Int? = nil) async throws -> any StoreDatabase {
    guard PostgresLocation.isLocation(location) else { return try openFile(mustExist: mustExist) }
    do {
      var settings = PostgresSettings()
      if let connections { settings.connections = connections }
      return try await PostgresDatabase.open(try postgres(), settings: settings, mustExist: mustExist)
    } catch let error as PostgresError {
      throw Failure(error.description)
    } catch let error as StoreError {
      throw Failure(error.description)
    }
  }

  /// Whether there is something to open: a server's databases are made by its operator.
  var exists: Bool { PostgresLocation.isLocation(location) || FileManager.default.fileExists(atPath: location) }

  /// Names of the migrations that opening the database would carry out.
  func pendingMigrations() async throws -> [String] {
    do {
      guard PostgresLocation.isLocation(location) else {
        guard FileManager.default.fileExists(atPath: location) else { throw missing }
        return try SQLiteDatabase.pendingMigrations(path: location)
      }
      return try await PostgresDatabase.pendingMigrations(try postgres())
    } catch let error as PostgresError {
      throw Failure(error.description)
    } catch let error as StoreError {
      throw Failure(error.description)
    }
  }

  /// The address of a PostgreSQL database, with the password from wherever it is.
  private func postgres() throws -> PostgresLocation {
    try Self.postgres(location, passwordFile: Setting.text(databasePasswordFile, "database-password-file"))
  }

  private static func postgres(_ address: String, passwordFile: String?) throws -> PostgresLocation {
    defer { ProcessArguments.hidePasswords() }
    var password = Setting.text(nil, "database-password")
    if let path = passwordFile {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw Failure("The file \(path) with the database's password cannot be read. Check the path and its rights.")
      }
      password = text.split(whereSeparator: \.isNewline).first.map(String.init)
    }
    return try PostgresLocation(address, password: password)
  }

  /// A database that is an argument of a command: a path or an address.
  static func place(_ text: String, passwordFile: String?) throws -> DatabaseLocation {
    guard PostgresLocation.isLocation(text) else { return .file(text) }
    do {
      let file = Setting.text(passwordFile, "database-password-file")
      return .postgres(try postgres(text, passwordFile: file))
    } catch let error as PostgresError {
      throw Failure(error.description)
    }
  }

  private var missing: Failure {
    Failure("There is no database \(location). Name it with --database, or make one with: sightline import FILE")
  }

  private func openFile(mustExist: Bool) throws -> SQLiteDatabase {
    if mustExist, !FileManager.default.fileExists(atPath: location) { throw missing }
    do {
      return try SQLiteDatabase(path: location)
    } catch let error as StoreError {
      throw Failure(error.description)
    } catch {
      throw Failure("The database \(location) cannot be opened: \(error). Check the path and the rights of its folder.")
    }
  }
}

/// What lists of processes show of this one.
enum ProcessArguments {
  /// Blots out passwords in addresses of databases, where the system lets a program do it.
  ///
  /// They were to be seen until then: a file or the environment is better.
  static func hidePasswords() {
    #if os(Linux)
    // Fields 48 and 49 are where the arguments are in memory; the second one, a name in brackets, may hold blanks.
    guard let status = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let name = status.lastIndex(of: ")")
    else { return }
    let fields = status[status.index(after: name)...].split(separator: " ")
    guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start < end,
      let size = Int(exactly: end &- start), size < 1 << 22,
      let memory = UnsafeMutablePointer<UInt8>(bitPattern: start)
    else { return }
    let bytes = UnsafeMutableBufferPointer(start: memory, count: size)
    for argument in bytes.indices.split(whereSeparator: { bytes[$0] == 0 }) {
      let text = String(decoding: bytes[argument.startIndex..<argument.endIndex], as: UTF8.self)
      guard let address = text.range(of: "postgres", options: .caseInsensitive),
        PostgresLocation.isLocation(String(text[address.lowerBound...]))
      else { continue }
      for secret in secrets(in: text[address.lowerBound...]) {
        let first = argument.startIndex + text[..<secret.startIndex].utf8.count
        for index in first..<first + secret.utf8.count { bytes[index] = UInt8(ascii: "*") }
      }
    }
    #endif
  }

  /// An address as it may be shown: of any scheme, with what can be passwords blotted out.
  static func blotted(_ address: String) -> String {
    guard address.contains("://") else { return address }
    var text = address
    // From the end on, so that places before it stay what they are.
    for secret in secrets(in: address[...]).sorted(by: { $0.startIndex > $1.startIndex }) {
      text.replaceSubrange(secret.startIndex..<secret.endIndex, with: "***")
    }
    return text
  }

  /// What can be passwords: between the user's colon and the last @, and as a parameter.
  private static func secrets(in address: Substring) -> [Substring] {
    var found: [Substring] = []
    if let scheme = address.range(of: "://"), let end = address.lastIndex(of: "@"), scheme.upperBound < end,
      let colon = address[scheme.upperBound..<end].firstIndex(of: ":")
    {
      found.append(address[address.index(after: colon)..<end])
    }
    if let parameter = address.range(of: "password=") {
      found.append(address[parameter.upperBound...].prefix { $0 != "&" })
    }
    return found
  }
}
