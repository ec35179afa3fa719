/// Lines of Prometheus' text form (exposition format 0.0.4).
struct Exposition {
  private(set) var text = ""

  /// What a metric is, before its lines.
  mutating func head(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(Exposition.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
  }

  /// One value; labels as they stand between the braces, see ``labels(_:)``.
  mutating func line(_ name: String, _ labels: String, _ value: Int) {
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// One value; labels as they stand between the braces.
  mutating func line(_ name: String, _ labels: String, _ value: Double) {
    let number = value.isFinite ? "\(value)" : value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf"
    text += labels.isEmpty ? "\(name) \(number)\n" : "\(name){\(labels)} \(number)\n"
  }

  /// A metric of one value.
  mutating func single(_ name: String, _ type: String, _ help: String, _ value: Int) {
    head(name, type, help)
    line(name, "", value)
  }

  /// A metric of one value.
  mutating func single(_ name: String, _ type: String, _ help: String, _ value: Double) {
    head(name, type, help)
    line(name, "", value)
  }

  /// A histogram's lines: how many are not above each bound, the sum and the number of all.
  mutating func histogram(
    _ name: String,
    _ labels: String,
    _ buckets: [(bound: Double, count: Int)],
    sum: Double,
    count: Int
  ) {
    let before = labels.isEmpty ? "" : labels + ","
    var below = 0
    for (bound, own) in buckets {
      below &+= own
      line("\(name)_bucket", "\(before)le=\"\(bound)\"", below)
    }
    line("\(name)_bucket", "\(before)le=\"+Inf\"", count)
    line("\(name)_sum", labels, sum)
    line("\(name)_count", labels, count)
  }

  /// Names and values as they stand between the braces.
  static func labels(_ dimensions: [(String, String)]) -> String {
    dimensions.map { "\(identifier($0.0))=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
  }

  /// A name that Prometheus takes: letters, digits and underscores.
  static func identifier(_ text: String) -> String {
    var name = ""
    for byte in text.utf8 {
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if isDigit, name.isEmpty { name = "_" }
      name += isLetter || isDigit ? String(UnicodeScalar(byte)) : "_"
    }
    return name.isEmpty ? "_" : name
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == 10 || $0 == UInt8(ascii: "\"") }) else {
      return text
    }
    let plain = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return quotes ? plain.replacing("\"", with: "\\\"") : plain
  }
}
