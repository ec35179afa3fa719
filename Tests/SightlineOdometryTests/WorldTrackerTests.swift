import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// The whole tracker on drawn frames with exact truth.
@Suite struct WorldTrackerTests {
  private struct Row {
    var time: Double
    var estimate: OdometryEstimate
    var truth: Vector3
    /// Which way the lens looks, counter-clockwise about up, radians.
    var yaw: Double
    /// What is seen in the middle of the picture, and how far away it is in truth.
    var hit: SurfaceHit?
    var distance: Double
  }

  /// How a sequence is damaged on its way.
  private struct Damage {
    /// Frames that show nothing but grey.
    var covered = 0..<0
    /// Frames and readings that never come, seconds.
    var away: ClosedRange<Double>?
    /// A square of this side hangs on the northern wall, metres, and what is said of its size, as a multiple.
    var marker: (side: Double, said: Double)?
    /// Whether the focal length is known from before.
    var knowsLens = false
    /// What was learned of the camera another time, and the focal length with it, pixels.
    var learned: (focal: Double, camera: LearnedCamera)?
  }

  private static func configuration(guess: Double = 275) -> OdometryConfiguration {
    DrawnRoom.configuration(focal: guess)
  }

  private static func run(_ motion: DrawnRoom.Motion, seconds: Double, damage: Damage = Damage()) throws -> [Row] {
    let room = DrawnRoom(motion)
    var configuration = configuration()
    if damage.knowsLens { (configuration.focal, configuration.focalDeviation) = (room.focal, 0.01) }
    if let (focal, camera) = damage.learned {
      configuration.focal = focal
      configuration.begin(with: camera)
    }
    let tracker = WorldTracker(configuration)
    var rows: [Row] = []
    var sample = 1
    for frame in 0..<Int(seconds * 30) {
      let time = 0.6 + Double(frame) / 30
      let stamp = time + room.timeOffset
      room.giveReadings(to: tracker, until: stamp, sample: &sample, away: damage.away)
      if let away = damage.away, away.contains(stamp) { continue }
      let pixels =
        damage.covered.contains(frame)
        ? [UInt8](repeating: 20, count: DrawnRoom.width * DrawnRoom.height) : room.picture(at: time)
      let estimate = try pixels.withUnsafeBufferPointer { buffer in
        let view = try GrayView(buffer, width: DrawnRoom.width, height: DrawnRoom.height, stride: DrawnRoom.width)
        return tracker.take(view, stamp: stamp, rectangles: rectangles(in: room, at: time, damage.marker))
      }
      let p = room.lens(time)
      let middle = Vector2(Double(DrawnRoom.width - 1) / 2, Double(DrawnRoom.height - 1) / 2)
      rows.append(
        Row(
          time: time,
          estimate: estimate,
          truth: Vector3(p.x, p.y, p.z),
          yaw: room.yaw(time),
          hit: tracker.hitTest(middle),
          distance: room.distance(at: time)
        )
      )
    }
    return rows
  }

  /// The square on the wall as it is seen, if all of it is in the picture.
  private static func rectangles(
    in room: DrawnRoom,
    at time: Double,
    _ marker: (side: Double, said: Double)?
  ) -> [KnownRectangle] {
    guard let marker else { return [] }
    let (h, middle) = (marker.side / 2, SIMD3(-0.3, 2.5, 1.5))
    var corners: [Vector2] = []
    for (x, z) in [(-h, h), (h, h), (h, -h), (-h, -h)] {
      guard let pixel = room.pixel(of: middle + SIMD3(x, 0, z), at: time),
        (0..<Double(DrawnRoom.width)).contains(pixel.x), (0..<Double(DrawnRoom.height)).contains(pixel.y)
      else { return [] }
      corners.append(Vector2(pixel.x, pixel.y))
    }
    let side = marker.side * marker.said
    let rectangle = KnownRectangle(
      .marker(dictionary: 0, id: 7),
      width: side,
      height: side,
      corners: Quadrilateral(corners[0], corners[1], corners[2], corners[3]),
      by: WorldTracker(configuration()).camera
    )
    return rectangle.map { [$0] } ?? []
  }

