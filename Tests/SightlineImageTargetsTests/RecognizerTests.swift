import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct RecognizerTests {
  private func target(_ picture: GrayImage, _ name: String = "a") -> Target {
    picture.withView { TargetBuilder().build($0, name: Array(name.utf8)) }
  }

  /// A part of a picture.
  private func part(_ picture: GrayImage, x: Int, y: Int, width: Int, height: Int) -> GrayImage {
    var image = GrayImage(width: width, height: height)
    for v in 0..<height { for u in 0..<width { image[u, v] = picture[x + u, y + v] } }
    return image
  }

  @Test func `when all are asked for, a print without two opposite corners is found beside a whole one`() {
    let pictures = (0..<6).map { Posters.rich(width: 150, height: 110, seed: UInt64(500 + $0), shapes: 90) }
    let recognizer = TargetRecognizer(targets: pictures.enumerated().map { target($1, "\($0)") })
    // The second one reaches out of the frame: it has no two opposite corners there.
    let whole = Posters.quad(Vector2(140, 120), 210, 154, degrees: 8)
    let cut = Posters.quad(Vector2(430, 230), 300, 220, degrees: -6)
    let frame = Posters.frame([(pictures[1], whole), (pictures[4], cut)])
    var found: [TargetSighting] = []
    recognizer.looksForAll = true
    frame.withView { recognizer.recognize($0, into: &found) }
    #expect(found.map(\.target).sorted() == [1, 4])
    for sighting in found {
      let corners = sighting.corners(width: 150, height: 110)
      #expect(Posters.error(corners, sighting.target == 1 ? whole : cut) < 1)
    }
  }

  @Test(arguments: [false, true]) func `unless all are asked for, what one outline holds is enough`(all: Bool) {
    let pictures = (0..<6).map { Posters.rich(width: 150, height: 110, seed: UInt64(500 + $0), shapes: 90) }
    let recognizer = TargetRecognizer(targets: pictures.enumerated().map { target($1, "\($0)") })
    recognizer.looksForAll = all
    let whole = Posters.quad(Vector2(155, 135), 280, 205, degrees: 8)
    let cut = Posters.quad(Vector2(425, 290), 260, 190, degrees: -6)
    var found: [TargetSighting] = []
    Posters.frame([(pictures[1], whole), (pictures[4], cut)]).withView { recognizer.recognize($0, into: &found) }
    #expect(found.map(\.target).sorted() == (all ? [1, 4] : [1]))
  }

  /// Prints beside one another, four in a row.
  private func hung(_ pictures: [GrayImage], covered: Bool) -> GrayImage {
    let quads = pictures.indices.map {
      Posters.quad(Vector2(62 + 118 * Double($0 % 4), 95 + 165 * Double($0 / 4)), 102, 136, degrees: Double($0 % 3) - 1)
    }
    var frame = Posters.frame(Array(zip(pictures, quads)))
    guard covered else { return frame }
    // Two opposite corners of each, so that it has no outline.
    for quad in quads {
      for k in [0, 2] {
        for y in -18...18 {
          for x in -18...18 {
            let (u, v) = (Int(quad[k].x) + x, Int(quad[k].y) + y)
            if u >= 0, v >= 0, u < frame.width, v < frame.height { frame[u, v] = 128 }
          }
        }
      }
    }
    return frame
  }

  @Test func `where one print is found by its outline those beside it are as well`() {
    // Four are opened at most before the first of them was found beyond doubt.
    let pictures = (0..<6).map { Posters.rich(width: 160, height: 180, seed: UInt64(580 + $0), shapes: 12) }
    let quads = pictures.indices.map {
      Posters.quad(Vector2(82 + 158 * Double($0 % 3), 92 + 176 * Double($0 / 3)), 136, 153, degrees: Double($0 % 3) - 1)
    }
    let recognizer = TargetRecognizer(targets: pictures.enumerated().map { target($1, "\($0)") })
    var found: [TargetSighting] = []
    Posters.frame(Array(zip(pictures, quads))).withView { recognizer.recognize($0, into: &found) }
    #expect(found.count > 4)
  }

  @Test func `unless all are asked for, the likeliest are enough`() {
    let pictures = (0..<8).map { Posters.rich(width: 120, height: 160, seed: UInt64(560 + $0), shapes: 90) }
    let recognizer = TargetRecognizer(targets: pictures.enumerated().map { target($1, "\($0)") })
    let frame = hung(pictures, covered: true)
    var found: [TargetSighting] = []
    frame.withView { recognizer.recognize($0, into: &found) }
    #expect((1...4).contains(found.count))
    recognizer.looksForAll = true
    frame.withView { recognizer.recognize($0, into: &found) }
    #expect(found.count > 4)
  }

  @Test func `of a poster and a part of it the one that is shown is named`() {
    let poster = Posters.rich(width: 240, height: 180, seed: 520, shapes: 140)
    let inner = part(poster, x: 50, y: 40, width: 140, height: 105)
    var targets = (0..<4).map { target(Posters.rich(width: 150, height: 110, seed: UInt64(530 + $0)), "\($0)") }
    targets.append(target(inner, "part"))
    targets.append(target(poster, "whole"))
    let recognizer = TargetRecognizer(targets: targets)
    recognizer.looksForAll = true
    var found: [TargetSighting] = []
    let quad = Posters.quad(Vector2(240, 180), 320, 240, degrees: 12, lean: 0.1)
    Posters.frame([(poster, quad)]).withView { recognizer.recognize($0, into: &found) }
    #expect(found.map(\.target) == [5])
    #expect(Posters.error(found.first?.corners(width: 240, height: 180), quad) < 0.6)
    let small = Posters.quad(Vector2(240, 180), 210, 158, degrees: 12, lean: 0.1)
    Posters.frame([(inner, small)]).withView { recognizer.recognize($0, into: &found) }
    #expect(found.map(\.target) == [4])
    #expect(Posters.error(found.first?.corners(width: 140, height: 105), small) < 0.6)
  }

  @Test func `the index tells of the places that the target files have`() {
    for isExact in [true, false] {
      let targets = (0..<3).map { target(Posters.rich(width: 200, height: 150, seed: UInt64(540 + $0)), "\($0)") }
      let index = DescriptorIndex(targets, isExact: isExact)
      let places = FixedBuffer<Keypoint>(count: TargetFile.featureLimit, filledWith: .zero)
      for (owner, target) in targets.enumerated() {
        let features = target.features().features
        #expect(index.places(of: owner, into: places.base) == features.count)
        for (k, feature) in features.enumerated() {
          let place = places.base[k]
          #expect(abs(place.x - feature.x) < 1e-3 && abs(place.y - feature.y) < 1e-3)
          #expect(abs(place.size - feature.scale) < 1e-3 && abs(place.direction - feature.angle) < 1e-3)
        }
      }
    }
  }

  @Test func `sizes of a reference are the same in whichever order they are asked for`() {
    let picture = Posters.rich(width: 203, height: 151, seed: 550)
    let (down, up) = (ReferencePyramid(picture), ReferencePyramid(picture))
    let smallest = up.levels.indices.reversed().map { up.levels[$0].picture }
    #expect(down.levels.count > 5)
    for (index, level) in down.levels.enumerated() {
      let (a, b) = (level.picture, smallest[down.levels.count - 1 - index])
      #expect(a.width == b.width && a.height == b.height)
      #expect((0..<(a.width * a.height)).allSatisfy { a.pixels.base[$0] == b.pixels.base[$0] })
      #expect(abs(level.ratio.x * down.width - Double(a.width)) < 1e-9)
    }
  }
}
