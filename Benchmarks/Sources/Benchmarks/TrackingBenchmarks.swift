import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath

/// Following a marker through a drawn video: time for each frame, identity, stillness at rest, lag in motion.
func benchmarkTracking(_ harness: Harness) {
  guard harness.includes("Markers/track") else { return }
  let video = DrawnVideo(frameCount: 240)

  func sides(_ name: String, _ body: (Int, GrayView) -> Void) {
    harness.measureEach(name, samples: video.frames.count) { i in
      video.frames[i].withView { body(i, $0) }
    }
  }
  var tracker = video.tracker()
  sides("Markers/track/640x480-1marker") { i, frame in tracker.track(frame, time: Double(i) / 30) }
  var detector = MarkerDetector(dictionaries: [.grid6x6Of250])
  var found: [DetectedMarker] = []
  sides("Markers/track/640x480-1marker/peer-whole-frames") { _, frame in detector.detect(in: frame, into: &found) }
  video.judge(harness)
}

/// 640 × 480: a marker at rest for a third of the time, then swinging, turning and coming nearer, over a plain pattern with
/// noise that is new in each frame.
private struct DrawnVideo {
  static let id = 23
  let camera = Intrinsics(width: 640, height: 480, focalX: 600, focalY: 600, centerX: 319.5, centerY: 239.5)
  private(set) var frames: [GrayImage] = []
  private(set) var truth: [Quadrilateral] = []
  let restingFrames: Int

  init(frameCount: Int) {
    restingFrames = frameCount / 3
    var random = Random(state: 11)
    var ground = [Double](repeating: 0, count: 640 * 480)
    for y in 0..<480 {
      for x in 0..<640 {
        // Patches of many sizes and shades.
        let a = Double((x / 37 * 7 + y / 29 * 13) % 11) * 9
        let b = Double((x / 11 * 3 + y / 17 * 5) % 7) * 7
        ground[y * 640 + x] = 70 + a + b
      }
    }
    for frame in 0..<frameCount {
      let corners = corners(frame)
      truth.append(corners)
      frames.append(draw(corners, ground, &random))
    }
  }

  func tracker() -> MarkerTracker {
    MarkerTracker(dictionaries: [.grid6x6Of250], side: 0.08, intrinsics: camera)
  }

  private func corners(_ frame: Int) -> Quadrilateral {
    let t = max(0, Double(frame - restingFrames)) / 30
    // Up to 20 pixels a frame.
    let place = Vector3(0.16 * sin(2.4 * t), 0.1 * sin(3.1 * t), 0.55 - 0.15 * sin(1.3 * t))
    let turn =
      Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 25 + 25 * sin(1.7 * t)))
      * Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 40 * t)) * Quaternion(w: 0, x: 1, y: 0, z: 0)
    var result = Quadrilateral(repeating: .zero)
    for i in 0..<4 {
      let corner = Vector3(i == 1 || i == 2 ? 0.04 : -0.04, i < 2 ? 0.04 : -0.04, 0)
      result[i] = camera.pixel(ofPointInCamera: turn * corner + place) ?? .zero
    }
    return result
  }

  private func draw(_ corners: Quadrilateral, _ ground: [Double], _ random: inout Random) -> GrayImage {
    let inverse = Homography(unitSquareTo: corners)?.inverse
    var (low, high) = (corners[0], corners[0])
    for i in 1..<4 {
      low = Vector2(min(low.x, corners[i].x), min(low.y, corners[i].y))
      high = Vector2(max(high.x, corners[i].x), max(high.y, corners[i].y))
    }
    let room = 0.25 * (high - low).length
    let code = MarkerFamily.grid6x6.code(id: Self.id)
    var image = GrayImage(width: 640, height: 480)
    image.withMutablePixels { pixels in
      for y in 0..<480 {
        for x in 0..<640 {
          var level = ground[y * 640 + x]
          let (px, py) = (Double(x), Double(y))
          if let inverse, px > low.x - room, px < high.x + room, py > low.y - room, py < high.y + room {
            var sum = 0.0
            for s in 0..<16 {
              let p = Vector2(px + (Double(s % 4) - 1.5) / 4, py + (Double(s / 4) - 1.5) / 4)
              sum += shade(inverse(p), code) ?? level
            }
            level = sum / 16
          }
          // Sum of two uniform numbers, deviation 2.
          let noise = (random.unit() + random.unit() - 1) * 4.9
          pixels[y * 640 + x] = UInt8(max(0, min(255, (level + noise).rounded())))
        }
      }
    }
    return image
  }

  /// Dark and light of the print, `nil` beside it.
  private func shade(_ u: Vector2?, _ code: UInt64) -> Double? {
    guard let u, u.x > -0.125, u.y > -0.125, u.x < 1.125, u.y < 1.125 else { return nil }
    guard u.x > 0, u.y > 0, u.x < 1, u.y < 1 else { return 200 }
    let (column, row) = (Int(u.x * 8) - 1, Int(u.y * 8) - 1)
    guard (0..<6).contains(column), (0..<6).contains(row) else { return 45 }
    return (code >> UInt64(35 - row * 6 - column)) & 1 == 1 ? 200 : 45
  }

  /// Goes through the video once more and says what the tracker made of it.
  func judge(_ harness: Harness) {
    var tracker = tracker()
    var (wrong, missed) = (0, 0)
    var (raw, filtered) = (Spread(), Spread())
    var (rawError, filteredError) = ([Double](), [Double]())
    for (i, frame) in frames.enumerated() {
      frame.withView { tracker.track($0, time: Double(i) / 30) }
      for marker in tracker.markers where marker.isSeen && (marker.id != Self.id || marker.track != 0) { wrong += 1 }
      guard let marker = tracker.markers.first(where: { $0.id == Self.id && $0.isSeen }) else {
        missed += 1
        continue
      }
      if i >= 20 && i < restingFrames {
        raw.add(marker.measuredCorners)
        filtered.add(marker.corners)
      }
      if i >= restingFrames {
        for c in 0..<4 {
          rawError.append((marker.measuredCorners[c] - truth[i][c]).length)
          filteredError.append((marker.corners[c] - truth[i][c]).length)
        }
      }
    }
    rawError.sort()
    filteredError.sort()
    harness.note("\(frames.count) frames: \(missed) without the marker, \(wrong) wrong identities")
    harness.note(
      "jitter at rest: \(rounded(filtered.deviation)) px, as detected \(rounded(raw.deviation)) px (root mean square)"
    )
    guard !rawError.isEmpty else { return }
    harness.note(
      "corner error in motion: median \(rounded(filteredError[filteredError.count / 2])) px, 95 % "
        + "\(rounded(filteredError[filteredError.count * 95 / 100])); as detected \(rounded(rawError[rawError.count / 2])), "
        + "\(rounded(rawError[rawError.count * 95 / 100]))"
    )
  }
}

/// Root mean square distance of corners from their mean.
private struct Spread {
  private var count = 0.0
  private var sum = Quadrilateral(repeating: .zero)
  private var squares = 0.0

  mutating func add(_ corners: Quadrilateral) {
    count += 1
    for i in 0..<4 {
      sum[i] = sum[i] + corners[i]
      squares += corners[i].dot(corners[i])
    }
  }

  var deviation: Double {
    var means = 0.0
    for i in 0..<4 { means += sum[i].dot(sum[i]) / count }
    return (max(0, squares - means) / (4 * count)).squareRoot()
  }
}

/// A fast generator: a number for each pixel of each frame.
private struct Random {
  var state: UInt64

  mutating func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}
