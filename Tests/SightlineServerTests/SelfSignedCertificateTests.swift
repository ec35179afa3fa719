import Crypto
import Foundation
import Testing
import X509

@testable import SightlineServer

@Suite struct SelfSignedCertificateTests {
  private func withFolder(_ work: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "sightline-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await work(folder)
  }

  private var lan: [NetworkAddress] { ["127.0.0.1", "192.168.1.5", "fd00::5"].compactMap(NetworkAddress.init) }

  @Test func `the key is for its owner alone, and both files are kept and used again`() async throws {
    try await withFolder { folder in
      let first = try SelfSignedCertificate(in: folder, names: ["localhost", "box"], addresses: lan)
      #expect(first.isNew)
      let mode = try FileManager.default.attributesOfItem(atPath: first.files.key)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let again = try SelfSignedCertificate(in: folder, names: ["localhost", "box"], addresses: lan)
      #expect(!again.isNew)
      #expect(again.fingerprint == first.fingerprint)
      // Fewer names are covered as well.
      #expect(try !SelfSignedCertificate(in: folder, names: ["box"], addresses: []).isNew)
    }
  }

  @Test func `openssl agrees about names, dates, key and fingerprint`() async throws {
    try await withFolder { folder in
      let made = try SelfSignedCertificate(in: folder, names: ["localhost", "box.local"], addresses: lan)
      let text = try await command(
        "openssl",
        "x509",
        "-in",
        made.files.certificate,
        "-noout",
        "-text",
        "-fingerprint",
        "-sha256"
      )
      #expect(text.contains("Fingerprint=\(made.fingerprint)"))
      #expect(text.contains("DNS:localhost, DNS:box.local, IP Address:127.0.0.1, IP Address:192.168.1.5"))
      #expect(text.contains("IP Address:FD00:0:0:0:0:0:0:5"))
      #expect(text.contains("CA:FALSE"))
      #expect(text.contains("TLS Web Server Authentication"))
      #expect(text.contains("prime256v1"))
      let certificate = try Certificate(pemEncoded: String(contentsOfFile: made.files.certificate, encoding: .utf8))
      let days = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) / 86_400
      #expect(days <= 398)
      _ = try made.files.configuration()
    }
  }

  @Test func `a new address, an end that is near, or a damaged file makes a new one`() async throws {
    try await withFolder { folder in
      let names = ["localhost"]
      var last = try SelfSignedCertificate(in: folder, names: names, addresses: []).fingerprint
      func expectNew(_ addresses: [NetworkAddress] = [], now: Date = Date(), _ reason: Comment) throws {
        let made = try SelfSignedCertificate(in: folder, names: names, addresses: addresses, now: now)
        #expect(made.isNew, reason)
        #expect(made.fingerprint != last, reason)
        _ = try made.files.configuration()
        last = made.fingerprint
      }
      try expectNew(lan, "an address that is not in it")
      try expectNew(lan, now: Date(timeIntervalSinceNow: 370 * 86_400), "it ends in less than 30 days")
      try expectNew(lan, now: Date(), "it is not valid yet")
      try Data("damaged".utf8).write(to: URL(fileURLWithPath: folder + "/sightline-certificate.pem"))
      try expectNew(lan, "the certificate is damaged")
      try Data(P256.Signing.PrivateKey().pemRepresentation.utf8)
        .write(to: URL(fileURLWithPath: folder + "/sightline-key.pem"))
      try expectNew(lan, "the key is another's")
      try FileManager.default.removeItem(atPath: folder + "/sightline-key.pem")
      try expectNew(lan, "the key is gone")
    }
  }

  @Test func `files that cannot be used are named`() async throws {
    try await withFolder { folder in
      let made = try SelfSignedCertificate(in: folder, names: ["localhost"], addresses: [])
      let other = folder + "/other.pem"
      try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: URL(fileURLWithPath: other))
      for files in [
        TLSFiles(certificate: "/nonexistent", key: made.files.key),
        TLSFiles(certificate: made.files.certificate, key: "/nonexistent"),
        TLSFiles(certificate: made.files.key, key: made.files.key),
        TLSFiles(certificate: made.files.certificate, key: other),
      ] {
        let failure = #expect(throws: TLSFailure.self) { try files.configuration() }
        #expect(failure?.description.hasPrefix("The ") == true)
      }
      #expect(throws: TLSFailure.self) {
        try SelfSignedCertificate(in: "/nonexistent", names: ["localhost"], addresses: [])
      }
    }
  }

  @Test func `addresses of this machine are those that others can reach`() {
    for text in LocalAddresses.ipv4() {
      let address = NetworkAddress(text)
      #expect(address?.bytes.count == 4)
      #expect(address?.bytes.first != 127)
    }
  }
}
