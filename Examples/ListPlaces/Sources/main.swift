// Reads a world in any format and lists its places by distance:
//
//   SIGHTLINE_CORE_ONLY=1 swift run ListPlaces ../../Fixtures/demo/ulm.area.xml 48.3985 9.9925

import Foundation
import SightlineFormats
import SightlineGeodesy

let arguments = CommandLine.arguments
guard arguments.count == 4, let latitude = Double(arguments[2]), let longitude = Double(arguments[3]) else {
  print("usage: ListPlaces FILE LATITUDE LONGITUDE")
  exit(64)
}
let here = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)

let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[1])))
let (format, reading) = FormatRegistry.read(bytes, options: ReadingOptions(fileName: arguments[1]))
for problem in reading.problems { print("\(problem.line ?? 1): \(problem.code) \(problem.message)") }
guard let world = reading.dimension else { exit(1) }

print("\(world.name ?? "A world without a name") (\(format?.rawValue ?? "unknown"))")
let places = world.places.compactMap { place in
  place.position.map { position in
    let there = Geodetic(latitudeDegrees: position.latitude, longitudeDegrees: position.longitude)
    return (distance: greatCircleDistance(from: here, to: there), place: place)
  }
}
for (distance, place) in places.sorted(by: { $0.distance < $1.distance }) {
  print("\(Int(distance.rounded())) m  \(place.title)  \(place.categories.joined(separator: ", "))")
}
