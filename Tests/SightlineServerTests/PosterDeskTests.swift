import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SightlinePictures
import SightlineStore
import Testing

@testable import SightlineServer

@Suite struct PosterDeskTests {
  private func upload(_ author: SignedIn, _ bytes: [UInt8]) async throws -> String {
    let response = try await author.fixture.request(
      "/api/v1/assets?side=4096",
      .post,
      headers: [.cookie: author.cookie, .csrfToken: author.csrf, .contentType: "application/octet-stream"],
      bytes: bytes
    )
    #expect(response.status == .created)
    return try #require(try JSONAnswer(response)["hash"] as? String)
  }

  private func photograph(_ width: Int, _ height: Int, _ color: [UInt8] = [20, 120, 200]) throws -> [UInt8] {
    let pixels = (0..<width * height).flatMap { _ in color }
    let jpeg = try Picture(width: width, height: height, layout: .rgb, pixels: pixels).jpeg()
    let note = Array("Exif\0\0II GPS 48.3984N".utf8)
    return Array(jpeg[..<2]) + [0xFF, 0xE1, 0, UInt8(note.count + 2)] + note + Array(jpeg[2...])
  }

  private func body(_ picture: String?, title: String = "Gulls", more: String = "") -> String {
    let picture = picture.map { #","picture":"\#($0)""# } ?? ""
    return """
      {"title":"\(title)","artist":" Mara ","text":"Two\\nlines","categories":["Birds","Sea","Birds"],\
      "sizes":[{"width":300,"height":400,"price":{"amount":"24,90","currency":"EUR"}},\
      {"name":"Large","width":600,"height":800}],"shop":"https://shop.example/gulls"\(picture)\(more)}
      """
  }

  @Test func `an author brings in a poster, changes it and takes it out again`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let hash = try await upload(olga, try photograph(900, 1200))
    let made = try await olga.request("/api/v1/posters", .post, body(hash))
    #expect(made.status == .created)
    let first = try #require(made.headers[.eTag])
    let answer = try JSONAnswer(made)
    #expect(answer["owner"] as? String == "olga" && answer.objects("warnings").isEmpty)
    let poster = try #require(try await fixture.stores.posters.poster("gulls"))
    #expect(poster.title == "Gulls" && poster.artist == "Mara" && poster.text == "Two\nlines")
    #expect(poster.categories == ["Birds", "Sea"] && poster.shop == "https://shop.example/gulls")
    #expect(
      poster.sizes == [
        PosterSize(name: "30 × 40 cm", width: 300, height: 400, price: PosterPrice(amount: "24.90", currency: "EUR")),
        PosterSize(name: "Large", width: 600, height: 800),
      ]
    )
    #expect(poster.pictures.map(\.width) == [240, 480, 900])
    for picture in poster.pictures {
      let file = Array((try await fixture.request(picture.url)).body.readableBytesView)
      #expect(Data(file).range(of: Data("48.3984N".utf8)) == nil)
      let decoded = try Picture(decoding: file, as: .rgb)
      #expect(decoded.width == picture.width && decoded.height == picture.height)
    }
    #expect(try await fixture.request("/api/v1/posters/gulls").status == .ok)

