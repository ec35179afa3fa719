import SightlineInput
import SightlineTestSupport
import Testing

@Suite struct CheckedConversionTests {
  @Test func whatDoesNotFitIsNoNumber() {
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9_223_372_036_854_775_808, -9.3e18] {
      #expect(Int(checked: value) == nil)
    }
    #expect(Int(checked: -9_223_372_036_854_775_808.0) == Int.min)
    #expect(UInt8(checked: 255.9) == 255)
    #expect(UInt8(checked: 256.0) == nil)
    #expect(UInt8(checked: -0.9) == 0)
    #expect(UInt8(checked: -1.0) == nil)
    #expect(Int(checked: Double(5e-324)) == 0)
    #expect(UInt16(checked: 70_000) == nil)
    #expect(UInt16(checked: Int64(-1)) == nil)
    #expect(Int32(checked: UInt64.max) == nil)
    #expect(Int(checked: Float.infinity) == nil)
  }

  @Test func clampedIsTheNearestThereIs() {
    #expect(Int(clamped: Double.nan) == 0)
    #expect(Int(clamped: Double.nan, notANumber: 7) == 7)
    #expect(Int(clamped: 1e300) == .max)
    #expect(Int(clamped: -Double.infinity) == .min)
    #expect(UInt8(clamped: -3.0) == 0)
    #expect(UInt8(clamped: 254.99) == 254)
    #expect(Int8(clamped: 1000) == 127)
  }

  @Test func everyByteAsADigit() {
    for byte in UInt8.min...UInt8.max {
      let text = String(UnicodeScalar(byte))
      #expect(Digit.decimal(byte) == (byte < 0x80 ? Int(text, radix: 10) : nil))
      #expect(Digit.hexadecimal(byte) == (byte < 0x80 ? Int(text, radix: 16) : nil))
    }
  }

  @Test func everyConversionAgreesWithExactArithmetic() {
    var random = SplitMix64(seed: 18)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      if let whole = Int32(checked: value) {
        #expect(Double(whole) == value.rounded(.towardZero))
      } else {
        #expect(!(value > -2_147_483_649 && value < 2_147_483_648))
      }
    }
  }
}

@Suite struct CheckedArithmeticTests {
  @Test func everyPairOfBytes() {
    for a in Int8.min...Int8.max {
      for b in Int8.min...Int8.max {
        let (x, y) = (Int(a), Int(b))
        #expect(a.checkedAdd(b).map(Int.init) == ((-128...127).contains(x + y) ? x + y : nil))
        #expect(a.checkedSubtract(b).map(Int.init) == ((-128...127).contains(x - y) ? x - y : nil))
        #expect(a.checkedMultiply(b).map(Int.init) == ((-128...127).contains(x * y) ? x * y : nil))
        #expect(Int(a.saturatingAdd(b)) == min(127, max(-128, x + y)))
        #expect(Int(a.saturatingSubtract(b)) == min(127, max(-128, x - y)))
        #expect(Int(a.saturatingMultiply(b)) == min(127, max(-128, x * y)))
      }
    }
    for a in UInt8.min...UInt8.max {
      for b in UInt8.min...UInt8.max {
        let (x, y) = (Int(a), Int(b))
        #expect(Int(a.saturatingAdd(b)) == min(255, x + y))
        #expect(Int(a.saturatingSubtract(b)) == max(0, x - y))
        #expect(Int(a.saturatingMultiply(b)) == min(255, x * y))
      }
    }
  }

  @Test func shiftsLoseNothing() {
    for a in Int16.min...Int16.max where a % 7 == 0 {
      for count in 0..<20 {
        let exact = Int(a) << count
        #expect(a.checkedShiftLeft(count).map(Int.init) == (Int16(exactly: exact) == nil ? nil : exact))
      }
    }
    #expect(Int(1).checkedShiftLeft(-1) == nil)
    #expect(Int(0).checkedShiftLeft(1000) == 0)
    #expect(Int(1).checkedShiftLeft(.max) == nil)
  }

  @Test func digitsUntilItIsFull() {
    var value: Int64? = 0
    for _ in 0..<19 { value = value?.appendingDigit(9) }
    #expect(value == nil)
    #expect(Int64(922_337_203_685_477_580).appendingDigit(7) == .max)
    #expect(Int64(922_337_203_685_477_580).appendingDigit(8) == nil)
  }

  @Test func rangesTakeWhatIsNoNumber() {
    #expect(Double.nan.clamped(to: 0...1) == 0)
    #expect((1e300).clamped(to: 0...1) == 1)
    #expect((-5).clamped(to: -3...3) == -3)
    #expect(Instant.clamped(Int64.min) == 0)
    #expect(Instant.clamped(UInt64.max) == 1 << 40)
    #expect(Instant.clamped(Double.nan) == 0)
    #expect(Instant.clampedSpan(Int.min) == -Instant.longestSpan)
  }
}

@Suite struct ReadingBudgetTests {
  @Test func whatRunsOutStaysOut() {
    let budget = ReadingBudget(.init(text: 10, positions: 1, places: 1, findings: 1, steps: .max))
    #expect(budget.take(6, of: .text))
    #expect(!budget.take(5, of: .text))
    #expect(!budget.take(1, of: .text))
    #expect(budget.used(.text) == 6)
    #expect(budget.exhausted == [.text])
    #expect(budget.take(.max, of: .steps))
    #expect(budget.take(.min, of: .positions))
    #expect(budget.take(of: .positions))
    #expect(!budget.isIntact)
  }

  @Test func noSizeOfDocumentOverflows() {
    for bytes in [Int.min, -1, 0, 1, 1 << 23, .max] {
      let limits = ReadingBudget.Limits(documentBytes: bytes)
      for kind in ReadingBudget.Kind.allCases { #expect(limits[kind] > 0) }
    }
  }
}
