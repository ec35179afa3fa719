import ArgumentParser
import SightlineMarkers

/// A dictionary of markers by one of its names: `6x6-250`, `apriltag-36h11`, OpenCV's `DICT_6X6_250`, AprilTag's `tag36h11`.
struct DictionaryArgument: ExpressibleByArgument, Equatable {
  var dictionary: MarkerDictionary

  init?(argument: String) {
    let wanted = Self.plain(argument)
    guard let dictionary = MarkerDictionary.allCases.first(where: { Self.plain($0.publicName) == wanted }) else {
      return nil
    }
    self.dictionary = dictionary
  }

  /// The name without what the three ways of writing differ in.
  private static func plain(_ name: String) -> String {
    var text = name.lowercased()
    text.removeAll { $0 == "-" || $0 == "_" || $0 == " " }
    if text.hasPrefix("dict") { text.removeFirst(4) }
    if text.hasPrefix("tag") { text = "april" + text }
    return text
  }

  static var allValueStrings: [String] { MarkerDictionary.allCases.map(\.publicName) }
}

extension MarkerDictionary {
  /// The name that users know it by; see `sightline markers detect --help`.
  var publicName: String {
    switch self {
    case .arucoOriginal: "aruco-original"
    case .grid4x4Of50: "4x4-50"
    case .grid4x4Of100: "4x4-100"
    case .grid4x4Of250: "4x4-250"
    case .grid4x4Of1000: "4x4-1000"
    case .grid5x5Of50: "5x5-50"
    case .grid5x5Of100: "5x5-100"
    case .grid5x5Of250: "5x5-250"
    case .grid5x5Of1000: "5x5-1000"
    case .grid6x6Of50: "6x6-50"
    case .grid6x6Of100: "6x6-100"
    case .grid6x6Of250: "6x6-250"
    case .grid6x6Of1000: "6x6-1000"
    case .grid7x7Of50: "7x7-50"
    case .grid7x7Of100: "7x7-100"
    case .grid7x7Of250: "7x7-250"
    case .grid7x7Of1000: "7x7-1000"
    case .arucoMip36h12: "aruco-mip-36h12"
    case .apriltag16h5: "apriltag-16h5"
    case .apriltag25h9: "apriltag-25h9"
    case .apriltag36h10: "apriltag-36h10"
    case .apriltag36h11: "apriltag-36h11"
    }
  }
}
