import SightlineImaging
import SightlineMath

/// A code found in a picture.
public struct DetectedQRCode: Sendable {
  /// What it says.
  public var content: QRContent
  /// Its size.
  public var version: QRVersion
  /// How much damage it stands.
  public var level: QRLevel
  /// Whether it is seen in a mirror, or from behind.
  public var isMirrored: Bool
  /// Whether it is light on dark.
  public var isInverted: Bool
  /// Outer corners of the modules, pixels: the code's own top left, then clockwise around the code as it was made.
  public var corners: Quadrilateral
  /// Codewords that were wrong and were mended.
  public var mendedCount: Int
}

/// Finds and reads QR codes in grey pictures.
///
/// Stages: threshold by blocks, finder patterns along rows, triples of them, a grid fitted to the edges of their rings, the
/// alignment patterns, modules sampled between pixels, error correction. What cannot be read is tried in other ways, from
/// cheap to dear: a grid bent to the edges of the content, sharper modules, light on dark, half and double size.
///
/// ```swift
/// var detector = QRDetector()
/// var codes: [DetectedQRCode] = []
/// detector.detect(in: frame, into: &codes)
/// ```
public struct QRDetector: Sendable {
  /// How hard is looked.
  public struct Parameters: Sendable {
    /// Whether the dear ways are tried when nothing was read; default true.
    ///
    /// Without them a picture takes much less time, as for live video.
    public var isThorough = true
    /// Longest side of the picture that is searched first, pixels; default 1600.
    ///
    /// Larger pictures are halved until they fit, and searched in full when nothing was read.
    public var firstSide = 1600
    /// Most finder pattern triples that are tried in one search; default 24.
    public var maximumTriples = 24

    /// The defaults.
    public init() {}
  }

  /// More finder patterns than codes have, and how many triples of them are tried.
  private static let noisyPatterns = 40
  private static let noisyTriples = 8
  /// Share of the function patterns' modules from which on something is held to be a code, though it cannot be read.
  private static let foundAgreement = 0.85
  /// Modules smaller than this, in pixels, are worth a search at double size.
  private static let smallModule = 2.6

  /// Shorter side from which on a picture is searched at half the size, pixels.
  private static let leastHalved = 120

  /// How hard is looked.
  public let parameters: Parameters
  private var thresholds = BlockThresholds()
  private var integral = IntegralImage()
  private var binary = GrayImage(width: 1, height: 1)
  private var finders = FinderSearch()
  private var variants: [Variant] = []
  /// Images of earlier pictures' variants.
  private var spare: [GrayImage] = []
  private var pending: [Pending] = []
  private var tried: [Trial] = []
  /// What the searches of this picture have met so far.
  private var (smallPatterns, hasPatterns, hasNoise) = (0, false, false)
  /// Whether the first search was put off.
  private var isWaiting = false

  /// A detector.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// A picture made of the first one.
  private struct Variant {
    var image: GrayImage
    /// Size of its pixels in those of the first.
    var scale: Double
    var isInverted = false
  }

  /// A code that may be read with more effort.
  private struct Pending {
    var code: PendingCode
    /// The variant it was found in; `nil` is the picture itself.
    var variant: Int?
  }

  /// Three finder patterns that were tried: another threshold finds them again.
  private struct Trial {
    /// Number of the picture.
    var picture: Int
    /// Of the patterns.
    var centers: InlineArray<3, Vector2>

    func isSame(as other: Trial) -> Bool {
      picture == other.picture && centers[0] == other.centers[0] && centers[1] == other.centers[1]
        && centers[2] == other.centers[2]
    }
  }

  private enum Threshold {
    case block
    case window
    /// By blocks, of the picture that the last search was of, with dark and light exchanged.
    case exchanged
  }

  /// Finds the codes in a picture.
  public mutating func detect(in image: GrayView, into codes: inout [DetectedQRCode]) {
    codes.removeAll(keepingCapacity: true)
    // The smallest code has 21 modules a side; one of them needs a pixel at least.
    guard image.width >= 21, image.height >= 21 else { return }
    (smallPatterns, hasPatterns, hasNoise, isWaiting) = (0, false, false, false)
    defer { end() }
    while longest(image) > parameters.firstSide { _ = addHalf(image, of: variants.indices.last) }
    let base = variants.indices.last
    search(image, base, .block, canWait: parameters.isThorough, &codes)
    guard parameters.isThorough else { return }
    if codes.isEmpty { retry(image, base, &codes) }
  }

  private func longest(_ image: GrayView) -> Int {
    variants.last.map { max($0.image.width, $0.image.height) } ?? max(image.width, image.height)
  }

