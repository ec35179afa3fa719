import Foundation
import SightlineInput

/// How far a copy is, for whoever waits.
public struct CopyProgress: Equatable, Sendable {
  /// What is done: the name of a table, or of what is made of tables.
  public var step: String
  /// Whether rows are compared, after they were copied.
  public var isComparing: Bool
  /// Rows of the step that are done.
  public var rows: Int64
  /// Rows of the step in all; 0 where nobody knows.
  public var total: Int64

  /// How far something is.
  public init(step: String, isComparing: Bool = false, rows: Int64, total: Int64 = 0) {
    self.step = step
    self.isComparing = isComparing
    self.rows = rows
    self.total = total
  }
}

/// What a copy has done.
public struct CopyReport: Equatable, Sendable {
  /// Rows that were copied, those of earlier runs included.
  public var rows: Int64
  /// Rows that were compared.
  public var compared: Int64
  /// Whether it went on with a copy that had been begun.
  public var isResumed: Bool
}

/// Copies a database into an empty one, of the same kind or of the other.
///
/// The source is read in one state. Rows are written some thousand in a transaction, which also writes down how far the
/// copy is, so that one that was killed goes on. At the end all rows of both sides are compared; until then no server takes the
/// target for a database (``StoreError/unfinishedCopy(_:)``).
public struct DatabaseCopy: Sendable {
  private let source: DatabaseLocation
  private let target: DatabaseLocation
  private let limits: TransferLimits
  private let progress: @Sendable (CopyProgress) -> Void

  /// A copy that has not begun.
  ///
  /// - Parameters:
  ///   - source: What is copied. It may be in use, but what is written meanwhile is not in the copy.
  ///   - target: A new or empty database, or what an interrupted copy of the same source has left.
  ///   - progress: Is told how far it is, on any thread.
  public init(
    from source: DatabaseLocation,
    to target: DatabaseLocation,
    progress: @escaping @Sendable (CopyProgress) -> Void = { _ in }
  ) {
    self.init(from: source, to: target, limits: TransferLimits(), progress: progress)
  }

  init(
    from source: DatabaseLocation,
    to target: DatabaseLocation,
    limits: TransferLimits,
    progress: @escaping @Sendable (CopyProgress) -> Void = { _ in }
  ) {
    self.source = source
    self.target = target
    self.limits = limits
    self.progress = progress
  }

  /// Copies, or goes on with it.
  ///
  /// - Throws: ``TransferError``, ``StoreError``, or what a database says. Nothing is lost then: the source is only read.
  public func run() async throws -> CopyReport {
    let (source, target, limits, progress) = (source, target, limits, progress)
    try await TransferThread.run {
      let side = try source.side()
      guard try side.pendingMigrations().isEmpty else { throw TransferError.outdated(side.name) }
      if let copy = try side.read({ db in try UnfinishedCopy.find(db) }) {
        throw TransferError.unfinishedSource(side.name, of: copy.source)
      }
    }
    try await target.prepare()
    return try await TransferThread.run {
      let from = try source.side()
      let to = try target.side(forWriting: true)
      guard try to.pendingMigrations().isEmpty else { throw TransferError.outdated(to.name) }
      return try from.read { db in
        var run = CopyRun(db, to, from.name, limits, progress)
        return try run.run(source: source.identity)
      }
    }
  }
}

/// One run of a copy, on its thread.
private struct CopyRun {
  /// One state of the source.
  let source: any SQLConnection
  let target: any TransferSide
  let sourceName: String
  let limits: TransferLimits
  let progress: @Sendable (CopyProgress) -> Void
  private var copy = UnfinishedCopy(source: "", step: "", position: "", rows: 0)
  private var isResumed = false
  private var transactions = 0

  /// What is done after the tables, in this order.
  private enum Step {
    static let (settled, words, references, numbers, comparison) = (
      "sums", "words", "references", "numbers", "comparison"
    )
  }

  private static let steps =
    StoredTable.all.map(\.name) + [Step.settled, Step.words, Step.references, Step.numbers, Step.comparison]

  init(
    _ source: any SQLConnection,
    _ target: any TransferSide,
    _ sourceName: String,
    _ limits: TransferLimits,
    _ progress: @escaping @Sendable (CopyProgress) -> Void
  ) {
    self.source = source
    self.target = target
    self.sourceName = sourceName
    self.limits = limits
    self.progress = progress
  }

  mutating func run(source identity: String) throws -> CopyReport {
    try begin(identity)
    for step in Self.steps.drop(while: { $0 != copy.step }) {
      if step != copy.step { try advance(to: step) }
      if let table = StoredTable.all.first(where: { $0.name == step }) {
        try fill(table)
      } else if step == Step.settled {
        try settle()
      } else if step == Step.words {
        try rebuildWords()
      } else if step == Step.references {
        while try !target.write({ db in try DocumentIndex.update(db) }) {}
      } else if step == Step.numbers {
        try setNumbers()
      } else {
        return try compare()
      }
    }
    // A database of another program, which calls its steps otherwise.
    throw TransferError.otherCopy(target.name, of: copy.source)
  }

  private mutating func begin(_ identity: String) throws {
    let name = target.name
    let new = UnfinishedCopy(source: identity, step: Self.steps.first ?? "", position: "", rows: 0)
    let found = try target.write { db -> UnfinishedCopy? in
      if let found = try UnfinishedCopy.find(db) { return found }
      for table in StoredTable.all where !table.isSeeded {
        guard try db.row(sql: "SELECT 1 FROM \(table.name) LIMIT 1") == nil else {
          throw TransferError.notEmpty(name, table: table.name)
        }
      }
      try new.begin(db)
      return nil
    }
    if let found, found.source != identity { throw TransferError.otherCopy(name, of: found.source) }
    isResumed = found != nil
    copy = found ?? new
  }

