public import SightlineContent

/// Which way the three offsets of a GDDF feature point: the two original clients disagree.
public enum OffsetAxes: String, CaseIterable, Codable, Sendable {
  /// `xLoc` east, `yLoc` north, `zLoc` up: the published description and the iPhone client.
  case enu
  /// `xLoc` east, `yLoc` up, `zLoc` south: the original Gamaray for Android.
  case gamaray
}

/// What a reader cannot know from the document alone.
public struct ReadingOptions: Equatable, Sendable {
  /// Name of the file, used as the title of formats that carry none and as a hint when the content says nothing.
  public var fileName: String?
  /// Address the document was loaded from (the last one, after redirects).
  ///
  /// Relative addresses are resolved against it; without it they are kept as written.
  public var baseURL: String?
  /// Axes of the offsets in GDDF.
  public var axes = OffsetAxes.enu
  /// What `altitude` in AREA XML is measured from; the format does not say.
  public var areaAltitudeMode = AltitudeMode.seaLevel
  /// Whether things of OpenStreetMap without a name are places too, named by what they are ("Drinking water").
  public var titlesFromTags = false
  /// Safety limits.
  public var limits = ReadingLimits()

  /// The usual options.
  public init(fileName: String? = nil, baseURL: String? = nil) {
    self.fileName = fileName
    self.baseURL = baseURL
  }

  /// The file's name as a title, without folders and endings: `walks/old-town.area.xml` gives `Old town`.
  var title: String? {
    guard let last = fileName?.split(separator: "/").last else { return nil }
    let stem = last.prefix { $0 != "." }
    guard let first = stem.first else { return String(last) }
    return first.uppercased() + stem.dropFirst().map { $0 == "-" || $0 == "_" ? " " : String($0) }.joined()
  }
}

/// What a writer cannot know from the world alone.
public struct WritingOptions: Sendable {
  /// Relative addresses in the world are written resolved against this address.
  public var baseURL: String?
  /// Metres from the WGS84 ellipsoid up to mean sea level at a latitude and a longitude in degrees, such as EGM96 has them.
  ///
  /// With it heights are written over what their format counts from, whatever the world has them over. Without it the numbers stay as
  /// they are, up to 107 m off, and a finding says so.
  public var geoidHeight: (@Sendable (_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> Double?)?

  /// The usual options.
  public init(
    baseURL: String? = nil,
    geoidHeight: (@Sendable (_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> Double?)? = nil
  ) {
    self.baseURL = baseURL
    self.geoidHeight = geoidHeight
  }
}

/// A written document.
public struct Writing: Equatable, Sendable {
  /// The document, UTF-8.
  public var bytes: [UInt8]
  /// What the format could not hold (`writer.dropped`), one finding for each kind of loss.
  public var problems: [Problem]

  /// The document as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
