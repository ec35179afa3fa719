/// One degree by one degree of terrain, named by its south-west corner.
public struct TerrainTileID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Degrees of the corner, −90 … 89.
  public let latitude: Int
  /// Degrees of the corner, −180 … 179.
  public let longitude: Int

  /// The tile of a corner; `nil` for what is none.
  public init?(latitude: Int, longitude: Int) {
    guard -90...89 ~= latitude, -180...179 ~= longitude else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The tile that has a place in it; places on the poles and the date line belong to the last tiles before them.
  ///
  /// `nil` for what is no place.
  ///
  /// - Parameters:
  ///   - latitudeDegrees: −90 … 90.
  ///   - longitudeDegrees: −180 … 180.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 180 else { return nil }
    guard let latitude = Int(exactly: min(latitudeDegrees.rounded(.down), 89)),
      let longitude = Int(exactly: min(longitudeDegrees.rounded(.down), 179))
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// The tile of a name like `N48E009`, in any case.
  public init?(name: some StringProtocol) {
    let letters = Array(name.utf8)
    guard letters.count == 7 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for k in range {
        guard 0x30...0x39 ~= letters[k] else { return nil }
        value = 10 * value + Int(letters[k] - 0x30)
      }
      return value
    }
    func sign(_ letter: UInt8, _ positive: Character, _ negative: Character) -> Int? {
      let upper = letter & 0xDF
      return upper == positive.asciiValue ? 1 : upper == negative.asciiValue ? -1 : nil
    }
    guard let north = sign(letters[0], "N", "S"), let latitude = number(1..<3), let east = sign(letters[3], "E", "W"),
      let longitude = number(4..<7)
    else { return nil }
    self.init(latitude: north * latitude, longitude: east * longitude)
  }

  /// Its name, like `N48E009`.
  public var description: String {
    func padded(_ value: Int, _ count: Int) -> String {
      let digits = String(abs(value))
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return (latitude < 0 ? "S" : "N") + padded(latitude, 2) + (longitude < 0 ? "W" : "E") + padded(longitude, 3)
  }

  /// From south to north, then from west to east.
  public static func < (a: TerrainTileID, b: TerrainTileID) -> Bool {
    (a.latitude, a.longitude) < (b.latitude, b.longitude)
  }
}
