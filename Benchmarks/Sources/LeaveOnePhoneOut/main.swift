// What orientation is worth on a phone that had no part in choosing the filter's parameters.
//
//   SIGHTLINE_CORE_ONLY=1 swift run -c release --package-path Benchmarks LeaveOnePhoneOut PHONES [BROAD] [--sets N] [--seed N] [--spread F]
//
// PHONES and BROAD are folders with a manifest.json, as for Benchmarks/orientation/evaluate.py. N sets of parameters are drawn round the
// defaults, each parameter by a factor between 1 / F and F. For every kind of phone the set is chosen that has the least mean error on the
// recordings of all other phones (and on BROAD, where it is given), and is scored on those of the phone that was left out. Errors are root
// mean squares of the whole rotation over the movement, degrees. The first set, the defaults, was chosen on all recordings together.

import Foundation
import SightlineFusion
import SightlineMath

/// A recording with its reference: rows of 14 numbers (angular velocity, specific force, field, quaternion w x y z, moving).
struct Trial {
  var name: String
  var rate: Double
  var rows: [SIMD16<Float>]
  /// Seconds by which the reference leads the sensors.
  var lead: Double

  /// The kind of phone; `nil` for an instrumented device.
  var phone: String? { ["iPhone4S", "iPhone5", "Nexus5"].first { name.contains("_\($0)_") } }
  var isDisturbed: Bool { name.contains("_Dist_") }

  /// The reference at a row, `lead` earlier; `nil` where it is not known.
  func reference(_ row: Int) -> Quaternion? {
    let at = Double(row) - lead * rate
    let low = Int(at.rounded(.down))
    guard low >= 0, low < rows.count else { return nil }
    let (a, b) = (quaternion(low), quaternion(min(low + 1, rows.count - 1)))
    guard let a, let b else { return nil }
    let share = at - Double(low)
    let sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1.0 : 1.0
    func mixed(_ p: Double, _ q: Double) -> Double { p * (1 - share) + sign * q * share }
    return Quaternion(w: mixed(a.w, b.w), x: mixed(a.x, b.x), y: mixed(a.y, b.y), z: mixed(a.z, b.z)).normalized
  }

  private func quaternion(_ row: Int) -> Quaternion? {
    let v = rows[row]
    guard v[9].isFinite, v[10].isFinite, v[11].isFinite, v[12].isFinite else { return nil }
    return Quaternion(w: Double(v[9]), x: Double(v[10]), y: Double(v[11]), z: Double(v[12]))
  }

  /// Root mean square of the rotation between estimate and reference, degrees, over the rows in movement.
  func error(_ parameters: OrientationFilter.Parameters) -> Double {
    var filter = OrientationFilter(parameters: parameters)
    var (sum, count) = (0.0, 0)
    for (index, row) in rows.enumerated() {
      func vector(_ start: Int) -> Vector3? {
        let v = Vector3(Double(row[start]), Double(row[start + 1]), Double(row[start + 2]))
        return v.x.isFinite && v.y.isFinite && v.z.isFinite ? v : nil
      }
      filter.take(
        MotionSample(
          time: Double(index) / rate,
          angularVelocity: vector(0),
          specificForce: vector(3),
          magneticField: vector(6)
        )
      )
      guard row[13] > 0.5, let truth = reference(index) else { continue }
      let q = filter.eastNorthUpFromDevice
      let angle = 2 * SightlineMath.acos(min(1, abs(q.w * truth.w + q.x * truth.x + q.y * truth.y + q.z * truth.z)))
      sum += angle * angle
      count += 1
    }
    return count == 0 ? .nan : (sum / Double(count)).squareRoot() * 180 / Double.pi
  }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(2)
}

func trials(of folder: String) -> [Trial] {
  let path = folder + "/manifest.json"
  guard let data = FileManager.default.contents(atPath: path),
    let manifest = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
    let entries = manifest["trials"] as? [[String: Any]]
  else { fail("\(path) cannot be read") }
  return entries.compactMap { entry in
    guard entry["native"] as? Bool != true, let name = entry["name"] as? String, let file = entry["file"] as? String,
      let rate = (entry["rate_hz"] as? NSNumber)?.doubleValue
    else { return nil }
    guard let bytes = FileManager.default.contents(atPath: folder + "/" + file) else {
      fail("\(folder)/\(file) cannot be read")
    }
    let rows: [SIMD16<Float>] = bytes.withUnsafeBytes { raw in
      (0..<raw.count / 56).map { row in
        var values = SIMD16<Float>(repeating: 0)
        for k in 0..<14 { values[k] = raw.loadUnaligned(fromByteOffset: row * 56 + 4 * k, as: Float.self) }
        return values
      }
    }
    return Trial(name: name, rate: rate, rows: rows, lead: ((entry["sync_ms"] as? NSNumber)?.doubleValue ?? 0) / 1000)
  }
}

