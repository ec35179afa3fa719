import ArgumentParser
import Foundation
import SightlinePictures
import SightlinePrint
import SightlineQR

/// `sightline qr make`.
struct QRMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Make a QR code as SVG, PDF or PNG.",
    discussion: """
      The ending of --output decides the format. The smallest code that holds the text is made, at a higher level of error \
      correction when that costs nothing. --name stands under the code in SVG and PDF, for people.

      Exit status: 0 written; 1 the text is too long or the file cannot be written; 64 the command line was not understood.
      """
  )

  enum Level: String, ExpressibleByArgument, CaseIterable {
    case low, medium, quartile, high

    var level: QRLevel {
      switch self {
      case .low: .low
      case .medium: .medium
      case .quartile: .quartile
      case .high: .high
      }
    }
  }

  @Argument(help: "What the code says, such as the address of a world.")
  var text: String

  @Option(name: .shortAndLong, help: ArgumentHelp("File to write: .svg, .pdf or .png.", valueName: "file"))
  var output: String

  @Option(help: "The world's name, under the code.")
  var name: String?

  @Option(help: "How much damage the code stands at least.")
  var level = Level.medium

  @Option(help: ArgumentHelp("Side of the code with its quiet zone on paper.", valueName: "millimetres"))
  var size = 60.0

  func validate() throws {
    guard size >= 5, size <= 2000 else { throw ValidationError("--size has to be 5 to 2000 millimetres.") }
    guard ["svg", "pdf", "png"].contains(ending) else {
      throw ValidationError("\(output) should end in .svg, .pdf or .png: that decides the format.")
    }
    guard !text.isEmpty else { throw ValidationError("The text is empty.") }
    guard name == nil || ending != "png" else {
      throw ValidationError("A PNG holds the code alone. Leave --name out, or write .svg or .pdf.")
    }
  }

  private var ending: String { URL(fileURLWithPath: output).pathExtension.lowercased() }

  func run() throws {
    var encoder = QREncoder()
    encoder.level = level.level
    let code: QRCode
    do throws(QREncodingError) {
      code = try encoder.encode(QRText.characters(of: text), characterSet: 26)
    } catch {
      switch error {
      case .tooLong(let needed, let available):
        throw Failure(
          "The text needs \(needed) bits; at level \(level.rawValue) a code holds \(available). Shorten it, or lower --level."
        )
      case .mode: throw Failure("The text cannot be put into a code.")
      }
    }
    let drawing = QRDrawing(matrix: code.matrix, name: name, side: size)
    let bytes: [UInt8]
    switch ending {
    case "svg": bytes = Array(drawing.svg().utf8)
    case "pdf":
      guard let pdf = drawing.pdf() else {
        throw Failure("The name has characters that the PDF's font lacks. Write it in Latin letters, or write .svg.")
      }
      bytes = pdf
    default: bytes = try drawing.png()
    }
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
    let side = code.version.size
    Console.note("\(output): version \(code.version.number), \(side) × \(side) modules, level \(code.level.letter)")
  }
}
