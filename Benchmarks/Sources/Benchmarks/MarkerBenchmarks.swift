import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath

/// Markers: the detector on drawn scenes of three sizes, and whether it finds every marker there is.
func benchmarkMarkers(_ harness: Harness) {
  for (width, height) in [(640, 480), (1280, 720), (1920, 1080)] {
    let scene = MarkerScene(width: width, height: height)
    var detector = MarkerDetector(dictionaries: [.grid6x6Of250])
    var found: [DetectedMarker] = []
    harness.measure("Markers/detect/\(width)x\(height)", countingAllocations: true) { _ in
      scene.image.withView { detector.detect(in: $0, into: &found) }
      consume(found.count)
    }
    if harness.includes("Markers/detect/\(width)x\(height)") {
      harness.note("\(found.count) of \(scene.markers) markers found")
      var clock = StageClock()
      let rounds = 200
      for _ in 0..<rounds {
        clock.begin()
        scene.image.withView { detector.detect(in: $0, into: &found, reporting: &clock) }
        clock.end()
      }
      for (name, time) in zip(StageClock.names, clock.times) {
        harness.note("Markers/detect/\(width)x\(height)/\(name): \((time / Double(rounds) * 1e6).rounded() / 1000) ms")
      }
    }
  }
  guard harness.includes("Markers/every-id") else { return }
  for dictionary in MarkerDictionary.allCases {
    var detector = MarkerDetector(dictionaries: [dictionary])
    var found: [DetectedMarker] = []
    var missed: [Int] = []
    for id in 0..<dictionary.count {
      for quarter in 0..<4 {
        let corners = MarkerScene.square(Vector2(32, 32), side: 40, turn: Double(quarter) * pi / 2 + 0.1)
        var image = GrayImage(width: 64, height: 64, level: 210)
        MarkerScene.draw(dictionary.family, id, corners, into: &image)
        image.withView { detector.detect(in: $0, into: &found) }
        // A marker that equals its own half turn has no first corner.
        let isRight = found.count == 1 && found[0].id == id && (found[0].corners[0] - corners[0]).length < 1
        let code = dictionary.family.code(id: id)
        let half = quarterTurned(quarterTurned(code, cells: dictionary.cells), cells: dictionary.cells)
        if !isRight && half != code { missed.append(id) }
      }
    }
    harness.note(
      "Markers/every-id/\(dictionary): \(dictionary.count) ids in four rotations, wrong or missed: \(missed)"
    )
  }
}

/// A picture of blocks, slopes and noise with markers in it, always the same.
private struct MarkerScene {
  var image: GrayImage
  var markers = 0

  init(width: Int, height: Int) {
    var random = SplitMix(state: 77)
    image = GrayImage(width: width, height: height)
    var blocks: [(x: Double, y: Double, w: Double, h: Double, level: Double)] = []
    for _ in 0..<60 {
      blocks.append(
        (
          random.unit() * Double(width), random.unit() * Double(height), 10 + 120 * random.unit(),
          10 + 120 * random.unit(), 40 + 170 * random.unit()
        )
      )
    }
    for y in 0..<height {
      for x in 0..<width {
        var level = 90 + 60 * Double(x) / Double(width)
        for b in blocks where abs(Double(x) - b.x) < b.w / 2 && abs(Double(y) - b.y) < b.h / 2 { level = b.level }
        image[x, y] = UInt8(level)
      }
    }
    let unit = Double(width) / 640
    for (k, side) in [22.0, 40, 75, 130].enumerated() {
      let center = Vector2((90 + 150 * Double(k)) * unit, (110 + 80 * Double(k)) * unit)
      let corners = Self.square(center, side: side * unit, turn: 0.4 * Double(k + 1))
      Self.draw(.grid6x6, 10 * k + 3, corners, into: &image)
      markers += 1
    }
    var blurred = GrayImage(width: 1, height: 1)
    image.withView { blurred.setGaussianBlur(of: $0, sigma: 0.7) }
    for y in 0..<height {
      for x in 0..<width {
        let noise = (random.unit() + random.unit() + random.unit() - 1.5) * 4
        blurred[x, y] = UInt8(max(0, min(255, (Double(blurred[x, y]) + noise).rounded())))
      }
    }
    image = blurred
  }

  static func square(_ center: Vector2, side: Double, turn: Double) -> Quadrilateral {
    let (c, s) = (cos(turn), sin(turn))
    let corners: [Vector2] = [Vector2(-1, -1), Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1)]
    var result = Quadrilateral(repeating: .zero)
    for i in 0..<4 { result[i] = center + (corners[i] * (side / 2)).rotated(cosine: c, sine: s) }
    return result
  }

  /// Draws a marker with a margin of one cell, each pixel the mean of nine points.
  static func draw(_ family: MarkerFamily, _ id: Int, _ corners: Quadrilateral, into image: inout GrayImage) {
    guard let map = Homography(unitSquareTo: corners)?.inverse else { return }
    let n = family.cells
    let code = family.code(id: id)
    let center = (corners[0] + corners[2]) * 0.5
    let reach = Int((corners[0] - center).length * 1.5) + 2
    for y in max(0, Int(center.y) - reach)...min(image.height - 1, Int(center.y) + reach) {
      for x in max(0, Int(center.x) - reach)...min(image.width - 1, Int(center.x) + reach) {
        var sum = 0.0
        for sample in 0..<9 {
          let p = Vector2(Double(x) + Double(sample % 3 - 1) / 3, Double(y) + Double(sample / 3 - 1) / 3)
          guard let u = map(p) else { continue }
          let column = Int((u.x * Double(n + 2)).rounded(.down))
          let row = Int((u.y * Double(n + 2)).rounded(.down))
          if column < -1 || row < -1 || column > n + 2 || row > n + 2 {
            sum += Double(image[x, y])
          } else if column < 0 || row < 0 || column > n + 1 || row > n + 1 {
            sum += 210
          } else if column == 0 || row == 0 || column == n + 1 || row == n + 1 {
            sum += 35
          } else {
            sum += (code >> UInt64(n * n - 1 - (row - 1) * n - (column - 1))) & 1 == 1 ? 210 : 35
          }
        }
        image[x, y] = UInt8((sum / 9).rounded())
      }
    }
  }
}

/// Where the time of a search goes, by what was reported last.
private struct StageClock: MarkerStageSink {
  static let names = ["smaller copies", "threshold", "outlines and quadrilaterals", "edges", "cells and fit"]
  private(set) var times = [Double](repeating: 0, count: 5)
  private var last = 0.0
  private var stage = 0
  var takesOutlines: Bool { false }

  mutating func begin() {
    last = threadSeconds()
    stage = 0
  }

  mutating func end() { turn(to: 0) }

  private mutating func turn(to next: Int) {
    let now = threadSeconds()
    times[stage] += now - last
    (last, stage) = (now, next)
  }

  mutating func add(_ stage: MarkerStage, picture: GrayView, scale: Int) { turn(to: stage == .picture ? 1 : 2) }
  mutating func add(_ stage: MarkerStage, corners: Quadrilateral) {
    turn(to: stage == .quadrilaterals ? 3 : 4)
  }
}
