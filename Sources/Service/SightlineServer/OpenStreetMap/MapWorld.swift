import SightlineContent
import SightlineFormats

/// A world made of what OpenStreetMap has around a place.
enum MapWorld {
  /// Metres that a phone may move before the world is asked for again: a part of what the answer covers.
  static let validWithin = 400.0
  /// Most places: what a phone can lay out, and a reader take in.
  static let mostPlaces = 500

  /// Reads an answer of the service, in a worker; `nil` when it is none.
  static func read(_ bytes: [UInt8], topic: MapTopic) -> (Dimension, [Problem])? {
    var options = ReadingOptions()
    options.titlesFromTags = true
    let reading = OverpassReader.read(bytes, options: options)
    guard var dimension = reading.dimension else { return nil }
    dimension.name = topic.title
    // No language is stated: names are those of the place, and those in others' languages are its translations.
    dimension.translations = topic.titles.isEmpty ? nil : topic.titles.mapValues { Wording(title: $0) }
    dimension.refreshURL = "/api/v1/osm/\(topic.id)"
    dimension.refreshDistance = validWithin
    dimension.places = dimension.places.prefix(mostPlaces).map(tidied)
    // Notes about other people's map data are nothing to the reader; that the answer is not whole is.
    return (dimension, reading.problems.filter { $0.code == "source.error" })
  }

  /// A place for readers: opening hours, address and the like in words, without the mappers' own notes.
  static func tidied(_ place: Place) -> Place {
    var place = place
    let tags = place.metadata
    var shown: [String: String] = [:]
    let street = [tags["addr:street"] ?? tags["addr:place"], tags["addr:housenumber"]].compactMap { $0 }
    let town = [tags["addr:postcode"], tags["addr:city"]].compactMap { $0 }
    let address = [street, town].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    if !address.isEmpty { shown["address"] = address.joined(separator: ", ") }
    for (tag, name) in kept {
      if let text = tags[tag] { shown[name] = text.replacing(";", with: ", ").replacing("_", with: " ") }
    }
    place.metadata = shown
    place.categories = place.categories.map { $0.replacing("_", with: " ") }
    // An unnamed thing is called what it is, in each language that has a word for it.
    if place.translations == nil, let kind = place.categories.first, place.title.lowercased() == kind.lowercased() {
      place.translations = words[kind].map { $0.mapValues { Wording(title: $0) } }
    }
    return place
  }

  private static let kept = [
    ("opening_hours", "opening hours"), ("cuisine", "cuisine"), ("operator", "operator"), ("brand", "brand"),
    ("wheelchair", "wheelchair"), ("fee", "fee"), ("access", "access"), ("email", "e-mail"),
    ("start_date", "built"), ("artist_name", "artist"), ("religion", "religion"), ("sport", "sport"),
  ]

  private static let words: [String: [String: String]] = [
    "toilets": ["sv": "Toalett", "fr": "Toilettes", "de": "Toilette", "nl": "Toilet", "es": "Aseo", "zh": "厕所"],
    "drinking water": [
      "sv": "Dricksvatten", "fr": "Eau potable", "de": "Trinkwasser", "nl": "Drinkwater", "es": "Agua potable",
      "zh": "饮用水",
    ],
    "playground": [
      "sv": "Lekplats", "fr": "Aire de jeux", "de": "Spielplatz", "nl": "Speeltuin", "es": "Parque infantil",
      "zh": "游乐场",
    ],
    "pitch": [
      "sv": "Idrottsplan", "fr": "Terrain de sport", "de": "Sportplatz", "nl": "Sportveld", "es": "Campo de deporte",
      "zh": "运动场",
    ],
    "bench": ["sv": "Bänk", "fr": "Banc", "de": "Bank", "nl": "Bank", "es": "Banco", "zh": "长椅"],
    "defibrillator": [
      "sv": "Hjärtstartare", "fr": "Défibrillateur", "de": "Defibrillator", "nl": "AED", "es": "Desfibrilador",
      "zh": "除颤器",
    ],
    "viewpoint": [
      "sv": "Utsikt", "fr": "Point de vue", "de": "Aussicht", "nl": "Uitzicht", "es": "Mirador", "zh": "观景点",
    ],
    "artwork": [
      "sv": "Konstverk", "fr": "Œuvre d’art", "de": "Kunstwerk", "nl": "Kunstwerk", "es": "Obra de arte", "zh": "艺术品",
    ],
    "memorial": [
      "sv": "Minnesmärke", "fr": "Mémorial", "de": "Denkmal", "nl": "Gedenkteken", "es": "Monumento", "zh": "纪念碑",
    ],
    "bus stop": [
      "sv": "Busshållplats", "fr": "Arrêt de bus", "de": "Bushaltestelle", "nl": "Bushalte", "es": "Parada de autobús",
      "zh": "公交站",
    ],
  ]
}
