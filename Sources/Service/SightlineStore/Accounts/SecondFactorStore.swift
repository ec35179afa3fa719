public import Foundation
import SightlineInput

/// The second factor of an account: a secret that it shares with a device, from which both make codes.
public struct SecondFactor: Equatable, Sendable {
  /// Whose it is.
  public var account: Int64
  /// The shared secret.
  public var secret: Data
  /// Whether a first code has shown that the device has it too; until then it is not asked for.
  public var isConfirmed: Bool
  /// The time step of the last code that was taken; an earlier or the same one is not taken again.
  public var lastStep: Int64

  /// A second factor with every member given.
  public init(account: Int64, secret: Data, isConfirmed: Bool, lastStep: Int64) {
    self.account = account
    self.secret = secret
    self.isConfirmed = isConfirmed
    self.lastStep = lastStep
  }
}

/// Whether a code may be tried.
public enum CodeAttempt: Equatable, Sendable {
  /// It may, and counts as failed until a code is taken.
  case allowed(SecondFactor)
  /// Not before then.
  case blocked(until: Date)
  /// The account has no such second factor.
  case none
}

/// Where second factors are kept.
///
/// Attempts are counted in the store, before the code is looked at: they count over all processes and starts, and many
/// at once are not more than many one after the other.
public protocol SecondFactorStore: Sendable {
  /// Keeps the secret of a second factor that is to be confirmed, in the place of another such.
  ///
  /// - Returns: Whether it is kept; not when the account has a confirmed one.
  func beginSecondFactor(of account: Int64, secret: Data, at time: Date) async throws -> Bool

  /// Counts an attempt.
  ///
  /// - Parameters:
  ///   - account: Whose code is to be tried.
  ///   - confirmed: Whether it is about one that is confirmed.
  ///   - time: The time it is.
  /// - Returns: Whether the code may be looked at, and what it is compared with.
  /// - Throws: What the database throws.
  func countCodeAttempt(of account: Int64, confirmed: Bool, at time: Date) async throws -> CodeAttempt

  /// Takes the code of a time step, once.
  ///
  /// - Returns: Whether it was taken; not when that step's or a later one's was taken before.
  func useTimeCode(of account: Int64, step: Int64) async throws -> Bool

  /// Takes a recovery code, once.
  ///
  /// - Returns: Whether there was such a code.
  func useRecoveryCode(of account: Int64, digest: Data) async throws -> Bool

  /// Makes the secret that was begun the account's second factor: `step` is that of its first code.
  ///
  /// Sessions of the account end, but for one.
  ///
  /// - Returns: Whether there was one to confirm.
  func confirmSecondFactor(
    of account: Int64,
    step: Int64,
    recovery: [Data],
    keeping session: Int64,
    at time: Date
  ) async throws -> Bool

  /// Puts new recovery codes in the place of the old ones.
  func setRecoveryCodes(_ digests: [Data], of account: Int64) async throws

  /// Recovery codes that are left.
  func recoveryCodeCount(of account: Int64) async throws -> Int

  /// Takes the second factor away.
  ///
  /// - Returns: Whether there was one.
  func removeSecondFactor(of account: Int64) async throws -> Bool
}

/// How many wrong codes are let pass.
public enum CodeAttempts {
  /// Attempts that failed and cost nothing.
  public static let free = 5
  /// Longest wait, seconds; failures are forgotten after as long.
  public static let longestWait: TimeInterval = 15 * 60

  /// How long the next attempt has to wait after so many failures, seconds.
  public static func wait(after failures: Int) -> TimeInterval {
    guard failures >= free else { return 0 }
    return min(longestWait, 30 * Double(1 << (failures - free).clamped(to: 0...10)))
  }
}
