import SightlineMath
import SightlineScene

extension FramePainter {
  func drawRadar(_ frame: SceneFrame, _ canvas: Canvas) {
    let size = 112.0
    let radius = size / 2 - 7
    let middle = Vector2(14 + size / 2, frame.height - 14 - size / 2)
    let radar = frame.radar
    canvas.disc(middle, radius + 5, .glass)
    for part in [0.5, 1] { canvas.ring(middle, radius * part, Paint(0xFFFFFF, 0.24), width: 1) }
    if radar.wedgeLength > 0 {
      canvas.wedge(
        middle,
        radius * radar.wedgeLength,
        direction: radar.wedgeDirection.radians,
        opening: radar.wedgeOpening.radians,
        Paint(0xFFFFFF, 0.5),
        Paint(0xFFFFFF, 0.08)
      )
    }
    if radar.attitude != .upsideDown {
      canvas.clipped(center: middle, radius: radius + 3) {
        for blip in radar.blips.reversed() where !blip.isSelected {
          canvas.disc(middle + blip.position * radius, 2.4, Paint(0x7FF0CF))
        }
        for blip in radar.blips where blip.isSelected { canvas.disc(middle + blip.position * radius, 4, .pick) }
      }
      drawNeedle(radar.north.radians, middle, radius, canvas)
    }
    canvas.disc(middle, 2.2, Paint(0xFFFFFF))
    // The rim's distance, beside it.
    let range = Vector2(middle.x + radius * 0.72, middle.y + radius * 0.98)
    canvas.write(
      Self.distance(radar.range),
      at: range + Vector2(0.6, 0.6),
      .init(size: 9, paint: .shade, alignment: .left)
    )
    canvas.write(Self.distance(radar.range), at: range, .init(size: 9, alignment: .left))
  }

  private func drawNeedle(_ north: Double, _ middle: Vector2, _ radius: Double, _ canvas: Canvas) {
    canvas.moved(to: middle, turned: north) {
      let points = [
        Vector2(0, -radius - 5), Vector2(4.5, -radius + 5), Vector2(0, -radius + 2.5), Vector2(-4.5, -radius + 5),
      ]
      canvas.polygon(points, Paint(0xFF7A6B))
      canvas.moved(to: Vector2(0, -radius + 12), turned: -north) {
        canvas.write("N", at: .zero, .init(size: 9, isBold: true, paint: Paint(0xFFD5CF)))
      }
    }
  }
}
