import SightlineContent

/// Identifiers for things whose format has none: equal content gives the same identifier in every run and on every
/// machine.
enum StableIdentifier {
  /// FNV-1a, 64 bits, as 16 hexadecimal digits behind a prefix.
  ///
  /// Source: Fowler, Noll, Vo, draft-eastlake-fnv, offset basis and prime for 64 bits.
  static func make(prefix: String, _ parts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    for part in parts {
      for byte in part.utf8 { mix(byte) }
      mix(0xFF)  // no byte of UTF-8, so ("ab", "c") and ("a", "bc") differ
    }
    let digits = String(hash, radix: 16)
    return prefix + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// From a name and a position.
  static func make(prefix: String, name: String, position: Position?) -> String {
    let place = position.map { [DecimalNumber.text($0.latitude), DecimalNumber.text($0.longitude)] } ?? []
    return make(prefix: prefix, [name] + place)
  }
}

/// Hands out derived identifiers, each once.
struct IdentifierRegister {
  private var used: [String: Int] = [:]
  /// The last number handed out for an identifier, so that many equal ones do not count from the start each time.
  private var numbers: [String: Int] = [:]

  /// The identifier, or when it is taken the same with a number behind it.
  mutating func unique(_ id: String) -> String {
    var candidate = id
    var number = numbers[id] ?? 1
    while used[candidate] != nil {
      number += 1
      candidate = "\(id)-\(number)"
    }
    numbers[id] = number
    used[candidate] = 0
    return candidate
  }

  /// Takes an identifier written in the document.
  ///
  /// - Returns: The line that took it before, or `nil` when it was free.
  mutating func take(_ id: String, line: Int) -> Int? {
    if let earlier = used[id] { return earlier }
    used[id] = line
    return nil
  }
}
