import Foundation

/// The rows of a table of numbers in `Fixtures`, separated by blanks; lines with `#` are headings.
///
/// A file that is missing or holds something else gives no rows, so a test must also check how many there are.
/// - Parameter path: below `Fixtures`.
/// - Returns: the numbers of each line.
public func goldenRows(_ path: String) -> [[Double]] {
  let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures")
  guard let text = try? String(contentsOf: fixtures.appending(path: path), encoding: .utf8) else { return [] }
  return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
    line.split(separator: " ").compactMap { Double($0) }
  }
}
