/// A kind of document, and what reading one of it may cost.
public struct ReadKind: Hashable, Sendable {
  /// Names it between server and worker.
  public let number: UInt8
  /// Names it in metrics and logs: `world`.
  public let name: String
  /// Seconds of processor time; four times as long may pass on the clock, for the machine may be busy.
  public let seconds: Double
  /// Mebibytes beside those of the waiting worker; `nil` for as many as the operator allows.
  public let mebibytes: Int?
  /// Largest answer, bytes.
  public let largestAnswer: Int

  /// A kind.
  public init(_ number: UInt8, _ name: String, seconds: Double, mebibytes: Int? = nil, largestAnswer: Int) {
    self.number = number
    self.name = name
    self.seconds = seconds
    self.mebibytes = mebibytes
    self.largestAnswer = largestAnswer
  }

  /// Two kinds with one number are one.
  public static func == (one: ReadKind, other: ReadKind) -> Bool { one.number == other.number }

  /// By the number alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Makes an answer of a document.
///
/// Runs in a worker: it may trap, hang and swell, but has nothing but its arguments; no file, no network.
public struct ReadHandler: Sendable {
  /// Which documents it reads.
  public let kind: ReadKind
  /// Reads `document` as `parameters` say, and returns the answer's bytes.
  public let read: @Sendable (_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8]

  /// A handler.
  public init(_ kind: ReadKind, read: @escaping @Sendable (_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8]) {
    self.kind = kind
    self.read = read
  }
}

/// One document to read.
public struct ReadJob: Sendable {
  /// What it is.
  public var kind: ReadKind
  /// How to read it: a message that the kind's handler understands.
  public var parameters: [UInt8]
  /// The document, as it came.
  public var document: [UInt8]

  /// A job.
  public init(_ kind: ReadKind, parameters: [UInt8] = [], document: [UInt8]) {
    self.kind = kind
    self.parameters = parameters
    self.document = document
  }

  var bytes: Int { parameters.count + document.count }
}

/// Why a document was not read.
public enum ReadFailure: Error, Equatable, Sendable {
  /// Its reader ended in the midst of it: a trap, an overflowing stack.
  case trap
  /// It took more memory than it may.
  case memory
  /// It took more time than it may.
  case time
  /// What was read of it is more than an answer may hold.
  case large
  /// What came back is no answer.
  case garbage
  /// Too many documents wait already, in all or of this client.
  case busy(ofClient: Bool)
  /// No worker can be started.
  case unavailable
  /// The server is stopping.
  case stopping

  /// Whether the document is to blame.
  public var isOfDocument: Bool {
    switch self {
    case .trap, .memory, .time, .large, .garbage: true
    case .busy, .unavailable, .stopping: false
    }
  }

  /// A word for metrics, logs and file names.
  public var word: String {
    switch self {
    case .trap: "trap"
    case .memory: "memory"
    case .time: "time"
    case .large: "large"
    case .garbage: "garbage"
    case .busy(let ofClient): ofClient ? "client-busy" : "busy"
    case .unavailable: "unavailable"
    case .stopping: "stopping"
    }
  }
}
