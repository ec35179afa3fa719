import SightlineMath
import Testing

@testable import SightlineScene

/// Draws layouts: places as letters in, boxes as letters out, one character per cell of 10 × 10 points.
///
/// In: `A` is the nearest feature (number 0), `B` the next and so on, one place per letter; a small letter is selected.
/// A digit stands for that many further features at one place, farther than all letters.
/// Out: a label fills its cells with its letter; `+` is a place that a leader line leads to, `|` such a line;
/// `[3]` is a cluster of three, `(2)` an open one with two members fanned out.
struct LayoutMap {
  static let cell = 10.0

  var columns = 0
  var rows = 0
  var candidates: [LabelCandidate] = []
  var bounds: LabelBounds {
    LabelBounds(width: Double(columns) * Self.cell, height: Double(rows) * Self.cell)
  }

  /// Parameters that keep every box on the cells.
  static var parameters: LabelLayout.Parameters {
    var parameters = LabelLayout.Parameters()
    parameters.clearance = 0
    parameters.keepClearance = 0
    parameters.tremble = 0
    parameters.margin = 0
    parameters.liftStep = cell
    parameters.maximumLift = 4 * cell
    parameters.clusterWidth = 3 * cell
    parameters.clusterHeight = cell
    parameters.clusterRadius = 5 * cell
    return parameters
  }

  /// - Parameters:
  ///   - picture: rows of equal length.
  ///   - width: width of every label, cells (odd, so that it is centred on its place).
  init(_ picture: String, width: Int = 5) {
    let lines = picture.split(separator: "\n")
    rows = lines.count
    columns = lines.map(\.count).max() ?? 0
    var crowd: [LabelCandidate] = []
    for (row, line) in lines.enumerated() {
      for (column, character) in line.enumerated() {
        var candidate = LabelCandidate()
        candidate.anchor = Vector2((Double(column) + 0.5) * Self.cell, (Double(row) + 0.5) * Self.cell)
        candidate.width = Double(width) * Self.cell
        candidate.height = Self.cell
        candidate.pivot = Vector2(0.5, 0.5)
        if let count = character.wholeNumberValue {
          for _ in 0..<count { crowd.append(candidate) }
        } else if let letter = character.uppercased().utf8.first, character.isLetter {
          candidate.feature = Int32(letter) - 65
          candidate.isSelected = character.isLowercase
          candidate.distance = Double(candidate.feature + 1) * 100
          candidate.key = UInt64(letter)
          candidates.append(candidate)
        }
      }
    }
    candidates.sort { $0.distance < $1.distance }
    var next = candidates.count
    for var candidate in crowd {
      candidate.feature = Int32(next)
      candidate.distance = 10_000 + Double(next)
      candidate.key = UInt64(1000 + next)
      candidates.append(candidate)
      next += 1
    }
  }

  func draw(_ layout: LabelLayout) -> String {
    var cells = [[Character]](repeating: [Character](repeating: ".", count: columns), count: rows)
    func put(_ x: Double, _ y: Double, _ character: Character) {
      let column = Int((x / Self.cell).rounded(.down))
      let row = Int((y / Self.cell).rounded(.down))
      if cells.indices.contains(row), cells[row].indices.contains(column) { cells[row][column] = character }
    }
    func leader(_ anchor: Vector2, _ center: Vector2) {
      var y = anchor.y - Self.cell
      while y > center.y {
        put(anchor.x, y, "|")
        y -= Self.cell
      }
      put(anchor.x, anchor.y, "+")
    }
    for placement in layout.placements where placement.hasLeader {
      leader(candidates[Int(placement.candidate)].anchor, placement.target)
    }
    for cluster in layout.clusters where cluster.hasLeader { leader(cluster.anchor, cluster.target) }
    for placement in layout.placements {
      let candidate = candidates[Int(placement.candidate)]
      let letter = Character(Unicode.Scalar(UInt8(65 + Int(placement.feature))))
      var x = placement.target.x - candidate.width / 2 + Self.cell / 2
      while x < placement.target.x + candidate.width / 2 {
        put(x, placement.target.y, candidate.isSelected ? Character(letter.lowercased()) : letter)
        x += Self.cell
      }
    }
    for cluster in layout.clusters {
      put(cluster.target.x - Self.cell, cluster.target.y, cluster.isOpen ? "(" : "[")
      put(cluster.target.x, cluster.target.y, Character("\(cluster.members.count % 10)"))
      put(cluster.target.x + Self.cell, cluster.target.y, cluster.isOpen ? ")" : "]")
    }
    return cells.map { String($0) }.joined(separator: "\n")
  }
}

/// Compares two pictures, and shows them one below the other when they differ.
func expectPicture(
  _ actual: String,
  _ expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if actual != expected {
    Issue.record("is\n\(actual)\nshould be\n\(expected)", sourceLocation: sourceLocation)
  }
}
