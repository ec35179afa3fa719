/// The pieces that go between server and worker: 16 bytes of header, then as many as it says.
enum Frame {
  /// What a piece is.
  enum Kind: UInt8 {
    /// Worker to server, once: ready; the payload says how far it is confined.
    case hello = 1
    /// Server to worker: a document.
    case job = 2
    /// Worker to server: the document is here, reading begins. Whatever ends the worker from now on is its doing.
    case began = 3
    /// Worker to server: the answer.
    case done = 4
  }

  /// The start of each piece: "SLr" and the protocol's version.
  static let mark: UInt32 = 0x0172_4C53
  static let headerBytes = 16
  /// Bytes of a job before the parameters: kind, limits, length of the parameters.
  static let jobBytes = 21
  /// Bytes of an answer before what the reader made: highest memory so far, processor time.
  static let doneBytes = 16
  /// Longest parameters, bytes.
  static let largestParameters = 64 * 1024

  /// A header.
  static func header(_ kind: Kind, job: UInt32, length: Int) -> [UInt8] {
    var writer = WireWriter(capacity: headerBytes)
    writer.write(mark)
    writer.write(kind.rawValue)
    writer.write(UInt8(0))
    writer.write(UInt16(0))
    writer.write(job)
    writer.write(UInt32(clamping: length))
    return writer.bytes
  }

  /// What a header says.
  ///
  /// - Throws: when it is none, or its piece is larger than `limit`.
  static func read(_ bytes: [UInt8], limit: Int) throws(WireReader.Malformed) -> (kind: Kind, job: UInt32, length: Int)
  {
    var reader = WireReader(bytes)
    guard try reader.number(UInt32.self) == mark, let kind = Kind(rawValue: try reader.number()),
      try reader.number(UInt8.self) == 0, try reader.number(UInt16.self) == 0
    else { throw WireReader.Malformed() }
    let job = try reader.number(UInt32.self)
    return (kind, job, try reader.count(limit: limit))
  }
}
