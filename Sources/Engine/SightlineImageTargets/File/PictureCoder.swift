import SightlineImaging
import SightlineInput
import SightlineMath

/// Keeps a grey picture in about a bit a pixel: cosine transform of 8 × 8 blocks, quantised, arithmetic coding.
///
/// What the tracker aligns to need not be exact to the grey level, only sharp where the picture is.
enum PictureCoder {
  /// The picture's code.
  ///
  /// `step` is the quantisation of the lowest frequencies, grey levels, 1 … 64; larger is smaller and coarser.
  static func encode(_ image: GrayView, step: Int) -> [UInt8] {
    var encoder = RangeEncoder()
    var state = BlockState(width: image.width)
    var block = FixedBuffer<Float>(count: 64, filledWith: 0)
    let transform = CosineTransform()
    for by in 0..<((image.height + 7) / 8) {
      for bx in 0..<((image.width + 7) / 8) {
        for y in 0..<8 {
          let row = image.row(min(image.height - 1, by * 8 + y))
          for x in 0..<8 { block.base[y * 8 + x] = Float(row[min(image.width - 1, bx * 8 + x)]) - 128 }
        }
        transform.forward(&block)
        var values = InlineArray<64, Int32>(repeating: 0)
        for k in 0..<64 {
          let q = quantum(k, step)
          let v = block.base[zigzag[k]] / q
          // Small values are rounded to zero more readily: they cost most and show least.
          let rounding: Float = k == 0 ? 0.5 : 0.38
          let size = Int32(clamped: abs(v) + rounding)
          values[k] = v < 0 ? 0 &- size : size
        }
        state.encode(&values, column: bx, &encoder)
      }
      state.endRow()
    }
    return encoder.finish()
  }

  /// The picture from its code; `nil` when the code is too short.
  static func decode(_ bytes: ArraySlice<UInt8>, width: Int, height: Int, step: Int) -> GrayImage? {
    var image = GrayImage(width: width, height: height)
    let isWhole = bytes.withUnsafeBufferPointer { code in
      guard let base = code.baseAddress else { return false }
      var decoder = RangeDecoder(base, count: code.count)
      return image.withMutablePixels { decode(&decoder, width, height, step, to: $0) }
    }
    return isWhole ? image : nil
  }

  private static func decode(
    _ decoder: inout RangeDecoder,
    _ width: Int,
    _ height: Int,
    _ step: Int,
    to: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var state = BlockState(width: width)
    let (block, levels) = (FixedBuffer<Float>(count: 64, filledWith: 0), FixedBuffer<UInt8>(count: 64, filledWith: 0))
    let transform = CosineTransform()
    let (order, quanta) = (FixedBuffer<Int>(count: 64, filledWith: 0), FixedBuffer<Float>(count: 64, filledWith: 0))
    for k in 0..<64 { (order.base[k], quanta.base[k]) = (zigzag[k], quantum(k, step)) }
    for by in 0..<((height + 7) / 8) {
      for bx in 0..<((width + 7) / 8) {
        let (rows, columns) = state.decode(column: bx, &decoder, order.base, quanta.base, into: block.base)
        guard decoder.missing <= 8 else { return false }
        transform.backward(block.base, rows: rows, columns: columns, to: levels.base)
        let across = min(8, width - bx * 8)
        let corner = to + (by &* 8 &* width &+ bx &* 8)
        for y in 0..<min(8, height - by * 8) {
          let (row, from) = (UnsafeMutableRawPointer(corner + y &* width), UnsafeRawPointer(levels.base + y &* 8))
          if across == 8 {
            row.storeBytes(of: from.load(as: UInt64.self), as: UInt64.self)
          } else {
            row.copyMemory(from: from, byteCount: across)
          }
        }
      }
      state.endRow()
    }
    return true
  }

  /// Quantisation of a place in the zigzag: a little coarser for fine detail.
  private static func quantum(_ k: Int, _ step: Int) -> Float { Float(step) * (1 + Float(k) / 40) }

  /// Row and column of each place in the order of rising frequency.
  private static let zigzag: [Int] = {
    var order: [Int] = []
    for diagonal in 0..<15 {
      for i in max(0, diagonal - 7)...min(7, diagonal) {
        order.append(diagonal % 2 == 0 ? (diagonal - i) * 8 + i : i * 8 + diagonal - i)
      }
    }
    return order
  }()
}

/// The contexts of the blocks' values: how much the neighbours have.
private struct BlockState {
  private let models = BitModels(count: 3 * 64 + 64 * 3 + 64 * 16 + 512)
  private let above: FixedBuffer<Int32>
  private let aboveMean: FixedBuffer<Int32>
  private var left: Int32 = 0
  private var leftMean: Int32 = 0

