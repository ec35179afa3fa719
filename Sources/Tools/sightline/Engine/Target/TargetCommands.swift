import ArgumentParser

/// `sightline target`.
struct TargetCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "target",
    abstract: "Flat pictures as targets: build, rate, recognise, follow.",
    discussion: """
      Coordinates are pixels; the centre of the first pixel is (0, 0). Corners are those of the whole picture, clockwise from \
      its own top left.
      """,
    subcommands: [
      TargetBuild.self, TargetTrack.self, TargetRecognize.self, TargetRate.self, TargetShow.self, TargetCompare.self,
    ]
  )
}
