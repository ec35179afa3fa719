import NIOSSL

/// A certificate or key cannot be used.
public struct TLSFailure: Error, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String
}

extension TLSFiles {
  /// The server's side of TLS 1.2 and 1.3 with these files.
  func configuration() throws -> TLSConfiguration {
    let chain: [NIOSSLCertificate]
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificate)
    } catch {
      throw TLSFailure(description: "The certificate \(certificate) cannot be read as PEM. Check path and content.")
    }
    let privateKey: NIOSSLPrivateKey
    do {
      privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
    } catch {
      throw TLSFailure(
        description: "The key \(key) cannot be read as PEM without a pass phrase. Check path, rights and content."
      )
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(privateKey)
    )
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw TLSFailure(description: "The key \(key) does not belong to the certificate \(certificate).")
    }
    return configuration
  }
}
