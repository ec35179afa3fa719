import Foundation
import GRDB
import SightlineInput

/// The columns of a row one after the other, of whatever type they are.
///
/// A schedule file may be damaged or made by somebody else, and reading a column of another type ends the process. Here it gives a value
/// that does no harm, and ``isDamaged`` says that the row is not to be used.
struct CheckedRow {
  private let row: Row
  private var column = 0
  /// Whether some column was not what it had to be.
  private(set) var isDamaged = false

  init(_ row: Row) { self.row = row }

  /// Whether the first column is NULL.
  var isNothing: Bool { row.count == 0 || (row[0] as DatabaseValue).isNull }

  /// Notes a fault that the caller found.
  mutating func check(_ isRight: Bool) { if !isRight { isDamaged = true } }

  private mutating func next() -> DatabaseValue {
    guard column < row.count else {
      isDamaged = true
      return .null
    }
    column += 1
    return row[column - 1]
  }

  /// A text.
  mutating func text() -> String {
    let value = next()
    guard let text = String.fromDatabaseValue(value) else {
      isDamaged = true
      return ""
    }
    return text
  }

  /// A text; empty for NULL.
  mutating func textOrNothing() -> String {
    let value = next()
    guard !value.isNull else { return "" }
    guard let text = String.fromDatabaseValue(value) else {
      isDamaged = true
      return ""
    }
    return text
  }

  /// A whole number.
  mutating func number() -> Int {
    guard let number = numberOrNothing() else {
      isDamaged = true
      return 0
    }
    return number
  }

  /// A whole number; `nil` for NULL.
  mutating func numberOrNothing() -> Int? {
    let value = next()
    guard !value.isNull else { return nil }
    guard case .int64(let number) = value.storage else {
      isDamaged = true
      return nil
    }
    return Int(number)
  }

  /// A number from 0 to below a limit; 0 for another one.
  mutating func index(below limit: Int) -> Int {
    let number = number()
    guard number >= 0, number < limit else {
      isDamaged = true
      return 0
    }
    return number
  }

  /// A colour, 0xRRGGBB; `nil` for NULL.
  mutating func colorOrNothing() -> Int? { numberOrNothing().map { $0 & 0xFFFFFF } }

  /// Degrees up to a limit either way; `nil` for NULL.
  mutating func degreesOrNothing(_ limit: Double) -> Double? {
    let value = next()
    guard !value.isNull else { return nil }
    guard let degrees = Double.fromDatabaseValue(value), abs(degrees) <= limit else {
      isDamaged = true
      return nil
    }
    return degrees
  }

  /// Bytes.
  mutating func bytes() -> [UInt8] {
    let value = next()
    switch value.storage {
    case .blob(let data): return [UInt8](data)
    // An empty blob may come as nothing.
    case .null: return []
    default:
      isDamaged = true
      return []
    }
  }

  /// Bytes.
  mutating func data() -> Data {
    let value = next()
    switch value.storage {
    case .blob(let data): return data
    case .null: return Data()
    default:
      isDamaged = true
      return Data()
    }
  }
}
