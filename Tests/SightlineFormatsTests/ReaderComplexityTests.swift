import SightlineContent
import SightlineInput
import Testing

@testable import SightlineFormats

/// What a document costs grows with its size, whatever it is that it has many of.
@Suite struct ReaderComplexityTests {
  /// Steps that reading takes, and those that its size allows.
  private func steps(_ document: GrowingDocument, _ count: Int) -> (taken: Int, bytes: Int, reading: Reading) {
    let bytes = Array(document.make(count).utf8)
    let budget = ReadingLimits().budget(documentBytes: bytes.count)
    let reading = FormatRegistry.read(bytes, options: ReadingOptions(), budget: budget).reading
    return (budget.used(.steps), bytes.count, reading)
  }

  @Test(arguments: growingDocuments)
  func `steps grow linearly with any list of a document`(document: GrowingDocument) throws {
    let sizes = [1, 2, 4].map { steps(document, document.smallest * $0) }
    // Differences, so that what every document costs does not hide what each further one costs.
    let first = sizes[1].taken - sizes[0].taken
    let second = sizes[2].taken - sizes[1].taken
    #expect(second * 10 <= first * 25 + 100, "\(sizes.map(\.taken))")
    #expect(sizes[0].taken > 0)
    // None of them is refused: that would cost few steps, too.
    for size in sizes {
      #expect(size.reading.dimension != nil, "\(size.reading.problems.prefix(2))")
      #expect(size.taken <= size.bytes * 2 + 1_000, "\(size.taken) steps for \(size.bytes) bytes")
    }
    // Each item is counted. What is only text costs its bytes, of which many are a step.
    let isText = [
      "entities", "CDATA", "comments", "instructions", "lines", "escapes", "placeholders", "tags in a text",
    ]
    if isText.contains(where: { document.name.hasSuffix($0) }) { return }
    let isLight = document.name.hasSuffix("properties of a style")
    #expect((first + second) * (isLight ? 8 : 1) >= document.smallest * 3, "\(sizes.map(\.taken))")
  }

  @Test func `quadratic work is noticed`() {
    // The measure itself: a square does not pass it.
    let square = { (count: Int) in count * count }
    let (first, second) = (square(256) - square(128), square(512) - square(256))
    #expect(second * 10 > first * 25 + 100)
  }

  @Test(arguments: DocumentFormat.allCases)
  func `written text grows linearly with the world`(format: DocumentFormat) {
    func size(_ count: Int) -> Int {
      var dimension = Dimension()
      var place = Place(title: "a", position: Position(latitude: 1, longitude: 2), visual: .text("a"))
      for index in 0..<count {
        place.metadata["m\(index)"] = "v"
        place.categories.append("c\(index)")
      }
      place.shapes = (0..<count).map { _ in
        .line([Position(latitude: 0, longitude: 0), Position(latitude: 1, longitude: 1)])
      }
      dimension.places =
        [place] + (0..<count).map { _ in Place(title: "b", position: place.position, visual: .text("b")) }
      dimension.assets = (0..<count).map { Asset(id: "a\($0)", url: "http://a.example/\($0)") }
      let writing = FormatRegistry.write(dimension, as: format)
      #expect(writing.problems.count < 60)
      return writing.bytes.count
    }
    #expect((size(400) - size(200)) * 10 <= (size(200) - size(100)) * 25)
  }
}
