import Foundation
import SightlineContent
import SightlinePictures
import SightlineStore

/// What authors do with the catalogue, apart from how it is asked for.
struct PosterDesk: Sendable {
  let posters: any PosterStore
  let assets: any AssetStore
  let quotas: Quotas
  let documents: ForeignDocuments

  /// A poster as it was stored, and what should be looked at again.
  struct Saved: Sendable {
    var poster: OwnedPoster
    var warnings: [Problem]
  }

  /// A poster that an account may change.
  func poster(_ id: String, for account: Account) async throws -> OwnedPoster {
    guard let found = try await posters.ownedPoster(id) else { throw PosterError.unknown(id) }
    try account.require(owner: found.owner)
    return found
  }

  /// Adds a poster for an author at a client's address; without an identifier that is wanted one is made of the title.
  func add(_ request: PosterRequest, by author: Account, client: String) async throws -> Saved {
    // A title in another script has nothing that an address could keep.
    let isLatin = request.title.utf8.contains { $0 < 128 && Unicode.Scalar($0).properties.isAlphabetic }
    let name = isLatin ? request.title.replacing(".", with: " ").replacing("/", with: " ") : "poster"
    let stem = String(WorldIdentifier.derived(fromFileName: name).prefix(48))
    let (draft, warnings, pictures) = try await checked(
      request,
      id: request.id ?? stem,
      author: author,
      client: client
    )
    guard let (list, color) = pictures else { throw PosterError.noPicture }
    var poster = draft.poster(list, color: color)
    for number in 1...(request.id == nil ? 1000 : 1) {
      if number > 1 { poster.id = "\(stem)-\(number)" }
      switch try await posters.addPoster(poster, owner: author.id, limit: quotas.posters) {
      case .added(let revision):
        return Saved(poster: OwnedPoster(poster: poster, owner: author.id, revision: revision), warnings: warnings)
      case .full(let count): throw PosterError.tooMany(count)
      case .taken: continue
      }
    }
    throw PosterError.taken(poster.id)
  }

  /// Changes a poster that was read at `revision`.
  func replace(
    _ known: OwnedPoster,
    revision: Int64,
    with request: PosterRequest,
    by author: Account,
    client: String
  ) async throws -> Saved {
    if let id = request.id, id != known.poster.id {
      throw PosterError.otherIdentifier(given: id, known: known.poster.id)
    }
    // Before the picture is decoded: what would be refused afterwards anyway.
    guard known.revision == revision else { throw PosterError.conflict }
    let (draft, warnings, pictures) = try await checked(
      request,
      id: known.poster.id,
      author: author,
      client: client,
      known: known.poster
    )
    let poster = draft.poster(pictures?.list ?? known.poster.pictures, color: pictures?.color ?? known.poster.color)
    guard let next = try await posters.replacePoster(poster, revision: revision) else { throw PosterError.conflict }
    return Saved(poster: OwnedPoster(poster: poster, owner: known.owner, revision: next), warnings: warnings)
  }

  private typealias Pictures = (list: [PosterPicture], color: String)

  private func checked(
    _ request: PosterRequest,
    id: String,
    author: Account,
    client: String,
    known: Poster? = nil
  ) async throws -> (PosterDraft, [Problem], Pictures?) {
    let (draft, problems) = request.draft(id: id)
    guard problems.isEmpty else { throw PosterError.unfit(problems) }
    guard let picture = request.picture else {
      return (draft, known.map { draft.unfitting(aspect: $0.aspect) } ?? [], nil)
    }
    let made = try await make(picture, client)
    let list = try await keep(made.renditions, author)
    return (draft, draft.unfitting(aspect: made.aspect), (list, made.color))
  }

  /// The renditions of an uploaded picture.
  private func make(_ address: String, _ client: String) async throws -> PosterPictures.Made {
    let hash = address.hasPrefix("/assets/") ? String(address.dropFirst("/assets/".count)) : address
    guard let asset = try await assets.asset(hash) else {
      throw PosterError.picture(
        "There is no file \"\(address.prefix(80))\" here. Send the picture to POST /api/v1/assets first."
      )
    }
    let bytes = asset.bytes
    switch try await documents.poster(bytes, client: client) {
    case .success(let made): return made
    case .failure(let unfit): throw PosterError.picture(unfit.description)
    }
  }

  /// Stores the renditions under their hashes, counted for the author like all files.
  private func keep(_ renditions: [PosterPictures.Rendition], _ author: Account) async throws -> [PosterPicture] {
    let files = renditions.map { AssetFile(bytes: $0.bytes, mediaType: "image/jpeg") }
    let (hashes, _) = try await assets.keep(files, of: author, quotas)
    return zip(renditions, hashes).map { rendition, hash in
      PosterPicture(url: "/assets/\(hash)", width: rendition.width, height: rendition.height)
    }
  }
}
