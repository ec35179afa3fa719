import Foundation
import SightlineContent
import SightlineTestSupport
import Testing

@testable import SightlineFormats

/// Worlds as hostile JSON makes them: writers write them all, and faults name what is wrong with them.
@Suite struct ExtremeWorldTests {
  private static let numbers: [Double] = [
    0, -0.0, 1, -1, 0.5, 255.5, 1e17, 3.6e16, -9.3e18, 9.3e18, 1e300, -1e300, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 5e-324, 90, 180, -180.000001, 1e-320, 2_147_483_648,
    4_294_967_296,
    9_007_199_254_740_993, .infinity, -.infinity, .nan,
  ]
  private static let texts: [String] = [
    "", " ", "a", "#ff0000", "#f00", "#<&\">a", "ffffff", "#ééééé", "#gggggg", "\u{0}", "\u{FFFE}", "a\u{0301}", "]]>",
    "--",
    "http://a.example/", "javascript:alert(1)", "://", "node/1", "way/2", "user", "xml", "category", "name:de",
    "9" + String(repeating: "9", count: 40), "😀", "\r\n", "$[name]", "geo:1,2",
  ]

  private struct Dice {
    var random = SplitMix64(seed: 1_818)
    mutating func number() -> Double {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: Double(bitPattern: random.next())
      case 1: Double.random(in: -200...200, using: &random)
      default: numbers.randomElement(using: &random) ?? 0
      }
    }
    mutating func text() -> String { texts.randomElement(using: &random) ?? "" }
    mutating func chance() -> Bool { Bool.random(using: &random) }
    mutating func count() -> Int { Int.random(in: 0...3, using: &random) }
    mutating func maybe<Value>(_ make: (inout Dice) -> Value) -> Value? { chance() ? make(&self) : nil }
    mutating func list<Value>(_ make: (inout Dice) -> Value) -> [Value] { (0..<count()).map { _ in make(&self) } }
    mutating func position() -> Position {
      Position(latitude: number(), longitude: number(), altitude: maybe { $0.number() })
    }
    mutating func action() -> Action {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .refresh
      case 1: .webPage(text())
      default: .dimension(text())
      }
    }
    mutating func wordings() -> [String: Wording] {
      Dictionary(list { ($0.text(), Wording(title: $0.maybe { $0.text() }, summary: $0.maybe { $0.text() })) }) { $1 }
    }
    mutating func place() -> Place {
      let visual: Visual =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .text(text())
        case 1: .image(assetID: text())
        default: .model(assetID: text(), xRotation: number(), yRotation: number(), zRotation: number(), scale: number())
        }
      var place = Place(title: text(), position: maybe { $0.position() }, visual: visual)
      place.id = maybe { $0.text() }
      place.summary = maybe { $0.text() }
      place.altitudeMode = [.ellipsoid, .seaLevel, .ground, .eye].randomElement(using: &random) ?? .eye
      place.offset = Offset(east: number(), north: number(), up: number())
      place.marker = maybe {
        MarkerAnchor(
          dictionary: $0.text(),
          id: Int(truncatingIfNeeded: $0.random.next()),
          length: $0.number(),
          facing: $0.maybe { $0.number() }
        )
      }
      place.target = maybe { TargetAnchor(assetID: $0.text(), width: $0.number()) }
      place.shapes = maybe {
        $0.list { Shape(kind: $0.chance() ? .line : .area, parts: $0.list { $0.list { $0.position() } }) }
      }
      place.shapeStyle = maybe {
        var style = ShapeStyle()
        style.stroke = $0.maybe { $0.text() }
        style.strokeOpacity = $0.maybe { $0.number() }
        style.width = $0.maybe { $0.number() }
        style.fill = $0.maybe { $0.text() }
        style.fillOpacity = $0.maybe { $0.number() }
        return style
      }
      place.action = maybe { $0.action() }
      place.showInRadar = chance()
      place.showOnFocus = list { $0.text() }
      place.categories = list { $0.text() }
      place.visibilityRadius = maybe { $0.number() }
      place.link = maybe { $0.text() }
      place.imageURL = maybe { $0.text() }
      place.phone = maybe { $0.text() }
      place.translations = maybe { $0.wordings() }
      place.metadata = Dictionary(list { ($0.text(), $0.text()) }) { $1 }
      return place
    }
    mutating func world() -> Dimension {
      var dimension = Dimension()
      dimension.name = maybe { $0.text() }
      dimension.radarRange = number()
      dimension.refreshIntervalSeconds = number()
      dimension.refreshDistance = number()
      dimension.refreshURL = maybe { $0.text() }
      dimension.soundURL = maybe { $0.text() }
      dimension.attribution = maybe { $0.text() }
      dimension.translations = maybe { $0.wordings() }
      dimension.places = list { $0.place() }
      dimension.assets = list { Asset(id: $0.text(), url: $0.text(), format: $0.maybe { $0.text() }) }
      dimension.overlays = list {
        let content: OverlayContent =
          switch $0.count() {
          case 0: .text($0.text(), width: $0.number())
          case 1: .image(assetID: $0.text())
          default: .html(url: $0.text(), width: $0.number(), height: $0.number())
          }
        var overlay = Overlay(x: $0.number(), y: $0.number(), content: content)
        overlay.action = $0.maybe { $0.action() }
        overlay.id = $0.maybe { $0.text() }
        return overlay
      }
      return dimension
    }
  }

  @Test func `every world can be written in every format, and what is written is well formed`() {
    var dice = Dice()
    for round in 0..<300 {
      let world = dice.world()
      _ = world.faults()
      for format in DocumentFormat.allCases {
        let writing = FormatRegistry.write(world, as: format, options: WritingOptions(baseURL: "https://a.example/b/"))
        let (read, reading) = FormatRegistry.read(writing.bytes)
        #expect(read == format && reading.dimension != nil, "round \(round), \(format): \(reading.problems.prefix(2))")
      }
    }
  }

  @Test(arguments: [1e300, -1e300, 1e17, -9.3e18, 3.6e16, .infinity, -.infinity, .nan])
  func `an opacity of any size is written as one`(opacity: Double) {
    var place = Place(title: "p", position: Position(latitude: 1, longitude: 1), visual: .text("p"))
    place.shapes = [.line([Position(latitude: 1, longitude: 1), Position(latitude: 2, longitude: 2)])]
    var style = ShapeStyle()
    style.stroke = "#ff0000"
    style.strokeOpacity = opacity
    style.fill = "#00ff00"
    style.fillOpacity = opacity
    place.shapeStyle = style
    var dimension = Dimension()
    dimension.places = [place]
    let text = FormatRegistry.write(dimension, as: .kml).text
    let alpha = opacity > 0 || opacity.isNaN ? "ff" : "00"
    #expect(text.contains("<color>\(alpha)0000ff</color>") && text.contains("<color>\(alpha)00ff00</color>"))
    #expect(!dimension.faults().isEmpty)
  }

  @Test func `a world without faults keeps its numbers in every format`() throws {
    var dice = Dice()
    var judged = 0
    for _ in 0..<1_000 {
      var world = dice.world()
      if !world.faults().isEmpty {
        // Of most worlds something is wrong: what is right in them is still of use.
        world.places.removeAll { place in
          var single = Dimension()
          single.places = [place]
          return !single.faults().isEmpty
        }
        (world.overlays, world.assets, world.radarRange) = ([], [], nil)
        (world.refreshIntervalSeconds, world.refreshDistance, world.refreshURL, world.soundURL) = (0, 0, nil, nil)
      }
      guard world.faults().isEmpty else { continue }
      judged += world.places.count
      #expect(throws: Never.self) { try JSONEncoder().encode(world) }
      for format in DocumentFormat.allCases {
        let words = FormatRegistry.write(world, as: format).text.split { !("0"..."9").contains($0) }
        // The texts have a long number of nines.
        #expect(!words.contains { $0.count > 20 && !$0.hasPrefix("0") && !$0.hasPrefix("99999") }, "\(format)")
      }
    }
    #expect(judged > 5, "\(judged)")
  }

  @Test func `the planted world of the review has a fault`() throws {
    let json = """
      {"radarRange":1000,"radarAvailable":true,"relativeAltitude":false,"refreshIntervalSeconds":0,"refreshDistance":0,
       "assets":[],"overlays":[],"places":[{"title":"p","altitudeMode":"eye","offset":{"east":0,"north":0,"up":0},
       "position":{"latitude":1,"longitude":1},"visual":{"kind":"text","text":"p"},"pivot":"BC","showInRadar":true,
       "showOnFocus":[],"categories":[],"metadata":{},"shapes":[{"kind":"line","parts":[[[1,1],[2,2]]]}],
       "shapeStyle":{"stroke":"#ff0000","strokeOpacity":1e300}}]}
      """
    let world = try JSONDecoder().decode(Dimension.self, from: Data(json.utf8))
    #expect(world.faults().map(\.code) == ["style"])
    for format in DocumentFormat.allCases { #expect(!FormatRegistry.write(world, as: format).bytes.isEmpty) }
  }
}
