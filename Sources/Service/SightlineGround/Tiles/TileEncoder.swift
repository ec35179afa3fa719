/// Writes one tile's content (Documentation/formats/ground.md): names, then for each kind what there is of it.
struct TileEncoder: Sendable {
  static let version: UInt64 = 1

  private var names: [GroundName: Int] = [:]
  private var nameBytes: [UInt8] = []
  /// By kind: how many, and their bytes.
  private var kinds: [GroundKind: (count: Int, bytes: [UInt8])] = [:]

  var isEmpty: Bool { kinds.isEmpty }

  /// Adds an area's rings, a line's pieces or a point (one piece of one corner), in units from the tile's north-west corner.
  mutating func add(_ feature: GroundFeature, _ pieces: [[TilePoint]], isHole: [Bool] = []) {
    var bytes: [UInt8] = []
    let name = feature.name.isEmpty ? 0 : number(of: feature.name)
    let layer = feature.kind.isLine || feature.kind.isArea ? feature.layer : 0
    Self.append(UInt64(name) << 1 | (layer == 0 ? 0 : 1), to: &bytes)
    if layer != 0 { Self.append(signed: layer, to: &bytes) }
    if feature.kind == .building || feature.kind == .buildingPart {
      Self.append(UInt64(feature.height.top) << 1 | (feature.height.isKnown ? 1 : 0), to: &bytes)
      Self.append(UInt64(feature.height.bottom), to: &bytes)
    }
    var cursor = TilePoint(x: 0, y: 0)
    if feature.kind.isArea || feature.kind.isLine { Self.append(UInt64(pieces.count), to: &bytes) }
    for (index, piece) in pieces.enumerated() {
      if feature.kind.isArea {
        Self.append(UInt64(piece.count) << 1 | (isHole.indices.contains(index) && isHole[index] ? 1 : 0), to: &bytes)
      } else if feature.kind.isLine {
        Self.append(UInt64(piece.count), to: &bytes)
      }
      for point in piece {
        Self.append(signed: Int(point.x) - Int(cursor.x), to: &bytes)
        Self.append(signed: Int(point.y) - Int(cursor.y), to: &bytes)
        cursor = point
      }
    }
    var entry = kinds[feature.kind] ?? (0, [])
    kinds[feature.kind] = nil
    entry.count += 1
    entry.bytes += bytes
    kinds[feature.kind] = entry
  }

  /// Numbers of names count from 1.
  private mutating func number(of name: GroundName) -> Int {
    if let known = names[name] { return known }
    names[name] = names.count + 1
    Self.append(name.own, to: &nameBytes)
    Self.append(UInt64(name.languages.count), to: &nameBytes)
    for language in name.languages {
      Self.append(language.code, to: &nameBytes)
      Self.append(language.text, to: &nameBytes)
    }
    return names.count
  }

  /// The tile's bytes, not packed.
  func bytes() -> [UInt8] {
    var result: [UInt8] = []
    Self.append(Self.version, to: &result)
    Self.append(UInt64(names.count), to: &result)
    result += nameBytes
    Self.append(UInt64(kinds.count), to: &result)
    for (kind, entry) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      Self.append(UInt64(kind.rawValue), to: &result)
      Self.append(UInt64(entry.count), to: &result)
      result += entry.bytes
    }
    return result
  }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Of small amount few bytes, whatever the sign.
  static func append(signed value: Int, to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: Int64(value << 1 ^ value >> 63)), to: &bytes)
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    append(UInt64(text.utf8.count), to: &bytes)
    bytes += text.utf8
  }
}
