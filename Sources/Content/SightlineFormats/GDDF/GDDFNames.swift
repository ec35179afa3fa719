/// Every element name of GDDF and where it belongs, for advice about elements in the wrong place.
enum GDDFNames {
  static let homes: [String: String] = [
    "name": "dimension", "radarRange": "dimension", "radarAvailable": "dimension", "relativeAltitude": "dimension",
    "refreshUrl": "dimension", "refreshTime": "dimension", "refreshDistance": "dimension", "playSound": "dimension",
    "locations": "dimension", "assets": "dimension", "features": "dimension", "overlays": "dimension",
    "validFor": "refreshTime", "waitForAssets": "refreshTime", "validWithinRange": "refreshDistance",
    "location": "locations or a feature", "lat": "location", "lon": "location", "alt": "location",
    "asset": "assets", "url": "asset, playSound or overlayHtml", "format": "asset",
    "featureTxt": "features", "featureImg": "features", "feature3d": "features",
    "overlayTxt": "overlays", "overlayImg": "overlays", "overlayHtml": "overlays",
    "locationId": "a feature", "xLoc": "a feature", "yLoc": "a feature", "zLoc": "a feature",
    "anchor": "featureTxt, featureImg or an overlay", "onPress": "a feature or overlay", "showInRadar": "a feature",
    "showOnFocus": "a feature", "text": "featureTxt or overlayTxt", "assetId": "an image or 3-D item",
    "xRot": "feature3d", "yRot": "feature3d", "zRot": "feature3d", "scale": "feature3d", "x": "an overlay",
    "marker": "a feature", "target": "a feature", "user": "a feature", "size": "featureImg or feature3d",
    "attitude": "featureImg or feature3d",
    "y": "an overlay", "hidden": "an overlay", "width": "overlayTxt or overlayHtml", "height": "overlayHtml",
  ]

  /// Scalars whose last one counts, whatever it says.
  static let texts: Set = ["name", "format", "text", "assetId", "locationId", "showOnFocus"]

  static let dimensionScalars: Set = ["name", "radarRange", "radarAvailable", "relativeAltitude", "refreshUrl"]
  static let dimensionContainers: Set = [
    "refreshTime", "refreshDistance", "playSound", "locations", "assets", "features", "overlays",
  ]
  static let featureKinds: Set = ["featureTxt", "featureImg", "feature3d"]
  static let overlayKinds: Set = ["overlayTxt", "overlayImg", "overlayHtml"]

  static let locationScalars: Set = ["lat", "lon", "alt"]
  /// What an asset may be, in the words of the format.
  static let formats: Set = ["PNG", "JPG", "GAMA3D"]
  static let markerAttributes: Set = ["dictionary", "id", "length", "facing", "tilt", "roll"]
  static let targetAttributes: Set = ["assetId", "width"]

  private static let feature: Set = ["locationId", "xLoc", "yLoc", "zLoc", "onPress", "showInRadar", "showOnFocus"]
  private static let textFeature = feature.union(["anchor", "text"])
  private static let imageFeature = feature.union(["anchor", "assetId"])
  private static let modelFeature = feature.union(["assetId", "xRot", "yRot", "zRot", "scale"])

  static func featureScalars(_ kind: String) -> Set<String> {
    switch kind {
    case "featureTxt": textFeature
    case "featureImg": imageFeature
    default: modelFeature
    }
  }

  private static let anchors: Set = ["location", "marker", "target", "user"]
  private static let solid = anchors.union(["size", "attitude"])

  static func featureContainers(_ kind: String) -> Set<String> { kind == "featureTxt" ? anchors : solid }

  private static let overlay: Set = ["x", "y", "anchor", "onPress", "hidden"]
  private static let textOverlay = overlay.union(["text", "width"])
  private static let imageOverlay = overlay.union(["assetId"])
  private static let pageOverlay = overlay.union(["url", "width", "height"])

  static func overlayScalars(_ kind: String) -> Set<String> {
    switch kind {
    case "overlayTxt": textOverlay
    case "overlayImg": imageOverlay
    default: pageOverlay
    }
  }
}
