import SightlineGeodesy
import SightlineMath

/// What is known of magnetic north at the user's place and time, from the magnetic model.
///
/// Computed again only when place or date changed enough to matter.
struct Declination: Sendable {
  /// Magnetic north is so far clockwise of true north; 0 when unknown.
  private(set) var angle = Angle.zero
  /// What a compass is worth here; `nil` when the model has no answer: no place or date yet, or a date outside its years.
  private(set) var compass: MagneticField.CompassUse?
  /// The Earth's field: strength in microtesla and dip; `nil` when the model has no answer.
  private(set) var earthField: (strength: Double, dip: Angle)?
  private var decimalYear: Double?
  /// The session's time when `decimalYear` was told.
  private var calendarTime = 0.0
  private var place: Geodetic?

  /// Sets the date.
  mutating func take(decimalYear: Double, at position: Geodetic?, time: Double) {
    self.decimalYear = decimalYear
    calendarTime = time
    place = nil
    if let position { compute(at: position) }
  }

  /// The date at a time of the session; `nil` when none was told.
  func decimalYear(at time: Double) -> Double? {
    guard let decimalYear, decimalYear.isFinite else { return nil }
    return decimalYear + max(0, time - calendarTime) / 31_556_952
  }

  /// Sets the place; computed again when it is farther from the last than `distance` metres.
  mutating func take(_ position: Geodetic, distance: Double) {
    if let place, greatCircleDistance(from: place, to: position) <= distance { return }
    compute(at: position)
  }

  private mutating func compute(at position: Geodetic) {
    place = position
    angle = .zero
    compass = nil
    earthField = nil
    guard let decimalYear else { return }
    do throws(MagneticModelError) {
      let field = try MagneticModel.wmm2025.field(at: position, decimalYear: decimalYear)
      compass = field.compass
      earthField = (field.total / 1000, field.inclination)
      angle = field.compass == .unreliable ? .zero : field.declination
    } catch {
      // Outside the model's years a compass is used as it is: some degrees wrong, which the status says.
    }
  }
}
