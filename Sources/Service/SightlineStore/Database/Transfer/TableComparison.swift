import SightlineInput

/// Compares a table of two databases row by row.
struct TableComparison {
  /// Most differences that are named.
  private static let mostExamples = 10

  /// Rows that differ, or that only one side has.
  private(set) var count = 0
  /// The first of them, in words.
  private(set) var examples: [String] = []
  /// Rows that were compared.
  private(set) var rows: Int64 = 0

  /// Reads both sides in the order of keys.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - limits: How much is read at once.
  ///   - source: One state of the source.
  ///   - target: One state of the target.
  ///   - progress: Is told how many rows were compared, now and then.
  /// - Throws: What keeps a side from being read.
  mutating func compare(
    _ table: StoredTable,
    _ limits: TransferLimits,
    _ source: any SQLConnection,
    _ target: any SQLConnection,
    progress: (Int64) -> Void
  ) throws {
    var first = RowStream(table, limits, source)
    var second = RowStream(table, limits, target)
    var (left, right) = (try first.next(), try second.next())
    var compared: Int64 = 0
    while left != nil || right != nil {
      compared = compared.saturatingAdd(1)
      if compared.isMultiple(of: 10_000) { progress(compared) }
      guard let one = left else {
        add(table, right, "is in the target alone")
        right = try second.next()
        continue
      }
      guard let other = right else {
        add(table, left, "is in the source alone")
        left = try first.next()
        continue
      }
      switch Self.order(one.key, other.key) {
      case true?:
        add(table, left, "is in the source alone")
        left = try first.next()
      case false?:
        add(table, right, "is in the target alone")
        right = try second.next()
      case nil:
        let names = zip(table.columns, zip(one.values, other.values)).filter { !$1.0.isSame(as: $1.1) }.map(\.0.name)
        if !names.isEmpty { add(table, left, "differs in \(names.joined(separator: ", "))") }
        (left, right) = (try first.next(), try second.next())
      }
    }
    rows = rows.saturatingAdd(compared)
    progress(compared)
  }

  private mutating func add(_ table: StoredTable, _ row: RowStream.KeyedRow?, _ words: String) {
    count += 1
    guard examples.count < Self.mostExamples, let row else { return }
    examples.append("\(table.name) \(TransferKey.text(row.key)) \(words)")
  }

  /// Whether the first key is before the second; `nil` when they are the same.
  private static func order(_ first: [SQLValue], _ second: [SQLValue]) -> Bool? {
    for (one, other) in zip(first, second) {
      if let order = SQLValue.precedes(one, other) { return order }
    }
    return nil
  }
}

/// The rows of a table one by one, in an order that is the same in all databases.
struct RowStream {
  struct KeyedRow {
    var key: [SQLValue]
    var values: [SQLValue]
  }

  private let reader: TableReader
  private let grouping: Int
  private let db: any SQLConnection
  private var batch: [[SQLValue]] = []
  private var index = 0
  private var lastKey: [SQLValue]?
  private var isAtEnd = false
  /// Rows that agree in what orders them alike, in order, the next one last.
  private var group: [KeyedRow] = []

  init(_ table: StoredTable, _ limits: TransferLimits, _ db: any SQLConnection) {
    reader = TableReader(table, limits, db)
    grouping = table.grouping < table.key.count ? table.grouping : 0
    self.db = db
  }

  /// The next row; `nil` at the end.
  mutating func next() throws -> KeyedRow? {
    guard grouping > 0 else { return try read() }
    if group.isEmpty {
      while let row = try peek() {
        if let first = group.first, first.key.prefix(grouping) != row.key.prefix(grouping) { break }
        group.append(row)
        index += 1
      }
      group.sort { first, second in
        for (one, other) in zip(first.key, second.key) {
          if let order = SQLValue.precedes(one, other) { return !order }
        }
        return false
      }
    }
    return group.popLast()
  }

  private mutating func read() throws -> KeyedRow? {
    let row = try peek()
    index += 1
    return row
  }

  private mutating func peek() throws -> KeyedRow? {
    if index >= batch.count {
      guard !isAtEnd else { return nil }
      batch = try reader.rows(after: lastKey, db)
      index = 0
      guard let last = batch.last else {
        isAtEnd = true
        return nil
      }
      lastKey = reader.key(last)
    }
    return KeyedRow(key: reader.key(batch[index]), values: batch[index])
  }
}
