import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import SightlineInput
import SightlineStore

/// `/api/v1/assets`: pictures and models of authors.
struct UploadRoutes: Sendable {
  let store: any ServerStore
  let accounts: Accounts
  let quotas: Quotas
  let documents: ForeignDocuments

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/api/v1/assets", accounts.author { _, author in try await list(author) })
    routes.add(.post, "/api/v1/assets", cost: .heavy, accounts.author { try await upload($0, $1) })
    routes.add(.delete, "/api/v1/assets/{hash}", accounts.author { try await remove($0, $1) })
  }

  private func list(_ author: Account) async throws -> Response {
    let files = try await store.ownAssets(of: author.id)
    var json = JSONWriter(capacity: 64 + files.count * 220)
    json.beginObject()
    json.name("files")
    json.beginArray()
    for file in files {
      json.beginObject()
      json.member("hash", file.hash)
      json.member("url", "/assets/\(file.hash)")
      json.member("mediaType", file.mediaType)
      json.member("bytes", file.bytes)
      json.member("saved", Timestamp.iso8601(file.saved))
      json.name("inUse")
      json.value(file.isUsed)
      json.endObject()
    }
    json.endArray()
    json.member("used", files.reduce(0) { $0.saturatingAdd($1.bytes) })
    json.member("limit", quotas.assetBytes)
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func remove(_ exchange: Exchange, _ author: Account) async throws -> Response {
    switch try await store.removeAsset(exchange.parameters[0], of: author.id) {
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
    let used = try await store.assetUse(of: author.id).bytes
    guard used < quotas.assetBytes else { throw RequestProblem.filesFull(used, quotas) }
    let bytes = Array(try await exchange.body(limit: quotas.uploadBytes).readableBytesView)
    guard !bytes.isEmpty else {
      throw RequestProblem.badRequest("asset.empty", "The body is empty. Send the file's bytes as the body.")
    }
    let result = try await documents.picture(bytes, side: side, client: exchange.client)
    // Looked at again where it is written: many that are sent at once fit each by itself.
    let file = AssetFile(bytes: result.bytes, mediaType: result.mediaType)
    let (hashes, total) = try await store.keep([file], of: author, quotas)
    let hash = hashes[0]
    var json = JSONWriter(capacity: 320)
    json.beginObject()
    json.member("hash", hash)
    json.member("url", "/assets/\(hash)")
    json.member("mediaType", result.mediaType)
    json.member("bytes", result.bytes.count)
    if let size = result.size {
      json.member("width", size.width)
      json.member("height", size.height)
    }
    json.member("used", total)
    json.member("limit", quotas.assetBytes)
    json.endObject()
    return Answers.json(json.buffer, status: .created)
  }
}

extension RetentionStore {
  /// Keeps an author's files, all or none.
  ///
  /// - Returns: Their hashes in order, and the bytes of all the author's files.
  /// - Throws: 413 when they do not fit.
  func keep(
    _ files: [AssetFile],
    of author: Account,
    _ quotas: Quotas
  ) async throws -> (hashes: [String], used: Int) {
    switch try await keepAssets(files, account: author.id, limit: quotas.assetBytes) {
    case .kept(let hashes, let used): return (hashes, used)
    case .full(let used): throw RequestProblem.filesFull(used, quotas)
    }
  }
}

extension RequestProblem {
  /// 413: an author's files take up all the room they may have.
  static func filesFull(_ used: Int, _ quotas: Quotas) -> RequestProblem {
    RequestProblem(
      .contentTooLarge,
      "asset.quota",
      "Your files take \(used / 1024) of \(quotas.assetBytes / 1024) KiB, and this one does not fit. Use smaller ones, "
        + "or ask an operator for more room."
    )
  }
}
