import SightlineOpenStreetMap

/// Which ways can be walked, by their tags.
///
/// Follows OpenStreetMap's own pages: Key:access (the more special key wins: `foot` over `access`), Key:highway with the
/// defaults for walkers worldwide in OSM_tags_for_routing/Access_restrictions, Key:sidewalk, Key:conveying, Key:barrier.
struct FootAccess: Equatable {
  var flags: EdgeFlags
  /// Steps in all of the way as tagged, 0 for none.
  var stepCount: Int
  /// Whether it is an area, to be crossed straight.
  var isArea: Bool

  /// What a way is for walkers; `nil` where they may not or cannot go.
  init?(_ tags: OSMTags) {
    guard !tags.isEmpty, let kind = Self.kind(tags), Self.mayEnter(tags) else { return nil }
    isArea = tags["area"] == "yes" || (tags["highway"] == nil && kind == .platform)
    flags = EdgeFlags(kind: kind)
    flags.set(EdgeFlags.forward)
    flags.set(EdgeFlags.backward)
    stepCount = 0
    if kind == .steps || kind == .escalator { takeSteps(tags) }
    takeDirection(tags, kind: kind)
    if kind == .crossing {
      let isLit = tags["crossing"] == "traffic_signals" || tags["crossing:signals"] == "yes"
      flags.set(EdgeFlags.signals, isLit)
    }
    flags.set(EdgeFlags.besideSidewalk, kind == .street && Self.hasSidewalksOfTheirOwn(tags))
    flags.set(EdgeFlags.spans, (tags["bridge"] ?? "no") != "no" || (tags["tunnel"] ?? "no") != "no")
    flags.set(EdgeFlags.covered, Self.isCovered(tags, kind: kind))
  }

  private static func kind(_ tags: OSMTags) -> WalkingWayKind? {
    if let highway = tags["highway"] {
      switch highway {
      case "footway", "path", "cycleway", "bridleway", "pedestrian", "track":
        if ["crossing", "traffic_island"].contains(tags["footway"] ?? tags["path"] ?? tags["cycleway"]) {
          return .crossing
        }
        // A moving walkway.
        return isConveying(tags) ? .escalator : .path
      case "steps": return isConveying(tags) ? .escalator : .steps
      case "corridor": return .corridor
      case "elevator": return .elevator
      case "platform": return .platform
      case "living_street", "residential", "service", "unclassified", "road", "tertiary", "tertiary_link", "secondary",
        "secondary_link", "primary", "primary_link":
        return tags["motorroad"] == "yes" ? nil : .street
      case "trunk", "trunk_link":
        // Fast roads only where something says that walkers are meant.
        guard tags["motorroad"] != "yes" else { return nil }
        let sidewalk = tags["sidewalk"] ?? tags["sidewalk:both"] ?? "no"
        return ["both", "left", "right", "yes"].contains(sidewalk) || tags["foot"] != nil ? .street : nil
      default: return nil
      }
    }
    if tags["railway"] == "platform" || tags["public_transport"] == "platform" { return .platform }
    if tags["man_made"] == "pier" { return .path }
    if tags["indoor"] == "corridor" { return .corridor }
    return nil
  }

  /// Whether it is one that cars use too.
  static func isRoad(_ tags: OSMTags) -> Bool { kind(tags) == .street }

  private static func isConveying(_ tags: OSMTags) -> Bool { (tags["conveying"] ?? "no") != "no" }

  /// Whether walkers may enter: `foot`, or else `access`.
  static func mayEnter(_ tags: OSMTags) -> Bool {
    if let foot = tags["foot"] { return isOpen(foot) }
    // A sidewalk belongs to a road that may be closed to vehicles by the same word; one's own gate is no thoroughfare.
    return tags["access"].map(isOpen) ?? true
  }

  private static func isOpen(_ value: String) -> Bool {
    switch value {
    case "no", "private", "agricultural", "forestry", "agricultural;forestry", "delivery", "military", "emergency",
      "employees", "staff", "residents", "permit", "restricted":
      false
    default: true
    }
  }

  private mutating func takeSteps(_ tags: OSMTags) {
    if let count = tags["step_count"].flatMap({ Int($0) }), (1...10_000).contains(count) {
      stepCount = count
      flags.set(EdgeFlags.stepsKnown)
    }
    // A number of percent has a sign, too.
    let incline = tags["incline"] ?? ""
    if incline == "up" || (incline.first?.isNumber ?? false && !incline.hasPrefix("0")) {
      flags.set(EdgeFlags.stepsUp)
    } else if incline == "down" || incline.hasPrefix("-") {
      flags.set(EdgeFlags.stepsDown)
    }
  }

  private mutating func takeDirection(_ tags: OSMTags, kind: WalkingWayKind) {
    // A road's oneway is for vehicles. Only what is said of walkers, and the belt of an escalator, binds them.
    var direction = tags["oneway:foot"] ?? tags["foot:oneway"] ?? "no"
    if kind == .escalator {
      switch tags["conveying"] {
      case "forward", "yes":
        direction = tags["conveying"] == "forward" || tags["oneway"] == "yes" ? "yes" : "no"
      case "backward": direction = "-1"
      default: break
      }
    }
    if ["yes", "1", "true"].contains(direction) { flags.set(EdgeFlags.backward, false) }
    if ["-1", "reverse"].contains(direction) { flags.set(EdgeFlags.forward, false) }
  }

  private static func hasSidewalksOfTheirOwn(_ tags: OSMTags) -> Bool {
    tags["sidewalk"] == "separate" || tags["sidewalk:both"] == "separate" || tags["foot"] == "use_sidepath"
      || (tags["sidewalk:left"] == "separate" && tags["sidewalk:right"] == "separate")
  }

  private static func isCovered(_ tags: OSMTags, kind: WalkingWayKind) -> Bool {
    if kind == .corridor || kind == .elevator { return true }
    if (tags["indoor"] ?? "no") != "no" || tags["location"] == "underground" { return true }
    return (tags["tunnel"] ?? "no") != "no" && tags["tunnel"] != "building_passage"
  }
}

/// What a node of the way does to walkers.
struct FootNode: OptionSet {
  let rawValue: UInt8
  /// Nobody gets through: the way is cut here.
  static let blocked = FootNode(rawValue: 1)
  /// A lift.
  static let elevator = FootNode(rawValue: 2)
  /// Traffic lights for walkers.
  static let signals = FootNode(rawValue: 4)

  /// By a node's tags; empty for most.
  static func of(_ tags: OSMTags) -> FootNode {
    var node: FootNode = []
    if tags["highway"] == "elevator" { node.insert(.elevator) }
    if tags["highway"] == "crossing", tags["crossing"] == "traffic_signals" || tags["crossing:signals"] == "yes" {
      node.insert(.signals)
    }
    if let barrier = tags["barrier"] {
      if !FootAccess.mayEnter(tags) {
        node.insert(.blocked)
      } else if tags["foot"] == nil, tags["access"] == nil, isClosed(barrier) {
        node.insert(.blocked)
      }
    } else if tags["foot"] == "no" || tags["access"] == "private" || tags["entrance"] == "emergency" {
      node.insert(.blocked)
    }
    return node
  }

  /// Barriers that nobody gets through unless the map says so.
  private static func isClosed(_ barrier: String) -> Bool {
    switch barrier {
    case "wall", "fence", "hedge", "retaining_wall", "city_wall", "guard_rail", "ditch", "sump_buster", "debris",
      "wire_fence", "handrail":
      true
    default: false
    }
  }
}
