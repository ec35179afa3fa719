import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What is counted, so that no frame takes much longer than others.
@Suite struct SearchBudgetTests {
  private func targets(_ seeds: [UInt64]) -> [Target] {
    seeds.map { seed in
      Posters.rich(width: 200, height: 150, seed: seed).withView {
        TargetBuilder().build($0, name: Array("\(seed)".utf8))
      }
    }
  }

  /// Two posters on a wall, small enough that both are whole in the frame.
  private func frame(_ seeds: [UInt64], shift: Double = 0, seed: UInt64 = 1) -> GrayImage {
    let places = [Vector2(100 + shift, 90), Vector2(230 + shift, 150)]
    return Posters.frame(
      zip(seeds, places).map {
        (Posters.rich(width: 200, height: 150, seed: $0), Posters.quad($1, 130, 98, degrees: 7))
      },
      width: 320,
      height: 240,
      seed: seed
    )
  }

  /// All that a search in a frame takes in pieces of some work, and what it finds.
  private func search(
    _ targets: [Target],
    _ frame: GrayImage,
    byOutlines: Bool,
    work: Int
  ) -> (pieces: [Int], found: [Detection]) {
    let detector = TargetDetector(models: targets.map { TargetModel($0) }, aligner: Aligner())
    var effort = SearchEffort()
    effort.isByQuads = byOutlines
    frame.withView {
      detector.begin($0, isWanted: [Bool](repeating: true, count: targets.count), effort: effort)
    }
    var (pieces, found): ([Int], [Detection]) = ([], [])
    while detector.isSearching {
      var budget = WorkBudget(work)
      detector.advance(&budget, into: &found)
      pieces.append(work - budget.remaining)
    }
    return (pieces, found)
  }

  @Test(arguments: [[5, 6], [5, 6, 7, 8, 9, 10]], [false, true])
  func `how a search is cut into frames does not change what it finds or what it takes`(
    seeds: [UInt64],
    byOutlines: Bool
  ) {
    let (targets, frame) = (targets(seeds), frame([5, 6]))
    let whole = search(targets, frame, byOutlines: byOutlines, work: .max)
    #expect(whole.pieces.count == 1)
    #expect(whole.found.count == 2 || byOutlines && whole.found.count >= 1)
    for work in [1, 300, 1500] {
      let cut = search(targets, frame, byOutlines: byOutlines, work: work)
      #expect(cut.pieces.count > 1)
      #expect(cut.pieces.reduce(0, +) == whole.pieces[0])
      #expect(cut.found.map { $0.target } == whole.found.map { $0.target })
      for (a, b) in zip(cut.found, whole.found) {
        #expect(a.alignment.frameFromReference == b.alignment.frameFromReference)
        #expect(a.alignment.score == b.alignment.score)
      }
    }
  }

  @Test func `no piece of a search exceeds what it may take by more than one step`() throws {
    let (targets, frame) = (targets([5, 6, 7, 8, 9, 10]), frame([5, 6]))
    let steps = search(targets, frame, byOutlines: false, work: 1).pieces
    let longest = try #require(steps.max())
    #expect(longest == WorkCost.decoding)
    // Making a picture ready aside, steps are a tenth of a frame's work at most.
    #expect(steps.filter { $0 < WorkCost.decoding }.allSatisfy { $0 <= 1100 })
    for work in [900, 5000] {
      for piece in search(targets, frame, byOutlines: false, work: work).pieces {
        #expect(piece <= max(work + 1100, WorkCost.decoding))
      }
    }
  }

  /// Two targets come into view, are lost together, and come back.
  @Test(arguments: [40, 100])
  func `no frame of a sequence takes more than its work and one step`(work: Int) {
    var parameters = TargetTracker.Parameters()
    parameters.searchWork = work
    let tracker = TargetTracker(targets: targets([5, 6]), parameters: parameters)
    var (found, seen, most): ([TargetSighting], Int, Int) = ([], 0, 0)
    let shown = frame([5, 6])
    let empty = GrayImage(width: 320, height: 240, level: 90)
    for k in 0..<30 {
      let isEmpty = (8..<18).contains(k)
      (isEmpty ? empty : shown).withView { tracker.process($0, time: Double(k) / 30, into: &found) }
      if k == 7 || k == 29 { seen += found.count { $0.state == .tracked } }
      if isEmpty && k > 12 { #expect(found.isEmpty) }
      most = max(most, tracker.frameWork)
      #expect(tracker.frameWork <= 100 * work + 1100)
    }
    #expect(seen == 4)
    #expect(most > 50 * work)
  }
}
