import ArgumentParser
import Foundation

/// An option of `sightline serve`, as it may stand in the file.
struct KnownSetting: Sendable {
  /// What it takes.
  enum Kind: Sendable {
    case flag, text, list

    /// What is allowed, for a message.
    var words: String {
      switch self {
      case .flag: "write true or false."
      case .text: "write a text or a whole number."
      case .list: "write a text or a list of texts."
      }
    }
  }

  /// As the option, without its dashes.
  let name: String
  let kind: Kind
  /// What its help says of the value that counts otherwise.
  let usual: String

  /// All of them, in the order of the help; taken from the command itself, so that none can be forgotten.
  static let all: [KnownSetting] = {
    guard let help = try? JSONDecoder().decode(Help.self, from: Data(Serve._dumpHelp().utf8)) else { return [] }
    return help.command.arguments.compactMap { argument in
      guard let name = argument.names?.first(where: { $0.kind == "long" })?.name, !notSettings.contains(name) else {
        return nil
      }
      // The other half of a flag with two names.
      if argument.kind == "flag", name.hasPrefix("no-") { return nil }
      let kind: Kind = argument.kind == "flag" ? .flag : argument.isRepeating ? .list : .text
      return KnownSetting(name: name, kind: kind, usual: usual(argument.abstract ?? "", kind))
    }
  }()

  /// What is about one start of the program.
  private static let notSettings: Set = ["config", "check-config", "version", "help"]

  /// Whether a setting is one that nobody is to see.
  static func isSecret(_ name: String) -> Bool {
    !name.hasSuffix("-file") && ["password", "secret", "token"].contains { name.contains($0) }
  }

  private static func usual(_ help: String, _ kind: Kind) -> String {
    guard let start = help.range(of: "(default: ") else { return kind == .flag ? "no" : "" }
    return String(help[start.upperBound...].prefix { $0 != ")" && $0 != ";" })
  }

  private struct Help: Decodable {
    struct Command: Decodable { var arguments: [Argument] }
    struct Argument: Decodable {
      struct Name: Decodable { var kind, name: String }
      var kind: String
      var isRepeating: Bool
      var names: [Name]?
      var abstract: String?
    }
    var command: Command
  }
}
