import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineMarkers

/// A small camera, so that drawing takes little time.
private let camera = Intrinsics(width: 200, height: 150, focalX: 220, focalY: 220, centerX: 99.5, centerY: 74.5)

/// The corners of a marker of 5 cm at a pose.
private func corners(
  _ cameraFromMarker: Quaternion,
  _ translation: Vector3,
  side: Double = 0.05
) throws -> Quadrilateral {
  var result = Quadrilateral(repeating: .zero)
  let half = side / 2
  for (i, p) in [Vector3(-half, half, 0), Vector3(half, half, 0), Vector3(half, -half, 0), Vector3(-half, -half, 0)]
    .enumerated()
  {
    result[i] = try #require(camera.pixel(ofPointInCamera: cameraFromMarker * p + translation))
  }
  return result
}

/// Upright and facing the camera, then turned about the marker's vertical axis.
private func facing(_ degrees: Double) -> Quaternion {
  Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 180))
    * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: degrees))
}

/// Draws only around the marker: most of a frame is paper.
private func draw(_ corners: Quadrilateral, id: Int = 7, noise: Double = 2, seed: UInt64) -> GrayImage {
  var random = SplitMix64(seed: seed)
  var (low, high) = (corners[0], corners[0])
  for i in 1..<4 {
    low = Vector2(min(low.x, corners[i].x), min(low.y, corners[i].y))
    high = Vector2(max(high.x, corners[i].x), max(high.y, corners[i].y))
  }
  let part = GrayPart(
    x: Int(low.x) - 12,
    y: Int(low.y) - 12,
    width: Int(high.x - low.x) + 25,
    height: Int(high.y - low.y) + 25
  )
  var image = GrayImage(width: 200, height: 150, level: 200)
  let map = Homography(unitSquareTo: corners)?.inverse
  let code = MarkerFamily.grid6x6.code(id: id)
  for y in max(0, part.y)..<min(150, part.y + part.height) {
    for x in max(0, part.x)..<min(200, part.x + part.width) {
      var dark = 0.0
      for sample in 0..<16 {
        let p = Vector2(Double(x) + (Double(sample % 4) - 1.5) / 4, Double(y) + (Double(sample / 4) - 1.5) / 4)
        guard let u = map?(p), u.x > 0, u.y > 0, u.x < 1, u.y < 1 else { continue }
        let (column, row) = (Int(u.x * 8) - 1, Int(u.y * 8) - 1)
        let isInside = (0..<6).contains(column) && (0..<6).contains(row)
        if !isInside || (code >> UInt64(35 - row * 6 - column)) & 1 == 0 { dark += 1 }
      }
      let error = (Double.random(in: -1...1, using: &random) + Double.random(in: -1...1, using: &random)) * noise * 0.6
      image[x, y] = UInt8(max(0, min(255, (200 - 10 * dark + error).rounded())))
    }
  }
  return image
}

private struct GrayPart {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

private func empty(seed: UInt64) -> GrayImage {
  GrayImage(width: 200, height: 150, level: 200)
}

@Suite struct MarkerTrackerTests {
  private func tracker(_ change: (inout MarkerTracker.Parameters) -> Void = { _ in }) -> MarkerTracker {
    var parameters = MarkerTracker.Parameters()
    change(&parameters)
    return MarkerTracker(dictionaries: [.grid6x6Of250], side: 0.05, intrinsics: camera, parameters: parameters)
  }

