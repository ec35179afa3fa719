import SightlineContent
import SightlineInput

/// What is asked of OpenStreetMap: a topic by name, or one tag of the asker's choice.
struct MapTopic: Equatable, Sendable {
  /// As it stands in addresses: `food`, `amenity=bench`, `shop`.
  let id: String
  /// Filters of the query language; a thing that passes one of them is wanted.
  let filters: [String]
  /// Title in English, and in other languages.
  let title: String
  let titles: [String: String]

  /// A topic; `nil` for a name that is none and no tag either.
  init?(_ text: String) {
    if let known = MapTopic.all.first(where: { $0.id == text }) {
      self = known
      return
    }
    guard let tag = MapTopic.tag(text) else { return nil }
    let value = tag.value.map { "=\"\($0)\"" } ?? ""
    self.init(id: text, [#"["\#(tag.key)"\#(value)]"#], (tag.value ?? tag.key).replacing("_", with: " "), [:])
  }

  private init(id: String, _ filters: [String], _ title: String, _ titles: [String: String]) {
    (self.id, self.filters, self.title, self.titles) = (id, filters, title, titles)
  }

  /// `key` or `key=value`, of letters that need no escaping in a query: what is written here is put into one.
  private static func tag(_ text: String) -> (key: String, value: String?)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    func isPlain(_ part: Substring) -> Bool {
      (1...48).contains(part.utf8.count)
        && part.utf8.allSatisfy { byte in
          (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x3A || byte == 0x2D
        }
    }
    guard parts.allSatisfy(isPlain), MapTopic.keys.contains(String(parts[0])) else { return nil }
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Keys of things that one goes to; with others (`source`, `name`) a query would ask for everything there is.
  private static let keys: Set = [
    "amenity", "shop", "tourism", "historic", "leisure", "natural", "public_transport", "railway", "highway",
    "man_made",
    "craft", "office", "emergency", "sport", "healthcare", "club", "aeroway", "aerialway", "waterway", "place",
  ]

  /// The query for what is within so many metres of a position (degrees), at most so many elements.
  func query(latitude: Double, longitude: Double, radius: Int, limit: Int) -> String {
    let around = "(around:\(radius),\(degrees(latitude)),\(degrees(longitude)))"
    return "[out:json][timeout:20][maxsize:33554432];("
      + filters.map { "nwr\($0)\(around);" }.joined() + ");out center tags \(limit);"
  }

  private func degrees(_ value: Double) -> String {
    // Two digits, by the grid that questions are asked on; never in exponent form.
    let hundredths = Int(clamped: (value * 100).rounded())
    let whole = abs(hundredths) / 100
    let rest = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Those that the page offers by name.
  static let all = [
    MapTopic(
      id: "food",
      [#"["amenity"~"^(restaurant|cafe|fast_food|bar|pub|biergarten|ice_cream)$"]"#],
      "Food and drink",
      [
        "sv": "Mat och dryck", "fr": "Manger et boire", "de": "Essen und Trinken", "nl": "Eten en drinken",
        "es": "Comer y beber", "zh": "餐饮",
      ]
    ),
    MapTopic(
      id: "shops",
      [#"["shop"]"#],
      "Shops",
      ["sv": "Affärer", "fr": "Commerces", "de": "Geschäfte", "nl": "Winkels", "es": "Tiendas", "zh": "商店"]
    ),
    MapTopic(
      id: "sights",
      [
        #"["tourism"~"^(attraction|museum|gallery|viewpoint|artwork|zoo|aquarium)$"]"#,
        #"["historic"~"^(castle|monument|memorial|ruins|archaeological_site|church|city_gate|tower)$"]"#,
      ],
      "Sights",
      [
        "sv": "Sevärdheter", "fr": "Curiosités", "de": "Sehenswertes", "nl": "Bezienswaardigheden",
        "es": "Lugares de interés", "zh": "景点",
      ]
    ),
    MapTopic(
      id: "water",
      [#"["amenity"="drinking_water"]"#, #"["drinking_water"="yes"]"#],
      "Drinking water",
      [
        "sv": "Dricksvatten", "fr": "Eau potable", "de": "Trinkwasser", "nl": "Drinkwater", "es": "Agua potable",
        "zh": "饮用水",
      ]
    ),
    MapTopic(
      id: "toilets",
      [#"["amenity"="toilets"]"#],
      "Toilets",
      ["sv": "Toaletter", "fr": "Toilettes", "de": "Toiletten", "nl": "Toiletten", "es": "Aseos", "zh": "厕所"]
    ),
    MapTopic(
      id: "health",
      [#"["amenity"~"^(pharmacy|doctors|hospital|clinic|dentist)$"]"#, #"["emergency"="defibrillator"]"#],
      "Health",
      ["sv": "Hälsa", "fr": "Santé", "de": "Gesundheit", "nl": "Gezondheid", "es": "Salud", "zh": "医疗"]
    ),
    MapTopic(
      id: "play",
      [#"["leisure"~"^(playground|park|pitch|sports_centre|swimming_pool|water_park)$"]"#],
      "Play and sport",
      [
        "sv": "Lek och idrott", "fr": "Jeux et sport", "de": "Spiel und Sport", "nl": "Spel en sport",
        "es": "Juego y deporte", "zh": "游乐与运动",
      ]
    ),
    MapTopic(
      id: "nature",
      [
        #"["natural"~"^(peak|spring|cave_entrance|hot_spring|volcano|rock|bay|beach)$"]"#, #"["waterway"="waterfall"]"#,
      ],
      "Nature",
      ["sv": "Natur", "fr": "Nature", "de": "Natur", "nl": "Natuur", "es": "Naturaleza", "zh": "自然"]
    ),
    MapTopic(
      id: "stops",
      [#"["highway"="bus_stop"]"#, #"["railway"~"^(station|halt|tram_stop)$"]"#, #"["amenity"="ferry_terminal"]"#],
      "Bus and train",
      [
        "sv": "Buss och tåg", "fr": "Bus et train", "de": "Bus und Bahn", "nl": "Bus en trein", "es": "Autobús y tren",
        "zh": "公交与火车",
      ]
    ),
  ]
}
