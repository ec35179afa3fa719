import HTTPTypes
import Hummingbird

/// The web client: `/`, `/client/<build>/…`, and what it needs to save itself on a phone.
struct ClientRoutes: Sendable {
  let files: WebClientFiles?
  let pagePolicy: String
  /// Where map tiles come from, if from elsewhere.
  var tileOrigin: String?

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/", .init("The web client's page", answer: .page, also: [304], refusals: [404])) { exchange in
      try page(exchange)
    }
    routes.add(
      .get,
      "/client/{build}/{path...}",
      .init("A file of the web client", answer: .file("*/*"), also: [304])
    ) { exchange in
      try file(exchange, build: exchange.parameters[0], path: exchange.parameters[1])
    }
    // At the root, for a service worker serves what lies below its own address.
    routes.add(
      .get,
      "/sw.js",
      .init("Its service worker", answer: .file("text/javascript"), also: [304], refusals: [404])
    ) { exchange in
      guard let file = files?.current().files["sw.js"] else {
        throw RequestProblem.notFound("client.missing", "This server has no web client.")
      }
      let sources = ["'self'"] + (tileOrigin.map { [$0] } ?? [])
      let policy = "default-src 'none'; script-src 'self'; connect-src \(sources.joined(separator: " "))"
      return answer(exchange, file, cache: "no-cache", headers: [.contentSecurityPolicy: policy])
    }
    routes.add(
      .get,
      "/api/v1/client",
      .init("All files that a saved page needs", answer: .json(ClientFileList.self), refusals: [404])
    ) { _ in
      guard let build = files?.current() else {
        throw RequestProblem.notFound("client.missing", "This server has no web client.")
      }
      let files = build.files.keys.sorted().filter { path in
        path != "sw.js" && !ClientRoutes.otherPages.contains { path.hasPrefix($0) }
      }
      return try Answers.json(ClientFileList(build: build.hash, files: files), cache: "no-cache")
    }
    // Small pages that show one idea each. They stand among the client's files, whose modules they load.
    routes.add(.get, "/examples", .init("The examples", answer: .nothing, success: 302, refusals: [404])) { _ in
      try present("examples/index.html")
    }
    routes.add(
      .get,
      "/examples/{path...}",
      .init("One of the examples", answer: .nothing, success: 302, refusals: [404])
    ) { exchange in
      let path = exchange.parameters[0]
      return try present("examples/" + (path.isEmpty ? "index.html" : path))
    }
    // By a name that stays, for pages that write it down; each version's modules are kept for ever.
    routes.add(
      .get,
      "/embed/{path...}",
      .init("A module for pages of others", answer: .nothing, success: 302, refusals: [404])
    ) { exchange in
      try present("embed/" + exchange.parameters[0])
    }
    // Asked for by browsers without being told to.
    routes.add(
      .get,
      "/favicon.ico",
      .init("Its picture", answer: .file("image/svg+xml", "image/x-icon"), also: [204, 304])
    ) { exchange in
      guard let files, let icon = files.current().files["favicon.ico"] ?? files.current().files["icon.svg"] else {
        return Response(status: .noContent, headers: [.cacheControl: "public, max-age=86400"])
      }
      return answer(exchange, icon, cache: "public, max-age=86400")
    }
  }

  /// Folders and files that the page itself does not load: they are for pages of others.
  private static let otherPages = ["embed/", "examples/", "languages/embed/", "places.wasm", "engine/place-engine.js"]

  /// Leads to a file as it is now, where all that it names relative to itself is.
  private func present(_ path: String) throws -> Response {
    guard let build = files?.current(), build.files[path] != nil else {
      throw RequestProblem.notFound(
        "client.file-unknown",
        "There is no such file. Examples are listed at /examples, modules in Documentation/embedding.md."
      )
    }
    return Response(status: .found, headers: [.location: "/client/\(build.hash)/\(path)", .cacheControl: "no-cache"])
  }

  private func page(_ exchange: Exchange) throws -> Response {
    guard let page = files?.current().page else {
      throw RequestProblem.notFound(
        "client.missing",
        "This server has no web client. The operator names its folder with --web-client."
      )
    }
    let headers: HTTPFields = [
      .contentSecurityPolicy: pagePolicy, .permissionsPolicy: SecurityHeaders.permissionsPolicy,
      .crossOriginOpenerPolicy: "same-origin",
    ]
    return answer(exchange, page, cache: "no-cache", headers: headers)
  }

  private func file(_ exchange: Exchange, build: String, path: String) throws -> Response {
    guard let files else {
      throw RequestProblem.notFound("client.missing", "This server has no web client.")
    }
    // "dev" is what stands in the source; it is always the present state and must be asked for again.
    let isDevelopment = build == "dev"
    let found = isDevelopment ? files.current().files[path] : files.file(build: build, path: path)
    guard let found else {
      throw RequestProblem.notFound(
        "client.file-unknown",
        "There is no such file in the web client of this server. Load the page again."
      )
    }
    // A worker is bound by the policy of its script, not of the page.
    return answer(
      exchange,
      found,
      cache: isDevelopment ? "no-cache" : "public, max-age=31536000, immutable",
      headers: [.contentSecurityPolicy: pagePolicy]
    )
  }

  private func answer(
    _ exchange: Exchange,
    _ file: WebClientFiles.File,
    cache: String,
    headers: HTTPFields = [:]
  ) -> Response {
    Answers.tagged(
      exchange,
      mediaType: file.mediaType,
      etag: "\"\(file.hash)\"",
      cache: cache,
      plain: file.plain,
      gzip: file.gzip,
      headers: headers
    )
  }
}

/// The files of the web client.
struct ClientFileList: Codable, Described, Sendable {
  /// Names this state of them.
  var build: String
  var files: [String]
}
