import Hummingbird
import SightlineContent

/// `/api/v1/settings`: what the web client has to know about this server; `/api/v1/openapi.json`: what everybody may know.
struct SettingsRoutes: Sendable {
  let tiles: TileSource?
  let transit: TransitService?
  let hasMaps: Bool
  let hasGeocoder: Bool
  let publicAddress: PublicAddress
  let webClient: WebClientFiles?

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/api/v1/openapi.json") { exchange in
      Answers.tagged(
        exchange,
        mediaType: "application/json",
        etag: "W/\"\(APIDescription.etag)\"",
        cache: "no-cache",
        plain: APIDescription.body,
        gzip: nil,
        headers: Answers.sharedHeaders
      )
    }
    routes.add(.get, "/api/v1/settings") { _ in
      var json = JSONWriter(capacity: 256)
      json.beginObject()
      json.name("tiles")
      if let tiles {
        json.beginObject()
        json.member("url", tiles.url)
        json.member("attribution", tiles.attribution)
        json.member("maxZoom", tiles.maxZoom)
        json.endObject()
      } else {
        json.null()
      }
      json.name("transit")
      if let transit {
        json.beginObject()
        TransitJSON.flag("demonstration", transit.hub.clock.isSet, to: &json)
        json.endObject()
      } else {
        json.null()
      }
      json.name("osm")
      if hasMaps {
        json.beginObject()
        json.name("topics")
        json.beginArray()
        for topic in MapTopic.all { json.value(topic.id) }
        json.endArray()
        json.endObject()
      } else {
        json.null()
      }
      json.name("languages")
      json.beginArray()
      for language in webClient?.current().languages ?? [] { json.value(language) }
      json.endArray()
      json.member("version", Version.current)
      json.name("publicURL")
      if let address = publicAddress.current { json.value(address) } else { json.null() }
      TransitJSON.flag("hasGeocoder", hasGeocoder, to: &json)
      json.endObject()
      return Answers.json(json.buffer, cache: "no-cache")
    }
  }
}
