import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene
import Testing

@testable import SightlineWorlds

/// What the content of a world becomes.
struct WorldCompilerTests {
  typealias Content = PlaceContent<String.UTF16View>

  private func place(_ id: String? = "a", _ title: String = "A", change: (inout Content) -> Void = { _ in }) -> Content
  {
    var place = Content(id: id?.utf16, title: title.utf16)
    (place.latitudeDegrees, place.longitudeDegrees, place.altitude) = (48, 10, 480)
    change(&place)
    return place
  }

  private func feature(_ change: (inout Content) -> Void) -> SceneFeature {
    var compiler = WorldCompiler()
    compiler.add(place(change: change))
    return compiler.world.features[0]
  }

  @Test func `what a document says plainly arrives as it is`() {
    let feature = feature {
      $0.offset = Vector3(1, 2, 3)
      $0.pivot = .topRight
      $0.label = LabelSize(width: 111, height: 40)
      $0.compactLabel = LabelSize(width: 70, height: 26)
      $0.showInRadar = false
      $0.visibilityRadius = 250
      $0.action = .refresh
    }
    #expect((feature.latitudeDegrees, feature.longitudeDegrees, feature.altitude) == (48, 10, 480))
    #expect(feature.altitudeDatum == .ellipsoid && feature.offset == Vector3(1, 2, 3) && feature.pivot == Vector2(1, 0))
    #expect((feature.width, feature.height) == (111, 40) && (feature.compactWidth, feature.compactHeight) == (70, 26))
    #expect(feature.kind == .text && feature.sizeMode == .constant && feature.category == 0)
    #expect(!feature.showInRadar && feature.visibilityRadius == 250 && feature.action == .refresh)
  }

  @Test(arguments: HeightDatum.allCases)
  func `a height is measured from what the document says`(datum: HeightDatum) {
    let feature = feature { $0.altitudeDatum = datum }
    #expect(feature.altitudeDatum == datum && feature.altitude == 480)
  }

  @Test(arguments: HeightDatum.allCases) func `without a height it stands over the ground`(datum: HeightDatum) {
    let feature = feature {
      $0.altitudeDatum = datum
      $0.altitude = .nan
    }
    #expect(feature.altitudeDatum == .ground && feature.altitude == 0)
  }

  @Test func `nine pivots are nine points of the box`() {
    let points = ContentPivot.allCases.map { pivot in feature { $0.pivot = pivot }.pivot }
    let expected = [0, 0.5, 1].flatMap { y in [0, 0.5, 1].map { x in Vector2(x, y) } }
    #expect(points == expected)
  }

  @Test func `a picture begins as a square and has no smaller label; a model is its label`() {
    let picture = feature { $0.visual = .image }
    #expect(picture.kind == .image && (picture.width, picture.height) == (72, 72))
    #expect((picture.compactWidth, picture.compactHeight) == (0, 0))
    let model = feature {
      $0.visual = .model
      $0.label = LabelSize(width: 99, height: 33)
    }
    #expect(model.kind == .text && (model.width, model.height) == (99, 33))
  }

  @Test func `what stands on a print that may be anywhere has no position`() {
    let id = AnchorID.marker(dictionary: 9, id: 3)
    let anchored = feature { $0.print = PrintContent(id, width: 0.1) }
    #expect(anchored.latitudeDegrees.isNaN && anchored.longitudeDegrees.isNaN)
    #expect(anchored.altitude == 0 && anchored.altitudeDatum == .ground)
    let surveyed = feature {
      $0.print = PrintContent(id, width: 0.1, hanging: .init(facing: Angle(degrees: 90)))
    }
    #expect(surveyed.latitudeDegrees == 48 && surveyed.altitudeDatum == .ellipsoid)
  }

  @Test func `one marker at many places is compared no more than once a place`() {
    var compiler = WorldCompiler()
    let count = 2000
    for index in 0..<2 * count {
      compiler.add(
        place("\(index)") {
          ($0.latitudeDegrees, $0.longitudeDegrees) = (48 + Double(index % count) * 1e-4, 9)
          $0.altitudeDatum = .seaLevel
          $0.print = PrintContent(.marker(dictionary: 10, id: 4), width: 0.2, hanging: .init(facing: .zero))
        }
      )
    }
    #expect(compiler.world.anchors.count == count)
    // The second half finds the anchors of the first, each at its first comparison.
    #expect(compiler.world.features.map(\.anchor) == (0..<2 * count).map { Int32($0 % count) })
    #expect(compiler.anchorComparisons == count)
    // One that hangs nowhere is like none.
    for index in 0..<count {
      compiler.add(
        place("n\(index)") {
          $0.latitudeDegrees = .nan
          $0.print = PrintContent(.marker(dictionary: 10, id: 4), width: 0.2, hanging: .init(facing: .zero))
        }
      )
    }
    #expect(compiler.world.anchors.count == 2 * count && compiler.anchorComparisons == count)
  }

