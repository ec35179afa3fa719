extension GrayView {
  /// How much pixels differ from their neighbours where nothing else changes: the standard deviation of the noise, grey levels.
  ///
  /// Measured by second differences along a few rows, in stretches of 16 pixels; the calm ones count, so that texture is not
  /// taken for noise. Good to about a third; 0 for a picture that is too small to tell.
  ///
  /// Source of the idea: Immerkær 1996, doi:10.1006/cviu.1996.0060; here along rows only, and the 15th percentile in place of
  /// the mean.
  public func noiseLevel() -> Double {
    guard width >= 34, height >= 2 else { return 0 }
    let rows = min(height, 32)
    var counts = InlineArray<512, Int32>(repeating: 0)
    var total: Int32 = 0
    for i in 0..<rows {
      let row = row((2 * i + 1) * height / (2 * rows))
      var x = 1
      while x &+ 16 < width {
        var sum: Int32 = 0
        for k in x..<(x &+ 16) {
          let bend = 2 &* Int32(row[k]) &- Int32(row[k &- 1]) &- Int32(row[k &+ 1])
          sum &+= abs(bend)
        }
        counts[Int(min(511, sum))] &+= 1
        total &+= 1
        x &+= 32
      }
    }
    var below: Int32 = 0
    var sum = 0
    while sum < 511 {
      below &+= counts[sum]
      if below &* 100 >= total &* 15 { break }
      sum += 1
    }
    // The mean of 16 such differences is 1.95 times the deviation, and its 15th percentile 1.4 times.
    return Double(sum) / 16 / 1.4
  }
}
