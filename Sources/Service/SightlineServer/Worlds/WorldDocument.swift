import NIOCore
import SightlineContent
import SightlineFormats
import SightlineImport

/// World documents as the server's routes need them.
struct WorldDocument: Sendable {
  /// For formats that count heights from another datum than the world does; without it the numbers stay as they are.
  let sea: SeaLevel?

  /// Writes a world; addresses of stored files become absolute under the origin.
  func write(_ dimension: Dimension, as format: DocumentFormat, origin: String) -> ByteBuffer {
    var options = WritingOptions(baseURL: origin + "/")
    if let sea { options.geoidHeight = { sea.height(latitudeDegrees: $0, longitudeDegrees: $1) } }
    return ByteBuffer(bytes: FormatRegistry.write(dimension, as: format, options: options).bytes)
  }
}
