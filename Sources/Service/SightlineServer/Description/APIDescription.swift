import NIOCore

/// The description of the whole interface in OpenAPI 3.1, as `/api/v1/openapi.json` serves it.
///
/// `APIDescriptionTests` compares it with the routes: whoever adds a route describes it in ``operations``.
enum APIDescription {
  /// Served as it is.
  static let body: ByteBuffer = {
    var json = JSONWriter(capacity: 96 * 1024)
    json.beginObject()
    json.member("openapi", "3.1.0")
    json.name("info")
    json.beginObject()
    json.member("title", "Sightline")
    json.member("version", "1")
    json.member("description", "Worlds, posters, tours, public transport. Documentation/http-api.md says more.")
    json.endObject()
    json.name("servers")
    json.raw(#"[{"url": "/"}]"#.utf8)
    json.name("paths")
    json.beginObject()
    json.raw(TransitOpenAPI.paths.utf8)
    var written: Set<String> = []
    for operation in operations where written.insert(operation.path).inserted {
      json.dynamicName(operation.path.replacing("...}", with: "}"))
      json.beginObject()
      for method in operations where method.path == operation.path { method.write(to: &json) }
      json.endObject()
    }
    json.endObject()
    json.name("components")
    json.beginObject()
    json.name("securitySchemes")
    json.raw(securitySchemes.utf8)
    json.name("responses")
    json.beginObject()
    json.raw(TransitOpenAPI.responses.utf8)
    for (status, name) in refusals.sorted(by: { $0.key < $1.key }) {
      json.dynamicName(name)
      json.beginObject()
      json.member("description", sentences[status] ?? "The request is refused")
      json.name("content")
      json.raw(##"{"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}"##.utf8)
      json.endObject()
    }
    json.endObject()
    json.name("schemas")
    json.beginObject()
    json.raw(TransitOpenAPI.schemas.utf8)
    json.raw(schemas.utf8)
    json.endObject()
    json.endObject()
    json.endObject()
    return json.buffer
  }()

  /// Changes with the text.
  static let etag: String = {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in body.readableBytesView { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return String(hash, radix: 36)
  }()

  /// Names of the refusals that operations have in common.
  static let refusals: [Int: String] = [
    400: "BadRequest", 401: "SignInFirst", 403: "NotYours", 404: "Unknown", 406: "NotAcceptable", 409: "Conflict",
    412: "Changed", 413: "TooMuch", 415: "OtherMediaType", 422: "Unfit", 428: "NeedsVersion", 429: "TooOften",
    502: "SourceFailed", 503: "ComeAgain", 504: "SourceLate",
  ]
  private static let sentences: [Int: String] = [
    400: "The request is malformed", 401: "Nobody is signed in, or the secret is unknown",
    403: "It is for others, or the session's secret is missing", 404: "There is none", 406: "Not in this form",
    409: "It is not possible now, or somebody else has changed the same", 412: "It has changed meanwhile",
    413: "The body, or all files together, are too large", 415: "The body is of another media type",
    422: "The content cannot stay as it is; `problems` says why", 428: "If-Match has to say what is changed",
    429: "Too many requests; Retry-After says when to come again", 502: "The foreign source failed",
    503: "Busy, starting or stopping; Retry-After says when to come again",
    504: "The foreign source did not answer in time",
  ]
  private static let securitySchemes = #"""
    {"session": {"type": "apiKey", "in": "cookie", "name": "sightline",
      "description": "POST /api/v1/session; changes need its `csrf` in the field X-CSRF-Token"},
     "team": {"type": "http", "scheme": "bearer", "description": "the secret of POST /api/v1/tour-team/join"}}
    """#

  /// Schemas of fields of queries; others are texts.
  static let fields: [String: String] = [
    "latitude": #"{"type": "number", "minimum": -90, "maximum": 90}"#,
    "longitude": #"{"type": "number", "minimum": -180, "maximum": 180}"#,
    "lat": #"{"type": "number", "minimum": -90, "maximum": 90}"#,
    "lng": #"{"type": "number", "minimum": -180, "maximum": 180}"#,
    "limit": #"{"type": "integer", "minimum": 1, "maximum": 100}"#, "radius": #"{"type": "number", "minimum": 0}"#,
    "side": #"{"type": "number", "minimum": 16, "maximum": 4096}"#, "all": #"{"enum": ["1"]}"#,
    "everywhere": #"{"enum": ["1"]}"#, "order": #"{"enum": ["newest", "title", "relevance"]}"#,
    "format":
      #"{"enum": ["gddf", "area", "geojson", "kml", "arml", "mixare", "layar", "overpass", "sightline", "svg", "pdf", "png"]}"#,
    "language": #"{"enum": ["en", "sv", "fr", "de", "nl", "es", "zh"]}"#,
  ]
}
