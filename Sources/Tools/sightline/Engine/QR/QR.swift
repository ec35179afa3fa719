import ArgumentParser

/// `sightline qr`.
struct QR: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "QR codes: make them, read them in pictures.",
    subcommands: [QRMake.self, QRRead.self]
  )
}
