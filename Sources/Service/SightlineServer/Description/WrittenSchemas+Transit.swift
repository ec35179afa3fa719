extension WrittenSchemas {
  /// Answers about public transport.
  static let transit: [String: JSONSchema] = [
    "Attribution": .object(["provider": .string, "text": .string, "url": .string.orNull]),
    "Line": .object([
      "id": .string,
      "name": .string,
      "mode": .transitModes,
      "color": .gtfsColor,
      "textColor": .gtfsColor,
    ]),
    "Departure": .object([
      "line": .string.orNull,
      "lineId": .string.orNull,
      "lineColor": .gtfsColor,
      "textColor": .gtfsColor,
      "mode": .transitModes,
      "headsign": .string,
      "direction": .integer.orNull,
      "scheduled": .date,
      "expected": .date.orNull,
      "delay": .integer.orNull,
      "state": .words(["scheduled", "live", "cancelled", "skipped", "added"]),
      "approximate": .boolean,
      "platform": .string.orNull,
      "stop": .string.orNull,
      "trip": .string.orNull,
      "tripName": .string.orNull,
      "pickup": .words(["regular", "phone", "driver"]),
      "wheelchair": .boolean.orNull,
      "lowFloor": .boolean.orNull,
      "alerts": .list(.string),
    ]),
    "Interval": .object([
      "line": .string.orNull,
      "lineId": .string.orNull,
      "lineColor": .gtfsColor,
      "textColor": .gtfsColor,
      "mode": .transitModes,
      "headsign": .string,
      "headway": .integer,
      "from": .date,
      "to": .date,
    ]),
    "Forecast": .object([
      "state": .words(["live", "scheduled", "stale"]),
      "source": .words(["gtfs", "gtfs-rt", "siri", "json"]),
      "updated": .date.orNull,
      "age": .integer.orNull,
      "stale": .boolean,
      "intervals": .list(.component("Interval")),
      "alerts": .list(.string),
      "departures": .list(.component("Departure")),
    ]),
    "Alert": .object([
      "id": .string,
      "header": .string,
      "text": .string.orNull,
      "url": .string.orNull,
      "cause": .string.orNull,
      "effect": .string.orNull,
      "severity": .string.orNull,
      "periods": .list(.object(["from": .date.orNull, "to": .date.orNull])),
      "lines": .list(.string),
      "stops": .list(.string),
    ]),
    "Stop": .object(
      ["id": .string, "name": .string.orNull],
      optional: [
        "provider": .string,
        "code": .string.orNull,
        "platform": .string.orNull,
        "station": .boolean,
        "lat": .number,
        "lon": .number,
        "distance": .number.described("metres"),
        "bearing": .number.orNull.described("degrees clockwise from north"),
        "wheelchair": .boolean.orNull,
        "modes": .list(.transitModes),
        "lines": .list(.component("Line")),
        "reason": .words(["timeout", "provider_error", "unavailable", "unknown_stop", "retired_stop"]).orNull,
        "detail": .string.orNull,
        "forecast": .component("Forecast").orNull,
      ]
    ),
    "Stops": .object([
      "now": .date,
      "partial": .boolean,
      "attributions": .list(.component("Attribution")),
      "alerts": .list(.component("Alert")),
      "stops": .list(.component("Stop")),
    ]),
    "Vehicle": .object([
      "id": .string,
      "label": .string.orNull,
      "lat": .number,
      "lon": .number,
      "bearing": .number.orNull,
      "speed": .number.orNull,
      "line": .string.orNull,
      "lineId": .string.orNull,
      "lineColor": .gtfsColor,
      "textColor": .gtfsColor,
      "mode": .transitModes,
      "headsign": .string.orNull,
      "trip": .string.orNull,
      "stop": .string.orNull,
      "status": .words(["incoming", "stopped", "underway"]),
      "occupancy": .string.orNull,
      "updated": .date,
      "age": .integer,
      "distance": .number,
    ]),
    "Vehicles": .object([
      "now": .date,
      "attributions": .list(.component("Attribution")),
      "vehicles": .list(.component("Vehicle")),
    ]),
    "Shapes": .object([
      "attributions": .list(.component("Attribution")),
      "lines": .list(
        .object([
          "id": .string,
          "name": .string,
          "mode": .transitModes,
          "color": .gtfsColor,
          "textColor": .gtfsColor,
          "source": .words(["shapes", "stops"]),
          "paths": .list(.list(.number, from: 4).described("latitude and longitude by turns")),
        ])
      ),
    ]),
    "Streets": .object([
      "attribution": .component("StreetsCredit"),
      "paths": .list(.list(.number, from: 4).described("latitude and longitude by turns")),
    ]),
    "StreetsCredit": .object(["text": .string.orNull, "url": .string.orNull]).orNull,
    "Provider": .object([
      "id": .string,
      "name": .string,
      "kinds": .list(.string),
      "timeZone": .string,
      "stops": .integer,
      "attribution": .object(["text": .string, "url": .string.orNull]).orNull,
      "validFrom": .string.orNull,
      "validTo": .string.orNull,
      "bounds": .list(.number, from: 4, to: 4).orNull,
      "state": .words(["ok", "stale", "failing", "outside_validity"]),
      "detail": .string.orNull,
      "vehicles": .boolean,
      "alerts": .boolean,
      "realtime": .object(["updated": .date.orNull, "age": .integer.orNull, "matched": .integer, "unmatched": .integer])
        .orNull,
      "timetable": .object([
        "checked": .date.orNull, "taken": .date.orNull,
        "result": .words(["taken", "unchanged", "unreachable", "refused"]).orNull,
      ]).described("a timetable that is fetched from an address; times of the system's clock").orNull,
    ]),
    "Providers": .object([
      "now": .date,
      "demonstration": .boolean,
      "center": .object(["lat": .number, "lon": .number]).orNull,
      "streets": .component("StreetsCredit"),
      "providers": .list(.component("Provider")),
    ]),
    "ForecastStop": .object([
      "name": .string, "lat": .string, "lng": .string,
      "forecast": .list(.list(.any, from: 2, to: 2).described("a line's name, and its departures")),
    ]),
  ]

  /// What is asked about it.
  static let transitQuestions: [String: JSONSchema] = [
    "StopsQuestion": .object(
      ["latitude": .latitude, "longitude": .longitude],
      optional: [
        "limit": .integer(in: 1...50).usually(10),
        "radius": .number(in: 0...21000000),
        "query": .string(longest: 200).described("a part of the name: only such stops, the best first"),
        "departures": .integer(in: 0...100).usually(0),
        "window": .integer(in: 60...86400).described("seconds").usually(3600),
        "language": .string.described("language of names and notices"),
      ]
    ),
    "DeparturesQuestion": .object(
      ["stops": .list(.string, from: 1, to: 50)],
      optional: [
        "limit": .integer(in: 1...100).usually(20),
        "window": .integer(in: 60...86400).described("seconds").usually(3600),
        "language": .string.described("language of names and notices"),
      ]
    ),
    "VehiclesQuestion": .object(
      ["latitude": .latitude, "longitude": .longitude],
      optional: [
        "radius": .number(in: 10...20000).usually(2000),
        "limit": .integer(in: 1...500).usually(200),
        "lines": .list(.string, to: 100),
      ]
    ),
    "StreetsQuestion": .object(
      ["latitude": .latitude, "longitude": .longitude],
      optional: ["radius": .number(in: 50...5000).usually(1000)]
    ),
    "ShapesQuestion": .object(
      ["latitude": .latitude, "longitude": .longitude],
      optional: ["radius": .number(in: 50...10000).usually(1000)]
    ),
  ]
}
