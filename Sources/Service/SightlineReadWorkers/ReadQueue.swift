/// Documents that wait for a worker: a bounded number, and everybody's turn.
///
/// Next comes a document of whoever has used the workers least, in seconds; among equals, what came first. One client
/// never holds all workers while there are several, so that even hostile documents without end leave a way for others.
struct ReadQueue<Element: Sendable>: Sendable {
  /// How much may wait.
  struct Limits: Equatable, Sendable {
    /// Documents, in all.
    var waiting: Int
    /// Documents of one client that wait or are being read.
    var ofClient: Int
    /// Bytes of all that waits.
    var bytes: Int
  }

  /// Why something may not wait.
  enum Refusal: Equatable, Sendable {
    case full
    case fullOfClient
  }

  struct Entry: Sendable {
    let number: UInt64
    let client: String
    let bytes: Int
    let element: Element
  }

  private struct Client: Sendable {
    var waiting = 0
    var running = 0
    /// Seconds of work, counted from where those who used least stood when this one came.
    var spent: Double
  }

  private let limits: Limits
  /// In the order in which they came.
  private var entries: [Entry] = []
  private var clients: [String: Client] = [:]
  private var bytes = 0
  private var lastNumber: UInt64 = 0
  /// Where a newcomer stands: the least that any of those who have something here had used.
  private var level = 0.0
  /// Clients that are remembered although they have nothing here: those that used much.
  private static var mostRemembered: Int { 4096 }

  init(_ limits: Limits) { self.limits = limits }

  /// Documents that wait.
  var count: Int { entries.count }

  /// Lets something wait; its number, or why it may not.
  mutating func add(_ element: Element, client: String, bytes size: Int) -> Result<UInt64, RefusalError> {
    guard entries.count < limits.waiting, size <= limits.bytes - bytes else { return .failure(.init(refusal: .full)) }
    var known = clients[client] ?? Client(spent: level)
    guard known.waiting + known.running < limits.ofClient else { return .failure(.init(refusal: .fullOfClient)) }
    known.spent = max(known.spent, level)
    known.waiting += 1
    clients[client] = known
    lastNumber &+= 1
    bytes += size
    entries.append(Entry(number: lastNumber, client: client, bytes: size, element: element))
    return .success(lastNumber)
  }

  struct RefusalError: Error { let refusal: Refusal }

  /// Takes the next one out, whose reading begins; of one client at most `mostOfClient` are read at a time.
  mutating func next(mostOfClient: Int) -> Entry? {
    var best: (index: Int, spent: Double)?
    for (index, entry) in entries.enumerated() {
      guard let client = clients[entry.client], client.running < mostOfClient else { continue }
      if let best, best.spent <= client.spent { continue }
      best = (index, client.spent)
    }
    guard let best else { return nil }
    level = max(level, best.spent)
    let entry = entries.remove(at: best.index)
    bytes -= entry.bytes
    clients[entry.client]?.waiting -= 1
    clients[entry.client]?.running += 1
    return entry
  }

  /// A document was read, or was given up: it took so many seconds.
  mutating func finished(_ client: String, seconds: Double) {
    clients[client]?.running -= 1
    clients[client]?.spent += seconds
    forget(client)
  }

  /// Puts one back that could not be begun, before all others.
  mutating func putBack(_ entry: Entry) {
    entries.insert(entry, at: 0)
    bytes += entry.bytes
    clients[entry.client]?.waiting += 1
    clients[entry.client]?.running -= 1
  }

  /// Takes out what waits no longer.
  mutating func remove(where isGone: (Entry) -> Bool) -> [Entry] {
    let gone = entries.filter(isGone)
    guard !gone.isEmpty else { return [] }
    entries.removeAll(where: isGone)
    for entry in gone {
      bytes -= entry.bytes
      clients[entry.client]?.waiting -= 1
      forget(entry.client)
    }
    return gone
  }

  private mutating func forget(_ name: String) {
    guard let client = clients[name], client.waiting == 0, client.running == 0 else { return }
    if client.spent <= level { clients[name] = nil }
    guard clients.count > Self.mostRemembered else { return }
    clients = clients.filter { $0.value.waiting > 0 || $0.value.running > 0 }
  }
}
