import SightlineContent

// Formats count heights from one datum, places from four.
extension Dimension {
  /// The world with heights as a format counts them.
  ///
  /// What is over the other of sea and ellipsoid is converted where `options` know how far these are from each other, and is left as it is
  /// where they do not.
  ///
  /// - Parameters:
  ///   - datum: what the format's heights are measured from, the sea or the ellipsoid.
  ///   - options: how far these are from each other.
  ///   - losses: takes how many were converted.
  /// - Returns: the world with those heights.
  func withHeights(over datum: AltitudeMode, _ options: WritingOptions, _ losses: inout LossList) -> Dimension {
    guard let geoidHeight = options.geoidHeight else { return self }
    let other: AltitudeMode = datum == .seaLevel ? .ellipsoid : .seaLevel
    var result = self
    for index in places.indices where places[index].altitudeMode == other {
      guard let place = places[index].withHeights(over: datum, geoidHeight) else { continue }
      result.places[index] = place
      losses.drop(
        datum == .seaLevel
          ? "heights over the ellipsoid; they are written over the sea"
          : "heights over the sea; they are written over the ellipsoid",
        severity: .info
      )
    }
    return result
  }
}

extension Place {
  /// The place with its heights over the sea or the ellipsoid, of the other of which they are now; `nil` when it has none, or where the
  /// distance between these is not known.
  fileprivate func withHeights(
    over datum: AltitudeMode,
    _ geoidHeight: (_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> Double?
  ) -> Place? {
    var isWhole = true
    var hasHeights = false
    func convert(_ position: inout Position) {
      guard let altitude = position.altitude else { return }
      hasHeights = true
      guard let distance = geoidHeight(position.latitude, position.longitude) else { return isWhole = false }
      let metres = datum == .seaLevel ? altitude - distance : altitude + distance
      // The geoid is known to decimetres: more digits would say what nobody knows.
      let rounded = (metres * 100).rounded() / 100
      position.altitude = rounded.isFinite ? rounded : metres
    }
    var place = self
    if var position = place.position {
      convert(&position)
      place.position = position
    }
    if var shapes = place.shapes {
      for shape in shapes.indices {
        for part in shapes[shape].parts.indices {
          for corner in shapes[shape].parts[part].indices { convert(&shapes[shape].parts[part][corner]) }
        }
      }
      place.shapes = shapes
    }
    guard hasHeights, isWhole else { return nil }
    place.altitudeMode = datum
    return place
  }
}

extension LossList {
  /// A height as a format without a datum of its own writes it that counts from the sea; `nil`, counted, for what is measured from the eye or the
  /// ground, of which no height over the sea can be made.
  mutating func seaLevel(of place: Place, _ position: Position) -> Double? {
    guard let altitude = position.altitude else { return nil }
    switch place.altitudeMode {
    case .seaLevel: return altitude
    case .ellipsoid:
      drop("what altitudes are measured from; the number is written as it is", severity: .info)
      return altitude
    case .ground, .eye:
      drop("heights above the eye or the ground; none is written")
      return nil
    }
  }
}
