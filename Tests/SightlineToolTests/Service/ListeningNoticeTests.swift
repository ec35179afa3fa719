import SightlineImaging
import SightlineQR
import Testing

@testable import SightlineTool

struct ListeningNoticeTests {
  private func notice(everywhere: Bool = true, isSecure: Bool = true) -> ListeningNotice {
    ListeningNotice(
      url: everywhere ? "https://0.0.0.0:8443" : "http://127.0.0.1:8080",
      listensEverywhere: everywhere,
      isSecure: isSecure,
      port: 8443,
      localAddresses: ["192.168.178.21", "10.0.0.4"]
    )
  }

  /// A terminal's letters as a picture: each is two modules, one above the other.
  private func picture(of lines: [String]) throws -> GrayImage {
    let rows: [[Character]] = lines.map { Array($0.dropFirst("\u{1B}[30;107m".count).dropLast("\u{1B}[0m".count)) }
    let module = 6
    let (width, height) = (try #require(rows.first).count * module, rows.count * 2 * module)
    var image = GrayImage(width: width, height: height)
    image.withMutablePixels { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let letter = rows[y / (2 * module)][x / module]
          let isUpper = y / module % 2 == 0
          let isDark = letter == "█" || letter == (isUpper ? "▀" : "▄")
          pixels[y * width + x] = isDark ? 0 : 255
        }
      }
    }
    return image
  }

  @Test func `the code on a terminal is read as the address that a phone opens`() throws {
    let lines = notice().lines(isTerminal: true)
    #expect(lines[0] == "listening on https://localhost:8443")
    let code = lines.filter { $0.hasPrefix("\u{1B}") }
    var detector = QRDetector()
    var found: [DetectedQRCode] = []
    try picture(of: code).withView { detector.detect(in: $0, into: &found) }
    #expect(found.map { QRText.text(of: $0.content) } == ["https://192.168.178.21:8443"])
    #expect(lines.contains("On a phone in the same network open https://192.168.178.21:8443"))
  }

  @Test func `no code goes into a file, to a page that is not secure, or to an address of this machine alone`() {
    for lines in [
      notice().lines(isTerminal: false), notice(isSecure: false).lines(isTerminal: true),
      notice(everywhere: false).lines(isTerminal: true),
    ] {
      #expect(!lines.contains { $0.contains("\u{1B}") })
    }
    #expect(notice(isSecure: false).lines(isTerminal: true).last?.contains("--tls-self-signed") == true)
    #expect(notice(everywhere: false).lines(isTerminal: true) == ["listening on http://127.0.0.1:8080"])
  }

  @Test func `the link of the first account leads to where the server runs`() {
    #expect(notice().firstOrigin == "https://localhost:8443")
    #expect(notice(everywhere: false).firstOrigin == "http://127.0.0.1:8080")
  }
}
