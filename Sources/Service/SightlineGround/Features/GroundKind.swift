import SightlineOpenStreetMap

/// What something on the map is.
///
/// One number for a drawing rule. The numbers are in files and stay as they are (Documentation/formats/ground.md).
public enum GroundKind: UInt8, CaseIterable, Sendable {
  // Areas, in the order in which they are drawn.
  case sea = 1, residential, commercial, industrial, farmland, meadow, grass, park, cemetery, pitch, forest, scrub,
    wetland
  case sand, rock, parking, pedestrianArea, water, building, buildingPart
  // Lines.
  case river = 40, stream
  case motorway = 50, primary, secondary, tertiary, street, pedestrian, service, cycleway, footway, path, track, steps
  case rail = 70, tram, subway, ferry, pier, wall
  // Names at points.
  case city = 90, town, suburb, quarter, square, stationName, sight, museum, church, school, hospital, shop, restaurant
  case houseNumber, peak, stop

  var isArea: Bool { rawValue < 40 }
  var isLine: Bool { (40..<90).contains(rawValue) }

  /// The lowest zoom of Web Mercator at which it is drawn.
  var lowestZoom: Int {
    switch self {
    case .sea, .water, .river, .forest, .residential, .motorway, .primary, .rail, .city, .town, .suburb,
      .ferry:
      10
    case .secondary, .park, .industrial, .commercial, .farmland, .meadow, .wetland, .cemetery, .grass, .scrub, .sand,
      .rock:
      12
    case .tertiary, .subway: 12
    case .street, .pedestrian, .tram, .quarter, .stationName, .pitch, .stream, .pier, .building, .track, .cycleway,
      .peak:
      14
    default: 16
    }
  }
}

/// Tags that the ground is made of; others are not read.
public enum GroundTags {
  /// Languages whose names are kept, where there are any: those of the page, and those of the extract's country by `name`.
  public static let languages = [
    "en", "de", "fr", "es", "it", "fi", "sv", "nl", "pl", "pt", "cs", "tr", "uk", "ar", "ja", "zh",
  ]

  private static let kept: Set<String> = Set(
    [
      "name", "access", "addr:housenumber", "amenity", "area", "barrier", "bridge", "building", "building:levels",
      "building:min_level", "building:part", "conveying", "crossing", "crossing:signals", "cycleway", "demolished",
      "entrance", "foot", "foot:oneway", "footway", "height", "highway", "historic", "incline", "indoor", "landuse",
      "layer", "leisure", "location", "man_made", "min_height", "motorroad", "natural", "oneway", "oneway:foot",
      "path", "place", "public_transport", "railway", "ref", "roof:height", "roof:levels", "route", "shop",
      "sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right", "step_count", "tourism", "tunnel", "type",
      "waterway",
    ] + languages.map { "name:\($0)" }
  )

  /// What a ground and its ways to walk are made of.
  public static let filter = OSMTagFilter { kept.contains($0) }
}

/// Which kind of thing an element is by its tags (wiki.openstreetmap.org/wiki/Map_features).
enum GroundRules {
  static func area(_ tags: OSMTags) -> GroundKind? {
    if let building = tags["building"], building != "no" { return isAboveGround(tags) ? .building : nil }
    if let part = tags["building:part"], part != "no" { return isAboveGround(tags) ? .buildingPart : nil }
    switch tags["natural"] {
    case "water", "bay": return .water
    case "wood": return .forest
    case "scrub", "heath": return .scrub
    case "wetland": return .wetland
    case "sand", "beach", "shingle": return .sand
    case "bare_rock", "scree", "rock": return .rock
    case "grassland": return .meadow
    default: break
    }
    switch tags["landuse"] {
    case "residential": return .residential
    case "commercial", "retail": return .commercial
    case "industrial", "railway", "construction", "port", "quarry", "brownfield", "landfill": return .industrial
    case "farmland", "farmyard", "orchard", "vineyard", "greenhouse_horticulture": return .farmland
    case "meadow": return .meadow
    case "grass", "village_green", "flowerbed", "greenfield", "allotments", "recreation_ground": return .grass
    case "forest": return .forest
    case "cemetery": return .cemetery
    case "reservoir", "basin": return .water
    default: break
    }
    switch tags["leisure"] {
    case "park", "garden", "dog_park", "golf_course", "nature_reserve": return .park
    case "pitch", "playground", "track", "stadium", "sports_centre": return .pitch
    case "swimming_pool": return .water
    default: break
    }
    if tags["waterway"] == "riverbank" || tags["waterway"] == "dock" { return .water }
    if tags["amenity"] == "parking", isAboveGround(tags) { return .parking }
    if tags["amenity"] == "grave_yard" { return .cemetery }
    if isPedestrianArea(tags) { return .pedestrianArea }
    if tags["man_made"] == "pier" { return .pedestrianArea }
    return nil
  }