  // MARK: Steps

  private mutating func advance(
    to step: String,
    position: String = "",
    rows: Int = 0,
    _ body: (any SQLConnection) throws -> Void = { _ in }
  ) throws {
    guard transactions < limits.transactions else { throw CancellationError() }
    transactions += 1
    let former = copy
    var next = copy
    (next.step, next.position) = (step, position)
    next.rows = next.rows.saturatingAdd(Int64(rows))
    let name = target.name
    let new = next
    try target.write { db in
      guard try former.advance(to: new, db) else { throw TransferError.contended(name) }
      try body(db)
    }
    copy = next
  }

  private var lastKey: [SQLValue]? { copy.position.isEmpty ? nil : TransferKey.decode(copy.position) }

  private mutating func fill(_ table: StoredTable) throws {
    let reader = TableReader(table, limits, source)
    let total = try source.value(Int64.self, sql: "SELECT count(*) FROM \(table.name)") ?? 0
    guard total > 0 else { return }
    var done =
      isResumed ? try target.read { db in try db.value(Int64.self, sql: "SELECT count(*) FROM \(table.name)") ?? 0 } : 0
    while true {
      let rows = try reader.rows(after: lastKey, source)
      guard let last = rows.last else { break }
      do {
        try advance(to: table.name, position: TransferKey.encode(reader.key(last)), rows: rows.count) { db in
          try TableWriter(table, db).write(rows, db)
        }
      } catch let error where !(error is TransferError) {
        throw try fault(in: rows, of: table) ?? error
      }
      done = done.saturatingAdd(Int64(rows.count))
      progress(CopyProgress(step: table.name, isComparing: false, rows: done, total: total))
    }
  }

  /// Which of some rows it was that could not be written.
  private func fault(in rows: [[SQLValue]], of table: StoredTable) throws -> TransferError? {
    var found: TransferError?
    do {
      try target.write { db in
        found = try TableWriter(table, db).fault(in: rows, db)
        // Nothing of it stays.
        throw CancellationError()
      }
    } catch {}
    return found
  }

  private mutating func settle() throws {
    for table in StoredTable.all where !table.settled.isEmpty {
      let reader = TableReader(table, limits, source)
      var key: [SQLValue]?
      while true {
        let rows = try reader.rows(after: key, source)
        guard let last = rows.last else { break }
        key = reader.key(last)
        try target.write { db in try TableWriter(table, db).settle(rows, db) }
      }
    }
  }

  private mutating func rebuildWords() throws {
    let total = try target.read { db in try db.value(Int64.self, sql: "SELECT count(*) FROM poster") ?? 0 }
    var done: Int64 = 0
    while true {
      var last = Int64.min
      if case .integer(let number)? = lastKey?.first { last = number }
      let isFirst = copy.position.isEmpty
      let rows = try target.read { db in
        try db.rows(
          sql: "SELECT number, document FROM poster WHERE number \(isFirst ? ">=" : ">") ? ORDER BY number LIMIT 200",
          arguments: [last]
        ).map { (number: try $0.value(0) as Int64, document: try $0.value(1) as Data) }
      }
      guard let end = rows.last else { return }
      let posters = try rows.map { number, document in
        do { return (number, try SQLPosterStore.poster(document)) } catch {
          throw TransferError.row(table: "poster", key: "\(number)", reason: "its document cannot be read: \(error).")
        }
      }
      try advance(to: Step.words, position: TransferKey.encode([.integer(end.number)])) { db in
        for (number, poster) in posters { try db.dialect.posterIndex.insert(poster, number: number, db) }
      }
      done = done.saturatingAdd(Int64(rows.count))
      progress(CopyProgress(step: "words of posters", isComparing: false, rows: done, total: total))
    }
  }

  /// Numbers that the source has given, also to what is gone, are not given again.
  private func setNumbers() throws {
    for table in StoredTable.all {
      guard let column = table.numbered else { continue }
      let highest = try source.value(Int64.self, sql: "SELECT max(\(column)) FROM \(table.name)")
      let given = try source.dialect.lastNumber(of: table.name, column, source)
      guard let last = [highest, given].compactMap({ $0 }).max() else { continue }
      try target.write { db in try db.dialect.setLastNumber(last, of: table.name, column, db) }
    }
  }

  private func compare() throws -> CopyReport {
    var comparison = TableComparison()
    try target.read { db in
      for table in StoredTable.all {
        let total = try source.value(Int64.self, sql: "SELECT count(*) FROM \(table.name)") ?? 0
        try comparison.compare(table, limits, source, db) { rows in
          guard rows > 0 else { return }
          progress(CopyProgress(step: table.name, isComparing: true, rows: rows, total: total))
        }
      }
    }
    guard comparison.count == 0 else {
      throw TransferError.different(
        target.name,
        source: sourceName,
        count: comparison.count,
        examples: comparison.examples
      )
    }
    try target.write { db in
      try UnfinishedCopy.end(db)
      // The planner of a server knows nothing of rows that have just come.
      if db.dialect is PostgresDialect { try db.execute(sql: "ANALYZE") }
    }
    return CopyReport(rows: copy.rows, compared: comparison.rows, isResumed: isResumed)
  }
}
