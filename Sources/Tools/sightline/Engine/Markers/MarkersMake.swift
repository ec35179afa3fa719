import ArgumentParser
import Foundation
import SightlineInput
import SightlineMarkers
import SightlinePictures

/// `sightline markers make`.
struct MarkersMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Draw markers for printing, at true size: SVG, PDF or PNG.",
    discussion: """
      Examples:
        sightline markers make --dictionary 6x6-250 --id 17 --length 0.05 -o marker.svg
        sightline markers make --dictionary apriltag-36h11 --id 0-11 --length 0.04 --sheet -o sheet.pdf
        sightline markers make --dictionary 5x5-100 --board 7x5 --square 0.035 --length 0.026 -o board.pdf

      The white margin, one cell wide unless --margin says otherwise, is part of the marker: leave it on when cutting at \
      the marks. Print at 100 percent and check the ruler of a sheet. With SVG and PNG each page is a file of its own (sheet-1.svg, sheet-2.svg …). \
      A board is a chessboard with markers in its white squares, ids row by row from 0, as OpenCV's ChArUco boards are; \
      `sightline camera calibrate` reads pictures of it.
      """
  )

  @Option(help: ArgumentHelp("Dictionary.", valueName: "name"))
  var dictionary: DictionaryArgument

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Number of the marker, or several: 3, 0-11, 1,5,20-25; may be given several times.",
      valueName: "ids"
    )
  )
  var id: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Outer edge of a marker's black border, metres.", valueName: "metres")
  )
  var length: Double = 0.05

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("White margin around the black border, in cells.", valueName: "cells")
  )
  var margin: Double = 1

  @Flag(help: "Several markers on each page of paper, with a ruler.")
  var sheet = false

  @Option(help: ArgumentHelp("Chessboard with markers: squares across and down.", valueName: "columns>x<rows"))
  var board: BoardSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Side of a chessboard square, metres.", valueName: "metres")
  )
  var square: Double = 0.03

  @Option(help: "Paper of a sheet or board: \(Paper.allCases.map(\.rawValue).joined(separator: ", ")).")
  var paper: Paper = .a4

  @Option(parsing: .unconditional, help: ArgumentHelp("Resolution of a PNG, dots per inch.", valueName: "number"))
  var dpi: Double = 600

  @Option(name: .shortAndLong, help: ArgumentHelp("File to write; .svg, .pdf or .png.", valueName: "file"))
  var output: String

  func validate() throws {
    guard ["svg", "pdf", "png"].contains(kind) else {
      throw ValidationError("\(output) does not say what to write: let its name end in .svg, .pdf or .png.")
    }
    guard length >= 0.001, length <= 10 else { throw ValidationError("--length has to be 0.001 to 10 metres.") }
    guard margin >= 0, margin <= 10 else { throw ValidationError("--margin has to be 0 to 10 cells.") }
    guard dpi >= 20, dpi <= 2400 else { throw ValidationError("--dpi has to be 20 to 2400.") }
    if let board {
      guard id.isEmpty, !sheet else { throw ValidationError("--board goes without --id and --sheet.") }
      guard square > length, square <= 10 else {
        throw ValidationError("--square has to be longer than the markers in the squares (--length \(length)).")
      }
      guard board.markers <= dictionary.dictionary.count else {
        throw ValidationError(
          "A board of \(board.columns)x\(board.rows) needs \(board.markers) markers; "
            + "\(dictionary.dictionary.publicName) has \(dictionary.dictionary.count)."
        )
      }
    } else {
      _ = try ids()
    }
  }

  private var kind: String { (output as NSString).pathExtension.lowercased() }

  private func ids() throws -> [Int] {
    guard !id.isEmpty else { throw ValidationError("Say which markers: --id 0, --id 0-11, or --board 7x5.") }
    var result: [Int] = []
    for list in id {
      for part in list.split(separator: ",", omittingEmptySubsequences: false) {
        let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
          Int($0.trimmingCharacters(in: .whitespaces))
        }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
          throw ValidationError("--id \(list) is no list of numbers such as 3, 0-11 or 1,5,20-25.")
        }
        guard first >= 0, last < dictionary.dictionary.count else {
          let most = dictionary.dictionary.count - 1
          throw ValidationError("--id \(list): \(dictionary.dictionary.publicName) has ids 0 to \(most).")
        }
        result += Array(first...last)
      }
    }
    guard sheet || kind == "pdf" || result.count <= 200 else {
      throw ValidationError("That would be \(result.count) files; use --sheet or write a PDF.")
    }
    return result
  }

  func run() throws {
    let millimetres = length * 1000
    let cell = millimetres / Double(dictionary.dictionary.cells + 2)
    let pages: [PrintPage]
    if let board {
      pages = [try boardPage(board)]
    } else {
      let layout = MarkerSheet(dictionary: dictionary.dictionary, length: millimetres, margin: margin * cell)
      if sheet {
        guard let filled = layout.pages(ids: try ids(), paper: paper) else {
          throw Failure(
            "A marker of \(plain(millimetres)) mm does not fit on \(paper.rawValue) with its marks. Choose larger --paper."
          )
        }
        pages = filled
      } else {
        pages = try ids().map { layout.single(id: $0) }
      }
    }
    if kind == "pdf" { return try write(PrintPage.pdf(pages), to: output) }
    for (index, page) in pages.enumerated() {
      let path = pages.count == 1 ? output : numbered(index + 1)
      try write(kind == "svg" ? Array(page.svg.utf8) : try png(page), to: path)
    }
    // One asked for one name, and got others.
    if pages.count > 1 { Console.note("\(pages.count) files: \(numbered(1)) … \(numbered(pages.count))") }
  }

  private func boardPage(_ board: BoardSize) throws -> PrintPage {
    let size = square * 1000
    let (width, height) = (Double(board.columns) * size, Double(board.rows) * size)
    var (pageWidth, pageHeight) = paper.size
    if width > height { swap(&pageWidth, &pageHeight) }
    // A quarter of a square of white around it at least, so that the outer squares have an edge, and room for the label.
    guard width + size / 2 <= pageWidth, height + max(size / 2, 18) <= pageHeight else {
      throw Failure(
        "A board of \(plain(width)) x \(plain(height)) mm does not fit on \(paper.rawValue). Choose larger --paper or fewer squares."
      )
    }
    var page = PrintPage(width: pageWidth, height: pageHeight)
    let (left, top) = ((pageWidth - width) / 2, (pageHeight - height) / 2)
    var id = 0
    for row in 0..<board.rows {
      for column in 0..<board.columns {
        let (x, y) = (left + Double(column) * size, top + Double(row) * size)
        if (row + column).isMultiple(of: 2) {
          page.shapes.append([PrintRectangle(x: x, y: y, width: size, height: size)])
        } else {
          let inset = (size - length * 1000) / 2
          page.shapes.append(
            PrintedMarker.shape(dictionary.dictionary, id: id, x: x + inset, y: y + inset, length: length * 1000)
          )
          id += 1
        }
      }
    }
    let text =
      "\(dictionary.dictionary.publicName)  board \(board.columns)x\(board.rows)  square \(plain(size)) mm  "
      + "marker \(plain(length * 1000)) mm"
    page.shapes.append(PrintText.shape(text, x: left, y: pageHeight - 6, height: 1.6))
    return page
  }

  private func png(_ page: PrintPage) throws -> [UInt8] {
    let pixels = (page.width * page.height) * (dpi / 25.4) * (dpi / 25.4)
    guard pixels <= 4e8 else {
      throw Failure("The picture would have \(Int(clamped: pixels / 1e6)) million pixels. Lower --dpi.")
    }
    let (width, height, levels) = page.pixels(dotsPerInch: dpi)
    return try Picture(width: width, height: height, layout: .gray, pixels: levels).png(pixelsPerMetre: dpi / 0.0254)
  }

  private func numbered(_ number: Int) -> String {
    "\((output as NSString).deletingPathExtension)-\(number).\(kind)"
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure("\(path) cannot be written. Check the path and the rights of its folder.")
    }
  }
}

extension Paper: ExpressibleByArgument {}

/// `7x5`: squares across and down.
struct BoardSize: ExpressibleByArgument, Equatable {
  var columns: Int
  var rows: Int

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1] else { return nil }
    guard (3...60).contains(columns), (3...60).contains(rows) else { return nil }
    self.columns = columns
    self.rows = rows
  }

  /// White squares, each with a marker.
  var markers: Int { columns * rows / 2 }

  /// What to say when a dictionary is too small for it.
  func tooFewMarkers(in dictionary: MarkerDictionary) -> String {
    "--board \(columns)x\(rows) needs \(markers) markers, and \(dictionary.publicName) has \(dictionary.count). Take a larger "
      + "dictionary or fewer squares."
  }
}