  /// Root mean square of what is left between path and truth after a turn about the vertical and a shift.
  private func error(_ rows: ArraySlice<Row>) -> Double {
    let n = Double(rows.count)
    let (a, b) = (
      rows.reduce(Vector3.zero) { $0 + $1.estimate.position } * (1 / n),
      rows.reduce(Vector3.zero) { $0 + $1.truth } * (1 / n)
    )
    var (dot, cross) = (0.0, 0.0)
    for row in rows {
      let (p, q) = (row.estimate.position - a, row.truth - b)
      dot += p.x * q.x + p.y * q.y
      cross += p.x * q.y - p.y * q.x
    }
    let turn = Matrix3(Quaternion(rotationVector: Vector3(0, 0, atan2(cross, dot))))
    let sum = rows.reduce(0.0) { sum, row in
      let d = turn * (row.estimate.position - a) - (row.truth - b)
      return sum + d.dot(d)
    }
    return (sum / n).squareRoot()
  }

  private static let walk = Result { try run(.walk, seconds: 6) }

  @Test func `a walk is followed to some centimetres, metric within two seconds`() throws {
    let rows = try Self.walk.get()
    let first = try #require(rows.firstIndex { $0.estimate.state == .metric })
    #expect(Double(first) / 30 < 2)
    #expect(rows.suffix(from: first).allSatisfy { $0.estimate.state == .metric })
    #expect(error(rows.suffix(from: first)) < 0.03)
    #expect(rows.allSatisfy { $0.estimate.state.rawValue >= OdometryState.uncertainScale.rawValue })
  }

  @Test func `lens and clock are learned`() throws {
    let last = try #require(try Self.walk.get().last).estimate
    let room = DrawnRoom(.walk)
    #expect(abs(last.focal / room.focal - 1) < 0.02)
    #expect(abs(last.timeOffset - room.timeOffset) < 0.003)
    #expect(abs(last.rowTime * Double(DrawnRoom.width - 1) - room.readout) < 0.003)
  }

