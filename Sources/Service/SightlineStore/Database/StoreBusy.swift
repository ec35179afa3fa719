import GRDB

/// Tells a database that others keep busy, or that cannot be reached just now, from one that has a fault.
public enum StoreBusy {
  /// Whether an error says that the database was locked by somebody else for too long, or is away: nothing was done, and
  /// trying again may help.
  public static func isCause(of error: any Error) -> Bool {
    if let error = error as? PostgresError { return error.isPassing }
    if let error = error as? AssetPlaceError { return error.isPassing }
    guard let code = (error as? DatabaseError)?.resultCode else { return false }
    return code == .SQLITE_BUSY || code == .SQLITE_LOCKED
  }
}

/// Tells a database whose disk is full from one that has a fault.
public enum StoreFull {
  /// Whether an error says so: nothing was done, and trying again helps once its operator has made room.
  public static func isCause(of error: any Error) -> Bool {
    if let error = error as? PostgresError { return error.isFull }
    return (error as? DatabaseError)?.resultCode == .SQLITE_FULL
  }
}
