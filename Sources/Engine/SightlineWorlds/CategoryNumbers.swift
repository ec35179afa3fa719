/// The numbers of categories, by their names: 1 … 63 in the order in which they appear; what comes after is "other", 0.
///
/// Worlds that are shown together share one table, so that a category keeps its number, and with it its filter and colour,
/// while another world comes and goes.
public struct CategoryNumbers: Sendable {
  /// How many there can be beside "other": filters are masks of 64 bits.
  public static let most = 63

  private var names: [[UInt16]] = []
  private var keys: [UInt64] = []

  /// No category yet.
  public init() {}

  /// How many categories have a number.
  public var count: Int { names.count }

  /// The number of a category, which it gets if it has none; 0 for an empty name, and when all are taken.
  ///
  /// - Complexity: O(``count``) comparisons of two numbers.
  public mutating func number(of name: some Collection<UInt16>) -> UInt8 {
    if name.isEmpty { return 0 }
    let key = ContentKey.of(name)
    for index in keys.indices where keys[index] == key && names[index].elementsEqual(name) {
      return UInt8(clamping: index + 1)
    }
    guard names.count < Self.most else { return 0 }
    names.append([UInt16](name))
    keys.append(key)
    return UInt8(clamping: names.count)
  }
}
