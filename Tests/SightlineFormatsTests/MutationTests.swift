import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

/// Readers meet a few thousand damaged documents: none may trap, and what they say must make sense.
@Suite struct MutationTests {
  static let rounds = 2_000

  /// One small damage: a byte changed, inserted, removed or doubled, a piece moved, or a token from the other formats.
  private static func mutate(_ bytes: [UInt8], tokens: [[UInt8]], using random: inout SplitMix64) -> [UInt8] {
    var result = bytes
    // Half of the documents only get other letters and digits: those are mostly still read.
    if Bool.random(using: &random) {
      let letters = Array("0123456789.-eABCTLtrue".utf8)
      for _ in 0...Int.random(in: 0...8, using: &random) where !result.isEmpty {
        let index = Int.random(in: 0..<result.count, using: &random)
        let byte = result[index]
        let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        if isPlain { result[index] = letters.randomElement(using: &random) ?? byte }
      }
      return result
    }
    for _ in 0...Int.random(in: 0...3, using: &random) {
      guard !result.isEmpty else { return tokens.randomElement(using: &random) ?? [] }
      let index = Int.random(in: 0..<result.count, using: &random)
      switch Int.random(in: 0...6, using: &random) {
      case 0: result[index] = UInt8.random(in: .min ... .max, using: &random)
      case 1: result.insert(UInt8.random(in: 0...127, using: &random), at: index)
      case 2: result.remove(at: index)
      case 3:
        let end = min(result.count, index + Int.random(in: 1...40, using: &random))
        result.removeSubrange(index..<end)
      case 4:
        let end = min(result.count, index + Int.random(in: 1...200, using: &random))
        result.insert(contentsOf: result[index..<end], at: Int.random(in: 0...result.count, using: &random))
      case 5: result.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: index)
      default: result.removeSubrange(index...)
      }
    }
    return result
  }

  private static let tokens: [[UInt8]] = [
    "<", ">", "</", "/>", "<!DOCTYPE a>", "<![CDATA[", "]]>", "<!--", "-->", "<?xml ?>", "&", "&#0;", "&lt;", "\"", "'",
    "=",
    "<dimension>", "</dimension>", "<features>", "<featureTxt>", "<lat>91</lat>", "nan", "1e999", "-", "\u{0}", "\r",
    "\u{FEFF}",
    "{", "}", "[", "]", ":", ",", "\\u", "\\ud800", "null", "\"type\":\"Polygon\"", "xmlns=''", "id=''", "http://", "%",
    "😀",
  ].map { Array($0.utf8) }

  @Test(arguments: allFormats)
  func `no damage makes a reader trap, and every refusal has a reason`(format: String) throws {
    var seeds: [[UInt8]] = []
    for kind in ["good", "faulty"] {
      // A damaged archive says no more than that it is one.
      for name in try Fixtures.files(in: "\(format)/\(kind)") where !name.hasSuffix(".kmz") {
        seeds.append(try Fixtures.bytes("\(format)/\(kind)/\(name)"))
      }
    }
    let seed: UInt64 = 0x5151
    var random = SplitMix64(seed: seed)
    var refused = 0
    var options = ReadingOptions(fileName: "a.\(format)", baseURL: "http://a.example/b/c")
    for round in 0..<Self.rounds {
      let document = Self.mutate(seeds.randomElement(using: &random) ?? [], tokens: Self.tokens, using: &random)
      options.axes = round.isMultiple(of: 2) ? .enu : .gamaray
      let (_, reading) = FormatRegistry.read(document, options: options)
      guard let dimension = reading.dimension else {
        refused += 1
        #expect(reading.problems.contains { $0.severity == .error }, "seed \(seed), round \(round)")
        continue
      }
      for problem in reading.problems {
        if let line = problem.line { #expect(line >= 1 && line <= document.count + 1, "seed \(seed), round \(round)") }
      }
      for position in dimension.places.compactMap(\.position) {
        let isFine =
          abs(position.latitude) <= 90 && abs(position.longitude) <= 180 && position.altitude?.isFinite != false
        #expect(isFine, "seed \(seed), round \(round)")
      }
      // Whatever was read can be written in every format, and that is well-formed.
      if round.isMultiple(of: 10) {
        for target in DocumentFormat.allCases {
          let again = FormatRegistry.read(FormatRegistry.write(dimension, as: target).bytes)
          #expect(again.format == target && again.reading.dimension != nil, "seed \(seed), round \(round), \(target)")
        }
        _ = try ValidationReport(file: "a", format: nil, reading: reading).json()
      }
    }
    // Damage that never or always refuses would test little.
    #expect(refused > Self.rounds / 10 && refused < Self.rounds * 95 / 100, "\(refused)")
  }

  @Test func `damaged requests are decoded without a trap`() {
    let body = Array(
      "event=refreshOnPress&eventSrc=q4&lat=48.4&lon=9.9&alt=479&bearing=12&pitch=3&roll=1&width=390&height=844&uid=a%20b&time=17"
        .utf8
    )
    var random = SplitMix64(seed: 99)
    for _ in 0..<Self.rounds {
      let request = GDDFRequest.decode(Self.mutate(body, tokens: Self.tokens, using: &random)).request
      #expect(request.bearing.map { abs($0) <= 180 } ?? true)
      #expect(GDDFRequest.decode(Array(request.encoded().utf8)).problems.isEmpty)
    }
  }
}
