/// Looks behind a damage for chunks that are sound, to tell how much is lost.
enum DamageSurvey {
  /// Sound chunks behind a damage.
  struct Found: Equatable {
    var chunks: UInt64 = 0
    var lastTime: Double?
  }

  /// Reads to the end.
  ///
  /// A head is recognised by its checksum at any byte; a chance agreement has a probability of 2⁻³² a byte, before its
  /// other conditions.
  /// - Parameters:
  ///   - leftover: bytes already taken, of which the first is known to begin no chunk.
  ///   - take: so many more bytes, fewer only at the end.
  /// - Returns: the sound chunks.
  static func run(from leftover: [UInt8], take: (Int) throws -> [UInt8]) rethrows -> Found {
    let size = RecordingFormat.headSize
    var found = Found()
    var window = leftover[...].dropFirst()
    while true {
      if window.count < size {
        let more = try take(1 << 16)
        if more.isEmpty { return found }
        window = (Array(window) + more)[...]
        continue
      }
      guard let head = ChunkHead(window.prefix(size)) else {
        window = window.dropFirst()
        continue
      }
      window = window.dropFirst(size)
      // In pieces: a payload need not be held to be passed over.
      var left = Int(head.length)
      while left > 0 {
        if window.isEmpty {
          window = try take(1 << 16)[...]
          if window.isEmpty { return found }
        }
        let step = min(left, window.count)
        window = window.dropFirst(step)
        left -= step
      }
      if head.kind != ChunkKind.end.rawValue {
        found.chunks &+= 1
        found.lastTime = head.time
      }
    }
  }
}
