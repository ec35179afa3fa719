import ArgumentParser
import Foundation
import SightlineFormats
import SightlineImaging
import SightlinePictures
import SightlineQR

/// `sightline qr read`.
struct QRRead: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read QR codes in pictures.",
    discussion: """
      Files: PNG, JPEG, WebP, binary PGM and PPM. With --format json there is one line for each file, in the order given: \
      {"file","milliseconds","cpuMilliseconds","codes":[{"text","corners","version","level","mirrored","inverted","mended"}]}, and \
      "structuredAppend":{"index","count","parity"} in codes that are one of several. Corners are pixels, the code's own top \
      left first, then clockwise around the code as it was made; the centre of the first pixel is (0, 0). milliseconds \
      counts from the grey picture in memory to the finished list, cpuMilliseconds only what the thread worked.

      Exit status: 0 all files were read, with codes or without; 1 at least one could not be read.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "text: lines for people; json: one object for each file.")
  var format: Format = .text

  @Flag(help: "Look only as hard as for live video: faster, and less is found.")
  var fast = false

  @Option(help: ArgumentHelp("Read each picture so many times and say the least time.", valueName: "times"))
  var repeats = 1

  @Argument(help: ArgumentHelp("Pictures.", valueName: "file"))
  var files: [String]

  func validate() throws {
    guard (1...1000).contains(repeats) else { throw ValidationError("--repeats has to be 1 to 1000.") }
  }

  func run() throws {
    var parameters = QRDetector.Parameters()
    parameters.isThorough = !fast
    var detector = QRDetector(parameters: parameters)
    var codes: [DetectedQRCode] = []
    var hasFailed = false
    for file in files {
      do throws(PictureError) {
        let picture = try Picture(contentsOfFile: file, as: .gray)
        var (least, leastWork) = (Duration.seconds(1 << 30), Double(1 << 30))
        picture.pixels.withUnsafeBufferPointer { pixels in
          guard let view = try? GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width)
          else { return }
          for _ in 0..<repeats {
            let clock = ContinuousClock()
            let begin = threadMilliseconds()
            least = min(least, clock.measure { detector.detect(in: view, into: &codes) })
            leastWork = min(leastWork, threadMilliseconds() - begin)
          }
        }
        let milliseconds = Double(least.components.attoseconds) / 1e15 + Double(least.components.seconds) * 1000
        Console.say(format == .json ? json(codes, file, milliseconds, leastWork) : text(codes, file, milliseconds))
      } catch {
        Console.note("\(file): \(error)")
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode(1) }
  }

  private func json(_ codes: [DetectedQRCode], _ file: String, _ milliseconds: Double, _ work: Double) -> String {
    let objects = codes.map { code in
      let corners = (0..<4).map { "[\(fixed(code.corners[$0].x, 2)), \(fixed(code.corners[$0].y, 2))]" }
      var members = [
        "\"text\": \(JSONTextWriter.quoted(QRText.text(of: code.content)))",
        "\"corners\": [\(corners.joined(separator: ", "))]",
        "\"version\": \(code.version.number)", "\"level\": \"\(code.level.letter)\"",
        "\"mirrored\": \(code.isMirrored)",
        "\"inverted\": \(code.isInverted)", "\"mended\": \(code.mendedCount)",
      ]
      if let place = code.content.structuredAppend {
        members.append(
          "\"structuredAppend\": {\"index\": \(place.index), \"count\": \(place.count), \"parity\": \(place.parity)}"
        )
      }
      return "{\(members.joined(separator: ", "))}"
    }
    return "{\"file\": \(JSONTextWriter.quoted(file)), \"milliseconds\": \(fixed(milliseconds, 4)), "
      + "\"cpuMilliseconds\": \(fixed(work, 4)), \"codes\": [\(objects.joined(separator: ", "))]}"
  }

  private func text(_ codes: [DetectedQRCode], _ file: String, _ milliseconds: Double) -> String {
    var lines = ["\(file): \(Console.count(codes.count, "code")), \(fixed(milliseconds, 2)) ms"]
    for code in codes {
      // What was read is shown, never opened; control characters do not reach the terminal.
      let said = String(
        String.UnicodeScalarView(
          QRText.text(of: code.content).unicodeScalars.map {
            $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
          }
        )
      )
      lines.append("  \(said)")
    }
    return lines.joined(separator: "\n")
  }
}

extension QRLevel {
  /// The level's letter in the standard.
  var letter: String { ["L", "M", "Q", "H"][Int(rawValue)] }
}
