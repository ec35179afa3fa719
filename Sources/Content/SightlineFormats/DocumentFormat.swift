/// The formats that worlds are read from and written to.
public enum DocumentFormat: String, CaseIterable, Codable, Sendable {
  /// GDDF, the Gamaray dimension description file.
  case gddf
  /// AREA XML.
  case area
  /// GeoJSON, RFC 7946.
  case geojson
  /// KML 2.2, also packed as KMZ, also with the additions of ARML 1.0.
  case kml
  /// ARML 2.0 (OGC 12-132r4).
  case arml
  /// JSON of mixare's data sources, and ARena's form of it.
  case mixare
  /// A response of Layar's GetPOIs request.
  case layar
  /// An answer of OpenStreetMap's Overpass interface in JSON.
  case overpass

  /// Media type that documents are served with.
  public var mediaType: String {
    switch self {
    case .gddf: "application/gamaray-gddf; charset=utf-8"
    case .area: "application/xml; charset=utf-8"
    case .geojson: "application/geo+json"
    case .kml: "application/vnd.google-earth.kml+xml; charset=utf-8"
    case .arml: "application/xml; charset=utf-8"
    case .mixare, .layar, .overpass: "application/json"
    }
  }

  /// Usual ending of file names, without the full stop in front.
  public var fileEnding: String {
    switch self {
    case .gddf: "gddf"
    case .area: "area.xml"
    case .geojson: "geojson"
    case .kml: "kml"
    case .arml: "arml"
    case .mixare: "mixare.json"
    case .layar: "layar.json"
    case .overpass: "osm.json"
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
    } else if name.hasSuffix(".arml") {
      self = .arml
    } else if name.hasSuffix(".kml") || name.hasSuffix(".kmz") {
      self = .kml
    } else if let format = [DocumentFormat.mixare, .layar, .overpass].first(where: {
      name.hasSuffix("." + $0.fileEnding)
    }) {
      self = format
    } else {
      return nil
    }
  }
}
