public import Foundation

/// The one JSON form of the content model: sorted members, so that equal content has equal bytes.
public enum ContentJSON {
  /// Encodes a value.
  public static func encode(_ value: some Encodable) throws(StoreError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(value)
    } catch let error as EncodingError {
      guard case .invalidValue(let value, let context) = error else { throw .notEncodable("\(error)") }
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
      throw .notEncodable("\(path) is \(value), which is not a finite number. Correct it in the source.")
    } catch {
      throw .notEncodable("\(error)")
    }
  }

  /// Decodes a value.
  public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }
}
