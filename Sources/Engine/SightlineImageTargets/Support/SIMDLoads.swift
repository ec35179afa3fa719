/// Copies numbers as bytes: `update(from:count:)` goes one by one in Embedded Swift.
@inline(__always)
func copy<Element: BitwiseCopyable>(_ to: UnsafeMutablePointer<Element>, _ from: UnsafePointer<Element>, _ count: Int) {
  UnsafeMutableRawPointer(to).copyMemory(from: from, byteCount: count * MemoryLayout<Element>.stride)
}

extension Array {
  /// Appends an element; where there is no room left, makes some for so many more instead of for twice as many.
  @inline(__always)
  mutating func append(growingBy step: Int, _ element: Element) {
    if count == capacity { reserveCapacity(count + step) }
    append(element)
  }
}

/// Eight numbers from memory that need not lie on a multiple of their size.
@inline(__always)
func load8(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
  UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
}

/// Four numbers from memory that need not lie on a multiple of their size.
@inline(__always)
func load4(_ pointer: UnsafePointer<Float>) -> SIMD4<Float> {
  UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<Float>.self)
}

/// Eight grey levels as numbers.
@inline(__always)
func load8(_ pointer: UnsafePointer<UInt8>) -> SIMD8<Float> {
  let v = UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<UInt8>.self)
  return SIMD8<Float>(lowHalf: SIMD4<Float>(v.lowHalf.wide), highHalf: SIMD4<Float>(v.highHalf.wide))
}

extension SIMD8<Float> {
  /// Eight small integers as numbers.
  @inline(__always)
  init(truncatingIfNeeded v: SIMD8<Int16>) {
    self = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: v))
  }
}

/// The arc tangent of y / x in the right quadrant, −π … π, to 0.0002 rad: enough for histograms, and cheap.
@inline(__always)
func roughAngle(_ y: Float, _ x: Float) -> Float {
  let (ax, ay) = (abs(x), abs(y))
  let large = max(ax, ay)
  guard large > 0 else { return 0 }
  let t = min(ax, ay) / large
  let t2 = t * t
  var angle = ((-0.046_496_47 * t2 + 0.159_314_22) * t2 - 0.327_622_76) * t2 * t + t
  if ay > ax { angle = .pi / 2 - angle }
  if x < 0 { angle = .pi - angle }
  return y < 0 ? -angle : angle
}