    // Without a picture it keeps the one it has.
    let second = try await olga.request(
      "/api/v1/posters/gulls",
      .put,
      body(nil, title: "More gulls"),
      headers: [.ifMatch: first]
    )
    #expect(second.status == .ok)
    let changed = try #require(try await fixture.stores.posters.poster("gulls"))
    #expect(changed.title == "More gulls" && changed.pictures == poster.pictures && changed.color == poster.color)
    // What was made from the first one does not overwrite the second.
    let stale = try await olga.request("/api/v1/posters/gulls", .put, body(nil), headers: [.ifMatch: first])
    try expectProblem(stale, 412, "poster.conflict")
    let blind = try await olga.request("/api/v1/posters/gulls", .put, body(nil))
    try expectProblem(blind, 428, "poster.revision")
    #expect(try await fixture.stores.posters.poster("gulls")?.title == "More gulls")
    // Another picture, wider than the sizes: said, not refused.
    let wide = try await upload(olga, try photograph(800, 400, [200, 30, 30]))
    let third = try await olga.request(
      "/api/v1/posters/gulls",
      .put,
      body("/assets/" + wide),
      headers: [.ifMatch: try #require(second.headers[.eTag])]
    )
    #expect(try JSONAnswer(third).objects("warnings").compactMap { $0["path"] as? String } == ["sizes/0", "sizes/1"])
    #expect(try await fixture.stores.posters.poster("gulls")?.pictures.last?.width == 800)

    #expect(try await olga.request("/api/v1/posters/gulls", .delete).status == .noContent)
    try expectProblem(try await fixture.request("/api/v1/posters/gulls"), 404, "poster.unknown")
    try expectProblem(try await olga.request("/api/v1/posters/gulls", .delete), 404, "poster.unknown")
  }

