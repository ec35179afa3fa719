import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct ViewpointTests {
  private let halfView = Angle(degrees: 20)

  private func scene(_ features: [SceneFeature], radius: Double = 5000) -> Scene {
    var scene = Scene()
    var world = WorldDescription()
    world.features = features
    scene.setWorld(world)
    scene.setRadius(radius)
    return scene
  }

  /// A place so many metres from Ulm, at a height of its own or at eye level.
  private func feature(north: Double, east: Double, altitude: Double? = nil) -> SceneFeature {
    let at = EastNorthUpFrame(origin: ulm).geodetic(Vector3(east, north, 0))
    var feature = SceneFeature(latitudeDegrees: at.latitudeDegrees, longitudeDegrees: at.longitudeDegrees)
    feature.altitudeDatum = altitude == nil ? .eye : .seaLevel
    feature.altitude = altitude ?? 0
    return feature
  }

  private func crowd(heading: Double, count: Int = 12, altitude: Double? = nil) -> [SceneFeature] {
    (0..<count).map {
      let (a, away) = ((heading + Double($0 - count / 2)) * pi / 180, 600 + 40 * Double($0))
      return feature(north: away * cos(a), east: away * sin(a), altitude: altitude)
    }
  }

  @Test(arguments: [0.0, 45, 100, 200, 300, 355])
  func `who stands somewhere looks to where most is`(heading: Double) throws {
    let few = [feature(north: -400, east: 30), feature(north: 30, east: 5)]
    let found = try #require(scene(crowd(heading: heading) + few).viewpoint(near: ulm, halfView: halfView))
    #expect(abs((found.heading - Angle(degrees: heading)).wrapped.degrees) < 20)
    #expect(found.position.latitudeDegrees == ulm.latitudeDegrees)
    #expect(found.position.altitude.isNaN, "no place has a height of its own")
  }

  @Test func `who may stand anywhere has the places in the picture`() throws {
    let found = try #require(scene(crowd(heading: 70, count: 30)).viewpoint(near: nil, halfView: halfView))
    let seen = crowd(heading: 70, count: 30).filter {
      let place = Geodetic(latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
      guard let way = initialBearing(from: found.position, to: place) else { return false }
      return abs((way - found.heading).wrapped.degrees) < 20
    }
    #expect(seen.count > 20, "\(seen.count) of 30")
  }

  @Test func `the eye is over the lower places`() throws {
    let features = crowd(heading: 0, altitude: 500) + crowd(heading: 3, count: 4, altitude: 620)
    let found = try #require(scene(features).viewpoint(near: ulm, halfView: halfView))
    #expect(found.position.altitude == 501.7)
  }

  @Test func `what is too far away does not count`() throws {
    let features = crowd(heading: 0) + [feature(north: -100_000, east: 0, altitude: 9000)]
    let found = try #require(scene(features, radius: 1000).viewpoint(near: ulm, halfView: halfView))
    #expect(found.position.altitude.isNaN)
  }

  @Test(arguments: [Double.nan, .infinity, 1e308, 91, -720])
  func `numbers that make no sense are answered with something`(odd: Double) {
    let place = SceneFeature(latitudeDegrees: odd, longitudeDegrees: odd)
    #expect(scene([place]).viewpoint(near: nil, halfView: halfView) == nil)
    let given = Geodetic(latitudeDegrees: odd, longitudeDegrees: odd)
    #expect(scene(crowd(heading: 0)).viewpoint(near: given, halfView: Angle(degrees: odd)) != nil)
  }

  @Test func `a world without places has none`() { #expect(scene([]).viewpoint(near: ulm, halfView: halfView) == nil) }
}
