import Crypto
import CryptoExtras
import Foundation
import SightlineStore

/// Hashes of passwords, by scrypt (RFC 7914).
///
/// A hash carries its own parameters, `scrypt$15$8$1$salt$key`, so that they can be raised later. With N = 2¹⁵, r = 8
/// one takes about 100 ms and 32 MiB; hashes are made one at a time, so that guessing takes no more memory than that.
public struct PasswordHasher: Sendable {
  private let worker: BackgroundWorker
  private let logCost: Int
  private let decoy: String

  /// A hasher; `logCost` is the binary logarithm of N.
  public init(logCost: Int = 15) {
    precondition((4...20).contains(logCost))
    self.logCost = logCost
    worker = BackgroundWorker(label: "sightline.passwords", limit: 32)
    decoy = "scrypt$\(logCost)$8$1$\(Data(count: 16).hexadecimal)$\(Data(count: 32).hexadecimal)"
  }

  /// Fewest characters of a password.
  public static let minimumLength = 10

  /// What is wrong with a password that somebody wants; `nil` when nothing is.
  public static func objection(to password: String, name: String) -> String? {
    let text = normalized(password)
    if text.count < minimumLength { return "The password is too short. Take \(minimumLength) characters or more." }
    if text.utf8.count > 1024 { return "The password is longer than 1024 bytes. Take a shorter one." }
    if Set(text).count < 4 { return "The password has fewer than four different characters. Take a better one." }
    let folded = text.lowercased()
    if !name.isEmpty, folded.hasPrefix(name) || folded.hasSuffix(name) {
      return "The password contains the name. Take one that says nothing about you."
    }
    return nil
  }

  /// The hash of a new password.
  public func hash(_ password: String) async throws -> String {
    let logCost = logCost
    return try await worker.run {
      let salt = SecretToken.bytes(16)
      let key = try PasswordHasher.key(password, salt: salt, logCost: logCost, blockSize: 8, parallelism: 1)
      return "scrypt$\(logCost)$8$1$\(salt.hexadecimal)$\(key.hexadecimal)"
    }
  }

  /// Whether a password is the one of the hash; with `nil` for the hash of an unknown account it takes as long.
  public func verify(_ password: String, against hash: String?) async throws -> Bool {
    let text = hash ?? decoy
    let matches = try await worker.run { () -> Bool in
      let parts = text.split(separator: "$", omittingEmptySubsequences: false)
      guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]), let block = Int(parts[2]),
        let parallelism = Int(parts[3]), let salt = Data(hexadecimal: String(parts[4])),
        let key = Data(hexadecimal: String(parts[5])), (4...24).contains(cost)
      else { return false }
      let own = try PasswordHasher.key(password, salt: salt, logCost: cost, blockSize: block, parallelism: parallelism)
      return SecretToken.equal(own, key)
    }
    return matches && hash != nil
  }

  /// Two ways to type the same letters are the same password.
  private static func normalized(_ password: String) -> String { password.precomposedStringWithCompatibilityMapping }

  private static func key(
    _ password: String,
    salt: Data,
    logCost: Int,
    blockSize: Int,
    parallelism: Int
  ) throws -> Data {
    let key = try KDF.Scrypt.deriveKey(
      from: Data(normalized(password).utf8),
      salt: salt,
      outputByteCount: 32,
      rounds: 1 << logCost,
      blockSize: blockSize,
      parallelism: parallelism
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
