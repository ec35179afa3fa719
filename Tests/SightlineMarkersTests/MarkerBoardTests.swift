import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineMarkers

private let camera = Intrinsics(width: 640, height: 480, focalX: 600, focalY: 600, centerX: 319.5, centerY: 239.5)
private let lens = LensDistortion(k1: -0.1, k2: 0.02)

/// What a detector would give for a board at a pose, with noise.
private func detections(
  _ board: MarkerBoard,
  _ rotation: Quaternion,
  _ translation: Vector3,
  noise: Double,
  _ random: inout SplitMix64
) throws -> [DetectedMarker] {
  var result: [DetectedMarker] = []
  for placed in board.markers {
    var corners = Quadrilateral(repeating: .zero)
    for i in 0..<4 {
      let pixel = try #require(camera.pixel(ofPointInCamera: rotation * placed.corners[i] + translation, through: lens))
      corners[i] =
        pixel
        + Vector2(Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random)) * (noise * 1.73)
    }
    // A marker whose back is turned is not seen.
    let area =
      (corners[2] - corners[0]).x * (corners[3] - corners[1]).y - (corners[2] - corners[0]).y
      * (corners[3] - corners[1]).x
    guard area > 0 else { continue }
    result.append(
      DetectedMarker(dictionary: placed.dictionary, id: placed.id, corners: corners, wrongCells: 0, confidence: 1)
    )
  }
  return result
}

@Suite struct MarkerBoardTests {
  private let board = MarkerBoard(dictionary: .grid6x6Of250, columns: 4, rows: 3, side: 0.03, gap: 0.01)

  private func pose(_ random: inout SplitMix64) -> (Quaternion, Vector3) {
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    let tilt =
      Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: number(-35...35)))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: number(-35...35)))
    return (
      tilt * Quaternion(w: 0, x: 1, y: 0, z: 0), Vector3(number(-0.05...0.05), number(-0.05...0.05), number(0.3...0.9))
    )
  }

  @Test func `exact corners give the exact pose, whichever markers are seen`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<30 {
      let (rotation, translation) = pose(&random)
      var seen = try detections(board, rotation, translation, noise: 0, &random)
      seen.shuffle(using: &random)
      seen.removeLast(Int.random(in: 0..<seen.count, using: &random))
      let found = try #require(board.pose(of: seen, intrinsics: camera, distortion: lens))
      #expect(found.seen == seen.count && found.fitting == seen.count)
      #expect(found.cameraFromBoard.cameraFromPlane.angle(to: rotation).degrees < 1e-4)
      #expect((found.cameraFromBoard.translation - translation).length < 1e-6)
    }
  }

  @Test func `a board is surer than its markers`() throws {
    var random = SplitMix64(seed: 2)
    var (one, all) = (0.0, 0.0)
    for _ in 0..<30 {
      let (rotation, translation) = pose(&random)
      let seen = try detections(board, rotation, translation, noise: 0.2, &random)
      let found = try #require(board.pose(of: seen, intrinsics: camera, distortion: lens))
      let single = try #require(board.pose(of: [seen[5]], intrinsics: camera, distortion: lens))
      all += found.cameraFromBoard.cameraFromPlane.angle(to: rotation).degrees
      one += single.cameraFromBoard.cameraFromPlane.angle(to: rotation).degrees
      #expect(found.cameraFromBoard.cameraFromPlane.angle(to: rotation).degrees < 2)
    }
    #expect(all * 4 < one, "\(all / 30) against \(one / 30) degrees")
  }

  @Test func `moved and misread markers are outvoted`() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20 {
      let (rotation, translation) = pose(&random)
      var seen = try detections(board, rotation, translation, noise: 0.1, &random)
      // Three of twelve lie elsewhere, two have each other's number, one is of nothing.
      for index in 0..<3 {
        for i in 0..<4 { seen[index].corners[i] = seen[index].corners[i] + Vector2(40, -25) }
      }
      (seen[5].id, seen[6].id) = (seen[6].id, seen[5].id)
      seen.append(seen[0])
      seen[seen.count - 1].id = 200
      let found = try #require(board.pose(of: seen, intrinsics: camera, distortion: lens))
      #expect(found.seen == 12 && found.fitting == 7, "\(found.fitting)")
      #expect(found.cameraFromBoard.cameraFromPlane.angle(to: rotation).degrees < 1.5)
      #expect((found.cameraFromBoard.translation - translation).length < 0.01 * translation.length)
    }
  }

  @Test func `markers around a box make one thing`() throws {
    var random = SplitMix64(seed: 4)
    let up = Vector3(0, 1, 0)
    let box = MarkerBoard(
      markers: (0..<4).map { side in
        let turn = Quaternion(axis: up, angle: Angle(degrees: 90 * Double(side)))
        return PlacedMarker(
          dictionary: .apriltag36h11,
          id: side,
          center: turn * Vector3(0, 0, 0.05),
          side: 0.08,
          boardFromMarker: turn
        )
      }
    )
    for degrees in stride(from: 20.0, to: 380, by: 45) {
      let rotation =
        Quaternion(w: 0, x: 1, y: 0, z: 0) * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 20))
        * Quaternion(axis: up, angle: Angle(degrees: degrees))
      let seen = try detections(box, rotation, Vector3(0, 0, 0.6), noise: 0.1, &random)
      #expect(seen.count >= 1 && seen.count <= 3)
      let found = try #require(box.pose(of: seen, intrinsics: camera, distortion: lens))
      #expect(found.cameraFromBoard.cameraFromPlane.angle(to: rotation).degrees < 2, "\(degrees): \(seen.count) seen")
    }
  }

  @Test func `nothing of the board in the picture is no pose`() throws {
    var random = SplitMix64(seed: 5)
    let (rotation, translation) = pose(&random)
    var seen = try detections(board, rotation, translation, noise: 0, &random)
    for index in seen.indices { seen[index].dictionary = .apriltag36h11 }
    #expect(board.pose(of: seen, intrinsics: camera) == nil)
    #expect(board.pose(of: [], intrinsics: camera) == nil)
  }
}

