// Finds printed markers in a picture and says how they lie to the camera:
//
//   swift run MarkerPose photo.jpg 0.16        black border 16 cm wide, a phone's lens

import Sightline
import SightlinePictures

let arguments = CommandLine.arguments
guard arguments.count == 3, let side = Double(arguments[2]), side > 0 else {
  fatalError("usage: MarkerPose PICTURE METRES")
}
let picture = try Picture(contentsOfFile: arguments[1], as: .gray)
let intrinsics = Intrinsics(
  width: Double(picture.width),
  height: Double(picture.height),
  longSideFieldOfView: Angle(degrees: 65)
)

var detector = MarkerDetector(dictionaries: [.grid6x6Of250, .apriltag36h11])
var markers: [DetectedMarker] = []
try picture.pixels.withUnsafeBufferPointer { pixels in
  let view = try GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width)
  detector.detect(in: view, into: &markers)
}
for marker in markers {
  guard let poses = SquarePoses(corners: marker.corners, side: side, intrinsics: intrinsics) else { continue }
  // The camera's frame: x to the right, y down, z forward.
  let position = poses.best.translation
  let front = poses.best.cameraFromPlane * Vector3(0, 0, 1)
  let tilt = Angle(radians: acos(-front.z)).degrees
  print(
    "marker \(marker.id): \(shown(position.z)) m away, \(shown(position.x)) m right, \(shown(position.y)) m down, "
      + "turned away by \(Int(tilt.rounded()))°"
  )
}

func shown(_ metres: Double) -> Double { (metres * 1000).rounded() / 1000 }
