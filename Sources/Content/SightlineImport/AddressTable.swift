public import SightlineScene

/// A host's table of the addresses that a session knows by number.
public struct AddressTable: Sendable {
  private var addresses: [String] = []
  private var numbers: [String: Int32] = [:]

  /// An empty table.
  public init() {}

  /// The number an address already has, or a new one.
  public mutating func id(of address: String) -> AddressID {
    if let number = numbers[address] { return AddressID(number) }
    let number = Int32(clamping: addresses.count)
    addresses.append(address)
    numbers[address] = number
    return AddressID(number)
  }

  /// What a number stands for; `nil` for one that was never given.
  public subscript(_ id: AddressID) -> String? {
    addresses.indices.contains(Int(id.rawValue)) ? addresses[Int(id.rawValue)] : nil
  }
}
