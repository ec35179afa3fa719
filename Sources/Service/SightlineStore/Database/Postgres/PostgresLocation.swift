import CPostgreSQL
import Foundation

/// How a database is connected to and how long it is waited for.
public struct PostgresSettings: Equatable, Sendable {
  /// Most connections.
  public var connections = 8
  /// How long a call waits for a connection, seconds.
  public var patience = 5.0
  /// How long a server may take to let one in, seconds.
  public var connectTimeout = 5
  /// How long a statement may take, milliseconds.
  public var statementTimeout = 60_000
  /// How long a statement waits for a lock, and a writer for the one before, milliseconds.
  public var lockTimeout = 5000
  /// After how long the server ends a transaction in which nothing happens, milliseconds.
  ///
  /// That long a program that hangs keeps all others from writing.
  public var idleTimeout = 20_000
  /// How long nothing may be heard on a call before it is looked whether the server answers at all, or another one has taken
  /// over, seconds (``PostgresWatch``).
  ///
  /// Well below ``lockTimeout``: on a server that was replaced one commit waits for ever and holds the writers' lock, and all other
  /// calls only wait for that, each until its own time is up.
  public var silence = 3.0
  /// Time between two probes of the line on which changes are heard, seconds.
  public var probePause = 15.0
  /// How long such a probe may take before the line counts as dead, seconds.
  public var probePatience = 5.0

  /// The usual ones.
  public init() {}
}

/// The address of a PostgreSQL database: `postgresql://user:password@host:port/database?sslmode=verify-full`.
///
/// All that libpq understands in such an address can stand in it. What is not there is taken from libpq's environment
/// (`PGPASSWORD`, `PGSSLROOTCERT` …) and its password file.
public struct PostgresLocation: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private var parameters: [String: String]

  /// Whether a text is meant as such an address.
  public static func isLocation(_ text: String) -> Bool {
    let lower = text.prefix(13).lowercased()
    return lower.hasPrefix("postgresql://") || lower.hasPrefix("postgres://")
  }

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - password: The password, unless there is one in the address.
  /// - Throws: ``PostgresError/badLocation(_:)``, without anything of the password.
  public init(_ text: String, password: String? = nil) throws {
    try Self.check(text)
    var message: UnsafeMutablePointer<CChar>?
    let scheme = text.lowercased().hasPrefix("postgres://") ? "postgres://" : "postgresql://"
    // libpq knows the scheme in small letters alone.
    guard let options = PQconninfoParse(scheme + text.dropFirst(scheme.count), &message) else {
      // What libpq says repeats a part of the address, which may be of the password.
      PQfreemem(message)
      throw PostgresError.badLocation("it is not well formed. Write it as \(Self.form).")
    }
    defer { PQconninfoFree(options) }
    parameters = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    if parameters["password"] == nil { parameters["password"] = password }
  }

  /// Host, port, database and user: never the password.
  public var description: String {
    let user = parameters["user"].map { $0 + "@" } ?? ""
    let port = parameters["port"].map { ":" + $0 } ?? ""
    return "postgresql://\(user)\(parameters["host"] ?? "localhost")\(port)/\(parameters["dbname"] ?? "")"
  }

  /// The same for whoever looks into it.
  public var debugDescription: String { description }

  /// Nothing of what it is made of.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// A text without the password.
  func withoutPassword(_ text: String) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let password = parameters["password"], !password.isEmpty else { return text }
    return text.replacing(password, with: "…")
  }

  /// How many servers it names.
  var hosts: Int {
    max(
      1,
      (parameters["host"] ?? parameters["hostaddr"] ?? "").split(separator: ",", omittingEmptySubsequences: false).count
    )
  }

  /// The same with one of its servers first, or alone.
  func with(host index: Int, alone: Bool) -> PostgresLocation {
    var copy = self
    for name in ["host", "hostaddr", "port"] {
      var parts = (parameters[name] ?? "").split(separator: ",", omittingEmptySubsequences: false)
      // A single port is that of all.
      guard parts.count > 1, parts.indices.contains(index) else { continue }
      let part = parts.remove(at: index)
      copy.parameters[name] = (alone ? [part] : [part] + parts).joined(separator: ",")
    }
    return copy
  }

  /// Connects; the caller looks whether it has worked.
  func connect(_ settings: PostgresSettings) -> OpaquePointer? {
    withParameters(settings) { PQconnectdbParams($0, $1, 0) }
  }

  /// Whether the server says anything to a new connection: that it lets it in, or that it does not.
  func ping(_ settings: PostgresSettings) -> Bool {
    withParameters(settings) { PQpingParams($0, $1, 0) } != PQPING_NO_RESPONSE
  }

  private func withParameters<Value>(
    _ settings: PostgresSettings,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    // A line that is cut is noticed by the system within ten seconds, or within half a minute where something was sent: that
    // long a server may also be too busy to take what it is sent. Of several hosts the one that can write is meant.
    var values = [
      "application_name": "sightline", "connect_timeout": "\(settings.connectTimeout)", "keepalives_idle": "4",
      "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "30000",
      "target_session_attrs": "read-write",
    ]
    values.merge(parameters) { _, given in given }
    values["client_encoding"] = "UTF8"
    let pairs = values.map { (strdup($0.key), strdup($0.value)) }
    defer {
      for (key, value) in pairs {
        free(key)
        free(value)
      }
    }
    let keywords = pairs.map { UnsafePointer($0.0) } + [nil]
    let texts = pairs.map { UnsafePointer($0.1) } + [nil]
    return body(keywords, texts)
  }
}

