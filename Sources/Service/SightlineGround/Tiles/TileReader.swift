import SightlineInput

/// Reads the buildings out of one tile's content (Documentation/formats/ground.md), and passes over the rest.
struct TileReader {
  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The buildings of a tile that have a height; `nil` for a content that ends too early or says what cannot be.
  static func buildings(_ content: [UInt8], in tile: TileID) -> [GroundBuilding]? {
    var reader = TileReader(content)
    guard reader.number() == TileEncoder.version, reader.passNames(), let kinds = reader.count() else { return nil }
    var buildings: [GroundBuilding] = []
    for _ in 0..<kinds {
      guard let kind = reader.number(), let count = reader.count() else { return nil }
      for _ in 0..<count {
        guard reader.feature(kind, of: tile, into: &buildings) else { return nil }
      }
    }
    return buildings
  }

  private mutating func passNames() -> Bool {
    guard let names = count() else { return false }
    for _ in 0..<names {
      guard passText(), let languages = count() else { return false }
      for _ in 0..<languages where !passText() || !passText() { return false }
    }
    return true
  }

  /// Reads one feature; it is added when it is a building.
  private mutating func feature(_ kind: UInt64, of tile: TileID, into buildings: inout [GroundBuilding]) -> Bool {
    let isBuilding = kind == UInt64(GroundKind.building.rawValue) || kind == UInt64(GroundKind.buildingPart.rawValue)
    let (isArea, isLine) = (kind < 40, (40..<90).contains(kind))
    guard let head = number(), head & 1 == 0 || signed() != nil else { return false }
    var (top, bottom): (UInt64, UInt64) = (0, 0)
    if isBuilding {
      guard let highest = number(), let lowest = number() else { return false }
      (top, bottom) = (highest, lowest)
    }
    guard let pieces = isArea || isLine ? count() : 1 else { return false }
    var cursor = (x: 0, y: 0)
    let isWanted = isBuilding && top >> 1 > bottom
    for _ in 0..<pieces {
      guard let head = isArea || isLine ? number() : 1 else { return false }
      // Of two numbers a corner, each of a byte at least.
      guard let corners = Int(exactly: isArea ? head >> 1 : head), corners <= (bytes.count - at) / 2 else {
        return false
      }
      var ring: [GroundBuilding.Corner] = []
      if isWanted { ring.reserveCapacity(corners) }
      for _ in 0..<corners {
        guard let x = signed().flatMap({ cursor.x.checkedAdd($0) }),
          let y = signed().flatMap({ cursor.y.checkedAdd($0) })
        else { return false }
        cursor = (x, y)
        if isWanted { ring.append(Self.corner(cursor, of: tile)) }
      }
      guard isWanted else { continue }
      // Outlines come one after the other, each with its courtyards.
      if head & 1 == 1, !buildings.isEmpty {
        buildings[buildings.count - 1].holes.append(ring)
      } else {
        buildings.append(
          GroundBuilding(
            outer: ring,
            holes: [],
            base: Double(bottom) / 10,
            roof: Double(top >> 1) / 10,
            isHeightKnown: top & 1 == 1
          )
        )
      }
    }
    return true
  }

  private static func corner(_ point: (x: Int, y: Int), of tile: TileID) -> GroundBuilding.Corner {
    let side = Double(1 << tile.zoom)
    let extent = Double(TileLevel.extent)
    return GroundBuilding.Corner(
      x: (Double(tile.column) + Double(point.x) / extent) / side,
      y: (Double(tile.row) + Double(point.y) / extent) / side
    )
  }

  private mutating func number() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 56, by: 7) {
      guard at < bytes.count else { return nil }
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// A number of things that take at least a byte each.
  private mutating func count() -> Int? {
    guard let value = number().flatMap({ Int(exactly: $0) }), value <= bytes.count - at else { return nil }
    return value
  }

  private mutating func signed() -> Int? {
    guard let value = number(), let half = Int(exactly: value >> 1) else { return nil }
    return value & 1 == 1 ? ~half : half
  }

  private mutating func passText() -> Bool {
    guard let length = count() else { return false }
    at += length
    return true
  }
}
