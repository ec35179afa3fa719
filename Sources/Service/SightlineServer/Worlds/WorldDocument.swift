import NIOCore
import SightlineContent
import SightlineFormats

/// World documents in the formats that are read and written.
public enum WorldDocument {
  /// Formats that worlds are written in.
  public enum Format: String, CaseIterable, Sendable {
    /// Gamaray dimension description file.
    case gddf
    /// AREA XML.
    case area
    /// GeoJSON.
    case geojson
  }

  /// Reads a document in whatever format it is.
  public static func read(_ bytes: [UInt8], name: String?) -> (format: String, reading: Reading) {
    // The readers join with the formats module.
    let problem = Problem(
      .error,
      "format.unknown",
      line: nil,
      path: "",
      message: "The document is in no format that this build reads."
    )
    return ("unknown", Reading(dimension: nil, problems: [problem]))
  }

  /// A document's bytes.
  public static func bytes(of dimension: Dimension, as format: Format, origin: String?) throws -> [UInt8] {
    throw RequestProblem(.notImplemented, "export.format", "This build does not write \(format.rawValue).")
  }

  static func write(_ dimension: Dimension, as format: Format, origin: String?) throws -> ByteBuffer {
    ByteBuffer(bytes: try bytes(of: dimension, as: format, origin: origin))
  }
}

extension WorldDocument.Format {
  var mediaType: String {
    switch self {
    case .gddf: "application/gamaray-gddf; charset=utf-8"
    case .area: "application/xml; charset=utf-8"
    case .geojson: "application/geo+json"
    }
  }

  var fileEnding: String {
    switch self {
    case .gddf: "gddf"
    case .area: "area.xml"
    case .geojson: "geojson"
    }
  }
}
