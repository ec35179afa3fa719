import SightlineContent
import SightlineFormats

/// What has to hold of the reader of a world's document.
enum DocumentChecks {
  /// The reading of an input: a refusal has a reason, what was made is bounded and finite, and can be written and read
  /// again to the same; without `settles` only read again.
  static func check(
    _ input: [UInt8],
    _ reading: Reading,
    settles: Bool = true,
    write: (Dimension) -> Writing,
    read: ([UInt8]) -> Reading
  ) throws(Finding) -> Outcome {
    try problems(reading.problems, input)
    guard let dimension = reading.dimension else {
      try require(reading.problems.contains { $0.severity == .error }, "refused without a reason")
      return .refused
    }
    try bounded(dimension, input)
    let written = write(dimension)
    guard let again = read(written.bytes).dimension else { throw Finding("not readable again", written.text) }
    guard settles else { return .accepted }
    var last = written
    var next = write(again)
    // A format that cannot hold everything may say it in another way, and that again; after a few times it has to stay so.
    var rounds = 0
    while next.bytes != last.bytes {
      guard rounds < 5 else { throw Finding("differs each time it is written", "\(last.text)\n---\n\(next.text)") }
      guard let further = read(next.bytes).dimension else { throw Finding("not readable again", next.text) }
      (last, next) = (next, write(further))
      rounds += 1
    }
    return .accepted
  }

  /// Findings are sentences, of bounded number and length.
  static func problems(_ problems: [Problem], _ input: [UInt8]) throws(Finding) {
    try require(problems.count <= 2_100, "too many findings", "\(problems.count)")
    var bytes = 0
    for problem in problems {
      bytes += problem.message.utf8.count + problem.path.utf8.count
      if let line = problem.line { try require(line >= 1, "a line before the first", "\(problem)") }
      try require(!problem.code.isEmpty && !problem.message.isEmpty, "a finding without words", "\(problem)")
    }
    try require(bytes <= 16 * input.count + 4 << 20, "findings swell", "\(bytes) bytes of \(input.count)")
  }

  /// What was made is not much more than what was given, and every number is one.
  static func bounded(_ dimension: Dimension, _ input: [UInt8]) throws(Finding) {
    var (text, positions) = (0, 0)
    for place in dimension.places {
      text += place.title.utf8.count + (place.summary?.utf8.count ?? 0)
      for category in place.categories { text += category.utf8.count }
      for (key, value) in place.metadata { text += key.utf8.count + value.utf8.count }
      if let position = place.position { try onEarth(position) }
      for value in [place.offset.east, place.offset.north, place.offset.up, place.visibilityRadius ?? 0] {
        try require(value.isFinite, "a number that is none", "\(place)")
      }
      if case .model(_, let x, let y, let z, let scale) = place.visual {
        try require((x + y + z + scale).isFinite, "a number that is none", "\(place.visual)")
      }
      for shape in place.shapes ?? [] {
        for part in shape.parts {
          positions += part.count
          for position in part { try onEarth(position) }
        }
      }
    }
    try require(text <= 4 * input.count + 2 << 20, "text swells", "\(text) bytes of \(input.count)")
    try require(positions <= input.count / 2 + 20_000, "positions swell", "\(positions) of \(input.count) bytes")
    try require(dimension.places.count <= input.count / 2 + 2_000, "places swell", "\(dimension.places.count)")
  }

  private static func onEarth(_ position: Position) throws(Finding) {
    try require(
      abs(position.latitude) <= 90 && abs(position.longitude) <= 180 && position.altitude?.isFinite != false,
      "a position that is none",
      "\(position)"
    )
  }
}
