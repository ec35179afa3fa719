import SightlineContent
import Testing

@testable import SightlineFormats

/// What formats count heights from, and what is written of heights that a place has from something else.
@Suite struct WrittenHeightTests {
  /// As in Ulm, and none south of the equator.
  private let options = WritingOptions { latitude, _ in latitude >= 0 ? 47.3 : nil }

  private func world(_ altitude: Double?, _ mode: AltitudeMode, latitude: Double = 48.4) -> Dimension {
    var place = Place(
      title: "A",
      position: Position(latitude: latitude, longitude: 10, altitude: altitude),
      visual: .text("A")
    )
    place.id = "a"
    place.altitudeMode = mode
    var world = Dimension()
    world.places = [place]
    return world
  }

  private func place(_ writing: Writing) throws -> Place {
    try #require(FormatRegistry.read(writing.bytes).reading.dimension?.places.first)
  }

  private static let seaLevels: [DocumentFormat] = [.gddf, .kml, .layar, .mixare, .overpass, .area]

  @Test(arguments: seaLevels)
  func `a height over the ellipsoid is written over the sea`(format: DocumentFormat) throws {
    let writing = FormatRegistry.write(world(530, .ellipsoid), as: format, options: options)
    let place = try place(writing)
    #expect(place.position?.altitude == 482.7 && place.altitudeMode == .seaLevel)
    #expect(writing.text.contains("482.7") && !writing.text.contains("530"), "\(writing.text)")
    #expect(writing.problems.contains { $0.message.contains("written over the sea (1)") && $0.severity == .info })
    // What is over the sea stays as it is.
    let asItWas = FormatRegistry.write(world(482.7, .seaLevel), as: format, options: options)
    #expect(asItWas.text == writing.text && !asItWas.problems.contains { $0.message.contains("over the sea") })
  }

  @Test func `a height over the sea is written over the ellipsoid in ARML`() throws {
    let writing = ARMLWriter.write(world(482.7, .seaLevel), options: options)
    #expect(try place(writing).position?.altitude == 530 && writing.text.contains("48.4 10 530<"), "\(writing.text)")
    #expect(writing.problems.contains { $0.message.contains("written over the ellipsoid (1)") })
    #expect(ARMLWriter.write(world(530, .ellipsoid), options: options).problems.isEmpty)
  }

  @Test func `corners are converted with their place`() throws {
    var line = world(nil, .ellipsoid)
    line.places[0].position = nil
    line.places[0].shapes = [
      .line([
        Position(latitude: 48, longitude: 10, altitude: 500), Position(latitude: 49, longitude: 10, altitude: 600),
      ])
    ]
    let place = try place(KMLWriter.write(line, options: options))
    #expect(place.shapes?.first?.parts.first?.map(\.altitude) == [452.7, 552.7] && place.altitudeMode == .seaLevel)
  }

  @Test(arguments: seaLevels + [.arml], [WritingOptions(), WritingOptions { _, _ in nil }])
  func `where nobody knows the sea the number stays, and that is said`(
    format: DocumentFormat,
    options: WritingOptions
  )
    throws
  {
    let given = format == .arml ? world(480, .seaLevel) : world(480, .ellipsoid)
    let writing = FormatRegistry.write(given, as: format, options: options)
    #expect(try place(writing).position?.altitude == 480)
    #expect(!writing.problems.isEmpty)
  }

  @Test(arguments: [DocumentFormat.layar, .mixare, .overpass, .area, .arml], [AltitudeMode.eye, .ground])
  func `a height above the eye or the ground becomes none over the sea`(
    format: DocumentFormat,
    mode: AltitudeMode
  )
    throws
  {
    let writing = FormatRegistry.write(world(2.25, mode), as: format, options: options)
    #expect(!writing.text.contains("2.25"), "\(writing.text)")
    #expect(
      writing.problems.contains { $0.message.contains("heights above the eye or the ground; none is written (1)") }
    )
    if format == .arml { #expect(try place(writing).altitudeMode == .eye) }
  }

  @Test(arguments: [AltitudeMode.eye, .ellipsoid])
  func `KML tells others to pass over heights that it cannot count, and has them again itself`(
    mode: AltitudeMode
  ) throws {
    let assets = [Asset(id: "asset-1", url: "https://e.org/m.glb", format: "GLB")]
    for isModel in [false, true] {
      var given = world(2, mode, latitude: -33)
      if isModel {
        given.assets = assets
        given.places[0].visual = .model(assetID: "asset-1", xRotation: 0, yRotation: 0, zRotation: 0, scale: 1)
      }
      let writing = KMLWriter.write(given, options: options)
      #expect(writing.text.contains("<altitudeMode>clampToGround</altitudeMode>"), "\(writing.text)")
      #expect(!writing.text.contains("absolute"))
      #expect(writing.problems.contains { $0.message.contains("on the ground (1)") }, "\(writing.problems)")
      let place = try place(writing)
      #expect(place.position?.altitude == 2 && place.altitudeMode == mode)
    }
    // Somebody else's clamped heights are none.
    let text = FormatRegistry.write(world(2, mode), as: .kml).text.replacing(
      "<value>\(mode.rawValue)</value>",
      with: "<value>ground</value>"
    )
    #expect(try place(Writing(bytes: Array(text.utf8), problems: [])).position?.altitude == nil)
  }
}
