import ArgumentParser
import SightlineServer

/// The command line tool.
@main struct Sightline: AsyncParsableCommand {
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
    subcommands: [
      Serve.self, Import.self, Export.self, Worlds.self, Validate.self, Convert.self, Geo.self, Orientation.self,
    ]
  )
}
