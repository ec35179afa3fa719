/// Times from outside, as whole seconds since 1970-01-01T00:00:00Z.
public enum Instant {
  /// The times that are believed: up to the year 36812.
  ///
  /// Everything outside is a mistake or an attack; a day, a zone or a
  /// delay added to a time in this range stays far from the ends of `Int`.
  public static let range: ClosedRange<Int> = 0...(1 << 40)

  /// The time, or the nearer end of the range that is believed.
  @inlinable public static func clamped(_ seconds: some BinaryInteger) -> Int {
    Int(clamping: seconds).clamped(to: range)
  }

  /// The time, or the nearer end of the range that is believed; the fraction is dropped.
  @inlinable public static func clamped(_ seconds: Double) -> Int { Int(clamped: seconds).clamped(to: range) }

  /// The longest believed difference of two times, seconds: ten years.
  public static let longestSpan = 10 * 366 * 86_400

  /// A difference of two times, or the nearer of plus and minus ``longestSpan``.
  @inlinable public static func clampedSpan(_ seconds: some BinaryInteger) -> Int {
    Int(clamping: seconds).clamped(to: -longestSpan...longestSpan)
  }
}
