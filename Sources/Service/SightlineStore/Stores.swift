/// All that a server keeps, one store for each aggregate.
///
/// Whoever is given some of it takes those stores it needs, by name.
public struct Stores: Sendable {
  /// Published worlds.
  public let worlds: any WorldStore
  /// Files, and whose they are.
  public private(set) var assets: any AssetStore
  /// Who may sign in.
  public let accounts: any AccountStore
  /// Who is signed in.
  public let sessions: any SessionStore
  /// One-time links.
  public let invitations: any InvitationStore
  /// Second factors of accounts.
  public let secondFactors: any SecondFactorStore
  /// What has happened to accounts.
  public let securityLog: any SecurityLogStore
  /// Drafts of worlds.
  public let studio: any StudioStore
  /// The catalogue of posters.
  public let posters: any PosterStore
  /// Tours.
  public let tours: any TourStore
  /// Runs of tours.
  public let tourRuns: any TourRunStore
  /// Teams of those runs.
  public let tourTeams: any TourTeamStore
  /// Removing what nobody needs any more.
  public private(set) var retention: any RetentionStore
  /// What processes that serve the same database tell each other.
  public let changes: any ChangeStore
  /// Work that one of them does.
  public let leases: any LeaseStore
  /// Failures of signing in.
  public let signInFailures: any SignInFailureStore
  /// Timetables that servers have in common.
  public let timetables: any TimetableStore
  /// Subscriptions to departures.
  public let subscriptions: any SubscriptionStore
  /// Realtime messages that one server fetched for all.
  public let messages: any MessageStore
  /// Requests that were counted against limits.
  public let limitUse: any LimitUseStore
  /// What their database is doing.
  public let metrics: StoreMetrics

  /// The stores of a database.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - place: Where the bytes of files that are sent from now on are kept; `nil` for the database. Files that lie elsewhere
  ///     already stay there.
  public init(_ database: any StoreDatabase, files place: (any AssetPlace)? = nil) {
    self = database.stores
    guard let place, let database = database as? any SQLDatabase else { return }
    assets = SQLAssetStore(database: database, place: place)
    retention = SQLRetentionStore(database: database, place: place)
  }

  init(over database: any SQLDatabase) {
    worlds = SQLWorldStore(database: database)
    assets = SQLAssetStore(database: database)
    accounts = SQLAccountStore(database: database)
    sessions = SQLSessionStore(database: database)
    invitations = SQLInvitationStore(database: database)
    secondFactors = SQLSecondFactorStore(database: database)
    securityLog = SQLSecurityLogStore(database: database)
    studio = SQLStudioStore(database: database)
    posters = SQLPosterStore(database: database)
    tours = SQLTourStore(database: database)
    tourRuns = SQLTourRunStore(database: database)
    tourTeams = SQLTourTeamStore(database: database)
    retention = SQLRetentionStore(database: database)
    changes = SQLChangeStore(database: database)
    leases = SQLLeaseStore(database: database)
    signInFailures = SQLSignInFailureStore(database: database)
    timetables = SQLTimetableStore(database: database)
    subscriptions = SQLSubscriptionStore(database: database)
    messages = SQLMessageStore(database: database)
    limitUse = SQLLimitUseStore(database: database)
    metrics = database.metrics
  }
}
