extension WrittenSchemas {
  /// Worlds, places and their questions.
  static let worlds: [String: JSONSchema] = [
    "NearbyQuestion": .object(
      ["latitude": .latitude, "longitude": .longitude],
      optional: ["limit": .integer(in: 1...100).usually(10), "radius": .number(in: 0...), "world": .string]
    ),
    "ForecastQuestion": .object(["lat": .latitude, "lng": .longitude]),
    "DimensionRequest": .object(
      [:],
      optional: [
        "event": .words(["init", "refreshOnTime", "refreshOnDistance", "refreshOnPress"]),
        "eventSrc": .string,
        "lat": .latitude,
        "lon": .longitude,
        "alt": .number,
        "bearing": .number,
        "pitch": .number,
        "roll": .number,
        "width": .integer(in: 1...),
        "height": .integer(in: 1...),
        "uid": .string,
        "time": .integer.described("milliseconds since 1970"),
      ]
    ),
    "OpenRequest": .object(
      ["url": .string],
      optional: ["lat": .latitude, "lon": .longitude, "event": .string, "uid": .string]
    ),
    "OpenAPI": .map(.any),
    "Health": .object(
      ["status": .string, "version": .string],
      optional: ["failing": .list(.object(["check": .string, "advice": .string]))]
    ),
    "NearbyPlaces": .object([
      "places": .list(
        .object([
          "world": .string, "index": .integer, "id": .string.orNull, "title": .string, "latitude": .number,
          "longitude": .number, "altitude": .number.orNull, "distance": .number.described("metres"),
        ])
      )
    ]),
  ]
}
