import Crypto
import CryptoExtras
import Foundation
import SightlineInput
import SightlineStore

/// Hashes of passwords, by scrypt (RFC 7914).
///
/// A hash carries its own parameters, `scrypt$17$8$1$salt$key`, so that they can be raised: ``needsRenewal(_:)``. With
/// N = 2¹⁷, r = 8, p = 1, the least that OWASP's Password Storage Cheat Sheet advises, one takes 128
/// MiB; hashes are made one at a time, so that guessing takes no more memory than that.
public struct PasswordHasher: Sendable {
  private let worker: BackgroundWorker
  private let logCost: Int
  private let decoy: String

  /// Binary logarithm of N: 17.
  ///
  /// A debug build, whose cryptography is not optimised and takes seconds for a hash, does with less where the environment's
  /// `SIGHTLINE_DEBUG_PASSWORD_COST` says so, 4 to 17; a release build never does.
  public static let usualLogCost: Int = {
    #if DEBUG
    let told = ProcessInfo.processInfo.environment["SIGHTLINE_DEBUG_PASSWORD_COST"].flatMap { Int($0) }
    if let told, (4...17).contains(told) { return told }
    #endif
    return 17
  }()

  /// A hasher; `logCost` is the binary logarithm of N.
  public init(logCost: Int = PasswordHasher.usualLogCost) {
    precondition((4...20).contains(logCost))
    self.logCost = logCost
    worker = BackgroundWorker(label: "sightline.passwords", limit: 32)
    decoy = "scrypt$\(logCost)$8$1$\(Data(count: 16).hexadecimal)$\(Data(count: 32).hexadecimal)"
  }

  /// Fewest characters of a new password (OWASP ASVS 2.1.1); older ones may be shorter.
  public static let minimumLength = 12
  /// Most characters of a new password (OWASP ASVS 2.1.2).
  public static let maximumLength = 128

  /// What is wrong with a password that somebody wants; `nil` when nothing is.
  ///
  /// - Parameters:
  ///   - password: As it was typed.
  ///   - name: The account's name.
  ///   - host: The name of the server, as far as it is known.
  /// - Returns: A sentence that says what to do.
  public static func objection(to password: String, name: String, host: String = "") -> String? {
    // Before any work on it.
    guard password.utf8.count <= 1024 else { return "The password is longer than 1024 bytes. Take a shorter one." }
    let text = normalized(password)
    // Blanks one after the other count as one.
    let words = text.split(whereSeparator: \.isWhitespace)
    let count = words.reduce(0) { $0 + $1.count } + max(0, words.count - 1)
    if count < minimumLength { return "The password is too short. Take \(minimumLength) characters or more." }
    if text.count > maximumLength { return "The password is too long. Take \(maximumLength) characters or fewer." }
    if Set(text).count < 4 { return "The password has fewer than four different characters. Take a better one." }
    let folded = text.lowercased()
    if name.count >= 3, folded.hasPrefix(name) || folded.hasSuffix(name) {
      return "The password contains the name. Take one that says nothing about you."
    }
    if PasswordStrength(context: [name, host]).bits(text) < PasswordStrength.leastBits {
      return "The password is among the first that somebody would try: common words, names, years or keys in a row. "
        + "Take a few words that have nothing to do with each other."
    }
    return nil
  }

  /// The hash of a new password.
  public func hash(_ password: String) async throws -> String {
    let logCost = logCost
    return try await worker.run {
      let salt = SecretToken.bytes(16)
      let parameters = Parameters(logCost: logCost, blockSize: 8, parallelism: 1)
      let key = try PasswordHasher.key(password, salt: salt, parameters)
      return "scrypt$\(logCost)$8$1$\(salt.hexadecimal)$\(key.hexadecimal)"
    }
  }

  /// Whether a password is the one of the hash; with `nil` for the hash of an unknown account it takes as long.
  public func verify(_ password: String, against hash: String?) async throws -> Bool {
    let text = hash ?? decoy
    let logCost = logCost
    let matches = try await worker.run { () -> Bool in
      guard let (parameters, salt, key) = PasswordHasher.parts(of: text) else { return false }
      let own = try PasswordHasher.key(password, salt: salt, parameters)
      // An older hash takes less work. The rest is done too, or the time would tell which names there are.
      if let rest = parameters.rest(to: logCost) { _ = try PasswordHasher.key(password, salt: salt, rest) }
      return SecretToken.equal(own, key)
    }
    return matches && hash != nil
  }

  /// Whether a hash was made with less work than one would be made with now.
  public func needsRenewal(_ hash: String) -> Bool {
    guard let (parameters, _, _) = PasswordHasher.parts(of: hash) else { return false }
    return parameters.work < Parameters(logCost: logCost, blockSize: 8, parallelism: 1).work
  }

  /// How much work a hash takes.
  private struct Parameters: Sendable {
    /// Binary logarithm of N.
    var logCost: Int
    /// r.
    var blockSize: Int
    /// p.
    var parallelism: Int

    /// Steps, in proportion.
    var work: Int { (1 << logCost).saturatingMultiply(blockSize).saturatingMultiply(parallelism) }

    /// What takes as long as is missing to an ordinary hash of this cost: more of the same, one after the other.
    func rest(to wanted: Int) -> Parameters? {
      guard blockSize == 8, parallelism == 1, logCost < wanted else { return nil }
      return Parameters(logCost: logCost, blockSize: 8, parallelism: (1 << min(wanted - logCost, 6)) - 1)
    }
  }

  /// The pieces of a stored hash; `nil` when it is none, or would take more than 1 GiB.
  private static func parts(of hash: String) -> (Parameters, salt: Data, key: Data)? {
    let parts = hash.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]), let block = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Data(hexadecimal: String(parts[4])),
      let key = Data(hexadecimal: String(parts[5])), (4...20).contains(cost), (1...8).contains(block),
      (1...64).contains(parallelism)
    else { return nil }
    return (Parameters(logCost: cost, blockSize: block, parallelism: parallelism), salt, key)
  }

  /// Two ways to type the same letters are the same password.
  private static func normalized(_ password: String) -> String { password.precomposedStringWithCompatibilityMapping }

  private static func key(_ password: String, salt: Data, _ parameters: Parameters) throws -> Data {
    let key = try KDF.Scrypt.deriveKey(
      from: Data(normalized(password).utf8),
      salt: salt,
      outputByteCount: 32,
      rounds: 1 << parameters.logCost,
      blockSize: parameters.blockSize,
      parallelism: parameters.parallelism
    )
    return key.withUnsafeBytes { Data($0) }
  }
}

/// Random texts that open something.
public enum SecretToken {
  /// Bytes of the system's generator.
  static func bytes(_ count: Int) -> Data {
    SymmetricKey(size: .init(bitCount: count * 8)).withUnsafeBytes { Data($0) }
  }

  /// 256 random bits in the URL's alphabet of base 64, 43 characters.
  public static func make() -> String {
    bytes(32).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// What of a token is stored.
  public static func digest(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

  /// Compares in a time that tells nothing about where the two differ.
  static func equal(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
    let (left, right) = (Array(left), Array(right))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
