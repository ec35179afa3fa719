import SightlineImaging
import SightlineMath

/// Four corners, clockwise as seen.
typealias Corners = InlineArray<4, Vector2>

extension Vector2 {
  init(_ pixel: PixelPosition) { self.init(Double(pixel.x), Double(pixel.y)) }

  /// The area that two vectors span; positive when the other one is clockwise on a screen.
  func cross(_ other: Vector2) -> Double { x * other.y - y * other.x }
}
