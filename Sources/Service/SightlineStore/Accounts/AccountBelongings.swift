/// What an account has: what goes with it when it is deleted.
public struct AccountBelongings: Equatable, Sendable {
  /// Something that is named.
  public struct Item: Equatable, Sendable {
    /// Its identifier.
    public var id: String
    /// Its title.
    public var title: String

    /// An item.
    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// Worlds with their drafts and history, by identifier; published ones among them.
  public var worlds: [Item] = []
  /// How many of the worlds are published.
  public var publishedWorlds = 0
  /// Posters in the catalogue.
  public var posters: [Item] = []
  /// Tours.
  public var tours: [Item] = []
  /// Runs of the tours, with what teams left in them.
  public var runs = 0
  /// Pictures and models.
  public var files = 0
  /// Their bytes.
  public var bytes = 0
  /// Worlds of others that the account may edit; they stay.
  public var sharedWorlds = 0

  /// Nothing.
  public init() {}
}

/// What became of an account that was to be deleted.
public enum AccountDeletion: Equatable, Sendable {
  /// It is gone; runs of its tours are gone, or somebody else's, by their identifiers.
  case deleted(AccountBelongings, runs: [String])
  /// There is no such account.
  case unknown
  /// It is the only operator there is.
  case lastOperator
  /// The one who is to have its things is itself, nobody, or closed.
  case noHeir
}
