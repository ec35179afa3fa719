import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What is believed of a print that was aligned: where it ends, and where it disagrees.
@Suite struct VerificationTests {
  private let width = 300
  private let height = 220

  /// What the outline says where a picture is thought to be, moved along both axes.
  private func outline(
    _ picture: GrayImage,
    at corners: InlineArray<4, Vector2>,
    in frame: GrayImage,
    moved: Double = 0
  ) -> BoundaryCheck.Result {
    let move = Homography(Matrix3(rows: Vector3(1, 0, moved), Vector3(0, 1, moved), Vector3(0, 0, 1)))
    let map = (move * Posters.map(of: picture, to: corners)).scaled
    return frame.withView { BoundaryCheck.look(ReferencePyramid(picture), map, contrast: 1, in: $0) }
  }

  /// A picture with another one in a rectangle of it.
  private func pasted(_ picture: GrayImage, _ other: GrayImage, x: Range<Int>, y: Range<Int>) -> GrayImage {
    var image = picture
    for v in y { for u in x { image[u, v] = other[u, v] } }
    return image
  }

  @Test func `the outline is found where it is, not beside it, and not of what has none`() {
    let poster = Posters.rich(seed: 3)
    let corners: InlineArray<4, Vector2> = [
      Vector2(120, 80), Vector2(350, 95), Vector2(340, 280), Vector2(110, 260),
    ]
    let frame = Posters.frame([(poster, corners)])
    #expect(outline(poster, at: corners, in: frame).share > 0.8)
    #expect(outline(poster, at: corners, in: frame, moved: 9).share < 0.4)
    let none = outline(poster, at: corners, in: GrayImage(width: 480, height: 360, level: 100))
    #expect(none.found == 0 && none.looked == 80)
  }

