import Foundation
import HTTPTypes
import Testing

@testable import SightlineServer

/// What the settings say other devices have to open.
@Suite struct PublicAddressTests {
  private func address(
    _ host: String,
    configured: String? = nil,
    isEncrypted: Bool = false,
    port: Int = 8080,
    local: [String] = ["192.168.1.7", "10.0.0.2"]
  ) -> String? {
    PublicAddress(
      configured: configured,
      host: host,
      isEncrypted: isEncrypted,
      port: ListeningPort(port),
      localAddresses: { local }
    ).current
  }

  @Test(arguments: ["127.0.0.1", "localhost", "LOCALHOST", "a.localhost", "::1", "127.1.2.3", "::ffff:127.0.0.1"])
  func `a server that only its own machine reaches has none`(host: String) {
    #expect(address(host) == nil)
  }

  @Test(arguments: ["0.0.0.0", "::"]) func `one that listens everywhere is reached in the local network`(host: String) {
    #expect(address(host) == "http://192.168.1.7:8080")
    #expect(address(host, isEncrypted: true, port: 8443) == "https://192.168.1.7:8443")
    #expect(address(host, local: []) == nil)
  }

  @Test func `one that listens on a certain address is reached there`() {
    #expect(address("192.168.1.9") == "http://192.168.1.9:8080")
    #expect(address("fd00::7", isEncrypted: true) == "https://[fd00::7]:8080")
    #expect(address("ar.lan") == "http://ar.lan:8080")
  }

  @Test func `what the operator says wins`() {
    #expect(address("127.0.0.1", configured: "https://ar.example.org") == "https://ar.example.org")
    #expect(address("0.0.0.0", configured: "https://ar.example.org/x") == "https://ar.example.org/x")
  }

  @Test func `a port that the system chooses is named once the server listens on it`() {
    let port = ListeningPort(0)
    let address = PublicAddress(configured: nil, host: "10.1.2.3", isEncrypted: false, port: port)
    #expect(address.current == nil)
    port.become(43_210)
    #expect(address.current == "http://10.1.2.3:43210")
  }

  @Test func `the settings say it`() async throws {
    let local = try JSONAnswer(try await ServerFixture().request("/api/v1/settings"))
    #expect(local["publicURL"] is NSNull)
    #expect(local["hasGeocoder"] as? Bool == false)
    let fixture = try await ServerFixture { $0.publicURL = "https://ar.example.org" }
    let settings = try JSONAnswer(try await fixture.request("/api/v1/settings"))
    #expect(settings["publicURL"] as? String == "https://ar.example.org")
  }
}