// MARK: Checks

extension PostgresLocation {
  private static let form = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
  private static let escapes = "In a password write / as %2F, @ as %40, : as %3A, ? as %3F, # as %23 and % as %25."
  private static let modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

  /// Says what is wrong and where, as far as it can be said without showing a password.
  private static func check(_ text: String) throws {
    func refuse(_ reason: String) -> PostgresError { .badLocation(reason) }
    guard isLocation(text), let scheme = text.range(of: "://") else {
      throw refuse("it does not begin with postgresql://. Write it as \(form).")
    }
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw refuse("it has a blank or a control character in it. Write such a one as %20.")
    }
    let parts = text[scheme.upperBound...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let front = parts.first ?? ""
    for (name, part) in [("host, user or password", front), ("parameters after the ?", parts.dropFirst().first ?? "")] {
      guard hasWholeEscapes(part) else {
        throw refuse("a % in its \(name) is not followed by two hexadecimal digits. \(escapes)")
      }
    }
    let authority = front.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    let isSplitByPassword = !authority.contains("@") && front.dropFirst(authority.count).contains("@")
    guard authority.count(where: { $0 == "@" }) <= 1, !isSplitByPassword else {
      throw refuse("the end of its password is not where it should be. \(escapes)")
    }
    for host in authority[(authority.firstIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...]
      .split(separator: ",")
    {
      let port = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
      guard port.isEmpty || port == ":" || UInt16(port.dropFirst()).map({ $0 > 0 }) == true else {
        throw refuse("the port after its host is not a number from 1 to 65535. \(escapes)")
      }
    }
    try check(parameters: parts.dropFirst().first ?? "")
  }

  private static func check(parameters: Substring) throws {
    let known = keywords
    for pair in parameters.split(separator: "&") {
      let sides = pair.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let name = sides.first.map(String.init), known.isEmpty || known.contains(name) else {
        throw PostgresError.badLocation(
          "after its ? stands something other than NAME=VALUE with a name that libpq knows, such as sslmode=verify-full."
        )
      }
      if name == "sslmode", !modes.contains(String(sides[1])) {
        throw PostgresError.badLocation("its sslmode is none of \(modes.joined(separator: ", ")).")
      }
    }
  }

  /// Names of parameters.
  private static var keywords: Set<String> {
    guard let options = PQconndefaults() else { return [] }
    defer { PQconninfoFree(options) }
    // `ssl=true` is JDBC's, which libpq takes in an address.
    var names: Set<String> = ["ssl"]
    var option = options
    while let keyword = option.pointee.keyword {
      names.insert(String(cString: keyword))
      option += 1
    }
    return names
  }

  private static func hasWholeEscapes(_ text: Substring) -> Bool {
    func isHexadecimal(_ character: Character) -> Bool { character.isASCII && character.isHexDigit }
    return text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
      $0.count >= 2 && $0.prefix(2).allSatisfy(isHexadecimal) && $0.prefix(2) != "00"
    }
  }
}
