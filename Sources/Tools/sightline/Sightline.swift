import ArgumentParser

@main struct Sightline: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sightline", abstract: "Open augmented reality: worlds, places, markers.")
}
