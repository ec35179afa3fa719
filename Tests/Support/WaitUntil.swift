/// What was waited for did not come.
public struct WaitedInVain: Error, CustomStringConvertible {
  /// What was waited for.
  public let description: String
}

/// Waits until something holds that another task, thread or process brings about.
///
/// - Parameters:
///   - what: What is waited for, in words.
///   - seconds: How long at most; a busy machine takes its time.
///   - holds: Whether it holds by now.
/// - Throws: ``WaitedInVain``, or what `holds` throws.
public func waitUntil(_ what: String, seconds: Double = 60, _ holds: () async throws -> Bool) async throws {
  let end = ContinuousClock.now.advanced(by: .seconds(seconds))
  while try await !holds() {
    guard ContinuousClock.now < end else { throw WaitedInVain(description: "waited in vain: \(what)") }
    try await Task.sleep(for: .milliseconds(10))
  }
}
