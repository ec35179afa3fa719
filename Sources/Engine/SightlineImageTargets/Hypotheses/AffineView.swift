import SightlineCamera
import SightlineImaging
import SightlineMath

/// A frame squeezed to a half along one direction: what is seen from sixty degrees aside across it looks as from the
/// front.
///
/// Features are found again up to some fifty degrees from where a print was looked at; squeezing the frame as well
/// (Morel and Yu
/// 2009) goes on from there. The print then is no larger than its shorter side was, so that this is for prints that are
/// not small.
struct AffineView {
  /// How many directions there are.
  static let count = 4

  /// The view.
  private(set) var picture = GrayImage(width: 1, height: 1)
  /// From the view's pixels to the frame's, affine.
  private(set) var frameFromView = Homography(Matrix3.identity)

  init() {}

  /// Draws a frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels, at least two pixels a side.
  ///   - direction: 0 along its rows, 1 along its columns, 2 and 3 along its diagonals from top left and from bottom
  ///     left.
  mutating func draw(_ frame: GrayView, direction: Int) {
    switch direction {
    case 0: halveRows(frame)
    case 1: halveColumns(frame)
    default: squeezeAslant(frame, falling: direction == 2 ? 1 : -1)
    }
  }

  private mutating func halveRows(_ frame: GrayView) {
    let (width, height) = (frame.width / 2, frame.height)
    picture.resize(width: width, height: height)
    picture.withMutablePixels { pixels in
      for y in 0..<height {
        let from = frame.row(y)
        let to = pixels + y &* width
        for x in 0..<width {
          to[x] = UInt8(truncatingIfNeeded: (UInt16(from[2 &* x]) &+ UInt16(from[2 &* x &+ 1]) &+ 1) &>> 1)
        }
      }
    }
    frameFromView = Homography(Matrix3(rows: Vector3(2, 0, 0.5), Vector3(0, 1, 0), Vector3(0, 0, 1)))
  }

