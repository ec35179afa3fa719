import ArgumentParser
import Foundation
import SightlineCamera

/// Numbers separated by commas.
struct NumberList: ExpressibleByArgument {
  var values: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard !parts.contains(where: { $0?.isFinite != true }) else { return nil }
    values = parts.compactMap { $0 }
  }
}

/// The options that describe a camera.
struct CameraArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Focal lengths and principal point of the camera, pixels.", valueName: "fx,fy,cx,cy")
  )
  var intrinsics: NumberList?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Distortion of the lens; trailing terms may be left out.", valueName: "k1,k2,p1,p2,k3")
  )
  var distortion: NumberList?

  func validate() throws {
    if let values = intrinsics?.values {
      guard values.count == 4, values[0] > 0, values[1] > 0 else {
        throw ValidationError("--intrinsics has to be four numbers, fx,fy,cx,cy, the first two positive.")
      }
    }
    if let values = distortion?.values {
      guard values.count <= 5 else { throw ValidationError("--distortion has at most five numbers, k1,k2,p1,p2,k3.") }
      guard intrinsics != nil else { throw ValidationError("--distortion says nothing without --intrinsics.") }
    }
  }

  /// The camera of a picture; `nil` when nothing was said about it.
  func camera(width: Int, height: Int) -> Intrinsics? {
    intrinsics.map {
      Intrinsics(
        width: Double(width),
        height: Double(height),
        focalX: $0.values[0],
        focalY: $0.values[1],
        centerX: $0.values[2],
        centerY: $0.values[3]
      )
    }
  }

  /// The distortion, none when nothing was said about it.
  var lens: LensDistortion {
    var k = distortion?.values ?? []
    k += [Double](repeating: 0, count: 5 - k.count)
    return LensDistortion(k1: k[0], k2: k[1], p1: k[2], p2: k[3], k3: k[4])
  }
}
