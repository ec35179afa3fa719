/// What one document may cost, whatever it looks like: how much a reader may make of it, and how many steps it may take.
///
/// A limit on the bytes that come in bounds nothing by itself: a text that is referred to ten thousand times, or a list
/// that is searched for each of its members, grows with the square of the document. Every reader therefore draws what it
/// makes from one budget a document. It is a class because the parts of a reader share it; a document is read by one thread.
///
/// What runs out stays out: after the first refusal of a kind every further one is refused, so that a document is cut at
/// one place and not thinned. ``exhausted`` names the kinds, for the finding that says so.
public final class ReadingBudget {
  /// The kinds of things that are counted.
  public enum Kind: Int, CaseIterable, Sendable {
    /// Bytes of text in what is made: titles, descriptions, addresses, keys.
    case text
    /// Positions of places and of their lines and areas.
    case positions
    /// Places, overlays, assets and whatever else a format lists.
    case places
    /// Findings that are listed.
    case findings
    /// Pieces of work: an element looked at, a member compared, a byte copied in bulk counting as a small part of one.
    case steps
  }

  /// How much there is of each kind.
  public struct Limits: Equatable, Sendable {
    /// Bytes of text.
    public var text: Int
    /// Positions.
    public var positions: Int
    /// Places and other listed things.
    public var places: Int
    /// Findings.
    public var findings: Int
    /// Steps.
    public var steps: Int

    /// Limits by kind.
    public init(text: Int, positions: Int, places: Int, findings: Int, steps: Int) {
      self.text = text
      self.positions = positions
      self.places = places
      self.findings = findings
      self.steps = steps
    }

    /// What a document of so many bytes may make: four times its size in text, four steps a byte, a position for every
    /// fourth byte and a place for every eighth, with enough for small documents that refer much to themselves.
    ///
    /// No document can state positions in fewer bytes (`1,2 ` of KML), so what states all itself never runs out.
    public init(documentBytes bytes: Int) {
      let bytes = max(0, bytes)
      self.init(
        text: bytes.saturatingMultiply(4).saturatingAdd(1 << 20),
        positions: (bytes / 4).saturatingAdd(10_000),
        places: (bytes / 8).saturatingAdd(1_000).clamped(to: 0...200_000),
        findings: 2_000,
        steps: bytes.saturatingMultiply(4).saturatingAdd(1_000_000)
      )
    }

    /// No limit, for documents of the operator's own making.
    public static let none = Limits(text: .max, positions: .max, places: .max, findings: .max, steps: .max)

    /// The limit of a kind.
    public subscript(kind: Kind) -> Int {
      switch kind {
      case .text: text
      case .positions: positions
      case .places: places
      case .findings: findings
      case .steps: steps
      }
    }
  }

  /// What there was at the start.
  public let limits: Limits
  private var left: [Int]
  private var isExhausted: [Bool]

  /// A full budget.
  public init(_ limits: Limits) {
    self.limits = limits
    left = Kind.allCases.map { limits[$0] }
    isExhausted = Kind.allCases.map { _ in false }
  }

  /// Takes from the budget; `false`, and nothing taken, when there is not enough or was not enough before.
  ///
  /// - Parameters:
  ///   - count: How much; a negative number takes nothing.
  ///   - kind: Of what.
  /// - Returns: Whether there was enough.
  public func take(_ count: Int = 1, of kind: Kind) -> Bool {
    guard !isExhausted[kind.rawValue] else { return false }
    guard count <= left[kind.rawValue] else {
      isExhausted[kind.rawValue] = true
      return false
    }
    left[kind.rawValue] -= max(0, count)
    return true
  }

  /// Whether there was not enough of a kind once.
  public func isExhausted(_ kind: Kind) -> Bool { isExhausted[kind.rawValue] }

  /// How much of a kind was taken so far.
  public func used(_ kind: Kind) -> Int { limits[kind] - left[kind.rawValue] }

  /// Whether nothing was refused yet.
  public var isIntact: Bool { !isExhausted.contains(true) }

  /// The kinds that ran out, in the order of their declaration.
  public var exhausted: [Kind] { Kind.allCases.filter { isExhausted[$0.rawValue] } }
}
