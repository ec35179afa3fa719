import SightlineInput
import SightlineMath

/// The value of a decimal number that is known to be written as JSON asks.
///
/// Exact for up to 15 digits and powers of ten within ±22, which is how every value of single precision can be written;
/// for others the error is a few units in the last place. Too large a number is infinite.
func decimalNumber(_ text: UnsafeBufferPointer<UInt8>) -> Double {
  var position = 0
  func peek() -> UInt8 { position < text.count ? text[position] : 0 }
  let isNegative = peek() == UInt8(ascii: "-")
  if isNegative { position += 1 }
  var mantissa: UInt64 = 0
  var exponent = 0
  var isFraction = false
  while position < text.count {
    let byte = text[position]
    if byte == UInt8(ascii: ".") {
      isFraction = true
    } else if let digit = Digit.decimal(byte) {
      if mantissa < 1_000_000_000_000_000_000, let longer = mantissa.appendingDigit(UInt64(clamping: digit)) {
        mantissa = longer
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    } else {
      break
    }
    position += 1
  }
  if position < text.count {
    position += 1
    let isSmall = peek() == UInt8(ascii: "-")
    if isSmall || peek() == UInt8(ascii: "+") { position += 1 }
    var power = 0
    while position < text.count {
      power = min(power.appendingDigit(Digit.decimal(text[position]) ?? 0) ?? 100_000, 100_000)
      position += 1
    }
    exponent += isSmall ? -power : power
  }
  let value = scaled(Double(mantissa), by: exponent)
  return isNegative ? -value : value
}

private func scaled(_ mantissa: Double, by exponent: Int) -> Double {
  if mantissa == 0 || exponent == 0 { return mantissa }
  if exponent < 0 {
    // Ten to a positive power is exact for longer. In two steps, so that the power itself does not overflow.
    let first = min(-exponent, 300)
    let rest = -exponent - first
    return mantissa / pow(10, Double(first)) / (rest > 0 ? pow(10, Double(min(rest, 300))) : 1)
  }
  return exponent > 310 ? .infinity : mantissa * pow(10, Double(exponent))
}
