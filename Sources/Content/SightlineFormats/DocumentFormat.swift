/// The formats that worlds are read from and written to.
public enum DocumentFormat: String, CaseIterable, Codable, Sendable {
  /// GDDF, the Gamaray dimension description file.
  case gddf
  /// AREA XML.
  case area
  /// GeoJSON, RFC 7946.
  case geojson

  /// Media type that documents are served with.
  public var mediaType: String {
    switch self {
    case .gddf: "application/gamaray-gddf; charset=utf-8"
    case .area: "application/xml; charset=utf-8"
    case .geojson: "application/geo+json"
    }
  }

  /// Usual ending of file names, without the full stop in front.
  public var fileEnding: String {
    switch self {
    case .gddf: "gddf"
    case .area: "area.xml"
    case .geojson: "geojson"
    }
  }

  /// What a file's name suggests; content decides, this only helps where content says nothing.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix(".gddf") {
      self = .gddf
    } else if name.hasSuffix(".geojson") {
      self = .geojson
    } else if name.hasSuffix(".area.xml") {
      self = .area
    } else {
      return nil
    }
  }
}
