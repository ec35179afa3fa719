import Foundation
import SightlineStore

/// Opens the database, with errors in words.
///
/// With `mustExist` a missing file is an error: commands that only read would otherwise leave an empty database behind
/// for a mistyped name.
func openDatabase(_ path: String, mustExist: Bool) throws -> SQLiteDatabase {
  if mustExist, !FileManager.default.fileExists(atPath: path) {
    throw Failure(
      "There is no database \(path). Name it with --database, or make one with: sightline import FILE"
    )
  }
  do {
    return try SQLiteDatabase(path: path)
  } catch let error as StoreError {
    throw Failure(error.description)
  } catch {
    throw Failure("The database \(path) cannot be opened: \(error). Check the path and the rights of its folder.")
  }
}