  @Test func `categories are numbered as they appear; the sixty-fourth and later are "other"`() {
    var compiler = WorldCompiler()
    let names = ["c1"] + (0..<70).map { "c\($0)" } + ["c69", "", "c1"]
    for name in names { compiler.add(place { $0.category = name.utf16 }) }
    let numbers = compiler.world.features.map(\.category)
    #expect(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 1)
    #expect(numbers.max() == 63 && Set(numbers) == Set(0...63))
    #expect(numbers.suffix(3) == [0, 0, 1])
    // A world beside it goes on with the table.
    var second = WorldCompiler(categories: compiler.categories)
    second.add(place { $0.category = "c0".utf16 })
    #expect(second.world.features[0].category == 2)
  }

  @Test func `places name overlays; a name that none has is dropped, of two with one name the later counts`() {
    var compiler = WorldCompiler()
    for id in ["one", "two", "", "one"] { compiler.addOverlay(id: id.utf16, isHidden: true, action: .none) }
    compiler.addOverlay(id: String.UTF16View?.none, isHidden: false, action: .webPage(AddressID(3)))
    compiler.add(place())
    for name in ["two", "nobody", "one", ""] { compiler.addFocusOverlay(name.utf16) }
    compiler.add(place("b"))
    compiler.addFocusOverlay("two".utf16)
    let world = compiler.world
    #expect(world.features[0].focusOverlays.map { world.focusOverlays[$0] } == [1, 3])
    #expect(world.features[1].focusOverlays.map { world.focusOverlays[$0] } == [1])
    #expect(world.overlays[0].key == world.overlays[3].key && world.overlays[0].key != world.overlays[1].key)
    #expect(world.overlays[4].action == .webPage(AddressID(3)) && !world.overlays[4].hidden)
    #expect(Set(world.overlays.map(\.key)).count == 4)
  }

  @Test func `identities are whole numbers below 2^53, differ, and are those of the page's old recordings`() {
    var compiler = WorldCompiler()
    for index in 0..<20_000 { compiler.add(place("place \(index)")) }
    let keys = compiler.world.features.map(\.key)
    #expect(Set(keys).count == 20_000 && keys.allSatisfy { $0 > 0 && $0 < 1 << 53 })
    // Taken from the JavaScript that made them before.
    #expect(keys[0] == 3_675_648_343_133_548)
    compiler.add(place("Ulm Münster 🏰"))
    #expect(compiler.world.features[20_000].key == 3_982_874_686_781_214)
  }

  @Test func `without an identifier a place is known by number, title and position`() {
    func key(_ index: Int, _ title: String, _ latitude: Double) -> UInt64 {
      var compiler = WorldCompiler()
      for _ in 0..<index { compiler.add(place()) }
      compiler.add(
        place(nil, title) { $0.latitudeDegrees = latitude }
      )
      return compiler.world.features[index].key
    }
    #expect(key(12, "x", 0) == key(12, "x", -0.0))
    #expect(Set([key(12, "x", 1), key(12, "y", 1), key(12, "x", 2), key(11, "x", 1), key(0, "x", 1)]).count == 5)
  }

  @Test func `heights of shapes count where the place's are absolute`() {
    var compiler = WorldCompiler()
    compiler.add(place { $0.altitude = .nan })
    compiler.add(place("b") { $0.altitudeDatum = .ground })
    for index in 0..<2 {
      compiler.addPart(ofPlace: index, shape: 0, isArea: true)
      for k in 0..<3 {
        compiler.addCorner(PathVertex(latitudeDegrees: 48, longitudeDegrees: Double(k), altitude: 500))
      }
      compiler.addPart(ofPlace: index, shape: 0, isArea: true)
      compiler.addCorner(PathVertex(latitudeDegrees: 48, longitudeDegrees: 9))
      compiler.addPart(ofPlace: index, shape: 1, isArea: false)
    }
    // What belongs to no place leaves no corners behind that others could get.
    compiler.addPart(ofPlace: 2, shape: 0, isArea: false)
    compiler.addCorner(PathVertex(latitudeDegrees: 1, longitudeDegrees: 1))
    let world = compiler.world
    #expect(world.paths.map(\.shape) == [0, 0, 1, 2, 2, 3])
    #expect(world.paths.map(\.feature) == [0, 0, 0, 1, 1, 1])
    #expect(world.paths.map(\.vertices) == [0..<3, 3..<4, 4..<4, 4..<7, 7..<8, 8..<8])
    #expect(world.paths.map(\.isRing) == [true, true, false, true, true, false])
    #expect(world.pathVertices.count == 8)
    #expect(world.pathVertices[0].altitude == 500 && world.pathVertices[3].altitude.isNaN)
    #expect(world.pathVertices[4...].allSatisfy { $0.altitude.isNaN })
  }
}