  @Test func `found with the second frame, lost after the stated time, and the same track when it returns before`()
    throws
  {
    var tracker = tracker()
    let place = try corners(facing(20), Vector3(0, 0, 0.25))
    var log: [(frame: Int, event: MarkerTrackingEvent)] = []
    // At 20 frames a second: seen in 0…4, covered in 5…7 (0.15 s), seen in 8…10, gone afterwards.
    for frame in 0..<20 {
      let isThere = frame < 5 || (8...10).contains(frame)
      let image = isThere ? draw(place, seed: UInt64(frame)) : empty(seed: UInt64(frame))
      image.withView { tracker.track($0, time: Double(frame) / 20) }
      for event in tracker.events { log.append((frame, event)) }
      if isThere { #expect(tracker.markers.first?.isSeen == true, "frame \(frame)") }
    }
    #expect(log.count == 2)
    #expect(log.first?.frame == 1 && log.first?.event == .found(track: 0))
    // Seen last in frame 10; a quarter of a second later is frame 15.
    #expect(log.last?.frame == 15 && log.last?.event == .lost(track: 0, dictionary: .grid6x6Of250, id: 7))
    #expect(tracker.markers.isEmpty)
  }

  @Test func `frames of another size are begun with anew`() throws {
    var tracker = tracker()
    let place = try corners(facing(20), Vector3(0, 0, 0.25))
    let image = draw(place, seed: 1)
    for frame in 0..<2 { image.withView { tracker.track($0, time: Double(frame) / 20) } }
    #expect(tracker.events == [.found(track: 0)])
    let wider = GrayImage(width: 240, height: 150, level: 200)
    wider.withView { tracker.track($0, time: 0.1) }
    #expect(tracker.events == [.lost(track: 0, dictionary: .grid6x6Of250, id: 7)])
    #expect(tracker.markers.isEmpty)
  }

  @Test func `the lens may change, and its absence leaves no pose of before`() throws {
    var tracker = tracker()
    let place = try corners(facing(20), Vector3(0, 0, 0.25))
    let image = draw(place, seed: 1)
    func distance(_ time: Double) -> Double? {
      image.withView { tracker.track($0, time: time) }
      return tracker.markers.first?.poses?.best.translation.z
    }
    let first = try #require(distance(0))
    tracker.intrinsics?.focalX *= 2
    tracker.intrinsics?.focalY *= 2
    let longer = try #require(distance(0.05))
    #expect(abs(longer / first - 2) < 0.05)
    tracker.intrinsics = nil
    #expect(distance(0.1) == nil)
    #expect(tracker.markers.first?.track == 0 && tracker.markers.first?.sightings == 3)
  }

  @Test func `at rest the corners keep still and stay right`() throws {
    var tracker = tracker()
    let place = try corners(facing(25), Vector3(0.01, -0.01, 0.22))
    var (raw, filtered) = ([Vector2](), [Vector2]())
    for frame in 0..<60 {
      draw(place, noise: 4, seed: UInt64(frame) + 100).withView { tracker.track($0, time: Double(frame) / 30) }
      let marker = try #require(tracker.markers.first)
      guard frame >= 20 else { continue }
      raw.append(marker.measuredCorners[0])
      filtered.append(marker.corners[0])
    }
    func spread(_ points: [Vector2]) -> Double {
      let mean = points.reduce(.zero, +) * (1 / Double(points.count))
      return (points.reduce(0) { $0 + ($1 - mean).dot($1 - mean) } / Double(points.count)).squareRoot()
    }
    #expect(spread(filtered) < 0.6 * spread(raw), "\(spread(filtered)) of \(spread(raw)) px")
    #expect(spread(filtered) < 0.05)
    // The mean of all that was measured is where it has to be.
    let mean = raw.reduce(.zero, +) * (1 / Double(raw.count))
    let last = try #require(filtered.last)
    #expect((last - mean).length < 0.05, "\((last - mean).length) px off")
  }

  @Test func `motion is followed without lag, identity and track kept`() throws {
    var tracker = tracker()
    var worst = 0.0
    for frame in 0..<50 {
      // Still, then fast (up to 12 px a frame) and turning, then still elsewhere.
      let t = max(0, min(1, (Double(frame) - 10) / 25))
      let way = t * t * (3 - 2 * t)
      let place = try corners(facing(10 + 30 * way), Vector3(-0.06 + 0.13 * way, 0.02 * way, 0.24))
      draw(place, noise: 1, seed: UInt64(frame)).withView { tracker.track($0, time: Double(frame) / 30) }
      #expect(tracker.markers.count == 1 && tracker.markers.first?.track == 0 && tracker.markers.first?.id == 7)
      let marker = try #require(tracker.markers.first)
      #expect(marker.isSeen, "frame \(frame)")
      for i in 0..<4 { worst = max(worst, (marker.corners[i] - place[i]).length) }
    }
    #expect(worst < 0.35, "\(worst) px")
  }

  @Test func `two markers of one id do not change places`() throws {
    var tracker = tracker()
    var leftTrack = -1
    for frame in 0..<30 {
      let shift = Double(frame) * 2
      let left = square(Vector2(40, 40 + shift), side: 40, degrees: 0)
      let right = square(Vector2(150, 100 - shift), side: 40, degrees: 30)
      var image = draw(left, seed: UInt64(frame))
      let other = draw(right, seed: UInt64(frame) + 1000)
      for y in 0..<150 {
        for x in 95..<200 { image[x, y] = other[x, y] }
      }
      image.withView { tracker.track($0, time: Double(frame) / 30) }
      #expect(tracker.markers.map(\.track).sorted() == [0, 1], "frame \(frame)")
      for marker in tracker.markers {
        let center = (marker.corners[0] + marker.corners[2]) * 0.5
        let isLeft = center.x < 95
        if frame == 0 { leftTrack = isLeft ? marker.track : leftTrack }
        #expect((marker.track == leftTrack) == isLeft, "frame \(frame)")
        #expect(abs(center.y - (isLeft ? 40 + shift : 100 - shift)) < 4)
      }
    }
  }

  @Test func `a part of the frame is searched, the whole one now and then`() throws {
    var tracker = tracker { $0.wholeFrameInterval = 10 }
    let place = square(Vector2(60, 60), side: 40, degrees: 10)
    var whole: [Int] = []
    for frame in 0..<30 {
      draw(place, seed: UInt64(frame)).withView { tracker.track($0, time: Double(frame) / 30) }
      if tracker.hasSearchedWholeFrame { whole.append(frame) }
    }
    #expect(whole == [0, 10, 20])
    // With nothing to follow, every frame is searched.
    empty(seed: 1).withView { tracker.track($0, time: 5) }
    empty(seed: 1).withView { tracker.track($0, time: 5.1) }
    #expect(tracker.markers.isEmpty && tracker.hasSearchedWholeFrame)
  }

  @Test func `what is followed is measured like what is found`() throws {
    var tracker = tracker { $0.wholeFrameInterval = 100 }
    var detector = MarkerDetector(dictionaries: [.grid6x6Of250])
    var found: [DetectedMarker] = []
    var worst = 0.0
    for frame in 0..<16 {
      // Faster and faster, up to 8 px a frame, and turning.
      let t = Double(frame) / 15
      let place = try corners(facing(40 * t), Vector3(-0.04 + 0.05 * t * t, 0.01 * t, 0.24))
      let image = draw(place, seed: UInt64(frame) + 50)
      image.withView { tracker.track($0, time: Double(frame) / 30) }
      image.withView { detector.detect(in: $0, into: &found) }
      let marker = try #require(tracker.markers.first)
      #expect(tracker.markers.count == 1 && marker.isSeen && found.count == 1)
      #expect(abs(marker.confidence - (found.first?.confidence ?? 0)) < 0.05)
      for i in 0..<4 { worst = max(worst, (marker.measuredCorners[i] - found[0].corners[i]).length) }
    }
    #expect(worst < 0.03, "\(worst) px")
  }

  @Test func `another marker in the same place is another marker`() throws {
    var tracker = tracker { $0.wholeFrameInterval = 100 }
    let place = try corners(facing(15), Vector3(0, 0, 0.24))
    for frame in 0..<20 {
      let id = frame < 6 ? 7 : 8
      draw(place, id: id, seed: UInt64(frame)).withView { tracker.track($0, time: Double(frame) / 30) }
      #expect(tracker.markers.filter(\.isSeen).map(\.id) == [id], "frame \(frame)")
    }
    #expect(tracker.markers.map(\.id) == [8])
  }

  @Test func `where one of two of an id was, the other is not seen twice`() throws {
    var tracker = tracker { $0.wholeFrameInterval = 100 }
    for frame in 0..<18 {
      // The left one is gone from frame 6 on, while the right one goes to where it was.
      let right = square(Vector2(150 - 5 * Double(frame), 75), side: 40, degrees: 12)
      var image = draw(right, seed: UInt64(frame))
      if frame < 6 {
        let left = draw(square(Vector2(50, 75), side: 40, degrees: 0), seed: UInt64(frame) + 1000)
        for y in 0..<150 { for x in 0..<88 { image[x, y] = left[x, y] } }
      }
      image.withView { tracker.track($0, time: Double(frame) / 30) }
      let seen = tracker.markers.filter(\.isSeen)
      #expect(seen.count == (frame < 6 ? 2 : 1), "frame \(frame)")
      guard frame >= 6, let marker = seen.first else { continue }
      #expect((marker.corners[0] - right[0]).length < 1, "frame \(frame)")
    }
  }

  @Test func `the camera's turning moves the place where a marker is looked for`() throws {
    // The camera turns so fast that the marker jumps by more than its size between two frames.
    func frames(withGyroscope: Bool) throws -> Int {
      var tracker = tracker()
      var seen = 0
      for frame in 0..<5 {
        let worldFromCamera = Quaternion(
          axis: Vector3(0, 1, 0),
          angle: Angle(degrees: frame < 3 ? 0 : -28 * Double(frame - 2))
        )
        let inCamera = worldFromCamera.inverse * Vector3(-0.1, 0, 0.3)
        let place = try corners(worldFromCamera.inverse * facing(10), inCamera, side: 0.03)
        // Only as far as it stays in the frame.
        guard place[0].x > 5, place[1].x < 195 else { continue }
        draw(place, noise: 1, seed: UInt64(frame)).withView {
          tracker.track($0, time: Double(frame) / 30, worldFromCamera: withGyroscope ? worldFromCamera : nil)
        }
        if tracker.markers.contains(where: \.isSeen) && !tracker.hasSearchedWholeFrame { seen += 1 }
      }
      return seen
    }
    let (with, without) = (try frames(withGyroscope: true), try frames(withGyroscope: false))
    #expect(with > without, "\(with) and \(without)")
  }

  @Test func `a part outside the frame, and odd times, do no harm`() throws {
    var tracker = tracker()
    let place = try corners(facing(0), Vector3(0, 0, 0.25))
    draw(place, seed: 1).withView { tracker.track($0, time: 0) }
    // Smaller frames than before: the expected place lies outside.
    GrayImage(width: 20, height: 9, level: 100).withView { tracker.track($0, time: 0.03) }
    GrayImage(width: 1, height: 1).withView { tracker.track($0, time: 0.02) }
    draw(place, seed: 2).withView { tracker.track($0, time: 0.05) }
    tracker.reset()
    #expect(tracker.markers.isEmpty)
  }
}

@Suite struct PoseChoiceTests {
  /// A frame's poses of a distant marker with noisy corners.
  private func poses(
    _ rotation: Quaternion,
    _ distance: Double,
    _ noise: Double,
    _ random: inout SplitMix64
  ) throws -> SquarePoses {
    var seen = try corners(rotation, Vector3(0, 0, distance))
    for i in 0..<4 {
      func error() -> Double { (0..<3).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * noise }
      seen[i] = seen[i] + Vector2(error(), error())
    }
    return try #require(SquarePoses(corners: seen, side: 0.05, intrinsics: camera))
  }

