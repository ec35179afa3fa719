import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import SightlineStore

/// `POST /api/v1/assets`: pictures and models of authors.
struct UploadRoutes: Sendable {
  let store: any ServerStore
  let accounts: Accounts
  let quotas: Quotas
  let documents: ForeignDocuments

  func add(to routes: inout RouteTable) {
    routes.add(.post, "/api/v1/assets", cost: .heavy, accounts.author { try await upload($0, $1) })
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
    // A file that is here already takes no more room; one that does not fit is not even kept.
    let name = Data(SHA256.hash(data: result.bytes)).hexadecimal
    let isKnown = try await store.asset(name) != nil
    guard isKnown || used + result.bytes.count <= quotas.assetBytes else {
      throw RequestProblem.filesFull(used, quotas)
    }
    let hash = try await store.saveAsset(result.bytes, mediaType: result.mediaType)
    let total = try await store.claimAsset(
      hash,
      bytes: result.bytes.count,
      account: author.id,
      limit: quotas.assetBytes
    )
    guard let total else { throw RequestProblem.filesFull(used, quotas) }
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
