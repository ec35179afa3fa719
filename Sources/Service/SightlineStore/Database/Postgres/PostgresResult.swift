import CPostgreSQL
import Foundation

/// An answer of the server, with its rows in binary form.
final class PostgresResult {
  private let pointer: OpaquePointer

  /// Takes an answer over, and gives it back to libpq at its end.
  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { PQclear(pointer) }

  /// What kind of answer it is.
  var status: ExecStatusType { PQresultStatus(pointer) }

  /// Number of rows.
  var count: Int32 { PQntuples(pointer) }

  /// The rows.
  var rows: [SQLRow] { (0..<max(0, count)).map { .postgres(self, row: $0) } }

  /// How many rows the statement changed.
  var changes: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

  /// The name of the command that was carried out: `COMMIT`, or `ROLLBACK` in its place.
  var command: String { String(cString: PQcmdStatus(pointer)) }

  /// The SQLSTATE and the first line of an error; never its details, which hold values.
  var error: (code: String, message: String) {
    func field(_ code: UnicodeScalar) -> String? {
      PQresultErrorField(pointer, Int32(bitPattern: code.value)).map { String(cString: $0) }
    }
    // The characters are libpq's PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, macros that are not imported.
    return (field("C") ?? "", field("M") ?? String(cString: PQresStatus(status)))
  }

  /// A field; one of a column that is not there is null.
  func field(row: Int32, column: Int32) -> PostgresField {
    guard (0..<count).contains(row), (0..<PQnfields(pointer)).contains(column),
      PQgetisnull(pointer, row, column) == 0, let start = PQgetvalue(pointer, row, column)
    else { return PostgresField(result: self, column: column, type: 0, bytes: nil) }
    return PostgresField(
      result: self,
      column: column,
      type: PQftype(pointer, column),
      bytes: UnsafeRawBufferPointer(start: start, count: max(0, Int(PQgetlength(pointer, row, column))))
    )
  }
}

/// A field of an answer, with its bytes as the server sent them.
struct PostgresField {
  /// Keeps the bytes alive.
  let result: PostgresResult
  let column: Int32
  let type: Oid
  /// `nil` for NULL.
  let bytes: UnsafeRawBufferPointer?

  /// Numbers of the server's types, which never change (`pg_type.dat`).
  private enum Number {
    static let (bool, bytea, name, int8, int2, int4, text): (Oid, Oid, Oid, Oid, Oid, Oid, Oid) = (
      16, 17, 19, 20, 21, 23, 25
    )
    static let (float4, float8, unknown, varchar): (Oid, Oid, Oid, Oid) = (700, 701, 705, 1043)
  }

  var isNull: Bool { bytes == nil }

  /// A whole number, or a truth value as 0 or 1.
  func integer() throws -> Int64 {
    switch (type, bytes?.count) {
    case (Number.int8, 8): return try load(Int64.self)
    case (Number.int4, 4): return Int64(try load(Int32.self))
    case (Number.int2, 2): return Int64(try load(Int16.self))
    case (Number.bool, 1): return Int64(try load(UInt8.self))
    default: throw mismatch("a whole number")
    }
  }

  func real() throws -> Double {
    switch (type, bytes?.count) {
    case (Number.float8, 8): Double(bitPattern: try load(UInt64.self))
    case (Number.float4, 4): Double(Float(bitPattern: try load(UInt32.self)))
    default: Double(try integer())
    }
  }

  func text() throws -> String {
    guard let bytes, [Number.text, Number.varchar, Number.name, Number.unknown].contains(type) else {
      throw mismatch("a text")
    }
    return withExtendedLifetime(result) { PostgresText.decode(bytes) }
  }

  func blob() throws -> Data {
    guard let bytes, type == Number.bytea else { throw mismatch("bytes") }
    return withExtendedLifetime(result) { Data(bytes) }
  }

  private func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) throws -> Value {
    guard let bytes, bytes.count == MemoryLayout<Value>.size else { throw mismatch("a number") }
    return withExtendedLifetime(result) { Value(bigEndian: bytes.loadUnaligned(as: Value.self)) }
  }

  /// What is thrown where a column holds something else.
  func mismatch(_ wanted: String) -> PostgresError {
    .value(isNull ? "column \(column) is NULL, not \(wanted)" : "column \(column) is of type \(type), not \(wanted)")
  }
}
