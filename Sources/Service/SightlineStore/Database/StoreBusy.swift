import GRDB

/// Tells a database that others keep busy from one that has a fault.
public enum StoreBusy {
  /// Whether an error says that the database was locked by somebody else for too long: trying again may help.
  public static func isCause(of error: any Error) -> Bool {
    guard let code = (error as? DatabaseError)?.resultCode else { return false }
    return code == .SQLITE_BUSY || code == .SQLITE_LOCKED
  }
}
