import NIOCore
import SightlineContent
import SightlineFormats

/// World documents as the server's routes need them.
enum WorldDocument {
  /// Writes a world; addresses of stored files become absolute under the origin.
  static func write(_ dimension: Dimension, as format: DocumentFormat, origin: String) -> ByteBuffer {
    ByteBuffer(bytes: FormatRegistry.write(dimension, as: format, options: WritingOptions(baseURL: origin + "/")).bytes)
  }
}
