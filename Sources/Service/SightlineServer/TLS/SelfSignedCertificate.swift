import Crypto
import Foundation
import SightlineStore
import SwiftASN1
import X509

/// A certificate that the server makes for itself, so that phones in the local network get a secure page.
///
/// It is signed by nobody: browsers warn once, and the user compares the fingerprint. It is made for the names and
/// addresses the machine has, kept beside the database, and made anew when an address is missing in it or it is about
/// to end.
public struct SelfSignedCertificate: Sendable {
  /// Both files; the key can be read by its owner alone.
  public let files: TLSFiles
  /// SHA-256 of the certificate, as browsers show it: `AB:CD:…`.
  public let fingerprint: String
  /// Whether it was made just now.
  public let isNew: Bool

  /// Phones refuse certificates that are valid for longer than 398 days.
  private static let validDays = 397.0
  private static let renewDaysBefore = 30.0

  /// The certificate in a folder, made when there is none that fits.
  ///
  /// - Parameter folder: Where `sightline-certificate.pem` and `sightline-key.pem` are kept.
  /// - Throws: ``TLSFailure`` when the files cannot be written.
  public init(in folder: String) throws {
    try self.init(in: folder, names: SelfSignedCertificate.names(), addresses: SelfSignedCertificate.addresses())
  }

  init(in folder: String, names: [String], addresses: [NetworkAddress], now: Date = Date()) throws {
    files = TLSFiles(
      certificate: folder + "/sightline-certificate.pem",
      key: folder + "/sightline-key.pem"
    )
    if let kept = SelfSignedCertificate.kept(files, names: names, addresses: addresses, now: now) {
      fingerprint = kept
      isNew = false
      return
    }
    let key = P256.Signing.PrivateKey()
    let certificate = try SelfSignedCertificate.make(key: key, names: names, addresses: addresses, now: now)
    // The key first: a certificate without its key would be kept and never work.
    try SelfSignedCertificate.write(key.pemRepresentation, to: files.key, mode: 0o600)
    try SelfSignedCertificate.write(
      certificate.serializeAsPEM().pemString,
      to: files.certificate,
      mode: 0o644
    )
    fingerprint = try SelfSignedCertificate.fingerprint(of: certificate)
    isNew = true
  }

  private static func names() -> [String] {
    guard let host = LocalAddresses.hostName(), host != "localhost" else { return ["localhost"] }
    // Phones find a computer by its multicast name without any set-up.
    let local = host.contains(".") ? [] : ["\(host).local"]
    return ["localhost", host] + local
  }

  private static func addresses() -> [NetworkAddress] {
    [NetworkAddress("127.0.0.1"), NetworkAddress("::1")].compactMap { $0 } + LocalAddresses.addresses()
  }

  /// Fingerprint of the kept certificate, if it fits: names and addresses all in it, key its own, not about to end.
  private static func kept(
    _ files: TLSFiles,
    names: [String],
    addresses: [NetworkAddress],
    now: Date
  ) -> String? {
    guard let pem = try? String(contentsOfFile: files.certificate, encoding: .utf8),
      let keyPEM = try? String(contentsOfFile: files.key, encoding: .utf8),
      let certificate = try? Certificate(pemEncoded: pem),
      let key = try? P256.Signing.PrivateKey(pemRepresentation: keyPEM),
      certificate.publicKey == Certificate.PublicKey(key.publicKey),
      certificate.notValidBefore <= now, now.addingTimeInterval(renewDaysBefore * 86_400) < certificate.notValidAfter,
      let alternatives = try? certificate.extensions.subjectAlternativeNames,
      subjectAlternatives(names, addresses).allSatisfy({ alternatives.contains($0) })
    else { return nil }
    return try? fingerprint(of: certificate)
  }

  private static func make(
    key: P256.Signing.PrivateKey,
    names: [String],
    addresses: [NetworkAddress],
    now: Date
  ) throws -> Certificate {
    let certificateKey = Certificate.PrivateKey(key)
    let subject = try DistinguishedName {
      OrganizationName("Sightline, made by this machine for itself")
      CommonName(names.last ?? "localhost")
    }
    return try Certificate(
      version: .v3,
      serialNumber: Certificate.SerialNumber(),
      publicKey: certificateKey.publicKey,
      // An hour back, for phones whose clock is slow.
      notValidBefore: now.addingTimeInterval(-3600),
      notValidAfter: now.addingTimeInterval(validDays * 86_400 - 3600),
      issuer: subject,
      subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        // Not an authority: who trusts it trusts this server and nothing that its key might sign.
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(subjectAlternatives(names, addresses))
      },
      issuerPrivateKey: certificateKey
    )
  }

  private static func subjectAlternatives(_ names: [String], _ addresses: [NetworkAddress]) -> [GeneralName] {
    names.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) }
  }

  private static func fingerprint(of certificate: Certificate) throws -> String {
    var serializer = DER.Serializer()
    try certificate.serialize(into: &serializer)
    return SHA256.hash(data: serializer.serializedBytes)
      .map { Data([$0]).hexadecimal.uppercased() }.joined(separator: ":")
  }

  private static func write(_ text: String, to path: String, mode: mode_t) throws {
    // Made with its final rights under another name, then renamed: never readable by others, never half written.
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    guard descriptor >= 0 else {
      throw TLSFailure(description: "\(temporary) cannot be written: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.synchronize()
    try handle.close()
    guard rename(temporary, path) == 0 else {
      throw TLSFailure(description: "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
  }
}
