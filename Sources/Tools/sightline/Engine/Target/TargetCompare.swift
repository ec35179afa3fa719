import ArgumentParser
import Foundation
import SightlineBaselines
import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMath
import SightlinePictures

/// `sightline target compare`.
struct TargetCompare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Find a picture in frames by several methods, with times and numbers of features, for study.",
    discussion: """
      One line of JSON for each method and frame: {"method","frame","milliseconds","keypoints","descriptors","matching",\
      "found","matches","corners"}; times in milliseconds of this thread, corners null when nothing was found. Methods: \
      sightline (the product's tracker), sightline-search (its search alone, each frame for itself), fast-bf-cross, fast-bf-ratio \
      and fast-lsh (FAST corners with turned binary descriptors, matched by brute force or by hashing), template (the picture as \
      it is at five sizes).
      """
  )

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case sightline, template
    case search = "sightline-search"
    case cross = "fast-bf-cross"
    case ratio = "fast-bf-ratio"
    case hashed = "fast-lsh"
  }

  @Option(help: ArgumentHelp("The picture.", valueName: "image"))
  var pattern: String

  @Option(help: ArgumentHelp("A method; may be given several times. Without: all.", valueName: "name"))
  var method: [Method] = []

  @Argument(help: ArgumentHelp("Folder of frames, a video, or a recorded session.", valueName: "frames"))
  var frames: String

  /// What a method found in a frame, and what it took.
  private struct Row {
    var corners: InlineArray<4, Vector2>?
    var keypoints = 0.0
    var descriptors = 0.0
    var matching = 0.0
    var found = 0
    var matches = 0
  }

  func run() throws {
    let picture = try TargetFiles.picture(pattern)
    for method in method.isEmpty ? Method.allCases : method {
      let look = try TargetFiles.withView(picture) { prepared(method, $0) }
      var index = 0
      try FrameSource.forEach(in: frames, rate: 30) { frame in
        var row = Row()
        var elapsed = 0.0
        try TargetFiles.withView(frame.picture) { view in
          let start = threadMilliseconds()
          row = look(view, frame.time)
          elapsed = threadMilliseconds() - start
        }
        Console.say(line(method, index, elapsed, row))
        index += 1
      }
      if index == 0 { throw Failure("\(frames): no frames (*.jpg, *.png, *.pgm, *.webp) in it.") }
    }
  }

  private func line(_ method: Method, _ index: Int, _ elapsed: Double, _ row: Row) -> String {
    var corners = "null"
    if let q = row.corners {
      corners = "[\((0..<4).map { "[\(fixed(q[$0].x, 3)), \(fixed(q[$0].y, 3))]" }.joined(separator: ", "))]"
    }
    return "{\"method\": \"\(method.rawValue)\", \"frame\": \(index), \"milliseconds\": \(fixed(elapsed, 3)), "
      + "\"keypoints\": \(fixed(row.keypoints, 3)), \"descriptors\": \(fixed(row.descriptors, 3)), "
      + "\"matching\": \(fixed(row.matching, 3)), \"found\": \(row.found), \"matches\": \(row.matches), "
      + "\"corners\": \(corners)}"
  }

  /// A method made ready for a picture.
  private func prepared(_ method: Method, _ picture: GrayView) -> (GrayView, Double) -> Row {
    let (width, height) = (picture.width, picture.height)
    switch method {
    case .sightline, .search:
      let target = TargetBuilder().build(picture, name: Array("pattern".utf8))
      let tracker = TargetTracker(targets: [target])
      let recognizer = TargetRecognizer(targets: [target])
      return { view, time in
        var sightings: [TargetSighting] = []
        if method == .sightline {
          tracker.process(view, time: time, into: &sightings)
        } else {
          recognizer.recognize(view, into: &sightings)
        }
        guard let seen = sightings.first, seen.state != .extrapolated else { return Row() }
        return Row(corners: seen.corners(width: width, height: height), matches: seen.inlierCount)
      }
    case .template:
      let search = TemplateSearch(picture)
      return { view, _ in
        guard let found = search.search(view), found.correlation > 0.5 else { return Row() }
        let (w, h) = (Double(width) * found.scale, Double(height) * found.scale)
        let (x, y) = (found.x - 0.5, found.y - 0.5)
        return Row(corners: [Vector2(x, y), Vector2(x + w, y), Vector2(x + w, y + h), Vector2(x, y + h)], matches: 1)
      }
    case .cross, .ratio, .hashed:
      let extractor = BinaryFeatureExtractor()
      var known = extractor.detect(picture)
      extractor.describe(&known)
      return { [known] view, _ in matched(view, known, method, extractor, width, height) }
    }
  }

  private func matched(
    _ view: GrayView,
    _ known: [BinaryFeature],
    _ method: Method,
    _ extractor: BinaryFeatureExtractor,
    _ width: Int,
    _ height: Int
  ) -> Row {
    var row = Row()
    let start = threadMilliseconds()
    var features = extractor.detect(view)
    let detected = threadMilliseconds()
    extractor.describe(&features)
    let described = threadMilliseconds()
    let matches =
      switch method {
      case .cross: BinaryMatcher.bruteForce(known, features, test: .crossCheck)
      case .ratio: BinaryMatcher.bruteForce(known, features, test: .ratio(0.8))
      default: BinaryMatcher.hashed(known, features, test: .ratio(0.8))
      }
    let found = Homography.robust(
      from: matches.map { Vector2(known[$0.first].x, known[$0.first].y) },
      to: matches.map { Vector2(features[$0.second].x, features[$0.second].y) }
    )
    (row.keypoints, row.descriptors) = (detected - start, described - detected)
    row.matching = threadMilliseconds() - described
    (row.found, row.matches) = (features.count, found?.inlierCount ?? 0)
    if let map = found?.map {
      let (w, h) = (Double(width) - 0.5, Double(height) - 0.5)
      if let a = map(Vector2(-0.5, -0.5)), let b = map(Vector2(w, -0.5)), let c = map(Vector2(w, h)),
        let d = map(Vector2(-0.5, h))
      {
        row.corners = [a, b, c, d]
      }
    }
    return row
  }
}
