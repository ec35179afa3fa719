import Foundation
import Sightline
import SightlineTestSupport
import Testing

@testable import PhoneExample

/// The example for phones: what it does without Apple's frameworks, and whether the rest fits them.
struct PhoneTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  private static let fix = LocationFix(
    latitudeDegrees: 48.4,
    longitudeDegrees: 10,
    altitude: 480,
    altitudeDatum: .seaLevel,
    horizontalAccuracy: 5,
    verticalAccuracy: 5
  )

  /// A phone held upright whose camera looks so far to the right of north, as Core Motion tells it: x north, y west, z up.
  private func reading(_ degrees: Double, at time: Double) -> MotionReading {
    // The screen's right, top and front in north, west, up.
    let (s, c) = (Foundation.sin(degrees * .pi / 180), Foundation.cos(degrees * .pi / 180))
    let right = Vector3(-s, -c, 0)
    let up = Vector3(0, 0, 1)
    let front = Vector3(-c, s, 0)
    let attitude = Quaternion(Matrix3(rows: right, up, front).transposed)
    return MotionReading(
      time: time,
      attitude: attitude,
      isTrueNorth: true,
      rotationRate: .zero,
      gravity: Vector3(0, -1, 0),
      userAcceleration: .zero,
      magneticField: nil
    )
  }

  private func frame(_ degrees: Double) -> PhoneFrame {
    var phone = PhoneSession()
    phone.setView(width: 390, height: 844, at: 0)
    phone.take(Self.fix, at: 0)
    for k in 0...60 { phone.take(reading(degrees, at: Double(k) / 60)) }
    return phone.frame(at: 1)
  }

  @Test(arguments: [(0.0, "North"), (90, "East"), (180, "South"), (270, "West")])
  func `who looks that way sees that place in the middle`(degrees: Double, name: String) throws {
    let frame = frame(degrees)
    #expect(frame.missing == nil)
    let label = try #require(frame.labels.first { $0.text == "\(name)\n80 m" }, "\(frame.labels)")
    #expect(abs(label.x - 195) < 20 && abs(label.y - 422) < 80 && abs(label.turn) < 0.02, "\(label)")
    #expect(frame.labels.count == 1)
  }

  @Test func `turning to the right moves a place to the left, by the lens`() throws {
    let (straight, turned) = (try #require(frame(0).labels.first), try #require(frame(10).labels.first))
    // The lens of the engine's default sees 65° along the longer side, or near it.
    #expect((60...190).contains(straight.x - turned.x), "\(straight.x) to \(turned.x)")
  }

  @Test func `accelerations point up at rest, and are not turned twice`() {
    let sample = reading(30, at: 1).sample
    #expect(abs((sample.specificForce?.y ?? 0) - 9.80665) < 1e-9)
    #expect(sample.angularVelocity == .zero && sample.magneticField == nil)
  }

  @Test func `what is missing is said`() {
    var phone = PhoneSession()
    phone.setView(width: 390, height: 844, at: 0)
    #expect(phone.frame(at: 0).missing == .position)
    phone.positionIsDenied(at: 0.1)
    #expect(phone.frame(at: 0.1).missing == .positionDenied)
    phone.take(Self.fix, at: 0.2)
    #expect(phone.frame(at: 0.2).missing == .orientation)
    #expect(phone.frame(at: 0.2).labels.isEmpty)
  }

  @Test func `a marker before the camera has an outline and its distance`() throws {
    let (width, height, side, left, top) = (480, 640, 160, 200, 220)
    let family = MarkerDictionary.grid6x6Of250.family
    let (cells, code) = (family.cells, family.code(id: 7))
    // Rows are longer than the picture, as Core Video's are.
    let stride = width + 64
    var luma = [UInt8](repeating: 220, count: stride * height)
    for y in 0..<side {
      for x in 0..<side {
        let (column, row) = (x * 8 / side - 1, y * 8 / side - 1)
        let isInside = (0..<cells).contains(column) && (0..<cells).contains(row)
        let isLight = isInside && code >> UInt64(cells * cells - 1 - row * cells - column) & 1 == 1
        luma[(top + y) * stride + left + x] = isLight ? 220 : 30
      }
    }
    let camera = FrameCamera(
      intrinsics: Intrinsics(width: 480, height: 640, longSideFieldOfView: Angle(degrees: 60))
    )
    let engine = PhoneEngine()
    engine.tell { phone in
      phone.setView(width: 240, height: 320, at: 0)
      phone.setCamera(camera, at: 0)
      phone.take(Self.fix, at: 0)
    }
    for k in 0...30 { engine.take(reading(0, at: Double(k) / 60)) }
    try luma.withUnsafeBufferPointer { bytes in
      let picture = LumaPlane(bytes: bytes, width: width, height: height, stride: stride)
      try engine.look(at: picture, time: 0.5, camera: camera)
      // A picture without its bytes is refused, not read beyond.
      #expect(throws: ImageError.self) {
        let short = UnsafeBufferPointer(rebasing: bytes.prefix(1000))
        let picture = LumaPlane(bytes: short, width: width, height: height, stride: stride)
        try engine.look(at: picture, time: 0.6, camera: camera)
      }
    }
    let frame = engine.tell { $0.frame(at: 0.51) }
    let outline = try #require(frame.outlines.first)
    let expected = [(100, 110), (180, 110), (180, 190), (100, 190)]
    for (corner, place) in zip(outline.corners, expected) {
      #expect(abs(corner.x - Double(place.0)) < 0.5 && abs(corner.y - Double(place.1)) < 0.5, "\(outline.corners)")
    }
    let centimetres = Int((320 / Foundation.tan(30 * .pi / 180) * 0.16 / 160 * 100).rounded())
    let label = try #require(frame.labels.first { $0.text.hasPrefix("Marker 7") })
    // From the lens to the middle of the marker, which is a little beside the axis.
    #expect(
      ["\(centimetres) cm", "\(centimetres + 1) cm"].contains(label.text.split(separator: "\n").last.map(String.init)),
      "\(label.text)"
    )
    #expect((100...180).contains(label.x))
  }

  #if os(Linux)
  /// Modules of this build.
  private func check(_ more: String...) throws -> ChildProgram.Ended {
    let modules = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("Modules").path
    return try ChildProgram.run(["python3", "Scripts/check-ios-example", "--modules", modules] + more, in: Self.root)
  }

  @Test func `the app fits the interfaces of Apple's frameworks`() throws {
    let whole = try check()
    #expect(whole.status == 0, "\(whole.output)\(whole.errors)")
    let mistakes = try check("--self-test")
    #expect(mistakes.status == 0 && mistakes.output.contains(" 0 not noticed"), "\(mistakes.output)\(mistakes.errors)")
  }
  #endif
}
