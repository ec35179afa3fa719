import SightlineImaging

/// The products of a picture's gradients, summed up in cells of four by four pixels.
struct StructureTensor {
  private let columns: Int
  private let rows: Int
  /// Sums a row: with cells of nothing all around, and some more on the right where four are taken at a time.
  private let stride: Int
  /// Of squares of gradients along x, of products, of squares along y.
  private let xx: FixedBuffer<Float>
  private let xy: FixedBuffer<Float>
  private let yy: FixedBuffer<Float>

  /// Sums up; pixels at the rim have no gradient.
  init(_ picture: FloatImage, _ columns: Int, _ rows: Int) {
    (self.columns, self.rows, stride) = (columns, rows, columns + 5)
    xx = FixedBuffer(count: (rows + 2) * stride, filledWith: 0)
    xy = FixedBuffer(count: (rows + 2) * stride, filledWith: 0)
    yy = FixedBuffer(count: (rows + 2) * stride, filledWith: 0)
    let (w, h, p) = (picture.width, picture.height, picture.pixels.base)
    let products = FixedBuffer<Float>(count: 12 * columns, filledWith: 0)
    let inside = FixedBuffer<Float>(count: 4 * columns, filledWith: 0.5)
    inside.base[0] = 0
    for x in max(0, w - 1)..<(4 * columns) { inside.base[x] = 0 }
    for row in 0..<rows {
      let (from, to) = (max(1, 4 &* row), min(4 &* row &+ 4, h &- 1))
      guard from < to else { continue }
      let start = p + from &* w
      Self.multiply(start, start - 1, start + 1, w, to &- from, columns, inside.base, products.base)
      let first = (row &+ 1) &* stride &+ 1
      Self.add(products.base, columns, xx.base + first, xy.base + first, yy.base + first)
    }
  }

  /// Multiplies the gradients of each four columns and adds up so many rows of them.
  ///
  /// What is left and right of a place is told apart, or compilers read what both have in common number by number.
  @inline(never)
  private static func multiply(
    _ start: UnsafePointer<Float>,
    _ left: UnsafePointer<Float>,
    _ right: UnsafePointer<Float>,
    _ width: Int,
    _ rows: Int,
    _ columns: Int,
    _ inside: UnsafePointer<Float>,
    _ products: UnsafeMutablePointer<Float>
  ) {
    for column in 0..<columns {
      // Four pixels at a time, which ends in the next row where the picture does; what is not in it counts nothing.
      let counts = load4(inside + 4 &* column)
      var (a, b, c) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
      for y in 0..<rows {
        let at = y &* width &+ 4 &* column
        let gx = (load4(right + at) - load4(left + at)) * counts
        let gy = (load4(start + (at &+ width)) - load4(start + (at &- width))) * counts
        a += gx * gx
        b += gx * gy
        c += gy * gy
      }
      let to = UnsafeMutableRawPointer(products + 12 &* column)
      to.storeBytes(of: a, as: SIMD4<Float>.self)
      to.storeBytes(of: b, toByteOffset: 16, as: SIMD4<Float>.self)
      to.storeBytes(of: c, toByteOffset: 32, as: SIMD4<Float>.self)
    }
  }

  /// Adds up each four columns.
  @inline(never)
  private static func add(
    _ products: UnsafePointer<Float>,
    _ columns: Int,
    _ xx: UnsafeMutablePointer<Float>,
    _ xy: UnsafeMutablePointer<Float>,
    _ yy: UnsafeMutablePointer<Float>
  ) {
    for column in 0..<columns {
      let p = products + 12 &* column
      xx[column] = p[0] + p[1] + p[2] + p[3]
      xy[column] = p[4] + p[5] + p[6] + p[7]
      yy[column] = p[8] + p[9] + p[10] + p[11]
    }
  }

  /// The corner score of a patch of 8 × 8 pixels in the middle of each cell: how well it can be aligned.
  @_optimize(speed)
  func cornerScore() -> FixedBuffer<Float> {
    let cornerScore = FixedBuffer<Float>(count: columns * rows, filledWith: 0)
    let line = columns + 3
    let around = FixedBuffer<Float>(count: 3 * line, filledWith: 0)
    let (a, b, c) = (around.base, around.base + line, around.base + 2 &* line)
    for row in 0..<rows {
      gather(xx.base, row, a)
      gather(xy.base, row, b)
      gather(yy.base, row, c)
      Self.judge(a, b, c, columns, cornerScore.base + row &* columns)
    }
    return cornerScore
  }

  /// The sums of a row's cells whole with those of the cells around them by half: about eight pixels square.
  @_optimize(speed)
  private func gather(_ sums: UnsafePointer<Float>, _ row: Int, _ to: UnsafeMutablePointer<Float>) {
    let p = sums + row &* stride
    let (q, r) = (p + stride, p + 2 &* stride)
    Self.gather(p, p + 1, p + 2, q, q + 1, q + 2, r, r + 1, r + 2, columns, to)
  }

  /// Rows above, in and below a place, each from its left, its own and its right column on.
  @inline(never)
  private static func gather(
    _ p0: UnsafePointer<Float>,
    _ p1: UnsafePointer<Float>,
    _ p2: UnsafePointer<Float>,
    _ q0: UnsafePointer<Float>,
    _ q1: UnsafePointer<Float>,
    _ q2: UnsafePointer<Float>,
    _ r0: UnsafePointer<Float>,
    _ r1: UnsafePointer<Float>,
    _ r2: UnsafePointer<Float>,
    _ columns: Int,
    _ to: UnsafeMutablePointer<Float>
  ) {
    for i in Swift.stride(from: 0, to: columns, by: 4) {
      let above = load4(p0 + i) * 0.25 + load4(p1 + i) * 0.5 + load4(p2 + i) * 0.25
      let beside = above + load4(q0 + i) * 0.5 + load4(q1 + i) + load4(q2 + i) * 0.5
      let all = beside + load4(r0 + i) * 0.25 + load4(r1 + i) * 0.5 + load4(r2 + i) * 0.25
      UnsafeMutableRawPointer(to + i).storeBytes(of: all, as: SIMD4<Float>.self)
    }
  }

  @inline(never)
  private static func judge(
    _ xx: UnsafePointer<Float>,
    _ xy: UnsafePointer<Float>,
    _ yy: UnsafePointer<Float>,
    _ columns: Int,
    _ to: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<columns {
      let (a, b, c) = (xx[i], xy[i], yy[i])
      let half = (a + c) / 2
      let smaller = half - max(0, half * half - (a * c - b * b)).squareRoot()
      // An edge helps along one direction only.
      to[i] = (max(0, smaller) + 0.15 * (a + c)).squareRoot()
    }
  }
}
