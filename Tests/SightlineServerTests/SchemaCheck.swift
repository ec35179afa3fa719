import Foundation

@testable import SightlineServer

/// As much of JSON Schema as the interface's description uses; members that are not described are faults.
struct SchemaCheck {
  let document: [String: Any]

  init(document: [String: Any]) { self.document = document }

  /// The description of some routes; schemas that are written down are in all of them.
  init(_ routes: RouteTable = RouteTable()) throws {
    let data = Data(APIDescription(routes).body.readableBytesView)
    document = try (JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
  }

  func faults(_ value: Any, _ name: String) -> [String] { faults(value, schema(name), name) }

  func schema(_ name: String) -> [String: Any] {
    let components = document["components"] as? [String: Any]
    return (components?["schemas"] as? [String: Any])?[name] as? [String: Any] ?? [:]
  }

  /// What contradicts a schema in a value, each with its path.
  func faults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    // What is described as anything.
    guard !schema.isEmpty else { return [] }
    if let reference = schema["$ref"] as? String {
      return faults(value, self.schema(String(reference.split(separator: "/").last ?? "")), path)
    }
    if let choices = schema["anyOf"] as? [[String: Any]] {
      let results = choices.map { faults(value, $0, path) }
      return results.contains { $0.isEmpty } ? [] : results.min { $0.count < $1.count } ?? []
    }
    var found: [String] = []
    let types = (schema["type"] as? [String]) ?? [schema["type"] as? String ?? ""]
    guard types == [""] || types.contains(where: { isA(value, $0) }) else {
      return ["\(path) is \(value), not \(types)"]
    }
    if let words = schema["enum"] as? [Any], !words.contains(where: { "\($0)" == "\(value)" }) {
      found.append("\(path) is \(value), not one of \(words)")
    }
    if let text = value as? String {
      if let pattern = schema["pattern"] as? String, text.range(of: pattern, options: .regularExpression) == nil {
        found.append("\(path) is \(text), which does not match \(pattern)")
      }
      if schema["format"] as? String == "date-time", !SchemaCheck.isDate(text) {
        found.append("\(path) is \(text), which is no time")
      }
    } else if let number = (value as? NSNumber)?.doubleValue {
      if let low = schema["minimum"] as? NSNumber, number < low.doubleValue { found.append("\(path) is \(number)") }
      if let high = schema["maximum"] as? NSNumber, number > high.doubleValue { found.append("\(path) is \(number)") }
    }
    if let object = value as? [String: Any] {
      let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
      for name in schema["required"] as? [String] ?? [] where object[name] == nil {
        found.append("\(path).\(name) is missing")
      }
      for (name, inner) in object {
        guard let property = properties[name] ?? schema["additionalProperties"] as? [String: Any] else {
          found.append("\(path).\(name) is not described")
          continue
        }
        found += faults(inner, property, "\(path).\(name)")
      }
    }
    if let array = value as? [Any] {
      if let fewest = schema["minItems"] as? Int, array.count < fewest { found.append("\(path) has too few") }
      if let most = schema["maxItems"] as? Int, array.count > most { found.append("\(path) has too many") }
    }
    if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
      for (place, inner) in array.enumerated() { found += faults(inner, items, "\(path)[\(place)]") }
    }
    return found
  }

  /// `2026-01-31T12:34:56.789Z`, or with an offset.
  private static func isDate(_ text: String) -> Bool {
    let pattern = #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"#
    return text.range(of: pattern, options: .regularExpression) != nil
  }

  private func isA(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "boolean": value is Bool
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "number": value is NSNumber
    case "object": value is [String: Any]
    case "array": value is [Any]
    default: false
    }
  }
}
