/// Where the catalogue of posters is kept.
///
/// The rules of ``WorldStore`` hold here as well.
public protocol PosterStore: Sendable {
  /// One page of the catalogue.
  ///
  /// - Throws: ``StoreError/badCursor`` when the query's cursor is none of this order.
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