/// The parameters that are drawn: what decides over heading and tilt of a phone in a hand.
///
/// Those of rest and of bounds stay.
let varied: [WritableKeyPath<OrientationFilter.Parameters, Double> & Sendable] = [
  \.initialBiasDegrees, \.scaleError, \.gyroscopeNoiseDegrees, \.rateNoise, \.biasWalkDegrees, \.speed,
  \.speedPerAcceleration, \.reach,
  \.magnetometerNoise, \.initialMagnetometerTrust, \.initialMagnetometerTime, \.hardIron, \.hardIronWalk, \.fieldWalk,
  \.fieldTurn,
  \.surprise, \.attachedSurprise, \.attachedTime, \.attachedHardIron,
]

/// SplitMix64: the same sets for the same seed.
struct Random: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

func mean(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count) }
func shown(_ value: Double) -> String { value.isNaN ? "-" : String(format: "%.2f", value) }

var (folders, options) = ([String](), ["sets": 200.0, "seed": 1, "spread": 2])
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  guard argument.hasPrefix("--") else {
    folders.append(argument)
    continue
  }
  let name = String(argument.dropFirst(2))
  guard options[name] != nil, let value = arguments.popFirst().flatMap(Double.init), value >= 1, value < 1e6 else {
    fail("usage: LeaveOnePhoneOut PHONES [BROAD] [--sets N] [--seed N] [--spread F]")
  }
  options[name] = value
}
guard (1...2).contains(folders.count), let sets = options["sets"], let seed = options["seed"],
  let spread = options["spread"]
else {
  fail("usage: LeaveOnePhoneOut PHONES [BROAD] [--sets N] [--seed N] [--spread F]")
}

let recordings = folders.flatMap(trials(of:))
var random = Random(state: UInt64(seed))
let candidates = (0..<Int(sets)).map { index in
  var parameters = OrientationFilter.Parameters()
  if index > 0 {
    for path in varied {
      parameters[keyPath: path] *= SightlineMath.pow(spread, Double.random(in: -1...1, using: &random))
    }
  }
  return parameters
}

/// Of each set the errors of all recordings, in their order.
let errors: [[Double]] = await withTaskGroup(of: (Int, [Double]).self) { group in
  for (index, candidate) in candidates.enumerated() {
    group.addTask { [recordings] in (index, recordings.map { $0.error(candidate) }) }
  }
  var results = [[Double]](repeating: [], count: candidates.count)
  for await (index, result) in group { results[index] = result }
  return results
}

/// Mean error of a set over some recordings; BROAD's trials count together as much as one kind of phone does.
func score(_ set: Int, without phone: String) -> Double {
  let kinds = Set(recordings.map(\.phone)).subtracting([phone])
  return mean(
    kinds.map { kind in mean(recordings.indices.filter { recordings[$0].phone == kind }.map { errors[set][$0] }) }
  )
}

func part(_ set: Int, _ phone: String, isDisturbed: Bool) -> [Double] {
  recordings.indices.filter { recordings[$0].phone == phone && recordings[$0].isDisturbed == isDisturbed }.map {
    errors[set][$0]
  }
}

print(
  "phone left out: undisturbed, disturbed with the set chosen on the others; with the defaults; the best of all sets, looked at afterwards"
)
var (chosenErrors, defaultErrors) = ([Double](), [Double]())
for phone in Set(recordings.compactMap(\.phone)).sorted() {
  guard let chosen = candidates.indices.min(by: { score($0, without: phone) < score($1, without: phone) }) else {
    continue
  }
  chosenErrors += part(chosen, phone, isDisturbed: false)
  defaultErrors += part(0, phone, isDisturbed: false)
  let best = candidates.indices.map { mean(part($0, phone, isDisturbed: false)) }.min() ?? .nan
  let columns = [chosen, 0].flatMap { set in [false, true].map { shown(mean(part(set, phone, isDisturbed: $0))) } }
  print("\(phone): \(columns[0]), \(columns[1]); \(columns[2]), \(columns[3]); \(shown(best)) (set \(chosen))")
}
print("mean of the undisturbed: left out \(shown(mean(chosenErrors))), defaults \(shown(mean(defaultErrors)))")
if folders.count > 1 {
  let broad = recordings.indices.filter { recordings[$0].phone == nil }
  print("BROAD with the defaults: \(shown(mean(broad.map { errors[0][$0] })))")
}
