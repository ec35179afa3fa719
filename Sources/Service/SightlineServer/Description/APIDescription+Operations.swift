extension APIDescription {
  private static let page = "text/html"
  private static let gddf = "application/gamaray-gddf"
  private static let world = "/api/v1/studio/worlds/{id}"
  private static let run = "/api/v1/tour-runs/{run}"

  /// Every method of every route outside the transit interface.
  static let operations: [APIOperation] = client + worlds + accounts + studio + posters + tours + teams

  private static let client: [APIOperation] = [
    .init(method: "get", path: "/", summary: "The web client's page", answer: page),
    .init(method: "get", path: "/frame", summary: "What a foreign page is shown in", answer: page),
    .init(method: "get", path: "/favicon.ico", summary: "Its picture", answer: "image/svg+xml"),
    .init(method: "get", path: "/client/{build}/{path...}", summary: "A file of the web client", answer: "*/*"),
    .init(method: "get", path: "/sw.js", summary: "Its service worker", answer: "text/javascript"),
    .init(method: "get", path: "/api/v1/client", summary: "All files that a saved page needs"),
    .init(method: "get", path: "/health/live", summary: "Whether the process lives"),
    .init(method: "get", path: "/health/ready", summary: "Whether to send it requests"),
    .init(method: "get", path: "/api/v1/settings", summary: "What a client has to know about this server"),
    .init(method: "get", path: "/api/v1/openapi.json", summary: "This description"),
  ]

  private static let worlds: [APIOperation] = [
    .init(method: "get", path: "/api/v1/worlds", summary: "The published worlds"),
    .init(method: "get", path: "/api/v1/worlds/{id}", summary: "A world"),
    .init(
      method: "post",
      path: "/api/v1/worlds/{id}",
      summary: "The same, for clients that refresh",
      body: .form("DimensionRequest")
    ),
    .init(
      method: "get",
      path: "/api/v1/worlds/{id}/export",
      summary: "A world as a file",
      query: ["format"],
      answer: "*/*"
    ),
    .init(
      method: "get",
      path: "/api/v1/worlds/{id}/code",
      summary: "A world's address as a QR code",
      query: ["format", "side"],
      answer: "image/svg+xml"
    ),
    .init(method: "get", path: "/worlds/{id}.gddf", summary: "A world for GDDF browsers", answer: gddf),
    .init(
      method: "post",
      path: "/worlds/{id}.gddf",
      summary: "The nearest places of it",
      body: .form("DimensionRequest"),
      answer: gddf
    ),
    .init(
      method: "get",
      path: "/api/v1/nearby",
      summary: "The nearest places of all worlds",
      query: ["latitude", "longitude", "limit", "radius", "world"]
    ),
    .init(method: "post", path: "/api/v1/nearby", summary: "The same", body: .jsonOrForm("NearbyQuestion")),
    .init(
      method: "get",
      path: "/api/v1/search",
      summary: "Worlds and places by name, over all published worlds",
      query: ["q", "latitude", "longitude", "limit", "language"]
    ),
    .init(
      method: "get",
      path: "/api/v1/geocode",
      summary: "Addresses by name, from the operator's geocoder",
      query: ["q", "latitude", "longitude", "language"],
      refusals: [403, 404, 502, 504]
    ),
    .init(
      method: "post",
      path: "/api/v1/open",
      summary: "A foreign world",
      body: .form("OpenRequest"),
      refusals: [403, 422, 502, 504]
    ),
    .init(
      method: "post",
      path: "/api/v1/osm/{topic}",
      summary: "What OpenStreetMap has of a topic, as a world",
      body: .form("DimensionRequest"),
      refusals: [403, 502, 504]
    ),
    .init(
      method: "get",
      path: "/api/v1/asset",
      summary: "A foreign picture or model",
      query: ["url"],
      answer: "*/*",
      refusals: [403, 413, 415, 502, 504]
    ),
    .init(method: "get", path: "/assets/{hash}", summary: "A stored file", answer: "*/*"),
    .init(
      method: "get",
      path: "/transit/forecast.json",
      summary: "Departures in the form of 2010",
      query: ["lat", "lng"],
      refusals: [404]
    ),
    .init(
      method: "post",
      path: "/transit/forecast.json",
      summary: "The same",
      body: .form("ForecastQuestion"),
      refusals: [404]
    ),
  ]

  private static let accounts: [APIOperation] = [
    .init(method: "get", path: "/api/v1/session", summary: "Who is signed in"),
    .init(
      method: "post",
      path: "/api/v1/session",
      summary: "Signs in",
      body: .json("Credentials"),
      refusals: [401, 403]
    ),
    .init(
      method: "delete",
      path: "/api/v1/session",
      summary: "Signs out",
      caller: .author,
      query: ["everywhere"],
      success: 204
    ),
    .init(
      method: "put",
      path: "/api/v1/session/password",
      summary: "Changes the password",
      caller: .author,
      body: .json("PasswordChange")
    ),
    .init(
      method: "post",
      path: "/api/v1/invitations/open",
      summary: "What a one-time link is for",
      body: .json("Link"),
      refusals: [403, 404]
    ),
    .init(
      method: "post",
      path: "/api/v1/invitations/accept",
      summary: "Makes the account, or sets the password",
      body: .json("Acceptance"),
      refusals: [403, 404, 409]
    ),
    .init(method: "get", path: "/api/v1/accounts", summary: "All accounts", caller: .operators),
    .init(
      method: "post",
      path: "/api/v1/accounts",
      summary: "A link for a new account",
      caller: .operators,
      body: .json("NewAccount"),
      success: 201
    ),
    .init(
      method: "patch",
      path: "/api/v1/accounts/{id}",
      summary: "Changes role or state",
      caller: .operators,
      body: .json("AccountChange"),
      refusals: [409]
    ),
    .init(method: "get", path: "/api/v1/invitations", summary: "The one-time links", caller: .operators),
    .init(
      method: "delete",
      path: "/api/v1/invitations/{id}",
      summary: "Revokes one",
      caller: .operators,
      success: 204
    ),
    .init(method: "get", path: "/api/v1/accounts/{id}", summary: "What is an account's", caller: .operators),
    .init(
      method: "delete",
      path: "/api/v1/accounts/{id}",
      summary: "Deletes it with what is its, and says what that was",
      caller: .operators,
      body: .json("Deletion"),
      refusals: [409]
    ),
    .init(
      method: "delete",
      path: "/api/v1/accounts/{id}/second-factor",
      summary: "Drops its second factor",
      caller: .operators,
      success: 204
    ),
    .init(method: "get", path: "/api/v1/sessions", summary: "One's sessions", caller: .author),
    .init(method: "delete", path: "/api/v1/sessions", summary: "Ends all others", caller: .author, success: 204),
    .init(method: "delete", path: "/api/v1/sessions/{id}", summary: "Ends one", caller: .author, success: 204),
    .init(
      method: "get",
      path: "/api/v1/security-log",
      summary: "What happened to one's account; for operators to all of them",
      caller: .author,
      query: ["before", "limit", "own", "account"]
    ),
    .init(method: "get", path: "/api/v1/session/account", summary: "What is one's own", caller: .author),
    .init(
      method: "delete",
      path: "/api/v1/session/account",
      summary: "Deletes one's own account",
      caller: .author,
      body: .json("PasswordAndCode"),
      success: 204,
      refusals: [409]
    ),
    .init(
      method: "post",
      path: "/api/v1/session/second-factor",
      summary: "A secret for a second factor",
      caller: .author,
      body: .json("Confirmation"),
      success: 201,
      refusals: [409]
    ),
    .init(
      method: "put",
      path: "/api/v1/session/second-factor",
      summary: "Turns it on by its first code",
      caller: .author,
      body: .json("FactorCode"),
      refusals: [409]
    ),
    .init(
      method: "delete",
      path: "/api/v1/session/second-factor",
      summary: "Turns it off",
      caller: .author,
      body: .json("PasswordAndCode"),
      success: 204
    ),
    .init(
      method: "post",
      path: "/api/v1/session/second-factor/recovery-codes",
      summary: "New codes for want of it",
      caller: .author,
      body: .json("PasswordAndCode")
    ),
    .init(
      method: "post",
      path: "/api/v1/accounts/{id}/reset",
      summary: "A link for a new password",
      caller: .operators,
      success: 201
    ),
    .init(
      method: "post",
      path: "/api/v1/assets",
      summary: "Keeps a picture or model",
      caller: .author,
      query: ["side"],
      body: .file(["image/png", "image/jpeg", "image/webp", "model/gltf-binary"]),
      success: 201,
      refusals: [415, 422]
    ),
    .init(method: "get", path: "/api/v1/assets", summary: "One's files", caller: .author),
    .init(
      method: "delete",
      path: "/api/v1/assets/{hash}",
      summary: "Removes one's file",
      caller: .author,
      success: 204,
      refusals: [409]
    ),
  ]

  private static let studio: [APIOperation] = [
    .init(
      method: "get",
      path: "/api/v1/studio/worlds",
      summary: "One's worlds in the making",
      caller: .author,
      query: ["all"]
    ),
    .init(
      method: "post",
      path: "/api/v1/studio/worlds",
      summary: "Makes a world",
      caller: .author,
      body: .json("NewWorld"),
      success: 201,
      refusals: [409]
    ),
    .init(
      method: "post",
      path: "/api/v1/studio/read",
      summary: "Reads a file in any format",
      caller: .author,
      query: ["name"],
      body: .file(["application/octet-stream", "application/xml", "application/json", "application/zip"]),
      refusals: [422]
    ),
    .init(method: "get", path: world, summary: "The latest draft", caller: .author),
    .init(
      method: "put",
      path: world,
      summary: "Saves a draft",
      caller: .author,
      body: .json("Dimension"),
      refusals: [409, 412, 428]
    ),
    .init(method: "delete", path: world, summary: "Removes a world", caller: .author, success: 204),
    .init(
      method: "post",
      path: world + "/publish",
      summary: "Publishes a draft",
      caller: .author,
      body: .json("Publication"),
      refusals: [409]
    ),
    .init(
      method: "delete",
      path: world + "/publish",
      summary: "Takes it out of the lists",
      caller: .author,
      success: 204
    ),
    .init(
      method: "put",
      path: world + "/members",
      summary: "Who else may edit",
      caller: .author,
      body: .json("Members")
    ),
    .init(method: "get", path: world + "/history", summary: "All drafts", caller: .author),
    .init(method: "get", path: world + "/history/{version}", summary: "One of them", caller: .author),
    .init(
      method: "get",
      path: world + "/copies/{number}",
      summary: "A draft that could not be joined",
      caller: .author
    ),
    .init(
      method: "delete",
      path: world + "/copies/{number}",
      summary: "Drops it",
      caller: .author,
      success: 204
    ),
    .init(
      method: "get",
      path: world + "/export",
      summary: "A draft as a file",
      caller: .author,
      query: ["format"],
      answer: "*/*"
    ),
  ]

  private static let posters: [APIOperation] = [
    .init(
      method: "get",
      path: "/api/v1/posters",
      summary: "One page of the catalogue",
      query: ["query", "category", "artist", "order", "limit", "after", "ids"]
    ),
    .init(method: "get", path: "/api/v1/posters/{id}", summary: "A poster and similar ones"),
    .init(
      method: "get",
      path: "/api/v1/posters/{id}/target",
      summary: "What its picture is found by",
      answer: "application/octet-stream"
    ),
    .init(method: "get", path: "/api/v1/poster-categories", summary: "Categories with their numbers of posters"),
    .init(
      method: "post",
      path: "/api/v1/posters",
      summary: "Adds a poster",
      caller: .author,
      body: .json("Poster"),
      success: 201,
      refusals: [409]
    ),
    .init(
      method: "put",
      path: "/api/v1/posters/{id}",
      summary: "Changes it",
      caller: .author,
      body: .json("Poster"),
      refusals: [409, 412, 428]
    ),
    .init(method: "delete", path: "/api/v1/posters/{id}", summary: "Removes it", caller: .author, success: 204),
    .init(
      method: "get",
      path: "/api/v1/studio/posters",
      summary: "One's posters",
      caller: .author,
      query: ["all"]
    ),
    .init(method: "get", path: "/api/v1/studio/posters/{id}", summary: "One of them", caller: .author),
  ]

  private static let tours: [APIOperation] = [
    .init(method: "get", path: "/api/v1/tours", summary: "One's tours", caller: .author, query: ["all"]),
    .init(
      method: "post",
      path: "/api/v1/tours",
      summary: "Keeps a tour",
      caller: .author,
      body: .json("Tour"),
      success: 201
    ),
    .init(method: "get", path: "/api/v1/tours/{tour}", summary: "A tour", caller: .author),
    .init(
      method: "put",
      path: "/api/v1/tours/{tour}",
      summary: "Changes it",
      caller: .author,
      body: .json("Tour"),
      refusals: [412, 428]
    ),
    .init(
      method: "delete",
      path: "/api/v1/tours/{tour}",
      summary: "Removes it with its runs",
      caller: .author,
      success: 204
    ),
    .init(
      method: "post",
      path: "/api/v1/tours/{tour}/runs",
      summary: "Makes a run",
      caller: .author,
      body: .json("NewRun"),
      success: 201,
      refusals: [409]
    ),
    .init(method: "get", path: run, summary: "The board", caller: .author),
    .init(method: "delete", path: run, summary: "Removes all that teams left", caller: .author, success: 204),
    .init(
      method: "get",
      path: run + "/events",
      summary: "The board live",
      caller: .author,
      answer: "text/event-stream"
    ),
    .init(
      method: "post",
      path: run + "/command",
      summary: "Starts, pauses, ends",
      caller: .author,
      body: .json("Command"),
      refusals: [409]
    ),
    .init(
      method: "post",
      path: run + "/messages",
      summary: "Tells teams something",
      caller: .author,
      body: .json("Message"),
      refusals: [409]
    ),
    .init(
      method: "post",
      path: run + "/marks",
      summary: "Marks an answer in words",
      caller: .author,
      body: .json("Mark")
    ),
    .init(method: "get", path: run + "/teams", summary: "Teams with their codes", caller: .author),
    .init(
      method: "post",
      path: run + "/teams",
      summary: "Adds a team",
      caller: .author,
      body: .json("Team"),
      success: 201
    ),
    .init(
      method: "put",
      path: run + "/teams/{number}",
      summary: "Changes it",
      caller: .author,
      body: .json("TeamChange")
    ),
    .init(
      method: "get",
      path: run + "/sheet.pdf",
      summary: "Cards with the codes",
      caller: .author,
      query: ["language"],
      answer: "application/pdf"
    ),
    .init(
      method: "get",
      path: run + "/tables/{table}",
      summary: "Results, answers, log, positions",
      caller: .author,
      answer: "*/*"
    ),
  ]

  private static let teams: [APIOperation] = [
    .init(
      method: "post",
      path: "/api/v1/tour-team/join",
      summary: "A secret for a code",
      body: .json("Join"),
      refusals: [404, 409]
    ),
    .init(method: "get", path: "/api/v1/tour-team", summary: "The tour and where the team stands", caller: .team),
    .init(
      method: "post",
      path: "/api/v1/tour-team/state",
      summary: "Where the team stands",
      caller: .team,
      body: .json("TeamState")
    ),
    .init(
      method: "post",
      path: "/api/v1/tour-team/events",
      summary: "What the team did",
      caller: .team,
      body: .json("TeamEvents"),
      refusals: [409]
    ),
    .init(
      method: "get",
      path: "/api/v1/tour-team/ranking",
      summary: "All teams by their points, once the tour is over",
      caller: .team,
      refusals: [409]
    ),
    .init(method: "post", path: "/api/v1/tour-team/help", summary: "Asks the teacher to come", caller: .team),
    .init(method: "get", path: "/t/{code}", summary: "The address in a team's code", answer: page),
    .init(
      method: "post",
      path: "/t/{code}",
      summary: "The same for GDDF",
      body: .form("DimensionRequest"),
      answer: gddf
    ),
    .init(method: "get", path: "/t/{code}.gddf", summary: "The tour as GDDF", answer: gddf),
    .init(method: "post", path: "/t/{code}.gddf", summary: "The same", body: .form("DimensionRequest"), answer: gddf),
    .init(method: "get", path: "/tours/play/{secret}.gddf", summary: "The tour as GDDF", answer: gddf),
    .init(
      method: "post",
      path: "/tours/play/{secret}.gddf",
      summary: "The same",
      body: .form("DimensionRequest"),
      answer: gddf
    ),
  ]
}
