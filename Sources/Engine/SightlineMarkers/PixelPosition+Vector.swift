import SightlineImaging
import SightlineMath

extension Vector2 {
  init(_ pixel: PixelPosition) { self.init(Double(pixel.x), Double(pixel.y)) }
}
