import Foundation
import SightlineQR
import SightlineStore
import SightlineTours

/// The sheets that a teacher prints and cuts up: a card for each team with its colour, name and code.
enum TourSheet {
  /// Six cards on a page of A4.
  private static let columns = 2
  private static let rows = 3
  private static let card = (width: 91.0, height: 89.0)
  /// Side of the code with its quiet zone.
  private static let side = 56.0

  /// The sheets as PDF, for a tour of this title; the addresses in the codes begin with `origin`.
  static func pdf(_ tour: String, _ teams: [TourTeam], origin: String, words: TourWords) throws -> Data {
    var document = PDFDocument(width: 210, height: 297, title: tour)
    let perPage = columns * rows
    for first in stride(from: 0, to: max(1, teams.count), by: perPage) {
      let cards = try teams[first..<min(teams.count, first + perPage)].map { team in
        (team, try cells(of: "\(origin)/t/\(team.code)"))
      }
      document.page { page in
        for (index, (team, code)) in cards.enumerated() {
          let x = 12 + Double(index % columns) * (card.width + 4)
          let y = 11 + Double(index / columns) * (card.height + 4)
          draw(team, code, tour, origin, words, x, y, &page)
        }
      }
    }
    return document.bytes()
  }

  private static func draw(
    _ team: TourTeam,
    _ code: (size: Int, runs: [(x: Int, y: Int, length: Int)]),
    _ tour: String,
    _ origin: String,
    _ words: TourWords,
    _ x: Double,
    _ y: Double,
    _ page: inout PDFDocument.Page
  ) {
    page.outline(x: x, y: y, width: card.width, height: card.height)
    let color = color(team.color)
    page.fill(x: x, y: y, width: card.width, height: 13, color: color)
    // Black or white, whichever is read better on the team's colour.
    let isLight = 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue > 0.55
    let ink: PDFDocument.Color = isLight ? (0, 0, 0) : (1, 1, 1)
    page.text("\(team.number)", x: x + 4, y: y + 9, size: 7, width: 12, color: ink)
    page.text(team.name, x: x + 17, y: y + 8.8, size: 6.5, width: card.width - 21, color: ink)
    let cell = side / Double(code.size + 8)
    let left = x + (card.width - side) / 2
    page.fill(cells: code.runs, x: left + 4 * cell, y: y + 12 + 4 * cell, cell: cell)
    let width = card.width - 8
    page.text(tour, x: x + 4, y: y + 70.5, size: 3.6, width: width)
    page.text("\(words.code): \(TourCode.grouped(team.code))", x: x + 4, y: y + 76.5, size: 4.4, width: width)
    page.text("\(origin)/#/join", x: x + 4, y: y + 81.5, size: 3.2, width: width)
    page.text(words.join, x: x + 4, y: y + 86, size: 2.7, width: width, color: (0.3, 0.3, 0.3))
  }

  /// Runs of dark modules of a code.
  private static func cells(of text: String) throws -> (size: Int, runs: [(x: Int, y: Int, length: Int)]) {
    var encoder = QREncoder()
    // Cards are folded, and carried in the rain.
    encoder.level = .quartile
    let characters = text.utf8.map { QRCharacter($0) }
    let matrix = try encoder.encode(characters).matrix
    var runs: [(x: Int, y: Int, length: Int)] = []
    for y in 0..<matrix.size {
      var x = 0
      while x < matrix.size {
        var end = x
        while end < matrix.size, matrix[end, y] { end += 1 }
        if end > x { runs.append((x, y, end - x)) }
        x = end + 1
      }
    }
    return (matrix.size, runs)
  }

  private static func color(_ text: String) -> PDFDocument.Color {
    let value = UInt32(text.dropFirst(), radix: 16) ?? 0
    return (Double(value >> 16 & 255) / 255, Double(value >> 8 & 255) / 255, Double(value & 255) / 255)
  }
}
