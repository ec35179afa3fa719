import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a person is shown who opens an address that leads to nothing: the words and looks of the web client, without scripts.
///
/// Programs get a problem document, see ``RequestProblem``.
struct MissingPage: Sendable {
  /// The three texts of a language.
  private struct Words: Sendable {
    let title: String
    let text: String
    let start: String
  }

  /// Hash of the build that the style sheets are taken from.
  private let build: String
  private let words: [String: Words]

  /// Longest part of an address that is repeated to who asked for it.
  private static let longestAddress = 200

  /// Takes the words out of a build's language files; `nil` when there are none in English.
  init?(build: String, files: [String: WebClientFiles.File], languages: [String]) {
    self.build = build
    var found: [String: Words] = [:]
    for code in languages {
      guard let file = files["languages/\(code).json"],
        let texts = try? JSONDecoder().decode([String: String].self, from: Data(file.plain.readableBytesView)),
        let title = texts["missing.page"], let text = texts["missing.text"], let start = texts["missing.start"]
      else { continue }
      found[code] = Words(title: title, text: text, start: start)
    }
    guard found["en"] != nil else { return nil }
    words = found
  }

  /// Whether a request asks for a page: a browser that opens an address says so, its scripts and pictures do not.
  static func isAsked(_ request: Request, path: Substring) -> Bool {
    guard request.method == .get || request.method == .head, path != "/api", !path.hasPrefix("/api/") else {
      return false
    }
    return request.headers[values: .accept].contains { field in
      field.split(separator: ",").contains { part in
        let pieces = part.split(separator: ";").map { $0.trimming().lowercased() }
        guard pieces.first == "text/html" else { return false }
        return !pieces.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
      }
    }
  }

  /// The answer, 404.
  func response(path: Substring, languages: String?) -> Response {
    let (code, words) = words(of: languages)
    let address = (path.removingPercentEncoding ?? String(path)).prefix(MissingPage.longestAddress)
    // One sign at a time: what is put in must not be looked through for the marks of what is put in later.
    let parts = words.text.components(separatedBy: "{address}").map(MarkupText.escaped)
    let text = parts.joined(separator: MarkupText.escaped(String(address)))
    let title = MarkupText.escaped(words.title)
    let styles = ["tokens", "base", "controls", "start"]
      .map { "<link rel=\"stylesheet\" href=\"/client/\(build)/styles/\($0).css\">" }.joined(separator: "\n")
    let page = """
      <!doctype html>
      <html lang="\(code)">
      <head>
      <meta charset="utf-8">
      <title>\(title) · Sightline</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
      <meta name="color-scheme" content="dark light">
      <meta name="robots" content="noindex">
      <link rel="icon" type="image/svg+xml" href="/client/\(build)/icon.svg">
      \(styles)
      </head>
      <body>
      <main id="missing" class="page missing">
      <img class="icon" src="/client/\(build)/icon.svg" alt="">
      <h1>\(title)</h1>
      <p class="missing-text">\(text)</p>
      <a class="button primary large" href="/"><span>\(MarkupText.escaped(words.start))</span></a>
      </main>
      </body>
      </html>

      """
    return Response(
      status: .notFound,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .contentLanguage: code,
        .contentSecurityPolicy: MissingPage.policy, .vary: "Accept, Accept-Language",
      ],
      body: .init(byteBuffer: ByteBuffer(string: page))
    )
  }

  /// Style sheets and a picture of this server, nothing else.
  private static let policy =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// The first language of a list such as `Accept-Language` has that there are words in; English without one.
  private func words(of list: String?) -> (code: String, words: Words) {
    for part in (list ?? "").split(separator: ",") {
      let tag = part.split(separator: ";").first?.trimming().lowercased() ?? ""
      let code = String(tag.prefix { $0 != "-" && $0 != "_" })
      if let found = words[code] { return (code, found) }
    }
    return ("en", words["en"] ?? Words(title: "", text: "", start: ""))
  }
}
