import Foundation
import Testing

struct QRCommandTests {
  @Test func `what is made as PNG is read again, in any script`() async throws {
    try await Tool.inFolder { folder in
      let texts = [
        "https://example.org/world/7", "0123456789", "SIGHTLINE", "Grüße aus Ulm", "世界の地図と漢字", "emoji 🗺 & \"quotes\"",
      ]
      for (index, text) in texts.enumerated() {
        let made = try await Tool.run("qr", "make", text, "--output", "\(index).png", in: folder)
        #expect(made.status == 0, "\(made.errors)")
      }
      let read = try await Tool.run(
        "qr",
        "read",
        "--format",
        "json",
        "0.png",
        "1.png",
        "2.png",
        "3.png",
        "4.png",
        "5.png",
        in: folder
      )
      #expect(read.status == 0)
      let lines = read.output.split(separator: "\n")
      #expect(lines.count == texts.count)
      for (line, text) in zip(lines, texts) {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let codes = try #require(object["codes"] as? [[String: Any]])
        #expect(codes.map { $0["text"] as? String } == [text])
        #expect((codes.first?["corners"] as? [[Double]])?.count == 4)
        #expect(object["milliseconds"] is Double && object["file"] is String)
      }
    }
  }

  @Test func `SVG and PDF have the name under the code`() async throws {
    try await Tool.inFolder { folder in
      for ending in ["svg", "pdf"] {
        let made = try await Tool.run(
          "qr",
          "make",
          "https://example.org/w",
          "-o",
          "a.\(ending)",
          "--name",
          "Ulm (old) & new",
          in: folder
        )
        #expect(made.status == 0, "\(made.errors)")
      }
      let svg = try String(contentsOfFile: folder + "/a.svg", encoding: .utf8)
      #expect(svg.contains(">Ulm (old) &amp; new</text>") && svg.contains("width=\"60.000mm\""))
      let pdf = try Data(contentsOf: URL(fileURLWithPath: folder + "/a.pdf"))
      let text = String(decoding: pdf, as: UTF8.self)
      #expect(text.hasPrefix("%PDF-1.4") && text.contains("(Ulm \\(old\\) & new) Tj") && text.hasSuffix("%%EOF\n"))
      let unknown = try await Tool.run("qr", "make", "a", "-o", "b.pdf", "--name", "世界", in: folder)
      #expect(unknown.status == 1 && unknown.errors.contains("write .svg"))
    }
  }

  @Test func `mistakes are named`() async throws {
    try await Tool.inFolder { folder in
      let long = String(repeating: "x", count: 3000)
      let tooLong = try await Tool.run("qr", "make", long, "-o", "a.png", in: folder)
      #expect(tooLong.status == 1 && tooLong.errors.contains("Shorten it"))
      let ending = try await Tool.run("qr", "make", "a", "-o", "a.gif", in: folder)
      #expect(ending.status == 64 && ending.errors.contains(".svg, .pdf or .png"))
      let missing = try await Tool.run("qr", "read", "none.png", in: folder)
      #expect(missing.status == 1 && missing.errors.contains("none.png"))
    }
  }
}
