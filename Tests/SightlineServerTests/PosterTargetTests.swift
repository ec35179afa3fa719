import Foundation
import HTTPTypes
import NIOCore
import SightlineImageTargets
import SightlinePictures
import SightlineStore
import Synchronization
import Testing

@testable import SightlineServer

/// Target files that the server makes of posters.
@Suite struct PosterTargetTests {
  /// Rectangles of many sizes and grey levels.
  private func picture(width: Int, height: Int) throws -> Data {
    var pixels = [UInt8](repeating: 200, count: width * height)
    for k in 0..<90 {
      let (x0, y0) = (k * 7919 % (width - 60), k * 104_729 % (height - 60))
      for y in y0..<y0 + 8 + k % 47 { for x in x0..<x0 + 10 + k % 41 { pixels[y * width + x] = UInt8(k * 37 % 200) } }
    }
    return Data(try Picture(width: width, height: height, layout: .gray, pixels: pixels).jpeg(quality: 90))
  }

  @Test func `a poster's target is built from its picture and is as wide as its first size`() async throws {
    let fixture = try await ServerFixture()
    var pictures: [PosterPicture] = []
    for (width, height) in [(240, 320), (600, 800), (1200, 1600)] {
      let bytes = try picture(width: width, height: height)
      let hash = try await fixture.stores.assets.saveAsset(bytes, mediaType: "image/jpeg")
      pictures.append(PosterPicture(url: "/assets/\(hash)", width: width, height: height))
    }
    let size = PosterSize(name: "A3", width: 297, height: 420)
    _ = try await fixture.stores.posters.savePoster(Poster(id: "sea", title: "Sea", sizes: [size], pictures: pictures))
    let answer = try await fixture.request("/api/v1/posters/sea/target")
    #expect(answer.status == .ok)
    let target = try TargetFile.decode([UInt8](answer.body.readableBytesView))
    #expect(String(decoding: target.name, as: UTF8.self) == "sea")
    #expect(abs(target.printedWidth - 0.297) < 1e-6)
    // The smallest one that is large enough.
    #expect(target.width == 600 && target.height == 800)
    #expect(target.rating.stars > 1)
    let again = try await fixture.request("/api/v1/posters/sea/target")
    #expect(again.body == answer.body)

    let etag = try #require(answer.headers[.eTag])
    let known = try await fixture.request("/api/v1/posters/sea/target", headers: [.ifNoneMatch: etag])
    #expect(known.status == .notModified)
    let other = PosterSize(name: "A2", width: 420, height: 594)
    _ = try await fixture.stores.posters.savePoster(Poster(id: "sea", title: "Sea", sizes: [other], pictures: pictures))
    let changed = try await fixture.request("/api/v1/posters/sea/target", headers: [.ifNoneMatch: etag])
    #expect(changed.status == .ok)
    #expect(changed.headers[.eTag] != etag)
  }

  @Test func `a target is built once, and named by picture, width and builder`() async throws {
    let fixture = try await ServerFixture()
    let (stores, documents) = (fixture.stores, ForeignDocuments(workers: TestReaders.shared))
    let hash = try await stores.assets.saveAsset(try picture(width: 600, height: 800), mediaType: "image/jpeg")
    let pictures = [PosterPicture(url: "/assets/\(hash)", width: 600, height: 800)]
    let size = PosterSize(name: "A3", width: 297, height: 420)
    let poster = Poster(id: "sea", title: "Sea", sizes: [size], pictures: pictures)
    #expect(PosterTarget.builder.count == 8)
    #expect(PosterTarget.tag(poster) == "target-\(PosterTarget.builder)-\(hash.prefix(24))-297.0")

    // Made once for a key; what is kept is what was made, and is not compressed.
    let cache = BodyCache(limit: 1 << 20)
    let made = Mutex(0)
    for _ in 0..<3 {
      let body = try await cache.body(for: PosterTarget.tag(poster), isCompressed: false) {
        made.withLock { $0 += 1 }
        let file = try await PosterTarget(assets: stores.assets).file(poster, documents: documents, client: "test")
        return .bytes(ByteBuffer(bytes: file), mediaType: "")
      }
      let kept = try #require(body)
      #expect(kept.gzip == nil)
      #expect(try TargetFile.decode([UInt8](kept.plain.readableBytesView)).width == 600)
    }
    #expect(made.withLock { $0 } == 1)
  }

  @Test func `two posters with one picture each get a target with their own name`() async throws {
    let fixture = try await ServerFixture()
    let hash = try await fixture.stores.assets.saveAsset(try picture(width: 600, height: 800), mediaType: "image/jpeg")
    let pictures = [PosterPicture(url: "/assets/\(hash)", width: 600, height: 800)]
    let size = PosterSize(name: "A3", width: 297, height: 420)
    for id in ["sea", "shore", "sea"] {
      _ = try await fixture.stores.posters.savePoster(Poster(id: id, title: id, sizes: [size], pictures: pictures))
      let answer = try await fixture.request("/api/v1/posters/\(id)/target")
      let target = try TargetFile.decode([UInt8](answer.body.readableBytesView))
      #expect(String(decoding: target.name, as: UTF8.self) == id)
    }
  }

  @Test func `without a picture here there is no target, and that is said`() async throws {
    let fixture = try await ServerFixture()
    let broken = try await fixture.stores.assets.saveAsset(Data("no picture".utf8), mediaType: "image/jpeg")
    for (id, pictures) in [
      ("none", []), ("foreign", [PosterPicture(url: "https://example.org/a.jpg", width: 800, height: 800)]),
      ("lost", [PosterPicture(url: "/assets/00", width: 800, height: 800)]),
      ("broken", [PosterPicture(url: "/assets/\(broken)", width: 800, height: 800)]),
    ] {
      _ = try await fixture.stores.posters.savePoster(Poster(id: id, title: id, sizes: [], pictures: pictures))
      let answer = try await fixture.request("/api/v1/posters/\(id)/target")
      #expect(answer.status == .notFound, "\(id)")
      #expect(try JSONAnswer(answer)["code"] as? String == "poster.picture", "\(id)")
    }
    let unknown = try await fixture.request("/api/v1/posters/who/target")
    #expect(try JSONAnswer(unknown)["code"] as? String == "poster.unknown")
  }
}
