import ArgumentParser

/// What was meant by a word that is no command.
enum CommandHint {
  /// Most letters by which a word may differ from a command.
  private static let mostSlips = 2

  /// A sentence about the first word that should be a command and is none; `nil` when all are, or none is nearly one.
  ///
  /// Commands that take files have no commands below them, so that a file's name is never judged.
  static func of(_ words: [String], root: any ParsableCommand.Type) -> String? {
    var command = root
    var path = [name(of: root)]
    for word in words {
      let below = command.configuration.subcommands
      guard !below.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      if let next = below.first(where: { name(of: $0) == word || $0.configuration.aliases.contains(word) }) {
        command = next
        path.append(word)
        continue
      }
      let nearest = below.map { (name(of: $0), slips(word, name(of: $0))) }.min { $0.1 < $1.1 }
      guard let (meant, count) = nearest, count <= mostSlips, count < meant.count else { return nil }
      let prefix = path.joined(separator: " ")
      return "There is no command `\(prefix) \(word.prefix(40))`. Did you mean `\(prefix) \(meant)`?"
    }
    return nil
  }

  private static func name(of command: any ParsableCommand.Type) -> String { command._commandName }

  /// Letters put in, left out, exchanged or swapped with their neighbour between two words (Damerau 1964).
  static func slips(_ first: String, _ second: String) -> Int {
    // Nothing longer than this is nearly a command.
    let a = Array(first.lowercased().unicodeScalars.prefix(64))
    let b = Array(second.lowercased().unicodeScalars.prefix(64))
    var before: [Int] = []
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, above) = (above, row)
    }
    return above[b.count]
  }
}
