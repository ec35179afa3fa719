import Testing

@testable import SightlineContent

/// What keeps a world from being stored.
@Suite struct DimensionFaultsTests {
  private func place(_ change: (inout Place) -> Void = { _ in }) -> Dimension {
    var place = Place(title: "p", position: Position(latitude: 1, longitude: 2, altitude: 3), visual: .text("p"))
    place.id = "a"
    place.shapes = [
      .line([Position(latitude: 1, longitude: 1), Position(latitude: 2, longitude: 2)]),
      .area([
        Position(latitude: 1, longitude: 1), Position(latitude: 2, longitude: 2), Position(latitude: 2, longitude: 1),
      ]),
    ]
    change(&place)
    var dimension = Dimension()
    dimension.places = [place]
    return dimension
  }

  private func world(_ change: (inout Dimension) -> Void) -> Dimension {
    var dimension = Dimension()
    change(&dimension)
    return dimension
  }

  private func styled(_ change: (inout ShapeStyle) -> Void) -> Dimension {
    place {
      var style = ShapeStyle()
      change(&style)
      $0.shapeStyle = style
    }
  }

  @Test func `an ordinary world has none`() {
    #expect(Dimension().faults().isEmpty)
    #expect(place().faults().isEmpty)
    let full = place {
      $0.categories = Array(repeating: String(repeating: "ä", count: 100), count: 50)
      $0.title = String(repeating: "ä", count: 500)
      $0.summary = String(repeating: "ä", count: 20_000)
      $0.link = "tel:+49"
      $0.imageURL = "/assets/00"
      $0.action = .dimension("gamaray://a.example/d")
      $0.visibilityRadius = 100_000_000
      $0.offset = Offset(east: -100_000_000)
    }
    #expect(full.faults().isEmpty)
    let style = styled {
      ($0.stroke, $0.strokeOpacity, $0.width, $0.fill, $0.fillOpacity) = ("#2060ff", 0, 100, "#FFF", 1)
    }
    #expect(style.faults().isEmpty)
    let fetched = world {
      $0.refreshURL = "world?x=1:2"
      $0.soundURL = "http://a.example/s"
      $0.refreshIntervalSeconds = 30
    }
    #expect(fetched.faults().isEmpty)
  }

