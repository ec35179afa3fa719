import ArgumentParser

/// `sightline camera`.
struct Camera: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure a camera: focal lengths, principal point, distortion.",
    subcommands: [CameraCalibrate.self]
  )
}
