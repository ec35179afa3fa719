import Foundation

/// Views of a flat print, drawn for tests.
public enum PrintedView {
  /// A view of a square print with a white margin on a patterned table, with noise and a soft lens, 640 × 480 grey levels.
  ///
  /// The focal length is 560 pixels; the print's middle is on the optical axis.
  ///
  /// - Parameters:
  ///   - print: grey levels, `side × side`.
  ///   - side: of the print, pixels.
  ///   - width: of the print in the view were it not tilted, pixels.
  ///   - tilt: of its upper edge backwards, radians.
  ///   - turn: in its plane, radians.
  /// - Returns: rows from the top.
  public static func gray(_ print: [UInt8], side: Int, width: Double, tilt: Double, turn: Double) -> [UInt8] {
    let focal = 560.0
    let distance = focal / width
    let (ct, st, cr, sr) = (cos(tilt), sin(tilt), cos(turn), sin(turn))
    var random = SplitMix64(seed: 3)
    var levels = [UInt8](repeating: 0, count: 640 * 480)
    for y in 0..<480 {
      for x in 0..<640 {
        var sum = 0.0
        for s in 0..<9 {
          // The samples reach over a pixel and a half: a lens is no sharper.
          let dx = (Double(x) - 319.5 + Double(s % 3 - 1) * 0.5) / focal
          let dy = (Double(y) - 239.5 + Double(s / 3 - 1) * 0.5) / focal
          // The plane through (0, 0, distance), tilted about the camera's x.
          let depth = distance * ct / (ct - dy * st)
          let (px, py) = (dx * depth, (dy * depth) * ct + (depth - distance) * st)
          let (u, v) = (cr * px + sr * py + 0.5, -sr * px + cr * py + 0.5)
          let isPaper = u > -0.12 && v > -0.12 && u < 1.12 && v < 1.12
          if u >= 0, v >= 0, u < 1, v < 1 {
            let level = print[min(Int(v * Double(side)), side - 1) * side + min(Int(u * Double(side)), side - 1)]
            sum += 25 + 195 * Double(level) / 255
          } else {
            sum += isPaper ? 220 : 120 + 25 * sin(9 * u + 3 * sin(7 * v)) + 15 * sin(31 * v + 5 * u)
          }
        }
        levels[640 * y + x] = UInt8(max(0, min(255, sum / 9 + Double.random(in: -4...4, using: &random))))
      }
    }
    return levels
  }
}