  private static func isPedestrianArea(_ tags: OSMTags) -> Bool {
    guard isAboveGround(tags) else { return false }
    if tags["place"] == "square" { return true }
    let isWalked = ["pedestrian", "footway", "path", "platform"].contains(tags["highway"] ?? "")
    return tags["area"] == "yes" && isWalked || tags["railway"] == "platform" || tags["public_transport"] == "platform"
  }

  static func line(_ tags: OSMTags) -> GroundKind? {
    if let highway = tags["highway"], tags["area"] != "yes" {
      guard isAboveGround(tags) else { return nil }
      switch highway {
      case "motorway", "motorway_link", "trunk", "trunk_link": return .motorway
      case "primary", "primary_link": return .primary
      case "secondary", "secondary_link": return .secondary
      case "tertiary", "tertiary_link": return .tertiary
      case "residential", "unclassified", "living_street", "road": return .street
      case "pedestrian": return .pedestrian
      case "service": return .service
      case "cycleway": return .cycleway
      case "footway", "corridor", "platform": return .footway
      case "path", "bridleway": return .path
      case "track": return .track
      case "steps": return .steps
      default: return nil
      }
    }
    switch tags["railway"] {
    case "rail", "light_rail", "narrow_gauge", "monorail", "funicular": return isAboveGround(tags) ? .rail : nil
    case "tram": return isAboveGround(tags) ? .tram : nil
    case "subway": return isAboveGround(tags) ? .subway : nil
    default: break
    }
    switch tags["waterway"] {
    case "river", "canal": return isAboveGround(tags) ? .river : nil
    case "stream", "ditch", "drain": return isAboveGround(tags) ? .stream : nil
    default: break
    }
    if tags["route"] == "ferry" { return .ferry }
    if tags["man_made"] == "pier" || tags["man_made"] == "breakwater" { return .pier }
    if ["wall", "city_wall", "retaining_wall"].contains(tags["barrier"] ?? "") { return .wall }
    return nil
  }

  /// What is written at a place; of an area, at its middle.
  static func name(_ tags: OSMTags) -> GroundKind? {
    if tags["name"] != nil {
      switch tags["place"] {
      case "city": return .city
      case "town", "village": return .town
      case "suburb", "borough", "island", "hamlet": return .suburb
      case "quarter", "neighbourhood", "locality", "islet": return .quarter
      case "square": return .square
      default: break
      }
      if tags["railway"] == "station" || tags["railway"] == "halt" || tags["public_transport"] == "station" {
        return .stationName
      }
      if ["bus_stop"].contains(tags["highway"] ?? "") || tags["railway"] == "tram_stop" { return .stop }
      if ["museum", "gallery"].contains(tags["tourism"] ?? "") { return .museum }
      if ["attraction", "viewpoint", "artwork", "zoo"].contains(tags["tourism"] ?? "") { return .sight }
      if ["monument", "memorial", "castle", "ruins"].contains(tags["historic"] ?? "") { return .sight }
      switch tags["amenity"] {
      case "place_of_worship": return .church
      case "school", "university", "college", "kindergarten", "library": return .school
      case "hospital": return .hospital
      case "restaurant", "cafe", "pub", "bar", "fast_food": return .restaurant
      case "theatre", "cinema", "arts_centre", "townhall": return .sight
      default: break
      }
      if tags["natural"] == "peak" { return .peak }
      if tags["shop"] != nil { return .shop }
    }
    return tags["addr:housenumber"] == nil ? nil : .houseNumber
  }

  /// Whether it lies under the open sky: not in a tunnel, not below the ground, not in a building.
  static func isAboveGround(_ tags: OSMTags) -> Bool {
    if let tunnel = tags["tunnel"], tunnel != "no", tunnel != "building_passage" { return false }
    if tags["location"] == "underground" || tags["demolished"] != nil { return false }
    if let indoor = tags["indoor"], indoor != "no" { return false }
    return layer(tags) >= 0 || tags["bridge"] != nil
  }

  /// The layer, −5…5.
  static func layer(_ tags: OSMTags) -> Int {
    guard let text = tags["layer"], let value = Int(text.prefix(3)) else { return 0 }
    return min(5, max(-5, value))
  }
}
