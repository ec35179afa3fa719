import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct SurveyedMarkerTests {
  private let camera = Intrinsics(width: 640, height: 480, focalX: 500, focalY: 500, centerX: 319.5, centerY: 239.5)
  private let place = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9912, altitude: 479.6)
  /// Straight ahead and upright: half a turn about x.
  private let frontal = Quaternion(w: 0, x: 1, y: 0, z: 0)

  private func pose(_ rotation: Quaternion, _ translation: Vector3) -> PlanarPose {
    PlanarPose(cameraFromPlane: rotation, translation: translation, reprojectionError: 0)
  }

  /// Metres east, north and up of the marker.
  private func offset(_ sighting: MarkerSighting) -> Vector3 { EastNorthUpFrame(origin: place).point(sighting.camera) }

  private func near(_ a: Vector3, _ b: Vector3, _ tolerance: Double) -> Bool { (a - b).length < tolerance }

  @Test func `the camera stands where a wall marker looks, and looks back at it`() throws {
    for (facing, east, north) in [
      (180.0, 0.0, -3.0), (90, 3, 0), (0, 0, 3), (270, -3, 0), (225, -3 * 0.5.squareRoot(), -3 * 0.5.squareRoot()),
    ] {
      let marker = SurveyedMarker(place: place, facing: Angle(degrees: facing), side: 0.2)
      let sighting = try #require(marker.sighting(pose(frontal, Vector3(0, 0, 3)), intrinsics: camera))
      #expect(near(offset(sighting), Vector3(east, north, 0), 1e-3), "\(facing): \(offset(sighting))")
      // Forward is towards the marker, down is down.
      let forward = sighting.eastNorthUpFromCamera * Vector3(0, 0, 1)
      #expect(near(forward, Vector3(-east / 3, -north / 3, 0), 1e-5))
      #expect(near(sighting.eastNorthUpFromCamera * Vector3(0, 1, 0), Vector3(0, 0, -1), 1e-5))
    }
  }

  @Test func `a marker seen to the right and below moves the camera to the left and up`() throws {
    // The wall faces south, the viewer looks north: the camera's right is east.
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), side: 0.2)
    let sighting = try #require(marker.sighting(pose(frontal, Vector3(1, 0.5, 3)), intrinsics: camera))
    #expect(near(offset(sighting), Vector3(-1, -3, 0.5), 1e-3), "\(offset(sighting))")
  }

  @Test func `a marker on the ground is seen from above`() throws {
    // Its lower edge points south: who stands south of it and looks down sees it upright, top to the north.
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), elevation: Angle(degrees: 90), side: 0.2)
    let sighting = try #require(marker.sighting(pose(frontal, Vector3(0, 0, 2)), intrinsics: camera))
    #expect(near(offset(sighting), Vector3(0, 0, 2), 1e-3))
    #expect(near(sighting.eastNorthUpFromCamera * Vector3(0, 0, 1), Vector3(0, 0, -1), 1e-5))
    #expect(near(sighting.eastNorthUpFromCamera * Vector3(0, -1, 0), Vector3(0, 1, 0), 1e-5))
  }

  @Test func `a marker that hangs turned clockwise has its top to the right`() throws {
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), roll: Angle(degrees: 90), side: 0.2)
    let top = marker.eastNorthUpFromMarker * Vector3(0, 1, 0)
    // Seen from the south the right is east.
    #expect(near(top, Vector3(1, 0, 0), 1e-12), "\(top)")
  }

  @Test func `any pose goes round: marker to camera to marker`() throws {
    var random = SplitMix64(seed: 77)
    for _ in 0..<200 {
      func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      let marker = SurveyedMarker(
        place: Geodetic(
          latitudeDegrees: number(-85...85),
          longitudeDegrees: number(-180...180),
          altitude: number(0...3000)
        ),
        facing: Angle(degrees: number(0...360)),
        elevation: Angle(degrees: number(-80...90)),
        roll: Angle(degrees: number(-180...180)),
        side: 0.2
      )
      let axis = try #require(Vector3(number(-1...1), number(-1...1), number(-1...1)).normalized)
      let rotation = Quaternion(axis: axis, angle: Angle(degrees: number(0...60))) * frontal
      let translation = Vector3(number(-1...1), number(-1...1), number(1...20))
      let sighting = try #require(marker.sighting(pose(rotation, translation), intrinsics: camera))
      let there = EastNorthUpFrame(origin: sighting.camera)
      let back = sighting.eastNorthUpFromCamera.inverse * there.point(marker.place)
      #expect(near(back, translation, 1e-6), "\(back) for \(translation)")
    }
  }

  @Test func `uncertainty grows with distance and is never said to be better than a centimetre`() throws {
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), side: 0.2)
    let tilted = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 30)) * frontal
    var last = 0.0
    for distance in [0.5, 1, 2, 4, 8] {
      let sighting = try #require(marker.sighting(pose(tilted, Vector3(0, 0, distance)), intrinsics: camera))
      #expect(sighting.uncertainty.position > last)
      #expect(sighting.fix.horizontalAccuracy >= 0.01)
      last = sighting.uncertainty.position
    }
  }

  @Test func `the stated uncertainty is what noise does`() throws {
    var random = SplitMix64(seed: 3)
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), side: 0.2)
    let rotation = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 40)) * frontal
    let translation = Vector3(0.1, 0.1, 1.5)
    let noise = 0.1
    let truth = try #require(marker.sighting(pose(rotation, translation), intrinsics: camera, noise: noise))
    var sum = 0.0
    for _ in 0..<400 {
      var corners = Quadrilateral(repeating: .zero)
      for i in 0..<4 {
        let corner = Vector3(i == 1 || i == 2 ? 0.1 : -0.1, i < 2 ? 0.1 : -0.1, 0)
        let pixel = try #require(camera.pixel(ofPointInCamera: rotation * corner + translation))
        // Twelve uniform numbers make a normal one.
        func error() -> Double {
          (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) } * noise
        }
        corners[i] = pixel + Vector2(error(), error())
      }
      let poses = try #require(SquarePoses(corners: corners, side: 0.2, intrinsics: camera))
      let seen = try #require(marker.sighting(poses.best, intrinsics: camera))
      let off = offset(seen) - offset(truth)
      sum += off.dot(off)
    }
    let spread = (sum / 400).squareRoot()
    #expect(spread / truth.uncertainty.position > 0.85 && spread / truth.uncertainty.position < 1.15, "\(spread)")
  }

  @Test func `a compass that is off is corrected`() throws {
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), side: 0.2)
    let sighting = try #require(marker.sighting(pose(frontal, Vector3(0.3, 0, 3)), intrinsics: camera))
    for degrees in [-170.0, -20, 0, 35, 120] {
      // Sensors whose heading is too small by so many degrees: turned counter-clockwise about "up".
      let sensed = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: degrees)) * sighting.eastNorthUpFromCamera
      #expect(isNear(sighting.headingCorrection(of: sensed).degrees, degrees, within: 1e-9))
    }
  }

  @Test func `a session takes a sighting for a fix and an orientation`() throws {
    let display = Display(width: 390, height: 844)
    let projection = DisplayProjection(display: display, picture: CameraPicture(intrinsics: camera))
    let marker = SurveyedMarker(place: place, facing: Angle(degrees: 180), side: 0.2)
    let sighting = try #require(marker.sighting(pose(frontal, Vector3(0, 0, 3)), intrinsics: camera))
    guard case .quaternion(let worldFromDevice, let north) = sighting.orientation(projection) else {
      Issue.record("no quaternion")
      return
    }
    #expect(north == .trueNorth)
    // Held upright, looking north: the device's top is up, its back to the north.
    #expect(near(worldFromDevice * Vector3(0, 1, 0), Vector3(0, 0, 1), 1e-5))
    #expect(near(worldFromDevice * Vector3(0, 0, -1), Vector3(0, 1, 0), 1e-5))
    #expect(isNear(sighting.fix.latitudeDegrees, 48.3984 - 3 / 111_200, within: 1e-6))
  }
}
