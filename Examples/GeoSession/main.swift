// Opens a world from a file, says where the phone is and how it is held, and prints what is in view:
//
//   swift run GeoSession Fixtures/demo/ulm.area.xml

import Sightline
import SightlineImport

let document = try ImportedDocument(fileAt: CommandLine.arguments.dropFirst().first ?? "Fixtures/demo/ulm.area.xml")
for problem in document.problems { print("\(problem.severity.rawValue): \(problem.message)") }
let places = document.dimension?.places ?? []

var session = Session()
session.handle(.display(Display(width: 390, height: 844)), at: 0)
let square = LocationFix(
  latitudeDegrees: 48.3984,
  longitudeDegrees: 9.9916,
  altitude: 480,
  horizontalAccuracy: 5,
  verticalAccuracy: 3
)
session.handle(.fix(square), at: 0)
session.handle(.orientation(.browserAngles(alpha: 200, beta: 90, gamma: 0, north: .trueNorth)), at: 0)
session.handle(.open(AddressID(0)), at: 0)
while let effect = session.nextEffect() {
  if case .request(let request) = effect, let dimension = document.dimension {
    session.handle(.loaded(request.id, WorldDescription(dimension)), at: 0)
  }
}
session.makeFrame(at: 0.1)
for item in session.frame.items {
  let (x, y) = (Int(item.center.x.rounded()), Int(item.center.y.rounded()))
  print("\(places[Int(item.feature)].labelText): \(Int(item.distance.rounded())) m away, at \(x), \(y) on the screen")
}
