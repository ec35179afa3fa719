import SightlineContent
import SightlineFormats
import Testing

/// Layar's picture layers: hotspots on reference images.
@Suite struct LayarPictureTests {
  private func read(_ images: String, _ hotspots: String) -> Reading {
    let text =
      "{\"layer\": \"W\", \"errorCode\": 0, \"errorString\": \"ok\"\(images.isEmpty ? "" : ", \"referenceImages\": \(images)"), \"hotspots\": [\(hotspots)]}"
    return FormatRegistry.read(Array(text.utf8), options: ReadingOptions(fileName: "w.layar.json")).reading
  }

  private static let button = """
    {"id": "a", "anchor": {"referenceImage": "page"}, "text": {"title": "Buy"}, "transform": {"translate": {"x": 0.1, "y": -0.05, "z": 0.01},
      "rotate": {"angle": 30, "axis": {"x": 0, "y": 0, "z": 1}}}, "object": {"contentType": "model/gltf-binary", "url": "https://example.org/m.glb"},
     "actions": [{"uri": "https://example.org/shop", "label": "Shop", "contentType": "text/html"}, {"uri": "tel:+3120", "label": "Call"}]}
    """

  @Test func `a hotspot with actions stands on its picture, there and back`() throws {
    let reading = read("[{\"key\": \"page\", \"url\": \"https://example.org/page.jpg\", \"width\": 0.21}]", Self.button)
    #expect(reading.isValid && reading.problems.isEmpty, "\(reading.problems)")
    let world = try #require(reading.dimension)
    let place = try #require(world.places.first)
    #expect(place.target?.width == 0.21 && place.position == nil && place.attitude == nil)
    #expect(world.assets.first { $0.id == place.target?.assetID }?.url == "https://example.org/page.jpg")
    #expect(place.offset == Offset(east: 0.1, north: -0.05, up: 0.01))
    #expect(place.link == "https://example.org/shop" && place.phone == "+3120")
    guard case .model(_, 0, 0, let turn, 1) = place.visual else {
      Issue.record("\(place.visual)")
      return
    }
    #expect(turn == 30)
    let writing = FormatRegistry.write(world, as: .layar)
    let back = FormatRegistry.read(writing.bytes, options: ReadingOptions(fileName: "w.layar.json")).reading
    let again = try #require(back.dimension?.places.first)
    #expect(again.target?.width == 0.21 && again.offset == place.offset && again.link == place.link)
    #expect(back.dimension?.assets.first { $0.id == again.target?.assetID }?.url == "https://example.org/page.jpg")
  }

  @Test func `a picture that is not known leaves the place in lists`() throws {
    let reading = read("", Self.button)
    #expect(reading.problems.contains { $0.code == "anchor.unsupported" && $0.message.contains("\"page\"") })
    let place = try #require(reading.dimension?.places.first)
    #expect(place.target == nil && place.position == nil && place.link == "https://example.org/shop")
  }

  @Test(arguments: [
    ("{}", "array"), ("[7]", "name that hotspots give"),
    ("[{\"url\": \"a.png\", \"width\": 1}]", "name that hotspots give"),
    ("[{\"key\": \"page\", \"url\": \"a.png\"}]", "width"),
    ("[{\"key\": \"page\", \"url\": \"a.png\", \"width\": 1e9}]", "width"),
    ("[{\"key\": \"page\", \"url\": \"javascript:x\", \"width\": 1}]", "javascript"),
    (
      "[{\"key\": \"page\", \"url\": \"a.png\", \"width\": 1}, {\"key\": \"page\", \"url\": \"b.png\", \"width\": 1}]",
      "twice"
    ),
  ]) func `faulty pictures are said, and the rest is shown`(images: String, words: String) {
    let good = "{\"id\": \"g\", \"anchor\": \"geo:52.37,4.93\", \"text\": {\"title\": \"G\"}}"
    let reading = read(images, Self.button + ", " + good)
    #expect(reading.problems.contains { $0.message.contains(words) }, "\(reading.problems)")
    #expect(reading.dimension?.places.map(\.id) == ["a", "g"])
  }
}
