/// Where the catalogue of posters is kept.
///
/// The rules of ``WorldStore`` hold here as well.
public protocol PosterStore: Sendable {
  /// One page of the catalogue.
  ///
  /// - Throws: ``PosterStoreError/badCursor`` when the query's cursor is none of this order.
  func posters(_ query: PosterQuery) async throws -> PosterPage

  /// A poster; `nil` when there is none.
  func poster(_ id: String) async throws -> Poster?

  /// Posters with these identifiers, in this order; those that are not there are left out.
  func posters(withIDs ids: [String]) async throws -> [Poster]

  /// Posters that share artist or categories with one, the closest first.
  func posters(similarTo poster: Poster, limit: Int) async throws -> [Poster]

  /// All categories and how many posters each has, the largest first.
  func posterCategories() async throws -> [PosterCategory]

  /// Saves a poster under its identifier.
  ///
  /// - Returns: Whether anything changed.
  /// - Throws: ``StoreError/badIdentifier(_:)``.
  func savePoster(_ poster: Poster) async throws -> PosterOutcome

  /// Takes a poster out of the catalogue.
  ///
  /// - Returns: Whether there was one.
  func removePoster(_ id: String) async throws -> Bool

  // MARK: Authors

  /// A poster with whose it is; `nil` when there is none.
  func ownedPoster(_ id: String) async throws -> OwnedPoster?

  /// The posters that an account brought in, the latest change first; without an owner everybody's and the imported.
  func ownedPosters(of owner: Int64?) async throws -> [OwnedPoster]

  /// Adds a poster that an account brings in.
  ///
  /// - Parameters:
  ///   - poster: The poster.
  ///   - owner: Whose it is.
  ///   - limit: Most posters the account may have.
  /// - Returns: What became of it.
  /// - Throws: ``StoreError/badIdentifier(_:)``.
  func addPoster(_ poster: Poster, owner: Int64, limit: Int) async throws -> PosterAddition

  /// Puts a poster in the place of the one with its identifier, whose owner stays.
  ///
  /// - Parameters:
  ///   - poster: The poster.
  ///   - revision: The one that was changed.
  /// - Returns: The new revision; `nil` when there is another one meanwhile, or none any more.
  /// - Throws: ``StoreError/badIdentifier(_:)``.
  func replacePoster(_ poster: Poster, revision: Int64) async throws -> Int64?
}

/// Why the catalogue could not answer.
public enum PosterStoreError: Error, Equatable, CustomStringConvertible {
  /// A page's cursor was not made by this store for this order.
  case badCursor

  /// A sentence that says what to do.
  public var description: String { "This is no cursor of such a list. Begin again with its first page." }
}

/// A poster with what those who may change it need to know.
public struct OwnedPoster: Equatable, Sendable {
  /// The poster.
  public var poster: Poster
  /// The account that brought it in; `nil` for imported ones, which are the operators'.
  public var owner: Int64?
  /// Counts changes; the store's number of the last one.
  public var revision: Int64

  /// A poster with every member given.
  public init(poster: Poster, owner: Int64?, revision: Int64) {
    self.poster = poster
    self.owner = owner
    self.revision = revision
  }
}

/// What became of a poster that was to be added.
public enum PosterAddition: Equatable, Sendable {
  /// It is there, with this revision.
  case added(revision: Int64)
  /// Another has the identifier.
  case taken
  /// The account has as many posters as it may have: this many.
  case full(Int)
}

/// What became of a poster that was saved.
public enum PosterOutcome: Equatable, Sendable {
  /// It was not there before.
  case added
  /// It was there and is different now.
  case changed
  /// It was there already, the same.
  case unchanged
}

/// A category of the catalogue.
public struct PosterCategory: Codable, Equatable, Sendable {
  /// As it is written in the posters.
  public var name: String
  /// How many posters it has.
  public var count: Int

  /// A category with every member given.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

/// Order of the catalogue.
public enum PosterOrder: String, CaseIterable, Sendable {
  /// What came last is first.
  case newest
  /// By title, without regard to case and accents.
  case title
  /// By how well they fit the words that are looked for; without words as ``newest``.
  case relevance
}

/// What is wanted of the catalogue.
public struct PosterQuery: Equatable, Sendable {
  /// Words to look for in title, artist, categories and text; beginnings of words are enough.
  public var words: String?
  /// Category, exactly as it is written.
  public var category: String?
  /// Artist, exactly as written.
  public var artist: String?
  /// Order of the answer.
  public var order: PosterOrder
  /// Most posters in the answer.
  public var limit: Int
  /// Where the page before ended: ``PosterPage/next``.
  public var after: String?

  /// A query for everything.
  public init(
    words: String? = nil,
    category: String? = nil,
    artist: String? = nil,
    order: PosterOrder = .newest,
    limit: Int = 24,
    after: String? = nil
  ) {
    self.words = words
    self.category = category
    self.artist = artist
    self.order = order
    self.limit = limit
    self.after = after
  }
}

/// One page of the catalogue.
public struct PosterPage: Equatable, Sendable {
  /// The posters.
  public var posters: [Poster]
  /// How many the query finds in all.
  public var total: Int
  /// Cursor of the next page; `nil` when this is the last one.
  public var next: String?
}