@Suite struct CalibrationBoardTests {
  private let board = CalibrationBoard(dictionary: .grid5x5Of100, columns: 5, rows: 4, square: 0.03, side: 0.022)

  /// The board as a camera sees it, each pixel the mean of 4 × 4 points.
  private func draw(_ rotation: Quaternion, _ translation: Vector3) throws -> GrayImage {
    let (width, height) = (320, 240)
    let lens = Intrinsics(width: 320, height: 240, focalX: 300, focalY: 300, centerX: 159.5, centerY: 119.5)
    let columns = Matrix3(rotation).transposed
    let boardFromRay = try #require(
      Homography(Matrix3(rows: columns.row0, columns.row1, translation).transposed).inverse
    )
    var image = GrayImage(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for s in 0..<16 {
          let pixel = Vector2(Double(x) + (Double(s % 4) - 1.5) / 4, Double(y) + (Double(s / 4) - 1.5) / 4)
          let ray = boardFromRay.matrix * Vector3((pixel.x - lens.centerX) / 300, (pixel.y - lens.centerY) / 300, 1)
          sum += isInk(Vector2(ray.x / ray.z, ray.y / ray.z)) ? 40 : 210
        }
        image[x, y] = UInt8((sum / 16).rounded())
      }
    }
    return image
  }

  private func isInk(_ p: Vector2) -> Bool {
    let (u, v) = (p.x / 0.03 + 2.5, 2 - p.y / 0.03)
    guard u > 0, v > 0, u < 5, v < 4 else { return false }
    let (column, row) = (Int(u), Int(v))
    if (row + column).isMultiple(of: 2) { return true }
    // Odd squares are counted row by row.
    let id = (row * 5 + column) / 2
    let (a, b) = ((u - Double(column) - 0.5) * 0.03 / 0.022 + 0.5, (v - Double(row) - 0.5) * 0.03 / 0.022 + 0.5)
    guard a > 0, b > 0, a < 1, b < 1 else { return false }
    let (cellColumn, cellRow) = (Int(a * 7) - 1, Int(b * 7) - 1)
    guard (0..<5).contains(cellColumn), (0..<5).contains(cellRow) else { return true }
    return MarkerFamily.grid5x5.code(id: id) >> UInt64(24 - cellRow * 5 - cellColumn) & 1 == 0
  }

  @Test func `its corners are found to a twentieth of a pixel`() throws {
    let lens = Intrinsics(width: 320, height: 240, focalX: 300, focalY: 300, centerX: 159.5, centerY: 119.5)
    for (x, y) in [(0.0, 0.0), (25, 10), (-20, 30)] {
      // Turned a little in the picture, so that no edge runs along the points that are drawn.
      let tilt =
        Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: x))
        * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: y))
      let turn = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 7))
      let rotation = turn * tilt * Quaternion(w: 0, x: 1, y: 0, z: 0)
      let translation = Vector3(0.002, -0.003, 0.2)
      let image = try draw(rotation, translation)
      let found = markers(in: image, [.grid5x5Of100])
      #expect(found.count >= 8)
      let view = image.withView { board.view(of: $0, markers: found) }
      #expect(view.points.count == 12, "\(view.points.count) corners at \(x), \(y)")
      var sum = 0.0
      for (point, pixel) in zip(view.points, view.pixels) {
        let truth = try #require(lens.pixel(ofPointInCamera: rotation * Vector3(point.x, point.y, 0) + translation))
        sum += (pixel - truth).dot(pixel - truth)
      }
      let error = (sum / Double(max(1, view.points.count))).squareRoot()
      #expect(error < 0.05, "\(error) px at \(x), \(y)")
    }
  }

  @Test func `the print's order is the board's`() {
    // Ids row by row over the squares that are not black, the first at the second square.
    let placed = board.markerBoard.markers
    #expect(placed.count == 10 && board.cornerCount == 12)
    #expect(abs(placed[0].center.x - -0.03) < 1e-12 && abs(placed[0].center.y - 0.045) < 1e-12)
    #expect(abs(placed[2].center.x - -0.06) < 1e-12 && abs(placed[2].center.y - 0.015) < 1e-12)
    #expect(board.corner(0) == Vector2(-0.045, 0.03))
  }
}