  @Test func `frame by frame the mirrored pose wins at times, over time it does not`() throws {
    var random = SplitMix64(seed: 5)
    let truth = facing(25)
    var (alone, together) = (0, 0)
    for _ in 0..<8 {
      var choice = PoseAmbiguityResolver()
      for frame in 0..<60 {
        let poses = try poses(truth, 0.7, 0.15, &random)
        let believed = choice.take(poses, noise: 0.15, currentFromPrevious: nil)
        guard frame >= 20 else { continue }
        if poses.best.cameraFromPlane.angle(to: truth).degrees > 15 { alone += 1 }
        if believed.best.cameraFromPlane.angle(to: truth).degrees > 15 { together += 1 }
      }
    }
    #expect(alone > 8)
    #expect(together * 4 < alone, "\(together) against \(alone) of 320")
  }

  @Test func `the gyroscope tells the mirrored pose when the picture cannot`() throws {
    var random = SplitMix64(seed: 9)
    var (right, wrong) = (0, 0)
    for start in 0..<8 {
      var choice = PoseAmbiguityResolver()
      for frame in 0..<40 {
        // The camera goes around the marker: in the camera's frame the marker turns as the gyroscope says.
        let turn = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: Double(frame)))
        let step = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 1))
        let truth = turn * facing(-45)
        var poses = try poses(truth, 0.7, 0.05, &random)
        if frame == 0 && start.isMultiple(of: 2), let alternative = poses.alternative {
          (poses.best, poses.alternative) = (alternative, poses.best)
        }
        // Errors are made equal, so that only the motion can tell.
        poses.best.reprojectionError = 0.1
        poses.alternative?.reprojectionError = 0.1
        let believed = choice.take(poses, noise: 0.05, currentFromPrevious: frame == 0 ? nil : step)
        if frame == 30 {
          if believed.best.cameraFromPlane.angle(to: truth).degrees < 10 { right += 1 } else { wrong += 1 }
        }
      }
    }
    #expect(wrong <= 1, "\(right) right, \(wrong) wrong")
  }

  @Test func `after a leap the right pose is given with the first frame`() throws {
    // The mirror of the new pose looks much like the old one; near enough, one picture tells them apart.
    for (from, to) in [(35.0, -35.0), (-40, 30), (0, 40)] {
      var tracker = MarkerTracker(dictionaries: [.grid6x6Of250], side: 0.05, intrinsics: camera)
      for frame in 0..<24 {
        let truth = facing(frame < 12 ? from : to)
        // Half a side aside, so that it stays the same track.
        let place = try corners(truth, Vector3(frame < 12 ? -0.012 : 0.012, 0, 0.16))
        draw(place, seed: UInt64(frame) + 300).withView { tracker.track($0, time: Double(frame) / 20) }
        guard let marker = tracker.markers.first, marker.isSeen else { continue }
        #expect(tracker.markers.count == 1)
        let error = try #require(marker.poses?.best.cameraFromPlane).angle(to: truth).degrees
        #expect(error < 8, "frame \(frame) from \(from)° to \(to)°: \(error)° off")
      }
      #expect(tracker.markers.first?.isSeen == true)
    }
  }
}
