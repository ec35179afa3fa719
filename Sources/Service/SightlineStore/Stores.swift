/// All that a server keeps, one store for each aggregate.
///
/// Whoever is given some of it takes those stores it needs, by name.
public struct Stores: Sendable {
  /// Published worlds.
  public let worlds: any WorldStore
  /// Files, and whose they are.
  public let assets: any AssetStore
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
  public let retention: any RetentionStore

  /// The stores of one SQLite file.
  public init(_ database: SQLiteDatabase) {
    worlds = SQLiteWorldStore(database: database)
    assets = SQLiteAssetStore(database: database)
    accounts = SQLiteAccountStore(database: database)
    sessions = SQLiteSessionStore(database: database)
    invitations = SQLiteInvitationStore(database: database)
    secondFactors = SQLiteSecondFactorStore(database: database)
    securityLog = SQLiteSecurityLogStore(database: database)
    studio = SQLiteStudioStore(database: database)
    posters = SQLitePosterStore(database: database)
    tours = SQLiteTourStore(database: database)
    tourRuns = SQLiteTourRunStore(database: database)
    tourTeams = SQLiteTourTeamStore(database: database)
    retention = SQLiteRetentionStore(database: database)
  }
}
