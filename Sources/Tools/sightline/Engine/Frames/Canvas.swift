import Foundation
import SightlineInput
import SightlinePictures

/// A colour picture to draw thin lines on.
struct Canvas {
  typealias Color = (UInt8, UInt8, UInt8)

  private(set) var picture: Picture
  private let scale: Double

  /// A canvas that shows grey levels, each pixel as a square of `scale`.
  init(gray: [UInt8], width: Int, height: Int, scale: Int) {
    var pixels = [UInt8](repeating: 255, count: width * scale * height * scale * 4)
    for y in 0..<(height * scale) {
      for x in 0..<(width * scale) {
        let level = gray[(y / scale) * width + x / scale]
        let at = (y * width * scale + x) * 4
        (pixels[at], pixels[at + 1], pixels[at + 2]) = (level, level, level)
      }
    }
    picture = Picture(width: width * scale, height: height * scale, layout: .rgba, pixels: pixels)
    self.scale = Double(scale)
  }

  /// A line between two points in the grey picture's pixels.
  mutating func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ color: Color) {
    let steps = Int(clamped: min(20000, max(1, (hypot(x1 - x0, y1 - y0) * scale * 1.5).rounded(.up))))
    for i in 0...steps {
      let t = Double(i) / Double(steps)
      dot(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, color)
    }
  }

  /// A circle around a point.
  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ color: Color) {
    let steps = max(12, Int(clamped: radius * scale * 7))
    for i in 0..<steps {
      let angle = Double(i) / Double(steps) * 2 * .pi
      dot(x + radius * cos(angle), y + radius * sin(angle), color)
    }
  }

  private mutating func dot(_ x: Double, _ y: Double, _ color: Color) {
    let (px, py) = (((x + 0.5) * scale).rounded(.down), ((y + 0.5) * scale).rounded(.down))
    guard px >= 0, py >= 0, px < Double(picture.width), py < Double(picture.height) else { return }
    let at = (Int(clamped: py) * picture.width + Int(clamped: px)) * 4
    (picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2]) = color
  }
}