  @Test func `a camera that was learned another time is known from the first picture that is metric`() throws {
    let room = DrawnRoom(.walk)
    let learned = try #require(
      LearnedCamera(k1: 0.004, k2: -0.003, readout: room.readout + 5e-4, timeOffset: room.timeOffset - 0.001)
    )
    let known = try Self.run(.walk, seconds: 2.5, damage: Damage(learned: (room.focal * 1.003, learned)))
    let first = try #require(known.first { $0.estimate.state == .metric }).estimate
    #expect(abs(first.focal / room.focal - 1) < 0.008)
    #expect(abs(first.timeOffset - room.timeOffset) < 0.002)
    #expect(abs(first.rowTime * Double(DrawnRoom.width - 1) - room.readout) < 0.001)
    let anew = try #require(try Self.walk.get().first { $0.estimate.state == .metric }).estimate
    #expect(abs(anew.focal / room.focal - 1) > 2 * abs(first.focal / room.focal - 1))
  }

  @Test(arguments: [-1.0, 1.0])
  func `a camera that was learned wrong is learned again`(sign: Double) throws {
    let room = DrawnRoom(.walk)
    let learned = try #require(
      LearnedCamera(
        k1: 0.03 * sign,
        k2: 0,
        readout: room.readout + 0.003 * sign,
        timeOffset: room.timeOffset + 0.012 * sign
      )
    )
    let rows = try Self.run(.walk, seconds: 6, damage: Damage(learned: (room.focal * (1 + 0.035 * sign), learned)))
    let last = try #require(rows.last).estimate
    #expect(last.state == .metric)
    #expect(abs(last.focal / room.focal - 1) < 0.02)
    #expect(abs(last.timeOffset - room.timeOffset) < 0.004)
  }

  @Test(arguments: [Double.nan, .infinity, 1e300, -1e300])
  func `what no camera has is not learned`(number: Double) {
    #expect(LearnedCamera(k1: number, k2: 0, readout: 0.02, timeOffset: 0) == nil)
    #expect(LearnedCamera(k1: 0, k2: number, readout: 0.02, timeOffset: 0) == nil)
    #expect(LearnedCamera(k1: 0, k2: 0, readout: number, timeOffset: 0) == nil)
    #expect(LearnedCamera(k1: 0, k2: 0, readout: 0.02, timeOffset: number) == nil)
  }

  @Test func `what is looked at is found as far away as it is`() throws {
    let rows = try Self.walk.get().suffix(60)
    let hits = rows.compactMap { row in row.hit.map { (row, ($0.point - row.estimate.position).length) } }
    #expect(hits.count * 10 > rows.count * 9)
    // At the column's edge, either may be meant.
    let near = hits.filter { abs($0.1 / $0.0.distance - 1) < 0.1 }
    #expect(near.count * 10 > hits.count * 7)
  }

  @Test func `the stated deviation holds the error`() throws {
    let rows = try Self.walk.get()
    let first = try #require(rows.firstIndex { $0.estimate.state == .metric })
    let start = rows[first]
    // The lengths of the ways from the first metric pose: the yaw is the tracker's own.
    let outside = rows.suffix(from: first + 15).filter { row in
      let d = (row.estimate.position - start.estimate.position).length - (row.truth - start.truth).length
      return abs(d) > 3 * row.estimate.positionDeviation + 0.01
    }
    #expect(outside.count * 5 < rows.count)
  }

  @Test func `held still nothing is said to be metric, and nothing drifts away`() throws {
    let rows = try Self.run(.rest, seconds: 4)
    #expect(rows.allSatisfy { $0.estimate.state != .metric })
    let settled = rows.suffix(60)
    let start = try #require(settled.first)
    for row in settled {
      #expect((row.estimate.position - start.estimate.position).length < 0.02)
    }
    // What was set down 1.5 m ahead stays where it is in the picture: the truth moves by a tremor of 2 mm and 0.3°.
    let room = DrawnRoom(.rest)
    let focal = room.focal
    let there = start.estimate.position + start.estimate.worldFromCamera * Vector3(0, 0, 1.5)
    let axes = room.attitude(start.time)
    let (eye, ahead) = (room.lens(start.time), -axes.z * 1.5)
    for row in settled {
      let seen = row.estimate.worldFromCamera.inverse * (there - row.estimate.position)
      let now = room.attitude(row.time)
      let way = eye + ahead - room.lens(row.time)
      let truth = SIMD3((now.x * way).sum(), -(now.y * way).sum(), -(now.z * way).sum())
      let apart = SIMD2(seen.x / seen.z - truth.x / truth.z, seen.y / seen.z - truth.y / truth.z) * focal
      #expect((apart.x * apart.x + apart.y * apart.y).squareRoot() < 1.5)
    }
  }

  @Test func `who turns from the first frame on has turned by what is told, before and after the filter begins`() throws
  {
    let rows = try Self.run(.turn, seconds: 5)
    let first = try #require(rows.first)
    for row in rows {
      let forward = row.estimate.worldFromCamera * Vector3(0, 0, 1)
      let start = first.estimate.worldFromCamera * Vector3(0, 0, 1)
      let told = Angle(radians: atan2(-forward.x, forward.y) - atan2(-start.x, start.y)).wrapped
      let off = Angle(radians: told.radians - (row.yaw - first.yaw)).wrapped
      #expect(abs(off.degrees) < 6, "\(off.degrees)° off at \(row.time) s")
    }
  }

  @Test func `a lens that is covered from the start shows where it points, and no pose`() throws {
    let rows = try Self.run(.turn, seconds: 4, damage: Damage(covered: 0..<200))
    #expect(rows.allSatisfy { $0.estimate.state == .orientation })
    let (first, last) = (try #require(rows.first), try #require(rows.last))
    let (from, to) = (
      first.estimate.worldFromCamera * Vector3(0, 0, 1), last.estimate.worldFromCamera * Vector3(0, 0, 1)
    )
    let told = atan2(-to.x, to.y) - atan2(-from.x, from.y)
    #expect(abs(Angle(radians: told - (last.yaw - first.yaw)).wrapped.degrees) < 3)
  }

  @Test func `a marker of known size makes a pose metric at rest, as surely as the lens is known`() throws {
    let known = try #require(Self.run(.rest, seconds: 3, damage: Damage(marker: (0.3, 1), knowsLens: true)).last)
    #expect(known.estimate.state == .metric)
    #expect(known.estimate.scaleDeviation < 0.03)
    // A distance by size is as wrong as the focal length.
    let guessed = try #require(Self.run(.rest, seconds: 3, damage: Damage(marker: (0.3, 1))).last)
    #expect((0.04...0.08).contains(guessed.estimate.scaleDeviation))
  }

  @Test func `a marker of known size sets the scale`() throws {
    let told = try Self.run(.walk, seconds: 5, damage: Damage(marker: (0.3, 1)))
    let alone = try Self.run(.walk, seconds: 5)
    let (a, b) = (try #require(told.last), try #require(alone.last))
    #expect(a.estimate.scaleDeviation < 0.8 * b.estimate.scaleDeviation)
    let first = try #require(told.firstIndex { $0.estimate.state == .metric })
    #expect(error(told.suffix(from: first)) < 0.02)
  }

  @Test func `a marker that is not as large as it is said to be does not carry the pose away`() throws {
    let rows = try Self.run(.walk, seconds: 5, damage: Damage(marker: (0.3, 3)))
    let first = try #require(rows.firstIndex { $0.estimate.state == .metric })
    #expect(error(rows.suffix(from: first + 30)) < 0.1)
  }

  @Test func `rectangles that nobody can have seen change nothing`() throws {
    let bad = [Double.nan, .infinity, 0, -1, 1e-300, 1e300]
    let square = Quadrilateral(Vector2(10, 10), Vector2(90, 10), Vector2(90, 90), Vector2(10, 90))
    for value in bad {
      let ahead = PlanarPose(
        cameraFromPlane: Quaternion(w: 0, x: 1, y: 0, z: 0),
        translation: Vector3(0, 0, 1),
        reprojectionError: 0
      )
      var rectangle = KnownRectangle(.picture(1), width: 0.2, height: 0.2, corners: square, pose: ahead)
      #expect(rectangle.isUsable)
      rectangle.pose.translation.x = value
      #expect(!rectangle.isUsable || (value.isFinite && abs(value) < 100))
      rectangle.pose = ahead
      rectangle.width = value
      #expect(!rectangle.isUsable)
      let corners = Quadrilateral(Vector2(value, value), Vector2(90, 10), Vector2(90, 90), Vector2(10, 90))
      let camera = WorldTracker(Self.configuration()).camera
      let seen = KnownRectangle(.picture(1), width: 0.2, height: 0.2, corners: corners, by: camera)
      if let seen { #expect(seen.pose.translation.length.isFinite) }
    }
  }

  @Test func `a covered lens is bridged by the motion sensors`() throws {
    let rows = try Self.run(.walk, seconds: 5, damage: Damage(covered: 90..<99))
    let first = try #require(rows.firstIndex { $0.estimate.state == .metric })
    #expect(error(rows.suffix(from: first)) < 0.08)
  }

  @Test func `after a pause it begins again where it was`() throws {
    let rows = try Self.run(.walk, seconds: 6, damage: Damage(away: 2.5...4.1))
    #expect(rows.allSatisfy { $0.estimate.position.length.isFinite && $0.estimate.positionDeviation.isFinite })
    let before = try #require(rows.last { $0.time < 2.4 })
    let after = try #require(rows.first { $0.time > 4.1 })
    #expect(before.estimate.state == .metric)
    #expect(after.estimate.state == .uncertainScale)
    #expect((after.estimate.position - before.estimate.position).length < 0.3)
    #expect(rows.last?.estimate.state == .metric)
  }

  @Test func `frames of another size, stamps that run back and no readings are survived`() throws {
    let tracker = WorldTracker(Self.configuration())
    let pixels = [UInt8](repeating: 60, count: DrawnRoom.width * DrawnRoom.height)
    try pixels.withUnsafeBufferPointer { buffer in
      let view = try GrayView(buffer, width: DrawnRoom.width, height: DrawnRoom.height, stride: DrawnRoom.width)
      #expect(tracker.take(view, stamp: 1).state == .none)
      #expect(tracker.take(view, stamp: 0.5).state == .none)
      #expect(tracker.take(view, stamp: .nan).state == .none)
      #expect(tracker.take(view, stamp: 1e300).state == .none)
      let other = try GrayView(buffer, width: 100, height: 100, stride: 100)
      #expect(tracker.take(other, stamp: 2).state == .none)
      tracker.take(InertialReading(time: .infinity, angularRate: .zero, specificForce: .zero))
      tracker.take(InertialReading(time: 3, angularRate: Vector3(.nan, 0, 0), specificForce: .zero))
      #expect(tracker.take(view, stamp: 4).state == .none)
    }
  }
}
