import SightlineImaging

/// The lists of an inverted file: for each word the binary codes of the descriptors that fall to it, and which they
/// are.
///
/// A look-up reads whole lists without a branch that could be fresh wrongly: bits that differ in the first halves are
/// counted for all entries, two
/// at a time, those that are near by these are gathered, and of them those that are near by both halves.
final class InvertedFile {
  /// An entry that is near, and in how many bits it differs.
  struct Posting {
    var entry: UInt32
    var distance: UInt32
  }

  /// The first entry of each list, and the end of the last.
  private let starts: FixedBuffer<UInt32>
  private let next: FixedBuffer<UInt32>
  /// The halves of the binary codes, in the order of the lists.
  private let halves: FixedBuffer<UInt64>
  private let others: FixedBuffer<UInt64>
  /// Owners and features of the entries in three bytes each where these are enough, else in four.
  private let ids: FixedBuffer<UInt8>
  private let idBytes: Int
  private let idMask: UInt32
  /// Bits of them that are the feature's.
  private let featureBits: UInt32
  /// For the entries of a list how many bits of the first halves differ, and which of them are near by these.
  private let differing: FixedBuffer<UInt64>
  private let candidates: FixedBuffer<UInt32>
  /// What was found near since ``begin()``.
  let postings: FixedBuffer<Posting>
  private(set) var postingCount = 0
  /// For each number of bits how many postings differ in so many.
  private let counts = FixedBuffer<Int>(count: 130, filledWith: 0)
  /// Most bits in which two binary codes may differ.
  let reach: Int
  /// Most bits in which their first halves may.
  private let halfReach: Int

  /// Room for entries whose lists are known: `list` has that of each of `count` entries.
  ///
  /// `atOnce` is how many lists a look-up reads at most, `owners` and `features` how many numbers the halves of ids may
  /// have.
  init(
    _ list: FixedBuffer<UInt16>,
    count: Int,
    lists: Int,
    atOnce: Int,
    reach: Int,
    halfReach: Int,
    owners: Int = 1 << 16,
    features: Int = 1 << 16
  ) {
    (self.reach, self.halfReach) = (reach, halfReach)
    featureBits = Self.bits(features)
    idBytes = featureBits + Self.bits(owners) > 24 ? 4 : 3
    idMask = idBytes == 4 ? .max : 0xFF_FFFF
    starts = FixedBuffer(count: lists + 1, filledWith: 0)
    next = FixedBuffer(count: lists, filledWith: 0)
    for i in 0..<count { starts.base[Int(list.base[i]) + 1] += 1 }
    var longest = 0
    for k in 0..<lists {
      longest = max(longest, Int(starts.base[k + 1]))
      starts.base[k + 1] += starts.base[k]
      next.base[k] = starts.base[k]
    }
    halves = FixedBuffer(count: count, filledWith: 0)
    others = FixedBuffer(count: count, filledWith: 0)
    // One more: they are read by fours.
    ids = FixedBuffer(count: count * idBytes + 1, filledWith: 0)
    differing = FixedBuffer(count: longest, filledWith: 0)
    candidates = FixedBuffer(count: longest + 1, filledWith: 0)
    // One more: what is looked at is written before it is known to be a posting.
    postings = FixedBuffer(count: longest * atOnce + 1, filledWith: Posting(entry: 0, distance: 0))
  }

  /// Bits for so many numbers from 0 on.
  private static func bits(_ numbers: Int) -> UInt32 { UInt32(Int.bitWidth - max(0, numbers - 1).leadingZeroBitCount) }

  /// Puts an entry into a list; the upper half of its id is its owner, the lower one its feature.
  func put(_ binaryCode: BinaryCode, id: UInt32, into list: Int) {
    let at = Int(next.base[list])
    next.base[list] += 1
    halves.base[at] = binaryCode.first
    others.base[at] = binaryCode.second
    let packed = (id >> 16) << featureBits | id & 0xFFFF
    for i in 0..<idBytes { ids.base[at * idBytes + i] = UInt8(truncatingIfNeeded: packed >> UInt32(8 * i)) }
  }

  /// What an entry was put in with.
  @inline(__always)
  func id(_ entry: UInt32) -> UInt32 {
    let packed = UnsafeRawPointer(ids.base + Int(entry) &* idBytes).loadUnaligned(as: UInt32.self) & idMask
    return (packed &>> featureBits) &<< 16 | packed & ((1 &<< featureBits) &- 1)
  }

  /// Forgets what was found.
  func begin() { postingCount = 0 }

  /// Adds what is near in a list to ``hits``; `isWanted` is asked with the upper half of an entry's id.
  @_optimize(speed)
  func look(in list: Int, for binaryCode: BinaryCode, isWanted: UnsafePointer<Bool>) {
    let start = Int(starts.base[list])
    let count = Int(starts.base[list &+ 1]) &- start
    let (first, second) = (binaryCode.first, binaryCode.second)
    let (halves, differing, candidates) = (halves.base + start, differing.base, candidates.base)
    for i in 0..<count {
      differing[i] = UInt64(truncatingIfNeeded: (halves[i] ^ first).nonzeroBitCount)
    }
    let limit = UInt64(halfReach) + 1
    var near = 0
    for i in 0..<count {
      candidates[near] = UInt32(truncatingIfNeeded: i)
      near &+= Self.one(differing[i], under: limit)
    }
    let (others, postings) = (others.base + start, postings.base)
    let ids = UnsafeRawPointer(ids.base + start &* idBytes)
    let (idBytes, idMask, featureBits) = (idBytes, idMask, featureBits)
    let bound = UInt64(reach) + 1
    let wanted = UnsafeRawPointer(isWanted)
    var found = postingCount
    for k in 0..<near {
      let i = Int(candidates[k])
      let distance = differing[i] &+ UInt64(truncatingIfNeeded: (others[i] ^ second).nonzeroBitCount)
      postings[found] = Posting(
        entry: UInt32(truncatingIfNeeded: start &+ i),
        distance: UInt32(truncatingIfNeeded: distance)
      )
      // A Bool is a byte of 0 or 1.
      let owner = (ids.loadUnaligned(fromByteOffset: i &* idBytes, as: UInt32.self) & idMask) &>> featureBits
      let isAsked = Int(wanted.load(fromByteOffset: Int(owner), as: UInt8.self))
      found &+= Self.one(distance, under: bound) & isAsked
    }
    postingCount = found
  }

  /// 1 when a small number is under a bound, else 0; by its sign, since of a comparison compilers make a jump.
  @inline(__always)
  private static func one(_ number: UInt64, under bound: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &- bound) &>> 63)
  }

  /// Leaves the nearest postings, at most `most`; more only where these differ in no more than `least` bits.
  ///
  /// All of one distance or none: which of them came first says nothing.
  func keepNearest(_ most: Int, least: Int) {
    guard postingCount > most else { return }
    let (counts, postings) = (counts.base, postings.base)
    for i in 0...reach { counts[i] = 0 }
    for k in 0..<postingCount { counts[Int(postings[k].distance)] &+= 1 }
    var (last, nearer) = (reach, postingCount)
    while last > least && nearer > most {
      nearer &-= counts[last]
      last &-= 1
    }
    let bound = UInt64(last) + 1
    var kept = 0
    for k in 0..<postingCount {
      let posting = postings[k]
      postings[kept] = posting
      kept &+= Self.one(UInt64(posting.distance), under: bound)
    }
    postingCount = kept
  }
}
