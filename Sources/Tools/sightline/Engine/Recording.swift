import ArgumentParser
import Foundation
import SightlineRecording

/// `sightline recording`.
struct Recording: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look into recorded sessions, and take positions out of them.",
    subcommands: [RecordingInfo.self, RecordingStrip.self]
  )
}

/// `sightline recording info`.
struct RecordingInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what is in a recording.",
    discussion: "Exit status: 0 whole; 2 cut or damaged, with the place and what is lost on standard error."
  )

  @Argument(help: ArgumentHelp("The recording; - is standard input.", valueName: "recording")) var recording: String

  func run() throws {
    var (reader, _) = try RecordingInput.open(recording)
    var counts: [String: Int] = [:]
    var bytes = 0
    var first: Double?
    var last = reader.header.time
    while let entry = try reader.next() {
      counts[entry.event.name, default: 0] += 1
      first = min(first ?? entry.time, entry.time)
      last = max(last, entry.time)
      if case .picture(let picture) = entry.event, case .embedded(_, let data) = picture.source { bytes += data.count }
    }
    Console.say("format version: \(reader.header.version)")
    for (name, value) in reader.header.fields.sorted(by: { $0.key < $1.key }) {
      Console.say("\(Self.printable(name)): \(Self.printable(value))")
    }
    Console.say("duration: \(last - (first ?? last)) s")
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { Console.say("  \(name): \(count)") }
    if bytes > 0 { Console.say("pictures: \(bytes) bytes") }
    try RecordingInput.report(reader)
  }

  /// A foreign text without what could drive a terminal.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
  }
}

/// `sightline recording strip`.
struct RecordingStrip: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strip",
    abstract: "Copy a recording without anything that tells where it was made.",
    discussion: """
      Left out are fixes, worlds with their places and addresses, documents, pictures, truth and remarks. Orientation, \
      motion, display, touches and settings stay. Of a damaged recording the part before the damage is copied.
      """
  )

  @Argument(help: ArgumentHelp("The recording; - is standard input.", valueName: "recording")) var recording: String
  @Option(name: .shortAndLong, help: ArgumentHelp("File to write.", valueName: "file")) var output: String

  func run() throws {
    if FileManager.default.fileExists(atPath: output),
      URL(fileURLWithPath: recording).resolvingSymlinksInPath()
        == URL(fileURLWithPath: output).resolvingSymlinksInPath()
    {
      throw Failure("\(output) is the recording itself. Name another file.")
    }
    var (reader, _) = try RecordingInput.open(recording)
    let sink: FileSink
    do {
      sink = try FileSink(output)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
    var writer = try RecordingWriter(to: sink, header: PositionStripper.strip(reader.header))
    let removed = try PositionStripper.copy(&reader, to: &writer)
    Console.note("\(Console.count(removed, "event")) left out.")
    try RecordingInput.report(reader)
  }
}

extension RecordingEvent {
  /// A short name for lists.
  fileprivate var name: String {
    switch self {
    case .session(let event):
      // The case's name, without its values.
      String("\(event)".prefix { $0.isLetter })
    case .motion: "motion"
    case .world: "world"
    case .document: "document"
    case .picture: "picture"
    case .tracking(let event):
      switch event {
      case .began: "tracking begun"
      case .reading: "tracking reading"
      case .tilt: "tracking tilt"
      case .frame: "tracking frame"
      case .answer: "tracking answer"
      }
    case .truth: "truth"
    case .note: "note"
    case .tick: "tick"
    case .advance: "advance"
    }
  }
}