@Suite struct SaddleTests {
  private func pattern(_ center: Vector2, _ degrees: Double, contrast: Double = 150) -> GrayImage {
    var image = GrayImage(width: 40, height: 40)
    let (c, s) = (cos(Angle(degrees: degrees).radians), sin(Angle(degrees: degrees).radians))
    for y in 0..<40 {
      for x in 0..<40 {
        var dark = 0.0
        for i in 0..<64 {
          let p = Vector2(Double(x) + (Double(i % 8) - 3.5) / 8, Double(y) + (Double(i / 8) - 3.5) / 8) - center
          let q = p.rotated(cosine: c, sine: s)
          if (q.x > 0) == (q.y > 0) { dark += 1 }
        }
        image[x, y] = UInt8((200 - contrast * dark / 64).rounded())
      }
    }
    return image
  }

  @Test func `a saddle is found where it is, however it is turned`() throws {
    // The pattern is drawn by eighths of a pixel: at places of that grid its straight edges are exact.
    for degrees in [0.0, 15, 35, 80] {
      for center in [Vector2(20, 20), Vector2(19.25, 20.875), Vector2(20.5, 19.5)] {
        let found = pattern(center, degrees).withView { $0.saddle(near: Vector2(21, 19), radius: 6) }
        let point = try #require(found)
        #expect((point - center).length < 0.03, "\((point - center).length) at \(degrees)")
      }
    }
  }

  @Test func `what is no saddle is none`() {
    let faint = pattern(Vector2(20, 20), 10, contrast: 8)
    #expect(faint.withView { $0.saddle(near: Vector2(20, 20), radius: 6) } == nil)
    var flat = GrayImage(width: 40, height: 40, level: 90)
    #expect(flat.withView { $0.saddle(near: Vector2(20, 20), radius: 6) } == nil)
    // A corner of one square, and a straight edge.
    for y in 0..<20 { for x in 0..<20 { flat[x, y] = 200 } }
    #expect(flat.withView { $0.saddle(near: Vector2(20, 20), radius: 6) } == nil)
    for y in 20..<40 { for x in 0..<20 { flat[x, y] = 200 } }
    #expect(flat.withView { $0.saddle(near: Vector2(20, 20), radius: 6) } == nil)
    // At the border, outside, and nowhere.
    let good = pattern(Vector2(20, 20), 10)
    for start in [Vector2(2, 2), Vector2(-5, 3), Vector2(.nan, 1), Vector2(1e9, 1e9)] {
      #expect(good.withView { $0.saddle(near: start, radius: 6) } == nil)
    }
  }
}
