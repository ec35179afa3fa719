import ArgumentParser

/// `sightline odometry`.
struct OdometryCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "odometry",
    abstract: "Follow a phone through space by its camera and motion sensors.",
    subcommands: [OdometryTrack.self, OdometryRender.self]
  )
}
