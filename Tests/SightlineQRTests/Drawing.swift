import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport

@testable import SightlineQR

/// A seeded text of bytes that a mode has.
func randomText(_ mode: QRMode, _ count: Int, using random: inout SplitMix64) -> [UInt8] {
  var bytes: [UInt8] = []
  for _ in 0..<count {
    switch mode {
    case .numeric: bytes.append(UInt8.random(in: 48...57, using: &random))
    case .alphanumeric: bytes.append(alphanumericByte(Int.random(in: 0..<45, using: &random)))
    case .byte: bytes.append(UInt8.random(in: 0...255, using: &random))
    case .kanji:
      var code: UInt16?
      while code == nil {
        let value = Int.random(in: 0..<0x1FFF, using: &random)
        code = kanjiCode(value).flatMap { kanjiValue($0) == value ? $0 : nil }
      }
      guard let code else { continue }
      bytes.append(UInt8(code >> 8))
      bytes.append(UInt8(code & 0xFF))
    }
  }
  return bytes
}

extension QRMatrix {
  /// The modules as they would be read without any doubt.
  var reading: QRReading { QRReading(size: size, darkness: modules.map { $0 == 1 ? 1 : -1 }) }

  /// The code as a camera sees it, four modules of quiet zone around it; outer corners of the modules in the picture, from
  /// the code's top left, clockwise.
  func picture(
    _ width: Int,
    _ height: Int,
    corners: Quadrilateral,
    dark: Double = 20,
    light: Double = 220,
    around: Double = 170
  ) -> GrayImage {
    var image = GrayImage(width: width, height: height)
    guard let planeFromUnit = Homography(unitSquareTo: corners), let unitFromPlane = planeFromUnit.inverse else {
      return image
    }
    let fine = 4
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for part in 0..<(fine * fine) {
          let px = Double(x) + (Double(part % fine) + 0.5) / Double(fine) - 0.5
          let py = Double(y) + (Double(part / fine) + 0.5) / Double(fine) - 0.5
          guard let p = unitFromPlane(Vector2(px, py)) else {
            sum += around
            continue
          }
          let (u, v) = ((p.x * Double(size)).rounded(.down), (p.y * Double(size)).rounded(.down))
          if u >= 0, v >= 0, u < Double(size), v < Double(size) {
            sum += self[Int(u), Int(v)] ? dark : light
          } else {
            let isQuiet = u >= -4 && v >= -4 && u < Double(size + 4) && v < Double(size + 4)
            sum += isQuiet ? light : around
          }
        }
        image[x, y] = UInt8(max(0, min(255, sum / Double(fine * fine))))
      }
    }
    return image
  }

  /// The code straight on, whole pixels a module.
  func picture(module: Int, quiet: Int = 4) -> GrayImage {
    let side = (size + 2 * quiet) * module
    var image = GrayImage(width: side, height: side, level: 255)
    for y in 0..<(size * module) {
      for x in 0..<(size * module) where self[x / module, y / module] {
        image[x + quiet * module, y + quiet * module] = 0
      }
    }
    return image
  }
}

/// Corners of a square with its centre, turned about all axes before a camera.
func square(_ center: Vector2, side: Double, degrees: Double, tilt: Double = 0) -> Quadrilateral {
  var corners = Quadrilateral(repeating: .zero)
  let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
  for (index, corner) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].enumerated() {
    let turned = Vector2(corner.0, corner.1).rotated(cosine: cosine, sine: sine)
    let depth = 2.5 + turned.y * sin(tilt * .pi / 180)
    corners[index] = center + Vector2(turned.x, turned.y * cos(tilt * .pi / 180)) * (side * 2.5 / depth)
  }
  return corners
}

/// What is read in a picture.
func codes(in image: GrayImage) -> [DetectedQRCode] {
  var detector = QRDetector()
  var codes: [DetectedQRCode] = []
  image.withView { detector.detect(in: $0, into: &codes) }
  return codes
}
