import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineQR
import SightlineTestSupport

/// Flat things before a camera, drawn as it would see them.
struct DrawnScene {
  /// Something flat with a picture on it.
  struct Flat {
    var texture: GrayImage
    /// Of the whole texture, metres.
    var width: Double
    /// Frame of the plane: x right, y up, z towards the viewer, origin in its middle.
    var cameraFromPlane: Quaternion
    var translation: Vector3

    var height: Double { width * Double(texture.height) / Double(texture.width) }
  }

  var flats: [Flat]
  var intrinsics = Intrinsics(width: 640, height: 480, longSideFieldOfView: Angle(degrees: 62))
  var distortion = LensDistortion.none
  var wall = 120.0

  /// The frame; the camera is turned by `cameraFromWorld` against the axes that the poses are told in.
  func frame(cameraFromWorld: Quaternion = .identity, noise: Double = 1.5, seed: UInt64 = 1) -> GrayImage {
    var random = SplitMix64(seed: seed)
    let (width, height) = (Int(intrinsics.width), Int(intrinsics.height))
    var image = GrayImage(width: width, height: height)
    let samples = [Vector2(-0.25, -0.25), Vector2(0.25, -0.25), Vector2(-0.25, 0.25), Vector2(0.25, 0.25)]
    let placed = flats.map { flat -> (flat: Flat, planeFromCamera: Quaternion, origin: Vector3) in
      let planeFromCamera = (cameraFromWorld * flat.cameraFromPlane).inverse
      return (flat, planeFromCamera, planeFromCamera * -(cameraFromWorld * flat.translation))
    }
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for sample in samples {
          let ray = ray(through: Vector2(Double(x), Double(y)) + sample)
          sum += placed.lazy.compactMap { level($0.flat, $0.planeFromCamera * ray, $0.origin) }.first ?? wall
        }
        let error = (Double.random(in: -1...1, using: &random) + Double.random(in: -1...1, using: &random)) * noise
        image[x, y] = UInt8(clamp((sum / 4 + error).rounded(), 0, 255))
      }
    }
    return image
  }

  private func ray(through pixel: Vector2) -> Vector3 {
    let straight = intrinsics.rayInCamera(through: pixel)
    if distortion == .none { return straight }
    let seen = Vector2(straight.x / straight.z, straight.y / straight.z)
    return distortion.undistorted(seen).map { Vector3($0.x, $0.y, 1) } ?? straight
  }

  private func level(_ flat: Flat, _ ray: Vector3, _ origin: Vector3) -> Double? {
    let s = -origin.z / ray.z
    guard s > 0 else { return nil }
    let p = origin + ray * s
    let (u, v) = (p.x / flat.width + 0.5, 0.5 - p.y / flat.height)
    guard u >= 0, v >= 0, u < 1, v < 1 else { return nil }
    let (w, h) = (Double(flat.texture.width), Double(flat.texture.height))
    return flat.texture.withView { $0.level(x: clamp(u * w - 0.5, 0, w - 1), y: clamp(v * h - 0.5, 0, h - 1)) }
  }

  /// Where the corners of something square or not on a flat thing fall, clockwise from its top left.
  func corners(of flat: Flat, width: Double, height: Double, cameraFromWorld: Quaternion = .identity) -> [Vector2] {
    [(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)].map { x, y in
      let p = flat.cameraFromPlane * Vector3(x * width, y * height, 0) + flat.translation
      return intrinsics.pixel(ofPointInCamera: cameraFromWorld * p) ?? .zero
    }
  }
}

/// A marker with a margin of one cell, 12 pixels a cell; it is `(n + 4) / (n + 2)` as wide as the marker's side.
func markerTexture(_ dictionary: MarkerDictionary, id: Int) -> GrayImage {
  let (n, cell) = (dictionary.cells, 12)
  let code = dictionary.family.code(id: id)
  var image = GrayImage(width: (n + 4) * cell, height: (n + 4) * cell, level: 230)
  for y in 0..<image.height {
    for x in 0..<image.width {
      let (column, row) = (x / cell - 2, y / cell - 2)
      guard column >= -1, row >= -1, column <= n, row <= n else { continue }
      let isInside = column >= 0 && row >= 0 && column < n && row < n
      let isWhite = isInside && (code >> UInt64(n * n - 1 - row * n - column)) & 1 == 1
      image[x, y] = isWhite ? 230 : 20
    }
  }
  return image
}

/// A code with its quiet zone of four modules, 8 pixels a module.
func codeTexture(_ text: String) throws -> (image: GrayImage, modules: Int) {
  let characters = text.utf8.map { QRCharacter($0) }
  let matrix = try QREncoder().encode(characters).matrix
  let side = (matrix.size + 8) * 8
  var image = GrayImage(width: side, height: side, level: 235)
  for y in 0..<(matrix.size * 8) {
    for x in 0..<(matrix.size * 8) where matrix[x / 8, y / 8] { image[x + 32, y + 32] = 15 }
  }
  return (image, matrix.size)
}

/// Discs of many sizes and grey levels on a slope of grey.
func posterTexture(seed: UInt64, width: Int = 360, height: Int = 270) -> GrayImage {
  var random = SplitMix64(seed: seed)
  var image = GrayImage(width: width, height: height)
  for y in 0..<height { for x in 0..<width { image[x, y] = UInt8(80 + 70 * x / width + 30 * y / height) } }
  for _ in 0..<140 {
    let (cx, cy) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
    let radius = Int.random(in: 3..<18, using: &random)
    let level = UInt8.random(in: 10...245, using: &random)
    for y in max(0, cy - radius)..<min(height, cy + radius) {
      for x in max(0, cx - radius)..<min(width, cx + radius)
      where (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius {
        image[x, y] = level
      }
    }
  }
  return image
}
