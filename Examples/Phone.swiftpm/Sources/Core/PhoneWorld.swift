import Sightline

/// What the app shows: places around where it was opened, and a marker on the table.
///
/// The engine holds no text; names stay here, in the order of the world's features.
struct PhoneWorld {
  /// Something with a name.
  struct Thing {
    var name: String
    /// East and north of where the app was opened, metres; `nil` for what stands on the marker.
    var place: (east: Double, north: Double)?
  }

  /// Of the dictionary 6x6-250: `sightline markers make --dictionary 6x6-250 --id 7 --length 0.16 -o marker.pdf`.
  static let marker = AnchorID.marker(dictionary: MarkerDictionary.grid6x6Of250.rawValue, id: 7)
  /// Outer edge of its black border, metres.
  static let markerSide = 0.16

  var things = [
    Thing(name: "North", place: (0, 80)),
    Thing(name: "East", place: (80, 0)),
    Thing(name: "South", place: (0, -80)),
    Thing(name: "West", place: (-80, 0)),
    Thing(name: "Marker 7", place: nil),
  ]

  /// The world for the engine, once it is known where the phone is.
  func description(around fix: LocationFix) -> WorldDescription {
    var world = WorldDescription()
    world.anchors = [WorldAnchor(Self.marker, width: Self.markerSide)]
    let origin = Geodetic(latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees, altitude: 0)
    for thing in things {
      var feature = SceneFeature(latitudeDegrees: origin.latitudeDegrees, longitudeDegrees: origin.longitudeDegrees)
      // At the height of the eye, whatever that is.
      feature.altitudeDatum = .eye
      if let place = thing.place {
        feature.offset = Vector3(place.east, place.north, 0)
      } else {
        feature.anchor = 0
      }
      world.features.append(feature)
    }
    return world
  }
}