  /// The dear ways, until something is read.
  private mutating func retry(_ image: GrayView, _ base: Int?, _ codes: inout [DetectedQRCode]) {
    let (width, height) =
      base.map { (variants[$0].image.width, variants[$0].image.height) } ?? (image.width, image.height)
    let canHalve = min(width, height) >= Self.leastHalved
    var half: Int?
    if isWaiting {
      // Half the size has half the noise; only small modules are lost by it.
      half = addHalf(image, of: base)
      if search(image, half, .block, &codes) || search(image, base, .block, &codes) { return }
    }
    // Where the first search met mostly noise, another one in the same pixels meets it again.
    let isNoisy = canHalve && hasNoise
    if !isNoisy, search(image, addInverted(image, of: base), .exchanged, &codes) { return }
    if canHalve {
      if half == nil {
        half = addHalf(image, of: base)
        if search(image, half, .block, &codes) { return }
      }
      let threshold: Threshold = isWaiting ? .block : .exchanged
      if isNoisy, search(image, addInverted(image, of: half), threshold, &codes) { return }
    }
    let isFound = pending.contains { $0.code.agreement >= Self.foundAgreement }
    if readPending(image, &codes, least: Self.foundAgreement, most: 3) { return }
    if let half, search(image, half, .window, &codes) { return }
    // Where nothing was found in four searches is nothing.
    if hasPatterns, !isNoisy, search(image, base, .window, &codes) { return }
    if let base {
      // Back up to the full picture.
      for index in stride(from: base - 1, through: -1, by: -1) {
        if search(image, index < 0 ? nil : index, .block, &codes) { return }
      }
    } else if max(width, height) <= 1024, smallPatterns >= 2, !isFound, !isNoisy {
      // What lacks pixels is not found; one of its three patterns may be missing.
      if search(image, addDouble(image), .block, &codes) { return }
    }
    _ = readPending(image, &codes, least: 0.75, most: 1)
  }

  private mutating func addHalf(_ image: GrayView, of variant: Int?) -> Int {
    add(image, of: variant, scale: 2) { half, picture in half.setHalf(of: picture) }
  }

  private mutating func addInverted(_ image: GrayView, of variant: Int?) -> Int {
    let index = add(image, of: variant, scale: 1) { inverted, picture in inverted.setInverted(of: picture) }
    variants[index].isInverted = true
    return index
  }

  private mutating func addDouble(_ image: GrayView) -> Int {
    add(image, of: nil, scale: 0.5) { double, picture in double.setDouble(of: picture) }
  }

  /// Makes a variant of the picture or of another one, in an image of an earlier picture where there is one.
  private mutating func add(
    _ image: GrayView,
    of variant: Int?,
    scale: Double,
    _ fill: (inout GrayImage, GrayView) -> Void
  ) -> Int {
    var made = spare.popLast() ?? GrayImage(width: 1, height: 1)
    if let variant { variants[variant].image.withView { fill(&made, $0) } } else { fill(&made, image) }
    variants.append(Variant(image: made, scale: scale * (variant.map { variants[$0].scale } ?? 1)))
    return variants.count - 1
  }

  /// Ends with a picture: its variants' images serve the next one.
  private mutating func end() {
    while let last = variants.popLast() { spare.append(last.image) }
    pending.removeAll(keepingCapacity: true)
    tried.removeAll(keepingCapacity: true)
    finders.begin()
  }

  /// Searches one variant, and says whether a code has been read; `canWait`: one that is mostly noise is only noted as waiting.
  @discardableResult
  private mutating func search(
    _ image: GrayView,
    _ variant: Int?,
    _ threshold: Threshold,
    canWait: Bool = false,
    _ codes: inout [DetectedQRCode]
  ) -> Bool {
    guard let variant else {
      search(image, nil, scale: 1, isInverted: false, threshold, canWait, &codes)
      return !codes.isEmpty
    }
    let (scale, isInverted) = (variants[variant].scale, variants[variant].isInverted)
    // A reference, not a copy.
    let picture = variants[variant].image
    picture.withView { search($0, variant, scale: scale, isInverted: isInverted, threshold, canWait, &codes) }
    return !codes.isEmpty
  }

