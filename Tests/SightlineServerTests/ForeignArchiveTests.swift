import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SightlineArchive
import SightlineContent
import Testing

@testable import SightlineServer

/// Worlds in archives elsewhere (KMZ) show the pictures that lie in them.
@Suite struct ForeignArchiveTests {
  private static let document = """
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>W</name>
    <Placemark id="a"><name>A</name><Style><IconStyle><Icon><href>files/one.png</href></Icon></IconStyle><LabelStyle><scale>0</scale></LabelStyle></Style>
    <Point><coordinates>10,48</coordinates></Point></Placemark>
    <Placemark id="b"><name>B</name><ExtendedData><Data name="image"><value>two%20b.png</value></Data></ExtendedData>
    <Point><coordinates>10,48.001</coordinates></Point></Placemark>
    <Placemark id="c"><name>C</name><ExtendedData><Data name="image"><value>../outside.png</value></Data></ExtendedData>
    <Point><coordinates>10,48.002</coordinates></Point></Placemark>
    </Document></kml>
    """

  private static func archive() throws -> [UInt8] {
    var zip = ZipWriter()
    try zip.add("inner/doc.kml", Array(document.utf8))
    try zip.add("files/one.png", Pictures.png)
    try zip.add("inner/two b.png", Pictures.png)
    try zip.add("inner/words.txt", Array("no picture".utf8))
    return try zip.finish()
  }

  private func with(_ body: @Sendable (ServerFixture, TestHost) async throws -> Void) async throws {
    let bytes = try Self.archive()
    try await TestHost.with { seen in
      switch seen.target {
      case let target where target.hasPrefix("/some/world.kmz"):
        Response(status: .ok, headers: [:], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
      default:
        Response(status: .ok, headers: [:], body: .init(byteBuffer: ByteBuffer(bytes: Pictures.png)))
      }
    } _: { host in
      let fixture = try await ServerFixture { $0.proxy.allowsPrivateAddresses = true }
      try await body(fixture, host)
      await fixture.server.fetcher.shutdown()
    }
  }

  @Test func `the pictures of a world in an archive are named and sent`() async throws {
    try await with { fixture, host in
      let root = "http://127.0.0.1:\(host.port)/some/"
      let opened = try await fixture.request(
        "/api/v1/open",
        .post,
        headers: [.contentType: "application/x-www-form-urlencoded"],
        body: "url=" + FormFields.encode(root + "world.kmz")
      )
      #expect(opened.status == .ok)
      struct Answer: Decodable { var dimension: SightlineContent.Dimension }
      let world = try JSONDecoder().decode(Answer.self, from: Data(opened.body.readableBytesView)).dimension
      let addresses = [world.assets.first?.url, world.places[1].imageURL, world.places[2].imageURL]
      #expect(
        addresses == [
          root + "world.kmz#files/one.png", root + "world.kmz#inner/two%20b.png",
          "http://127.0.0.1:\(host.port)/outside.png",
        ]
      )
      for address in addresses.compactMap({ $0 }) {
        let picture = try await fixture.request("/api/v1/asset?url=" + FormFields.encode(address))
        #expect(picture.status == .ok && picture.headers[.contentType] == "image/png", "\(address)")
        #expect(Array(picture.body.readableBytesView) == Pictures.png)
      }
      // Once for the world, once for all its pictures.
      #expect(host.seen.all.count { $0.target == "/some/world.kmz" } == 2)
    }
  }

  @Test func `what is not in the archive, or is no picture, is said`() async throws {
    try await with { fixture, host in
      func ask(_ name: String) async throws -> TestResponse {
        let address = "http://127.0.0.1:\(host.port)/some/world.kmz#" + name
        return try await fixture.request("/api/v1/asset?url=" + FormFields.encode(address))
      }
      try expectProblem(try await ask("nothing.png"), 422, "asset.packed")
      try expectProblem(try await ask("words.txt"), 502, "asset.type")
      // What is behind the mark of a picture is nobody's file.
      let plain = "http://127.0.0.1:\(host.port)/other.png#layer"
      #expect(try await fixture.request("/api/v1/asset?url=" + FormFields.encode(plain)).status == .ok)
    }
  }
}