  private mutating func halveColumns(_ frame: GrayView) {
    let (width, height) = (frame.width, frame.height / 2)
    picture.resize(width: width, height: height)
    picture.withMutablePixels { pixels in
      for y in 0..<height {
        let (a, b) = (frame.row(2 * y), frame.row(2 * y + 1))
        let to = pixels + y &* width
        for x in 0..<width { to[x] = UInt8(truncatingIfNeeded: (UInt16(a[x]) &+ UInt16(b[x]) &+ 1) &>> 1) }
      }
    }
    frameFromView = Homography(Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 2, 0.5), Vector3(0, 0, 1)))
  }

  /// Squeezes along a diagonal: the view's axes stay the frame's, so that directions change as little as can be.
  private mutating func squeezeAslant(_ frame: GrayView, falling: Double) {
    let (w, h) = (frame.width, frame.height)
    // A half along (1, ±1) and one across it; its inverse doubles.
    let width = max(2, Int(0.75 * Double(w) + 0.25 * Double(h)))
    let height = max(2, Int(0.25 * Double(w) + 0.75 * Double(h)))
    let (mx, my) = (Double(width - 1) / 2, Double(height - 1) / 2)
    let lean = 0.5 * falling
    let (x0, y0) = (Double(w - 1) / 2 - 1.5 * mx - lean * my, Double(h - 1) / 2 - lean * mx - 1.5 * my)
    frameFromView = Homography(Matrix3(rows: Vector3(1.5, lean, x0), Vector3(lean, 1.5, y0), Vector3(0, 0, 1)))
    picture.resize(width: width, height: height)
    // In parts of 1/1024 pixel; two places for each, a quarter of the doubled direction to both sides, so that nothing
    // is skipped.
    let one = 1024.0
    let (stepX, stepY) = (1536, falling > 0 ? 512 : -512)
    let (right, bottom) = ((w - 1) << 10 - 1, (h - 1) << 10 - 1)
    let (dx, dy) = (362, falling > 0 ? 362 : -362)
    picture.withMutablePixels { pixels in
      for y in 0..<height {
        let to = pixels + y &* width
        let sx = Int((x0 + lean * Double(y)) * one)
        let sy = Int((y0 + 1.5 * Double(y)) * one)
        func isInside(_ x: Int) -> Bool {
          let (u, v) = (sx &+ x &* stepX, sy &+ x &* stepY)
          return u &- dx >= 0 && u &+ dx <= right && v &- abs(dy) >= 0 && v &+ abs(dy) <= bottom
        }
        func draw(_ x: Int) {
          let (u, v) = (sx &+ x &* stepX, sy &+ x &* stepY)
          let a = Self.level(frame, u &- dx, v &- dy, right, bottom)
          let b = Self.level(frame, u &+ dx, v &+ dy, right, bottom)
          to[x] = UInt8(truncatingIfNeeded: (a &+ b &+ 1) &>> 1)
        }
        // Between those that lie over the frame's rim two pixels are three columns and one row from the two before
        // them: what lies between
        // pixels is read with the same shares all along.
        var (first, last) = (0, width)
        while first < last && !isInside(first) { first &+= 1 }
        while first < last && !isInside(last &- 1) { last &-= 1 }
        last &-= (last &- first) & 1
        for x in 0..<first { draw(x) }
        if first < last {
          let (u, v) = (sx &+ first &* stepX, sy &+ first &* stepY)
          let (a, b) = (Share(u &- dx, v &- dy), Share(u &+ dx, v &+ dy))
          let (c, d) = (Share(u &+ stepX &- dx, v &+ stepY &- dy), Share(u &+ stepX &+ dx, v &+ stepY &+ dy))
          var (p, q) = (Self.pixel(frame, u &- dx, v &- dy), Self.pixel(frame, u &+ dx, v &+ dy))
          var r = Self.pixel(frame, u &+ stepX &- dx, v &+ stepY &- dy)
          var s = Self.pixel(frame, u &+ stepX &+ dx, v &+ stepY &+ dy)
          let (stride, next) = (frame.stride, 3 &+ (falling > 0 ? frame.stride : 0 &- frame.stride))
          for x in Swift.stride(from: first, to: last, by: 2) {
            to[x] = UInt8(truncatingIfNeeded: (a(p, stride) &+ b(q, stride) &+ 1) &>> 1)
            to[x &+ 1] = UInt8(truncatingIfNeeded: (c(r, stride) &+ d(s, stride) &+ 1) &>> 1)
            (p, q, r, s) = (p + next, q + next, r + next, s + next)
          }
        }
        for x in last..<width { draw(x) }
      }
    }
  }

  /// The shares, in 4096ths, of four pixels in a place between them.
  private struct Share {
    private let (upperLeft, upperRight, lowerLeft, lowerRight): (UInt32, UInt32, UInt32, UInt32)

    /// Of a place in parts of 1/1024 pixel.
    @inline(__always)
    init(_ x: Int, _ y: Int) {
      let (fx, fy) = (UInt32(truncatingIfNeeded: x &>> 4) & 63, UInt32(truncatingIfNeeded: y &>> 4) & 63)
      (upperLeft, upperRight) = ((64 &- fx) &* (64 &- fy), fx &* (64 &- fy))
      (lowerLeft, lowerRight) = ((64 &- fx) &* fy, fx &* fy)
    }

    /// The level there, from the upper left of the four on.
    @inline(__always)
    func callAsFunction(_ p: UnsafePointer<UInt8>, _ stride: Int) -> UInt32 {
      let q = p + stride
      let above = UInt32(p[0]) &* upperLeft &+ UInt32(p[1]) &* upperRight
      let below = UInt32(q[0]) &* lowerLeft &+ UInt32(q[1]) &* lowerRight
      return (above &+ below &+ 2048) &>> 12
    }
  }

  /// The pixel that a place in parts of 1/1024 pixel lies in.
  @inline(__always)
  private static func pixel(_ frame: GrayView, _ x: Int, _ y: Int) -> UnsafePointer<UInt8> {
    frame.row(y &>> 10) + (x &>> 10)
  }

  /// The level at a place in parts of 1/1024 pixel, linear between pixels; outside, that of the rim.
  @inline(__always)
  private static func level(_ frame: GrayView, _ x: Int, _ y: Int, _ right: Int, _ bottom: Int) -> UInt32 {
    let (x, y) = (max(0, min(right, x)), max(0, min(bottom, y)))
    let p = frame.row(y &>> 10) + (x &>> 10)
    let q = p + frame.stride
    let (fx, fy) = (UInt32(truncatingIfNeeded: x &>> 4) & 63, UInt32(truncatingIfNeeded: y &>> 4) & 63)
    let above = UInt32(p[0]) &* (64 &- fx) &+ UInt32(p[1]) &* fx
    let below = UInt32(q[0]) &* (64 &- fx) &+ UInt32(q[1]) &* fx
    return (above &* (64 &- fy) &+ below &* fy &+ 2048) &>> 12
  }
}
