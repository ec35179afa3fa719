/// One line of a script, taken apart while it is read: first what has to be there, then options by name.
struct Statement {
  let line: Int
  let verb: String
  private var words: [Word]
  private var asked: [String] = []

  private struct Word {
    var text: String
    var isQuoted: Bool
    var number: Double? { isQuoted ? nil : Double(text) }
  }

  /// Takes a line apart; `nil` for one that is empty or a comment.
  init?(_ text: some StringProtocol, line: Int) throws(ScriptProblem) {
    var words: [Word] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let first = rest.first, first != "#" else { break }
      if first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: "\"") else {
          throw ScriptProblem(line: line, message: "a quotation mark is not closed; put \" at the end of the name.")
        }
        words.append(Word(text: String(rest[rest.index(after: rest.startIndex)..<end]), isQuoted: true))
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" && $0 != "\r" }
        words.append(Word(text: String(word), isQuoted: false))
        rest = rest.dropFirst(word.count)
      }
    }
    guard let verb = words.first else { return nil }
    self.line = line
    self.verb = verb.text
    self.words = Array(words.dropFirst())
  }

  /// Takes the first word away when it is this one.
  mutating func take(_ word: String) -> Bool {
    guard let first = words.first, !first.isQuoted, first.text == word else { return false }
    words.removeFirst()
    return true
  }

  /// The statement behind a word such as `also`.
  func unwrapped() throws(ScriptProblem) -> Statement {
    guard let first = words.first else { throw fail("a statement has to follow on the same line.") }
    var copy = self
    copy.words.removeFirst()
    return Statement(line: line, verb: first.text, words: copy.words)
  }

  private init(line: Int, verb: String, words: [Word]) {
    self.line = line
    self.verb = verb
    self.words = words
  }

  func fail(_ message: String) -> ScriptProblem { ScriptProblem(line: line, message: "\(verb): \(message)") }

  /// The next number.
  mutating func number(_ name: String, in range: ClosedRange<Double>) throws(ScriptProblem) -> Double {
    guard let word = words.first else { throw fail("\(name) is missing.") }
    guard let number = word.number else { throw fail("\(name) has to be a number, not \"\(word.text)\".") }
    words.removeFirst()
    return try check(number, name, range)
  }

  /// The next number, if there is one.
  mutating func numberIfAny(_ name: String, in range: ClosedRange<Double>) throws(ScriptProblem) -> Double? {
    guard let word = words.first, word.number != nil else { return nil }
    return try number(name, in: range)
  }

  /// The next word, in quotation marks or without.
  mutating func text(_ name: String) throws(ScriptProblem) -> String {
    guard let word = words.first else { throw fail("\(name) is missing.") }
    words.removeFirst()
    return word.text
  }

  /// The next word, one of a few.
  mutating func choice<Choice>(
    _ name: String,
    of choices: [(name: String, value: Choice)]
  ) throws(ScriptProblem) -> Choice {
    let word = try text(name)
    guard let found = choices.first(where: { $0.name == word }) else {
      throw fail("\(name) \"\(word)\" is not known; choose one of \(choices.map(\.name).joined(separator: ", ")).")
    }
    return found.value
  }

  /// Whether an option stands in the line by itself.
  mutating func flag(_ name: String) -> Bool {
    asked.append(name)
    guard let index = find(name) else { return false }
    words.remove(at: index)
    return true
  }

  /// A number behind its name.
  mutating func option(
    _ name: String,
    default value: Double,
    in range: ClosedRange<Double>
  ) throws(ScriptProblem) -> Double {
    try optionIfAny(name, in: range) ?? value
  }

  /// A number behind its name, if it is there.
  mutating func optionIfAny(_ name: String, in range: ClosedRange<Double>) throws(ScriptProblem) -> Double? {
    try numbers(name, count: 1, in: range)?[0]
  }

  /// Numbers behind their name, if they are there.
  mutating func numbers(
    _ name: String,
    count: Int,
    in range: ClosedRange<Double>
  ) throws(ScriptProblem) -> [Double]? {
    asked.append(name)
    guard let index = find(name) else { return nil }
    var values: [Double] = []
    for k in 0..<count {
      guard index + 1 + k < words.count, let value = words[index + 1 + k].number else {
        let needed = count == 1 ? "a number" : "\(count) numbers"
        throw fail("\(name) needs \(needed) behind it.")
      }
      values.append(try check(value, name, range))
    }
    words.removeSubrange(index...(index + count))
    return values
  }

  /// A word behind its name, if it is there.
  mutating func word(_ name: String) throws(ScriptProblem) -> String? {
    asked.append(name)
    guard let index = find(name) else { return nil }
    guard index + 1 < words.count else { throw fail("\(name) needs a word behind it.") }
    let text = words[index + 1].text
    words.removeSubrange(index...(index + 1))
    return text
  }

  /// Makes sure that nothing is left.
  func end() throws(ScriptProblem) {
    guard let word = words.first else { return }
    let known = asked.isEmpty ? "nothing more can stand here" : "what can stand here: \(asked.joined(separator: ", "))"
    throw fail("\"\(word.text)\" is not understood; \(known).")
  }

  private func find(_ name: String) -> Int? { words.firstIndex { !$0.isQuoted && $0.text == name } }

  private func check(_ number: Double, _ name: String, _ range: ClosedRange<Double>) throws(ScriptProblem) -> Double {
    // NaN is in no range.
    guard range.contains(number) else {
      throw fail("\(name) has to be \(short(range.lowerBound)) to \(short(range.upperBound)), not \(short(number)).")
    }
    return number
  }

  private func short(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
  }
}