  @Test func `numbers, colours, shapes and addresses are judged`() {
    let cases: [(String, String, Dimension)] = [
      ("style", "places/a/shapeStyle", styled { $0.strokeOpacity = 1e300 }),
      ("style", "places/a/shapeStyle", styled { $0.fillOpacity = -0.001 }),
      ("style", "places/a/shapeStyle", styled { $0.fillOpacity = .nan }),
      ("style", "places/a/shapeStyle", styled { $0.width = 101 }),
      ("style", "places/a/shapeStyle", styled { $0.width = .infinity }),
      ("style", "places/a/shapeStyle", styled { $0.stroke = "red" }),
      ("style", "places/a/shapeStyle", styled { $0.fill = "#12345" }),
      ("position.range", "places/a", place { $0.position?.latitude = 90.001 }),
      ("position.range", "places/a", place { $0.position?.longitude = .nan }),
      ("position.range", "places/a", place { $0.position?.altitude = 1e300 }),
      ("position.range", "places/a/shapes/0", place { $0.shapes?[0].parts[0][1].longitude = 181 }),
      ("position.range", "places/a/shapes/1", place { $0.shapes?[1].parts[0][1].altitude = .infinity }),
      ("shape", "places/a/shapes/0", place { $0.shapes?[0].parts[0].removeLast() }),
      ("shape", "places/a/shapes/0", place { $0.shapes?[0].parts = [] }),
      (
        "shape", "places/a/shapes/0",
        place {
          let second = [Position(latitude: 1, longitude: 1), Position(latitude: 2, longitude: 2)]
          $0.shapes?[0].parts.append(second)
        }
      ),
      ("shape", "places/a/shapes/1", place { $0.shapes?[1].parts.append([]) }),
      ("range", "places/a/offset", place { $0.offset.up = 1e9 }),
      ("range", "places/a", place { $0.visibilityRadius = 0 }),
      ("range", "places/a", place { $0.visibilityRadius = .infinity }),
      (
        "range", "places/a/visual",
        place {
          $0.visual = .model(assetID: "m", xRotation: 0, yRotation: 0, zRotation: 0, scale: 1e200)
        }
      ),
      ("style", "places/a/icon", place { $0.icon = PlaceIcon(color: "red") }),
      ("style", "places/a/icon", place { $0.icon = PlaceIcon(scale: 11) }),
      ("style", "places/a/icon", place { $0.icon = PlaceIcon(opacity: .nan) }),
      ("style", "places/a/icon", place { $0.icon = PlaceIcon(heading: .infinity) }),
      ("range", "places/a/target", place { $0.target = TargetAnchor(assetID: "t", width: 1e9) }),
      ("marker", "places/a", place { $0.marker = MarkerAnchor(dictionary: "none", id: .max, length: 1) }),
      ("url.scheme", "places/a/link", place { $0.link = "javascript:alert(1)" }),
      ("url.scheme", "places/a/imageURL", place { $0.imageURL = "data:,x" }),
      ("url.scheme", "places/a/action", place { $0.action = .webPage("java\tscript:alert(1)") }),
      ("text.long", "places/a/title", place { $0.title = String(repeating: "x", count: 501) }),
      ("text.long", "places/a/visual", place { $0.visual = .text(String(repeating: "x", count: 20_001)) }),
      ("text.long", "places/a/metadata/m", place { $0.metadata["m"] = String(repeating: "x", count: 20_001) }),
      ("text.long", "places/a/categories", place { $0.categories = [String(repeating: "x", count: 101)] }),
      (
        "text.long", "places/a/translations/de",
        place {
          $0.translations = ["de": Wording(title: String(repeating: "x", count: 501))]
        }
      ),
      ("list.long", "places/a/categories", place { $0.categories = Array(repeating: "c", count: 51) }),
      ("list.long", "places/a/showOnFocus", place { $0.showOnFocus = Array(repeating: "o", count: 65) }),
      ("range", "radarRange", world { $0.radarRange = .infinity }),
      ("range", "radarRange", world { $0.radarRange = 0 }),
      ("range", "refreshIntervalSeconds", world { $0.refreshIntervalSeconds = 1e308 }),
      ("range", "refreshDistance", world { $0.refreshDistance = -1 }),
      ("url.scheme", "refreshURL", world { $0.refreshURL = "mailto:a@b.example" }),
      ("url.scheme", "soundURL", world { $0.soundURL = "file:///etc/passwd" }),
      ("url.scheme", "assets/m", world { $0.assets = [Asset(id: "m", url: "file:///m")] }),
      (
        "range", "overlays/o/x",
        world {
          var overlay = Overlay(x: 1e300, y: 0, content: .text("t", width: 0))
          overlay.id = "o"
          $0.overlays = [overlay]
        }
      ),
      (
        "url.scheme", "overlays/o/content",
        world {
          var overlay = Overlay(x: 0, y: 0, content: .html(url: "vbscript:x", width: 1, height: 1))
          overlay.id = "o"
          $0.overlays = [overlay]
        }
      ),
    ]
    for (code, path, dimension) in cases {
      let faults = dimension.faults()
      #expect(
        faults.count == 1 && faults.first?.code == code && faults.first?.path == path,
        "\(code) \(path): \(faults)"
      )
      #expect(faults.allSatisfy { $0.severity == .error && $0.message.hasSuffix(".") })
    }
  }

  @Test func `the number of faults is bounded, and none repeats a long text`() {
    var dimension = Dimension()
    dimension.places = (0..<1_000).map { _ in
      var place = Place(title: String(repeating: "x", count: 100_000), position: nil, visual: .text("t"))
      place.id = String(repeating: "i", count: 100_000)
      place.link = "x:" + String(repeating: "y", count: 100_000)
      return place
    }
    let faults = dimension.faults()
    #expect(faults.count == 20)
    #expect(faults.allSatisfy { $0.path.utf8.count < 200 && $0.message.utf8.count < 300 })
    #expect(dimension.faults(limit: 3).count == 3)
  }

  @Test func `texts are cut at a whole character`() {
    #expect(ContentLimits.cut("abc", to: 3) == nil)
    #expect(ContentLimits.cut("äöü", to: 3) == nil)
    #expect(ContentLimits.cut("äöüx", to: 3) == "äöü")
    #expect(ContentLimits.cut("a" + String(repeating: "\u{301}", count: 1_000), to: 10)?.unicodeScalars.count == 10)
  }
}
