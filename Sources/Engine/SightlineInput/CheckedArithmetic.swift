/// Arithmetic on numbers from outside: `checked…` answers `nil` where the result does not fit, `saturating…` stops at the
/// largest or smallest value. The plain operators end the process there.
extension FixedWidthInteger {
  /// The sum; `nil` when it does not fit.
  @inlinable public func checkedAdd(_ other: Self) -> Self? {
    let (result, overflow) = addingReportingOverflow(other)
    return overflow ? nil : result
  }

  /// The difference; `nil` when it does not fit.
  @inlinable public func checkedSubtract(_ other: Self) -> Self? {
    let (result, overflow) = subtractingReportingOverflow(other)
    return overflow ? nil : result
  }

  /// The product; `nil` when it does not fit.
  @inlinable public func checkedMultiply(_ other: Self) -> Self? {
    let (result, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : result
  }

  /// The sum, or the largest or smallest value.
  @inlinable public func saturatingAdd(_ other: Self) -> Self {
    let (result, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : result
  }

  /// The difference, or the largest or smallest value.
  @inlinable public func saturatingSubtract(_ other: Self) -> Self {
    let (result, overflow) = subtractingReportingOverflow(other)
    // Of numbers without sign only ones below zero do not fit.
    return overflow ? (Self.isSigned && other < 0 ? .max : .min) : result
  }

  /// The product, or the largest or smallest value.
  @inlinable public func saturatingMultiply(_ other: Self) -> Self {
    let (result, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : result
  }

  /// The value with one more decimal digit at its end, `value * 10 + digit`; `nil` when that does not fit.
  @inlinable public func appendingDigit(_ digit: Self) -> Self? { checkedMultiply(10)?.checkedAdd(digit) }

  /// The value moved to the left; `nil` when a bit is lost or the sign changes, or for a count that is no shift.
  @inlinable public func checkedShiftLeft(_ count: Int) -> Self? {
    guard count >= 0, count < Self.bitWidth else { return self == 0 && count >= 0 ? 0 : nil }
    let shifted = self &<< Self(truncatingIfNeeded: count)
    return shifted &>> Self(truncatingIfNeeded: count) == self ? shifted : nil
  }
}

extension Comparable {
  /// The value, or the nearer end of the range.
  ///
  /// A number that is none is the lower end.
  @inlinable public func clamped(to range: ClosedRange<Self>) -> Self {
    // In this order so that a comparison with what is no number, which is false, ends at the lower bound.
    self >= range.lowerBound ? (self <= range.upperBound ? self : range.upperBound) : range.lowerBound
  }
}
