import NIOCore

/// Limits of a connection.
struct ConnectionLimits: Sendable {
  /// Header fields of a request in all.
  static let headerBytes = 16 * 1024
  /// Number of header fields.
  static let headerCount = 100

  /// Time without a request, or within one without a byte, after which a connection is closed.
  var idleTime = TimeAmount.seconds(30)
  /// Time that running requests get when the server stops.
  var quiesceTime = TimeAmount.seconds(3)
  /// Time between the end of an answer that closes and the end of the connection, so that the answer arrives.
  var lingerTime = TimeAmount.milliseconds(500)
  /// What is still taken of a body whose answer has been sent.
  var drainBytes = 64 * 1024
  /// Longest time for that.
  var drainTime = TimeAmount.seconds(10)
  /// Time over which the rate of a client that reads slowly is taken.
  var stallTime = TimeAmount.seconds(30)
  /// Least of an answer that a client has to take in a second while some waits for it, bytes.
  var leastRate = 1024
  /// Time between two looks at a connection.
  var lookTime = TimeAmount.seconds(5)
  /// Requests that may wait for their answers on one connection.
  var pipelined = 100

  /// The usual limits.
  init() {}
}
