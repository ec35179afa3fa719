import Foundation
import Testing

@Suite struct MarkerPrintTests {
  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Ids and corners in a picture, by `markers detect`.
  private func found(_ file: String, _ dictionary: String, in folder: String) async throws -> [Int: [[Double]]] {
    let outcome = try await Tool.run(
      "markers",
      "detect",
      "--dictionary",
      dictionary,
      "--format",
      "json",
      file,
      in: folder
    )
    let line = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let markers = try #require(line?["markers"] as? [[String: Any]])
    var result: [Int: [[Double]]] = [:]
    for marker in markers {
      result[try #require(marker["id"] as? Int)] = try #require(marker["corners"] as? [[Double]])
    }
    return result
  }

  @Test(arguments: [
    ("aruco-original", 77), ("4x4-1000", 999), ("5x5-50", 3), ("7x7-250", 249), ("apriltag-36h11", 586),
  ])
  func `a printed marker is found at its true size`(dictionary: String, id: Int) async throws {
    let folder = try folder()
    let outcome = try await Tool.run(
      "markers",
      "make",
      "--dictionary",
      dictionary,
      "--id",
      "\(id)",
      "--length",
      "0.03",
      "--dpi",
      "254",
      "-o",
      "m.png",
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let markers = try await found("m.png", dictionary, in: folder)
    let corners = try #require(markers[id])
    #expect(markers.count == 1)
    // 254 dots an inch are ten a millimetre; the border is 30 mm long, the first corner its own top left.
    let sides = (0..<4).map { (i: Int) -> Double in
      let (a, b) = (corners[i], corners[(i + 1) % 4])
      return hypot(b[0] - a[0], b[1] - a[1])
    }
    #expect(sides.allSatisfy { abs($0 - 300) < 0.2 }, "\(sides)")
    #expect(corners[0][0] < corners[1][0] && corners[0][1] < corners[3][1])
  }

  @Test func `a sheet has all markers, on as many pages as it takes`() async throws {
    let folder = try folder()
    let outcome = try await Tool.run(
      "markers",
      "make",
      "--dictionary",
      "6x6-250",
      "--id",
      "0-9",
      "--id",
      "240",
      "--length",
      "0.05",
      "--sheet",
      "--dpi",
      "100",
      "-o",
      "s.png",
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let first = try await found("s-1.png", "6x6-250", in: folder)
    let second = try await found("s-2.png", "6x6-250", in: folder)
    let ids = first.merging(second) { one, _ in one }.keys.sorted()
    #expect(ids == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 240])
    // One name was asked for; what was written is told.
    #expect(outcome.errors == "2 files: s-1.png … s-2.png\n")
  }

  @Test func `the PDF's table points at its objects and the page has the size of the paper`() async throws {
    let folder = try folder()
    let outcome = try await Tool.run(
      "markers",
      "make",
      "--dictionary",
      "5x5-100",
      "--board",
      "7x5",
      "--square",
      "0.035",
      "--length",
      "0.026",
      "-o",
      "b.pdf",
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/b.pdf")))
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    let start = try #require(text.range(of: "startxref\n"))
    let table = try #require(Int(text[start.upperBound...].prefix { $0.isNumber }))
    let lines = String(decoding: bytes[table...], as: Unicode.ASCII.self).split(separator: "\n")
    #expect(lines[0] == "xref" && lines[1] == "0 5")
    for object in 1...4 {
      let offset = try #require(Int(lines[2 + object].prefix(10)))
      #expect(String(decoding: bytes[offset...].prefix(7), as: UTF8.self) == "\(object) 0 obj")
    }
    // A4, lying: 297 × 210 mm in units of 1/72 inch.
    #expect(text.contains("/MediaBox [0 0 841.8898 595.2756]"))
    let length = try #require(text.range(of: "/Length "))
    let count = try #require(Int(text[length.upperBound...].prefix { $0.isNumber }))
    let stream = try #require(text.range(of: "stream\n"))
    #expect(text[stream.upperBound...].dropFirst(count).hasPrefix("\nendstream"))
  }

  @Test func `an SVG says its millimetres and has the ink of the marker`() async throws {
    let folder = try folder()
    let outcome = try await Tool.run(
      "markers",
      "make",
      "--dictionary",
      "4x4-50",
      "--id",
      "0",
      "--length",
      "0.06",
      "-o",
      "m.svg",
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let svg = try String(contentsOfFile: folder + "/m.svg", encoding: .utf8)
    // Marker 60, margin 10 and frame 6 on each side.
    #expect(svg.contains("width=\"92mm\" height=\"92mm\" viewBox=\"0 0 92 92\""))
    let path = try #require(svg.split(separator: "\"").first { $0.hasPrefix("M16 16") })
    // Cells of 10 mm: 36 less the white ones of rows 1011 0101 0011 0010.
    let area = path.split(separator: "M").reduce(0.0) { sum, rectangle in
      let numbers = rectangle.split { !"0123456789.".contains($0) }.compactMap { Double($0) }
      return sum + numbers[2] * numbers[3]
    }
    #expect(abs(area - 2800) < 1e-6)
  }

  @Test(arguments: [
    ["--dictionary", "4x4-50", "--id", "50", "-o", "m.svg"], ["--dictionary", "4x4-50", "--id", "3-1", "-o", "m.svg"],
    ["--dictionary", "4x4-50", "--id", "-1", "-o", "m.svg"],
    ["--dictionary", "4x4-50", "--id", "0", "--length", "-0.05", "-o", "m.svg"],
    ["--dictionary", "4x4-50", "--id", "0", "--margin", "-1", "-o", "m.svg"],
    ["--dictionary", "4x4-50", "--id", "0", "--id", "50", "-o", "m.svg"],
    ["--dictionary", "4x4-50", "--id", "0", "-o", "m.gif"], ["--dictionary", "4x4-50", "-o", "m.svg"],
    ["--dictionary", "4x4-50", "--board", "20x20", "--length", "0.02", "-o", "m.svg"],
    ["--dictionary", "5x5-100", "--board", "7x5", "--length", "0.04", "-o", "m.svg"],
  ])
  func `what cannot be printed is refused`(arguments: [String]) async throws {
    let folder = try folder()
    let status = try await Tool.onThread {
      let process = Tool.process(["markers", "make"] + arguments, in: folder)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    #expect(status == 64)
  }

  @Test func `each step of the search has its picture`() async throws {
    let folder = try folder()
    _ = try await Tool.run(
      "markers",
      "make",
      "--dictionary",
      "6x6-250",
      "--id",
      "5",
      "--length",
      "0.02",
      "--dpi",
      "100",
      "-o",
      "m.png",
      in: folder
    )
    // Without a dictionary it is any of them.
    let outcome = try await Tool.run("markers", "stages", "m.png", "-o", "out", in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
    let steps = ["picture", "threshold", "outlines", "quadrilaterals", "edges", "markers", "cells"]
    for (index, step) in steps.enumerated() {
      #expect(names.contains("\(index + 1)-\(step).png"), "\(names)")
      #expect(outcome.output.contains("out/\(index + 1)-\(step).png\n"))
    }
    #expect(outcome.errors.contains("m.png: 1 marker"))
    // The cells' picture has the marker upright, unwarped from its tile: it is one itself.
    let markers = try await found("out/7-cells.png", "6x6-250", in: folder)
    #expect(markers.keys.contains(5), "\(markers)")
    let refused = try await Tool.run(
      "markers",
      "stages",
      "--dictionary",
      "6x6-250",
      "-o",
      "out",
      "none.png",
      in: folder
    )
    #expect(refused.status == 1 && refused.errors.contains("none.png: there is no such file"))
  }
}
