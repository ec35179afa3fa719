import ArgumentParser
import Foundation
import SightlineContent

/// Where the program begins.
@main enum Program {
  static func main() async {
    if let hint = CommandHint.of(Array(CommandLine.arguments.dropFirst()), root: Sightline.self) {
      Console.note(hint)
      exit(64)
    }
    await Sightline.main()
  }
}

/// The command line tool.
struct Sightline: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sightline",
    abstract: "Open augmented reality: worlds of places over the live camera picture.",
    discussion: """
      Start here:  sightline serve
      then open the printed address in a browser.

      Every option can also be given by an environment variable: --database by SIGHTLINE_DATABASE, and so on. An \
      option on the command line wins over the variable.

      Exit status: 0 all well; 1 something failed, the reason is on standard error; 64 the command line was not \
      understood.
      """,
    version: Version.current,
    subcommands: serviceCommands + worldCommands + engineCommands + [Completions.self]
  )
}

/// Commands on files with worlds.
private let worldCommands: [any ParsableCommand.Type] = [Validate.self, Convert.self]

/// Commands that try one part of the engine by itself.
private let engineCommands: [any ParsableCommand.Type] = [
  Geo.self, Orientation.self, Markers.self, Camera.self,
  Replay.self, Simulate.self, Recording.self, QR.self, ModelCommand.self,
  TargetCommands.self, OdometryCommands.self,
]

#if SIGHTLINE_CORE_ONLY
private let serviceCommands: [any ParsableCommand.Type] = []
#endif
