import NIOCore
import SightlineContent
import SightlineFormats

/// World documents as the server's routes need them.
enum WorldDocument {
  /// A document that was read.
  struct Read: Sendable {
    /// Name of the format, `unknown` when it is none of those that are read.
    var format: String
    var reading: Reading
  }

  /// Reads a document that came from an address, against which its relative addresses are resolved.
  static func read(_ body: ByteBuffer, from url: String) -> Read {
    let (format, reading) = FormatRegistry.read(
      Array(body.readableBytesView),
      options: ReadingOptions(fileName: url, baseURL: url)
    )
    return Read(format: format?.rawValue ?? "unknown", reading: reading)
  }

  /// Writes a world; addresses of stored files become absolute under the origin.
  static func write(_ dimension: Dimension, as format: DocumentFormat, origin: String) -> ByteBuffer {
    ByteBuffer(bytes: FormatRegistry.write(dimension, as: format, options: WritingOptions(baseURL: origin + "/")).bytes)
  }
}
