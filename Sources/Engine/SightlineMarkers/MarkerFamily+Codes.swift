extension MarkerFamily {
  /// The code of a marker.
  /// - Precondition: `0 <= id && id < count`.
  public func code(id: Int) -> UInt64 { codes[id] }

  /// The codes of all ids, made when a family is first asked for.
  var codes: [UInt64] {
    switch self {
    case .arucoOriginal: arucoOriginalCodes
    case .grid4x4: grid4x4Codes
    case .grid5x5: grid5x5Codes
    case .grid6x6: grid6x6Codes
    case .grid7x7: grid7x7Codes
    case .arucoMip36h12: arucoMip36h12Codes
    case .apriltag16h5: apriltag16h5Codes
    case .apriltag25h9: apriltag25h9Codes
    case .apriltag36h10: apriltag36h10Codes
    case .apriltag36h11: apriltag36h11Codes
    }
  }

  /// Two bits of the id for each row of cells, the highest first.
  fileprivate func codesOfRows() -> [UInt64] {
    let rows: [4 of UInt64] = [0b10000, 0b10111, 0b01001, 0b01110]
    return (0..<count).map { id in
      var code: UInt64 = 0
      for row in 0..<5 { code = code << 5 | rows[id >> (2 * (4 - row)) & 3] }
      return code
    }
  }

  /// Codes that stand one after another, the first bit the most significant of the first word.
  fileprivate func codes(packed words: [UInt64]) -> [UInt64] {
    let bits = cells * cells
    return (0..<count).map { id in
      let (word, offset) = (id * bits).quotientAndRemainder(dividingBy: 64)
      let high = words[word] << UInt64(offset)
      let low = offset + bits > 64 ? words[word + 1] >> UInt64(64 - offset) : 0
      return (high | low) >> UInt64(64 - bits)
    }
  }

  /// Codes by the steps from each to the next.
  ///
  /// AprilTag's generator (Olson 2011) goes through all words by adding one prime, and takes those that are far enough from
  /// the ones before. Seven bits a byte, the lowest first; the highest bit is set where more follow.
  fileprivate func codes(steps: [UInt8]) -> [UInt64] {
    let mask = UInt64(1) << UInt64(cells * cells) - 1
    var codes: [UInt64] = []
    codes.reserveCapacity(count)
    var (code, count, shift) = (UInt64(0), UInt64(0), UInt64(0))
    for byte in steps {
      count |= UInt64(byte & 127) << shift
      shift += 7
      guard byte < 128 else { continue }
      code = (code &+ count &* 982_451_653) & mask
      codes.append(code)
      (count, shift) = (0, 0)
    }
    return codes
  }
}

private let arucoOriginalCodes = MarkerFamily.arucoOriginal.codesOfRows()
private let grid4x4Codes = MarkerFamily.grid4x4.codes(packed: grid4x4Words)
private let grid5x5Codes = MarkerFamily.grid5x5.codes(packed: grid5x5Words)
private let grid6x6Codes = MarkerFamily.grid6x6.codes(packed: grid6x6Words)
private let grid7x7Codes = MarkerFamily.grid7x7.codes(packed: grid7x7Words)
private let arucoMip36h12Codes = MarkerFamily.arucoMip36h12.codes(packed: arucoMip36h12Words)
private let apriltag16h5Codes = MarkerFamily.apriltag16h5.codes(steps: apriltag16h5Steps)
private let apriltag25h9Codes = MarkerFamily.apriltag25h9.codes(steps: apriltag25h9Steps)
private let apriltag36h10Codes = MarkerFamily.apriltag36h10.codes(steps: apriltag36h10Steps)
private let apriltag36h11Codes = MarkerFamily.apriltag36h11.codes(steps: apriltag36h11Steps)
