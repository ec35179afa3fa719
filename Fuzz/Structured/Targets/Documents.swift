import SightlineContent
import SightlineFormats

/// A format of world documents: samples, their writing, and the reader.
protocol DocumentTarget: StructuredTarget {
  static var isJSON: Bool { get }
  static var samples: [String] { get }
  var sampler: Sampler { get }
  var breaker: Breaker { get }
  func read(_ input: [UInt8]) -> Reading
  func write(_ dimension: Dimension) -> Writing
}

extension DocumentTarget {
  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    // One in 200 documents is large.
    var tree = sampler.document(&random, most: random.once(in: 200) ? 2_000 : random.number(in: 10...50))
    breaker.breakTree(&tree, &random)
    if Self.isJSON {
      tree.json(into: &out)
    } else {
      tree.xml(into: &out)
    }
    breaker.breakBytes(&out, &random)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    try DocumentChecks.check(input, read(input), write: { write($0) }, read: { read($0) })
  }

  static func makeSampler() -> Sampler {
    Sampler(
      ["Fuzz/Structured/Samples/\(name)", "Fixtures/\(name)", "Fixtures/demo"],
      samples,
      isJSON: isJSON
    )
  }
}

struct GDDFTarget: DocumentTarget {
  static let name = "gddf"
  static let isJSON = false
  static let samples = [".gddf"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    var options = ReadingOptions(baseURL: "http://a.example/b/c?d")
    options.axes = input.count.isMultiple(of: 2) ? .enu : .gamaray
    return GDDFReader.read(input, options: options)
  }
  func write(_ dimension: Dimension) -> Writing { GDDFWriter.write(dimension) }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    try DocumentChecks.check(input, read(input), write: { write($0) }, read: { GDDFReader.read($0) })
  }
}

struct KMLTarget: DocumentTarget {
  static let name = "kml"
  static let isJSON = false
  static let samples = [".kml"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    KMLReader.read(input, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  }
  func write(_ dimension: Dimension) -> Writing { KMLWriter.write(dimension) }
}

struct ARMLTarget: DocumentTarget {
  static let name = "arml"
  static let isJSON = false
  static let samples = [".arml"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    ARMLReader.read(input, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  }
  func write(_ dimension: Dimension) -> Writing { ARMLWriter.write(dimension) }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    // The format cannot say a placeholder as text: what looks like one is filled in each time it is read.
    try DocumentChecks.check(input, read(input), settles: false, write: { write($0) }, read: { read($0) })
  }
}

struct GeoJSONTarget: DocumentTarget {
  static let name = "geojson"
  static let isJSON = true
  static let samples = [".geojson"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    GeoJSONReader.read(input, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  }
  func write(_ dimension: Dimension) -> Writing { GeoJSONWriter.write(dimension) }
}

struct LayarTarget: DocumentTarget {
  static let name = "layar"
  static let isJSON = true
  static let samples = [".json"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    LayarReader.read(input, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  }
  func write(_ dimension: Dimension) -> Writing { LayarWriter.write(dimension) }
}

struct MixareTarget: DocumentTarget {
  static let name = "mixare"
  static let isJSON = true
  static let samples = [".json"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    MixareReader.read(input, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  }
  func write(_ dimension: Dimension) -> Writing { MixareWriter.write(dimension) }
}

struct OverpassTarget: DocumentTarget {
  static let name = "overpass"
  static let isJSON = true
  static let samples = [".json"]
  let sampler = makeSampler()
  let breaker: Breaker
  init() { breaker = sampler.breaker }
  func read(_ input: [UInt8]) -> Reading {
    OverpassReader.read(input, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  }
  func write(_ dimension: Dimension) -> Writing { OverpassWriter.write(dimension) }
}

/// Detection of the format, and every writer after every reader.
struct AnyTarget: StructuredTarget {
  static let name = "any"
  private var makers: [any StructuredTarget] = [
    AreaTarget(), GDDFTarget(), KMLTarget(), ARMLTarget(), GeoJSONTarget(), LayarTarget(), MixareTarget(),
    OverpassTarget(),
  ]

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    makers[random.below(makers.count)].make(&random, into: &out)
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let (_, reading) = FormatRegistry.read(input)
    try DocumentChecks.problems(reading.problems, input)
    guard let dimension = reading.dimension else {
      try require(reading.problems.contains { $0.severity == .error }, "refused without a reason")
      return .refused
    }
    try DocumentChecks.bounded(dimension, input)
    for format in DocumentFormat.allCases {
      let written = FormatRegistry.write(dimension, as: format)
      try require(
        written.bytes.count <= 64 * input.count + 8 << 20,
        "\(format) swells when written",
        "\(written.bytes.count) bytes of \(input.count)"
      )
      let (readAs, again) = FormatRegistry.read(written.bytes)
      try require(readAs == format && again.dimension != nil, "\(format) not readable again", written.text)
    }
    return .accepted
  }
}

/// XML as such: whatever stands in the tree is bounded by the document.
struct XMLTarget: StructuredTarget {
  static let name = "xml"
  private var maker = ARMLTarget()
  private var other = KMLTarget()

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    if random.once(in: 2) { maker.make(&random, into: &out) } else { other.make(&random, into: &out) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let tree: DataTree
    do throws(DataTree.Failure) {
      tree = try DataTree.xml(input).tree
    } catch {
      return try refusal(error)
    }
    var count = 0
    try require(text(tree, &count) <= 4 * input.count + 1_000, "text swells")
    try require(count <= input.count, "more members than bytes")
    return .accepted
  }
}

/// JSON as such.
struct JSONTarget: StructuredTarget {
  static let name = "json"
  private var maker = GeoJSONTarget()
  private var other = OverpassTarget()

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    if random.once(in: 2) { maker.make(&random, into: &out) } else { other.make(&random, into: &out) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let tree: DataTree
    do throws(DataTree.Failure) {
      tree = try DataTree.json(input)
    } catch {
      return try refusal(error)
    }
    var count = 0
    try require(text(tree, &count) <= 4 * input.count + 1_000, "text swells")
    try require(count <= input.count, "more members than bytes")
    return .accepted
  }
}

private func text(_ tree: DataTree, _ count: inout Int) -> Int {
  var bytes = tree.text.utf8.count
  count += tree.members.count
  // The name of an array's values is one text, however often it is met.
  for member in tree.members { bytes += text(member.value, &count) }
  return bytes
}

private func refusal(_ failure: DataTree.Failure) throws(Finding) -> Outcome {
  try require(
    !failure.message.isEmpty && failure.message.utf8.count < 4_000,
    "refused without a sentence",
    failure.message
  )
  try require((failure.line ?? 1) >= 1, "a line before the first")
  return .refused
}