  private mutating func search(
    _ view: GrayView,
    _ variant: Int?,
    scale: Double,
    isInverted: Bool,
    _ threshold: Threshold,
    _ canWait: Bool,
    _ codes: inout [DetectedQRCode]
  ) {
    switch threshold {
    case .block: binary.setBlockThreshold(of: view, thresholds: &thresholds)
    case .window: binary.setAdaptiveThreshold(of: view, radius: 6, offset: 1, integral: &integral)
    case .exchanged: binary.invert()
    }
    let step = max(view.width, view.height) > 500 ? 3 : 2
    // More patterns than codes have are noise, in which a code is read at half the size if at all.
    let noisy = scale < 1.5 ? Self.noisyPatterns : Int.max
    let number = variant.map { $0 + 1 } ?? 0
    if canWait, min(view.width, view.height) >= Self.leastHalved, binary.withView({ finders.isNoise($0) }) {
      isWaiting = true
      return
    }
    binary.withView {
      finders.search($0, gray: view, picture: number, step: step, most: scale < 1.5 ? 160 : 300, noisy: noisy)
    }
    var patterns = finders.patterns
    if !patterns.isEmpty { hasPatterns = true }
    if variant == nil {
      smallPatterns = max(smallPatterns, patterns.count { $0.module < Self.smallModule })
    }
    let isNoise = patterns.count > noisy
    if isNoise { hasNoise = true }
    let limit = isNoise ? Self.noisyTriples : parameters.maximumTriples
    if patterns.count > 32 {
      patterns.sortStably { $0.quality > $1.quality }
      patterns.removeLast(patterns.count - 32)
    }
    var reader = CodeReader(view)
    var used = [Bool](repeating: false, count: patterns.count)
    for triple in FinderTriple.candidates(patterns, limit: limit) {
      let (a, b, c) = (triple.indices[0], triple.indices[1], triple.indices[2])
      if used[a] || used[b] || used[c] { continue }
      if triple.misfit > 1.2 && !codes.isEmpty { break }
      let trial = Trial(picture: number, centers: [patterns[a].center, patterns[b].center, patterns[c].center])
      if tried.contains(where: { $0.isSame(as: trial) }) { continue }
      tried.append(trial)
      switch reader.read(patterns[a], patterns[b], patterns[c]) {
      case .none: break
      case .unread(let code): pending.append(Pending(code: code, variant: variant))
      case .read(let code):
        // What looks like a finder pattern inside a code that was read is none.
        for index in patterns.indices where code.grid.contains(patterns[index].center) { used[index] = true }
        codes.append(DetectedQRCode(code, scale: scale, isInverted: isInverted))
      }
    }
  }

  /// Tries the most promising of the codes that could not be read; whether one has been.
  private mutating func readPending(
    _ image: GrayView,
    _ codes: inout [DetectedQRCode],
    least: Double,
    most: Int
  ) -> Bool {
    pending.sortStably { $0.code.agreement > $1.code.agreement }
    for index in 0..<min(most, pending.count) where pending[index].code.agreement >= least {
      let (code, variant) = (pending[index].code, pending[index].variant)
      let found: ReadCode?
      if let variant {
        found = variants[variant].image.withView {
          var reader = CodeReader($0)
          return reader.read(code)
        }
      } else {
        var reader = CodeReader(image)
        found = reader.read(code)
      }
      guard let found else { continue }
      let (scale, isInverted) = variant.map { (variants[$0].scale, variants[$0].isInverted) } ?? (1, false)
      codes.append(DetectedQRCode(found, scale: scale, isInverted: isInverted))
      return true
    }
    pending.removeAll()
    return false
  }
}

extension DetectedQRCode {
  /// A code read in a picture whose pixels are so large in the first one.
  fileprivate init(_ code: ReadCode, scale: Double, isInverted: Bool) {
    let end = Double(code.grid.size)
    // In a mirror the code's own columns are the picture's rows.
    let places: [(Double, Double)] =
      code.isMirrored ? [(0.0, 0.0), (0, end), (end, end), (end, 0)] : [(0, 0), (end, 0), (end, end), (0, end)]
    var corners = Quadrilateral(repeating: .zero)
    // The bend is fitted to patterns inside the code and drifts towards its corners; where it is small the code is flat.
    var flat = code.grid
    flat.bend = nil
    let module = (flat.point(end, end) - flat.point(0, 0)).length / (1.4142 * end)
    let isFlat = places.allSatisfy {
      (flat.point($0.0, $0.1) - code.grid.point($0.0, $0.1)).length < 0.5 * module
    }
    let grid = isFlat ? flat : code.grid
    for (index, place) in places.enumerated() {
      let p = grid.point(place.0, place.1)
      // Centres of pixels are whole numbers in both pictures.
      corners[index] = Vector2((p.x + 0.5) * scale - 0.5, (p.y + 0.5) * scale - 0.5)
    }
    self.init(
      content: code.decoded.content,
      version: code.decoded.version,
      level: code.decoded.level,
      isMirrored: code.isMirrored,
      isInverted: isInverted,
      corners: corners,
      mendedCount: code.decoded.mendedCount
    )
  }
}
