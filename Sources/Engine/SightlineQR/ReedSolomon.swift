/// The Reed–Solomon code of QR codes: check words that find and mend wrong codewords of a block.
///
/// A block's generator polynomial has the roots α⁰ … α^(checks − 1) (ISO/IEC 18004, annex A).
struct ReedSolomon: Sendable {
  private let field = GaloisField.tables

  /// The check words that follow a block of data.
  func checkWords(of data: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var generator = [UInt8](repeating: 0, count: count)
    // Highest coefficient left out, it is 1; generator[0] belongs to the highest power below.
    generator[count - 1] = 1
    for root in 0..<count {
      let factor = field.power(root)
      for index in 0..<count {
        generator[index] = field.product(generator[index], factor)
        if index + 1 < count { generator[index] ^= generator[index + 1] }
      }
    }
    var remainder = [UInt8](repeating: 0, count: count)
    for word in data {
      let factor = word ^ remainder[0]
      for index in 0..<(count - 1) { remainder[index] = remainder[index + 1] }
      remainder[count - 1] = 0
      for index in 0..<count { remainder[index] ^= field.product(generator[index], factor) }
    }
    return remainder
  }

  /// Mends a block in place.
  ///
  /// Sources: Berlekamp and Massey's recursion begun with the erasures, roots by trial, magnitudes by Forney's formula
  /// (Blahut, Algebraic Codes for Data Transmission, 2003, chapter 7).
  ///
  /// - Parameters:
  ///   - block: data, then check words.
  ///   - checks: number of check words.
  ///   - erasures: places that may be wrong; each costs half as much as a wrong codeword at an unknown place.
  ///   - reserve: check words that are not used up by mending, so that they guard against a wrong result.
  ///   - known: the block's syndromes where they are known.
  /// - Returns: how many codewords were changed; `nil` when there are too many wrong ones, the block is unchanged then.
  func mend(
    _ block: inout [UInt8],
    checks: Int,
    erasures: [Int] = [],
    reserve: Int = 0,
    syndromes known: [UInt8]? = nil
  ) -> Int? {
    let length = block.count
    precondition(length <= 255 && checks > 0 && checks < length)
    guard erasures.count <= checks - reserve else { return nil }
    let syndromes = known ?? self.syndromes(of: block, count: checks)
    if !syndromes.contains(where: { $0 != 0 }) { return 0 }

    var locator = [UInt8](repeating: 0, count: checks + 1)
    locator[0] = 1
    for (number, place) in erasures.enumerated() {
      precondition(place >= 0 && place < length)
      let x = field.power(length - 1 - place)
      for index in stride(from: number + 1, to: 0, by: -1) { locator[index] ^= field.product(locator[index - 1], x) }
    }
    var previous = locator
    var degree = erasures.count
    for step in erasures.count..<checks {
      var discrepancy: UInt8 = 0
      for index in 0...min(step, checks) { discrepancy ^= field.product(locator[index], syndromes[step - index]) }
      // previous times x
      for index in stride(from: checks, to: 0, by: -1) { previous[index] = previous[index - 1] }
      previous[0] = 0
      guard discrepancy != 0 else { continue }
      let old = locator
      for index in 0...checks { locator[index] ^= field.product(discrepancy, previous[index]) }
      if 2 * degree <= step + erasures.count {
        degree = step + 1 + erasures.count - degree
        for index in 0...checks { previous[index] = field.quotient(old[index], by: discrepancy) }
      }
    }
    // Errors at unknown places cost two check words each.
    guard 2 * degree - erasures.count <= checks - reserve else { return nil }
    var highest = checks
    while highest > 0 && locator[highest] == 0 { highest -= 1 }
    guard highest == degree else { return nil }

    var mended = block
    guard setMagnitudes(&mended, locator: Array(locator[0...degree]), syndromes: syndromes) else { return nil }
    guard !self.syndromes(of: mended, count: checks).contains(where: { $0 != 0 }) else { return nil }
    var changed = 0
    for index in 0..<length where mended[index] != block[index] { changed += 1 }
    block = mended
    return changed
  }

  /// The values of the block, as a polynomial, at the roots of the generator: all 0 when nothing is wrong.
  @_optimize(speed)
  func syndromes(of block: [UInt8], count: Int) -> [UInt8] {
    var sums = [UInt8](repeating: 0, count: count)
    field.powers.withUnsafeBufferPointer { powers in
      field.logarithms.withUnsafeBufferPointer { logarithms in
        for root in 0..<count {
          var sum: UInt8 = 0
          for word in block {
            if sum != 0 { sum = powers[Int(logarithms[Int(sum)]) &+ root] }
            sum ^= word
          }
          sums[root] = sum
        }
      }
    }
    return sums
  }

  /// Adds the errors at the locator's roots; false when it has not as many roots in the block as its degree.
  private func setMagnitudes(_ block: inout [UInt8], locator: [UInt8], syndromes: [UInt8]) -> Bool {
    let degree = locator.count - 1
    let length = block.count
    var places: [Int] = []
    for place in 0..<length {
      let inverse = field.power(255 - (length - 1 - place) % 255)
      if field.value(of: locator, at: inverse) == 0 { places.append(place) }
    }
    guard places.count == degree else { return false }
    // Evaluator: syndromes times locator, without the powers from the number of check words on.
    var evaluator = [UInt8](repeating: 0, count: syndromes.count)
    for i in 0..<syndromes.count {
      for j in 0...min(i, degree) { evaluator[i] ^= field.product(syndromes[i - j], locator[j]) }
    }
    for place in places {
      let exponent = (length - 1 - place) % 255
      let inverse = field.power(255 - exponent)
      // In characteristic 2 the derivative keeps the odd powers only.
      var derivative: UInt8 = 0
      var index = 1
      while index <= degree {
        derivative ^= field.product(locator[index], field.power((255 - exponent) * (index - 1)))
        index += 2
      }
      guard derivative != 0 else { return false }
      let magnitude = field.quotient(field.value(of: evaluator, at: inverse), by: derivative)
      block[place] ^= field.product(magnitude, field.power(exponent))
    }
    return true
  }
}
