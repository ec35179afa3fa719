import ArgumentParser
import Foundation
import SightlineBaselines
import SightlineFusion
import SightlineMath

/// `sightline orientation`.
struct Orientation: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Estimate orientations from recorded motion sensors.",
    discussion: """
      Input: CSV with the header t,gx,gy,gz,ax,ay,az,mx,my,mz (seconds, rad/s, m/s², microtesla; device frame x right, \
      y top, z out of the screen). Output: CSV t,qw,qx,qy,qz, one row for each row of the input: the unit quaternion that \
      rotates device vectors into East-North-Up. Row k depends on rows up to k only. With --bounds two more columns, \
      tilt95,heading95: degrees below which the error is 95 % of the time.

      Without the magnetometer the heading is arbitrary. Filters other than "sightline" are the ones of the AR browsers of \
      2010 to 2012, for comparison; they use no gyroscope.
      """
  )

  /// The filters by name.
  enum Filter: String, CaseIterable, ExpressibleByArgument {
    case sightline
    case lowPass = "low-pass"
    case derivativeSmoothing = "derivative-smoothing"
    case sphericalMean = "spherical-mean"
    case matrixMean = "matrix-mean"
  }

  @Option(help: ArgumentHelp("File with the samples.", valueName: "file")) var input: String
  @Option(help: ArgumentHelp("File to write.", valueName: "file")) var output: String
  @Flag(help: "Leave the magnetometer out.") var noMagnetometer = false
  @Flag(help: "Leave the gyroscope out.") var noGyroscope = false
  @Option(help: "Filter to use.") var filter = Filter.sightline
  @Flag(help: "State bounds of the errors too (only of the filter sightline).") var bounds = false

  func validate() throws {
    if noMagnetometer && (noGyroscope || filter != .sightline) {
      throw ValidationError("Without gyroscope the magnetometer is needed: leave out --no-magnetometer.")
    }
    if bounds && filter != .sightline {
      throw ValidationError("The filters of 2010 state no bounds: leave out --bounds.")
    }
  }

  func run() throws {
    guard let text = FileManager.default.contents(atPath: input) else {
      throw Failure("\(input) cannot be read. Check the path.")
    }
    let estimator = makeEstimator()
    var result = bounds ? "t,qw,qx,qy,qz,tilt95,heading95\n" : "t,qw,qx,qy,qz\n"
    var line = 0
    var clock = Clock()
    for row in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      let trimmed = String(decoding: row, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if trimmed.isEmpty && line > 1 { continue }
      let fields = trimmed.split(separator: ",", omittingEmptySubsequences: false)
      if line == 1 {
        guard fields.map({ $0.trimmingCharacters(in: .whitespacesAndNewlines) }) == Self.header else {
          throw Failure("\(input):1: the header has to be \(Self.header.joined(separator: ",")).")
        }
        continue
      }
      let values = fields.map { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      guard values.count == Self.header.count, let time = values[0], time.isFinite,
        !values.contains(where: { $0 == nil })
      else {
        throw Failure("\(input):\(line): ten numbers are needed, separated by commas (nan for a missing value).")
      }
      clock.take(time, line: line)
      let numbers = values.map { $0 ?? .nan }
      let (q, limits) = estimator(sample(time, numbers))
      result += "\(fields[0]),\(q.w),\(q.x),\(q.y),\(q.z)"
      if bounds, let limits { result += ",\(limits.tilt.degrees),\(limits.heading.degrees)" }
      result += "\n"
    }
    do {
      try Data(result.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
    if let report = clock.report {
      let ignored = filter == .sightline ? " Such rows change nothing and have the orientation of the row before." : ""
      Console.note("\(input)\(report).\(ignored) Look for a clock that was set while recording.")
    }
  }

  /// Watches the times of the rows: the filters leave out rows whose time does not run on, and who recorded them should know.
  private struct Clock {
    private var latest = -Double.infinity
    private var first: (line: Int, time: Double, latest: Double)?
    private var count = 0

    mutating func take(_ time: Double, line: Int) {
      if time > latest {
        latest = time
      } else {
        count += 1
        if first == nil { first = (line, time, latest) }
      }
    }

    /// What is to be said behind the file's name; `nil` when nothing is.
    var report: String? {
      guard let first else { return nil }
      let what = first.time < first.latest ? "runs backwards" : "stands still"
      let others = count > 1 ? ", and in \(count - 1) more rows" : ""
      return ":\(first.line): the clock \(what), \(first.time) s after \(first.latest) s\(others)"
    }
  }

  private static let header = ["t", "gx", "gy", "gz", "ax", "ay", "az", "mx", "my", "mz"]

  private func sample(_ time: Double, _ v: [Double]) -> MotionSample {
    func vector(_ start: Int) -> Vector3? {
      let vector = Vector3(v[start], v[start + 1], v[start + 2])
      return vector.x.isFinite && vector.y.isFinite && vector.z.isFinite ? vector : nil
    }
    return MotionSample(
      time: time,
      angularVelocity: noGyroscope ? nil : vector(1),
      specificForce: vector(4),
      magneticField: noMagnetometer ? nil : vector(7)
    )
  }

  /// A function that takes a sample and gives the attitude after it, with the bounds of its error where there are any;
  /// before the first usable sample, no rotation.
  private func makeEstimator() -> (MotionSample) -> (Quaternion, OrientationFilter.Bounds?) {
    let historic: HistoricFilter
    switch filter {
    case .sightline:
      if noGyroscope {
        // Through the fusion, which knows what such an attitude is worth.
        var fusion = OrientationFusion()
        return { sample in
          fusion.take(sample)
          let nothing = OrientationFilter.Bounds(tilt: Angle(radians: pi), heading: Angle(radians: pi))
          return (fusion.estimate?.levelFromDevice ?? .identity, fusion.bounds ?? nothing)
        }
      }
      var filter = OrientationFilter()
      return { sample in
        filter.take(sample)
        return (filter.eastNorthUpFromDevice, filter.bounds)
      }
    case .lowPass: historic = .lowPass(LowPassFilter())
    case .derivativeSmoothing: historic = .derivativeSmoothing(DerivativeSmoothingFilter())
    case .sphericalMean: historic = .sphericalMean(SphericalMeanFilter())
    case .matrixMean: historic = .matrixMean(MatrixMeanFilter())
    }
    var filter = historic
    return { (filter.take($0) ?? .identity, nil) }
  }
}
