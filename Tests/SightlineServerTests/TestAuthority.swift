import Crypto
import Foundation
import SwiftASN1
import X509

@testable import SightlineServer

/// A certificate authority of a test's own.
struct TestAuthority {
  let certificateFile: String
  private let folder: String
  private let key = P256.Signing.PrivateKey()
  private let name: DistinguishedName

  init(in folder: String) throws {
    self.folder = folder
    certificateFile = folder + "/authority.pem"
    name = try DistinguishedName { CommonName("Test authority") }
    let own = Certificate.PrivateKey(key)
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Certificate.SerialNumber(),
      publicKey: own.publicKey,
      notValidBefore: Date(timeIntervalSinceNow: -3600),
      notValidAfter: Date(timeIntervalSinceNow: 3600),
      issuer: name,
      subject: name,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
      },
      issuerPrivateKey: own
    )
    try Data(certificate.serializeAsPEM().pemString.utf8).write(to: URL(fileURLWithPath: certificateFile))
  }

  /// A certificate for a host, with its key.
  func issue(for host: String) throws -> TLSFiles {
    let hostKey = P256.Signing.PrivateKey()
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PrivateKey(hostKey).publicKey,
      notValidBefore: Date(timeIntervalSinceNow: -3600),
      notValidAfter: Date(timeIntervalSinceNow: 3600),
      issuer: name,
      subject: try DistinguishedName { CommonName(host) },
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        SubjectAlternativeNames([.dnsName(host)])
      },
      issuerPrivateKey: Certificate.PrivateKey(key)
    )
    let files = TLSFiles(certificate: folder + "/host.pem", key: folder + "/host-key.pem")
    try Data(certificate.serializeAsPEM().pemString.utf8).write(to: URL(fileURLWithPath: files.certificate))
    try Data(hostKey.pemRepresentation.utf8).write(to: URL(fileURLWithPath: files.key))
    return files
  }
}
