import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineTestSupport
import Testing

struct MarkerDetectorTests {
  @Test(arguments: MarkerDictionary.allCases)
  func `markers of every dictionary are found, turned any way`(dictionary: MarkerDictionary) throws {
    for (index, degrees) in [3.0, 45, 98, 191, 280].enumerated() {
      let id = index * (dictionary.count - 1) / 5
      let corners = square(Vector2(51.3, 47.8), side: 52, degrees: degrees)
      let image = Print(family: dictionary.family, id: id, corners: corners).draw(width: 104, height: 96, noise: 2)
      let found = markers(in: image, [dictionary])
      #expect(found.count == 1)
      let marker = try #require(found.first)
      #expect(marker.dictionary == dictionary && marker.id == id && marker.wrongCells == 0)
      #expect(marker.confidence > 0.8)
      for i in 0..<4 { #expect((marker.corners[i] - corners[i]).length < 0.15) }
    }
  }

  @Test func `without noise corners are right to a twentieth of a pixel`() throws {
    for side in [24.0, 40, 70] {
      let corners = square(Vector2(60.2, 59.6), side: side, degrees: 17)
      let image = Print(family: .grid4x4, id: 7, corners: corners).draw(width: 120, height: 120)
      let marker = try #require(markers(in: image, [.grid4x4Of50]).first)
      for i in 0..<4 { #expect((marker.corners[i] - corners[i]).length < 0.05) }
    }
  }

  /// In the small copies that large markers are found in, the margin is a pixel wide or less.
  @Test(arguments: [2.5, 4, 7, 11])
  func `a large marker parallel to the frame's end is found`(margin: Double) throws {
    let centers = [
      Vector2(120 + margin, 240), Vector2(519 - margin, 240), Vector2(300, 120 + margin), Vector2(300, 359 - margin),
    ]
    for center in centers {
      let corners = square(center, side: 240, degrees: 0, lean: 0)
      let image = Print(family: .grid6x6, id: 23, corners: corners).draw(width: 640, height: 480)
      let found = markers(in: image, [.grid6x6Of250])
      #expect(found.count == 1 && found.first?.id == 23)
    }
  }

  @Test func `what room was made for before changes nothing that is found`() throws {
    let corners = square(Vector2(130.2, 119.6), side: 110, degrees: 33)
    // Noisy enough to be smoothed, and large enough for two sizes.
    let image = Print(family: .grid4x4, id: 7, corners: corners).draw(width: 241, height: 220, noise: 8)
    let expected = markers(in: image, [.grid4x4Of50])
    #expect(expected.map(\.id) == [7])
    var found: [DetectedMarker] = []
    for sizes in [[(241, 220)], [(900, 700), (241, 220)], [(1, 1)], [(241, 220), (1000, 90)]] {
      var detector = MarkerDetector(dictionaries: [.grid4x4Of50])
      for (width, height) in sizes { detector.reserve(width: width, height: height) }
      image.withView { detector.detect(in: $0, into: &found) }
      #expect(found == expected, "\(sizes)")
    }
  }

  @Test func `a marker that fills pixels exactly has its corners between pixels`() throws {
    let corners = Quadrilateral(
      Vector2(19.5, 9.5),
      Vector2(79.5, 9.5),
      Vector2(79.5, 69.5),
      Vector2(19.5, 69.5)
    )
    let image = Print(family: .grid4x4, id: 3, corners: corners).draw(width: 100, height: 80)
    let marker = try #require(markers(in: image, [.grid4x4Of50]).first)
    for i in 0..<4 { #expect((marker.corners[i] - corners[i]).length < 0.02) }
  }

  @Test func `a large marker is found where the picture ends close behind its side`() throws {
    let corners = Quadrilateral(
      Vector2(413.2, 289),
      Vector2(602, 283.4),
      Vector2(611.2, 476.2),
      Vector2(419.3, 473)
    )
    let print = Print(family: .arucoOriginal, id: 242, corners: corners)
    let marker = try #require(markers(in: print.draw(width: 640, height: 480, noise: 2), [.arucoOriginal]).first)
    #expect(marker.id == 242)
    for i in 0..<4 { #expect((marker.corners[i] - corners[i]).length < 0.1) }
  }

  @Test(arguments: [MarkerDictionary.grid4x4Of50, .grid7x7Of1000])
  func `a large marker is found across the edge of a shadow`(dictionary: MarkerDictionary) {
    let corners = square(Vector2(230, 240), side: 200, degrees: 33)
    var image = Print(family: dictionary.family, id: 27, corners: corners).draw(width: 480, height: 480, noise: 1)
    for y in 0..<480 {
      for x in 0..<480 where 2 * x + y > 720 { image[x, y] = UInt8(0.45 * Double(image[x, y])) }
    }
    #expect(markers(in: image, [dictionary]).map { $0.id } == [27])
  }

  @Test func `faint markers and dark ones are found`() throws {
    for (dark, light) in [(100.0, 125.0), (5, 30), (230, 255)] {
      var print = Print(family: .grid6x6, id: 9, corners: square(Vector2(50, 50), side: 56, degrees: 30))
      (print.dark, print.light) = (dark, light)
      #expect(markers(in: print.draw(width: 100, height: 100), [.grid6x6Of250]).map { $0.id } == [9])
    }
  }

  @Test func `mirrored and inverted prints are no markers`() {
    for id in [0, 17, 249] {
      var print = Print(family: .grid6x6, id: id, corners: square(Vector2(50, 50), side: 56, degrees: 12))
      #expect(markers(in: print.draw(width: 100, height: 100), [.grid6x6Of250]).count == 1)
      print.isMirrored = true
      #expect(markers(in: print.draw(width: 100, height: 100), [.grid6x6Of250]).isEmpty)
      print.isMirrored = false
      print.isInverted = true
      #expect(markers(in: print.draw(width: 100, height: 100), [.grid6x6Of250]).isEmpty)
    }
  }

  @Test func `by choice mirrored and inverted prints are reported as such`() throws {
    for (isMirrored, isInverted) in [(true, false), (false, true), (true, true)] {
      let corners = square(Vector2(50, 50), side: 56, degrees: 12)
      var print = Print(family: .grid6x6, id: 17, corners: corners)
      (print.isMirrored, print.isInverted) = (isMirrored, isInverted)
      var parameters = MarkerDetector.Parameters()
      (parameters.findsMirrored, parameters.findsInverted) = (true, true)
      var detector = MarkerDetector(dictionaries: [.grid6x6Of250], parameters: parameters)
      var found: [DetectedMarker] = []
      print.draw(width: 100, height: 100).withView { detector.detect(in: $0, into: &found) }
      let marker = try #require(found.first)
      #expect(found.count == 1 && marker.id == 17)
      #expect(marker.isMirrored == isMirrored && marker.isInverted == isInverted)
      // The marker's own top left is at the top right of a mirrored print; corners go on clockwise as seen.
      for i in 0..<4 { #expect((marker.corners[i] - corners[isMirrored ? (i + 1) & 3 : i]).length < 0.5) }
    }
  }

  @Test func `small markers close beside a large one are found too`() {
    let large = square(Vector2(190, 150), side: 140, degrees: 8)
    let print = Print(family: .grid6x6, id: 11, corners: large)
    var image = print.draw(width: 400, height: 300)
    for (index, center) in [Vector2(84, 150), Vector2(292, 150), Vector2(190, 46), Vector2(190, 254)].enumerated() {
      let corners = square(center, side: 22, degrees: 8)
      let small = Print(family: .grid6x6, id: 20 + index, corners: corners).draw(width: 400, height: 300)
      let reach = 16
      for y in (Int(center.y) - reach)...(Int(center.y) + reach) {
        for x in (Int(center.x) - reach)...(Int(center.x) + reach) { image[x, y] = small[x, y] }
      }
    }
    let found = markers(in: image, [.grid6x6Of250])
    #expect(Set(found.map { $0.id }) == [11, 20, 21, 22, 23])
    #expect(found.count == 5)
  }

  @Test func `a marker cut off by the edge of the picture is not guessed`() {
    let corners = square(Vector2(20, 50), side: 56, degrees: 5)
    let image = Print(family: .grid6x6, id: 3, corners: corners).draw(width: 100, height: 100)
    #expect(markers(in: image, [.grid6x6Of250]).isEmpty)
  }

  @Test func `pictures without markers have none`() {
    var pictures = [
      GrayImage(width: 1, height: 1), GrayImage(width: 1, height: 200, level: 9), GrayImage(width: 200, height: 1),
      GrayImage(width: 90, height: 70), GrayImage(width: 90, height: 70, level: 255),
    ]
    var random = SplitMix64(seed: 5)
    var noise = GrayImage(width: 160, height: 120)
    var board = GrayImage(width: 160, height: 120)
    for y in 0..<120 {
      for x in 0..<160 {
        noise[x, y] = UInt8.random(in: 0...255, using: &random)
        board[x, y] = (x / 20 + y / 20) % 2 == 0 ? 30 : 220
      }
    }
    var square = GrayImage(width: 80, height: 80, level: 200)
    for y in 20..<60 { for x in 20..<60 { square[x, y] = 20 } }
    pictures += [noise, board, square]
    for picture in pictures { #expect(markers(in: picture, MarkerDictionary.allCases).isEmpty) }
  }

  @Test func `a view with a stride finds what the picture alone has`() throws {
    let corners = square(Vector2(50, 50), side: 56, degrees: 12)
    let image = Print(family: .apriltag36h11, id: 77, corners: corners).draw(width: 100, height: 100)
    var large = GrayImage(width: 137, height: 100, level: 128)
    for y in 0..<100 { for x in 0..<100 { large[x, y] = image[x, y] } }
    var detector = MarkerDetector(dictionaries: [.apriltag36h11, .grid4x4Of50])
    var (found, same): ([DetectedMarker], [DetectedMarker]) = ([], [])
    large.withView { detector.detect(in: $0.cropped(x: 0, y: 0, width: 100, height: 100), into: &found) }
    image.withView { detector.detect(in: $0, into: &same) }
    #expect(found == same && found.map { $0.id } == [77])
  }

  /// Counts what comes.
  private struct Count: MarkerStageSink {
    var (pictures, thresholds, outlines, quadrilaterals, edges) = (0, 0, 0, 0, 0)
    var markers: [DetectedMarker] = []

    mutating func add(_ stage: MarkerStage, picture: GrayView, scale: Int) {
      if stage == .picture { pictures += 1 } else { thresholds += 1 }
      #expect(picture.width * scale <= 100)
    }
    mutating func add(_ stage: MarkerStage, outline: UnsafeBufferPointer<Vector2>) { outlines += 1 }
    mutating func add(_ stage: MarkerStage, corners: Quadrilateral) {
      if stage == .edges { edges += 1 } else { quadrilaterals += 1 }
      for i in 0..<4 { #expect(corners[i].x > -2 && corners[i].x < 102) }
    }
    mutating func add(_ stage: MarkerStage, marker: DetectedMarker) { markers.append(marker) }
  }

  @Test func `a sink is told of every step`() {
    let corners = square(Vector2(50, 50), side: 56, degrees: 12)
    let image = Print(family: .apriltag36h11, id: 77, corners: corners).draw(width: 100, height: 100)
    var detector = MarkerDetector(dictionaries: [.apriltag36h11])
    var found: [DetectedMarker] = []
    var count = Count()
    image.withView { detector.detect(in: $0, into: &found, reporting: &count) }
    #expect(found.count == 1 && count.markers == found)
    #expect(count.pictures >= 1 && count.pictures == count.thresholds)
    #expect(count.outlines >= count.quadrilaterals && count.quadrilaterals >= count.edges && count.edges >= 1)
  }
}
