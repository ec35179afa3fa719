import SightlineCamera
import SightlineContent
import SightlineFormats
import SightlineImport
import SightlineMath
import SightlineScene
import Testing

/// ARML anchors that are relative to others, from the document to the frame.
struct RelativeAnchorTests {
  private func relative(_ id: String, to link: String, _ pos: String) -> String {
    "<Feature id=\"\(id)\"><name>\(id)</name><anchors><RelativeTo id=\"at-\(id)\"><assets/><ref xlink:href=\"\(link)\"/>"
      + "<gml:Point><gml:pos>\(pos)</gml:pos></gml:Point></RelativeTo></anchors></Feature>"
  }

  private func read(_ more: String) -> Reading {
    let document = """
      <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
      <ARElements><Tracker id="k"><uri xlink:href="http://www.opengis.net/arml/tracker/genericImageTracker"/></Tracker>
      <Feature id="poster"><name>poster</name><anchors><Trackable id="t"><assets/><config><tracker xlink:href="#k"/><src>p.jpg</src></config>
      <size>0.6</size></Trackable></anchors></Feature>\(more)</ARElements></arml>
      """
    return FormatRegistry.read(Array(document.utf8), options: ReadingOptions(fileName: "w.arml")).reading
  }

  @Test func `what is relative to a picture, over a chain too, is drawn by the picture's pose`() throws {
    let reading = read(
      relative("on", to: "#t", "0.1 0.2 0.3") + relative("chained", to: "#at-on", "0.2 -0.1 0")
        + relative("guide", to: "user", "1 5 -0.5")
    )
    #expect(reading.isValid, "\(reading.problems)")
    let world = WorldDescription(try #require(reading.dimension))
    // The poster and both that are measured from it are on one anchor; the guide goes along with the user.
    #expect(world.anchors.map(\.id) == [.picture(0)] && world.features.map(\.anchor) == [0, 0, 0, -1])
    #expect(world.features.map(\.followsEye) == [false, false, false, true])
    #expect(world.features[3].offset == Vector3(1, 5, -0.5))

    var scene = Scene()
    scene.setWorld(world)
    let lens = Intrinsics(width: 400, height: 800, focalX: 500, focalY: 500, centerX: 199.5, centerY: 399.5)
    let upright = PlanarPose(
      cameraFromPlane: Quaternion(w: 0, x: 1, y: 0, z: 0),
      translation: Vector3(0, 0, 2),
      reprojectionError: 0
    )
    var corners = Quadrilateral(repeating: .zero)
    for (k, corner) in [(-0.3, 0.3), (0.3, 0.3), (0.3, -0.3), (-0.3, -0.3)].enumerated() {
      corners[k] = Vector2(199.5 + 250 * corner.0, 399.5 - 250 * corner.1)
    }
    let seen = Observation(.picture(0), state: .tracked, corners: corners, pose: upright, width: 0.6)
    scene.observe(
      Observations(time: 1, camera: FrameCamera(intrinsics: lens), [seen]),
      display: Display(width: 400, height: 800)
    )
    var frame = SceneFrame()
    scene.writeAnchors(into: &frame, time: 1)
    #expect(frame.anchors.map(\.state) == [.tracked])
    #expect(frame.anchored.map(\.feature) == [0, 1, 2])
    // Pixels are points here; what is 0.3 m before the poster is 1.7 m away.
    for (index, x, y) in [(1, 0.1, 0.2), (2, 0.3, 0.1)] {
      let place = frame.anchored[index].place
      let expected = Vector2(200 + 500 * x / 1.7, 400 - 500 * y / 1.7)
      #expect((place - expected).length < 1e-6, "\(place), not \(expected)")
    }
  }

  @Test(arguments: [
    ("#at-a", "1 1 1", "reference.circle"), ("#nobody", "1 1 1", "reference.unknown"), ("#t", "1 east 1", "field.type"),
    ("#t", "1 nan 1", "field.type"), ("#t", "1 1", "geometry.unsupported"),
  ]) func `one that cannot be placed has a finding, and the rest of the world is shown`(
    link: String,
    pos: String,
    code: String
  ) throws {
    let reading = read(relative("a", to: link, pos) + relative("on", to: "#t", "0.1 0.2 0.3"))
    #expect(reading.problems.contains { $0.code == code && $0.severity == .error }, "\(reading.problems)")
    let world = WorldDescription(try #require(reading.dimension))
    #expect(world.features.map(\.anchor) == [0, 0] && world.anchors.count == 1)
  }
}
