extension GrayView {
  /// The grey level at any point, linear between the centres of the pixels; `nil` outside them.
  @inlinable public func level(x: Double, y: Double) -> Double? {
    // Written so that NaN is outside.
    guard x >= 0, y >= 0, x <= Double(width &- 1), y <= Double(height &- 1) else { return nil }
    let column = min(Int(x), max(0, width &- 2))
    let line = min(Int(y), max(0, height &- 2))
    let fx = x - Double(column)
    let fy = y - Double(line)
    let upper = row(line) + column
    // A picture of one row or one column has nothing beyond it; the fraction is 0 then.
    let lower = height > 1 ? upper + stride : upper
    let next = width > 1 ? 1 : 0
    let above = Double(upper[0]) + fx * (Double(upper[next]) - Double(upper[0]))
    let below = Double(lower[0]) + fx * (Double(lower[next]) - Double(lower[0]))
    return above + fy * (below - above)
  }
}
