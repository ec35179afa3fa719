/// Why ground cannot be added, read or removed: what, where, and what to do.
public enum GroundProblem: Error, Equatable, CustomStringConvertible, Sendable {
  case name(String)
  case missing(String)
  case noPrevious(String)
  case unreadable(String)
  case unwritable(String)
  case damaged(String, String)
  case version(String, UInt32)
  case empty(String)
  case tooManyTiles(Int)
  case walking(String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .name(let name): "“\(name)” cannot be the name of a ground: letters, digits, - and _, at most 64."
    case .missing(let name): "There is no ground called \(name). sightline ground list shows those that there are."
    case .noPrevious(let name): "There is no earlier ground of \(name) to go back to."
    case .unreadable(let path): "\(path) cannot be read."
    case .unwritable(let path): "\(path) cannot be written. Is there room, and may this program write there?"
    case .damaged(let path, let what): "\(path) is damaged: \(what). Add the extract again."
    case .version(let path, let version):
      "\(path) is of version \(version), which this program does not read. Add the extract again, or take a newer program."
    case .empty(let path): "\(path) has nothing that a map shows."
    case .walking(let what): "The ways to walk cannot be used: \(what). Cut the extract: osmium extract --bbox."
    case .tooManyTiles(let most):
      "The area needs more than \(most) tiles, or more than they can hold. Cut the extract: osmium extract --bbox."
    }
  }
}
