import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import SightlineImport
import SightlineInput
import SightlineStore

/// `/assets/{sha256}`: files of the worlds stored here; `/api/v1/asset?url=`: pictures of foreign worlds.
struct AssetRoutes: Sendable {
  let assets: any AssetStore
  let fetcher: GuardedFetcher
  let documents: ForeignDocuments
  /// What is being sent: many who read the same file at once share its bytes.
  let shared: BodyCache
  /// Archives that worlds came in, while their files are asked for.
  let archives: ForeignArchives

  /// How long a file's bytes are shared by new requests, seconds; it may be removed from the store meanwhile.
  private static let sharingTime = 5

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/assets/{hash}",
      .init("A stored file", answer: .file("*/*"), also: [304]),
      cost: .render
    ) { exchange in
      let hash = exchange.parameters[0]
      let turn = Int(clamped: Date().timeIntervalSinceReferenceDate) / AssetRoutes.sharingTime
      let asset = try await shared.body(for: "\(hash) \(turn)", isCompressed: false) {
        guard let asset = try await assets.asset(hash) else { return nil }
        return .bytes(ByteBuffer(data: asset.bytes), mediaType: asset.mediaType)
      }
      guard let asset else {
        throw RequestProblem.notFound(
          "asset.unknown",
          "There is no file with this hash here. Addresses of files stand in the worlds' assets."
        )
      }
      // The address is the content's hash: what it names can never change.
      return Answers.tagged(
        exchange,
        mediaType: asset.mediaType,
        etag: "\"\(hash)\"",
        cache: "public, max-age=31536000, immutable",
        plain: asset.plain,
        gzip: nil,
        headers: Answers.sharedHeaders
      )
    }
    routes.add(
      .get,
      "/api/v1/asset",
      .init(
        "A foreign picture, model or sound",
        query: ["url": .string],
        answer: .file("*/*"),
        refusals: [403, 413, 415, 422, 502, 504]
      )
    ) { exchange in
      try exchange.requireOwnPage()
      guard let url = exchange.queryFields["url"] else {
        throw RequestProblem.badRequest("asset.missing", "The field url is missing: the picture's address.")
      }
      let body = try await foreign(url, client: exchange.client)
      // Passed on as it came, so no worker has to read it, unless it has to be unpacked: of these bytes the server looks at
      // the first sixteen. They are no more than the proxy fetches, go out as what they begin like under nosniff and a
      // policy that lets nothing run, and are decoded by the browser that asked for them.
      let bytes = body.readableBytesView
      guard let mediaType = AssetSniffer.mediaType(of: bytes) ?? SoundSniffer.mediaType(of: bytes) else {
        throw RequestProblem(
          .badGateway,
          "asset.type",
          "What stands at this address is no picture, model or sound. PNG, JPEG, GIF, WebP, BMP and TIFF are shown, and GLB; MP3, MPEG-4, AAC, Ogg, WAV and FLAC are played."
        )
      }
      return Response(
        status: .ok,
        headers: [.contentType: mediaType, .cacheControl: "private, max-age=3600"],
        body: .init(byteBuffer: body)
      )
    }
  }

  /// What stands at an address; what is behind a `#` names a file in an archive.
  private func foreign(_ url: String, client: String) async throws -> ByteBuffer {
    guard let (address, name) = ForeignArchives.parts(of: url) else {
      return try await fetcher.fetch(url, .get, accept: "image/*, audio/*, model/gltf-binary", client: client).body
    }
    let fetcher = fetcher
    let archive = try await archives.body(at: address) {
      try await fetcher.fetch(address, .get, accept: "*/*", client: client).body
    }
    // Elsewhere it is a part of a picture that is named, and that is the browser's.
    guard ForeignArchives.isArchive(archive) else { return archive }
    guard let file = try await documents.packed(name, in: archive, client: client) else {
      throw RequestProblem(
        .unprocessableContent,
        "asset.packed",
        "The archive at this address has no file of this name that can be unpacked."
      )
    }
    return file
  }
}

extension Exchange {
  /// Refuses requests that a browser made for another site's page, which could otherwise use its visitors to reach
  /// through this server.
  ///
  /// Programs that are no browsers send no such field and are held by the limits alone.
  func requireOwnPage() throws(RequestProblem) {
    guard request.headers[.fetchSite] == "cross-site" else { return }
    throw RequestProblem(
      .forbidden,
      "open.cross-site",
      "Pages of other sites may not fetch through this server. Open the world here."
    )
  }
}
