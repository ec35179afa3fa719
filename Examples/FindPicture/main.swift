// Finds a flat picture in a photo and says how it lies to the camera:
//
//   swift run FindPicture poster.png photo.jpg 0.5        the poster is printed 50 cm wide, a phone's lens

import Sightline
import SightlinePictures

let arguments = CommandLine.arguments
guard arguments.count == 4, let width = Double(arguments[3]), width > 0 else {
  fatalError("usage: FindPicture TARGET PHOTO METRES")
}
let photo = try Picture(contentsOfFile: arguments[2], as: .gray)
let intrinsics = Intrinsics(
  width: Double(photo.width),
  height: Double(photo.height),
  longSideFieldOfView: Angle(degrees: 65)
)

let target = try withView(Picture(contentsOfFile: arguments[1], as: .gray)) { view in
  TargetBuilder().build(view, name: [UInt8](arguments[1].utf8), printedWidth: width)
}
let recognizer = TargetRecognizer(targets: [target])
var sightings: [TargetSighting] = []
try withView(photo) { view in recognizer.recognize(view, into: &sightings) }
if let found = sightings.first,
  let pose = found.cameraFromPicture(
    intrinsics: intrinsics,
    width: target.width,
    height: target.height,
    printedWidth: width
  )
{
  // The camera's frame: x to the right, y down, z forward.
  let position = pose.translation
  print(
    "\(shown(position.z)) m away, \(shown(position.x)) m right, \(shown(position.y)) m down; "
      + "\(found.agreeing) features agree"
  )
} else {
  print("not found")
}

/// A picture's pixels as the engine looks at them, without copying.
func withView<Result>(_ picture: Picture, _ work: (GrayView) -> Result) throws -> Result {
  try picture.pixels.withUnsafeBufferPointer { pixels in
    work(try GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width))
  }
}

func shown(_ metres: Double) -> Double { (metres * 1000).rounded() / 1000 }