  @Test func `a dark frame inside a print is no end of it, and grain of the wall hides none`() throws {
    var painting = Posters.rich(width: width, height: height, seed: 21)
    for y in 0..<height {
      for x in 0..<width where min(x, y, width - 1 - x, height - 1 - y) < 7 { painting[x, y] = 60 }
    }
    let corners = Posters.quad(Vector2(240, 180), 200, 147, degrees: 14)
    var frame = Posters.frame([(painting, corners)], wall: 120)
    var random = SplitMix64(seed: 5)
    let back = try #require(Posters.map(of: painting, to: corners).inverse)
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        guard let q = back(Vector2(Double(x), Double(y))) else { continue }
        let isWall = q.x < -1 || q.y < -1 || q.x > Double(width) || q.y > Double(height)
        if isWall { frame[x, y] = UInt8.random(in: 90...150, using: &random) }
      }
    }
    let found = outline(painting, at: corners, in: frame)
    #expect(found.share > 0.9)
    // Another print, with a light margin where this one has its frame, does not end there, though there is an edge.
    var light = painting
    for y in 0..<height {
      for x in 0..<width where min(x, y, width - 1 - x, height - 1 - y) < 7 { light[x, y] = 240 }
    }
    #expect(outline(light, at: corners, in: frame).share < 0.4)
  }

  @Test func `a picture that goes on has no end where its part would`() {
    let whole = Posters.rich(width: 420, height: 320, seed: 22, shapes: 300)
    var part = GrayImage(width: 210, height: 160)
    for v in 0..<160 { for u in 0..<210 { part[u, v] = whole[100 + u, 80 + v] } }
    let frame = Posters.frame([(whole, Posters.quad(Vector2(240, 180), 420, 320))])
    let at = Posters.quad(Vector2(240 - 210 + 100 + 105, 180 - 160 + 80 + 80), 210, 160)
    let alone = Posters.frame([(part, at)])
    #expect(outline(part, at: at, in: frame).share < 0.6)
    #expect(outline(part, at: at, in: alone).share > 0.8)
  }

  @Test func `what the frame's end cuts says nothing`() {
    let poster = Posters.rich(seed: 23)
    let found = outline(
      poster,
      at: Posters.quad(Vector2(0, 180), 280, 210),
      in: Posters.frame([(poster, Posters.quad(Vector2(0, 180), 280, 210))])
    )
    #expect(found.looked < 60 && found.looked > 30)
    #expect(found.found > found.looked * 3 / 4)
    #expect((60..<80).allSatisfy { found.places[$0] == .unseen })
  }

  @Test func `another print ends where the print would, and what covers it does not`() {
    let poster = Posters.rich(width: width, height: height, seed: 28, shapes: 200)
    let corners = Posters.quad(Vector2(240, 180), 270, 198)
    let plain = GrayImage(width: width, height: height, level: 40)
    let another = outline(poster, at: corners, in: Posters.frame([(plain, corners)], wall: 120)).places
    let ends = (0..<80).count { another[$0] == .endsOtherwise }
    #expect(ends > 8 && (0..<80).count { another[$0] == .differs } < ends / 2)
    // Over the left half of the print, and over the wall beside it.
    let hand = Posters.quad(Vector2(100, 180), 270, 340)
    let covered = outline(poster, at: corners, in: Posters.frame([(poster, corners), (plain, hand)], wall: 120)).places
    #expect((60..<80).count { covered[$0] == .differs } > 2)
    #expect((60..<80).allSatisfy { covered[$0] != .endsOtherwise && covered[$0] != .ends })
    #expect((20..<40).count { covered[$0] == .ends } > 15)
  }

  /// Patches all over, those of some cells disagreeing.
  private func mismatch(_ isBad: (_ column: Int, _ row: Int) -> Bool) -> MismatchMap {
    var result = MismatchMap()
    for i in 0..<256 {
      let (x, y) = ((Double(i & 15) + 0.5) / 16, (Double(i >> 4) + 0.5) / 16)
      result.add(x: x, y: y, weight: 2, isAgreeing: !isBad(Int(x * 8), Int(y * 8)))
    }
    return result
  }

  @Test func `mismatch is enclosed where the outline beside it is seen`() {
    var outline = BoundaryCheck.Result()
    for i in 0..<80 { outline.places[i] = .ends }
    // Inside, up to two sides, and in two regions of which one touches nothing.
    #expect(abs(mismatch { $0 > 1 && $0 < 6 && $1 > 2 && $1 < 5 }.enclosed(outline) - 8.0 / 64) < 1e-6)
    #expect(abs(mismatch { $1 > 2 && $1 < 5 }.enclosed(outline) - 16.0 / 64) < 1e-6)
    #expect(mismatch { _, _ in false }.enclosed(outline) == 0)
    // Something comes in from the right: there the outline is hidden.
    for i in 20..<40 { outline.places[i] = .differs }
    #expect(mismatch { column, row in column > 3 && row > 0 && row < 7 }.enclosed(outline) < 1e-6)
    // Another print ends there.
    for i in 20..<40 { outline.places[i] = .endsOtherwise }
    #expect(abs(mismatch { column, row in column > 3 && row > 0 && row < 7 }.enclosed(outline) - 24.0 / 64) < 1e-6)
    for i in 20..<40 { outline.places[i] = .differs }
    let two = mismatch { column, row in column == 7 && row > 2 || column == 2 && row == 4 }
    // Of the one at the edge the lowest cell also lies at the lower side, where the outline is seen.
    #expect(abs(two.enclosed(outline) - (5.0 / 64 * 3 / 18 + 1.0 / 64)) < 1e-6)
    // Cells that touch by a corner only are regions of their own.
    for i in 0..<80 { outline.places[i] = .unseen }
    let corner = mismatch { column, row in (column, row) == (0, 0) || (column, row) == (1, 1) }
    #expect(abs(corner.enclosed(outline) - (0.35 + 1) / 64) < 1e-6)
    #expect(MismatchMap().enclosed(outline) == 0)
  }

  @Test func `mismatch is enclosed as far as it is larger than what comes in where the outline is hidden`() {
    var outline = BoundaryCheck.Result()
    for i in 0..<80 { outline.places[i] = .ends }
    // Three of 20 places of the right side are hidden, one cell's; 25 cells disagree.
    for i in 27..<30 { outline.places[i] = .differs }
    #expect(abs(outline.differing - 3.0 / 80) < 1e-9)
    let large = mismatch { column, row in column > 0 && column < 7 && row > 1 && row < 6 || (column, row) == (7, 3) }
    #expect(abs(large.enclosed(outline) - (25.0 / 64 - 1.0 / 8)) < 1e-6)
    // As much of it as a strip that wide holds may be covered.
    #expect(mismatch { column, row in row == 3 && column > 0 }.enclosed(outline) < 1e-6)
    // Where it agrees up to the outline and nothing tells that the print ends, a third as much may come in.
    for i in 27..<30 { outline.places[i] = .goesOn }
    #expect(abs(large.enclosed(outline) - (25.0 / 64 - 0.35 / 8)) < 1e-6)
  }

  /// A hypothesis aligned, changed and verified; `nil` when the frame does not agree.
  private func verdict(
    _ detector: TargetDetector,
    _ target: Int,
    _ hypothesis: Hypothesis,
    _ change: (inout Alignment) -> Void = { _ in }
  ) -> Alignment? {
    let (model, frames) = (detector.models[target], detector.frames)
    let candidate = Candidate(target: target, hypothesis: hypothesis)
    guard var alignment = CoarseToFineAlignment(candidate, model.extent, frames) else { return nil }
    while true {
      switch alignment.advance(detector.aligner, model.pyramid, frames) {
      case .going: continue
      case .failed: return nil
      case .aligned(var found, let comparison):
        change(&found)
        let result = detector.verifier(found, comparison, model.pyramid, frames, level: alignment.finest)
        if case .accepted = result { return found }
        return nil
      }
    }
  }

  @Test func `a steep print is aligned whose horizon passes between it and the frame's first pixel`() throws {
    let poster = Posters.rich(width: width, height: height, seed: 33, shapes: 160)
    let detector = TargetDetector(
      models: [TargetModel(poster.withView { TargetBuilder().build($0, name: [97]) })],
      aligner: Aligner()
    )
    // Its left side is far away, its right one near.
    let corners: InlineArray<4, Vector2> = [
      Vector2(190, 150), Vector2(370, 60), Vector2(370, 330), Vector2(190, 240),
    ]
    let map = Posters.map(of: poster, to: corners)
    // Seen back from the frame, the first pixel lies behind the camera.
    let back = try #require(map.inverse).scaled
    #expect(back(.zero) == nil && back(Vector2(300, 200)) != nil && map.inverse?.matrix.row2.z ?? 0 < 0)
    Posters.frame([(poster, corners)]).withView { detector.frames.set($0) }
    let found = verdict(detector, 0, Hypothesis(frameFromReference: map, matchInliers: 30, weight: 10))
    #expect((found?.inlierRatio ?? 0) > 0.9)
    let foundCorners = found?.frameFromReference.corners(width: Double(width), height: Double(height))
    #expect(Posters.error(foundCorners, corners) < 0.5)
    let inFrame = detector.frames.levels[0].withView {
      BoundaryCheck.look(ReferencePyramid(poster), map, contrast: 1, in: $0)
    }
    #expect(inFrame.share > 0.8)
  }

  @Test func `a covered poster is believed, another of its layout is not`() {
    let poster = Posters.rich(width: width, height: height, seed: 24, shapes: 160)
    let other = Posters.rich(width: width, height: height, seed: 25, shapes: 160)
    let target = poster.withView { TargetBuilder().build($0, name: [97]) }
    let another = other.withView { TargetBuilder().build($0, name: [98]) }
    // Among forty: the more there are, the more is wanted.
    let targets = [target] + [Target](repeating: another, count: 39)
    let detector = TargetDetector(models: targets.map { TargetModel($0) }, aligner: Aligner())
    let corners = Posters.quad(Vector2(240, 180), 270, 198, degrees: 5)
    func look(_ shown: GrayImage, under hand: InlineArray<4, Vector2>? = nil) -> Alignment? {
      let skin = GrayImage(width: width, height: height, level: 130)
      Posters.frame([(shown, corners)] + (hand.map { [(skin, $0)] } ?? [])).withView { detector.frames.set($0) }
      let hypothesis = Hypothesis(
        frameFromReference: Posters.map(of: poster, to: corners),
        matchInliers: 30,
        weight: 10
      )
      return verdict(detector, 0, hypothesis)
    }
    let sibling = pasted(poster, other, x: 36..<264, y: 62..<158)
    #expect(look(sibling) == nil)
    // As much of it is hidden, from beyond the left lower corner on.
    let found = look(poster, under: Posters.quad(Vector2(140, 270), 200, 240, degrees: 5))
    #expect((found?.inlierRatio ?? 0) < 0.8)
    let foundCorners = found?.frameFromReference.corners(width: Double(width), height: Double(height))
    #expect(Posters.error(foundCorners, corners) < 0.5)
    #expect((look(poster)?.inlierRatio ?? 0) > 0.95)
  }

  @Test func `what a searched blur makes agree is believed for many matches or for its outline`() {
    let poster = Posters.rich(width: width, height: height, seed: 35, shapes: 160)
    let target = poster.withView { TargetBuilder().build($0, name: [97]) }
    let models = [Target](repeating: target, count: 20).map { TargetModel($0) }
    let detector = TargetDetector(models: models, aligner: Aligner())
    func isBelieved(side: Double, matches: Int, blur: Vector2?) -> Bool {
      let corners = Posters.quad(Vector2(240, 180), side, side * 220 / 300)
      Posters.frame([(poster, corners)]).withView { detector.frames.set($0) }
      let map = Posters.map(of: poster, to: corners)
      let hypothesis = Hypothesis(frameFromReference: map, matchInliers: matches, weight: 10)
      return verdict(detector, 0, hypothesis) { $0.blurVector = blur } != nil
    }
    // So near that its outline lies beside the frame.
    let blur = Vector2(16, 0)
    #expect(isBelieved(side: 700, matches: 5, blur: nil))
    #expect(!isBelieved(side: 700, matches: 5, blur: blur))
    #expect(isBelieved(side: 700, matches: 30, blur: blur))
    #expect(isBelieved(side: 270, matches: 5, blur: blur))
  }

  @Test func `a print with little in one place is believed for its whole outline, and without one it is not`() {
    // A line of pictures and a shorter one below it, on plain paper.
    let rich = Posters.rich(width: width, height: height, seed: 27, shapes: 160)
    let paper = GrayImage(width: width, height: height, level: 190)
    let print = pasted(pasted(paper, rich, x: 30..<270, y: 60..<106), rich, x: 80..<220, y: 114..<150)
    let target = print.withView { TargetBuilder().build($0, name: [97]) }
    let detector = TargetDetector(models: [TargetModel(target)], aligner: Aligner())
    let corners = Posters.quad(Vector2(240, 180), 270, 198, degrees: 5)
    func look(wall: Double) -> Alignment? {
      Posters.frame([(print, corners)], wall: wall).withView { detector.frames.set($0) }
      // Nothing but an outline speaks for it.
      let hypothesis = Hypothesis(frameFromReference: Posters.map(of: print, to: corners), matchInliers: 0, weight: 0)
      return verdict(detector, 0, hypothesis)
    }
    let found = look(wall: 70)
    #expect((found?.coverage ?? 1) < 0.5)
    let foundCorners = found?.frameFromReference.corners(width: Double(width), height: Double(height))
    #expect(Posters.error(foundCorners, corners) < 0.5)
    #expect(look(wall: 190) == nil)
  }

  @Test func `a near miss is accepted when no other target competes with it`() {
    let picture = Posters.rich(width: 120, height: 90, seed: 26, shapes: 60).withView {
      TargetBuilder().build($0, name: [97])
    }
    let models = [Target](repeating: picture, count: 30).map { TargetModel($0) }
    var detections = DetectionSet(models: models, hasMany: true)
    let (width, height) = (Double(picture.referenceWidth), Double(picture.referenceHeight))
    func reject(_ target: Int, x: Double, ratio: Double, margin: Double, matches: Int = 9) {
      let unit = Homography(
        Matrix3(rows: Vector3(100 / width, 0, x), Vector3(0, 80 / height, 50), Vector3(0, 0, 1))
      )
      var alignment = Alignment(frameFromReference: unit)
      (alignment.inlierRatio, alignment.matchInliers) = (ratio, matches)
      let hypothesis = Hypothesis(frameFromReference: unit, matchInliers: matches, weight: 1)
      let candidate = Candidate(target: target, hypothesis: hypothesis, fit: 0.5)
      detections.reject(candidate, alignment, .deferred(score: 0, margin: margin))
    }
    func accepted() -> [Int] {
      detections.acceptDeferred()
      defer { detections.removeAll() }
      return detections.found.map(\.target)
    }
    reject(1, x: 20, ratio: 0.98, margin: -0.7)
    #expect(accepted() == [1])
    // Another one beside it that agrees nowhere near does not matter, one that has too little to say neither.
    reject(1, x: 20, ratio: 0.98, margin: -0.7)
    reject(2, x: 200, ratio: 0.6, margin: -.infinity)
    reject(3, x: 25, ratio: 0.3, margin: -.infinity)
    #expect(accepted() == [1])
    // Another one in its place does.
    reject(1, x: 20, ratio: 0.98, margin: -0.7)
    reject(2, x: 30, ratio: 0.6, margin: -.infinity)
    #expect(accepted().isEmpty)
    // What is covered has to come nearer; what only a quadrilateral speaks for does not come near enough.
    reject(1, x: 20, ratio: 0.6, margin: -0.7)
    #expect(accepted().isEmpty)
    reject(1, x: 20, ratio: 0.6, margin: -0.3)
    reject(2, x: 200, ratio: 0.95, margin: -0.5)
    #expect(accepted() == [1])
    reject(1, x: 20, ratio: 0.98, margin: -0.1, matches: 0)
    #expect(accepted().isEmpty)
    // Not beside something that was found.
    reject(1, x: 20, ratio: 0.98, margin: -0.1)
    detections.insert(Detection(target: 5, alignment: Alignment(frameFromReference: Homography(.identity)), fit: 1))
    #expect(accepted() == [5])
    // Among few targets none is.
    detections = DetectionSet(models: models, hasMany: false)
    reject(1, x: 20, ratio: 0.98, margin: -0.1)
    #expect(accepted().isEmpty)
  }

  @Test func `of two detections in one place that stays which explains more of the frame`() {
    let picture = Posters.rich(width: 120, height: 90, seed: 26, shapes: 60).withView {
      TargetBuilder().build($0, name: [97])
    }
    var detections = DetectionSet(models: (0..<3).map { _ in TargetModel(picture) }, hasMany: false)
    func found(_ target: Int, x: Double, side: Double, ratio: Double) -> Detection {
      let scale = side / Double(picture.referenceWidth)
      let map = Homography(Matrix3(rows: Vector3(scale, 0, x), Vector3(0, scale, 50), Vector3(0, 0, 1)))
      var alignment = Alignment(frameFromReference: map)
      (alignment.inlierRatio, alignment.score) = (ratio, 2)
      return Detection(target: target, alignment: alignment, fit: 0.8)
    }
    // A part of what another shows agrees wholly, on less.
    detections.insert(found(0, x: 40, side: 60, ratio: 0.98))
    detections.insert(found(1, x: 20, side: 110, ratio: 0.85))
    detections.insert(found(2, x: 300, side: 110, ratio: 0.7))
    #expect(detections.found.map(\.target) == [1, 2])
    detections.insert(found(0, x: 40, side: 60, ratio: 0.98))
    #expect(detections.found.map(\.target) == [1, 2])
    #expect(
      detections.isTaken(
        Candidate(
          target: 0,
          hypothesis: .init(
            frameFromReference: found(0, x: 290, side: 90, ratio: 1).alignment.frameFromReference,
            matchInliers: 3,
            weight: 1
          )
        )
      )
    )
  }
}
