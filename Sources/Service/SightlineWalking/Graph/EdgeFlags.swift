/// What is known of an edge, in 16 bits: the kind of way in the lowest four.
struct EdgeFlags: RawRepresentable, Equatable, Sendable {
  var rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(kind: WalkingWayKind) { rawValue = UInt16(kind.rawValue) }

  static let kindMask: UInt16 = 0xF
  /// May be walked from its first node to its last.
  static let forward: UInt16 = 1 << 4
  /// May be walked from its last node to its first.
  static let backward: UInt16 = 1 << 5
  /// The number of steps is the map's; otherwise it is an estimate.
  static let stepsKnown: UInt16 = 1 << 6
  /// Steps that go up from the first node to the last.
  static let stepsUp: UInt16 = 1 << 7
  /// Steps that go down from the first node to the last.
  static let stepsDown: UInt16 = 1 << 8
  /// A crossing with traffic lights.
  static let signals: UInt16 = 1 << 9
  /// A road whose sidewalks are ways of their own.
  static let besideSidewalk: UInt16 = 1 << 10
  /// Inside a building or below the ground, where no position from satellites is.
  static let covered: UInt16 = 1 << 11
  /// Heights at its ends and between were known.
  static let heights: UInt16 = 1 << 12
  /// A bridge or tunnel: between its ends it does not follow the ground.
  static let spans: UInt16 = 1 << 13
  static let all: UInt16 = 0x3FFF

  func has(_ bit: UInt16) -> Bool { rawValue & bit != 0 }

  mutating func set(_ bit: UInt16, _ value: Bool = true) {
    if value { rawValue |= bit } else { rawValue &= ~bit }
  }

  /// Checked when a graph is read: one of the kinds, and no unknown bit.
  var isValid: Bool {
    rawValue & ~Self.all == 0 && WalkingWayKind(rawValue: UInt8(truncatingIfNeeded: rawValue & Self.kindMask)) != nil
  }

  var kind: WalkingWayKind { WalkingWayKind(rawValue: UInt8(truncatingIfNeeded: rawValue & Self.kindMask)) ?? .path }

  /// Whether it is what `avoidingSteps` avoids.
  @inline(__always) var isSteps: Bool {
    let kind = rawValue & Self.kindMask
    return kind == UInt16(WalkingWayKind.steps.rawValue) || kind == UInt16(WalkingWayKind.escalator.rawValue)
  }

  /// The same with first and last node exchanged.
  var reversed: EdgeFlags {
    var other = self
    other.set(Self.forward, has(Self.backward))
    other.set(Self.backward, has(Self.forward))
    other.set(Self.stepsUp, has(Self.stepsDown))
    other.set(Self.stepsDown, has(Self.stepsUp))
    return other
  }
}
