import HTTPTypes
import Hummingbird
import NIOCore

/// `/frame?url=`: a page that holds one foreign page in a frame, and whose policy knows that page's host alone.
///
/// The web client shows the HTML overlays of worlds in it, once its user has allowed the host. A policy cannot be widened
/// while a page runs: with the frame in a document of its own, the client's own policy frames nothing foreign at all, and
/// neither a redirect nor a link in the foreign page leads its frame to a host that nobody was asked about.
struct FrameRoutes: Sendable {
  /// The SHA-256 of ``style``, as a policy names it.
  static let styleHash = "sha256-hblbvKF+3C4Z+m/erLVb4WHJS9ZV/VhdXZKgUE0PZkA="
  static let style =
    "html,body{margin:0;height:100%;background:#fff}iframe{display:block;width:100%;height:100%;border:0}"

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/frame",
      .init("What a foreign page is shown in", query: ["url": .string], answer: .page, refusals: [403, 422])
    ) { exchange in
      try exchange.requireOwnPage()
      // As a page of its own it would show a stranger's words under this server's name.
      if let destination = exchange.request.headers[.fetchDestination], destination != "iframe" {
        throw RequestProblem(
          .forbidden,
          "frame.destination",
          "This address is only shown in a frame of the web client. Open the page itself."
        )
      }
      guard let url = exchange.queryFields["url"] else {
        throw RequestProblem.badRequest("frame.missing", "The field url is missing: the page's address.")
      }
      let target = try ProxyTarget(url)
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
          .contentSecurityPolicy: try FrameRoutes.policy(target), .permissionsPolicy: FrameRoutes.permissions,
          .referrerPolicy: "no-referrer",
        ],
        body: .init(byteBuffer: ByteBuffer(string: FrameRoutes.page(target)))
      )
    }
  }

  /// Nothing but the one frame, of the one host.
  static func policy(_ target: ProxyTarget) throws(RequestProblem) -> String {
    // Policies have no form for IPv6 addresses, and a host with other letters could end the directive.
    guard target.host.utf8.allSatisfy(FrameRoutes.isHostLetter) else {
      throw .badRequest("frame.host", "Pages of this host cannot be framed: open the page itself.")
    }
    let usual = target.isSecure ? 443 : 80
    let source =
      (target.isSecure ? "https://" : "http://") + target.host + (target.port == usual ? "" : ":\(target.port)")
    return "default-src 'none'; style-src '\(styleHash)'; frame-src \(source); frame-ancestors 'self'; "
      + "base-uri 'none'; form-action 'none'; sandbox"
  }

  private static func isHostLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static let permissions = [
    "camera", "geolocation", "accelerometer", "gyroscope", "magnetometer", "screen-wake-lock", "fullscreen",
    "microphone",
    "payment", "usb", "serial", "midi", "autoplay", "clipboard-read", "clipboard-write",
  ].map { "\($0)=()" }.joined(separator: ", ")

  static func page(_ target: ProxyTarget) -> String {
    let address = MarkupText.escaped(target.absolute)
    return "<!doctype html><html><head><meta charset=\"utf-8\"><title>\(MarkupText.escaped(target.host))</title>"
      + "<style>\(style)</style></head><body><iframe sandbox=\"\" allow=\"\" referrerpolicy=\"no-referrer\" "
      + "title=\"\(address)\" src=\"\(address)\"></iframe></body></html>"
  }
}