  init(width: Int) {
    above = FixedBuffer(count: (width + 7) / 8, filledWith: 0)
    aboveMean = FixedBuffer(count: (width + 7) / 8, filledWith: 0)
  }

  mutating func endRow() {
    left = 0
    leftMean = 0
  }

  private func activity(_ column: Int) -> Int {
    let n = left &+ above.base[column]
    return n < 4 ? 0 : n < 20 ? 1 : 2
  }

  private func prediction(_ column: Int) -> Int32 { (leftMean &+ aboveMean.base[column]) / 2 }

  private mutating func remember(_ column: Int, mean: Int32, last: Int) {
    aboveMean.base[column] = mean
    leftMean = mean
    above.base[column] = Int32(last)
    left = Int32(last)
  }

  mutating func encode(_ values: inout InlineArray<64, Int32>, column: Int, _ encoder: inout RangeEncoder) {
    var last = 63
    while last > 0 && values[last] == 0 { last -= 1 }
    let group = activity(column)
    var node = 1
    for i in 0..<6 {
      let bit = (last >> (5 - i)) & 1
      encoder.encode(bit, models, group * 64 + node)
      node = node * 2 + bit
    }
    let mean = values[0]
    encodeValue(values[0] &- prediction(column), place: 0, size: 2, &encoder)
    var size = 0
    for k in 1..<64 where k <= last {
      encodeValue(values[k], place: k, size: size, &encoder)
      size = min(2, Int(abs(values[k])))
    }
    remember(column, mean: mean, last: last)
  }

  /// The next block's values, each put to its place times its quantum; answers how many rows and columns hold any.
  ///
  /// The rest of the block is left as it is.
  @inline(never)
  mutating func decode(
    column: Int,
    _ source: inout RangeDecoder,
    _ order: UnsafePointer<Int>,
    _ quanta: UnsafePointer<Float>,
    into block: UnsafeMutablePointer<Float>
  ) -> (rows: Int, columns: Int) {
    // A copy, which stays in registers.
    var decoder = source
    let (models, group) = (models.base, activity(column))
    var node = 1
    for _ in 0..<6 { node = node * 2 &+ decoder.decode(models + (group &* 64 &+ node)) }
    let last = node &- 64
    // A damaged code can ask for anything; the mean stays in the range a block can have.
    let difference = Self.decodeValue(models, place: 0, size: 2, &decoder)
    let mean = max(-2048, min(2048, difference &+ prediction(column)))
    block[0] = Float(mean) * quanta[0]
    var (size, rows, columns) = (0, 0, 0)
    var k = 1
    while k <= last {
      let value = Self.decodeValue(models, place: k, size: size, &decoder)
      size = min(2, Int(abs(value)))
      if value != 0 {
        let place = order[k]
        block[place] = Float(value) * quanta[k]
        (rows, columns) = (max(rows, place &>> 3), max(columns, place & 7))
      }
      k &+= 1
    }
    remember(column, mean: mean, last: last)
    source = decoder
    return (rows &+ 1, columns &+ 1)
  }

  private static let zeroBase = 3 * 64
  private static let largeBase = 3 * 64 + 64 * 3
  private static let tailBase = 3 * 64 + 64 * 3 + 64 * 16

  private mutating func encodeValue(_ value: Int32, place: Int, size: Int, _ encoder: inout RangeEncoder) {
    encoder.encode(value == 0 ? 0 : 1, models, Self.zeroBase + place * 3 + size)
    guard value != 0 else { return }
    encoder.encodeEvenly(value < 0 ? 1 : 0)
    let rest = Int(abs(value)) - 1
    for i in 0..<15 {
      encoder.encode(rest > i ? 1 : 0, models, Self.largeBase + min(place, 63) * 16 + i)
      if rest <= i { return }
    }
    // The tail: length in unary, then the bits (Elias).
    let tail = rest - 15 + 1
    let bits = Int.bitWidth - tail.leadingZeroBitCount - 1
    for _ in 0..<bits { encoder.encode(1, models, Self.tailBase) }
    encoder.encode(0, models, Self.tailBase)
    for i in stride(from: bits - 1, through: 0, by: -1) { encoder.encodeEvenly((tail >> i) & 1) }
  }

  @inline(__always)
  private static func decodeValue(
    _ models: UnsafeMutablePointer<UInt16>,
    place: Int,
    size: Int,
    _ decoder: inout RangeDecoder
  ) -> Int32 {
    guard decoder.decode(models + (zeroBase &+ place &* 3 &+ size)) == 1 else { return 0 }
    let isNegative = decoder.decodeEvenly()
    let large = models + (largeBase &+ place &* 16)
    var rest = 0
    while rest < 15 && decoder.decode(large + rest) == 1 { rest &+= 1 }
    if rest == 15 { rest = decodeTail(models, &decoder) }
    // Without a jump that could go either way.
    let sign = Int32(truncatingIfNeeded: isNegative)
    return (Int32(truncatingIfNeeded: rest &+ 1) ^ (0 &- sign)) &+ sign
  }