  @Test func `authors see their own posters, operators all, and imported ones are the operators'`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    let chief = try await fixture.signedIn("chief", .operator)
    _ = try await fixture.stores.posters.savePoster(
      Poster(
        id: "imported",
        title: "Imported",
        sizes: [PosterSize(name: "A3", width: 297, height: 420)],
        pictures: [PosterPicture(url: "/assets/00", width: 240, height: 340)]
      )
    )
    let hash = try await upload(olga, try photograph(300, 400))
    _ = try await olga.request("/api/v1/posters", .post, body(hash))
    func list(_ who: SignedIn, _ query: String = "") async throws -> [String] {
      try JSONAnswer(try await who.request("/api/v1/studio/posters" + query)).objects("posters").map {
        "\(($0["poster"] as? [String: Any])?["id"] ?? "") \($0["owner"] ?? "-")"
      }
    }
    #expect(try await list(olga) == ["gulls olga"])
    #expect(try await list(otto) == [])
    #expect(try await list(otto, "?all=1") == [])
    #expect(try await list(chief, "?all=1") == ["gulls olga", "imported -"])
    try expectProblem(try await olga.request("/api/v1/studio/posters/imported"), 403, "account.owner")
    let seen = try await chief.request("/api/v1/studio/posters/imported")
    let tag = try #require(seen.headers[.eTag])
    let byChief = try await chief.request("/api/v1/posters/imported", .put, body(nil), headers: [.ifMatch: tag])
    #expect(byChief.status == .ok)
    #expect(try await chief.request("/api/v1/posters/gulls", .delete).status == .noContent)
  }

  @Test func `identifiers come from the title, and are never taken from another poster`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let hash = try await upload(olga, try photograph(300, 400))
    var ids: [String] = []
    for title in ["Gulls & Co. / 2", "Gulls & Co. / 2", "鸥", "鸥"] {
      let answer = try JSONAnswer(try await olga.request("/api/v1/posters", .post, body(hash, title: title)))
      ids.append((answer["poster"] as? [String: Any])?["id"] as? String ?? "")
    }
    #expect(ids == ["gulls-co-2", "gulls-co-2-2", "poster", "poster-2"])
    let taken = try await olga.request("/api/v1/posters", .post, body(hash, more: #","id":"poster""#))
    try expectProblem(taken, 409, "poster.taken")
    let tag = try #require(try await olga.request("/api/v1/studio/posters/poster").headers[.eTag])
    let renamed = try await olga.request(
      "/api/v1/posters/poster",
      .put,
      body(nil, more: #","id":"other""#),
      headers: [.ifMatch: tag]
    )
    try expectProblem(renamed, 400, "poster.id")
  }

  @Test(arguments: [
    ("{", "body.json"), ("[]", "body.member"), ("{}", "body.member"), (#"{"title":"A"}"#, "body.member"),
    (#"{"title":1,"sizes":[]}"#, "body.member"), (#"{"title":"A","sizes":{}}"#, "body.member"),
    (#"{"title":"A","sizes":[{"width":"3","height":4}]}"#, "body.member"),
    (#"{"title":"A","sizes":[{"width":1e999,"height":4}]}"#, "body.json"),
    (#"{"title":"A","sizes":[]}"#, "poster.invalid"),
    (#"{"title":" ","sizes":[{"width":300,"height":400}]}"#, "poster.invalid"),
    (#"{"title":"A\u0007","sizes":[{"width":300,"height":400}]}"#, "poster.invalid"),
    (#"{"title":"A","sizes":[{"width":1e300,"height":400}]}"#, "poster.invalid"),
    (#"{"title":"A","sizes":[{"width":-300,"height":400}]}"#, "poster.invalid"),
    (
      #"{"title":"A","sizes":[{"width":300,"height":400,"price":{"amount":"free","currency":"EUR"}}]}"#,
      "poster.invalid"
    ),
    (#"{"title":"A","sizes":[{"width":300,"height":400}],"shop":"javascript:alert(1)"}"#, "poster.invalid"),
    (#"{"title":"A","id":"../x","sizes":[{"width":300,"height":400}]}"#, "poster.invalid"),
    (#"{"title":"A","sizes":[{"width":300,"height":400}]}"#, "poster.picture"),
    (#"{"title":"A","sizes":[{"width":300,"height":400}],"picture":"../../etc/passwd"}"#, "poster.picture"),
    (#"{"title":"A","sizes":[{"width":300,"height":400}],"picture":"HASH"}"#, "poster.picture"),
  ])
  func `a malformed body is refused, and nothing is stored`(text: String, code: String) async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let text = text.replacing("HASH", with: String(repeating: "0", count: 64))
    let response = try await olga.request("/api/v1/posters", .post, text)
    #expect([400, 422].contains(response.status.code))
    let answer = try JSONAnswer(response)
    #expect(answer["code"] as? String == code, "\(answer.value)")
    if code == "poster.invalid" { #expect(!answer.objects("problems").isEmpty) }
    #expect(try await fixture.stores.posters.posters(PosterQuery()).total == 0)
    let form = try await olga.request("/api/v1/posters", .post, text, headers: [.contentType: "text/plain"])
    try expectProblem(form, 415, "body.media-type")
    let huge = try await olga.request("/api/v1/posters", .post, String(repeating: " ", count: 170_000))
    try expectProblem(huge, 413, "body.too-large")
  }

  @Test func `pictures that are no posters are refused, and so is what does not fit any more`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.quotas.posters = 2 }
    let olga = try await fixture.signedIn("olga")
    for (width, height) in [(40, 300), (2000, 70)] {
      let hash = try await upload(olga, try photograph(width, height))
      try expectProblem(try await olga.request("/api/v1/posters", .post, body(hash)), 422, "poster.picture")
    }
    let hash = try await upload(olga, try photograph(300, 400))
    let used = try await fixture.stores.assets.assetUse(of: olga.account.id).bytes
    for _ in 0..<2 { #expect(try await olga.request("/api/v1/posters", .post, body(hash)).status == .created) }
    // Renditions are counted, once.
    #expect(try await fixture.stores.assets.assetUse(of: olga.account.id).bytes > used)
    try expectProblem(try await olga.request("/api/v1/posters", .post, body(hash)), 409, "poster.quota")

    // Room for the picture as it was sent, not for what a poster needs besides.
    let file = try photograph(300, 400)
    let room = try PictureIntake.read(file, side: 4096).bytes.count + 10
    let narrow = try await ServerFixture.withAccounts { $0.quotas.assetBytes = room }
    let nora = try await narrow.signedIn("nora")
    let small = try await upload(nora, file)
    try expectProblem(try await nora.request("/api/v1/posters", .post, body(small)), 413, "asset.quota")
    #expect(try await narrow.stores.posters.posters(PosterQuery()).total == 0)
    #expect(try await narrow.stores.assets.assetUse(of: nora.account.id).count == 1)
  }
}
