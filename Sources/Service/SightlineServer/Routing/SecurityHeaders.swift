import HTTPTypes

/// Header fields that keep a browser from doing with an answer what it is not meant for.
struct SecurityHeaders: Sendable {
  /// On every answer that sets no policy of its own: nothing in it may run, load or be framed.
  static let inertPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

  private static let contentSecurityPolicy = HTTPField.Name.contentSecurityPolicy
  private static let noSniff = HTTPField(name: .xContentTypeOptions, value: "nosniff")
  private static let inert = HTTPField(name: .contentSecurityPolicy, value: inertPolicy)
  // The origin alone goes to other sites: public tile servers refuse requests that do not say who asks.
  private static let referrer = HTTPField(name: .referrerPolicy, value: "strict-origin")
  // Without names below this one: those may belong to others.
  private static let onlyEncrypted = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
  private static let sameOrigin = HTTPField(name: .crossOriginResourcePolicy, value: "same-origin")

  /// Adds what is missing.
  ///
  /// `isSecure` says that clients reach this server by TLS: then they are told to come by nothing else for a year.
  static func complete(_ headers: inout HTTPFields, isSecure: Bool = false) {
    if isSecure { headers.append(onlyEncrypted) }
    headers.append(noSniff)
    if !headers.contains(.referrerPolicy) { headers.append(referrer) }
    if !headers.contains(.contentSecurityPolicy) { headers.append(inert) }
    if !headers.contains(.crossOriginResourcePolicy), !headers.contains(.accessControlAllowOrigin) {
      headers.append(sameOrigin)
    }
  }

  /// The policy of the web client's page.
  ///
  /// Scripts come from this server alone, never from the page's text; WebAssembly may be compiled. Pictures may come
  /// from the map tiles' server too. HTML overlays of worlds are other people's pages: they stand in ``FrameRoutes``'
  /// page, each under a policy of its own, so that this one frames nothing but this server.
  static func pagePolicy(tileOrigin: String?) -> String {
    let images = ["'self'", "data:", "blob:"] + (tileOrigin.map { [$0] } ?? [])
    return [
      "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
      "img-src \(images.joined(separator: " "))", "media-src 'self' blob:", "connect-src 'self'", "font-src 'self'",
      "manifest-src 'self'", "worker-src 'self'", "frame-src 'self'", "object-src 'none'", "base-uri 'none'",
      "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }

  /// What the page may ask the phone for; nothing is passed on to frames.
  static let permissionsPolicy = [
    "camera=(self)", "geolocation=(self)", "accelerometer=(self)", "gyroscope=(self)", "magnetometer=(self)",
    "screen-wake-lock=(self)", "fullscreen=(self)", "microphone=()", "payment=()", "usb=()",
    "serial=()", "midi=()",
  ].joined(separator: ", ")
}

extension HTTPField.Name {
  // swift-format-ignore: NeverForceUnwrap
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  // swift-format-ignore: NeverForceUnwrap
  static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
  // swift-format-ignore: NeverForceUnwrap
  static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
  // swift-format-ignore: NeverForceUnwrap
  static let requestID = HTTPField.Name("X-Request-ID")!
  // swift-format-ignore: NeverForceUnwrap
  static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
  // swift-format-ignore: NeverForceUnwrap
  static let clearSiteData = HTTPField.Name("Clear-Site-Data")!
  // swift-format-ignore: NeverForceUnwrap
  static let fetchDestination = HTTPField.Name("Sec-Fetch-Dest")!
  // swift-format-ignore: NeverForceUnwrap
  static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
