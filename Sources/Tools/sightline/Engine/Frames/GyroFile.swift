import Foundation
import SightlineMath

/// Angular velocities of the camera with their times.
struct GyroFile {
  /// Samples farther from one another say nothing of the time between, seconds.
  static let longestGap = 0.2

  private let samples: [(time: Double, rate: Vector3)]

  /// Rates in rad/s in camera axes, in the order of their times.
  init(samples: [(time: Double, rate: Vector3)]) { self.samples = samples }

  /// Reads CSV with the header `time,x,y,z`.
  init(path: String) throws {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure("\(path): cannot be read as text; --gyro takes CSV with the header time,x,y,z.")
    }
    var samples: [(time: Double, rate: Vector3)] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      if index == 0 {
        guard fields == ["time", "x", "y", "z"] else {
          throw Failure("\(path):1: the first line has to be time,x,y,z.")
        }
        continue
      }
      let numbers = fields.compactMap(Double.init)
      guard numbers.count == 4, fields.count == 4, numbers.allSatisfy(\.isFinite) else {
        throw Failure("\(path):\(index + 1): four numbers are wanted, time,x,y,z.")
      }
      if let last = samples.last, numbers[0] < last.time {
        throw Failure("\(path):\(index + 1): the times have to rise.")
      }
      samples.append((numbers[0], Vector3(numbers[1], numbers[2], numbers[3])))
    }
    self.samples = samples
  }

  /// How the camera turned between two times: from its axes at the second to those at the first; `nil` without samples there,
  /// or with a gap among them.
  func turn(from start: Double, to end: Double) -> Quaternion? {
    guard end > start, let first = samples.first, let last = samples.last, first.time - start <= Self.longestGap,
      end - last.time <= Self.longestGap
    else { return nil }
    var low = 0
    var high = samples.count
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].time < start { low = middle + 1 } else { high = middle }
    }
    // Each sample holds until halfway to its neighbours.
    var turn = Quaternion(w: 1, x: 0, y: 0, z: 0)
    var index = max(0, low - 1)
    while index < samples.count {
      let before = index > 0 ? (samples[index - 1].time + samples[index].time) / 2 : -Double.infinity
      let after = index + 1 < samples.count ? (samples[index].time + samples[index + 1].time) / 2 : Double.infinity
      if before >= end { break }
      if index + 1 < samples.count, samples[index + 1].time - samples[index].time > Self.longestGap,
        samples[index + 1].time > start, samples[index].time < end
      {
        return nil
      }
      let angle = samples[index].rate * max(0, min(end, after) - max(start, before))
      if let axis = angle.normalized { turn = turn * Quaternion(axis: axis, angle: Angle(radians: angle.length)) }
      index += 1
    }
    return turn
  }
}
