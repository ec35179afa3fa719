/// A reader with what makes inputs for it and what has to hold of it.
protocol StructuredTarget {
  /// Its name on the command line, in file names and of its folder in `Fixtures/fuzz`.
  static var name: String { get }
  /// Called once, before the first input: what is costly to prepare belongs here.
  init()
  /// Makes an input: a valid document, mostly broken in structure. The same numbers have to make the same bytes.
  mutating func make(_ random: inout Random, into out: inout [UInt8])
  /// Gives the input to the reader and looks at what it says.
  ///
  /// - Throws: What must not be. A trap, a hang and running out of memory need no check: the driver sees them.
  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome
}

/// Whether the reader took the input; only counted, so that a generator whose inputs are all refused is noticed.
enum Outcome { case accepted, refused }

/// What must not be.
struct Finding: Error {
  /// The kind in a few words; findings of one kind are saved only a few times.
  let kind: String
  /// What was seen.
  let detail: String

  init(_ kind: String, _ detail: String = "") {
    self.kind = kind
    self.detail = detail
  }
}

/// Throws a finding unless the condition holds.
func require(_ condition: Bool, _ kind: String, _ detail: @autoclosure () -> String = "") throws(Finding) {
  guard condition else { throw Finding(kind, detail()) }
}
