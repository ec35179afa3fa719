public import Foundation

/// Removing what nobody needs any more.
public protocol RetentionStore: Sendable {
  /// Removes what the rules say, in many small transactions, each of which leaves the store whole: a process that ends in
  /// the midst of it loses nothing, and the next run goes on.
  ///
  /// - Parameters:
  ///   - rules: What stays how long.
  ///   - time: What time it is.
  ///   - isDryRun: Only to look what would go; nothing is written.
  /// - Returns: What went, or would go.
  /// - Throws: What kept the store from it; what was done until then stays done.
  func retain(_ rules: RetentionRules, at time: Date, isDryRun: Bool) async throws -> RetentionReport

  /// Gives the database's free pages back to the disk, as far as the file was made for it.
  ///
  /// - Returns: Bytes of the file before and after.
  func shrink() async throws -> (before: Int, after: Int)
}
