extension FixedWidthInteger {
  /// The number without its fraction; `nil` when it is not finite or does not fit.
  ///
  /// `Int(value)` ends the process for such a number, so it is never used on what came from outside.
  @inlinable public init?(checked value: Double) {
    // The conversion that may fail is asked of a whole number only, so it fails for the range alone.
    guard value.isFinite, let whole = Self(exactly: value.rounded(.towardZero)) else { return nil }
    self = whole
  }

  /// The number without its fraction; `nil` when it is not finite or does not fit.
  @inlinable public init?(checked value: Float) { self.init(checked: Double(value)) }

  /// The nearest value there is: the fraction is dropped, what is too large or too small becomes the largest or
  /// smallest, and what is no number becomes `notANumber`.
  @inlinable public init(clamped value: Double, notANumber: Self = 0) {
    if let whole = Self(checked: value) {
      self = whole
    } else {
      self = value.isNaN ? notANumber : value > 0 ? .max : .min
    }
  }

  /// The nearest value there is; see ``init(clamped:notANumber:)``.
  @inlinable public init(clamped value: Float, notANumber: Self = 0) {
    self.init(clamped: Double(value), notANumber: notANumber)
  }

  /// The value in another width; `nil` when it does not fit.
  ///
  /// The same as `Int(exactly:)`, under the name that a reader of foreign bytes looks for.
  @inlinable public init?(checked value: some BinaryInteger) { self.init(exactly: value) }

  /// The value in another width, or the nearest there is.
  @inlinable public init(clamped value: some BinaryInteger) { self.init(clamping: value) }
}

/// Digits in texts from outside.
public enum Digit {
  /// What a byte stands for as a decimal digit of ASCII; `nil` for any other byte.
  @inlinable public static func decimal(_ byte: UInt8) -> Int? {
    let value = byte &- 0x30
    return value < 10 ? Int(value) : nil
  }

  /// What a byte stands for as a hexadecimal digit of ASCII, in either case; `nil` for any other byte.
  @inlinable public static func hexadecimal(_ byte: UInt8) -> Int? {
    if let value = decimal(byte) { return value }
    // Letters of both cases differ by one bit.
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? Int(letter) + 10 : nil
  }
}
