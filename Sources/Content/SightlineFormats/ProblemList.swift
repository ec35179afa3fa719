import SightlineContent
import SightlineInput

/// Findings as they come up while reading, and the budget that what is read is drawn from.
///
/// One for each document. A class, so that the parts of a reader share it, and so that a message may ask the reader for its
/// words while the finding is added.
final class ProblemList {
  /// What is shortened rather than refused.
  enum Cut: Int, CaseIterable {
    case name, text, category, categories, references
  }

  private(set) var problems: [Problem] = []
  private var omitted = 0
  private var omittedErrors = 0
  /// What the document may still cost.
  let budget: ReadingBudget
  /// Whether there is something left of everything that ends the reading.
  private(set) var goesOn = true
  private var refusals: [Problem] = []
  private var cuts: [(count: Int, line: Int?, path: DocumentPath)?] = Array(repeating: nil, count: Cut.allCases.count)

  init(budget: ReadingBudget) { self.budget = budget }

  /// Adds a finding; its message and the text of its path are made only if it is listed.
  func add(
    _ severity: Problem.Severity,
    _ code: String,
    line: Int?,
    path: DocumentPath,
    _ message: @autoclosure () -> String
  ) {
    // A hostile document must not turn into a report many times its size; errors still decide on validity.
    guard budget.take(of: .findings) else { return omit(severity) }
    problems.append(Problem(severity, code, line: line, path: path.text, message: message()))
  }

  /// Adds a finding that was made elsewhere.
  func add(_ problem: Problem) {
    guard budget.take(of: .findings) else { return omit(problem.severity) }
    problems.append(problem)
  }

  private func omit(_ severity: Problem.Severity) {
    omitted += 1
    if severity == .error { omittedErrors += 1 }
  }

  /// Draws from the budget.
  ///
  /// - Returns: `false` when it does not hold so much; what was asked for is then not to be made, and reading ends. The first
  ///   refusal of a kind is a finding.
  func take(_ count: Int = 1, of kind: ReadingBudget.Kind, line: Int?, path: @autoclosure () -> DocumentPath) -> Bool {
    let wasExhausted = budget.isExhausted(kind)
    if budget.take(count, of: kind) { return true }
    goesOn = false
    if !wasExhausted { refusals.append(ProblemList.refusal(kind, budget.limits[kind], line: line, path: path().text)) }
    return false
  }

  private static func refusal(_ kind: ReadingBudget.Kind, _ limit: Int, line: Int?, path: String) -> Problem {
    let kept = "Reading ends here, and what was read before is kept"
    let (code, message) =
      switch kind {
      case .text:
        (
          "limit.text",
          "The document comes to more than \(limit) bytes of text, the limit for its size. \(kept); repeat long texts less "
            + "often, or split the document."
        )
      case .positions:
        (
          "limit.positions",
          "The document comes to more than \(limit) positions, the limit for its size. \(kept); refer less often to long "
            + "lines and areas, or split the document."
        )
      case .places:
        ("limit.places", "The document has more than \(limit) places and other items, the limit. \(kept); split it.")
      case .steps:
        (
          "limit.steps",
          "Reading the document takes more than \(limit) steps, the limit for its size. \(kept); refer less often to the same "
            + "parts, or split the document."
        )
      case .findings: ("limit.count", "There are more than \(limit) findings. \(kept).")
      }
    return Problem(.error, code, line: line, path: path, message: message)
  }

  // MARK: Texts

  /// A text that is not longer than it may be.
  func shortened(_ text: String, _ kind: Cut, line: Int?, path: @autoclosure () -> DocumentPath) -> String {
    let limit =
      switch kind {
      case .name: ContentLimits.name
      case .category: ContentLimits.category
      default: ContentLimits.text
      }
    guard let short = ContentLimits.cut(text, to: limit) else { return text }
    note(kind, line: line, path: path())
    return short
  }

  /// Counts something that was shortened.
  func note(_ cut: Cut, line: Int?, path: DocumentPath) {
    let known = cuts[cut.rawValue]
    cuts[cut.rawValue] = ((known?.count ?? 0) + 1, known?.line ?? line, known?.path ?? path)
  }

  private static func message(_ cut: Cut, _ count: Int) -> String {
    let isOne = count == 1
    return switch cut {
    case .name:
      "\(count) \(isOne ? "name is" : "names are") longer than \(ContentLimits.name) characters, first here, and "
        + "\(isOne ? "is" : "are") cut there. Shorten \(isOne ? "it" : "them")."
    case .text:
      "\(count) \(isOne ? "text is" : "texts are") longer than \(ContentLimits.text) characters, first here, and "
        + "\(isOne ? "is" : "are") cut there. Shorten \(isOne ? "it" : "them")."
    case .category:
      "\(count) \(isOne ? "category is" : "categories are") longer than \(ContentLimits.category) characters, first here, and "
        + "\(isOne ? "is" : "are") cut there. Shorten \(isOne ? "it" : "them")."
    case .categories:
      "\(count) \(isOne ? "item has" : "items have") more than \(ContentLimits.categories) categories, first here. The first "
        + "\(ContentLimits.categories) are kept; use fewer."
    case .references:
      "\(count) \(isOne ? "item refers" : "items refer") to more than \(ContentLimits.references) others, first here. The first "
        + "\(ContentLimits.references) are followed; use fewer."
    }
  }

  // MARK: Result

  /// All findings in the order of the document.
  func sorted() -> [Problem] {
    var found = problems + refusals
    for cut in Cut.allCases {
      guard let (count, line, path) = cuts[cut.rawValue] else { continue }
      found.append(
        Problem(.warning, "limit.cut", line: line, path: path.text, message: ProblemList.message(cut, count))
      )
    }
    var result = found.enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element)
    if omitted > 0 {
      result.append(
        Problem(
          omittedErrors > 0 ? .error : .warning,
          "limit.count",
          line: nil,
          path: "",
          message:
            "\(omitted) more findings are not listed (the limit is \(budget.limits.findings)). Correct those above "
            + "and try again."
        )
      )
    }
    return result
  }
}

/// A value from the document, short enough for a message and without line breaks, in quotation marks.
func quoted(_ text: String, limit: Int = 40) -> String {
  var short = ""
  var count = 0
  for character in text.unicodeScalars {
    if count == limit {
      short += "…"
      break
    }
    short.unicodeScalars.append(character.value < 0x20 || character.value == 0x7F ? " " : character)
    count += 1
  }
  return "\"\(short)\""
}
