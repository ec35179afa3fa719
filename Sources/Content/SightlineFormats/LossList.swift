import SightlineContent

/// What a writer could not write, by kind.
struct LossList {
  private var counts: [(what: String, count: Int, severity: Problem.Severity)] = []
  private var positions: [String: Int] = [:]
  private var notes: [(what: String, advice: String, count: Int)] = []
  private let format: String

  init(format: String) { self.format = format }

  /// Counts something that is not in the document.
  mutating func drop(_ what: String, _ count: Int = 1, severity: Problem.Severity = .warning) {
    guard count > 0 else { return }
    if let index = positions[what] {
      counts[index].count += count
    } else {
      positions[what] = counts.count
      counts.append((what, count, severity))
    }
  }

  /// Counts something that is in the document, but that programs which the format was made for do not take.
  mutating func note(_ what: String, _ advice: String, _ count: Int = 1) {
    guard count > 0 else { return }
    if let index = notes.firstIndex(where: { $0.what == what }) {
      notes[index].count += count
    } else {
      notes.append((what, advice, count))
    }
  }

  /// One finding for each kind.
  var problems: [Problem] { losses + hints }

  private var hints: [Problem] {
    notes.map { note in
      Problem(
        .info,
        "writer.portable",
        line: nil,
        path: "",
        message: "\(note.what) (\(note.count)). \(note.advice) if it matters."
      )
    }
  }

  private var losses: [Problem] {
    counts.map { entry in
      Problem(
        entry.severity,
        "writer.dropped",
        line: nil,
        path: "",
        message: "\(format) cannot hold \(entry.what) (\(entry.count)). Keep the original if it matters."
      )
    }
  }
}

extension LossList {
  /// Counts fields of places that a format has no element for; `held` names those that it has one for.
  mutating func dropFields(of place: Place, except held: Set<String>) {
    func check(_ name: String, _ what: String, _ isThere: Bool) {
      if isThere, !held.contains(name) { drop(what) }
    }
    check("summary", "descriptions of places", place.summary != nil)
    check("marker", "markers that places stand on", place.marker != nil)
    check("target", "pictures that places stand on", place.target != nil)
    check("followsUser", "places that go along with the user", place.followsUser == true)
    check("shapes", "lines and areas", place.shapes?.isEmpty == false)
    check("offset", "offsets of places", place.offset != Offset())
    check("size", "sizes of pictures and models in the world", place.size != nil)
    check("attitude", "how pictures and models are turned in the world", place.attitude != nil)
    check("icon", "colours, sizes and turns of signs", place.icon != nil)
    check("pivot", "pivots of places", place.pivot != .bottomCenter)
    check("action", "actions of places", place.action != nil)
    check("showInRadar", "places that are not on the radar", !place.showInRadar)
    check("showOnFocus", "overlays shown on focus", !place.showOnFocus.isEmpty)
    check("categories", "categories", !place.categories.isEmpty)
    check("visibilityRadius", "visibility radii", place.visibilityRadius != nil)
    check("display", "when visuals are shown, and how they scale", place.display != nil)
    check("link", "links of places", place.link != nil)
    check("imageURL", "pictures of places", place.imageURL != nil)
    check("soundURL", "sounds of places", place.soundURL != nil)
    check("phone", "telephone numbers", place.phone != nil)
    check("translations", "texts of places in other languages", !(place.translations ?? [:]).isEmpty)
    check("metadata", "further fields of places", !place.metadata.isEmpty)
  }

  /// Counts what belongs to the world and not to a place.
  mutating func dropFields(of dimension: Dimension, except held: Set<String>) {
    func check(_ name: String, _ what: String, _ count: Int) {
      if !held.contains(name) { drop(what, count) }
    }
    check("name", "the title of the world", dimension.name == nil ? 0 : 1)
    check("summary", "the description of the world", dimension.summary == nil ? 0 : 1)
    check("attribution", "the credits of the world", dimension.attribution == nil ? 0 : 1)
    check("radar", "radar settings", dimension.radarRange != nil || !dimension.radarAvailable ? 1 : 0)
    let refreshes = dimension.refreshURL != nil || dimension.refreshIntervalSeconds > 0 || dimension.refreshDistance > 0
    check("refresh", "refresh rules", refreshes ? 1 : 0)
    check("sound", "the sound of the world", dimension.soundURL == nil ? 0 : 1)
    check("translations", "titles of the world in other languages", dimension.translations?.count ?? 0)
    check("assets", "assets", dimension.assets.count)
    check("overlays", "overlays", dimension.overlays.count)
  }
}
