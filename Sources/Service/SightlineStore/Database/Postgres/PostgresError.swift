/// Why PostgreSQL could not do something.
///
/// What it says names host, port, database and user, never a password, nor the values of a statement.
public enum PostgresError: Error, Equatable, CustomStringConvertible {
  /// The address of the database is not well formed; the reason says where and what to do.
  case badLocation(String)
  /// The server cannot be reached, or lets nobody in; nothing was done.
  case unreachable(String, reason: String)
  /// The server is not one that can be used.
  case unfit(String, reason: String)
  /// The connection broke off before anything was final; nothing was done.
  case lost(String)
  /// The connection broke off while a transaction was made final: whether it was done is not known.
  case outcomeUnknown(String)
  /// All connections were in use for too long; nothing was done.
  case busy(String, seconds: Double)
  /// The database was closed.
  case closed(String)
  /// The server refused a statement: the SQLSTATE and its first line.
  case server(String, code: String, message: String)
  /// A value does not fit: a column of another type, or one too large to send.
  case value(String)

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .badLocation(let reason): "The address of the database cannot be used: \(reason)"
    case .unreachable(let place, let reason):
      "The database \(place) cannot be reached: \(reason) Check the address, and that the server runs and lets this user in."
    case .unfit(let place, let reason): "The database \(place) cannot be used: \(reason)"
    case .lost(let place): "The connection to the database \(place) broke off; nothing was changed. Try again."
    case .outcomeUnknown(let place):
      "The connection to the database \(place) broke off while a change was made final; look whether it was made."
    case .busy(let place, let seconds):
      "All connections to the database \(place) were in use for \(seconds) seconds. Try again in a moment."
    case .closed(let place): "The database \(place) was closed."
    case .server(let place, let code, let message): "The database \(place) refused a statement (\(code)): \(message)"
    case .value(let reason): "A value of the database cannot be used: \(reason)"
    }
  }

  /// Whether trying again may help, and nothing was done.
  var isPassing: Bool {
    switch self {
    case .unreachable, .lost, .busy: true
    case .server(_, let code, _): Self.passing.contains(code)
    case .badLocation, .unfit, .outcomeUnknown, .closed, .value: false
    }
  }

  /// Whether the server's disk is full; nothing was done.
  var isFull: Bool {
    guard case .server(_, let code, _) = self else { return false }
    return code == "53100"
  }

  /// Whether the server took a transaction back for others' sake, so that it can be done once more at once.
  var isConflict: Bool {
    guard case .server(_, let code, _) = self else { return false }
    return code == "40001" || code == "40P01"
  }

  /// Whether the server ended the connection, or the connection itself failed.
  var isEndOfConnection: Bool {
    switch self {
    case .lost: true
    case .server(_, let code, _): code.isEmpty || code.hasPrefix("57P")
    default: false
    }
  }

  /// Locks and statements that took too long, conflicts, too many connections, a server that starts, stops or has become
  /// one that only reads.
  private static let passing: Set<String> = [
    "55P03", "57014", "40001", "40P01", "53300", "57P01", "57P02", "57P03", "25006", "25P03",
  ]
}
