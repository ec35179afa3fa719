import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import SightlineImport
import SightlineInput
import SightlineStore

/// `/api/v1/assets`: pictures, models and sounds of authors.
struct UploadRoutes: Sendable {
  let assets: any AssetStore
  let accounts: Accounts
  let quotas: Quotas
  let documents: ForeignDocuments

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/assets",
      .init("One's files", for: .author, answer: .json(AssetList.self)),
      accounts.author { _, author in try await list(author) }
    )
    routes.add(
      .post,
      "/api/v1/assets",
      .init(
        "Keeps a picture, model or sound",
        for: .author,
        query: ["side": .integer(in: 16...PictureIntake.largestSide)],
        body: .file(["image/png", "image/jpeg", "image/webp", "model/gltf-binary", "audio/*"]),
        answer: .json(NewAsset.self),
        success: 201,
        refusals: [415, 422]
      ),
      cost: .heavy,
      accounts.author { try await upload($0, $1) }
    )
    routes.add(
      .delete,
      "/api/v1/assets/{hash}",
      .init("Removes one's file", for: .author, answer: .nothing, refusals: [409]),
      accounts.author { try await remove($0, $1) }
    )
  }

  private func list(_ author: Account) async throws -> Response {
    let files = try await assets.ownAssets(of: author.id)
    return try Answers.json(
      AssetList(
        files: files.map(AssetList.Entry.init),
        used: files.reduce(0) { $0.saturatingAdd($1.bytes) },
        limit: quotas.assetBytes
      )
    )
  }

  private func remove(_ exchange: Exchange, _ author: Account) async throws -> Response {
    switch try await assets.removeAsset(exchange.parameters[0], of: author.id) {
    case .removed: return Response(status: .noContent)
    case .inUse:
      throw RequestProblem(
        .conflict,
        "asset.in-use",
        "The file stands in a world, a poster or a tour, or in an earlier version of one. Take it out there first."
      )
    case .unknown:
      throw RequestProblem.notFound(
        "asset.unknown",
        "You have no file with this hash. GET /api/v1/assets lists yours."
      )
    }
  }

  private func upload(_ exchange: Exchange, _ author: Account) async throws -> Response {
    var side = PictureIntake.usualSide
    if let text = exchange.queryFields["side"] {
      guard let number = Int(text), (16...PictureIntake.largestSide).contains(number) else {
        throw RequestProblem.badRequest(
          "asset.side",
          "side, the longest side of the stored picture, has to be 16 to \(PictureIntake.largestSide) pixels."
        )
      }
      side = number
    }
    // Before the body is read: who has used everything up sends nothing more.
    let used = try await assets.assetUse(of: author.id).bytes
    guard used < quotas.assetBytes else { throw FilesFull(used: used, limit: quotas.assetBytes) }
    let bytes = Array(try await exchange.body(limit: quotas.uploadBytes).readableBytesView)
    guard !bytes.isEmpty else {
      throw RequestProblem.badRequest("asset.empty", "The body is empty. Send the file's bytes as the body.")
    }
    // Sounds are kept as they are: nothing of them is decoded here, and they go out under `nosniff` as what they begin like.
    let result =
      if let mediaType = SoundSniffer.mediaType(of: bytes) {
        PictureIntake.Result(bytes: Data(bytes), mediaType: mediaType, size: nil)
      } else { try await documents.picture(bytes, side: side, client: exchange.client) }
    // Looked at again where it is written: many that are sent at once fit each by itself.
    let file = AssetFile(bytes: result.bytes, mediaType: result.mediaType)
    let (hashes, total) = try await assets.keep([file], of: author, quotas)
    return try Answers.json(
      NewAsset(
        hash: hashes[0],
        url: "/assets/\(hashes[0])",
        mediaType: result.mediaType,
        bytes: result.bytes.count,
        width: result.size?.width,
        height: result.size?.height,
        used: total,
        limit: quotas.assetBytes
      ),
      status: .created
    )
  }
}