  @inline(never)
  private static func decodeTail(_ models: UnsafeMutablePointer<UInt16>, _ decoder: inout RangeDecoder) -> Int {
    var bits = 0
    while bits < 14 && decoder.decode(models + tailBase) == 1 { bits += 1 }
    var tail = 1
    for _ in 0..<bits { tail = tail * 2 + decoder.decodeEvenly() }
    return 14 + tail
  }
}

/// The cosine transform of 8 × 8 numbers, orthonormal.
private struct CosineTransform {
  private let basis = FixedBuffer<Float>(count: 64, filledWith: 0)
  private let scratch = FixedBuffer<Float>(count: 64, filledWith: 0)

  /// Worked out once: a small picture has hardly more blocks than this has numbers.
  private static let cosines: [Float] = (0..<64).map { i in
    let (k, x) = (i / 8, i % 8)
    let scale = k == 0 ? (1.0 / 8).squareRoot() : 0.5
    return Float(scale * cos((2 * Double(x) + 1) * Double(k) * pi / 16))
  }

  init() {
    let cosines = Self.cosines
    for i in 0..<64 { basis.base[i] = cosines[i] }
  }

  func forward(_ block: inout FixedBuffer<Float>) {
    let (b, t, p) = (basis.base, scratch.base, block.base)
    for y in 0..<8 {
      for k in 0..<8 {
        var sum: Float = 0
        for x in 0..<8 { sum += b[k &* 8 &+ x] * p[y &* 8 &+ x] }
        t[y &* 8 &+ k] = sum
      }
    }
    for k in 0..<8 {
      for x in 0..<8 {
        var sum: Float = 0
        for y in 0..<8 { sum += b[k &* 8 &+ y] * t[y &* 8 &+ x] }
        p[k &* 8 &+ x] = sum
      }
    }
  }

  /// Grey levels of numbers that are nothing from a row and a column on; leaves all of them nothing.
  @inline(never)
  func backward(_ p: UnsafeMutablePointer<Float>, rows: Int, columns: Int, to: UnsafeMutablePointer<UInt8>) {
    let (b, t) = (basis.base, scratch.base)
    if rows == 1 && columns == 1 {
      // All the same.
      let level = Self.level(b[0] * p[0] * b[0])
      for i in 0..<64 { to[i] = level }
      p[0] = 0
      return
    }
    // A row of eight at a time; most numbers of high frequency are nothing.
    for y in 0..<rows {
      var sum = SIMD8<Float>.zero
      for k in 0..<columns { sum += load8(b + k &* 8) * p[y &* 8 &+ k] }
      UnsafeMutableRawPointer(t + y &* 8).storeBytes(of: sum, as: SIMD8<Float>.self)
    }
    for y in 0..<8 {
      var sum = SIMD8<Float>.zero
      for k in 0..<rows { sum += load8(t + k &* 8) * b[k &* 8 &+ y] }
      UnsafeMutableRawPointer(p + y &* 8).storeBytes(of: sum, as: SIMD8<Float>.self)
    }
    Self.takeLevels(p, to)
  }

  /// The grey level of a number.
  private static func level(_ v: Float) -> UInt8 {
    // In range: from 0 to 255.
    UInt8(truncatingIfNeeded: Int32(max(0, min(255, v + 128.5))))
  }

  /// Those of 64 numbers, which are nothing then.
  @inline(never)
  private static func takeLevels(_ p: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<UInt8>) {
    let (none, all) = (SIMD8<Float>.zero, SIMD8<Float>(repeating: 255))
    for y in 0..<8 {
      let v = load8(p + y &* 8) + 128.5
      let cut = none.replacing(with: all.replacing(with: v, where: v .< all), where: v .> none)
      // Added to a large number, the nearest whole one lies in the lowest bits; one less where that is more.
      let whole = cut + 8_388_608
      let isMore = unsafeBitCast((whole - 8_388_608) .> cut, to: SIMD8<UInt32>.self)
      let bits = unsafeBitCast(whole, to: SIMD8<UInt32>.self) &+ isMore
      UnsafeMutableRawPointer(to + y &* 8).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: bits),
        as: SIMD8<UInt8>.self
      )
      UnsafeMutableRawPointer(p + y &* 8).storeBytes(of: none, as: SIMD8<Float>.self)
    }
  }
}
