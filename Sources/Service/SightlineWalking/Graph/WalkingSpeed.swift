import Foundation

/// How long walking takes.
///
/// Times are in tenths of a second, lengths in metres.
///
/// On the flat 1.34 m/s; on steps 0.61 m/s up and 0.694 m/s down, measured along the ground (Weidmann 1993, Transporttechnik der
/// Fussgänger, ETH Zürich, doi:10.3929/ethz-a-000687810). On slopes the speed on the flat is multiplied
/// by exp(−3.5 |s + 0.05|) / exp(−3.5 · 0.05) with the slope s (Tobler 1993, NCGIA report 93-1).
enum WalkingSpeed {
  static let flat = 1.34
  static let stepsUp = 0.61
  static let stepsDown = 0.694
  /// Metres along the ground that a step takes: a tread.
  static let tread = 0.3
  /// Along an escalator, metres a second (EN 115: 0.5 m/s for most).
  static let escalator = 0.5
  /// Seconds that a lift takes, waiting and riding: an estimate.
  static let elevatorSeconds = 30.0
  /// Seconds that traffic lights take on average, red² / (2 · cycle) for 50 s of red in a cycle of 90 s: an assumption.
  static let signalSeconds = 14.0
  /// The steepest slope that is believed; more is an error of the heights.
  static let steepest = 0.4

  /// Speed over a slope as a part of that on the flat.
  static func slopeFactor(_ slope: Double) -> Double {
    let s = min(max(slope, -steepest), steepest)
    return exp(-3.5 * (abs(s + 0.05) - 0.05))
  }
}
