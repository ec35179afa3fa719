/// A place of a picture that can be found again: where it is, how large and which way it is turned.
///
/// Four numbers side by side, so that lists of them are as dense as those of a vector type.
struct Keypoint: BitwiseCopyable {
  private var lanes: SIMD4<Float>

  /// A keypoint.
  ///
  /// - Parameters:
  ///   - x: pixels, to the right.
  ///   - y: pixels, down.
  ///   - size: pixels in one unit of the descriptor's grid.
  ///   - direction: of the strongest gradient around it, radians, clockwise on the screen from the x axis.
  @inline(__always)
  init(x: Float, y: Float, size: Float, direction: Float) { lanes = SIMD4(x, y, size, direction) }

  /// That of a feature.
  @inline(__always)
  init(_ feature: Feature) { self.init(x: feature.x, y: feature.y, size: feature.scale, direction: feature.angle) }

  /// All numbers 0: room for one.
  static var zero: Keypoint { Keypoint(x: 0, y: 0, size: 0, direction: 0) }

  /// Place, pixels.
  @inline(__always) var x: Float { lanes.x }
  /// Place, pixels.
  @inline(__always) var y: Float { lanes.y }
  /// Place, pixels.
  @inline(__always) var position: SIMD2<Float> { lanes.lowHalf }
  /// Pixels in one unit of the descriptor's grid.
  @inline(__always) var size: Float { lanes.z }
  /// Direction of the strongest gradient, radians.
  @inline(__always) var direction: Float { lanes.w }
}
