/// One row of stop_times.
struct Call {
  static let unknownTime = Int32.min

  var sequence: Int32
  var stop: Int32
  /// Seconds of the service day; ``unknownTime`` when empty.
  var arrival: Int32
  var departure: Int32
  /// Number of the text, -1 for none.
  var headsign: Int32
  /// GTFS pickup_type and drop_off_type, two bits each, then flags.
  var flags: UInt32
  /// shape_dist_traveled, NaN when empty.
  var distance: Float

  static let isApproximate: UInt32 = 1 << 4
  var pickup: UInt32 { flags & 3 }
}

/// Packs the calls of trips.
///
/// Trips that call at the same stops in the same way share a *pattern*; trips that also take the same times between them share a
/// *profile*. What is left of a trip is pattern, profile and the second of its first departure: a national feed of
/// 40 million stop times shrinks to some tens of megabytes, and rows may be read in one pass.
struct TimetableBuilder {
  /// What is left of a trip.
  struct Packed {
    var pattern: Int32 = -1
    var profile: Int32 = -1
    var start: Int32 = 0
  }

  /// Bytes of one call in a pattern: stop, sequence, headsign, flags; little endian.
  static let callBytes = 16

  private(set) var patterns = ByteTable()
  /// Pattern number (4 bytes), then the times as variable-length numbers.
  private(set) var profiles = ByteTable()
  private(set) var trips: [Packed]
  private(set) var longestTime: Int32 = 0
  private var key: [UInt8] = []

  init(tripCount: Int) { trips = Array(repeating: Packed(), count: tripCount) }

  /// Takes a trip's calls, in order and with all times known.
  mutating func add(trip: Int, calls: ArraySlice<Call>) {
    guard let first = calls.first, let last = calls.last else { return }
    key.removeAll(keepingCapacity: true)
    for call in calls {
      append(call.stop)
      append(call.sequence)
      append(call.headsign)
      append(Int32(bitPattern: call.flags))
    }
    let pattern = key.withUnsafeBufferPointer { patterns.insert($0).number }
    key.removeAll(keepingCapacity: true)
    append(Int32(clamping: pattern))
    var previous = first.departure
    for call in calls {
      appendVariable(call.arrival &- previous)
      appendVariable(call.departure &- call.arrival)
      previous = call.departure
    }
    let profile = key.withUnsafeBufferPointer { profiles.insert($0).number }
    trips[trip] = Packed(pattern: Int32(clamping: pattern), profile: Int32(clamping: profile), start: first.departure)
    longestTime = max(longestTime, last.departure, last.arrival)
  }

  /// Whether the trip has calls already.
  func has(trip: Int) -> Bool { trips[trip].pattern >= 0 }

  /// Whether any trip has.
  var hasAny: Bool { patterns.count > 0 }

  private mutating func append(_ value: Int32) {
    let bits = UInt32(bitPattern: value)
    key.append(UInt8(truncatingIfNeeded: bits))
    key.append(UInt8(truncatingIfNeeded: bits >> 8))
    key.append(UInt8(truncatingIfNeeded: bits >> 16))
    key.append(UInt8(truncatingIfNeeded: bits >> 24))
  }

  /// Seven bits a byte, lowest first; the sign in the lowest bit.
  private mutating func appendVariable(_ value: Int32) {
    var bits = UInt32(bitPattern: (value << 1) ^ (value >> 31))
    while bits >= 0x80 {
      key.append(UInt8(truncatingIfNeeded: bits) | 0x80)
      bits >>= 7
    }
    key.append(UInt8(truncatingIfNeeded: bits))
  }
}

/// Reads what ``TimetableBuilder`` and the schedule file hold: little-endian integers and variable-length numbers.
struct PackedReader {
  private let bytes: FieldBytes
  private(set) var position: Int

  init(_ bytes: FieldBytes, from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The next four bytes; 0 beyond the end.
  mutating func integer() -> Int32 {
    guard position + 4 <= bytes.count else {
      position = bytes.count
      return 0
    }
    var bits: UInt32 = 0
    for index in 0..<4 { bits |= UInt32(bytes[position + index]) << (8 * index) }
    position += 4
    return Int32(bitPattern: bits)
  }

  /// The next variable-length number; 0 beyond the end.
  mutating func variable() -> Int32 {
    var bits: UInt32 = 0
    var shift = 0
    while position < bytes.count, shift < 35 {
      let byte = bytes[position]
      position += 1
      bits |= UInt32(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
  }
}

extension Array where Element == UInt8 {
  /// Appends four bytes, lowest first.
  mutating func append(integer value: Int32) {
    let bits = UInt32(bitPattern: value)
    for shift in [0, 8, 16, 24] as [UInt32] { append(UInt8(truncatingIfNeeded: bits >> shift)) }
  }
}
